"""Arrays of integers modulo a prime, with arbitrary functions as lookup tables.

The theorems hold over any commutative ring and for any element-wise function, so they can be checked here
without rounding, over as many steps as one likes, with sigma and sigma' drawn at random.
"""

from __future__ import annotations

from numbers import Integral

import numpy as np

from .activations import Activation
from .validation import as_array, checked_count, checked_rng

PRIME = 65537  # small enough that a product of two residues and a sum of 2^31 of them fit int64


class ModArray:
    """An array over the integers modulo a prime p, with ``+ - * @ ==``, slices, ``sum`` and ``swapaxes``.

    Parameters
    ----------
    values : array_like of int
        Any integers; they are reduced modulo p.
    p : int
        A prime below 2^24. Division by 2 needs p odd. Primality is the caller's promise: nothing here divides
        by anything but 2.

    Raises
    ------
    TypeError
        If the values are not integers, or two arrays of different p meet.

    Examples
    --------
    >>> A = ModArray([[1, 6], [2, 3]], p=7)
    >>> A @ A
    ModArray([[6, 3],
              [1, 0]], p=7)
    >>> (A - A == 0).all()
    np.True_
    """

    is_number_array = True
    __array_ufunc__ = None  # so that NumPy arrays on the left give way to our operators
    __hash__ = None

    def __init__(self, values, p: int = PRIME):
        p = checked_count("p", p, least=2)
        if p >= 1 << 24:
            raise ValueError(f"p is {p}; a prime below 2^24 is required, so that products stay inside int64")
        self.values, self.p = _frozen(_residues("values", values, p)), p

    @classmethod
    def _reduced(cls, values, p) -> ModArray:
        made = object.__new__(cls)
        made.values, made.p = _frozen(values % p), p
        return made

    @property
    def dtype(self) -> str:
        """The ring's name; two arrays belong together when it agrees."""
        return f"integers mod {self.p}"

    @property
    def shape(self) -> tuple[int, ...]:
        return self.values.shape

    @property
    def ndim(self) -> int:
        return self.values.ndim

    @property
    def T(self) -> ModArray:
        return self.swapaxes(-1, -2)

    def swapaxes(self, a, b) -> ModArray:
        return ModArray._reduced(self.values.swapaxes(a, b), self.p)

    def sum(self, axis=None) -> ModArray:
        return ModArray._reduced(self.values.sum(axis=axis), self.p)

    def half(self) -> ModArray:
        """Each entry times the inverse of 2."""
        if self.p == 2:
            raise ValueError("p is 2; an odd prime is required to halve")
        return self * ((self.p + 1) // 2)

    def _other(self, other):
        if isinstance(other, ModArray):
            if other.p != self.p:
                raise TypeError(f"other is modulo {other.p}; modulo {self.p} is required")
            return other.values
        return _residues("other", other, self.p)

    def __add__(self, other):
        return ModArray._reduced(self.values + self._other(other), self.p)

    def __sub__(self, other):
        return ModArray._reduced(self.values - self._other(other), self.p)

    def __rsub__(self, other):
        return ModArray._reduced(self._other(other) - self.values, self.p)

    def __mul__(self, other):
        return ModArray._reduced(self.values * self._other(other), self.p)

    def __matmul__(self, other):
        B = self._other(other)
        if self.values.shape[-1] * (self.p - 1) ** 2 >= 1 << 63:
            raise ValueError(f"inner dimension is {self.values.shape[-1]}; at most"
                             f" {((1 << 63) - 1) // (self.p - 1) ** 2} is required for p = {self.p}")
        return ModArray._reduced(self.values @ B, self.p)

    def __rmatmul__(self, other):
        return ModArray(other, self.p) @ self

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self):
        return ModArray._reduced(-self.values, self.p)

    def __eq__(self, other):
        return self.values == self._other(other)

    def __getitem__(self, key) -> ModArray:
        return ModArray._reduced(self.values[key], self.p)

    def centred(self) -> np.ndarray:
        """The entries as integers of least absolute value; 0 exactly where the residue is 0."""
        return np.where(self.values > self.p // 2, self.values - self.p, self.values)

    def __repr__(self) -> str:
        return f"ModArray({np.array2string(self.values, separator=', ', prefix='ModArray(')}, p={self.p})"


def _residues(name: str, values, p: int) -> np.ndarray:
    """Integers of any size reduced modulo p, as int64."""
    values = as_array(name, values)
    if values.dtype == object:
        for v in values.flat:
            if not isinstance(v, Integral) or isinstance(v, bool):
                raise TypeError(f"{name} has an entry {v!r} of type {type(v).__name__}; integers are"
                                " required")
        return np.array([int(v) % p for v in values.flat], dtype=np.int64).reshape(values.shape)
    if values.dtype.kind not in "iu":
        raise TypeError(f"{name} has dtype {values.dtype}; integers are required")
    if values.dtype.kind == "u":  # 2^63 and above do not fit int64 before they are reduced
        return (values.astype(np.uint64) % np.uint64(p)).astype(np.int64)
    return values.astype(np.int64) % p


def _frozen(values) -> np.ndarray:
    values = np.asarray(values)
    values.flags.writeable = False
    return values


def random_residues(shape, rng: np.random.Generator, p: int = PRIME) -> ModArray:
    """A ModArray of independent uniform residues."""
    return ModArray(checked_rng(rng).integers(0, p, size=shape), p)


def lookup_activation(table, derivative_table, p: int = PRIME) -> Activation:
    """An element-wise function on the residues and a "derivative", each any table of p residues.

    The derivative need not belong to the function: the theorems ask nothing of sigma'.

    Parameters
    ----------
    table, derivative_table : array_like of int, shape (p,)
        Entry z is the function's value at z.

    Raises
    ------
    ValueError
        If a table has another shape.

    Examples
    --------
    >>> sigma = lookup_activation([0, 5, 1, 3, 2], [1, 1, 0, 0, 4], p=5)
    >>> sigma(ModArray([1, 4, 0], p=5))
    ModArray([0, 2, 0], p=5)
    """
    tables = []
    for name, given in (("table", table), ("derivative_table", derivative_table)):
        residues = ModArray(given, p)
        if residues.shape != (p,):
            raise ValueError(f"{name} has shape {residues.shape}; ({p},), one entry per residue, is required")
        tables.append(residues)
    f, df = tables
    return Activation(f"table mod {p}", lambda Z: f[Z.values], lambda Z: df[Z.values], True, None, None,
                      arithmetic=f.dtype)


def random_activation(rng: np.random.Generator, p: int = PRIME) -> Activation:
    """Independent uniform tables for sigma and sigma'."""
    checked_rng(rng)
    return lookup_activation(rng.integers(0, p, p), rng.integers(0, p, p), p)


def square_activation(p: int = PRIME) -> Activation:
    """sigma(z) = z^2 with its true derivative 2z, modulo p."""
    z = np.arange(p, dtype=np.int64)
    return lookup_activation(z * z % p, 2 * z % p, p)
