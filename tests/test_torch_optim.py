"""The optimizers that torch.optim has, against it: the same gradients, 100 steps in float64, to 1e-10."""

import numpy as np
import pytest

from permsym_book import MLP, optimizers
from permsym_book.training import loss_function

torch = pytest.importorskip("torch",
                            reason="PyTorch is not installed; `make test-torch` makes an environment with it")
pytestmark = pytest.mark.torch


def clipped(clip, *limit):
    class Clipped(torch.optim.SGD):
        def step(self):
            clip(self.param_groups[0]["params"], *limit)
            super().step()
    return Clipped


CASES = {
    "sgd": (torch.optim.SGD, {"lr": 0.01}, {"step_size": 0.01}),
    "momentum": (torch.optim.SGD, {"lr": 0.01, "momentum": 0.9}, {"step_size": 0.01}),
    "nesterov": (torch.optim.SGD, {"lr": 0.01, "momentum": 0.9, "nesterov": True}, {"step_size": 0.01}),
    "adagrad": (torch.optim.Adagrad, {}, {}),
    "rmsprop": (torch.optim.RMSprop, {}, {}),
    "adam": (torch.optim.Adam, {}, {}),
    "adamw": (torch.optim.AdamW, {}, {}),
    "clip_norm": (clipped(torch.nn.utils.clip_grad_norm_, 0.5), {"lr": 0.1},
                  {"step_size": 0.1, "max_norm": 0.5}),
    "clip_value": (clipped(torch.nn.utils.clip_grad_value_, 0.3), {"lr": 0.1},
                   {"step_size": 0.1, "max_value": 0.3}),
}


def setting():
    rng = np.random.default_rng(1992)
    net = MLP.random((3, 5, 2), rng, scheme="normal")
    return net, loss_function(net, rng.standard_normal((10, 3)), rng.standard_normal((10, 2)))


def arrays_in_torch(p, transposed=False):
    return [torch.tensor(np.array(A.T if transposed and A.ndim == 2 else A), requires_grad=True)
            for A in p.arrays()]


@pytest.mark.parametrize("name", CASES)
def test_one_hundred_steps(name):
    kind, theirs, options = CASES[name]
    net, function = setting()
    rule = optimizers.get(name, **options)
    params, state, tensors = net.parameters, rule.init(net.parameters), arrays_in_torch(net.parameters)
    optimizer = kind(tensors, **theirs)
    for _ in range(100):
        _, gradients = function(params)
        for tensor, g in zip(tensors, gradients.arrays(), strict=True):
            tensor.grad = torch.tensor(np.array(g))
        optimizer.step()
        params, state = rule.update(params, gradients, state)
    moved = max(abs(A - B).max() for A, B in zip(params.arrays(), net.parameters.arrays(), strict=True))
    assert moved > 1e-2
    for ours, tensor in zip(params.arrays(), tensors, strict=True):
        np.testing.assert_allclose(ours, tensor.detach().numpy(), rtol=0, atol=1e-10)


@pytest.mark.skipif(not hasattr(torch.optim, "Muon"), reason="this PyTorch has no Muon")
def test_muon_without_the_rounding_to_bfloat16(monkeypatch):
    monkeypatch.setattr(torch.Tensor, "bfloat16", lambda self: self.clone())
    net, function = setting()
    rule = optimizers.get("muon")
    params, state = net.parameters, rule.init(net.parameters)
    tensors = [torch.tensor(np.array(W.T), requires_grad=True) for W in params.weights]
    optimizer = torch.optim.Muon(tensors)
    for _ in range(100):
        _, gradients = function(params)
        for tensor, G in zip(tensors, gradients.weights, strict=True):
            tensor.grad = torch.tensor(np.array(G.T))
        optimizer.step()
        params, state = rule.update(params, gradients, state)
    for ours, tensor in zip(params.weights, tensors, strict=True):
        np.testing.assert_allclose(ours, tensor.detach().numpy().T, rtol=0, atol=1e-10)
