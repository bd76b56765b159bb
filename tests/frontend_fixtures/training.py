"""Steps of training, recorded in Python: 1,000 states of every optimizer and every noise."""

from __future__ import annotations

import numpy as np

from permsym_book import MLP, Parameters, noise, optimizers
from permsym_book.optimizers.base import flat
from permsym_book.widgets.lockstep import INITS, OPTIMIZERS, PURPOSES, Draws, drawn_step, initial, trained
from permsym_book.widgets.lockstep import STEP_SIZES as PAGE_STEP_SIZES

STATES = 1000
# Step sizes at which the training neither ends nor diverges within the recorded steps.
STEP_SIZES = {
    "sgd": 0.01,
    "momentum": 1e-3,
    "nesterov": 1e-3,
    "adagrad": 0.05,
    "rmsprop": 3e-3,
    "adam": 3e-3,
    "lion": 3e-4,
    "sign": 3e-4,
}
DECISIVE = 1e-11  # a sign is a fair comparison where its argument is larger than rounding


def packed(theta: Parameters) -> np.ndarray:
    """W1, b1, W2, b2 in one row, as core/packed.js has them."""
    return np.concatenate([A.ravel() for A in theta.arrays()])


def problem():
    """A network of three units, 12 samples, targets that it cannot meet: gradients never vanish."""
    rng = np.random.default_rng(56)
    net, X = MLP.random((2, 3, 2), rng, scheme="normal"), rng.standard_normal((12, 2))
    return net, X, np.tanh(X @ rng.standard_normal((2, 2))) + 0.3 * rng.standard_normal((12, 2))


def numbers_of(state) -> dict:
    """An optimizer's state as core/optimizers.js names it."""
    found = {}
    for ours, theirs in (
        ("first", "first"),
        ("velocity", "first"),
        ("second", "second"),
        ("squares", "second"),
    ):
        if hasattr(state, ours):
            found[theirs] = packed(getattr(state, ours)).tolist()
    return found


def least_sign_argument(rule, net, state, X, Y) -> float:
    """The smallest number whose sign decides a step."""
    gradients = net.loss_and_gradients(X, Y)[1]
    seen = gradients if rule.name == "sign" else state.velocity * rule.beta1 + gradients * (1 - rule.beta1)
    return float(abs(flat(seen)).min())


def optimizer_case(name: str) -> dict:
    net, X, Y = problem()
    rule = optimizers.get(name, step_size=STEP_SIZES[name])
    path = list(trained(net, X, Y, rule, STATES))
    if name in ("sign", "lion"):
        assert min(least_sign_argument(rule, n, s, X, Y) for n, s in path[:-1]) > DECISIVE
    return {
        "name": name,
        "step_size": STEP_SIZES[name],
        "X": X.tolist(),
        "Y": Y.tolist(),
        "theta": [packed(n.parameters).tolist() for n, _ in path],
        "states": [numbers_of(s) for _, s in path],
    }


def noise_case(names, optimizer: str = "sgd", seed: int = 9) -> dict:
    """Steps under some noises, with what was drawn in each of them."""
    net, X, Y = problem()
    rule = optimizers.get(optimizer, step_size=STEP_SIZES[optimizer])
    noises = [noise.get(n) for n in names]
    path = list(trained(net, X, Y, rule, STATES, seed, noises))
    draws = []
    for t, (before, _) in enumerate(path[:-1]):
        params, X_t, Y_t, mask = drawn_step(before, X, Y, noises, seed, t)
        draws.append(
            {
                "theta": packed(params).tolist(),
                "X": X_t.tolist(),
                "Y": Y_t.tolist(),
                "mask": None if mask is None else mask.tolist(),
            }
        )
    return {
        "names": list(names),
        "optimizer": optimizer,
        "step_size": STEP_SIZES[optimizer],
        "seed": seed,
        "X": X.tolist(),
        "Y": Y.tolist(),
        "theta": [packed(n.parameters).tolist() for n, _ in path],
        "states": [numbers_of(s) for _, s in path],
        "draws": draws,
    }


def stream_case(seed: int, step: int, purpose: str) -> dict:
    d = Draws(seed, step, purpose)
    return {
        "seed": seed,
        "step": step,
        "purpose": PURPOSES.index(purpose),
        "uniforms": d.random(5).tolist(),
        "normals": d.standard_normal(3).tolist(),
        "order": d.permutation(9).tolist(),
    }


def fixture() -> dict:
    """``training``: ``optimizers``, ``noises``, ``streams``, ``starts`` and the page's ``step_sizes``."""
    cases = [([name], "sgd") for name in PURPOSES] + [(PURPOSES, "adam"), (PURPOSES[:5], "momentum")]
    starts = [
        {"scheme": scheme, "seed": seed, "theta": packed(initial(scheme, seed, (3, 5, 2))).tolist()}
        for scheme in INITS
        if scheme != "given"
        for seed in (1, 77)
    ]
    return {
        "training": {
            "starts": starts,
            "step_sizes": PAGE_STEP_SIZES,
            "sizes": {"d": 2, "h": 3, "q": 2},
            "optimizers": [optimizer_case(name) for name in OPTIMIZERS],
            "noises": [noise_case(*case) for case in cases],
            "streams": [
                stream_case(s, t, p)
                for s, t, p in [(1, 0, "minibatch"), (7, 12345, "dropout"), (2**32 - 1, 3, "nudge")]
            ],
        }
    }
