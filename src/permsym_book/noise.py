"""Noises of training, each at the point where it acts: the batch, the units' masks, the gradients, the parameters.

A noise is drawn from a given generator and never modifies what it is given. Whatever happens to the batch cannot
tell hidden units apart; a draw for each unit or each weight can.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from numbers import Integral, Real
from typing import ClassVar

import numpy as np

from .arithmetic import like
from .parameters import Parameters, checked_permutations

KEEPS = "every unit sees the same batch"
SHARED = "one draw shared by all units"
PER_UNIT = "a draw for each unit: broken along a path, not in law"


@dataclass(frozen=True)
class Noise:
    """A noise that does nothing; each kind overrides the point where it acts.

    Attributes
    ----------
    name : str
        What :func:`get` knows it by.
    reason : str
        What it does to the symmetry, in a line.
    breaks : bool
        Whether a draw of it can tell two units of a layer apart.
    exchangeable : bool
        Whether its law is the same for relabelled units.
    """

    name: ClassVar[str]
    reason: ClassVar[str]
    breaks: ClassVar[bool] = False
    exchangeable: ClassVar[bool] = True

    def __post_init__(self):
        for field in dataclasses.fields(self):
            _check_option(field.name, getattr(self, field.name), field.default)

    def batch(self, X, Y, rng: np.random.Generator) -> tuple:
        """The samples X (..., n, d) and targets Y of this step."""
        return X, Y

    def masks(self, shapes, like_array, rng: np.random.Generator) -> tuple | None:
        """What the activations of each hidden layer, of these shapes (..., n, h_l), are multiplied by; None for 1."""
        return None

    def gradients(self, gradients: Parameters, rng: np.random.Generator) -> Parameters:
        """The gradients that the optimiser sees."""
        return gradients

    def parameters(self, parameters: Parameters, t: int, rng: np.random.Generator) -> Parameters:
        """The parameters with which step t = 0, 1, ... begins."""
        return parameters


_UNIT_INTERVAL = ("keep", "probability")


def _check_option(name, value, default) -> None:
    whole = isinstance(default, int)
    kind = Integral if whole else Real
    if isinstance(value, bool) or not isinstance(value, kind):
        raise TypeError(f"{name} is {value!r} of type {type(value).__name__}; {'an integer' if whole else 'a number'}"
                        " is required")
    if name in _UNIT_INTERVAL and not 0 < value <= 1:
        raise ValueError(f"{name} is {value!r}; a number above 0 and at most 1 is required")
    least = 1 if name == "size" and whole else 0
    if not least <= value < np.inf:
        raise ValueError(f"{name} is {value!r}; a finite number of at least {least} is required")


def is_labels(Y) -> bool:
    """Whether Y holds class labels (..., n) rather than targets (..., n, q)."""
    return isinstance(Y, np.ndarray) and Y.dtype.kind in "iu"


def _rows(Y, rows):
    return Y[..., rows] if is_labels(Y) else Y[..., rows, :]


# ---- on the batch ---------------------------------------------------------------------------------


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
    """Each sample has its features in reverse order with the given probability, as an image that is mirrored."""

    name, reason = "flips", KEEPS
    probability: float = 0.5

    def batch(self, X, Y, rng):
        flipped = (rng.random((*X.shape[:-1], 1)) < self.probability).astype(float)
        return X[..., ::-1] * like(flipped, X) + X * like(1 - flipped, X), Y


@dataclass(frozen=True)
class Mixup(Noise):
    """lambda X + (1 - lambda) X[order], the same for Y, with lambda from Beta(alpha, alpha) for each sample."""

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


# ---- on the units ---------------------------------------------------------------------------------


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
        return tuple(like(np.repeat(u, shape[-1], axis=-1), like_array) for u, shape in zip(draws, shapes, strict=True))


# ---- on the gradients and the parameters ----------------------------------------------------------


@dataclass(frozen=True)
class GradientNoise(Noise):
    """g + sigma N, a number for each weight."""

    name, reason, breaks = "gradient_noise", PER_UNIT, True
    sigma: float = 0.1

    def gradients(self, gradients, rng):
        return gradients.map(lambda g: g + like(self.sigma * rng.standard_normal(g.shape), g))


@dataclass(frozen=True)
class GradientNoiseShared(Noise):
    """g + sigma N, where all units of a hidden layer get the same numbers: one for each input, one for each output."""

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

    Where the weight is so large that adding does not change it, the next float64 is taken. In arithmetics other than
    floating point the smallest step (1 / 4096) is added.
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


class Relabelled:
    """A noise seen by a relabelled network: put back the old labels, apply the noise, relabel again.

    With the same draws, a relabelled network under it trains as the relabelling of the original under ``noise``. So
    the law of the training is kept when ``noise`` is exchangeable, whatever happens along a path.

    Parameters
    ----------
    noise : Noise
    perms : one permutation per hidden layer
    """

    def __init__(self, noise: Noise, perms, widths):
        self.noise, self.name = noise, noise.name
        self.perms = checked_permutations("perms", perms, widths)
        self.inverses = tuple(p.inverse() for p in self.perms)
        self.batch = noise.batch

    def masks(self, shapes, like_array, rng):
        drawn = self.noise.masks(shapes, like_array, rng)
        return drawn and tuple(mask[..., p.indices] for mask, p in zip(drawn, self.perms, strict=True))

    def gradients(self, gradients, rng):
        return self.noise.gradients(gradients.permuted(self.inverses), rng).permuted(self.perms)

    def parameters(self, parameters, t, rng):
        return self.noise.parameters(parameters.permuted(self.inverses), t, rng).permuted(self.perms)


NOISES: dict[str, type[Noise]] = {kind.name: kind for kind in (
    Minibatch, InputNoise, Flips, Mixup, LabelNoise, GradientNoiseShared, GradientNoise, DropoutShared, Dropout,
    DropoutInput, WeightNoise, Nudge)}


def get(name: str | Noise, **options) -> Noise:
    """The noise of that name with the given options; a noise passes through.

    Raises
    ------
    ValueError
        For an unknown name (the message lists the known ones) or an option out of range.
    TypeError
        For an option that the noise does not have, or of another type.

    Examples
    --------
    >>> get("minibatch", size=4)
    Minibatch(size=4)
    """
    if isinstance(name, (Noise, Relabelled)) and not options:
        return name
    if not isinstance(name, str):
        raise TypeError(f"name is {name!r} of type {type(name).__name__}; a name or a Noise is required")
    if name not in NOISES:
        raise ValueError(f"noise is {name!r}; one of {', '.join(NOISES)} is required")
    known = [field.name for field in dataclasses.fields(NOISES[name])]
    for option in options:
        if option not in known:
            raise TypeError(f"{name} has no option {option!r}; {', '.join(known)} can be given")
    return NOISES[name](**options)
