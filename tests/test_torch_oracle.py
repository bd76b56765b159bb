"""Losses and gradients against torch.autograd in float64, for every activation."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from permsym_book import MLP, Parameters, formulas
from permsym_book.rounding import Ball
from strategies import NAMES, balls, hidden, parameters, seeds

torch = pytest.importorskip("torch",
                            reason="PyTorch is not installed; `make test-torch` makes an environment with it")
pytestmark = pytest.mark.torch

FUNCTIONS = {
    "identity": lambda z: z,
    "relu": torch.relu,
    "leaky_relu": lambda z: torch.nn.functional.leaky_relu(z, 1 / 128),
    "tanh": torch.tanh,
    "sigmoid": torch.sigmoid,
    "gelu": torch.nn.functional.gelu,
    "softplus": torch.nn.functional.softplus,
    "sin": torch.sin,
    "square": torch.square,
    "hardtanh": torch.nn.functional.hardtanh,
}


def torch_loss_and_gradients(net, X, Y, loss):
    weights = [torch.tensor(np.array(W), requires_grad=True) for W in net.parameters.weights]
    biases = [torch.tensor(np.array(b), requires_grad=True) for b in net.parameters.biases]
    A = torch.tensor(X)
    for layer, (W, b) in enumerate(zip(weights, biases, strict=True)):
        A = A @ W + b
        if layer < len(weights) - 1:
            A = FUNCTIONS[net.activation.name](A)
    if loss == "squared_error":
        value = ((A - torch.tensor(Y)) ** 2).sum() / 2
    else:
        value = torch.nn.functional.cross_entropy(A, torch.tensor(Y), reduction="sum")
    grads = torch.autograd.grad(value, weights + biases, allow_unused=True, materialize_grads=True)
    return value.item(), [g.numpy() for g in grads]


@settings(max_examples=20)
@pytest.mark.parametrize("loss", ["squared_error", "cross_entropy"])
@pytest.mark.parametrize("name", NAMES)
@given(hidden, seeds, st.integers(1, 6))
def test_losses_and_gradients_are_those_of_autograd(name, loss, shape, seed, n):
    rng = np.random.default_rng(seed)
    net = MLP(parameters("float64", shape, rng) * 0.7, name)
    X = rng.standard_normal((n, shape[0]))
    Y = rng.standard_normal((n, shape[-1])) if loss == "squared_error" else rng.integers(0, shape[-1], n)
    for z in net.forward(X).Z:
        assume(all((abs(z - kink) > 1e-9).all() for kink in net.activation.kinks))
    value, grads = net.loss_and_gradients(X, Y, loss)
    expected_value, expected = torch_loss_and_gradients(net, X, Y, loss)
    if loss == "squared_error":
        ball_value, ball_grads = balls(net).loss_and_gradients(Ball(X), Ball(Y))
    else:  # the bound of the outputs, carried into delta_O: softmax has slopes of at most 1/2
        ball = balls(net)
        passed = ball.forward(Ball(X))
        radius = passed.O.radius.max(axis=1, keepdims=True) + 64 * 2.0**-53 * (1 + abs(passed.O.value).max())
        shifted = np.exp(passed.O.value - passed.O.value.max(axis=1, keepdims=True))
        delta = shifted / shifted.sum(axis=1, keepdims=True) - np.eye(shape[-1])[Y]
        p = ball.parameters
        dsigmas = [ball.activation.derivative] * len(net.hidden_widths)
        ball_delta = Ball(delta, np.broadcast_to(radius, delta.shape))
        ball_grads = Parameters(*formulas.backward(p.weights, p.biases, dsigmas, Ball(X), passed, ball_delta))
        ball_value = Ball(value, 2 * radius.sum() * (1 + abs(value)))
    assert abs(value - expected_value) <= 2 * ball_value.radius
    bounds = [g.radius for g in ball_grads.weights + ball_grads.biases]
    for ours, theirs, bound in zip(grads.weights + grads.biases, expected, bounds, strict=True):
        assert (abs(ours - theirs) <= 2 * bound).all()
