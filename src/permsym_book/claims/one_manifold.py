"""Checks of the page "From isolated minima to one manifold"."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import factorial

import numpy as np

from ..examples import with_bounds
from ..landscape.connectivity import components, meet, subspaces
from ..landscape.zero_loss import zero_loss_path
from ..mlp import MLP
from ..permutation import Permutation
from .arithmetics import Float64, Rationals
from .assemble import Checked, evidence
from .flat_valley import PART_WAY, between, walk
from .registry import claim
from .settings import random_network
from .splitting_neurons import Layer, expanded

SIZES = ((1, 2), (2, 3), (2, 4), (3, 4))
HALF = Fraction(1, 2)


def collected(a, teacher: Layer, point: Layer, word) -> tuple[list[Layer], list[int]]:
    """Straight pieces from a point of a word's subspace to one with one copy of each unit, the others silent.

    Returns the corners after ``point``, and the slots of the copies of units 0, 1, ...; at the end the silent
    units have the incoming weights of unit 0.
    """
    r, m = teacher.V.shape[0], len(word)
    slots = [word.index(j) for j in range(r)]
    put = np.zeros((m, r), int)
    put[slots, range(r)] = 1
    rows = a.lift(put) @ teacher.V
    sources = [slots.index(p) if p in slots else 0 for p in range(m)]
    return [Layer(point.W, point.b, rows), Layer(teacher.W[:, sources], teacher.b[sources], rows)], slots


def manifold_path(a, net, start, goal, rng) -> list[Layer]:
    """The corners of a path from a random point of one word's subspace to one of another's, for m > r."""
    teacher = Layer.of(net, 0)
    first, last = (Layer.of(expanded(a, net, word, rng), 0) for word in (start, goal))
    down, slots = collected(a, teacher, first, start)
    up, goal_slots = collected(a, teacher, last, goal)
    silent, goal_silent = ([p for p in range(len(start)) if p not in s] for s in (slots, goal_slots))
    perm = [-1] * len(start)
    for old, new in zip(slots + silent, goal_slots + goal_silent, strict=True):
        perm[new] = old
    wide = down[-1].into(net, 0)
    return [first, *down, *walk(a, wide, 0, (slots[0], silent[0]), perm), *up[::-1], last]


def random_point(teacher: MLP, word, rng) -> MLP:
    """A random float64 network of the word's subspace."""
    wide = expanded(Float64(rng), with_bounds(teacher), word, rng)
    return teacher.with_parameters(wide.parameters.map(lambda ball: ball.value))


def solvable(equations, unknowns: int) -> bool:
    """Whether linear equations, rows of integers with the right side last, have a rational solution."""
    rows, rank = [[int(v) for v in row] for row in equations], 0
    for column in range(unknowns):
        pivot = next((k for k in range(rank, len(rows)) if rows[k][column]), None)
        if pivot is None:
            continue
        rows[rank], rows[pivot] = rows[pivot], rows[rank]
        for k in range(rank + 1, len(rows)):
            if factor := rows[k][column]:
                rows[k] = [
                    rows[rank][column] * x - factor * y for x, y in zip(rows[k], rows[rank], strict=True)
                ]
        rank += 1
    return all(not row[unknowns] for row in rows[rank:])


def have_a_common_point(words, w, outgoing) -> bool:
    """Whether the subspaces meet, from their equations, with one number for each unit's weights on a side."""
    m, r, incoming, sums = len(words[0]), len(w), [], []
    unit = np.eye(m, dtype=int)
    for word in words:
        for letter in set(word):
            places = [p for p in range(m) if word[p] == letter]
            sums.append([*unit[places].sum(axis=0).tolist(), outgoing[letter] if letter < r else 0])
            if letter < r:
                incoming += [[*unit[p].tolist(), w[letter]] for p in places]
            else:
                incoming += [[*(unit[p] - unit[places[0]]).tolist(), 0] for p in places[1:]]
    return solvable(incoming, m) and solvable(sums, m)


def drawn_meet(r: int):
    """The rule of :func:`have_a_common_point` for a teacher of r units with weights of its own."""
    return lambda *words: have_a_common_point(words, range(1, r + 1), range(5, 5 + r))


def pieces(words, touch) -> int:
    """The connected components of the union, by merging subspaces that have a common point."""
    parts = [{k} for k in range(len(words))]
    for i in range(len(words)):
        for k in range(i):
            one, other = (next(p for p in parts if x in p) for x in (i, k))
            if one is not other and touch(words[i], words[k]):
                parts.remove(other)
                one |= other
    return len(parts)


@claim("prop-overparameterised-connected", kind="proposition", title="One unit more connects all copies")
def overparameterised_connected(rng):
    """Outputs along a path between random points; the rule for meeting, by the equations; components."""
    r, m = SIZES[int(rng.integers(len(SIZES)))]
    d, q, n = (int(v) for v in rng.integers(1, 4, 3))
    words = subspaces(r, m)
    start, goal = (words[k] for k in rng.choice(len(words), 2, replace=False))
    w, outgoing = rng.permutation(99)[:r].tolist(), rng.integers(1, 99, r).tolist()
    some = [tuple(words[k] for k in rng.integers(len(words), size=2)) for _ in range(12)]
    agree = sum(meet(*pair, r) == have_a_common_point(pair, w, outgoing) for pair in some)
    few = int(rng.integers(2, 4))
    listed = {size: pieces(subspaces(*size), drawn_meet(size[0])) for size in ((few, few), (1, 2), (2, 3))}

    def compute(a, rng):
        def numbers(*pair):
            return tuple(a.lift(np.array([v])) for v in pair)

        net, X = random_network(a, (d, r, q), rng), a.random((n, d), rng)
        corners = manifold_path(a, net, start, goal, rng)
        sides = [
            (point.into(net, 0)(X), net(X))
            for here, there in pairwise(corners)
            for point in (between(a, here, there, PART_WAY), there)
        ]
        sides += [
            numbers(agree, len(some)),
            *(numbers(components(*size).count, found) for size, found in listed.items()),
            numbers(listed[few, few], factorial(few)),
            numbers(listed[2, 3], 1),
        ]
        if isinstance(a, Rationals) and m == r + 1:
            path = list(zero_loss_path(net, 0, start, goal, samples=2))
            sides += [(wide(X), net(X)) for wide in path]
        narrow = random_network(a, (d, few, q), rng)
        turned = narrow.permuted(Permutation.from_cycles([tuple(range(few))], n=few))
        straight = between(a, Layer.of(narrow, 0), Layer.of(turned, 0), HALF)
        moved = Layer(corners[0].W + a.random(corners[0].W.shape, rng), corners[0].b, corners[0].V)
        controls = {
            "m = r: straight to a relabelling": (straight.into(narrow, 0)(X), narrow(X)),
            "m = r is one component": numbers(listed[few, few], 1),
            "incoming weights moved while they are in use": (moved.into(net, 0)(X), net(X)),
        }
        return Checked(sides, controls)

    return evidence(compute, np.random.default_rng(rng.integers(2**31)))
