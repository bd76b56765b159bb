"""Checks of the page "Noise that cannot break it, noise that can"."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from .assemble import Checked, evidence
from .identical_units import symmetric_network
from .registry import claim
from .settings import random_setting
from .what_can_break_it import dropout_step

ALPHA = Fraction(1, 128)
STEPS = 2


def noisy_step(net, X, Y, mask, noise, alpha):
    """One SGD step under a mask (n, h) on the activations and a noise, Parameters, added to the gradients."""
    return net.with_parameters(dropout_step(net, X, Y, mask, alpha).parameters - noise * alpha)


def unit_blind(a, params, rng):
    """Noise of the shape of ``params`` in which all hidden units have the same numbers."""
    def repeated(A, axes):
        small = tuple(1 if axis in axes else size for axis, size in enumerate(A.shape))
        drawn = a.random(small, rng)
        for axis in axes:
            drawn = drawn[tuple(np.zeros(A.shape[axis], dtype=int) if k == axis else slice(None)
                                for k in range(len(small)))]
        return drawn
    weights = [repeated(params.W1, (1,)), repeated(params.W2, (0,))]
    return type(params)(weights, [repeated(params.b1, (0,)), a.random(params.b2.shape, rng)])


@claim("prop-unit-blind-noise", kind="proposition", title="Noise that is blind to the units cannot break it")
def unit_blind_noise(rng):
    """theta'(t) = theta(t)_pi when the draws are relabelled too; where that leaves the draws as they are,
    Stab is kept."""
    seed, h = int(rng.integers(2**31)), int(rng.integers(4, 6))
    d, q, n = (int(v) for v in rng.integers(1, 4, 3))

    def compute(a, rng):
        alpha = a.number(ALPHA)
        fixed = np.random.default_rng(seed)

        def draws(params, n, blind):
            columns = 1 if blind else params.widths[1]
            masks = [a.lift(2 * fixed.integers(0, 2, (n, columns)) * np.ones(params.widths[1], dtype=int))
                     for _ in range(STEPS)]
            noises = [unit_blind(a, params, rng) if blind else params.map(lambda A: a.random(A.shape, rng))
                      for _ in range(STEPS)]
            return list(zip(masks, noises, strict=True))

        def course(net, batches, drawn):
            seen = [net.parameters]
            for (X, Y), (mask, noise) in zip(batches, drawn, strict=True):
                net = noisy_step(net, X, Y, mask, noise, alpha)
                seen.append(net.parameters)
            return seen

        # Any draws: the twin under relabelled draws.
        s = random_setting(a, fixed, largest=3)
        batches = [(a.random(s.X.shape, rng), a.random(s.Y.shape, rng)) for _ in range(STEPS)]
        drawn = draws(s.net.parameters, len(s.X.value) if hasattr(s.X, "value") else s.X.shape[0], False)
        relabelled = [(mask[:, s.perm.indices], noise.permuted(s.perm)) for mask, noise in drawn]
        here = course(s.net, batches, drawn)
        sides = [pair for x, y in zip(course(s.net.permuted(s.perm), batches, relabelled), here, strict=True)
                 for pair in zip(x.arrays(), y.permuted(s.perm).arrays(), strict=True)]

        # Blind draws: what starts identical stays identical.
        net, cycle = symmetric_network(a, (d, h, q), rng)
        own = [(a.random((n, d), rng), a.random((n, q), rng)) for _ in range(STEPS)]
        blind = course(net, own, draws(net.parameters, n, True))
        sides += [pair for x in blind for pair in zip(x.permuted(cycle).arrays(), x.arrays(), strict=True)]

        own_noise = [(mask, net.parameters.map(lambda A: a.random(A.shape, rng)))
                     for mask, _ in draws(net.parameters, n, True)]
        separate = course(net, own, own_noise)[1]
        unrelabelled = course(s.net.permuted(s.perm), batches, drawn)[1]
        controls = {
            "the twin with draws not relabelled": (unrelabelled.W1, here[1].permuted(s.perm).W1),
            "identical units, noise on each weight": (separate.permuted(cycle).W1, separate.W1),
        }
        return Checked(sides, controls)

    return evidence(compute, np.random.default_rng(rng.integers(2**31)))
