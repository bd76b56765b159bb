"""The arithmetics a statement is checked in: float64 with rounding bounds, the rationals, the integers mod p.

Each makes random arrays, has an element-wise sigma with a sigma', and measures the distance of two
arrays. A check is written once against this interface.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ..activations import get_activation
from ..modular import PRIME, ModArray, random_activation, random_residues
from ..rounding import Ball, on_balls
from .evidence import Comparison


class Float64:
    """float64 numbers that carry their rounding bound (:class:`permsym_book.rounding.Ball`)."""

    ring = None

    def __init__(self, rng, activation="tanh"):
        self.activation = on_balls(get_activation(activation))

    def random(self, shape, rng):
        """Standard normal numbers."""
        return Ball(rng.standard_normal(shape))

    def lift(self, integers):
        """An integer array in this arithmetic."""
        return Ball(np.asarray(integers, dtype=np.float64))

    def number(self, value: Fraction):
        """A number such as a step size."""
        return float(value)

    def compare(self, left, right) -> Comparison:
        return Comparison(*left.residual(right))


def nonzero_float(value) -> float:
    """A non-negative exact number as a float that is 0 only where the number is, however small or large it
    is.

    >>> nonzero_float(Fraction(0)), nonzero_float(Fraction(1, 10**400)) > 0, nonzero_float(10**400)
    (0.0, True, inf)
    """
    try:
        rounded = float(value)
    except OverflowError:
        return float("inf")
    return rounded if rounded or not value else float(np.finfo(float).tiny)


class _ExactArithmetic:
    def compare(self, left, right) -> Comparison:
        """The largest absolute difference, against the bound 0."""
        if left.shape != right.shape:
            raise ValueError(f"right has shape {right.shape}; {left.shape} is required")
        difference = np.atleast_1d(self._plain(left - right))
        return Comparison(nonzero_float(max(abs(v) for v in difference.flat)), 0.0)


class Rationals(_ExactArithmetic):
    """Fractions in object arrays, with a polynomial or piecewise linear sigma."""

    ring = "Q"

    def __init__(self, rng, activation="square"):
        self.activation = get_activation(activation)

    def random(self, shape, rng):
        """Fractions +-a/b with 1 <= a <= 9 and 1 <= b <= 7."""
        tops, bottoms = rng.integers(1, 10, shape) * rng.choice([-1, 1], shape), rng.integers(1, 8, shape)
        return np.array([Fraction(int(a), int(b)) for a, b in zip(tops.flat, bottoms.flat, strict=True)],
                        dtype=object).reshape(shape)

    def lift(self, integers):
        integers = np.asarray(integers)
        return np.array([Fraction(int(v)) for v in integers.flat], dtype=object).reshape(integers.shape)

    def number(self, value: Fraction):
        return value

    @staticmethod
    def _plain(array):
        return array


class IntegersModP(_ExactArithmetic):
    """Residues mod p; sigma and sigma' are two independent random tables, related to each other in no way."""

    ring = f"Z/{PRIME}"

    def __init__(self, rng):
        self.activation = random_activation(rng)

    def random(self, shape, rng):
        return random_residues(shape, rng)

    def lift(self, integers):
        return ModArray(np.asarray(integers))

    def number(self, value: Fraction):
        return value.numerator * pow(value.denominator, -1, PRIME) % PRIME

    @staticmethod
    def _plain(array):
        return array.centred()


EXACT = (Rationals, IntegersModP)
EXACT_RINGS = f"{Rationals.ring} and {IntegersModP.ring}"
