"""What the Hessian and its products need at one point: a checked batch, and one pass through the network."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..activations import ACTIVATIONS
from ..losses import get_loss
from ..mlp import MLP
from .vector import one_network


class Batch(NamedTuple):
    """A network with its checked input, target and loss."""

    net: MLP
    X: np.ndarray
    Y: np.ndarray
    loss: str

    def part(self, start: int, stop: int) -> Batch:
        """The samples from ``start`` on, before ``stop``."""
        return Batch(self.net, self.X[start:stop], self.Y[start:stop], self.loss)


class Pass(NamedTuple):
    """One forward and backward pass; layer l maps ``inputs[l]`` to ``Z[l]``, and the last Z is the output.

    ``deltas[l]`` (n, out_l) is the derivative of the loss by Z[l]. For each hidden layer ``slopes[l]`` (n, h_l)
    is sigma'(Z[l]), and ``bends[l]`` (n, h_l) is sigma''(Z[l]) times the derivative of the loss by H[l].
    ``output_curvature`` is what :func:`output_curvature` returns.
    """

    inputs: tuple
    slopes: list
    bends: list
    deltas: list
    output_curvature: Any


def checked_batch(net, X, Y, loss: str) -> Batch:
    """Check everything once; see :func:`~permsym_book.landscape.hessian.hessian` for what is raised."""
    if not isinstance(net, MLP):
        raise TypeError(f"net is of type {type(net).__name__}; MLP is required")
    one_network(net)
    X = net._checked_input(X)
    if X.ndim == 3:
        raise ValueError(f"X has shape {X.shape}; 2 axes, one set of samples, are required")
    Y = get_loss(loss).checked_target(Y, np.zeros((len(X), net.widths[-1]), dtype=X.dtype))
    check_second_derivative(net)
    return Batch(net, X, Y, loss)


def check_second_derivative(net: MLP) -> None:
    """ValueError when a hidden unit's activation has no second derivative."""
    activation = net.activation
    if net.hidden_widths and activation.second_derivative is None:
        kinks = ", ".join(f"{kink:g}" for kink in activation.kinks)
        reason = (f"its derivative jumps at {kinks}, where the Hessian of the loss is undefined, and elsewhere its"
                  " curvature is 0 and says nothing of the jumps" if kinks else "none was given")
        smooth = ", ".join(name for name, known in ACTIVATIONS.items() if known.second_derivative)
        raise ValueError(f"net has activation {activation.name!r}, which has no second derivative: {reason}; one"
                         f" with a second derivative is required ({smooth})")


def passed(batch: Batch) -> Pass:
    """The forward and backward pass that every second derivative starts from (eq-forward, eq-delta-h)."""
    net, p = batch.net, batch.net.parameters
    activation, layers = net.activation, len(p.weights)
    forward = net._forward(batch.X)
    deltas = [get_loss(batch.loss).value_and_derivative(forward.O, batch.Y)[1]]
    slopes, bends = [], []
    for layer in reversed(range(layers - 1)):
        Z = forward.Z[layer]
        error, slope = deltas[0] @ p.weights[layer + 1].T, activation.derivative(Z)
        slopes.insert(0, slope)
        bends.insert(0, error * activation.second_derivative(Z))
        deltas.insert(0, error * slope)
    return Pass((batch.X, *forward.H), slopes, bends, deltas, output_curvature(batch.loss, forward.O))


def check_finite(what: str, array) -> None:
    """FloatingPointError where numbers have overflowed; exact ones cannot."""
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise FloatingPointError(f"{what} is not finite: the numbers overflow {array.dtype}; smaller parameters, or X and Y"
                                 " of smaller scale, are required")


def output_curvature(loss: str, O):
    """None for the squared error, with the identity as second derivative by O; else the softmax of O (n, q)."""
    if loss == "squared_error":
        return None
    exponentials = np.exp(O - O.max(axis=1, keepdims=True))
    return exponentials / exponentials.sum(axis=1, keepdims=True)
