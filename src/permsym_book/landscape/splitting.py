"""Splitting a hidden unit in two, the plane of equal loss, and merging the halves again.

The two halves of a split unit have its incoming weights and bias; their outgoing weights add up to its own. Whatever
the shares, the network computes the same, so all of this holds in every arithmetic and at any depth, for every loss.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ..mlp import MLP
from ..parameters import Parameters
from ..validation import checked_array, checked_count, checked_number, checked_sequence


def split(net: MLP, layer: int, unit: int, share) -> MLP:
    """The network with a hidden unit split in two: outgoing a becomes share * a and (1 - share) * a.

    Parameters
    ----------
    net : MLP
        Float or exact.
    layer : int
        Hidden layer, counted from 0.
    unit : int
        It keeps its place and the first share; its copy with the rest becomes the layer's last unit.
    share : number, or array of shape (out,)
        A number lambda for (lambda a, (1 - lambda) a). An array c is the first half's outgoing row itself: (c, a - c).

    Raises
    ------
    TypeError, ValueError
        If there is no such unit, or the share leaves the network's arithmetic.

    Examples
    --------
    >>> net = MLP.from_arrays([[[1.0, 2.0]], [[3.0], [4.0]]], [None, None])
    >>> split(net, 0, 1, 0.25).parameters.W1, split(net, 0, 1, 0.25).parameters.W2.T
    (array([[1., 2., 2.]]), array([[3., 1., 3.]]))
    """
    layer, (unit,) = checked_units(net, layer, (unit,))
    W, b, V = around(net, layer)
    first = _part("share", share, V[unit])
    V = np.concatenate([V, (V[unit] - first)[None]])
    V[unit] = first
    return with_layer(net, layer, np.concatenate([W, W[:, [unit]]], axis=1), None if b is None else np.append(b, b[unit]), V)


def merge(net: MLP, layer: int, units, tolerance: float = 0.0) -> MLP:
    """The network in which two units with the same incoming weights and bias are one: the inverse of :func:`split`.

    Parameters
    ----------
    net : MLP
    layer : int
    units : (int, int)
        The first keeps its place, with the sum of their outgoing weights; the second goes.
    tolerance : float
        By how much their incoming weights may differ; they are replaced by their mean where they do.

    Raises
    ------
    TypeError, ValueError
        If they differ by more, which the message tells; if there are no such units, the tolerance is no finite number
        from 0 on, or ``net`` is a stack.

    Examples
    --------
    >>> net = MLP.from_arrays([[[1.0, 2.0]], [[3.0], [4.0]]], [None, None])
    >>> merge(split(net, 0, 1, 0.25), 0, (1, 2)) == net
    True
    """
    layer, (i, j) = checked_units(net, layer, units, 2)
    W, b, V = around(net, layer)
    tolerance, apart = checked_number("tolerance", tolerance), _apart(W, b, i, j)
    if apart > tolerance:
        raise ValueError(f"units {i} and {j} have incoming weights that differ by {float(apart):.2e}; at most {tolerance} is"
                         " required to merge them")
    V[i] = V[i] + V[j]
    if apart:
        half = Fraction(1, 2) if W.dtype == object else W.dtype.type(0.5)
        W[:, i] = (W[:, i] + W[:, j]) * half
        if b is not None:
            b[i] = (b[i] + b[j]) * half
    return with_layer(net, layer, np.delete(W, j, axis=1), None if b is None else np.delete(b, j), np.delete(V, j, axis=0))


def equal_loss_plane(net: MLP, layer: int, units, outgoing) -> MLP:
    """A point of the plane through a network whose two units have one incoming vector (``prop-equal-loss-plane``).

    With a the sum of their outgoing weights, the plane is (c, a - c) for c in R^out: out-dimensional, and of equal loss.

    Parameters
    ----------
    net : MLP
    layer : int
    units : (int, int)
        With equal incoming weights and biases.
    outgoing : number, or array of shape (out,)
        c itself, or lambda for c = lambda a.

    Raises
    ------
    ValueError
        If their incoming weights differ.

    Examples
    --------
    >>> net = MLP.from_arrays([[[1.0, 2.0, 2.0]], [[3.0], [1.0], [3.0]]], [None, None])
    >>> equal_loss_plane(net, 0, (1, 2), 0.5).parameters.W2.T
    array([[3., 2., 2.]])
    """
    layer, (i, j) = checked_units(net, layer, units, 2)
    W, b, V = around(net, layer)
    check_equal(W, b, i, j)
    whole = V[i] + V[j]
    V[i] = _part("outgoing", outgoing, whole)
    V[j] = whole - V[i]
    return with_layer(net, layer, W, b, V)


# ---- for the other modules ----------------------------------------------------------------------


def around(net: MLP, layer: int):
    """Copies of the arrays that a hidden layer's units have: incoming weights, bias and outgoing weights."""
    p = net.parameters
    b = p.biases[layer]
    return p.weights[layer].copy(), None if b is None else b.copy(), p.weights[layer + 1].copy()


def with_layer(net: MLP, layer: int, W, b, V) -> MLP:
    """The network with these arrays in their places."""
    weights, biases = list(net.parameters.weights), list(net.parameters.biases)
    weights[layer], biases[layer], weights[layer + 1] = W, b, V
    return net.with_parameters(Parameters(weights, biases))


def _part(name: str, value, row):
    """``value`` times the row, or ``value`` itself when it is a row."""
    if np.ndim(value) == 0:
        part = row * value
        if part.dtype != row.dtype or (row.dtype == object and isinstance(value, float)):
            raise TypeError(f"{name} is {value!r} of type {type(value).__name__}; a number of the network's arithmetic"
                            f" ({row.dtype}) is required")
        return part
    value = checked_array(name, value, 1)
    if value.shape != row.shape or value.dtype != row.dtype:
        raise ValueError(f"{name} has shape {value.shape} and dtype {value.dtype}; {row.shape} and {row.dtype}, those of the"
                         " outgoing weights, are required")
    return value


def _apart(W, b, i, j):
    """The largest difference of two units' incoming weights and biases."""
    return max(abs(W[:, i] - W[:, j]).max(), 0 if b is None else abs(b[i] - b[j]))


def check_equal(W, b, i, j) -> None:
    """ValueError unless two units have the same incoming weights and bias."""
    if apart := _apart(W, b, i, j):
        raise ValueError(f"units {i} and {j} have incoming weights that differ by {float(apart):.2e}; equal ones are required"
                         " (as at a permutation point, or after split)")


def checked_layer(name: str, net, layer) -> int:
    """A hidden layer of one network, or an error that names what is wrong."""
    if not isinstance(net, MLP):
        raise TypeError(f"{name} is of type {type(net).__name__}; MLP is required")
    if net.parameters.count is not None:
        raise TypeError(f"{name} is a stack of {net.parameters.count} networks; one network is required")
    layer = checked_count("layer", layer, least=0)
    if layer >= len(net.hidden_widths):
        raise ValueError(f"layer is {layer}; a hidden layer below {len(net.hidden_widths)} is required")
    return layer


def checked_units(net, layer, units, count: int = 1):
    """The layer and ``count`` different units of it, or an error that names them."""
    layer = checked_layer("net", net, layer)
    units = tuple(checked_count("units", unit, least=0) for unit in checked_sequence("units", units))
    width = net.hidden_widths[layer]
    if len(units) != count or len(set(units)) < count or max(units) >= width:
        raise ValueError(f"units is {units}; {count} different units below {width}, the layer's width, are required")
    return layer, units
