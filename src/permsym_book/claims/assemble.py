"""From two sides, a chain and controls to Evidence, in float64 and in the exact arithmetics alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from .arithmetics import EXACT, EXACT_RINGS, Float64
from .evidence import Comparison, Control, Evidence, Exact, Link, largest_residual


class Step(NamedTuple):
    """One expression of a chain of equalities: its line, its TeX, why it equals the one before, its value."""

    equation: str
    tex: str
    reason: str
    value: Any


class Checked(NamedTuple):
    """What a check computes in one arithmetic.

    ``sides``: pairs that must agree. ``controls``: name to a pair that must differ. ``chains``: lists of
    :class:`Step` in which neighbours must agree.
    """

    sides: list[tuple[Any, Any]]
    controls: dict[str, tuple[Any, Any]]
    chains: list[list[Step]] = []  # noqa: RUF012 -- never written to


def evidence(compute: Callable[..., Checked], rng: np.random.Generator, *, activation: str = "tanh",
             exact=EXACT, ring: str = EXACT_RINGS) -> Evidence:
    """Run ``compute(arithmetic, rng)`` in float64 and in each exact arithmetic.

    Parameters
    ----------
    compute : callable
        Makes its own random network from ``rng`` in the given arithmetic; both sides independently.
    rng : numpy.random.Generator
    activation : str
        The sigma of the float64 rung.
    exact : tuple of arithmetic classes
    ring : str
        How the exact rung is named.
    """
    arithmetic = Float64(rng, activation)
    seen = compute(arithmetic, rng)
    exact_runs = [(a, compute(a, rng)) for a in (kind(rng) for kind in exact)]
    float64 = max((arithmetic.compare(*pair) for pair in seen.sides), key=lambda c: (c.ratio, c.bound))

    def exact_residuals(pairs):
        return [a.compare(*pair).residual for a, pair in pairs]

    controls = []
    for name, pair in seen.controls.items():
        found = arithmetic.compare(*pair)
        residuals = exact_residuals((a, run.controls[name]) for a, run in exact_runs)
        controls.append(Control(name, found.residual, found.bound, max(residuals, default=None)))

    links = []
    for number, chain in enumerate(seen.chains):
        for i in range(1, len(chain)):
            residuals = exact_residuals((a, (run.chains[number][i - 1].value, run.chains[number][i].value))
                                        for a, run in exact_runs)
            step = chain[i]
            links.append(Link(step.equation, step.tex, step.reason,
                              arithmetic.compare(chain[i - 1].value, step.value),
                              largest_residual(residuals) if residuals else None))

    found = [r for a, run in exact_runs for r in exact_residuals((a, s) for s in run.sides)]
    return Evidence(float64, Exact(largest_residual(found), ring) if found else None, tuple(controls),
                    tuple(links))


def counted(pairs: list[tuple[int, int]], controls: dict[str, tuple[int, int]], ring: str = "Z") -> Evidence:
    """Evidence of a statement about counts: pairs of integers that must agree, pairs that must differ."""
    residual = float(max(abs(a - b) for a, b in pairs))
    broken = tuple(Control(name, float(abs(a - b)), 0.0, float(abs(a - b)))
                   for name, (a, b) in controls.items())
    return Evidence(Comparison(residual, 0.0), Exact(residual, ring), broken)
