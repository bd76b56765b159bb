"""Noises on the batch: whatever they draw, every hidden unit sees the same samples."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arithmetic import like
from .base import KEEPS, Noise, is_labels


def _rows(Y, rows):
    return Y[..., rows] if is_labels(Y) else Y[..., rows, :]


@dataclass(frozen=True)
class Minibatch(Noise):
    """``size`` samples drawn without repetition (all, if there are not more)."""

    name, reason = "minibatch", KEEPS
    size: int = 8

    def batch(self, X, Y, rng):
        rows = rng.permutation(X.shape[-2])[:self.size]
        return X[..., rows, :], _rows(Y, rows)


@dataclass(frozen=True)
class InputNoise(Noise):
    """X + sigma N, N standard normal."""

    name, reason = "input_noise", KEEPS
    sigma: float = 0.1

    def batch(self, X, Y, rng):
        return X + like(self.sigma * rng.standard_normal(X.shape), X), Y


@dataclass(frozen=True)
class Flips(Noise):
    """Each sample has its features in reverse order with the given probability, as an image that is
    mirrored."""

    name, reason = "flips", KEEPS
    probability: float = 0.5

    def batch(self, X, Y, rng):
        flipped = (rng.random((*X.shape[:-1], 1)) < self.probability).astype(float)
        return X[..., ::-1] * like(flipped, X) + X * like(1 - flipped, X), Y


@dataclass(frozen=True)
class Mixup(Noise):
    """lambda X + (1 - lambda) X[order], the same for Y, with lambda from Beta(alpha, alpha) for each
    sample."""

    name, reason = "mixup", KEEPS
    alpha: float = 1.0

    def batch(self, X, Y, rng):
        if is_labels(Y):
            raise ValueError("noise 'mixup' mixes targets; real targets Y (n, q) are required, not labels")
        n = X.shape[-2]
        order, share = rng.permutation(n), rng.beta(self.alpha, self.alpha, (n, 1))
        here, there = like(share, X), like(1 - share, X)
        return X * here + X[..., order, :] * there, Y * here + Y[..., order, :] * there


@dataclass(frozen=True)
class LabelNoise(Noise):
    """Y + sigma N; a class label is replaced by a random one of the labels with probability sigma instead."""

    name, reason = "label_noise", KEEPS
    sigma: float = 0.1

    def batch(self, X, Y, rng):
        if is_labels(Y):
            others = rng.choice(np.unique(Y), Y.shape).astype(Y.dtype)
            return X, np.where(rng.random(Y.shape) < self.sigma, others, Y)
        return X, Y + like(self.sigma * rng.standard_normal(Y.shape), Y)


@dataclass(frozen=True)
class DropoutInput(Noise):
    """Each entry of X is kept with probability ``keep``, and then divided by it."""

    name, reason = "dropout_input", KEEPS
    keep: float = 0.5

    def batch(self, X, Y, rng):
        return X * like((rng.random(X.shape) < self.keep) / self.keep, X), Y


NOISES = (Minibatch, InputNoise, Flips, Mixup, LabelNoise, DropoutInput)
