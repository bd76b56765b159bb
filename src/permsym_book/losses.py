"""Losses of the output O and their derivative by O; both sum over the batch, as the chapter does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from .lookup import looked_up
from .validation import as_array, checked_array, kind_of


@dataclass(frozen=True)
class Loss:
    """A loss: its value together with its derivative ``delta_O`` (n, q), and the check of its target."""

    name: str
    value_and_derivative: Callable
    checked_target: Callable

    def value(self, O, Y):
        """The loss alone."""
        return self.value_and_derivative(O, Y)[0]


def _squared_error(O, Y):
    delta_O = O - Y
    total = (delta_O * delta_O).sum(-1).sum(-1)
    return _half(total), delta_O


def _half(total):
    if isinstance(total, (int, Fraction)):  # exact arithmetic stays exact
        return Fraction(total) / 2
    if isinstance(total, np.ndarray) and total.dtype == object:
        return total * Fraction(1, 2)
    return total.half() if hasattr(total, "half") else total * total.dtype.type(0.5)


def _cross_entropy(O, labels):
    shifted = O - O.max(axis=-1, keepdims=True)
    exponentials = np.exp(shifted)
    totals = exponentials.sum(axis=-1, keepdims=True)
    at_label = (labels[..., None] == np.arange(O.shape[-1])).astype(O.dtype)
    value = (np.log(totals[..., 0]) - (shifted * at_label).sum(axis=-1)).sum(axis=-1)
    return value, exponentials / totals - at_label


def _checked_regression_target(Y, O):
    if isinstance(Y, np.ndarray) and Y.dtype.kind in "iu" and Y.ndim == 1:
        raise TypeError(f"Y has dtype {Y.dtype} and one axis, as labels have; targets of the outputs' shape are required,"
                        " or loss='cross_entropy', which takes labels")
    Y = checked_array("Y", Y, 3 if O.ndim == 3 and getattr(Y, "ndim", 2) == 3 else 2)
    if kind_of(Y) != kind_of(O):
        raise TypeError(f"Y has dtype {kind_of(Y)}; {kind_of(O)}, the output's dtype, is required")
    # a stack of networks may share one target
    if tuple(Y.shape) not in (tuple(O.shape), tuple(O.shape[-2:])):
        raise ValueError(f"Y has shape {tuple(Y.shape)}; {tuple(O.shape)}, the output's shape, is required")
    return Y


def _checked_labels(Y, O):
    Y = as_array("Y", Y)
    if not isinstance(O, np.ndarray) or O.dtype == object:
        raise TypeError("loss is 'cross_entropy', which leaves exact arithmetic; float parameters are"
                        " required")
    if Y.dtype.kind not in "iu":
        raise TypeError(f"Y has dtype {Y.dtype}; integer labels are required for cross_entropy")
    if Y.shape not in (O.shape[:-1], O.shape[-2:-1]):
        raise ValueError(f"Y has shape {Y.shape}; ({O.shape[-2]},), one label per sample, is required")
    if Y.min() < 0 or Y.max() >= O.shape[-1]:
        raise ValueError(f"Y has labels from {Y.min()} to {Y.max()}; 0 to {O.shape[-1] - 1} are required")
    return Y


LOSSES = {
    "squared_error": Loss("squared_error", _squared_error, _checked_regression_target),
    "cross_entropy": Loss("cross_entropy", _cross_entropy, _checked_labels),
}


def get_loss(name: str) -> Loss:
    """Look a loss up by name; ValueError lists the known ones.

    >>> get_loss("squared_error").value(np.array([[1.0, 2.0]]), np.array([[0.0, 0.0]]))
    np.float64(2.5)
    """
    return looked_up("loss", name, LOSSES)
