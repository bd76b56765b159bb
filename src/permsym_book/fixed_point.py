"""int64 fixed point: numbers k / 4096, sums without rounding, products rounded down one by one.

Each product is shifted before it is added, so that a sum of products does not depend on its order. Training
in it is exactly equivariant although every product is rounded.
"""

from __future__ import annotations

from fractions import Fraction
from numbers import Rational, Real

import numpy as np

from .activations import LEAK, Activation, get_activation

FRACTION_BITS = 12
ONE = 1 << FRACTION_BITS
_LIMIT = 1 << 30  # two numbers below it have a product inside int64
_TABLE_END = 16  # tanh and sigmoid are constant beyond, to 12 bits


class FixedArray:
    """An array of numbers k / 4096 with ``+ - * @``, comparisons, slices, ``sum`` and ``swapaxes``.

    Parameters
    ----------
    values : array of int64
        The numerators k.

    Raises
    ------
    TypeError
        If the values are not integers.
    OverflowError
        From ``*`` and ``@``, if a number reaches 2^18, beyond which a product may leave int64.

    Examples
    --------
    >>> A = FixedArray.from_floats([[0.5, -1.25]])
    >>> A * A
    FixedArray([[0.25 , 1.5625]])
    >>> float((A @ A.swapaxes(-1, -2)).sum())
    1.8125
    """

    is_number_array = True
    __array_ufunc__ = None
    __hash__ = None
    dtype = f"int64 fixed point, {FRACTION_BITS} fractional bits"

    def __init__(self, values):
        values = np.asarray(values)
        if values.dtype.kind not in "iu":
            raise TypeError(f"values has dtype {values.dtype}; integers, the numerators over {ONE}, are"
                            " required")
        self.values = values.astype(np.int64)

    @classmethod
    def _made(cls, values) -> FixedArray:
        made = object.__new__(cls)
        made.values = values
        return made

    @classmethod
    def from_floats(cls, values) -> FixedArray:
        """The nearest numbers k / 4096."""
        if isinstance(values, cls):
            return values
        return cls(np.rint(np.asarray(values, dtype=float) * ONE).astype(np.int64))

    shape = property(lambda self: self.values.shape)
    ndim = property(lambda self: self.values.ndim)
    T = property(lambda self: self.swapaxes(-1, -2))

    def swapaxes(self, a, b) -> FixedArray:
        return self._made(self.values.swapaxes(a, b))

    def sum(self, axis=None) -> FixedArray:
        return self._made(np.asarray(self.values.sum(axis=axis)))

    def half(self) -> FixedArray:
        """Half of each entry, rounded down."""
        return self._made(self.values >> 1)

    def floats(self) -> np.ndarray:
        """The entries as float64, without rounding below 2^41."""
        return self.values / ONE

    centred = floats

    def __float__(self):
        return float(self.floats())

    def __array__(self, dtype=None, copy=None):
        return self.floats().astype(dtype or np.float64)

    @staticmethod
    def _numerators(other):
        if isinstance(other, FixedArray):
            return other.values
        if isinstance(other, Rational):
            return int(Fraction(other) * ONE // 1)
        if isinstance(other, Real):
            return int(np.floor(float(other) * ONE))
        raise TypeError(f"other is of type {type(other).__name__}; a FixedArray or a number is required")

    def __add__(self, other):
        return self._made(self.values + self._numerators(other))

    def __sub__(self, other):
        return self._made(self.values - self._numerators(other))

    def __rsub__(self, other):
        return self._made(self._numerators(other) - self.values)

    def __mul__(self, other):
        a, b = self.values, self._numerators(other)
        _check_products(a, b)
        return self._made((a * b) >> FRACTION_BITS)

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self):
        return self._made(-self.values)

    def __matmul__(self, other):
        A, B = self.values, self._numerators(other)
        _check_products(A, B)
        products = A[..., :, :, None] * B[..., None, :, :]
        products >>= FRACTION_BITS
        return self._made(products.sum(axis=-2))

    def __eq__(self, other):
        return self.values == self._numerators(other)

    def __gt__(self, other):
        return self.values > self._numerators(other)

    def __lt__(self, other):
        return self.values < self._numerators(other)

    def __abs__(self):
        return self._made(abs(self.values))

    def max(self):
        """The largest entry, a float."""
        return float(self.values.max() / ONE)

    def __getitem__(self, key) -> FixedArray:
        return self._made(np.asarray(self.values[key]))

    def __repr__(self):
        return f"FixedArray({np.array2string(self.floats(), separator=', ', prefix='FixedArray(')})"


def _largest(a) -> int:
    return abs(a) if isinstance(a, int) else max(int(a.max()), -int(a.min()))


def _check_products(a, b) -> None:
    if _largest(a) >= _LIMIT or _largest(b) >= _LIMIT:
        raise OverflowError(f"a number reaches {_LIMIT // ONE} in fixed point, where products may leave"
                            " int64; a smaller step size keeps the training from diverging")


def fixed_activation(activation: str | Activation) -> Activation:
    """An activation and its derivative in fixed point.

    Piecewise linear and polynomial ones are computed; tanh and sigmoid are read from a table of the nearest
    numbers k / 4096.

    Raises
    ------
    ValueError
        For an activation that is neither.
    """
    if isinstance(activation, Activation) and activation.arithmetic == FixedArray.dtype:
        return activation
    name = get_activation(activation).name
    if name not in _FIXED:
        raise ValueError(f"activation is {name!r}; one of {', '.join(_FIXED)} is required in fixed point")
    function, derivative = _FIXED[name]
    return Activation(name, function, derivative, True, None, None, arithmetic=FixedArray.dtype)



def _on_values(function):
    return lambda Z: FixedArray._made(function(Z.values))


def _table(function):
    """Entries for z = -16, -16 + 1/4096, ..., 16; beyond, the ends hold."""
    z = np.arange(-_TABLE_END * ONE, _TABLE_END * ONE + 1)
    entries = np.rint(function(z / ONE) * ONE).astype(np.int64)
    return _on_values(lambda k: entries[np.clip(k, z[0], z[-1]) - z[0]])


_leak = int(LEAK * ONE)
_FIXED = {
    "identity": (lambda Z: Z, _on_values(lambda k: np.full_like(k, ONE))),
    "relu": (_on_values(lambda k: np.maximum(k, 0)), _on_values(lambda k: np.where(k > 0, ONE, 0))),
    "leaky_relu": (_on_values(lambda k: np.maximum(k, 0) + (np.minimum(k, 0) * _leak >> FRACTION_BITS)),
                   _on_values(lambda k: np.where(k > 0, ONE, _leak))),
    "square": (lambda Z: Z * Z, lambda Z: Z + Z),
    "hardtanh": (_on_values(lambda k: np.clip(k, -ONE, ONE)),
                 _on_values(lambda k: np.where(abs(k) < ONE, ONE, 0))),
    **{name: (_table(get_activation(name).function), _table(get_activation(name).derivative))
       for name in ("tanh", "sigmoid")},
}
