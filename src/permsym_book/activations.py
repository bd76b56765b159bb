"""Element-wise activations with their first and second derivatives, one table for every arithmetic."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from scipy.special import erf, expit

LEAK = Fraction(1, 128)  # a power of two: exact in float64, float32 and Fractions alike


@dataclass(frozen=True)
class Activation:
    """An element-wise function and its derivative.

    Attributes
    ----------
    name : str
    function, derivative : callables, element-wise, any shape
    exact : bool
        Whether both stay inside the rationals (piecewise linear or polynomial), so that object arrays of
        ``int`` and ``Fraction`` may pass through.
    lipschitz, derivative_lipschitz : callables
        ``r(z_abs)`` bounds the slope of the function (of the derivative) on ``[-z_abs, z_abs]``, away from kinks.
    kinks : tuple of float
        Where the derivative jumps. Its value there is the one ``derivative`` returns (0 for relu).
    arithmetic : str or None
        The ``dtype`` of the arrays it acts on when they are not NumPy's, as "integers mod 7".
    second_derivative : callable or None
        Element-wise; None where the derivative jumps (relu, leaky_relu, hardtanh), or where it was not given.
    """

    name: str
    function: Callable
    derivative: Callable
    exact: bool
    lipschitz: Callable = field(repr=False)
    derivative_lipschitz: Callable = field(repr=False)
    kinks: tuple[float, ...] = ()
    arithmetic: str | None = None
    second_derivative: Callable | None = None

    def __call__(self, Z):
        return self.function(Z)

    def __reduce__(self):
        """The table's activations are pickled by name: their functions are lambdas."""
        return (get_activation, (self.name,)) if ACTIVATIONS.get(self.name) is self else super().__reduce__()


def _number(Z, value):
    """``value`` as a scalar of Z's dtype (an int or Fraction for object arrays)."""
    return value if Z.dtype == object else Z.dtype.type(value)


def _step(condition, Z, below=0):
    """1 where the condition holds and ``below`` elsewhere, in Z's dtype."""
    return np.where(condition, _number(Z, 1), _number(Z, below)).astype(Z.dtype, copy=False)


def _softplus(Z):
    return np.maximum(Z, 0) + np.log1p(np.exp(-np.abs(Z)))


def _gelu(Z):
    return Z * (Z.dtype.type(0.5) * (1 + erf(Z * Z.dtype.type(np.sqrt(0.5)))))


def _gelu_derivative(Z):
    near = np.clip(Z, -40, 40)  # beyond, exp(-z^2 / 2) is 0 in float64, and z^2 might overflow
    gauss = np.exp(-near * near / 2) * Z.dtype.type(1 / np.sqrt(2 * np.pi))
    return Z.dtype.type(0.5) * (1 + erf(Z * Z.dtype.type(np.sqrt(0.5)))) + Z * gauss


def _gelu_second_derivative(Z):
    near = Z.clip(-40, 40)
    return np.exp(-near * near / 2) * Z.dtype.type(1 / np.sqrt(2 * np.pi)) * (2 - near * near)


def _sigmoid_second_derivative(Z):
    above, below = expit(Z), expit(-Z)
    return above * below * (below - above)


def _tanh_second_derivative(Z):
    H = np.tanh(Z)
    return -2 * H * (1 - H * H)


def _constant(c):
    return lambda z_abs: np.full_like(z_abs, c)


_TABLE = (
    Activation("identity", lambda Z: Z.copy(), np.ones_like, True, _constant(1), _constant(0),
               second_derivative=np.zeros_like),
    Activation("relu", lambda Z: np.maximum(Z, 0), lambda Z: _step(Z > 0, Z), True,
               _constant(1), _constant(0), kinks=(0.0,)),
    Activation("leaky_relu", lambda Z: np.maximum(Z, 0) + np.minimum(Z, 0) * _number(Z, LEAK),
               lambda Z: _step(Z > 0, Z, below=LEAK), True, _constant(1), _constant(0), kinks=(0.0,)),
    Activation("tanh", np.tanh, lambda Z: 1 - np.tanh(Z) ** 2, False, _constant(1), _constant(0.7699),
               second_derivative=_tanh_second_derivative),
    Activation("sigmoid", expit, lambda Z: expit(Z) * expit(-Z), False, _constant(0.25), _constant(0.0963),
               second_derivative=_sigmoid_second_derivative),
    Activation("gelu", _gelu, _gelu_derivative, False, _constant(1.13), _constant(0.7979),
               second_derivative=_gelu_second_derivative),
    Activation("softplus", _softplus, expit, False, _constant(1), _constant(0.25),
               second_derivative=lambda Z: expit(-Z) * expit(Z)),
    Activation("sin", np.sin, np.cos, False, _constant(1), _constant(1),
               second_derivative=lambda Z: -np.sin(Z)),
    Activation("square", lambda Z: Z * Z, lambda Z: 2 * Z, True, lambda z_abs: 2 * z_abs, _constant(2),
               second_derivative=lambda Z: np.full_like(Z, 2)),
    Activation("hardtanh", lambda Z: np.minimum(np.maximum(Z, -1), 1), lambda Z: _step(abs(Z) < 1, Z), True,
               _constant(1), _constant(0), kinks=(-1.0, 1.0)),
)
ACTIVATIONS: dict[str, Activation] = {activation.name: activation for activation in _TABLE}


def get_activation(activation: str | Activation) -> Activation:
    """Look an activation up by name; an :class:`Activation` passes through.

    Raises
    ------
    ValueError
        If the name is unknown; the message lists the known ones.
    TypeError
        If it is neither a name nor an Activation.

    Examples
    --------
    >>> get_activation("relu")(np.array([-1.0, 2.0]))
    array([0., 2.])
    """
    if isinstance(activation, Activation):
        return activation
    if not isinstance(activation, str):
        raise TypeError(f"activation is {activation!r} of type {type(activation).__name__};"
                        " a name or an Activation is required")
    if activation not in ACTIVATIONS:
        raise ValueError(f"activation is {activation!r}; one of {', '.join(ACTIVATIONS)} is required")
    return ACTIVATIONS[activation]
