"""A plane of parameters that a swap of two units maps onto itself, as a mirror."""

from __future__ import annotations

import numpy as np

from ..loop import loss_function
from ..mlp import MLP
from ..parameters import Parameters

DIRECTIONS = {
    "outgoing": "outgoing weights",
    "incoming": "incoming weights",
    "biases": "biases",
    "output": "output's bias",
}
_PART = {"outgoing": 2, "incoming": 0, "biases": 1, "output": 3}  # in W1, b1, W2, b2


def _dot(a: Parameters, b: Parameters) -> float:
    return sum(float((x * y).sum()) for x, y in zip(a.arrays(), b.arrays(), strict=True))


class Plane:
    """centre + a u + b v, with u from the network to its swap and v unchanged by the swap.

    The swap takes u to -u and v to v: the point (a, b) to (-a, b). Hence L(a, b) = L(-a, b).

    Parameters
    ----------
    net : MLP
        One hidden layer of two different units.
    X, Y : arrays (n, d), (n, q)
    direction : {"outgoing", "incoming", "biases", "output"}
        Which numbers v changes, all by the same amount.

    Attributes
    ----------
    half_width : float
        The network lies at (-half_width, 0), its swap at (half_width, 0).

    Examples
    --------
    >>> from permsym_book.widgets.problems import surface_problem
    >>> plane = Plane(*surface_problem(), "outgoing")
    >>> bool(abs(plane.loss(0.3, 0.5) - plane.loss(-0.3, 0.5)) < 1e-12)
    True
    """

    def __init__(self, net: MLP, X, Y, direction: str):
        swapped = net.permuted([1, 0]).parameters
        difference = swapped - net.parameters
        length = np.sqrt(_dot(difference, difference))
        self.net, self.half_width = net, length / 2
        self.centre = (net.parameters + swapped) * 0.5
        self.u = difference * (1 / length)
        ones = [np.full(A.shape, float(i == _PART[direction])) for i, A in enumerate(net.parameters.arrays())]
        v = Parameters([ones[0], ones[2]], [ones[1], ones[3]])
        self.v = v * (1 / np.sqrt(_dot(v, v)))
        self._function = loss_function(net, X, Y)

    def parameters(self, a: float, b: float) -> Parameters:
        """The parameters at (a, b)."""
        return self.centre + self.u * float(a) + self.v * float(b)

    def network(self, a: float, b: float) -> MLP:
        """The network at (a, b)."""
        return self.net.with_parameters(self.parameters(a, b))

    def loss(self, a: float, b: float) -> float:
        """The loss at (a, b)."""
        with np.errstate(all="ignore"):  # far out, where a descent has diverged, it is infinite
            return float(self._function(self.parameters(a, b))[0])

    def gradient(self, a: float, b: float) -> np.ndarray:
        """The gradient along u and v: the gradient of the loss, projected onto the plane."""
        gradients = self._function(self.parameters(a, b))[1]
        return np.array([_dot(gradients, self.u), _dot(gradients, self.v)])

    def descent(self, start, step_size: float, steps: int) -> np.ndarray:
        """Gradient descent within the plane; points (steps + 1, 2), fewer if it diverges."""
        path = [np.asarray(start, dtype=float)]
        for _ in range(steps):
            with np.errstate(all="ignore"):
                there = path[-1] - step_size * self.gradient(*path[-1])
            if not np.isfinite(there).all():
                break
            path.append(there)
        return np.array(path)
