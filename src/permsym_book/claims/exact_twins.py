"""Checks of the page "Exact twins"."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ..fixed_point import ONE, FixedArray, fixed_activation
from ..training import sgd
from .arithmetics import IntegersModP
from .assemble import Checked, evidence
from .evidence import Comparison
from .registry import claim
from .settings import one_way_permutation, random_setting

ALPHA = Fraction(1, 64)
EXACT_STEPS, FLOAT_STEPS = 30, 3


class FixedPoint:
    """int64 fixed point as an arithmetic of the checks: every product is rounded, no sum is."""

    ring = "int64 fixed point"

    def __init__(self, rng):
        self.activation = fixed_activation("tanh")

    def random(self, shape, rng):
        """Numbers k / 4096 between -1 and 1."""
        return FixedArray(rng.integers(-ONE, ONE + 1, shape))

    def lift(self, integers):
        return FixedArray(np.asarray(integers) * ONE)

    def number(self, value: Fraction):
        return value

    def compare(self, left, right) -> Comparison:
        return Comparison(float(abs(np.asarray(left.values - right.values)).max() / ONE), 0.0)


@claim("prop-exact-twins", kind="proposition", title="Exact sums make exact twins")
def exact_twins(rng):
    """theta'(t) = theta(t)_pi without any distance, in int64 fixed point with rounded products and modulo
    p."""
    seed = int(rng.integers(2**31))

    def compute(a, rng):
        s = random_setting(a, np.random.default_rng(seed), largest=4)
        steps = FLOAT_STEPS if a.ring is None else EXACT_STEPS
        batches, alpha = [(s.X, s.Y)] * steps, a.number(ALPHA)
        here, there = [], []
        sgd(s.net, batches, alpha, callback=lambda t, net: here.append(net.parameters))
        sgd(s.net.permuted(s.perm), batches, alpha, callback=lambda t, net: there.append(net.parameters))
        sides = [pair for x, y in zip(there, here, strict=True)
                 for pair in zip(x.arrays(), y.permuted(s.perm).arrays(), strict=True)]

        place = next(j for j, unit in enumerate(s.perm) if j != unit)

        def one_counted_twice(params):
            """The outputs' sum over the units, with the unit in one place counted twice."""
            H = s.net.with_parameters(params).forward(s.X).H[0]
            return H @ params.W2 + H[:, place:place + 1] @ params.W2[place:place + 1, :]

        wrong = one_way_permutation(len(s.perm), np.random.default_rng(seed + 1))
        while wrong == s.perm:
            wrong = s.perm.inverse()
        controls = {
            "a sum over the units that depends on their order": (one_counted_twice(there[0]),
                                                                 one_counted_twice(here[0])),
            "related by another permutation": (there[-1].W1, here[-1].permuted(wrong).W1),
            "against the start: the training moved": (there[-1].W1, there[0].W1),
        }
        return Checked(sides, controls)

    kinds = (FixedPoint, IntegersModP)
    return evidence(compute, np.random.default_rng(rng.integers(2**31)), exact=kinds,
                    ring=" and ".join(kind.ring for kind in kinds))
