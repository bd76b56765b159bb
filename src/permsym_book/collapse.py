"""Noise that creates symmetry: two small models of stochastic collapse (arXiv 2306.04251).

The double well. Loss (theta^2 - y)^2 / 4 with a label y = 1 +- sigma drawn at each step; SGD multiplies theta
by 1 + eta (y - theta^2). Near 0, the set that is invariant under theta -> -theta, ln|theta| is a random walk
with mean lambda = (ln|1 + eta (1 + sigma)| + ln|1 + eta (1 - sigma)|) / 2 per step. It is negative exactly
when |(1 + eta)^2 - eta^2 sigma^2| < 1, that is for sigma^2 from 1 + 2 / eta up to 1 + 2 / eta + 2 / eta^2:
such noise holds theta at 0, a maximum of the loss. Still more noise throws it out again.

The pair. One datum, f = tanh u1 + tanh u2, label c +- sigma. Where u1 = u2 = u, tanh u = c / 2, the
difference of the two is multiplied by 1 - eta r tanh''(u) at each step, r = f - y. Expanding to second order
in eta, with the spread eta sigma^2 / 4 of u itself, the mean of its logarithm is -(eta^2 sigma^2 / 2)
tanh'(u) tanh'''(u). It is negative exactly when tanh'''(u) > 0, that is tanh(u)^2 > 1/3, that is 2 / sqrt 3 <
|c| < 2: then the units merge.
"""

from __future__ import annotations

from numbers import Real
from typing import NamedTuple

import numpy as np

from .validation import as_array, checked_count, checked_rng

MERGING_TARGET = 2 / np.sqrt(3)  # above it the two units merge, for small step sizes


def critical_sigma(eta: float) -> float:
    """sqrt(1 + 2 / eta): label noise above it makes the double well collapse to 0.

    >>> round(critical_sigma(0.1), 12) == round(21**0.5, 12)
    True
    """
    return float(np.sqrt(1 + 2 / _positive("eta", eta)))


def lyapunov_exponent(eta: float, sigma: float) -> float:
    """The mean change of ln|theta| per step near 0 (eq-lyapunov); 0 at :func:`critical_sigma`.

    >>> abs(lyapunov_exponent(0.1, critical_sigma(0.1))) < 1e-15
    True
    """
    eta, sigma = _positive("eta", eta), _positive("sigma", sigma)
    with np.errstate(divide="ignore"):
        return float(np.log(np.abs([1 + eta * (1 + sigma), 1 + eta * (1 - sigma)])).mean())


def double_well(eta: float, sigma: float, steps: int, rng: np.random.Generator, start=0.3, every: int = 1,
                balanced: bool = False) -> np.ndarray:
    """Paths of SGD on the double well.

    Parameters
    ----------
    eta, sigma : float
        Step size; size of the label noise.
    steps : int
    rng : numpy.random.Generator
    start : float or array, shape (paths,)
    every : int
        Keep each ``every``-th step.
    balanced : bool
        Draw the signs of the noise in random order with as many + as -, instead of independently: the path's
        growth then shows the exponent without the scatter of a coin. ``steps`` must be even.

    Returns
    -------
    array, shape (1 + steps // every, paths)
        theta at the start and after every ``every``-th step.

    Examples
    --------
    >>> double_well(0.1, 1.0, 100, np.random.default_rng(0), start=np.full(4, 0.3), every=10).shape
    (11, 4)
    """
    eta, sigma = _positive("eta", eta), _positive("sigma", sigma, least=0)
    steps, every = checked_count("steps", steps), checked_count("every", every)
    checked_rng(rng)
    theta = np.atleast_1d(_numbers("start", start))
    if theta.ndim != 1 or not theta.size:
        raise ValueError(f"start has shape {theta.shape}; a number, or one for each path, is required")
    if not isinstance(balanced, (bool, np.bool_)):
        raise TypeError(f"balanced is {balanced!r} of type {type(balanced).__name__}; True or False is"
                        " required")
    if balanced and steps % 2:
        raise ValueError(f"steps is {steps}; an even number is required for balanced signs")
    if balanced:
        order = np.argsort(rng.random((steps, theta.size)), axis=0)
        signs = np.where(order < steps // 2, 1.0, -1.0)
    else:
        signs = rng.choice([-1.0, 1.0], (steps, theta.size))
    kept = [theta]
    for t, sign in enumerate(signs, start=1):
        theta = theta * (1 + eta * (1 + sigma * sign - theta * theta))
        if t % every == 0:
            kept.append(theta)
    return np.array(kept)


def measured_exponent(eta: float, sigma: float, rng: np.random.Generator, steps: int = 200, paths: int = 200,
                      start: float = 1e-12) -> float:
    """ln|theta_T / theta_0| / T on balanced paths that stay near 0, the mean over the paths.

    >>> bool(abs(measured_exponent(0.1, 5.0, np.random.default_rng(0)) - lyapunov_exponent(0.1, 5.0)) < 1e-6)
    True
    """
    start, paths = _positive("start", start), checked_count("paths", paths)
    path = double_well(eta, sigma, steps, rng, np.full(paths, start), every=steps, balanced=True)
    return float(np.log(np.abs(path[-1] / path[0])).mean() / steps)


def collapsed(path: np.ndarray, below: float = 1e-9) -> np.ndarray:
    """Which paths, of those that :func:`double_well` returns, end within ``below`` of 0.

    >>> collapsed(np.array([[0.3, 0.3], [1e-12, 1.0]]))
    array([ True, False])
    """
    path = _numbers("path", path)
    if path.ndim != 2 or 0 in path.shape:
        raise ValueError(f"path has shape {path.shape}; (times, paths), at least one of each, is required")
    return np.abs(path[-1]) < _positive("below", below)


class Pair(NamedTuple):
    """The two weights after each step, shape (steps + 1,), and their difference."""

    u1: np.ndarray
    u2: np.ndarray

    @property
    def difference(self) -> np.ndarray:
        return np.abs(self.u1 - self.u2)


def two_units(c: float, eta: float, sigma: float, steps: int, rng: np.random.Generator,
              start=(0.2, 1.2)) -> Pair:
    """SGD on (tanh u1 + tanh u2 - y)^2 / 2 with y = c +- sigma; sigma = 0 is plain gradient descent.

    Raises
    ------
    TypeError, ValueError
        If abs(c) is not below 2, the largest value of f, or another argument is out of range.

    Examples
    --------
    >>> noisy = two_units(1.4, 0.5, 0.5, 20_000, np.random.default_rng(0))
    >>> plain = two_units(1.4, 0.5, 0.0, 20_000, np.random.default_rng(0))
    >>> bool(noisy.difference[-1] == 0), bool(plain.difference[-1] > 0.1)
    (True, True)
    """
    eta, sigma = _positive("eta", eta), _positive("sigma", sigma, least=0)
    steps = checked_count("steps", steps)
    c, start = _reachable(c), _numbers("start", start)
    if start.shape != (2,):
        raise ValueError(f"start has shape {start.shape}; (2,), one number for each unit, is required")
    targets = c + sigma * checked_rng(rng).choice([-1.0, 1.0], steps)
    path = np.empty((steps + 1, 2))
    path[0] = start
    u1, u2 = map(float, start)
    for t, y in enumerate(targets.tolist(), start=1):
        f1, f2 = np.tanh(u1), np.tanh(u2)
        rate = eta * (f1 + f2 - y)
        u1, u2 = u1 - rate * (1 - f1 * f1), u2 - rate * (1 - f2 * f2)
        path[t] = u1, u2
    return Pair(path[:, 0], path[:, 1])


def pair_exponent(c: float, eta: float, sigma: float) -> float:
    """The leading order, in eta, of the mean change of ln|u1 - u2| per step: negative for 2 / sqrt 3 < abs(c)
    < 2 alone.

    Raises
    ------
    ValueError
        If abs(c) is not below 2, the largest value of f.

    Examples
    --------
    >>> pair_exponent(1.1, 0.1, 0.5) > 0, pair_exponent(1.2, 0.1, 0.5) < 0
    (True, True)
    """
    t2 = (_reachable(c) / 2) ** 2
    first, third = 1 - t2, -2 * (1 - t2) * (1 - 3 * t2)
    return -0.5 * _positive("eta", eta) ** 2 * _positive("sigma", sigma, least=0) ** 2 * first * third


def measured_pair_exponent(c: float, eta: float, sigma: float, steps: int, rng: np.random.Generator,
                           paths: int = 100) -> tuple[float, float]:
    """The mean change of ln|u1 - u2| per step of two units that almost coincide, and its standard error.

    The difference follows its linearised recursion, so that it neither grows nor underflows; u follows SGD
    exactly.

    Raises
    ------
    TypeError, ValueError
        If abs(c) is not below 2, there are fewer than two paths, or another argument is out of range.
    """
    c, paths = _reachable(c), checked_count("paths", paths, least=2)
    eta, sigma = _positive("eta", eta), _positive("sigma", sigma, least=0)
    steps = checked_count("steps", steps)
    checked_rng(rng)
    u, total = np.full(paths, np.arctanh(c / 2)), np.zeros(paths)
    for _ in range(steps):
        f = np.tanh(u)
        r = 2 * f - (c + sigma * rng.choice([-1.0, 1.0], paths))
        total += np.log(np.abs(1 - eta * r * -2 * f * (1 - f * f)))
        u = u - eta * r * (1 - f * f)
    return float(total.mean() / steps), float(total.std(ddof=1) / np.sqrt(paths) / steps)


def _numbers(name: str, values) -> np.ndarray:
    """``values`` as a new array of finite float64."""
    array = as_array(name, values)
    if array.dtype.kind not in "iuf":
        raise TypeError(f"{name} has dtype {array.dtype}; real numbers are required")
    if not np.isfinite(array).all():
        raise ValueError(f"{name} is {values!r}; finite numbers are required")
    return array.astype(np.float64)


def _reachable(c) -> float:
    """A target that two tanh units can reach."""
    if isinstance(c, (bool, np.bool_)) or not isinstance(c, Real):
        raise TypeError(f"c is {c!r} of type {type(c).__name__}; a number is required")
    if not abs(c) < 2:
        raise ValueError(f"c is {c!r}; a number between -2 and 2, which two tanh units can reach, is"
                         " required")
    return float(c)


def _positive(name: str, value, least=None) -> float:
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, Real):
        raise TypeError(f"{name} is {value!r} of type {type(value).__name__}; a number is required")
    if not (value > 0 or value == least) or not np.isfinite(value):
        raise ValueError(f"{name} is {value!r}; a finite number above 0 is required")
    return float(value)
