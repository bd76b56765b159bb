"""Noises on the units, the gradients and the parameters: what is drawn for each unit can tell units apart."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arithmetic import like
from ..parameters import Parameters
from .base import PER_UNIT, SHARED, Noise


@dataclass(frozen=True)
class Dropout(Noise):
    """Each activation of each unit is kept with probability ``keep``, and then divided by it."""

    name, reason, breaks = "dropout", PER_UNIT, True
    keep: float = 0.5

    def masks(self, shapes, like_array, rng):
        return tuple(like((rng.random(shape) < self.keep) / self.keep, like_array) for shape in shapes)


@dataclass(frozen=True)
class DropoutShared(Noise):
    """For each sample all units of a layer are kept, with probability ``keep`` and divided by it, or none."""

    name, reason = "dropout_shared", SHARED
    keep: float = 0.5

    def masks(self, shapes, like_array, rng):
        draws = [(rng.random((*shape[:-1], 1)) < self.keep) / self.keep for shape in shapes]
        return tuple(like(np.repeat(u, shape[-1], axis=-1), like_array)
                     for u, shape in zip(draws, shapes, strict=True))


@dataclass(frozen=True)
class GradientNoise(Noise):
    """g + sigma N, a number for each weight."""

    name, reason, breaks = "gradient_noise", PER_UNIT, True
    sigma: float = 0.1

    def gradients(self, gradients, rng):
        return gradients.map(lambda g: g + like(self.sigma * rng.standard_normal(g.shape), g))


@dataclass(frozen=True)
class GradientNoiseShared(Noise):
    """g + sigma N, where all units of a hidden layer get the same numbers: one for each input, one for each
    output."""

    name, reason = "gradient_noise_shared", SHARED
    sigma: float = 0.1

    def gradients(self, gradients, rng):
        last = len(gradients.weights) - 1

        def draw(shape, shared_axes):
            small = tuple(1 if axis - len(shape) in shared_axes else size for axis, size in enumerate(shape))
            return np.broadcast_to(self.sigma * rng.standard_normal(small), shape)

        weights, biases = [], []
        for layer, (W, b) in enumerate(zip(gradients.weights, gradients.biases, strict=True)):
            axes = ([-2] if layer > 0 else []) + ([-1] if layer < last else [])
            weights.append(W + like(draw(W.shape, axes), W))
            biases.append(None if b is None else b + like(draw(b.shape, [-1] if layer < last else []), b))
        return Parameters._trusted(weights, biases)


@dataclass(frozen=True)
class WeightNoise(Noise):
    """theta + sigma N before each step, a number for each weight."""

    name, reason, breaks = "weight_noise", PER_UNIT, True
    sigma: float = 1e-3

    def parameters(self, parameters, t, rng):
        return parameters.map(lambda w: w + like(self.sigma * rng.standard_normal(w.shape), w))


@dataclass(frozen=True)
class Nudge(Noise):
    """``size`` added to the first incoming weight of hidden unit ``unit``, once, before the first step.

    Where the weight is so large that adding does not change it, the next float64 is taken. In arithmetics
    other than floating point the smallest step (1 / 4096) is added.
    """

    name, reason, breaks, exchangeable = "nudge", "one unit is singled out by hand", True, False
    size: float = 1e-16
    unit: int = 0

    def parameters(self, parameters, t, rng):
        if t:
            return parameters
        W = parameters.weights[0]
        if self.unit >= W.shape[-1]:
            raise ValueError(f"unit is {self.unit}; a unit below {W.shape[-1]} is required")
        where = np.zeros(W.shape)
        where[..., 0, self.unit] = 1
        if isinstance(W, np.ndarray) and W.dtype != object:
            moved = W + like(where * self.size, W)
            same = (moved == W) & (where > 0)
            moved = np.where(same, np.nextafter(W, W.dtype.type(np.inf)), moved).astype(W.dtype).view(type(W))
        else:
            moved = W + like(where / 4096, W)
        return Parameters._trusted([moved, *parameters.weights[1:]], parameters.biases)


NOISES = (GradientNoiseShared, GradientNoise, DropoutShared, Dropout, WeightNoise, Nudge)
