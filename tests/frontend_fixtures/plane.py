"""Losses, gradients and descents in the plane of two permuted minima."""

from __future__ import annotations

import numpy as np

from permsym_book import MLP
from permsym_book.widgets.plane import DIRECTIONS, Plane


def fixture() -> dict:
    """``plane``: a list of cases."""
    rng, cases = np.random.default_rng(8), []
    for direction in DIRECTIONS:
        for activation, d, q in (("tanh", 1, 1), ("sigmoid", 2, 1), ("softplus", 2, 2)):
            net = MLP.random((d, 2, q), rng, scheme="normal", activation=activation)
            X, Y = rng.standard_normal((7, d)), rng.standard_normal((7, q))
            plane, points = Plane(net, X, Y, direction), rng.standard_normal((5, 2))
            p = net.parameters
            cases.append(
                {
                    "activation": activation,
                    "direction": direction,
                    "X": X.tolist(),
                    "Y": Y.tolist(),
                    "network": {letter: getattr(p, letter).tolist() for letter in ("W1", "b1", "W2", "b2")},
                    "half_width": plane.half_width,
                    "points": points.tolist(),
                    "step_size": 0.01,
                    "losses": [plane.loss(*point) for point in points],
                    "gradients": [plane.gradient(*point).tolist() for point in points],
                    "descent": plane.descent(points[0], 0.01, 20).tolist(),
                }
            )
    return {"plane": cases}
