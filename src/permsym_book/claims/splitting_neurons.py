"""Checks of the page "Splitting and merging neurons"."""

from __future__ import annotations

from math import comb, factorial
from typing import NamedTuple

import numpy as np

from ..landscape.counting import (
    critical_subspace_count,
    critical_words,
    expansion_count,
    expansion_words,
    saddle_count,
)
from ..mlp import MLP
from ..parameters import Parameters
from .assemble import Checked, evidence
from .registry import claim
from .settings import random_network

AT_MOST = 12  # networks in each arithmetic and trial


class Layer(NamedTuple):
    """What belongs to the units of a hidden layer: incoming weights, biases and outgoing weights."""

    W: np.ndarray
    b: np.ndarray
    V: np.ndarray

    @classmethod
    def of(cls, net: MLP, layer: int) -> Layer:
        p = net.parameters
        return cls(p.weights[layer], p.biases[layer], p.weights[layer + 1])

    def into(self, net: MLP, layer: int) -> MLP:
        """The network with this in place of the layer's."""
        weights, biases = list(net.parameters.weights), list(net.parameters.biases)
        weights[layer], biases[layer], weights[layer + 1] = self
        return net.with_parameters(Parameters(weights, biases))


def split_rows(a, V, unit: int, c):
    """The outgoing weights with row ``unit`` split into c, in its place, and the rest, in a new last row."""
    h = V.shape[0]
    keep, put = np.eye(h + 1, h), np.zeros((h + 1, 1))
    keep[unit, unit], keep[h, unit], put[unit], put[h] = 0, 1, 1, -1
    return a.lift(keep.astype(int)) @ V + a.lift(put.astype(int)) @ c


def split_net(a, net: MLP, layer: int, unit: int, c) -> MLP:
    """The unit becomes two with its incoming weights and bias; outgoing weights c (1, out) and the rest."""
    W, b, V = Layer.of(net, layer)
    sources = [*range(V.shape[0]), unit]
    return Layer(W[:, sources], b[sources], split_rows(a, V, unit, c)).into(net, layer)


@claim("lem-split-gradient", kind="lemma", title="What splitting does to the gradient")
def split_gradient(rng):
    """Outputs and gradients of the split network, from the network before, at any depth."""
    d, n = (int(v) for v in rng.integers(1, 4, 2))
    hidden = [(3,), (2, 3), (3, 2)][int(rng.integers(3))]
    widths = (d, *hidden, 2)
    layer = int(rng.integers(len(hidden)))
    unit, h = int(rng.integers(hidden[layer])), hidden[layer]

    def compute(a, rng):
        net = random_network(a, widths, rng)
        X, Y = a.random((n, d), rng), a.random((n, 2), rng)
        row = net.parameters.weights[layer + 1][unit : unit + 1, :]
        c, share = a.random(row.shape, rng), a.random((1, 1), rng)
        before = net.loss_and_gradients(X, Y)[1]
        W, _, V = Layer.of(net.with_parameters(before), layer)
        along, anywhere = split_net(a, net, layer, unit, share @ row), split_net(a, net, layer, unit, c)
        sides, others = [], [k for k in range(h) if k != unit]
        for split in (along, anywhere):
            sides.append((split(X), net(X)))
            g = split.loss_and_gradients(X, Y)[1]
            sides += [
                (new, old)
                for k, (new, old) in enumerate(zip(g.weights, before.weights, strict=True))
                if k not in (layer, layer + 1)
            ]
            sides += [
                (new, old)
                for k, (new, old) in enumerate(zip(g.biases, before.biases, strict=True))
                if k != layer
            ]
            W_new, b_new, V_new = Layer(g.weights[layer], g.biases[layer], g.weights[layer + 1])
            sides += [
                (W_new[:, others], W[:, others]),
                (V_new[[*range(h), h], :], V[[*range(h), unit], :]),
                (W_new[:, unit : unit + 1] + W_new[:, h:], W[:, unit : unit + 1]),
                (b_new[[unit]] + b_new[[h]], before.biases[layer][[unit]]),
            ]
            if split is along:
                sides += [(W_new[:, unit : unit + 1], W[:, unit : unit + 1] @ share)]
        if len(hidden) == 1:  # eq-split-gradient, written out
            passed = net.forward(X)
            slope = net.activation.derivative(passed.Z[0])[:, unit : unit + 1]
            sides.append((W_new[:, unit : unit + 1], X.T @ (((passed.O - Y) @ c.T) * slope)))
        far, there = split_net(a, net, layer, unit, row), Layer.of(anywhere, layer)
        doubled = Layer(*Layer.of(far, layer)[:2], there.V[[*range(h), unit], :]).into(net, layer)
        shifted = Layer(there.W, there.b + a.lift((np.arange(h + 1) == h).astype(int)), there.V).into(
            net, layer
        )
        controls = {
            "the second half has the outgoing weights of the first": (doubled(X), net(X)),
            "the second half has another bias": (shifted(X), net(X)),
            "not along a, the gradient of a part in proportion": (
                W_new[:, unit : unit + 1] @ row[:, :1],
                W[:, unit : unit + 1] @ c[:, :1],
            ),
        }
        return Checked(sides, controls)

    return evidence(compute, np.random.default_rng(rng.integers(2**31)))


def expanded(a, net: MLP, word, rng) -> MLP:
    """A random network of a word's affine subspace: unit p copies unit ``word[p]``, or is in a group."""
    W, b, V = Layer.of(net, 0)
    r, m, q = V.shape[0], len(word), V.shape[1]
    groups = max(0, *(u - r + 1 for u in word))
    if groups:
        free = random_network(a, (W.shape[0], groups, q), rng).parameters
        E, F = np.eye(r, r + groups), np.eye(groups, r + groups, r)
        W, b = W @ a.lift(E.astype(int)) + free.W1 @ a.lift(F.astype(int)), row(a, b, E) + row(a, free.b1, F)
    rows = a.lift(np.zeros((m, 1), int)) @ V[:1, :]
    for u in set(word):
        places = [p for p in range(m) if word[p] == u]
        rest = V[u : u + 1, :] if u < r else a.lift(np.zeros((1, q), int))
        for p in places[1:]:
            part = a.random((1, q), rng)
            rows, rest = rows + a.lift(np.eye(m, dtype=int)[:, p : p + 1]) @ part, rest - part
        rows = rows + a.lift(np.eye(m, dtype=int)[:, places[:1]]) @ rest
    word = list(word)
    return Layer(W[:, word], b[word], rows).into(net, 0)


def row(a, b, E):
    """b times a matrix of integers."""
    return (b[None, :] @ a.lift(E.astype(int)))[0]


def bell(u: int) -> int:
    """The partitions of u things into groups."""
    return 1 if u == 0 else sum(comb(u - 1, k) * bell(k) for k in range(u))


@claim("prop-simsek-counts", kind="proposition", title="The number of expansions")
def simsek_counts(rng):
    """Enumerations against G and T, the part with doubles only against the saddle count; random points."""
    r = int(rng.integers(2, 4))
    m = int(rng.integers(r + 2, 7 if r == 2 else 6))
    n = int(rng.integers(4, 7))
    d, q, samples = (int(v) for v in rng.integers(1, 4, 3))
    G, T = sum(1 for _ in critical_words(r, m)), sum(1 for _ in expansion_words(r, m))
    doubles = [sum(max(map(word.count, word)) <= 2 for word in critical_words(n - K, n)) for K in (1, 2)]
    small = [(2, 3), (2, 4), (3, 4)][int(rng.integers(3))]
    words = list(expansion_words(*small))
    words = [words[k] for k in rng.permutation(len(words))[:AT_MOST]]
    grouped = next(word for word in expansion_words(*small) if max(word) >= small[0])
    copied = next(word for word in critical_words(*small))

    def compute(a, rng):
        def numbers(*pair):
            return tuple(a.lift(np.array([v])) for v in pair)

        sides = [
            numbers(*pair)
            for pair in [
                (G, critical_subspace_count(r, m)),
                (T, expansion_count(r, m)),
                (doubles[0], saddle_count(n, 1)),
                (doubles[0], critical_subspace_count(n - 1, n)),
                (doubles[1], saddle_count(n, 2)),
                (T, sum(critical_subspace_count(r + j, m) // factorial(j) for j in range(m - r + 1))),
                (T, sum(comb(m, u) * critical_subspace_count(r, m - u) * bell(u) for u in range(m - r + 1))),
            ]
        ]
        net, X = random_network(a, (d, small[0], q), rng), a.random((samples, d), rng)
        sides += [(expanded(a, net, word, rng)(X), net(X)) for word in words]

        def wrong(word):
            W, b, V = Layer.of(expanded(a, net, word, rng), 0)
            unit = word.index(max(word))
            one = a.lift((np.arange(len(word)) == unit)[:, None].astype(int))
            return Layer(W, b, V + one @ a.random((1, q), rng)).into(net, 0)

        controls = {
            "G without asking that each unit is copied": numbers(G, r**m),
            "T without the groups": numbers(T, G),
            "T with groups that have numbers": numbers(
                T, sum(critical_subspace_count(r + j, m) for j in range(m - r + 1))
            ),
            "K = 2, doubles only, against G": numbers(doubles[1], critical_subspace_count(n - 2, n)),
            "outgoing weights of copies not shared out": (wrong(copied)(X), net(X)),
            "outgoing weights of a group do not add up to 0": (wrong(grouped)(X), net(X)),
        }
        return Checked(sides, controls)

    return evidence(compute, np.random.default_rng(rng.integers(2**31)))
