"""The laboratory: does an optimizer, under some noise and in some arithmetic, keep equal hidden units equal?

Two experiments are run over several seeds at once. In the first some hidden units start equal, and the gap
between them is watched. In the second a network with units all different and its relabelled twin are trained
side by side, and the distance of the twin from the relabelled network is watched. The verdict follows from
the gaps.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from . import noise as noise_module
from . import optimizers
from .arithmetic import get as get_arithmetic
from .fixed_point import ONE
from .gaps import Watch, cycle, distances, loss_of, problem, recorder, unit_gaps
from .loop import train
from .optimizers import Optimizer
from .progress import shown
from .validation import checked_count, checked_sequence

EXACT = "equivariant and exact"
ROUNDING = "equivariant but amplifies rounding"
IN_LAW = "broken along a path, not in law"
BROKEN = "not equivariant"
VERDICTS = (EXACT, ROUNDING, IN_LAW, BROKEN)

_MOST_FRACTION_STEPS = 2

STEP_SIZES = {  # with which the laboratory's problem is learned
    "sgd": 3e-3, "momentum": 5e-4, "nesterov": 5e-4, "adagrad": 5e-2, "rmsprop": 1e-2, "adam": 1e-2,
    "adamw": 1e-2,
    "lion": 3e-3, "sign": 3e-3, "clip_value": 3e-3, "clip_norm": 3e-2, "lars": 0.3, "topk": 3e-3,
    "shampoo": 5e-2,
    "muon": 2e-2, "muon_svd": 2e-2, "muon_svd_truncated": 2e-2, "per_parameter_rates": 3e-3,
    "random_coordinates": 3e-3}


@dataclass(frozen=True)
class Result:
    """What :func:`run` measured; gaps and losses have shape (times, seeds).

    Attributes
    ----------
    times : array of int
        The steps looked at; 0 is the start.
    gaps : array
        Between the units that started equal; see ``largest_gap`` for all steps.
    losses : array or None
        Per sample; None where numbers have no size (modulo p).
    first : float
        The gap after the first step, relative to the length of that step; the worst seed.
    largest_gap : float
        Over all steps and seeds.
    twin_times, twin_gaps
        As above, for the distance of the twin from the relabelled network, with the same noise.
    twin_first, law_first : float
        As ``first``, for the twin with the same noise, and with the noise relabelled too.
    verdict, reason : str
    """

    optimizer: Optimizer
    noises: tuple
    arithmetic: str
    units: int
    identical: int
    steps: int
    seeds: tuple[int, ...]
    times: np.ndarray
    gaps: np.ndarray
    losses: np.ndarray | None
    first: float
    largest_gap: float
    twin_times: np.ndarray
    twin_gaps: np.ndarray
    twin_first: float
    law_first: float
    verdict: str
    reason: str

    def as_dict(self) -> dict[str, Any]:
        """The same as numbers, strings and lists, for JSON."""
        made = {k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in vars(self).items()}
        return made | {"optimizer": self.optimizer.name, "options": vars(self.optimizer),
                       "seeds": list(self.seeds),
                       "noises": [{"name": n.name, **vars(n)} for n in self.noises]}


def run(optimizer="sgd", noises=(), *, units: int = 8, identical: int = 3, steps: int = 200, seeds=range(5),
        arithmetic="fixed", step_size=None, twin_steps: int | None = None, progress: bool = False) -> Result:
    """Measure what an optimizer under some noises does to equal units and to relabelled twins.

    Parameters
    ----------
    optimizer : str or Optimizer
        A name takes the step size of ``STEP_SIZES`` unless ``step_size`` is given.
    noises : sequence of str or Noise
    units, identical : int
        Hidden units, and how many of them start equal (at least 2).
    steps : int
        For the equal units; the twins take ``twin_steps``, as many when left out.
    seeds : sequence of int
        One network with its own data for each; they are trained at once.
    arithmetic : str
        See :mod:`permsym_book.arithmetic`. The default takes sums in a fixed order: what breaks there is no
        accident of the machine's linear algebra.
    progress : bool

    Returns
    -------
    Result

    Raises
    ------
    TypeError, ValueError
        For an unknown name (the message lists the known ones), a count out of range, or steps so small that
        no parameter of some network changes.

    Examples
    --------
    >>> run("adam", ["minibatch"], steps=5).verdict
    'equivariant and exact'
    >>> run("adam", ["dropout"], steps=5).verdict
    'broken along a path, not in law'
    """
    arithmetic = get_arithmetic(arithmetic)
    activation = "square" if arithmetic.name in ("modp", "fractions") else "tanh"
    if isinstance(optimizer, str):
        size = STEP_SIZES.get(optimizer) if step_size is None else step_size
        if activation == "square" and step_size is None and size is not None:
            size = max(size / 10, 1 / ONE)  # the square has no bound on its slope; below 1 / ONE is 0 there
        optimizer = optimizers.get(optimizer, **({} if size is None else {"step_size": size}))
    elif step_size is not None:
        raise TypeError("step_size is given with an Optimizer, which has its own; a name is required with it")
    noises = tuple(noise_module.get(n) for n in checked_sequence("noises", noises))
    units, identical = checked_count("units", units, least=2), checked_count("identical", identical, least=2)
    if identical > units:
        raise ValueError(f"identical is {identical}; at most {units}, the number of units, is required")
    steps = checked_count("steps", steps)
    if arithmetic.name == "fractions" and steps > _MOST_FRACTION_STEPS:
        raise ValueError(f"steps is {steps}; at most {_MOST_FRACTION_STEPS} is required in fractions, whose"
                         " digits multiply at every step")
    twin_steps = steps if twin_steps is None else checked_count("twin_steps", twin_steps)
    seeds = tuple(checked_count("seeds", s, least=0) for s in checked_sequence("seeds", seeds))
    if not seeds:
        raise ValueError("seeds is empty; at least one seed is required")

    def trained(problem, net, steps, callback, noises=noises):
        train(net, problem.X, problem.Y, optimizer, steps, np.random.default_rng([7, *seeds]), noises,
              callback=callback, arithmetic=arithmetic, progress=progress)

    equal = problem(seeds, units, identical, activation)
    watch = Watch(steps, lambda p: unit_gaps(p, range(identical)), loss_of(equal, arithmetic))
    trained(equal, equal.net, steps, watch)

    watch.check_moved(optimizer, seeds)
    free = problem(seeds, units, 0, activation)
    perm = cycle(units)
    path = {}
    trained(free, free.net, twin_steps, recorder(path, twin_steps))
    twin = Watch(twin_steps, lambda p, t: distances(p, path[t].permuted([perm])))
    trained(free, free.net.permuted([perm]), twin_steps, twin)
    law_first = twin.first
    if noises:
        relabelled = [noise_module.Relabelled(n, [perm], (units,)) for n in noises]
        law = Watch(1, lambda p, t: distances(p, path[t].permuted([perm])))
        trained(free, free.net.permuted([perm]), 1, law, relabelled)
        law_first = law.first
    verdict = _verdict(watch, twin.first, law_first, noises, arithmetic)
    return Result(optimizer, noises, arithmetic.name, units, identical, steps, seeds, *watch.series(),
                  watch.first, watch.largest, *twin.series()[:2], twin.first, law_first, verdict,
                  _reason(verdict, optimizer, noises))


def _verdict(watch, twin_first, law_first, noises, arithmetic) -> str:
    """From the gaps alone, and whether the law of the noise is the same for relabelled units.

    A gap that rounding makes in one step is of the order of the unit roundoff times the step's length; one
    that the rule makes is of the order of the step itself. The border is half way, at the root of the
    roundoff. A noise that singles a unit out breaks the symmetry however small it is.
    """
    if watch.largest > 0 and not all(n.exchangeable for n in noises):
        return BROKEN
    border = {"float32": 2.0**-12}.get(arithmetic.name, 2.0**-26)
    if max(watch.first, twin_first) > border:
        return IN_LAW if noises and law_first <= border else BROKEN
    return EXACT if watch.largest == 0 else ROUNDING


def _reason(verdict, optimizer, noises) -> str:
    if verdict in (IN_LAW, BROKEN):
        telling = [n.reason for n in noises if n.breaks]
        if telling:
            return "; ".join(dict.fromkeys(telling))
    reasons = [optimizer.reason, *(n.reason for n in noises)]
    return "; ".join(dict.fromkeys(reasons))


class Row(NamedTuple):
    """A row of a table: the worst of all seeds, gaps relative to the length of the first step or as they
    are."""

    name: str
    verdict: str
    reason: str
    first: float
    largest_gap: float
    twin_first: float
    law_first: float
    result: Result


_FEW_STEPS = {"lbfgs": 40, "bfgs": 100, "cg": 60, "newton_cg": 12, "newton": 4, "newton_damped": 12}


def optimizer_table(seeds=range(5), steps: int = 200, names=None, progress: bool = False) -> list[Row]:
    """One :class:`Row` for every optimizer without noise; those with line searches or Hessians take fewer
    steps.

    >>> [row.verdict for row in optimizer_table(range(2), steps=3, names=["sgd", "per_parameter_rates"])]
    ['equivariant and exact', 'not equivariant']
    """
    names = list(optimizers.OPTIMIZERS) if names is None else names
    return [_row(name, run(name, seeds=seeds, steps=min(steps, _FEW_STEPS.get(name, steps)),
                            twin_steps=min(4, steps)))
            for name in shown(names, "row", progress)]


def noise_table(seeds=range(5), steps: int = 200, names=None, progress: bool = False) -> list[Row]:
    """One :class:`Row` for every noise, under plain SGD.

    >>> [row.verdict for row in noise_table(range(2), steps=3, names=["flips", "dropout"])]
    ['equivariant and exact', 'broken along a path, not in law']
    """
    names = list(noise_module.NOISES) if names is None else names
    return [_row(name, run("sgd", [name], seeds=seeds, steps=steps, twin_steps=min(4, steps)))
            for name in shown(names, "row", progress)]


def _row(name, r: Result) -> Row:
    return Row(name, r.verdict, r.reason, r.first, r.largest_gap, r.twin_first, r.law_first, r)
