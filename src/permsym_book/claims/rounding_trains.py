"""Checks of the page "The 1e-17 that trains a network"."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from .assemble import Checked, evidence
from .identical_units import GROUP, symmetric_network
from .registry import claim

LENGTH = Fraction(1, 4)


def opposite(params, i, k):
    """``params`` minus its copy with i and k exchanged: it moves i and k oppositely, and nothing else."""
    return params - params.permuted(_swap(params.hidden_widths[0], i, k))


@claim("prop-even-across-symmetry", kind="proposition", title="Across the symmetric set the loss is even")
def even_across_symmetry(rng):
    """O and so L agree at theta + v and theta - v if v_pi = -v for the swap pi of two identical units."""
    n, d, q = (int(v) for v in rng.integers(1, 5, 3))
    h = int(rng.integers(4, 7))
    i, k = GROUP[:2]

    def compute(a, rng):
        net, _ = symmetric_network(a, (d, h, q), rng)
        X, Y, p = a.random((n, d), rng), a.random((n, q), rng), net.parameters
        drawn = p.map(lambda A: a.random(A.shape, rng) * a.number(LENGTH))
        v = opposite(drawn, i, k)

        def outputs(params, v):
            return net.with_parameters(params + v)(X), net.with_parameters(params - v)(X)

        def losses(pair):
            return tuple(((O - Y) * (O - Y)).sum(axis=-1) for O in pair)

        def slopes(v):
            """The entries' products with the gradient, added up for each unit, and for it and its
            counterpart."""
            _, g = net.loss_and_gradients(X, Y)
            own = (g.W1 * v.W1).sum(axis=-2) + g.b1 * v.b1 + (g.W2 * v.W2).sum(axis=-1)
            return own + own[_swap(h, i, k)]

        even = outputs(p, v)
        free = net.with_parameters(p + opposite(p.map(lambda A: a.random(A.shape, rng)), i, k)).parameters
        zero = slopes(v - v)
        sides = [even, losses(even), (slopes(v), zero)]
        controls = {
            "a direction that moves both units alike": outputs(p, drawn + drawn.permuted(_swap(h, i, k))),
            "units that are not identical": outputs(free, v),
            "the slope along a direction that is not opposite": (slopes(drawn), zero),
        }
        return Checked(sides, controls)

    return evidence(compute, np.random.default_rng(rng.integers(2**31)))


def _swap(h, i, k):
    swap = np.arange(h)
    swap[[i, k]] = swap[[k, i]]
    return swap
