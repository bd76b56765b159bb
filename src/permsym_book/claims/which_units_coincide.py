"""Checks of the page "Which units must coincide"."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ..mlp import MLP, identical_units
from ..parameters import Parameters
from ..permutation import Permutation
from ..training import sgd, sgd_step
from .assemble import Checked, evidence
from .registry import claim
from .settings import random_network

ALPHA = Fraction(1, 128)
STEPS = 2
# of the five units of the first and of the second hidden layer
BLOCKS = (((0, 2, 3), (1, 4)), ((1, 3), (0, 2, 4)))


def grouped(net: MLP, blocks) -> MLP:
    """A copy of ``net`` in which the units of each block equal its first: ``blocks[l]`` are those of hidden
    layer l."""
    for layer, parts in enumerate(blocks):
        for part in parts:
            net = identical_units(net, layer, part)
    return net


def generators(blocks, widths):
    """For each block the cycle of its units, and the swap of its first two: they generate all its
    arrangements."""
    for layer, parts in enumerate(blocks):
        for part in parts:
            for cycle in {part, part[:2]}:
                perms = [Permutation.identity(h) for h in widths]
                perms[layer] = Permutation.from_cycles([cycle], n=widths[layer])
                yield perms


@claim("prop-partition-stabilizer", kind="proposition", title="A partition into identical units is kept")
def partition_stabilizer(rng):
    """Every arrangement within the blocks of each hidden layer fixes theta(t) if it fixes theta(0)."""
    d, q, n = (int(v) for v in rng.integers(1, 4, 3))
    widths = (5, 5)

    def compute(a, rng):
        net = grouped(random_network(a, (d, *widths, q), rng), BLOCKS)
        batches = [(a.random((n, d), rng), a.random((n, q), rng)) for _ in range(STEPS)]
        seen = []
        sgd(net, batches, a.number(ALPHA), callback=lambda t, net: seen.append(net.parameters))
        sides = [pair for p in seen for perms in generators(BLOCKS, widths)
                 for pair in zip(p.permuted(perms).arrays(), p.arrays(), strict=True)]

        free, p = random_network(a, (d, *widths, q), rng).parameters, net.parameters

        def after(weights, biases):
            return sgd(net.with_parameters(Parameters(weights, biases)), batches,
                       a.number(ALPHA)).parameters.W1

        incoming = after([p.W1, free.W2, free.W3], [p.b1, free.b2, free.b3])
        outgoing = after([free.W1, p.W2, p.W3], [free.b1, p.b2, p.b3])
        end = seen[-1].W1
        controls = {
            "units 0 and 1, which are in different blocks": (end[:, :1], end[:, 1:2]),
            "equal incoming weights only": (incoming[:, :1], incoming[:, 2:3]),
            "equal outgoing weights only": (outgoing[:, :1], outgoing[:, 2:3]),
        }
        return Checked(sides, controls)

    return evidence(compute, np.random.default_rng(rng.integers(2**31)))


@claim("prop-group-as-one-unit", kind="proposition", title="A group trains as one unit")
def group_as_one_unit(rng):
    """The network with one unit per block computes the same and follows, with step sizes alpha / m and alpha
    m."""
    d, q, n = (int(v) for v in rng.integers(1, 4, 3))
    blocks, firsts, sizes = ((0, 2, 3), (1, 4), (5,)), [0, 1, 5], np.array([3, 2, 1])

    def compute(a, rng):
        net = grouped(random_network(a, (d, 6, q), rng), (blocks,))
        alpha = a.number(ALPHA)
        row, column = a.lift(sizes), a.lift(sizes[:, None])

        def small(net):
            p = net.parameters
            return net.with_parameters(Parameters([p.W1[:, firsts], p.W2[firsts, :] * column],
                                                  [p.b1[firsts], p.b2]))

        sides = []
        for _ in range(STEPS):
            X, Y = a.random((n, d), rng), a.random((n, q), rng)
            before, net = net, sgd_step(net, X, Y, alpha)
            old, new = small(before).parameters, small(net).parameters
            _, g = small(before).loss_and_gradients(X, Y)
            sides += [(before(X), small(before)(X)),
                      ((new.W1 - old.W1) * row, -(g.W1 * alpha)), ((new.b1 - old.b1) * row, -(g.b1 * alpha)),
                      (new.W2 - old.W2, -((g.W2 * column) * alpha)), (new.b2 - old.b2, -(g.b2 * alpha))]
        controls = {
            "the same step size for incoming weights": (new.W1 - old.W1, -(g.W1 * alpha)),
            "the same step size for outgoing weights": (new.W2 - old.W2, -(g.W2 * alpha)),
        }
        p = net.parameters
        single = net.with_parameters(Parameters([p.W1[:, firsts], p.W2[firsts, :]], [p.b1[firsts], p.b2]))
        controls["outgoing weights not added up"] = (net(X), single(X))
        return Checked(sides, controls)

    return evidence(compute, np.random.default_rng(rng.integers(2**31)))
