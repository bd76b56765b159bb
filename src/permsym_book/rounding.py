"""Rounding bounds derived from the data: arrays that carry a bound on their own error.

A :class:`Ball` holds a computed array and, for each entry, a radius within which the exact result lies. The
rules are Higham's (Accuracy and Stability of Numerical Algorithms, 2nd ed., section 3.5):
a sum of k products computed in any order errs by at most ``gamma_k |A| |B|`` with ``gamma_k = k u / (1 - k
u)``. They hold for every order of summation and with fused multiply-adds, so they hold for every BLAS.

Two Balls that enclose the same exact array can differ by at most the sum of their radii. That is the bound
which every float64 check of the book is compared with.
"""

from __future__ import annotations

import numpy as np

from .activations import Activation
from .validation import as_array

UNIT_ROUNDOFF = 2.0**-53
SMALLEST = np.finfo(np.float64).tiny  # absorbs underflow
# of a library function, relative to max(1, |value|); tests/test_rounding.py
FUNCTION_ERROR = 32 * UNIT_ROUNDOFF
INFLATION = 1 + 2.0**-20  # the radii are computed in floating point themselves


def gamma(k: int) -> float:
    """Higham's gamma_k = k u / (1 - k u) in float64.

    >>> gamma(1) > 2.0**-53
    True
    """
    if k * UNIT_ROUNDOFF >= 1:
        raise ValueError(f"k is {k}; k u < 1 is required")
    return k * UNIT_ROUNDOFF / (1 - k * UNIT_ROUNDOFF)


class Ball:
    """A float64 array with a bound on the distance of each entry from the exact result.

    Parameters
    ----------
    value : array_like of float64
    radius : array_like, same shape, optional
        Zero when left out: the numbers as they stand are the exact ones. Numbers that float64 does not hold,
        such as Fraction(1, 3), are rounded and enclosed.

    Raises
    ------
    ValueError
        If the radius has another shape, or a negative entry.

    Examples
    --------
    >>> A = Ball([[0.1, 0.2]]) @ Ball([[0.3], [0.4]])
    >>> A.value.shape, bool(A.radius[0, 0] < 1e-16)
    ((1, 1), True)
    """

    is_number_array = True
    __array_ufunc__ = None
    __hash__ = None
    dtype = "float64 with bounds"

    def __init__(self, value, radius=None):
        given = as_array("value", value)
        self.value = np.array(given, dtype=np.float64)
        if radius is None:
            exact = given.dtype.kind == "f" and given.dtype.itemsize <= 8
            exact = exact or not np.any(self.value.astype(object) != given.astype(object))
            self.radius = np.zeros_like(self.value) if exact else gamma(1) * abs(self.value) + SMALLEST
        else:
            self.radius = np.array(np.asarray(radius, dtype=np.float64) * INFLATION)
        if self.radius.shape != self.value.shape or (self.radius < 0).any():
            raise ValueError(f"radius has shape {self.radius.shape} and least entry {self.radius.min()};"
                             f" shape {self.value.shape} and no entry below 0 are required")
        self.value.flags.writeable = self.radius.flags.writeable = False

    shape = property(lambda self: self.value.shape)
    ndim = property(lambda self: self.value.ndim)
    T = property(lambda self: self.swapaxes(-1, -2))

    def swapaxes(self, a, b) -> Ball:
        return self._rearranged(self.value.swapaxes(a, b), self.radius.swapaxes(a, b))

    def __getitem__(self, key) -> Ball:
        return self._rearranged(self.value[key], self.radius[key])

    @staticmethod
    def _rearranged(value, radius) -> Ball:
        ball = object.__new__(Ball)
        ball.value, ball.radius = value, radius
        return ball

    def _rounded(self, value, propagated) -> Ball:
        return Ball(value, propagated + gamma(1) * abs(value) + SMALLEST)

    def __add__(self, other):
        other = _ball(other)
        return self._rounded(self.value + other.value, self.radius + other.radius)

    def __sub__(self, other):
        other = _ball(other)
        return self._rounded(self.value - other.value, self.radius + other.radius)

    def __mul__(self, other):
        other = _ball(other)
        a, b = abs(self.value), abs(other.value)
        return self._rounded(self.value * other.value,
                             a * other.radius + self.radius * b + self.radius * other.radius)

    def __matmul__(self, other):
        other = _ball(other)
        a, b = abs(self.value), abs(other.value)
        k = self.value.shape[-1]
        products = a @ b
        propagated = a @ other.radius + self.radius @ b + self.radius @ other.radius
        return Ball(self.value @ other.value, gamma(k) * products + propagated + k * SMALLEST)

    __radd__, __rmul__ = __add__, __mul__

    def __rsub__(self, other):
        return _ball(other) - self

    def __rmatmul__(self, other):
        return _ball(other) @ self

    def __neg__(self):
        return self._rearranged(-self.value, self.radius)

    def sum(self, axis) -> Ball:
        """Sum along one axis, in any order."""
        k = self.value.shape[axis]
        return Ball(self.value.sum(axis),
                    gamma(k) * abs(self.value).sum(axis) + self.radius.sum(axis) + SMALLEST)

    def half(self) -> Ball:
        return Ball(self.value * 0.5, self.radius * 0.5 + SMALLEST)

    def residual(self, other: Ball) -> tuple[float, float]:
        """The distance of two enclosures of one exact array, and the bound on it.

        Returns
        -------
        (residual, bound) : floats
            ``|self - other|`` and ``radius + radius`` at the entry where their ratio is largest; where all
            entries agree, 0 and the largest bound.
        """
        other = _ball(other)
        if self.shape != other.shape:
            raise ValueError(f"other has shape {other.shape}; {self.shape} is required")
        distance = np.atleast_1d(abs(self.value - other.value)).ravel()
        bound = np.atleast_1d(self.radius + other.radius).ravel()
        if np.isnan(distance).any() or not np.isfinite(bound).all():  # nothing was enclosed
            return float("nan"), float(bound.max())
        if not distance.any():
            return 0.0, float(bound.max())
        with np.errstate(over="ignore"):  # a distance where no rounding is allowed at all
            worst = np.argmax(distance / np.maximum(bound, SMALLEST))
        return float(distance[worst]), float(bound[worst])

    def __repr__(self) -> str:
        return f"Ball(shape={self.shape}, largest radius={self.radius.max():.1e})"


def _ball(array) -> Ball:
    return array if isinstance(array, Ball) else Ball(array)


def on_balls(activation: Activation) -> Activation:
    """The activation and its derivative acting on Balls.

    The mean value theorem turns a radius r at z into L r, L the largest slope on ``[-|z|-r, |z|+r]``. Where
    the derivative jumps at a kink inside the ball, the jump (at most 1 for every activation here) is added.
    """
    def function(Z: Ball) -> Ball:
        value = activation.function(Z.value)
        return Ball(value, activation.lipschitz(abs(Z.value) + Z.radius) * Z.radius + _function_error(value))

    def derivative(Z: Ball) -> Ball:
        value = activation.derivative(Z.value)
        radius = activation.derivative_lipschitz(abs(Z.value) + Z.radius) * Z.radius + _function_error(value)
        for kink in activation.kinks:
            radius = radius + ((abs(Z.value - kink) <= Z.radius) & (Z.radius > 0))
        return Ball(value, radius)

    return Activation(activation.name, function, derivative, activation.exact, None, None,
                      arithmetic=Ball.dtype)


def _function_error(value):
    return FUNCTION_ERROR * np.maximum(1, abs(value)) + SMALLEST
