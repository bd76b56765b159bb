"""Splits, walks and losses of the flat valley."""

from __future__ import annotations

import numpy as np

from permsym_book import MLP, Permutation
from permsym_book.activations import get_activation
from permsym_book.landscape.vector import to_vector
from permsym_book.parameters import Parameters
from permsym_book.rounding import Ball, on_balls
from permsym_book.widgets.valley import Valley, along, moves_to

PER_LEG = 12


def loss_radius(net: MLP, X, Y) -> float:
    """The bound on the loss's rounding error by Balls."""
    p = net.parameters
    balls = MLP(
        Parameters([Ball(p.W1), Ball(p.W2)], [Ball(p.b1), Ball(p.b2)]),
        on_balls(get_activation(net.activation.name)),
    )
    delta = balls(Ball(X)) - Ball(Y)
    return float((delta * delta).sum(0).sum(0).half().radius)


def fixture() -> dict:
    """``valley``: a list of cases."""
    rng, cases = np.random.default_rng(29), []
    for activation, d, r, q in (
        ("tanh", 1, 3, 2),
        ("sigmoid", 2, 2, 1),
        ("softplus", 3, 4, 3),
        ("relu", 1, 1, 1),
        ("sin", 2, 3, 4),
    ):
        net = MLP.random((d, r, q), rng, scheme="normal", activation=activation)
        X, Y, unit = rng.standard_normal((9, d)), rng.standard_normal((9, q)), int(rng.integers(r))
        share, push = float(rng.uniform(-1, 2)), float(rng.uniform(-1, 1)) if q > 1 else 0.0
        valley, p = Valley(net, unit), net.parameters
        for perm in (Permutation.random(r + 1, rng), Permutation(range(r + 1))):
            legs = valley.walk(perm, share, push)
            points = [net.with_parameters(theta) for theta in along(legs, PER_LEG)]
            cases.append(
                {
                    "activation": activation,
                    "network": {letter: getattr(p, letter).tolist() for letter in ("W1", "b1", "W2", "b2")},
                    "X": X.tolist(),
                    "Y": Y.tolist(),
                    "unit": unit,
                    "share": share,
                    "push": push,
                    "perm": perm.indices.tolist(),
                    "moves": [list(move) for move in moves_to(perm)],
                    "legs": [leg.kind for leg in legs],
                    "parameters": [to_vector(point).tolist() for point in points],
                    "losses": [float(point.loss(X, Y)) for point in points],
                    "slopes": [
                        float(np.linalg.norm(to_vector(point.loss_and_gradients(X, Y)[1])))
                        for point in points
                    ],
                    "base": float(net.loss(X, Y)),
                    "radius": loss_radius(net, X, Y),
                }
            )
    return {"valley": cases}
