"""The arithmetics a network can be trained in, and what each does to sums.

``float64`` sums with BLAS; ``fixed`` is float64 with one fixed order of summation; ``float32`` is as its name
says; ``int64`` is fixed point with 12 fractional bits; ``modp`` the integers modulo a prime; ``fractions``
the rationals. Only in floating point does the order of a sum matter; only there can equal units come apart by
rounding.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from .activations import Activation, get_activation
from .fixed_point import FRACTION_BITS, ONE, FixedArray, fixed_activation
from .lookup import looked_up
from .mlp import MLP
from .modular import PRIME, ModArray, square_activation


class PlainSums(np.ndarray):
    """A floating-point array whose ``@`` adds the products one after another, in the same order for every
    entry.

    No BLAS is called, so equal columns of W give equal columns of X @ W, bit for bit, on every machine.

    Examples
    --------
    >>> A = np.array([[1.0, 2.0], [3.0, 4.0]]).view(PlainSums)
    >>> A @ np.eye(2)
    PlainSums([[1., 2.],
               [3., 4.]])
    """

    is_number_array = True

    def __matmul__(self, other):
        return _plain_product(self, other)

    def __rmatmul__(self, other):
        return _plain_product(other, self)


def _plain_product(A, B):
    A, B = A.view(np.ndarray), B.view(np.ndarray)
    total = A[..., :, :1] * B[..., :1, :]
    term = np.empty_like(total)
    for k in range(1, A.shape[-1]):
        np.multiply(A[..., :, k:k + 1], B[..., k:k + 1, :], out=term)
        total += term
    return total.view(PlainSums)


@dataclass(frozen=True)
class Arithmetic:
    """How to bring numbers, arrays and networks into an arithmetic.

    Attributes
    ----------
    name, title : str
    array : callable
        A float64 array as an array of this arithmetic.
    number : callable
        A float, such as a step size.
    activation : callable
        An activation's name, or an Activation of floats, as an Activation of this arithmetic.
    exact_sums : bool
        Whether a sum does not depend on its order.
    equal_sums : bool
        Whether equal summands in equal order give equal sums: everywhere but under BLAS.
    floating : bool
    """

    name: str
    title: str
    array: Callable
    number: Callable
    activation: Callable
    exact_sums: bool
    equal_sums: bool
    floating: bool

    def network(self, net: MLP) -> MLP:
        """A float64 network in this arithmetic; a network that is in it already passes through."""
        if type(net.parameters.weights[0]) is type(self.array(np.zeros(1))) and \
                net.parameters.weights[0].dtype == self.array(np.zeros(1)).dtype:
            return net
        return MLP(net.parameters.map(self.array), self.activation(net.activation))


def _dyadic(value) -> Fraction:
    return Fraction(round(float(value) * ONE), ONE)


def _fractions(values):
    values = np.asarray(values)
    return np.array([v if isinstance(v, Fraction) else _dyadic(v) for v in values.flat],
                    dtype=object).reshape(values.shape)


def _residue(value: Fraction) -> int:
    return value.numerator * pow(value.denominator, -1, PRIME) % PRIME


def _residues(values):
    if isinstance(values, ModArray):
        return values
    values = np.asarray(values, dtype=np.float64)
    return ModArray(np.rint(values * ONE).astype(np.int64), PRIME) * _residue(Fraction(1, ONE))


def _mod_activation(activation) -> Activation:
    name = get_activation(activation).name
    if name not in ("square", f"table mod {PRIME}"):
        raise ValueError(f"activation is {name!r}; 'square' is required modulo p, where nothing is larger or"
                         " smaller")
    return square_activation(PRIME) if name == "square" else activation


def _unchanged(activation) -> Activation:
    return get_activation(activation)


ARITHMETICS: dict[str, Arithmetic] = {a.name: a for a in (
    Arithmetic("float64", "float64, sums by BLAS", lambda A: np.asarray(A, dtype=np.float64), float,
               _unchanged, False, False, True),
    Arithmetic("fixed", "float64, sums in a fixed order",
               lambda A: np.array(A, dtype=np.float64, subok=False).view(PlainSums), float, _unchanged,
               False, True, True),
    Arithmetic("float32", "float32, sums by BLAS", lambda A: np.asarray(A, dtype=np.float32), float,
               _unchanged, False, False, True),
    Arithmetic("int64", f"int64 fixed point, {FRACTION_BITS} fractional bits", FixedArray.from_floats,
               _dyadic, fixed_activation, True, True, False),
    Arithmetic("modp", f"integers modulo {PRIME}", _residues, lambda v: _residue(_dyadic(v)), _mod_activation,
               True, True, False),
    Arithmetic("fractions", "fractions", _fractions, _dyadic, _unchanged, True, True, False),
)}


def get(name: str | Arithmetic) -> Arithmetic:
    """The arithmetic of that name; ValueError lists the known ones.

    >>> get("int64").array(np.array([0.5, -0.25]))
    FixedArray([ 0.5 , -0.25])
    """
    return looked_up("arithmetic", name, ARITHMETICS, Arithmetic)


def like(values: np.ndarray, array):
    """A float64 array as an array of the arithmetic that ``array`` belongs to.

    >>> like(np.array([0.5]), np.zeros(1, dtype=np.float32)).dtype
    dtype('float32')
    """
    if isinstance(array, FixedArray):
        return FixedArray.from_floats(values)
    if isinstance(array, ModArray):
        return _residues(values)
    if array.dtype == object:
        return _fractions(values)
    return np.asarray(values).astype(array.dtype).view(type(array))
