"""What a check returns: numbers, and the verdict that follows from them."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import isfinite, isnan


@dataclass(frozen=True)
class Comparison:
    """A distance between two sides computed independently in float64, and the bound rounding allows it."""

    residual: float
    bound: float

    @property
    def holds(self) -> bool:
        return isfinite(self.bound) and self.residual <= self.bound

    @property
    def ratio(self) -> float:
        """Residual over bound: at most 1 where the two sides agree up to rounding; infinite where one is not
        a number."""
        return _over(self.residual, self.bound, float("inf"))


@dataclass(frozen=True)
class Exact:
    """A distance in exact arithmetic, which must be 0, and the ring it was computed in."""

    residual: float
    ring: str

    @property
    def holds(self) -> bool:
        return self.residual == 0


@dataclass(frozen=True)
class Control:
    """A hypothesis dropped: the distance must then exceed what rounding could cause, and be non-zero exactly.

    ``exact_residual`` is the largest over the exact arithmetics: in one of them the sides must differ. Of
    many trials the smallest break is kept, so that every trial must show it.
    """

    name: str
    residual: float
    bound: float
    exact_residual: float | None = None

    @property
    def broken(self) -> bool:
        exact = self.exact_residual is None or self.exact_residual > 0
        return exact and isfinite(self.bound) and self.residual > self.bound

    @property
    def strength(self) -> float:
        """Residual over bound, by which the weakest of many trials is found; 0 where one is not a number."""
        return _over(self.residual, self.bound, 0.0)


@dataclass(frozen=True)
class Link:
    """One equality of a chain: the line it belongs to, its right-hand side, why it holds, its residuals."""

    equation: str
    tex: str
    reason: str
    float64: Comparison
    exact_residual: float | None

    @property
    def holds(self) -> bool:
        return self.float64.holds and self.exact_residual in (0, None)


@dataclass(frozen=True)
class Evidence:
    """All a check found.

    Attributes
    ----------
    float64 : Comparison
        The statement's two sides; the worst of all trials.
    exact : Exact or None
    controls : tuple of Control
        Hypotheses dropped; the smallest break of all trials.
    chain : tuple of Link
        The proof, line by line; empty where the statement is not proved by a chain of equalities.
    trials : int
    """

    float64: Comparison
    exact: Exact | None
    controls: tuple[Control, ...]
    chain: tuple[Link, ...] = field(default=())
    trials: int = 1

    @property
    def failures(self) -> list[str]:
        """What did not come out as the statement says, in words; empty when the check passes."""
        found = []
        if not self.float64.holds:
            found.append(f"float64 residual {self.float64.residual:.3g} exceeds its bound"
                         f" {self.float64.bound:.3g}")
        if self.exact is not None and not self.exact.holds:
            found.append(f"exact residual {self.exact.residual:.3g} in {self.exact.ring} is not 0")
        if not self.controls:
            found.append("no negative control: a check that cannot fail proves nothing")
        found += [f"control {c.name!r} does not break: residual {c.residual:.3g}" for c in self.controls
                  if not c.broken]
        found += [f"link {link.equation}: {link.tex} fails: residual {link.float64.residual:.3g}"
                  for link in self.chain if not link.holds]
        return found

    @property
    def passed(self) -> bool:
        return not self.failures


def _over(residual: float, bound: float, undefined: float) -> float:
    """The quotient; 0 for a residual of 0 whatever the bound, ``undefined`` where one is not a number."""
    if isnan(residual) or not isfinite(bound):
        return undefined
    if residual == 0:
        return 0.0
    return residual / bound if bound else float("inf")


def largest_residual(values) -> float:
    """The largest of some residuals; not a number if one of them is not, so that it cannot hide.

    >>> largest_residual([0.0, 2.0]), largest_residual([0.0, float("nan")])
    (2.0, nan)
    """
    values = list(values)
    return float("nan") if any(isnan(v) for v in values) else max(values)


def smallest_residual(values) -> float:
    """The smallest of some residuals; not a number if one of them is not.

    >>> smallest_residual([3.0, 2.0]), smallest_residual([0.0, float("nan")])
    (2.0, nan)
    """
    values = list(values)
    return float("nan") if any(isnan(v) for v in values) else min(values)


def merged(parts: list[Evidence]) -> Evidence:
    """One Evidence of many trials: the worst agreement, and the smallest break of each control."""
    first = parts[0]

    def worst(comparisons):
        comparisons = list(comparisons)
        top = max(comparisons, key=lambda c: c.ratio)
        agree = top.residual == 0 and isfinite(top.bound)
        return Comparison(0.0, max(c.bound for c in comparisons)) if agree else top

    def largest(values):
        known = [v for v in values if v is not None]
        return largest_residual(known) if known else None

    def weakest(controls):
        least = min(controls, key=lambda c: c.strength)
        exact = [c.exact_residual for c in controls if c.exact_residual is not None]
        return Control(least.name, least.residual, least.bound, smallest_residual(exact) if exact else None)

    chain = tuple(
        Link(links[0].equation, links[0].tex, links[0].reason, worst(k.float64 for k in links),
             largest(k.exact_residual for k in links))
        for links in zip(*(p.chain for p in parts), strict=True)
    )
    exact = None if first.exact is None else Exact(largest_residual(p.exact.residual for p in parts),
                                                   first.exact.ring)
    controls = tuple(weakest(cs) for cs in zip(*(p.controls for p in parts), strict=True))
    return Evidence(worst(p.float64 for p in parts), exact, controls, chain, sum(p.trials for p in parts))
