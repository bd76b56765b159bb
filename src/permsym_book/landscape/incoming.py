"""What goes wrong when only the incoming weights of two units are brought together: a unit that computes a derivative.

With incoming weights s +/- (D/2) u and outgoing weights a/2 +/- c/D the two units add

    a sigma(x s) + c (x u) sigma'(x s) + O(D)

to the next layer, so that the loss may go on falling while the outgoing weights grow like 1/D: the networks have no
limit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..mlp import MLP
from ..validation import checked_number, checked_sequence
from .constrained import checked_limits, minimized
from .objective import Objective, Pair
from .vector import to_vector

SMALLEST, LARGEST = 1e-9, 1e6  # distances, over the size of the incoming weights


class IncomingPair(Pair):
    """Two units as a :class:`~permsym_book.landscape.objective.Pair` whose distance is that of incoming weights and biases.

    Examples
    --------
    >>> net = MLP.from_arrays([[[3.0, 1.0]], [[1.0], [2.0]]], [None, None])
    >>> IncomingPair(net, 0, (0, 1)).distance(to_vector(net))
    2.0
    """

    def __init__(self, net: MLP, layer: int, units):
        super().__init__(net, layer, units)
        outgoing = net.parameters.weights[self.layer + 1].shape[1]
        self.first, self.second = self.first[:-outgoing], self.second[:-outgoing]


class IncomingPoint(NamedTuple):
    """A minimum of the loss with the incoming weights of two units ``distance`` apart.

    Attributes
    ----------
    distance, loss : float
    outgoing : float
        The distance of the two units' outgoing weights.
    converged : bool
    """

    distance: float
    loss: float
    outgoing: float
    converged: bool


def incoming_minima(net: MLP, X, Y, layer: int, units, distances, *, loss: str = "squared_error", tolerance: float = 1e-9,
                    at_most: int = 200) -> list[IncomingPoint]:
    """Minimize the loss for one distance of the two units' incoming weights after another, each from the last.

    Parameters
    ----------
    net : MLP
        At a minimum.
    X, Y, loss
        As for :func:`~permsym_book.landscape.paths.permutation_path`.
    layer : int
    units : (int, int)
    distances : sequence of float
        Positive and decreasing, best in small steps.
    tolerance : float
        Of the gradient's norm along the constraint.
    at_most : int
        Newton steps for each distance.

    Returns
    -------
    list of IncomingPoint

    Raises
    ------
    TypeError, ValueError
        As :func:`~permsym_book.landscape.paths.permutation_path`, for units and data; for incoming weights that are equal
        already; and for a distance of 0 or less, where nothing need be near, or of another order than the weights.

    Examples
    --------
    >>> from permsym_book.landscape.problems import teacher_student
    >>> problem = teacher_student(1, seed=4)
    >>> points = incoming_minima(problem.net, problem.X, problem.Y, 0, problem.units, [0.2, 0.1, 0.05])
    >>> [round(p.distance * p.outgoing, 1) for p in points]
    [0.0, 0.0, 0.0]
    """
    distances = checked_sequence("distances", distances)
    distances = [float(checked_number(f"distances[{k}]", D, above=0)) for k, D in enumerate(distances)]
    tolerance, at_most, _ = checked_limits(tolerance, at_most)
    f, pair = Objective(net, X, Y, loss), IncomingPair(net, layer, units)
    outgoing, theta, points = Pair(net, layer, units), to_vector(net), []
    size = float(np.linalg.norm(theta[np.concatenate([pair.first, pair.second])]))
    if pair.distance(theta) <= SMALLEST * size:
        raise ValueError(f"units {pair.units} have the same incoming weights already, at distance {pair.distance(theta):.1e}; two"
                         " that differ are required, as there is no direction in which to hold equal ones apart")
    for k, D in enumerate(distances):
        if not SMALLEST * size <= D <= LARGEST * size:
            raise ValueError(f"distances[{k}] is {D}; between {SMALLEST:g} and {LARGEST:g} times {size:.3g}, the size of the"
                             " units' incoming weights, is required, where rounding leaves the units apart")
    for D in distances:
        found = minimized(f, theta, pair, D, tolerance=tolerance, at_most=at_most)
        theta = found.theta
        apart = np.linalg.norm(theta[outgoing.first[len(pair.first):]] - theta[outgoing.second[len(pair.second):]])
        points.append(IncomingPoint(D, found.value, float(apart), found.converged))
    return points
