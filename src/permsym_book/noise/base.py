"""What the noises share: the points where they may act, and the relabelling of a noise."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from numbers import Integral, Real
from typing import ClassVar

import numpy as np

from ..parameters import Parameters, checked_permutations

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
        """What the activations of each hidden layer, of these shapes (..., n, h_l), are multiplied by; None
        for 1."""
        return None

    def gradients(self, gradients: Parameters, rng: np.random.Generator) -> Parameters:
        """The gradients that the optimizer sees."""
        return gradients

    def parameters(self, parameters: Parameters, t: int, rng: np.random.Generator) -> Parameters:
        """The parameters with which step t = 0, 1, ... begins."""
        return parameters


_UNIT_INTERVAL = ("keep", "probability")
_POSITIVE = ("alpha",)


def _check_option(name, value, default) -> None:
    whole = isinstance(default, int)
    kind = Integral if whole else Real
    if isinstance(value, bool) or not isinstance(value, kind):
        raise TypeError(f"{name} is {value!r} of type {type(value).__name__};"
                        f" {'an integer' if whole else 'a number'}"
                        " is required")
    if name in _UNIT_INTERVAL and not 0 < value <= 1:
        raise ValueError(f"{name} is {value!r}; a number above 0 and at most 1 is required")
    if name in _POSITIVE and not 0 < value:
        raise ValueError(f"{name} is {value!r}; a number above 0 is required")
    least = 1 if name == "size" and whole else 0
    if not least <= value < np.inf:
        raise ValueError(f"{name} is {value!r}; a finite number of at least {least} is required")


def is_labels(Y) -> bool:
    """Whether Y holds class labels (..., n) rather than targets (..., n, q)."""
    return isinstance(Y, np.ndarray) and Y.dtype.kind in "iu"


class Relabelled:
    """A noise seen by a relabelled network: put back the old labels, apply the noise, relabel again.

    With the same draws, a relabelled network under it trains as the relabelling of the original under
    ``noise``. So the law of the training is kept when ``noise`` is exchangeable, whatever happens along a
    path.

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
