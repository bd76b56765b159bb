"""The laboratory: does an optimiser, under some noise and in some arithmetic, keep equal hidden units equal?

Two experiments are run over several seeds at once. In the first some hidden units start equal, and the gap between them is
watched. In the second a network with units all different and its relabelled twin are
trained side by side, and the distance of the twin from the relabelled network is watched. What follows from
the gaps alone is the verdict.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from . import noise as noise_module
from . import optimizers
from .arithmetic import get as get_arithmetic
from .loop import loss_function, train
from .mlp import MLP, identical_units
from .optimizers import Optimizer
from .parameters import Parameters
from .permutation import Permutation
from .validation import checked_count, checked_sequence

EXACT = "equivariant and exact"
ROUNDING = "equivariant but amplifies rounding"
IN_LAW = "broken along a path, not in law"
BROKEN = "not equivariant"
VERDICTS = (EXACT, ROUNDING, IN_LAW, BROKEN)

INPUTS, OUTPUTS, SAMPLES = 8, 3, 32
_MOST_FRACTION_STEPS = 2

STEP_SIZES = {  # with which the laboratory's problem is learned
    "sgd": 3e-3, "momentum": 5e-4, "nesterov": 5e-4, "adagrad": 5e-2, "rmsprop": 1e-2, "adam": 1e-2, "adamw": 1e-2,
    "lion": 3e-3, "sign": 3e-3, "clip_value": 3e-3, "clip_norm": 3e-2, "lars": 0.3, "topk": 3e-3, "shampoo": 5e-2,
    "muon": 2e-2, "muon_svd": 2e-2, "muon_svd_truncated": 2e-2, "per_parameter_rates": 3e-3, "random_coordinates": 3e-3}


class Problem(NamedTuple):
    """A stack of networks, one for each seed, with data X (E, n, d), Y (E, n, q) of their own."""

    net: MLP
    X: np.ndarray
    Y: np.ndarray


def problem(seeds: Sequence[int], units: int = 8, identical: int = 0, activation: str = "tanh") -> Problem:
    """Regression on a random smooth function, with networks whose first ``identical`` hidden units are equal.

    >>> problem(range(5), units=6, identical=3).net.parameters.W1.shape
    (5, 8, 6)
    """
    nets, Xs, Ys = [], [], []
    for seed in seeds:
        rng = np.random.default_rng([1992, seed])
        net = MLP.random((INPUTS, units, OUTPUTS), rng, scheme="normal", activation=activation)
        net = net.with_parameters(net.parameters * (0.25 if activation == "square" else 0.5))
        nets.append(identical_units(net, 0, range(identical)) if identical > 1 else net)
        Xs.append(rng.standard_normal((SAMPLES, INPUTS)))
        Ys.append(np.tanh(Xs[-1] @ rng.standard_normal((INPUTS, OUTPUTS)) / 2))
    return Problem(MLP.stack(nets), np.stack(Xs), np.stack(Ys))


def _largest(A) -> np.ndarray:
    """The largest absolute entry of each network's array (E, a, b), as float64 (E,)."""
    plain = A.centred() if hasattr(A, "centred") else np.asarray(A)
    return abs(plain).max(axis=(-2, -1)).astype(np.float64)


def unit_gaps(parameters: Parameters, group: Sequence[int]) -> np.ndarray:
    """The largest difference between the units ``group`` of the first hidden layer, in each network of a stack.

    Returns
    -------
    array, shape (E,)
        Over incoming weights, bias and outgoing weights; 0 exactly when the units are equal.
    """
    first, rest = list(group[:1]), list(group[1:])
    W, b, V = parameters.weights[0], parameters.biases[0], parameters.weights[1]
    gaps = [_largest(W[..., rest] - W[..., first]), _largest(V[..., rest, :] - V[..., first, :])]
    if b is not None:
        gaps.append(_largest((b[..., rest] - b[..., first])[..., None, :]))
    return np.max(gaps, axis=0)


def distances(a: Parameters, b: Parameters) -> np.ndarray:
    """The largest difference of two stacks of parameters in each network, shape (E,)."""
    return np.max([_largest(x - y if x.ndim == 3 else (x - y)[..., None, :])
                   for x, y in zip(a.arrays(), b.arrays(), strict=True)], axis=0)


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
        return made | {"optimizer": self.optimizer.name, "options": vars(self.optimizer), "seeds": list(self.seeds),
                       "noises": [{"name": n.name, **vars(n)} for n in self.noises]}


def run(optimizer="sgd", noises=(), *, units: int = 8, identical: int = 3, steps: int = 200, seeds=range(5),
        arithmetic="fixed", step_size=None, twin_steps: int | None = None, progress: bool = False) -> Result:
    """Measure what an optimiser under some noises does to equal units and to relabelled twins.

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
        See :mod:`permsym_book.arithmetic`. The default takes sums in a fixed order: what breaks there is no accident of
        the machine's linear algebra.
    progress : bool

    Returns
    -------
    Result

    Raises
    ------
    TypeError, ValueError
        For an unknown name (the message lists the known ones) or a count out of range.

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
            size = size / 10  # the square has no bound on its slope
        optimizer = optimizers.get(optimizer, **({} if size is None else {"step_size": size}))
    elif step_size is not None:
        raise TypeError("step_size is given with an Optimizer, which has its own; a name is required with it")
    noises = tuple(noise_module.get(n) for n in checked_sequence("noises", noises))
    units, identical = checked_count("units", units, least=2), checked_count("identical", identical, least=2)
    if identical > units:
        raise ValueError(f"identical is {identical}; at most {units}, the number of units, is required")
    steps = checked_count("steps", steps)
    if arithmetic.name == "fractions" and steps > _MOST_FRACTION_STEPS:
        raise ValueError(f"steps is {steps}; at most {_MOST_FRACTION_STEPS} is required in fractions, whose digits"
                         " multiply at every step")
    twin_steps = steps if twin_steps is None else checked_count("twin_steps", twin_steps)
    seeds = tuple(checked_count("seeds", s, least=0) for s in checked_sequence("seeds", seeds))
    if not seeds:
        raise ValueError("seeds is empty; at least one seed is required")

    def trained(problem, net, steps, callback, noises=noises):
        train(net, problem.X, problem.Y, optimizer, steps, np.random.default_rng([7, *seeds]), noises,
              callback=callback, arithmetic=arithmetic, progress=progress)

    equal = problem(seeds, units, identical, activation)
    watch = _Watch(steps, lambda p: unit_gaps(p, range(identical)), _loss_of(equal, arithmetic))
    trained(equal, equal.net, steps, watch)

    free = problem(seeds, units, 0, activation)
    perm = _cycle(units)
    path = {}
    trained(free, free.net, twin_steps, _recorder(path, twin_steps))
    twin = _Watch(twin_steps, lambda p, t: distances(p, path[t].permuted([perm])))
    trained(free, free.net.permuted([perm]), twin_steps, twin)
    law_first = twin.first
    if noises:
        relabelled = [noise_module.Relabelled(n, [perm], (units,)) for n in noises]
        law = _Watch(1, lambda p, t: distances(p, path[t].permuted([perm])))
        trained(free, free.net.permuted([perm]), 1, law, relabelled)
        law_first = law.first
    verdict = _verdict(watch, twin.first, law_first, noises, arithmetic)
    return Result(optimizer, noises, arithmetic.name, units, identical, steps, seeds, *watch.series(), watch.first,
                  watch.largest, *twin.series()[:2], twin.first, law_first, verdict,
                  _reason(verdict, optimizer, noises))


def _cycle(units: int) -> Permutation:
    """A 3-cycle where there are three units, so that a wrong direction cannot hide, else the swap."""
    return Permutation.from_cycles([tuple(range(min(3, units)))], n=units)


def look_at(steps: int) -> list[int]:
    """0, 1, 2, 5, 10, 20, 50, ... and the last step.

    >>> look_at(30)
    [0, 1, 2, 5, 10, 20, 30]
    """
    powers = [m * 10**k for k in range(len(str(steps))) for m in (1, 2, 5)]
    return [0, *(t for t in powers if t < steps), *([steps] if steps else [])]


def _recorder(path: dict, steps: int):
    at = {1, *look_at(steps)}

    def callback(t, net):
        if t in at:
            path[t] = net.parameters
    return callback


class _Watch:
    """A callback that measures gaps: at every step for the largest, at some for the record."""

    def __init__(self, steps, gap, loss=None):
        self.at, self.gap, self.loss = set(look_at(steps)), gap, loss
        self.takes_time = gap.__code__.co_argcount == 2
        self.times, self.gaps, self.losses = [], [], []
        self.largest, self.first, self.start = 0.0, 0.0, None

    def __call__(self, t, net):
        p = net.parameters
        if self.takes_time and t not in self.at:
            return
        gap = self.gap(p, t) if self.takes_time else self.gap(p)
        self.largest = max(self.largest, float(gap.max()))
        if t == 0:
            self.start = p
        if t == 1:
            length = distances(p, self.start)
            self.first = float((gap / np.where(length > 0, length, 1)).max())
        if t in self.at:
            self.times.append(t)
            self.gaps.append(gap)
            if self.loss is not None:
                self.losses.append(self.loss(net))

    def series(self):
        return np.array(self.times), np.array(self.gaps), np.array(self.losses) if self.losses else None


def _loss_of(problem, arithmetic):
    if arithmetic.name == "modp":
        return None
    X, Y = arithmetic.array(problem.X), arithmetic.array(problem.Y)

    def loss(net):
        value = loss_function(net, X, Y)(net.parameters)[0]
        return (value.floats() if hasattr(value, "floats") else np.asarray(value, dtype=float)) / SAMPLES
    return loss


def _verdict(watch, twin_first, law_first, noises, arithmetic) -> str:
    """From the gaps alone, and whether the law of the noise is the same for relabelled units.

    A gap that rounding makes in one step is of the order of the unit roundoff times the step's length; one that the rule makes is
    of the order of the step itself. The border is half way, at the root of the roundoff.
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
    """A row of a table: the worst of all seeds, gaps relative to the length of the first step or as they are."""

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
    """One :class:`Row` for every optimiser without noise; those with line searches or Hessians take fewer steps.

    >>> [row.verdict for row in optimizer_table(range(2), steps=3, names=["sgd", "per_parameter_rates"])]
    ['equivariant and exact', 'not equivariant']
    """
    names = list(optimizers.OPTIMIZERS) if names is None else names
    return [_row(name, run(name, seeds=seeds, steps=min(steps, _FEW_STEPS.get(name, steps)),
                            twin_steps=min(4, steps)))
            for name in _shown(names, progress)]


def noise_table(seeds=range(5), steps: int = 200, names=None, progress: bool = False) -> list[Row]:
    """One :class:`Row` for every noise, under plain SGD.

    >>> [row.verdict for row in noise_table(range(2), steps=3, names=["flips", "dropout"])]
    ['equivariant and exact', 'broken along a path, not in law']
    """
    names = list(noise_module.NOISES) if names is None else names
    return [_row(name, run("sgd", [name], seeds=seeds, steps=steps, twin_steps=min(4, steps)))
            for name in _shown(names, progress)]


def _row(name, r: Result) -> Row:
    return Row(name, r.verdict, r.reason, r.first, r.largest_gap, r.twin_first, r.law_first, r)


def _shown(names, progress):
    if not progress:
        return names
    from tqdm.auto import tqdm

    return tqdm(names, unit="row")
