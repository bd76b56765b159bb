"""Checks of the page "Noise that creates symmetry"."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from .. import collapse
from .evidence import Comparison, Control, Evidence, Exact
from .registry import claim

EPS = np.finfo(float).eps
STEPS, PATHS = 200, 20


def squared_growth(eta: Fraction, sigma_squared: Fraction) -> Fraction:
    """(1 + eta)^2 - eta^2 sigma^2: the product of the two factors by which a step multiplies a small
    theta."""
    return (1 + eta) ** 2 - eta**2 * sigma_squared


def threshold(eta: Fraction) -> Fraction:
    """1 + 2 / eta."""
    return 1 + 2 / eta


@claim("prop-collapse-threshold", kind="proposition", title="The noise at which the double well collapses")
def collapse_threshold(rng):
    """At sigma^2 = 1 + 2/eta the factors' product is exactly 1; the measured exponent is the formula's.

    Rounding: with a = 1 + eta (1 + sigma) and b = 1 + eta (1 - sigma), |b| = 1 / a at the threshold, both
    have an error of a few a EPS, so that ln|b| has one of a few a^2 EPS. A path adds at most 2 eta theta^2 /
    |b| to its exponent, theta the largest on it.
    """
    eta = Fraction(int(rng.integers(1, 10)), int(rng.integers(10, 40)))
    rate, critical = float(eta), collapse.critical_sigma(float(eta))
    a = 1 + rate * (1 + critical)
    at_threshold = Comparison(abs(collapse.lyapunov_exponent(rate, critical)), 8 * EPS * a * a)

    sigma = critical * float(rng.uniform(1.05, 1.2))
    factors = np.abs([1 + rate * (1 + sigma), 1 + rate * (1 - sigma)])
    path = collapse.double_well(rate, sigma, STEPS, np.random.default_rng(rng.integers(2**31)),
                                np.full(PATHS, 1e-12), balanced=True)
    measured = np.log(np.abs(path[-1] / path[0])) / STEPS
    allowed = 2 * rate * (path**2).max() / factors.min() + 8 * EPS * factors.max() / factors.min()
    exponent = Comparison(float(np.abs(measured - collapse.lyapunov_exponent(rate, sigma)).max()),
                          float(allowed))

    exact = abs(squared_growth(eta, threshold(eta)) - 1)
    upper = abs(squared_growth(eta, threshold(eta) + 2 / eta**2) + 1)
    off = {"without the 1: sigma^2 = 2 / eta": 2 / eta,
           "at 0.7 of the threshold": Fraction(49, 100) * threshold(eta),
           "the threshold of half the step size": threshold(eta / 2)}
    controls = tuple(Control(name, abs(collapse.lyapunov_exponent(rate, float(s) ** 0.5)), at_threshold.bound,
                             float(abs(squared_growth(eta, s) - 1))) for name, s in off.items())
    worst = max((at_threshold, exponent), key=lambda c: c.ratio)
    return Evidence(worst, Exact(float(max(exact, upper)), "Q"), controls)


def third_derivative(t_squared: Fraction) -> Fraction:
    """tanh''' where tanh^2 = t_squared: -2 (1 - t^2)(1 - 3 t^2)."""
    return -2 * (1 - t_squared) * (1 - 3 * t_squared)


@claim("prop-pair-merges", kind="proposition", title="The target above which two units merge")
def pair_merges(rng):
    """To leading order the exponent of the difference has the sign of 4/3 - c^2 for |c| < 2; other c are
    refused.

    Rounding: the zero is simple in c, with slope eta^2 sigma^2 (1 - c^2/4)^2 (3/2) c; c is off by EPS c at
    most, and the terms of 1 - 3 t^2, of size 1, by a few EPS.
    """
    eta, sigma = (float(v) for v in rng.uniform(0.05, 0.5, 2))
    at_zero = Comparison(abs(collapse.pair_exponent(collapse.MERGING_TARGET, eta, sigma)),
                         8 * EPS * eta**2 * sigma**2)
    c = Fraction(int(rng.integers(1, 199)) * int(rng.choice([-1, 1])), 100)
    sign_of = third_derivative(c * c / 4) > 0
    exact = float(abs(third_derivative(Fraction(4, 3) / 4)) + (sign_of != (3 * c * c > 4))
                  + (sign_of != (collapse.pair_exponent(float(c), eta, sigma) < 0))
                  + sum(not _refused(beyond, eta, sigma) for beyond in (2.0, -2.0, 2 + abs(float(c)))))
    squares = {"c = 1.1": Fraction(121, 100), "c = 1.2": Fraction(144, 100)}
    controls = tuple(Control(name, abs(collapse.pair_exponent(float(square) ** 0.5, eta, sigma)),
                             at_zero.bound, float(abs(third_derivative(square / 4))))
                     for name, square in squares.items())
    return Evidence(at_zero, Exact(exact, "Q"), controls)


def _refused(c: float, eta: float, sigma: float) -> bool:
    """Whether there is no exponent for a target that two units cannot reach."""
    try:
        collapse.pair_exponent(c, eta, sigma)
    except ValueError:
        return True
    return False
