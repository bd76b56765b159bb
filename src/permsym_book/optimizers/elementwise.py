"""Optimizers that treat every weight alike: the same function of its own history, wherever the weight sits.

Such a rule commutes with every relabelling, exactly, in any arithmetic. Products are taken entry by
entry; g is the gradient, theta the parameters, eta the step size.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..parameters import Parameters
from .base import NoState, Rule, zeros

ALIKE = "acts on every weight alike"


class Velocity(NamedTuple):
    velocity: Parameters


class Squares(NamedTuple):
    squares: Parameters


class Moments(NamedTuple):
    t: int
    first: Parameters
    second: Parameters


@dataclass(frozen=True)
class SGD(Rule):
    """theta <- theta - eta g (eq-sgd-step)."""

    name, reason, any_ring = "sgd", ALIKE, True
    step_size: float = 1e-3

    def update(self, params, gradients, state):
        return params - gradients * self.step_size, state


@dataclass(frozen=True)
class Momentum(Rule):
    """v <- mu v + g; theta <- theta - eta v (torch.optim.SGD with momentum mu)."""

    name, reason, any_ring = "momentum", ALIKE, True
    step_size: float = 1e-3
    momentum: float = 0.9

    def init(self, params):
        return Velocity(zeros(params))

    def update(self, params, gradients, state):
        v = state.velocity * self.momentum + gradients
        return params - v * self.step_size, Velocity(v)


@dataclass(frozen=True)
class Nesterov(Momentum):
    """v <- mu v + g; theta <- theta - eta (g + mu v) (torch.optim.SGD with nesterov=True)."""

    name = "nesterov"

    def update(self, params, gradients, state):
        v = state.velocity * self.momentum + gradients
        return params - (gradients + v * self.momentum) * self.step_size, Velocity(v)


@dataclass(frozen=True)
class Adagrad(Rule):
    """s <- s + g^2; theta <- theta - eta g / (sqrt(s) + eps) (torch.optim.Adagrad)."""

    name, reason = "adagrad", ALIKE
    step_size: float = 1e-2
    eps: float = 1e-10

    def init(self, params):
        return Squares(zeros(params))

    def update(self, params, gradients, state):
        s = state.squares.map(lambda s, g: s + g * g, gradients)
        moved = params.map(lambda w, g, s: w - self.step_size * (g / (np.sqrt(s) + self.eps)), gradients, s)
        return moved, Squares(s)


@dataclass(frozen=True)
class RMSprop(Rule):
    """s <- alpha s + (1 - alpha) g^2; theta <- theta - eta g / (sqrt(s) + eps) (torch.optim.RMSprop)."""

    name, reason = "rmsprop", ALIKE
    step_size: float = 1e-2
    alpha: float = 0.99
    eps: float = 1e-8

    def init(self, params):
        return Squares(zeros(params))

    def update(self, params, gradients, state):
        s = state.squares.map(lambda s, g: self.alpha * s + (1 - self.alpha) * (g * g), gradients)
        moved = params.map(lambda w, g, s: w - self.step_size * (g / (np.sqrt(s) + self.eps)), gradients, s)
        return moved, Squares(s)


@dataclass(frozen=True)
class Adam(Rule):
    """m <- b1 m + (1 - b1) g; v <- b2 v + (1 - b2) g^2;
    theta <- theta - (eta / (1 - b1^t)) m / (sqrt(v) / sqrt(1 - b2^t) + eps) (torch.optim.Adam)."""

    name, reason = "adam", ALIKE
    step_size: float = 1e-3
    beta1: float = 0.9
    beta2: float = 0.999
    eps: float = 1e-8

    def init(self, params):
        return Moments(0, zeros(params), zeros(params))

    def update(self, params, gradients, state):
        t = state.t + 1
        m = state.first.map(lambda m, g: self.beta1 * m + (1 - self.beta1) * g, gradients)
        v = state.second.map(lambda v, g: self.beta2 * v + (1 - self.beta2) * (g * g), gradients)
        rate, root = self.step_size / (1 - self.beta1**t), (1 - self.beta2**t) ** 0.5
        moved = params.map(lambda w, m, v: w - rate * (m / (np.sqrt(v) / root + self.eps)), m, v)
        return moved, Moments(t, m, v)


@dataclass(frozen=True)
class AdamW(Adam):
    """theta <- theta (1 - eta wd), then the step of Adam (torch.optim.AdamW)."""

    name = "adamw"
    weight_decay: float = 1e-2

    def update(self, params, gradients, state):
        return super().update(params * (1 - self.step_size * self.weight_decay), gradients, state)


@dataclass(frozen=True)
class Lion(Rule):
    """u = sign(b1 m + (1 - b1) g); theta <- theta - eta (u + wd theta); m <- b2 m + (1 - b2) g (Chen et al.
    2023)."""

    name, reason = "lion", ALIKE
    step_size: float = 1e-4
    beta1: float = 0.9
    beta2: float = 0.99
    weight_decay: float = 0.0

    def init(self, params):
        return Velocity(zeros(params))

    def update(self, params, gradients, state):
        u = state.velocity.map(lambda m, g: np.sign(self.beta1 * m + (1 - self.beta1) * g), gradients)
        moved = params.map(lambda w, u: w - self.step_size * (u + self.weight_decay * w), u)
        m = state.velocity.map(lambda m, g: self.beta2 * m + (1 - self.beta2) * g, gradients)
        return moved, Velocity(m)


@dataclass(frozen=True)
class Sign(Rule):
    """theta <- theta - eta sign(g)."""

    name, reason = "sign", ALIKE
    step_size: float = 1e-3

    def update(self, params, gradients, state):
        return params.map(lambda w, g: w - self.step_size * np.sign(g), gradients), NoState()


@dataclass(frozen=True)
class ClipValue(Rule):
    """theta <- theta - eta min(max(g, -c), c) (``torch.nn.utils.clip_grad_value_``, then SGD)."""

    name, reason = "clip_value", ALIKE
    step_size: float = 1e-3
    max_value: float = 1.0

    def update(self, params, gradients, state):
        c = self.max_value
        return params.map(lambda w, g: w - self.step_size * np.clip(g, -c, c), gradients), NoState()


RULES = (SGD, Momentum, Nesterov, Adagrad, RMSprop, Adam, AdamW, Lion, Sign, ClipValue)
