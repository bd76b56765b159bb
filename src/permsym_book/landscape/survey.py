"""Many starts at once: how many give smooth paths, and whether every permutation point is as the formulas say."""

from __future__ import annotations

from typing import NamedTuple

from ..validation import checked_count
from .hessian import hessian
from .inertia import Inertia, inertia
from .paths import BranchJump, permutation_path
from .problems import teacher_student
from .saddles import PermutationPoint, antisymmetric_block, permutation_point
from .splitting import equal_loss_plane
from .valley import loss_spread, valley_walk

MOST_STARTS = 10_000  # hours
SHARES = (-0.5, 0.0, 0.25, 0.5, 1.0, 1.5)


class Row(NamedTuple):
    """What one start gave.

    Attributes
    ----------
    outputs, start : int
    smooth : bool
        Whether the path reaches the permutation point; otherwise the point was looked for among the networks whose
        two units are equal, from their mean.
    ended : float
        The distance where the path ended, as a part of that at the start: 0 when it is smooth.
    points : int
        Of the path.
    largest_step, step_allowed : float
    critical : bool
        Whether the gradient's norm is below 1e-12, and the same for the network with the two units merged. The rest
        is said of these points.
    loss, gradient_norm, merged_gradient_norm : float
    rank : int
        Of M.
    index, nullity : int
        By the formulas, for the difference of the two units.
    full : Inertia
        Of the Hessian by all parameters.
    merged_index : int
        Of the network with the units merged: 0 at its minimum. The full index is ``index`` more.
    spread : float
        Of the loss on the walk through all orderings, relative.
    along : dict
        For each share of ``SHARES``: (index, nullity) on the line (lambda a, (1 - lambda) a).
    """

    outputs: int
    start: int
    smooth: bool
    ended: float
    points: int
    largest_step: float
    step_allowed: float
    critical: bool
    loss: float
    gradient_norm: float
    merged_gradient_norm: float
    rank: int
    index: int
    nullity: int
    full: Inertia
    merged_index: int
    spread: float
    along: dict

    @property
    def as_predicted(self) -> bool:
        """Whether the full index and nullity are those of the formulas and the merged network."""
        return (self.full.index, self.full.nullity) == (self.index + self.merged_index, self.nullity)


def survey(outputs: int, starts: int = 20, seed: int = 0, *, scale: float = 0.5, progress: bool = False) -> list[Row]:
    """Paths and permutation points of teacher problems, one for each start.

    Parameters
    ----------
    outputs : int
    starts : int
        At most ``MOST_STARTS``.
    seed : int
        Of the first start; the next have the next numbers.
    scale : float
        Of the teacher's weights.
    progress : bool

    Returns
    -------
    list of Row

    Examples
    --------
    >>> row = survey(1, starts=1, seed=4)[0]
    >>> row.smooth, row.critical, row.full.index, row.full.nullity, row.as_predicted
    (True, True, 1, 1, True)
    """
    outputs, seed = checked_count("outputs", outputs), checked_count("seed", seed, least=0)
    starts = range(seed, seed + checked_count("starts", starts, most=MOST_STARTS))
    return [_row(outputs, start, scale) for start in _shown(starts, progress)]


def _shown(starts, progress):
    if progress:
        try:
            from tqdm.auto import tqdm
            return tqdm(starts, unit="start")
        except ImportError:  # the core runs without it
            pass
    return starts


def _row(outputs: int, start: int, scale: float) -> Row:
    problem = teacher_student(outputs, start, scale=scale)
    net, X, Y, layer, units, _ = problem
    try:
        path = permutation_path(net, X, Y, layer, units)
        point = permutation_point(path, X, Y)
    except BranchJump as jump:
        path = jump.path
        point = permutation_point(net, X, Y, layer, units)
    return _measured(outputs, start, path, point, X, Y)


def _measured(outputs, start, path, point: PermutationPoint, X, Y) -> Row:
    net, layer, units = point.network, point.layer, point.units
    block = antisymmetric_block(net, X, Y, layer, units)
    walk = (step.network for step in valley_walk(net, layer, units))
    along = {}
    for share in SHARES:
        there = inertia(hessian(equal_loss_plane(net, layer, units, share), X, Y))
        along[share] = there.index, there.nullity
    return Row(outputs, start, path.complete, float(path.distances[path.middle] / path.distances[0]), len(path),
               path.largest_step, path.largest_allowed, max(point.gradient_norm, point.merged_gradient_norm) < 1e-12,
               point.loss, point.gradient_norm, point.merged_gradient_norm, block.rank, block.index, block.nullity,
               inertia(hessian(net, X, Y)), inertia(hessian(point.merged, X, Y)).index,
               float(loss_spread(walk, X, Y)), along)
