"""The loss as a function of the vector of all parameters, and two units of a layer as a sum and a difference."""

from __future__ import annotations

import numpy as np

from ..mlp import MLP
from ..parameters import Parameters
from ..validation import checked_count, checked_decay, checked_sequence
from .curvature import checked_batch
from .hessian import AT_MOST, hessian
from .products import HessianOperator
from .vector import ravelled, size, to_vector, unit_slots, unravelled


class Objective:
    """The loss of a network on a batch as a function of theta (N,), in float64.

    Parameters
    ----------
    net : MLP
        Its shape and activation are taken.
    X : array, shape (n, d)
    Y : array
    loss : {"squared_error", "cross_entropy"}
        Summed over the samples.
    decay : float
        Weight decay: ``decay / 2 |theta|^2`` is added. A relabelling does not change it; splitting a unit does.

    Raises
    ------
    TypeError, ValueError
        If X and Y do not fit, the decay is negative, the activation has no second derivative (the message says what is undefined then), or
        the arithmetic is not float64.

    Examples
    --------
    >>> net = MLP.from_arrays([[[3.0]], [[1.0]]], [None, None], "square")
    >>> f = Objective(net, np.ones((1, 1)), np.zeros((1, 1)))
    >>> f.value_and_gradient(np.array([3.0, 1.0]))
    (40.5, array([54., 81.]))
    """

    def __init__(self, net: MLP, X, Y, loss: str = "squared_error", decay: float = 0.0):
        batch = checked_batch(net, X, Y, loss)
        if net.parameters.weights[0].dtype != np.float64:
            raise TypeError(f"net has parameters of dtype {net.parameters.weights[0].dtype}; float64 is required")
        self.decay = float(checked_decay(decay))
        self.net, self.X, self.Y, self.loss, self.size = net, batch.X, batch.Y, loss, size(net.parameters)

    def network(self, theta) -> MLP:
        """The network with these parameters."""
        return self.net.with_parameters(Parameters._trusted(*unravelled(self.net.parameters, theta.copy())))

    def value(self, theta) -> float:
        """The loss."""
        return float(self.network(theta).loss(self.X, self.Y, self.loss)) + self.decay / 2 * float(theta @ theta)

    def value_and_gradient(self, theta) -> tuple[float, np.ndarray]:
        """The loss and its gradient (N,)."""
        value, gradients = self.network(theta).loss_and_gradients(self.X, self.Y, self.loss)
        gradient = ravelled(gradients.weights, gradients.biases)
        if self.decay:
            value, gradient = value + self.decay / 2 * (theta @ theta), gradient + self.decay * theta
        return float(value), gradient

    def hessian(self, theta, at_most: int = AT_MOST) -> np.ndarray:
        """The Hessian (N, N); ValueError for more than ``at_most`` parameters."""
        return hessian(self.network(theta), self.X, self.Y, self.loss, decay=self.decay, at_most=at_most)

    def products(self, theta):
        """A function that multiplies vectors (N,) by the Hessian."""
        operator = HessianOperator(self.network(theta), self.X, self.Y, self.loss)
        return lambda v: operator.product(v) + self.decay * v


class Pair:
    """Two units of a hidden layer in the coordinates (sum, difference) / sqrt(2) of their full weight vectors.

    The change of coordinates is orthogonal and its own inverse; the sum takes the first unit's places in the vector
    and the difference the second's. Exchanging the units is a change of sign of the difference.

    Parameters
    ----------
    net : MLP
    layer : int
        Hidden layer, counted from 0.
    units : (int, int)

    Raises
    ------
    TypeError, ValueError
        If there is no such layer or unit, or the two are the same.

    Examples
    --------
    >>> net = MLP.from_arrays([[[3.0, 1.0]], [[1.0], [2.0]]], [None, None])
    >>> pair = Pair(net, 0, (0, 1))
    >>> pair.exchanged(to_vector(net))
    array([1., 3., 2., 1.])
    >>> float(pair.distance(to_vector(net)))  # of (3, 1) and (1, 2)
    2.23606797749979
    """

    def __init__(self, net: MLP, layer: int, units):
        units = checked_sequence("units", units)
        if len(units) != 2:
            raise ValueError(f"units is {units}; two units are required")
        units = tuple(checked_count(f"units[{k}]", unit, least=0) for k, unit in enumerate(units))
        self.first, self.second = (unit_slots(net, layer, unit) for unit in units)
        if units[0] == units[1]:
            raise ValueError(f"units is {units}; two different units are required")
        self.layer, self.units = checked_count("layer", layer, least=0), units

    def rotated(self, v) -> np.ndarray:
        """``v`` (N,), or each column of (N, k), in the other coordinates; its own inverse."""
        made, root = v.copy(), np.sqrt(0.5)
        made[self.first] = (v[self.first] + v[self.second]) * root
        made[self.second] = (v[self.first] - v[self.second]) * root
        return made

    def exchanged(self, theta) -> np.ndarray:
        """The vector of the network in which the two units have traded places."""
        made = theta.copy()
        made[self.first], made[self.second] = theta[self.second], theta[self.first]
        return made

    def distance(self, theta) -> float:
        """Between the full weight vectors of the two units."""
        return float(np.linalg.norm(theta[self.first] - theta[self.second]))

    def at_distance(self, theta, distance: float) -> np.ndarray:
        """The two units moved along the line through them, their mean kept, until they are ``distance`` apart."""
        made = theta.copy()
        middle = (theta[self.first] + theta[self.second]) / 2
        half = theta[self.first] - theta[self.second]
        half = half * (0.0 if distance == 0 else distance / 2 / np.linalg.norm(half))
        made[self.first], made[self.second] = middle + half, middle - half
        return made


def closest_pair(net: MLP, layer: int = 0) -> tuple[int, int]:
    """The two units of a hidden layer whose full weight vectors are closest.

    Examples
    --------
    >>> closest_pair(MLP.from_arrays([[[3.0, 1.0, 1.5]], [[1.0], [2.0], [2.0]]], [None, None]))
    (1, 2)
    """
    theta = to_vector(net)
    layer = checked_count("layer", layer, least=0)
    unit_slots(net, layer, 0)  # raises when there is no such layer
    width = net.hidden_widths[layer]
    if width < 2:
        raise ValueError(f"layer is {layer}, which has one unit; a hidden layer of at least 2 is required")
    return nearest(np.array([theta[unit_slots(net, layer, unit)] for unit in range(width)]))[:2]


def facing(net: MLP) -> MLP:
    """One hidden layer of odd units, with biases: their signs such that two of them are as close as can be.

    Examples
    --------
    >>> net = MLP.from_arrays([[[3.0, -3.0]], [[1.0], [-1.0]]], [[0.0, 0.0], [0.0]], "tanh")
    >>> facing(net).parameters.W1
    array([[3., 3.]])
    """
    W1, b1, W2, b2 = net.parameters.arrays()
    _, j, sign = nearest(np.concatenate([W1.T, b1[:, None], W2], axis=1), (1, -1))
    signs = np.ones(len(W2))
    signs[j] = sign
    return net.with_parameters(Parameters([W1 * signs, W2 * signs[:, None]], [b1 * signs, b2]))


def nearest(rows, signs=(1,)) -> tuple[int, int, int]:
    """The rows i < j and the sign s with the least ``|rows[i] - s rows[j]|``, the first of them when there are several.

    From the differences themselves: ``|u|^2 + |v|^2 - 2 u v`` cannot tell close rows from equal ones. One row against
    all later ones at a time, so that the memory stays that of the rows.
    """
    if rows.dtype != object:
        rows = rows.astype(np.float64)
        rows = np.ldexp(rows, -int(np.frexp(abs(rows).max())[1]))  # of size 1: no square overflows
    found, least = (0, 1, 1), np.inf
    for i in range(len(rows) - 1):
        for sign in signs:
            gaps = ((rows[i] - sign * rows[i + 1:])**2).sum(axis=1)
            k = int(np.argmin(gaps))
            if gaps[k] < least:
                found, least = (i, i + 1 + k, sign), gaps[k]
    return found
