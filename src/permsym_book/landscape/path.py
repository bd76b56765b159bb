"""A path from a minimum to its relabelling, as a record of the networks on it."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..mlp import MLP
from ..validation import checked_count, frozen_copy
from .vector import from_vector


@dataclass(frozen=True, eq=False)
class Path:
    """Networks along a path; the first half only while it is not ``complete``.

    Attributes
    ----------
    net : MLP
        The minimum it starts from.
    layer : int
    units : (int, int)
    distances : array, shape (T,)
        Between the two units: down to 0 at the permutation point, and up again.
    vectors : array, shape (T, N)
    losses, gradient_norms : arrays, shape (T,)
        The norm is that of the gradient along the constraint's surface.
    complete : bool
    largest_allowed : float
        Above which a step counts as a jump.
    """

    net: MLP
    layer: int
    units: tuple[int, int]
    distances: np.ndarray = field(repr=False)
    vectors: np.ndarray = field(repr=False)
    losses: np.ndarray = field(repr=False)
    gradient_norms: np.ndarray = field(repr=False)
    complete: bool
    largest_allowed: float

    def __post_init__(self):
        for name in ("distances", "vectors", "losses", "gradient_norms"):  # a record: nobody writes to it
            object.__setattr__(self, name, frozen_copy(np.asarray(getattr(self, name))))

    def __len__(self) -> int:
        return len(self.distances)

    @property
    def largest_step(self) -> float:
        """The longest way between neighbours on the path."""
        steps = np.linalg.norm(np.diff(self.vectors, axis=0), axis=1)
        return float(steps.max()) if len(steps) else 0.0

    @property
    def smooth(self) -> bool:
        """Whether it reaches the permutation point without a step longer than allowed."""
        return self.complete and self.largest_step <= self.largest_allowed

    @property
    def middle(self) -> int:
        """Where on the path the two units are closest: the permutation point once it is complete."""
        return int(np.argmin(self.distances))

    @property
    def signed_distances(self) -> np.ndarray:
        """``distances`` with the sign that the difference of the two units has: a coordinate along the path."""
        return np.where(np.arange(len(self)) > self.middle, -self.distances, self.distances)

    def network(self, t: int) -> MLP:
        """The network at point t; from the end when t is negative."""
        return from_vector(self.net, self.vectors[checked_count("t", t, least=-len(self), most=len(self) - 1)])

    @property
    def networks(self) -> list[MLP]:
        """All of them."""
        return [self.network(t) for t in range(len(self))]


class BranchJump(RuntimeError):
    """There is no minimum near the last one at the next distance: ``path`` is what was found before.

    Attributes
    ----------
    path : Path
    distance, step : float
        Where it happened, and the decrease of the distance that was last tried.
    """

    def __init__(self, message: str, path: Path, distance: float, step: float):
        super().__init__(message)
        self.path, self.distance, self.step = path, distance, step
