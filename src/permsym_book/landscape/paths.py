"""Smooth paths between a minimum and its relabelling, through the point where two units collide and interchange.

Write the full weight vectors of units i and j, incoming, bias and outgoing, as ``s +/- (D/2) u`` with ``|u| = 1``. The
distance D goes from its value at the minimum to 0 while the loss is kept minimal over everything else: s, u and all
other parameters. Past the permutation point, D = 0, the path is the same with the two units exchanged, backwards.
"""

from __future__ import annotations

import numpy as np

from ..mlp import MLP
from ..validation import checked_count, checked_number
from .constrained import DENSE_AT_MOST, checked_limits, minimized, predicted
from .objective import Objective, Pair
from .path import BranchJump, Path
from .vector import to_vector

__all__ = ["BranchJump", "Path", "permutation_path"]


def permutation_path(net: MLP, X, Y, layer: int, units, steps: int = 41, *, loss: str = "squared_error",
                     decay: float = 0.0, tolerance: float = 1e-8, largest_step: float | None = None,
                     smallest_decrease: float | None = None, most_points: int | None = None, inner: int = 1000, at_most: int | None = None,
                     progress: bool = False, resume: Path | None = None) -> Path:
    """The path from a minimum to the same minimum with two units of a hidden layer exchanged.

    Parameters
    ----------
    net : MLP
        A minimum of the loss, its gradient at most ``tolerance``. That it is no saddle is checked up to 300 parameters.
    X : array, shape (n, d)
    Y : array
        Targets (n, q), or labels (n,) for the cross-entropy.
    layer : int
        Hidden layer, counted from 0; any.
    units : (int, int)
    steps : int
        Points of the first half, the permutation point included, when no further ones are needed.
    loss : {"squared_error", "cross_entropy"}
    decay : float
        Weight decay, as for :class:`~permsym_book.landscape.objective.Objective`.
    tolerance : float
        Of the gradient's norm along the surface, for the loss summed over the samples.
    largest_step : float, optional
        How far the network may move from one point to the next; a tenth of the distance at the start when left out.
        When it moves farther, the distance is decreased by half as much.
    smallest_decrease : float, optional
        Where that ends with a :class:`~permsym_book.landscape.path.BranchJump`; 1/32 of the regular decrease when left out.
    most_points : int, optional
        Of the first half; 4 times ``steps`` when left out.
    inner, at_most : int, optional
        Conjugate gradient steps for each Newton step with many parameters, and Newton steps for each distance.
    progress : bool
    resume : Path, optional
        One that was interrupted, or that a BranchJump carries; it continues from where that ended.

    Returns
    -------
    Path
        With ``complete`` False when the computation was interrupted (Ctrl-C): give it back as ``resume``.

    Raises
    ------
    BranchJump
        If the minimum at the next distance is not near; it carries the path so far.
    TypeError, ValueError
        If net is not at a minimum, the units are the same, out of range or identical already, the activation has no
        second derivative, or ``resume`` is of another problem.

    Examples
    --------
    >>> from permsym_book.landscape.problems import teacher_student
    >>> problem = teacher_student(1, seed=4)
    >>> path = permutation_path(problem.net, problem.X, problem.Y, 0, problem.units)
    >>> path.smooth, float(path.distances[path.middle]), bool(path.losses[0] == path.losses[-1] < path.losses.max())
    (True, 0.0, True)
    """
    f, pair, steps = Objective(net, X, Y, loss, decay), Pair(net, layer, units), checked_count("steps", steps, least=2)
    theta = to_vector(net)
    start = pair.distance(theta)
    limits = _Limits(start, steps, largest_step, smallest_decrease, most_points)
    at_most = (30 if f.size <= DENSE_AT_MOST else 20) if at_most is None else at_most
    tolerance, at_most, inner = checked_limits(tolerance, at_most, inner)
    if resume is None:
        points = [_first(f, pair, theta, start, tolerance)]
    else:
        points = _resumed(resume, f, pair, theta)
    bar = _bar(steps - 1, progress)
    try:
        decrease = limits.regular
        for target in [*(start * k / (steps - 1) for k in range(steps - 2, 0, -1)), 0.0]:
            while points[-1][0] > target + 1e-9 * start:
                decrease = min(decrease, points[-1][0] - target)
                decrease = _advanced(f, pair, points, decrease, limits, tolerance, inner, at_most)
            bar.update()
    except KeyboardInterrupt:
        return _path(net, pair, points, limits)
    except _Jump as jump:
        raise BranchJump(str(jump), _path(net, pair, points, limits), points[-1][0], jump.decrease) from None
    finally:
        bar.close()
    return _path(net, pair, points, limits)


class _Limits:
    def __init__(self, start, steps, largest_step, smallest_decrease, most_points):
        self.regular = start / (steps - 1)
        self.largest_step = start / 10 if largest_step is None else float(checked_number("largest_step", largest_step, above=0))
        self.smallest = self.regular / 32 if smallest_decrease is None else float(
            checked_number("smallest_decrease", smallest_decrease, above=0))
        self.most_points = 4 * steps if most_points is None else checked_count("most_points", most_points)


class _Jump(Exception):
    def __init__(self, message, decrease):
        super().__init__(message)
        self.decrease = decrease


def _advanced(f, pair, points, decrease, limits, tolerance, inner, at_most) -> float:
    """Add the point at the distance less ``decrease``, or less a half, a quarter, ... of it; what to try next."""
    distance, theta = points[-1][:2]
    if len(points) >= limits.most_points:
        raise _Jump(f"the path has {len(points)} points and is still at distance {distance:.4g}: the other parameters run"
                    " away while the units hardly approach one another. Try another pair of units, or more most_points",
                    decrease)
    while True:
        there = 0.0 if distance - decrease < 1e-9 * distance else distance - decrease
        guess = predicted(f, theta, pair, distance - there, inner=inner)
        moved, found = float(np.linalg.norm(guess - theta)), None
        if moved <= limits.largest_step:
            found = minimized(f, guess, pair, there, tolerance=tolerance, at_most=at_most, inner=inner,
                              radius=limits.largest_step, within=2 * limits.largest_step)
            moved = float(np.linalg.norm(found.theta - theta))
            if found.converged and moved <= limits.largest_step:
                points.append((there, found.theta, found.value, found.gradient_norm))
                return 2 * decrease
        if decrease / 2 < limits.smallest:
            how = (f"the gradient's norm stayed at {found.gradient_norm:.1e}" if found and moved <= limits.largest_step
                   else f"the network would move by {moved:.3g}, more than largest_step = {limits.largest_step:.3g}")
            raise _Jump(f"no minimum near the last one when the units, at distance {distance:.4g}, come closer by"
                        f" {decrease:.2e}: {how}. The branch of constrained minima ends or bends back here; try another"
                        " pair of units, another minimum, the pair with one unit's signs changed (for an odd"
                        " activation), or a smaller smallest_decrease", decrease)
        decrease /= 2


def _first(f, pair, theta, start, tolerance):
    value, gradient = f.value_and_gradient(theta)
    norm = float(np.linalg.norm(gradient))
    if not norm <= tolerance:
        raise ValueError(f"net is not at a minimum: the gradient's norm is {norm:.2e}; at most tolerance = {tolerance:.2e} is"
                         " required (permsym_book.landscape.problems.minimum goes on from it; with decay > 0 it comes there sooner)")
    if start <= 1e-9 * np.linalg.norm(theta[pair.first]):
        raise ValueError(f"units {pair.units} of hidden layer {pair.layer} are identical already, at distance {start:.1e}:"
                         " net is a permutation point itself; two different units are required")
    if f.size <= DENSE_AT_MOST:
        values = np.linalg.eigvalsh(f.hessian(theta))
        if values[0] < -1e-9 * abs(values).max():
            raise ValueError(f"net is a saddle, not a minimum: the least eigenvalue of the Hessian is {values[0]:.2e}; none"
                             " below 0 is required")
    return start, theta, value, norm


def _resumed(resume, f, pair, theta):
    if not isinstance(resume, Path):
        raise TypeError(f"resume is of type {type(resume).__name__}; Path is required")
    columns = resume.distances, resume.losses, resume.gradient_norms
    shapes = [column.shape for column in columns]
    if not len(resume.vectors) or shapes != [resume.vectors.shape[:1]] * 3:
        raise ValueError(f"resume has {resume.vectors.shape[0]} vectors, and distances, losses and gradient norms of shapes"
                         f" {shapes}; one of each for each vector is required")
    same = resume.layer == pair.layer and resume.units == pair.units and resume.vectors.shape[1:] == theta.shape
    if not (same and np.array_equal(resume.vectors[0], theta)):
        raise ValueError("resume starts from another network, layer or pair of units; a path of this net is required")
    count = resume.middle + 1
    apart = np.linalg.norm(resume.vectors[:count, pair.first] - resume.vectors[:count, pair.second], axis=1)
    finite = all(np.isfinite(column[:count]).all() for column in (resume.vectors, *columns))
    if not (finite and (np.diff(apart) < 0).all() and (abs(resume.distances[:count] - apart) <= 1e-9 * apart[0]).all()):
        raise ValueError("resume has distances that are not those of its vectors, do not decrease, or numbers that are not"
                         " finite; a path as permutation_path returns it is required")
    value = f.value(resume.vectors[count - 1])
    if abs(value - resume.losses[count - 1]) > 1e-9 * (abs(value) + 1e-12):
        raise ValueError(f"resume has loss {resume.losses[count - 1]:.9g} at its last point, and X, Y give {value:.9g}; the X and"
                         " Y that it was made with are required")
    return list(zip(resume.distances[:count].tolist(), resume.vectors[:count], resume.losses[:count].tolist(),
                    resume.gradient_norms[:count].tolist(), strict=True))


def _path(net, pair, points, limits) -> Path:
    complete = points[-1][0] == 0
    if complete:
        points = points + [(D, pair.exchanged(theta), *rest) for D, theta, *rest in reversed(points[:-1])]
    columns = [np.array(column) for column in zip(*points, strict=True)]
    return Path(net, pair.layer, pair.units, *columns, complete, limits.largest_step)


def _bar(total, progress):
    if progress:
        try:
            from tqdm.auto import tqdm
            return tqdm(total=total, unit="distance")
        except ImportError:  # the core runs without it
            pass
    return _NoBar()


class _NoBar:
    def update(self):
        pass

    close = update
