"""The networks and data that the training widgets start with, and the base of those widgets."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..mlp import MLP
from .base import NetworkWidget
from .lockstep import initial


def _network(scheme: str, seed: int, widths, scale: float = 1.0) -> MLP:
    p = initial(scheme, seed, widths) * scale
    return MLP.from_arrays(p.weights, p.biases, "tanh")


def twin_problem() -> tuple[MLP, np.ndarray, np.ndarray]:
    """A 2-16-1 network and 64 samples of a smooth function of two inputs.

    >>> [np.shape(A) for A in twin_problem()[1:]]
    [(64, 2), (64, 1)]
    """
    X = np.random.default_rng(64).uniform(-2, 2, (64, 2)).round(2)
    return _network("xavier", 1, (2, 16, 1)), X, (np.sin(2 * X[:, :1]) * np.cos(X[:, 1:])).round(2)


def lab_problem() -> tuple[MLP, np.ndarray, np.ndarray]:
    """A 3-6-2 network and 32 samples of a smooth function, which three identical units cannot fit.

    >>> [np.shape(A) for A in lab_problem()[1:]]
    [(32, 3), (32, 2)]
    """
    rng = np.random.default_rng(32)
    X = rng.standard_normal((32, 3)).round(2)
    return (
        _network("normal", 3, (3, 6, 2), 0.5),
        X,
        np.tanh(2 * X @ rng.standard_normal((3, 4))).dot(rng.standard_normal((4, 2))).round(2),
    )


def surface_problem() -> tuple[MLP, np.ndarray, np.ndarray]:
    """A 1-2-1 network that fits 21 samples exactly, so that it is a minimum of the loss.

    >>> net, X, Y = surface_problem()
    >>> float(net.loss(X, Y))
    0.0
    """
    X = np.linspace(-2, 2, 21)[:, None].round(2)
    net = MLP.from_arrays([[[1.6, 0.5]], [[0.9], [-1.4]]], [[-0.8, 0.6], [0.2]], "tanh")
    return net, X, net(X)


class TrainingWidget(NetworkWidget):
    """Base of the widgets that train a network on data: with a network of one's own, X and Y are required."""

    problem: Callable  # gives the network and the data that the widget starts with

    def __init__(self, **traits):
        if "network" not in traits:
            net, X, Y = type(self).problem()
            traits = {"network": net, "X": X, "Y": Y} | traits
        if isinstance(traits["network"], MLP):
            traits.setdefault("activation", traits["network"].activation.name)
        for name in ("X", "Y"):
            if name not in traits:
                raise TypeError(f"{name} is missing; with a network of your own its data X and Y are required")
        super().__init__(**traits)
