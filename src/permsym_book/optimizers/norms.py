"""Optimizers that look at the whole gradient, or a whole layer, through a number that no relabelling
changes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .base import NoState, Rule, bias_norm, by_kind, flat, scaled, total_norm, weight_norm, zeros
from .elementwise import Velocity

NORM = "scales by a norm, which no relabelling changes"


@dataclass(frozen=True)
class ClipNorm(Rule):
    """theta <- theta - eta g min(1, c / (||g|| + 1e-6)), the norm of all gradients together.

    That is ``torch.nn.utils.clip_grad_norm_``, then SGD.
    """

    name, reason = "clip_norm", NORM
    step_size: float = 1e-3
    max_norm: float = 1.0

    def update(self, params, gradients, state):
        clipped = scaled(gradients, np.minimum(1, self.max_norm / (total_norm(gradients) + 1e-6)))
        return params - clipped * self.step_size, NoState()


@dataclass(frozen=True)
class LARS(Rule):
    """v <- mu v + eta r (g + wd w); w <- w - v, with r = trust ||w|| / (||g|| + wd ||w||) for each array.

    You, Gitman and Ginsburg 2017; r is 1 where one of the norms is 0, as for biases that start at 0.
    """

    name, reason = "lars", NORM
    step_size: float = 0.1
    momentum: float = 0.9
    weight_decay: float = 1e-4
    trust: float = 1e-2

    def init(self, params):
        return Velocity(zeros(params))

    def update(self, params, gradients, state):
        def velocity(norm):
            def step(v, w, g):
                w_norm, g_norm = norm(w), norm(g)
                below = g_norm + self.weight_decay * w_norm
                known = (w_norm > 0) & (g_norm > 0)
                ratio = np.where(known, self.trust * w_norm / np.where(known, below, 1), 1).astype(w.dtype)
                return self.momentum * v + self.step_size * (ratio * (g + self.weight_decay * w))
            return step

        v = by_kind(velocity(weight_norm), velocity(bias_norm), state.velocity, params, gradients)
        return params - v, Velocity(v)


@dataclass(frozen=True)
class TopK(Rule):
    """``theta <- theta - eta g [|g| >= the k-th largest |g|]``, k = ceil(fraction count); ties are kept
    together.

    Taking exactly k entries would have to choose between equal ones by their index, and break the symmetry.
    """

    name, reason = "topk", "compares with a threshold that no relabelling changes; ties stay together"
    step_size: float = 1e-3
    fraction: float = 0.25

    def update(self, params, gradients, state):
        sizes = np.sort(abs(flat(gradients)), axis=-1)
        k = max(1, int(np.ceil(self.fraction * sizes.shape[-1])))
        least = sizes[..., -k]

        def step(axes):
            threshold = least.reshape(least.shape + (1,) * axes)
            return lambda w, g: w - self.step_size * np.where(abs(g) >= threshold, g, 0).astype(g.dtype)
        return by_kind(step(2), step(1), params, gradients), NoState()


RULES = (ClipNorm, LARS, TopK)
