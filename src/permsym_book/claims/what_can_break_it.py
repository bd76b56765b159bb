"""Checks of the page "What can break it"."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np

from .. import formulas
from ..mlp import MLP
from ..parameters import Parameters
from ..training import sgd
from .assemble import Checked, evidence
from .identical_units import GROUP, STEPS, symmetric_network
from .registry import claim

ALPHA = Fraction(1, 128)


@claim("prop-noise-does-not-break", kind="proposition", title="Batch noise and augmentation do not break it",
       proof="proofs/training.v#noise_does_not_break")
def noise_does_not_break(rng):
    """Whatever batches and transformed inputs are drawn, identical units stay identical."""
    d, q = (int(v) for v in rng.integers(2, 5, 2))
    h, data = int(rng.integers(4, 7)), 6

    def compute(a, rng):
        net, perm = symmetric_network(a, (d, h, q), rng)
        alpha = a.number(ALPHA)
        X, Y = a.random((data, d), rng), a.random((data, q), rng)
        batches = []
        # a random subset in random order, features flipped, inputs and labels jittered
        for _ in range(STEPS):
            rows = rng.permutation(data)[:int(rng.integers(1, data + 1))]
            flip = a.lift(np.eye(d, dtype=int)[::-1]) if rng.random() < 0.5 else a.lift(np.eye(d, dtype=int))
            batches.append((X[rows] @ flip + a.random((len(rows), d), rng),
                            Y[rows] + a.random((len(rows), q), rng)))
        seen = []
        sgd(net, batches, alpha, callback=lambda t, net: seen.append(net.parameters))
        sides = [pair for p in seen for pair in zip(p.permuted(perm).arrays(), p.arrays(), strict=True)]
        noisy = seen[-1].map(lambda A: A + a.random(A.shape, rng))
        per_weight = seen[-1].map(lambda A: A * a.random(A.shape, rng))
        controls = {
            "independent noise on each weight": (noisy.permuted(perm).W1, noisy.W1),
            "a step size for each weight": (per_weight.permuted(perm).W1, per_weight.W1),
            "against the start: training did move the units": (seen[-1].W1, seen[0].W1),
        }
        return Checked(sides, controls)

    return evidence(compute, np.random.default_rng(rng.integers(2**31)))


def dropout_step(net, X, Y, mask, alpha) -> MLP:
    """One SGD step under a dropout mask (n, h) that is multiplied into H; 1/keep is already in it."""
    p = net.parameters
    passed = formulas.forward(p.weights, p.biases, [net.activation.function], X, [mask])
    gradients = formulas.backward(p.weights, p.biases, [net.activation.derivative], X, passed, passed.O - Y,
                                  [mask])
    return net.with_parameters(p - Parameters(*gradients) * alpha)


def predicted_gap(net, X, Y, mask, alpha, i, k):
    """-alpha X^T [(m_i - m_k) * s] and -alpha ((m_i - m_k) * eta)^T delta_O: eq-dropout-gap, for identical i,
    k."""
    p, sigma, dsigma = net.parameters, net.activation.function, net.activation.derivative
    Z = X @ p.W1 + p.b1
    delta_O = (sigma(Z) * mask) @ p.W2 + p.b2 - Y
    difference = mask[:, i:i + 1] - mask[:, k:k + 1]
    s = (delta_O @ p.W2[i:i + 1, :].T) * dsigma(Z[:, i:i + 1])
    eta = sigma(Z[:, i:i + 1])
    return -((X.T @ (difference * s)) * alpha), -(((difference * eta).T @ delta_O) * alpha)


@claim("prop-dropout-breaks", kind="proposition", title="Dropout breaks it along a path, not in law",
       proof="proofs/what_can_break_it.v#dropout_breaks")
def dropout_breaks(rng):
    """The gap that one step under per-unit masks opens; it is 0 on average over the masks."""
    d, q = (int(v) for v in rng.integers(1, 4, 2))
    n, h = int(rng.integers(2, 4)), int(rng.integers(4, 6))
    i, k = GROUP[0], GROUP[1]
    mask = 2 * rng.integers(0, 2, (n, h))  # keep probability 1/2: kept activations are doubled
    mask[0, i], mask[0, k] = 2, 0

    def compute(a, rng):
        net, _ = symmetric_network(a, (d, h, q), rng)
        X, Y, alpha = a.random((n, d), rng), a.random((n, q), rng), a.number(ALPHA)

        def gaps(integers):
            p = dropout_step(net, X, Y, a.lift(integers), alpha).parameters
            return p.W1[:, i:i + 1] - p.W1[:, k:k + 1], p.W2[i:i + 1, :] - p.W2[k:k + 1, :]

        shared = mask.copy()
        shared[:, k] = shared[:, i]
        nothing = [A - A for A in gaps(shared)]
        incoming, outgoing = gaps(mask)
        formula = predicted_gap(net, X, Y, a.lift(mask), alpha, i, k)
        totals = nothing
        for values in product((0, 2), repeat=2 * n):  # all masks of the two units, the other units' fixed
            varied = mask.copy()
            varied[:, [i, k]] = np.reshape(values, (n, 2))
            totals = [total + gap for total, gap in zip(totals, gaps(varied), strict=True)]
        sides = [(incoming, formula[0]), (outgoing, formula[1]),
                 *zip(gaps(shared), nothing, strict=True), *zip(totals, nothing, strict=True)]
        controls = {
            "incoming weights, a mask for each unit: gap against 0": (incoming, nothing[0]),
            "outgoing weights, a mask for each unit: gap against 0": (outgoing, nothing[1]),
        }
        return Checked(sides, controls)

    return evidence(compute, np.random.default_rng(rng.integers(2**31)), activation="sigmoid")
