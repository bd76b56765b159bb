"""Twins: hidden units of one layer with equal incoming column, bias and outgoing row.

Swapping two twins leaves every array of the network as it was, so twins are what makes an orbit smaller than
h!.
"""

from __future__ import annotations

import numpy as np

from .mlp import MLP
from .modular import ModArray
from .parameters import Parameters
from .validation import FLOATS, checked_array


def plain_arrays(name: str, net: MLP | Parameters) -> tuple[list, list]:
    """The weights and biases of a network as NumPy arrays that can be compared and sorted.

    Raises
    ------
    TypeError
        If ``net`` is neither an MLP nor Parameters, or its arrays carry rounding bounds, which have no
        equality.
    ValueError
        If it holds several networks at once (a leading axis), NaN or infinity.
    """
    if not isinstance(net, (MLP, Parameters)):
        raise TypeError(f"{name} is of type {type(net).__name__}; an MLP or Parameters is required")
    parameters = net.parameters if isinstance(net, MLP) else net
    weights = [_plain(f"{name}.weights[{i}]", W, 2) for i, W in enumerate(parameters.weights)]
    biases = [None if b is None else _plain(f"{name}.biases[{i}]", b, 1)
              for i, b in enumerate(parameters.biases)]
    return weights, biases


def unit_classes(net: MLP | Parameters) -> tuple[np.ndarray, ...]:
    """The twin class of every hidden unit, without tolerance (``def-permutation-symmetry``).

    Parameters
    ----------
    net : MLP or Parameters
        Widths (d, h_1, ..., h_k, q).

    Returns
    -------
    tuple of arrays of int, shapes (h_1,), ..., (h_k,)
        Units of one layer share a number exactly when their incoming columns, biases and outgoing rows are
        equal. Classes are numbered 0, 1, ... in the order of their first units; 0.0 and -0.0 are equal.

    Raises
    ------
    TypeError, ValueError
        If ``net`` is not one network of comparable, finite numbers.

    Examples
    --------
    >>> net = MLP.from_arrays([[[1.0, 2.0, 1.0]], [[3.0], [5.0], [3.0]]], [None, None])
    >>> unit_classes(net)
    (array([0, 1, 0]),)
    """
    return classes_of(*plain_arrays("net", net))


def classes_of(weights, biases) -> tuple[np.ndarray, ...]:
    """:func:`unit_classes` of plain arrays."""
    return tuple(_classes(W, b, V) for W, b, V in zip(weights, biases, weights[1:], strict=False))


def multiplicities(net: MLP | Parameters) -> tuple[tuple[int, ...], ...]:
    """How many units each twin class has: entry c of layer l counts the units that ``unit_classes`` calls c.

    >>> net = MLP.from_arrays([[[1.0, 2.0, 1.0]], [[3.0], [5.0], [3.0]]], [None, None])
    >>> multiplicities(net)
    ((2, 1),)
    """
    return tuple(tuple(np.bincount(classes).tolist()) for classes in unit_classes(net))


def _classes(W, b, V) -> np.ndarray:
    """Dense class numbers, by first unit, of the units with columns of W, entries of b and rows of V."""
    rows = [W.T, V] if b is None else [W.T, b[:, None], V]
    rows = np.concatenate(rows, axis=1)
    rows = rows + 0  # makes -0.0 equal to 0.0 in bytes too
    keys = map(tuple, rows.tolist()) if rows.dtype == object else (row.tobytes() for row in rows)
    numbers: dict = {}
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.int64)


def _plain(name: str, array, ndim: int) -> np.ndarray:
    floats = isinstance(array, np.ndarray) and array.dtype in FLOATS and array.ndim == ndim and array.size
    if not (floats and np.isfinite(array.max()) and np.isfinite(array.min())):  # quick when all is well
        array = checked_array(name, array, ndim)
    if isinstance(array, ModArray):
        return array.values
    if not isinstance(array, np.ndarray):
        raise TypeError(f"{name} has dtype {array.dtype}; numbers that can be compared exactly are required")
    return array
