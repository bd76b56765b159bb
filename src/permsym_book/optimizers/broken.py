"""Rules that depend on the index of a weight, and therefore break the symmetry at the first step.

Their random numbers are those of :mod:`permsym_book.counter`, a function of the seed and the step, so that
the rules are pure and the widgets compute the same ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from .. import counter
from ..parameters import Parameters
from .base import Rule, flat, unflat

INDEX = "depends on the index of the weight"


class Rates(NamedTuple):
    rates: Parameters


class Steps(NamedTuple):
    t: int


def drawn(params: Parameters, seed: int, stream: int) -> Parameters:
    """Uniform numbers in [0, 1), one for each weight in the order of W1, b1, W2, ..., network after
    network."""
    numbers = flat(params)
    uniforms = counter.uniforms(seed, stream, numbers.size).reshape(numbers.shape)
    return unflat(uniforms.astype(numbers.dtype), params)


@dataclass(frozen=True)
class PerParameterRates(Rule):
    """theta <- theta - eta r g, r drawn once for each weight, uniform on 1 - spread to 1 + spread."""

    name, reason = "per_parameter_rates", INDEX
    step_size: float = 1e-3
    spread: float = 0.5
    seed: int = 0

    def init(self, params):
        return Rates(drawn(params, self.seed, 0).map(lambda u: 1 + self.spread * (2 * u - 1)))

    def update(self, params, gradients, state):
        return params.map(lambda w, g, r: w - self.step_size * (r * g), gradients, state.rates), state


@dataclass(frozen=True)
class RandomCoordinates(Rule):
    """theta <- theta - eta m g, m = 1 with probability ``fraction`` and else 0, for each weight at each
    step."""

    name, reason = "random_coordinates", INDEX
    step_size: float = 1e-3
    fraction: float = 0.5
    seed: int = 0

    def init(self, params):
        return Steps(0)

    def update(self, params, gradients, state):
        u = drawn(params, self.seed, state.t)
        moved = params.map(lambda w, g,
                           u: w - self.step_size * np.where(u < self.fraction, g, 0).astype(g.dtype),
                           gradients, u)
        return moved, Steps(state.t + 1)


RULES = (PerParameterRates, RandomCoordinates)
