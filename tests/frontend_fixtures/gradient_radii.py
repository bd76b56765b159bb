"""Gradients of networks and their rounding bounds in the arithmetic of balls (permsym_book.rounding.Ball)."""

from __future__ import annotations

import numpy as np

from permsym_book import MLP, Parameters, formulas
from permsym_book.activations import ACTIVATIONS, get_activation
from permsym_book.rounding import Ball, on_balls


def gradient_balls(net: MLP, X, Y) -> Parameters:
    """The gradient of the squared error with radii."""
    p, sigma = net.parameters.map(Ball), on_balls(get_activation(net.activation.name))
    passed = formulas.forward(p.weights, p.biases, [sigma], Ball(X))
    return Parameters(*formulas.backward(p.weights, p.biases, [sigma.derivative], Ball(X), passed, passed.O - Ball(Y)))


def fixture() -> dict:
    """``gradient_radii``: a list of cases."""
    rng, cases = np.random.default_rng(60), []
    for name in (n for n in ACTIVATIONS if n != "gelu"):
        for kink in (False, True):
            d, h, q, n = (int(v) for v in rng.integers([1, 3, 1, 1], [7, 9, 5, 9]))
            net = MLP.random((d, h, q), rng, scheme="normal", activation=name)
            X, Y = rng.standard_normal((n, d)), rng.standard_normal((n, q))
            if kink:  # a pre-activation of 0 that rounding leaves in doubt
                net = MLP.from_arrays(net.parameters.weights, [-(X @ net.parameters.W1)[0], net.parameters.b2], name)
            balls, p = gradient_balls(net, X, Y), net.parameters
            letters = ("W1", "b1", "W2", "b2")
            cases.append({"activation": name, "X": X.tolist(), "Y": Y.tolist(),
                          "network": {letter: getattr(p, letter).tolist() for letter in letters},
                          "gradients": {letter: getattr(balls, letter).value.tolist() for letter in letters},
                          "radii": {letter: getattr(balls, letter).radius.tolist() for letter in letters}})
    return {"gradient_radii": cases}
