"""Checks of the page "The flat valley"."""

from __future__ import annotations

from fractions import Fraction
from math import factorial

import numpy as np

from ..landscape.valley import valley_walk
from ..permutation import Permutation
from .arithmetics import Rationals
from .assemble import Checked, evidence
from .registry import claim
from .settings import random_network
from .splitting_neurons import Layer

PART_WAY = Fraction(3, 8)
HIDDEN = ((3,), (4,), (5,), (2, 3), (4, 2))


def with_equal_incoming(net, layer: int, units):
    """The second of two units gets the incoming weights and the bias of the first."""
    W, b, V = Layer.of(net, layer)
    sources = list(range(V.shape[0]))
    sources[units[1]] = units[0]
    return Layer(W[:, sources], b[sources], V).into(net, layer)


def moved(a, net, layer: int, units, v, signs=(1, -1)):
    """v (1, out) added to the outgoing weights of the first unit and taken from those of the second."""
    W, b, V = Layer.of(net, layer)
    put = np.zeros((V.shape[0], 1), int)
    put[list(units), 0] = signs
    return Layer(W, b, V + a.lift(put) @ v).into(net, layer)


def random_place(rng) -> tuple[tuple[int, ...], int, tuple[int, int]]:
    """Widths, a hidden layer of at least three units and two of its units."""
    d, q = (int(v) for v in rng.integers(1, 4, 2))
    hidden = HIDDEN[int(rng.integers(len(HIDDEN)))]
    layer = int(np.argmax(hidden))
    i, j = (int(u) for u in rng.permutation(hidden[layer])[:2])
    return (d, *hidden, q), layer, (i, j)


@claim("prop-equal-loss-plane", kind="proposition", title="Planes of equal loss",
       proof="proofs/equal_loss.v#equal_loss_plane")
def equal_loss_plane(rng):
    """Outputs along the plane; D is linear and one to one; the swap of the two units lies in the plane."""
    widths, layer, (i, j) = random_place(rng)
    n, h = int(rng.integers(1, 4)), widths[layer + 1]

    def compute(a, rng):
        other = random_network(a, widths, rng)
        net = with_equal_incoming(other, layer, (i, j))
        X, out = a.random((n, widths[0]), rng), widths[layer + 2]
        u, v, alpha = a.random((1, out), rng), a.random((1, out), rng), a.random((1, 1), rng)
        p, there = net.parameters, moved(a, net, layer, (i, j), v)
        V, V_there = p.weights[layer + 1], there.parameters.weights[layer + 1]
        both = moved(a, moved(a, net, layer, (i, j), alpha @ u), layer, (i, j), v)
        swapped = [
            Permutation.from_cycles([(i, j)] if k == layer else [], n=w) for k, w in enumerate(widths[1:-1])
        ]
        across = moved(a, net, layer, (i, j), V[j : j + 1, :] - V[i : i + 1, :])
        sides = [
            (there(X), net(X)),
            (V_there[i : i + 1, :] - V[i : i + 1, :], v),
            (V_there[j : j + 1, :] - V[j : j + 1, :], -v),
            (
                moved(a, net, layer, (i, j), alpha @ u + v).parameters.weights[layer + 1],
                both.parameters.weights[layer + 1],
            ),
            *zip(across.parameters.arrays(), p.permuted(swapped).arrays(), strict=True),
        ]
        shift = Layer(p.weights[layer], p.biases[layer] + a.lift(np.eye(h, dtype=int)[j]), V).into(net, layer)
        controls = {
            "the incoming weights differ": (moved(a, other, layer, (i, j), v)(X), other(X)),
            "the biases differ": (moved(a, shift, layer, (i, j), v)(X), shift(X)),
            "v added to both": (moved(a, net, layer, (i, j), v, (1, 1))(X), net(X)),
        }
        return Checked(sides, controls)

    return evidence(compute, np.random.default_rng(rng.integers(2**31)))


def walk(a, net, layer: int, units, perm) -> list[Layer]:
    """The corners of the walk to the ordering ``perm``, with straight pieces between them.

    One unit of the pair falls silent. It takes another's incoming weights; that one hands over its outgoing
    weights and is silent itself: the two have changed places. At last the silent unit joins its twin again.
    """
    W, b, V = Layer.of(net, layer)
    n, (i, j) = V.shape[0], units
    table = np.eye(n + 2, n, dtype=int)  # the outgoing rows, then that of both units together, then zero
    table[n:] = 0
    table[n, [i, j]] = 1
    rows = a.lift(table) @ V

    def corner(sources, labels):
        return Layer(W[:, sources], b[sources], rows[labels, :])

    order, wanted = list(range(n)), list(perm)
    corners, sources = [corner(order, order)], list(range(n))

    def labels():
        return [n if u == i else n + 1 if u == j else u for u in order]

    corners.append(corner(sources, labels()))
    while order != wanted:
        to = order.index(j)
        unit = (
            wanted[to] if wanted[to] != j else next(u for u, w in zip(order, wanted, strict=True) if u != w)
        )
        sources[to] = unit
        corners.append(corner(sources, labels()))
        place = order.index(unit)
        order[to], order[place] = unit, j
        corners.append(corner(sources, labels()))
    sources[order.index(j)] = j
    return [*corners, corner(sources, labels()), corner(sources, order)]


def between(a, start: Layer, end: Layer, t: Fraction) -> Layer:
    """The point at t on the straight piece."""
    return Layer(*(A * a.number(1 - t) + B * a.number(t) for A, B in zip(start, end, strict=True)))


@claim("prop-valley-connects-orderings", kind="proposition", title="The valley reaches every ordering")
def valley_connects_orderings(rng):
    """Outputs along the walk to a random ordering; its end; the package's walk through all, exactly."""
    widths, layer, (i, j) = random_place(rng)
    h, n = widths[layer + 1], int(rng.integers(1, 4))
    while True:
        perm = Permutation.random(h, rng)
        if {perm[p] for p in range(h) if perm[p] != p} - {i, j}:
            break
    perms = [perm if k == layer else Permutation.identity(w) for k, w in enumerate(widths[1:-1])]
    other_unit = next(u for u in range(h) if u not in (i, j))

    def compute(a, rng):
        free = random_network(a, widths, rng)
        net = with_equal_incoming(free, layer, (i, j))
        X = a.random((n, widths[0]), rng)
        corners = walk(a, net, layer, (i, j), list(perm))
        sides = []
        for start, end in zip(corners, corners[1:], strict=False):
            sides += [
                (point.into(net, layer)(X), net(X)) for point in (between(a, start, end, PART_WAY), end)
            ]
        sides += zip(
            corners[-1].into(net, layer).parameters.arrays(),
            net.parameters.permuted(perms).arrays(),
            strict=True,
        )
        if isinstance(a, Rationals) and h == 3:
            points = list(valley_walk(net, layer, (i, j), samples=2))
            orders = {p.ordering for p in points if p.ordering}
            sides += [(p.network(X), net(X)) for p in points]
            sides += [(a.lift(np.array([len(orders)])), a.lift(np.array([factorial(h)])))]
            sides += [
                pair
                for p in points
                if p.ordering
                for pair in zip(
                    p.network.parameters.arrays(),
                    net.parameters.permuted(
                        [p.ordering if k == layer else range(w) for k, w in enumerate(widths[1:-1])]
                    ).arrays(),
                    strict=True,
                )
            ]
        moving = list(range(h))
        moving[j] = other_unit
        first, half = corners[0], Fraction(1, 2)
        early = between(a, first, Layer(first.W[:, moving], first.b[moving], first.V), half)
        put = np.eye(h, dtype=int)[:, [j]]
        controls = {
            "straight to the ordering": (between(a, first, corners[-1], half).into(net, layer)(X), net(X)),
            "incoming weights moved before the unit is silent": (early.into(net, layer)(X), net(X)),
            "no two units alike": (walk(a, free, layer, (i, j), list(perm))[1].into(free, layer)(X), free(X)),
            "outgoing weights added to one and not taken from the other": (
                Layer(first.W, first.b, first.V + a.lift(put) @ first.V[i : i + 1, :]).into(net, layer)(X),
                net(X),
            ),
        }
        return Checked(sides, controls)

    return evidence(compute, np.random.default_rng(rng.integers(2**31)))
