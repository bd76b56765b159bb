"""What the laboratory trains and watches: equal units, relabelled twins, and the gaps between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from .loop import loss_function
from .mlp import MLP, identical_units
from .parameters import Parameters
from .permutation import Permutation

INPUTS, OUTPUTS, SAMPLES = 8, 3, 32


class Problem(NamedTuple):
    """A stack of networks, one for each seed, with data X (E, n, d), Y (E, n, q) of their own."""

    net: MLP
    X: np.ndarray
    Y: np.ndarray


def problem(seeds: Sequence[int], units: int = 8, identical: int = 0, activation: str = "tanh") -> Problem:
    """Regression on a random smooth function, with networks whose first ``identical`` hidden units are equal.

    >>> problem(range(5), units=6, identical=3).net.parameters.W1.shape
    (5, 8, 6)
    """
    nets, Xs, Ys = [], [], []
    for seed in seeds:
        rng = np.random.default_rng([1992, seed])
        net = MLP.random((INPUTS, units, OUTPUTS), rng, scheme="normal", activation=activation)
        net = net.with_parameters(net.parameters * (0.25 if activation == "square" else 0.5))
        nets.append(identical_units(net, 0, range(identical)) if identical > 1 else net)
        Xs.append(rng.standard_normal((SAMPLES, INPUTS)))
        Ys.append(np.tanh(Xs[-1] @ rng.standard_normal((INPUTS, OUTPUTS)) / 2))
    return Problem(MLP.stack(nets), np.stack(Xs), np.stack(Ys))


def _largest(A) -> np.ndarray:
    """The largest absolute entry of each network's array (E, a, b), as float64 (E,)."""
    plain = A.centred() if hasattr(A, "centred") else np.asarray(A)
    return abs(plain).max(axis=(-2, -1)).astype(np.float64)


def unit_gaps(parameters: Parameters, group: Sequence[int]) -> np.ndarray:
    """The largest difference between the units ``group`` of the first hidden layer, in each network of a
    stack.

    Returns
    -------
    array, shape (E,)
        Over incoming weights, bias and outgoing weights; 0 exactly when the units are equal.
    """
    first, rest = list(group[:1]), list(group[1:])
    W, b, V = parameters.weights[0], parameters.biases[0], parameters.weights[1]
    gaps = [_largest(W[..., rest] - W[..., first]), _largest(V[..., rest, :] - V[..., first, :])]
    if b is not None:
        gaps.append(_largest((b[..., rest] - b[..., first])[..., None, :]))
    return np.max(gaps, axis=0)


def distances(a: Parameters, b: Parameters) -> np.ndarray:
    """The largest difference of two stacks of parameters in each network, shape (E,)."""
    return np.max([_largest(x - y if x.ndim == 3 else (x - y)[..., None, :])
                   for x, y in zip(a.arrays(), b.arrays(), strict=True)], axis=0)


def cycle(units: int) -> Permutation:
    """A 3-cycle where there are three units, so that a wrong direction cannot hide, else the swap."""
    return Permutation.from_cycles([tuple(range(min(3, units)))], n=units)


def look_at(steps: int) -> list[int]:
    """0, 1, 2, 5, 10, 20, 50, ... and the last step.

    >>> look_at(30)
    [0, 1, 2, 5, 10, 20, 30]
    """
    powers = [m * 10**k for k in range(len(str(steps))) for m in (1, 2, 5)]
    return [0, *(t for t in powers if t < steps), *([steps] if steps else [])]


def recorder(path: dict, steps: int):
    at = {1, *look_at(steps)}

    def callback(t, net):
        if t in at:
            path[t] = net.parameters
    return callback


class Watch:
    """A callback that measures gaps: at every step for the largest, at some for the record.

    ``moved`` says of each network whether any parameter has changed since the start.
    """

    def __init__(self, steps, gap, loss=None):
        self.at, self.gap, self.loss = set(look_at(steps)), gap, loss
        self.takes_time = gap.__code__.co_argcount == 2
        self.times, self.gaps, self.losses = [], [], []
        self.largest, self.first, self.start, self.moved = 0.0, 0.0, None, None

    def __call__(self, t, net):
        p = net.parameters
        if self.takes_time and t not in self.at:
            return
        gap = self.gap(p, t) if self.takes_time else self.gap(p)
        self.largest = max(self.largest, float(gap.max()))
        if t == 0:
            self.start = p
        if t == 1:
            length = distances(p, self.start)
            self.first = float((gap / np.where(length > 0, length, 1)).max())
            self.moved = length > 0
        elif self.moved is not None and not self.moved.all():
            self.moved = self.moved | (distances(p, self.start) > 0)
        if t in self.at:
            self.times.append(t)
            self.gaps.append(gap)
            if self.loss is not None:
                self.losses.append(self.loss(net))

    def check_moved(self, optimizer, seeds) -> None:
        """Raise ValueError for networks that stayed where they were: equal units then stay equal under any
        rule."""
        if self.moved is None or self.moved.all():
            return
        still = ", ".join(str(s) for s, moved in zip(seeds, self.moved, strict=True) if not moved)
        named = f"step_size is {optimizer.step_size}" if hasattr(optimizer,
                                                                 "step_size") else f"optimizer is {optimizer}"
        raise ValueError(f"{named}: in {max(self.at)} steps no parameter of the networks of seeds {still} has"
                         " changed; steps that move every network are required")

    def series(self):
        return np.array(self.times), np.array(self.gaps), np.array(self.losses) if self.losses else None


def loss_of(problem, arithmetic):
    if arithmetic.name == "modp":
        return None
    X, Y = arithmetic.array(problem.X), arithmetic.array(problem.Y)

    def loss(net):
        value = loss_function(net, X, Y)(net.parameters)[0]
        return (value.floats() if hasattr(value, "floats") else np.asarray(value, dtype=float)) / SAMPLES
    return loss
