"""Stochastic collapse: the thresholds met by simulation, with the other side of each as the control."""

import math

import numpy as np
import pytest

from permsym_book import collapse
from permsym_book.collapse import (
    MERGING_TARGET,
    critical_sigma,
    double_well,
    lyapunov_exponent,
    measured_exponent,
    measured_pair_exponent,
    pair_exponent,
    two_units,
)

SEEDS = range(20)


@pytest.mark.parametrize("eta", [0.02, 0.1, 0.5])
def test_the_exponent_changes_sign_at_the_critical_noise(eta):
    s = critical_sigma(eta)
    assert s**2 == pytest.approx(1 + 2 / eta, rel=1e-14)
    assert lyapunov_exponent(eta, s) == pytest.approx(0, abs=1e-14)
    assert lyapunov_exponent(eta, 0.99 * s) > 0 > lyapunov_exponent(eta, 1.01 * s)
    upper = (1 + 2 / eta + 2 / eta**2) ** 0.5
    assert lyapunov_exponent(eta, 0.99 * upper) < 0 < lyapunov_exponent(eta, 1.01 * upper)


def test_the_path_is_the_literal_recursion():
    path = double_well(0.1, 2.0, 30, np.random.default_rng(3), start=[0.3, -0.2])
    for a, b in zip(path, path[1:]):
        for x, y in zip(a, b):
            steps = [x - 0.1 * x * (x * x - label) for label in (3.0, -1.0)]
            assert min(abs(y - s) for s in steps) < 1e-15
    every = double_well(0.1, 2.0, 30, np.random.default_rng(3), start=[0.3, -0.2], every=10)
    assert (every == path[::10]).all()


@pytest.mark.parametrize("factor, expected", [(1.2, 20), (0.7, 0)])
def test_noise_above_the_threshold_collapses_all_seeds_and_below_none(factor, expected):
    eta = 0.1
    ends = [double_well(eta, factor * critical_sigma(eta), 4000, np.random.default_rng(seed), every=4000)
            for seed in SEEDS]
    assert sum(int(collapse.collapsed(path)[0]) for path in ends) == expected


@pytest.mark.parametrize("factor", [0.7, 1.2, 2.0])
def test_the_measured_exponent_agrees_to_three_digits(factor, rng):
    sigma = factor * critical_sigma(0.1)
    exact = lyapunov_exponent(0.1, sigma)
    assert abs(measured_exponent(0.1, sigma, rng) - exact) < 5e-4 * abs(exact)
    assert abs(measured_exponent(0.1, sigma, rng) - lyapunov_exponent(0.1, 1.02 * sigma)) > 5e-4 * abs(exact)


def test_independent_signs_agree_within_their_standard_error(rng):
    eta, sigma, steps, paths = 0.1, 1.2 * critical_sigma(0.1), 100, 4000
    path = double_well(eta, sigma, steps, rng, np.full(paths, 1e-9), every=steps)
    growth = np.log(np.abs(path[-1] / path[0])) / steps
    assert abs(growth.mean() - lyapunov_exponent(eta, sigma)) < 5 * growth.std() / math.sqrt(paths)


@pytest.mark.parametrize("c, merge", [(1.2, True), (1.4, True), (1.1, False), (0.8, False)])
def test_the_pair_contracts_exactly_above_the_threshold(c, merge, rng):
    eta, sigma = 0.2, 0.5
    exponent, error = measured_pair_exponent(c, eta, sigma, 10_000, rng, paths=800)
    assert (c > MERGING_TARGET) == merge == (pair_exponent(c, eta, sigma) < 0)
    assert abs(exponent) > 5 * error and (exponent < 0) == merge


def test_the_pair_exponent_is_the_leading_order(rng):
    """The error of the formula falls with eta: relative 30 % allowed at eta = 0.1, and more than at 0.4
    never."""
    exponent, error = measured_pair_exponent(1.5, 0.1, 0.5, 10_000, rng, paths=800)
    assert abs(exponent - pair_exponent(1.5, 0.1, 0.5)) < 0.3 * abs(exponent) + 5 * error
    assert pair_exponent(MERGING_TARGET, 0.1, 0.5) == pytest.approx(0, abs=1e-15)


def test_two_units_become_one_under_label_noise_and_not_without():
    for seed in range(5):
        noisy = two_units(1.4, 0.5, 0.5, 20_000, np.random.default_rng(seed))
        assert noisy.difference[-1] == 0.0
    plain = two_units(1.4, 0.5, 0.0, 20_000, np.random.default_rng(0))
    assert plain.difference[-1] > 0.1
    assert np.tanh(plain.u1[-1]) + np.tanh(plain.u2[-1]) == pytest.approx(1.4, abs=1e-10)
    apart = two_units(0.8, 0.5, 0.5, 20_000, np.random.default_rng(0))
    assert apart.difference[-1] > 1e-3


RNG, NAN = np.random.default_rng(0), float("nan")


@pytest.mark.parametrize("call, words", [
    (lambda: critical_sigma(0), "eta is 0"), (lambda: critical_sigma(-1.0), "eta is -1"),
    (lambda: critical_sigma(NAN), "eta is nan"), (lambda: lyapunov_exponent(0.1, NAN), "sigma is nan"),
    (lambda: double_well(0.1, -1.0, 10, RNG), "sigma is -1"),
    (lambda: double_well(0.1, 1.0, 9, RNG, balanced=True), "steps is 9"),
    (lambda: double_well(0.1, 1.0, 0, RNG), "steps is 0"),
    (lambda: double_well(0.1, 1.0, 10, RNG, start=NAN), "start is nan"),
    (lambda: double_well(0.1, 1.0, 10, RNG, start=[]), r"start has shape \(0,\)"),
    (lambda: double_well(0.1, 1.0, 10, RNG, start=np.ones((2, 2))), r"start has shape \(2, 2\)"),
    (lambda: measured_exponent(0.1, 1.0, RNG, start=0.0), "start is 0.0"),
    (lambda: measured_exponent(0.1, 1.0, RNG, paths=0), "paths is 0"),
    (lambda: collapse.collapsed(np.zeros((0, 0))), r"path has shape \(0, 0\)"),
    (lambda: collapse.collapsed(np.zeros(3)), r"path has shape \(3,\)"),
    (lambda: collapse.collapsed(np.full((1, 1), NAN)), "path is .*nan"),
    (lambda: collapse.collapsed(np.zeros((1, 1)), below=NAN), "below is nan"),
    (lambda: pair_exponent(2.0, 0.1, 0.5), "c is 2.0"), (lambda: pair_exponent(NAN, 0.1, 0.5), "c is nan"),
    (lambda: measured_pair_exponent(-2.5, 0.1, 0.5, 10, RNG), "c is -2.5"),
    (lambda: measured_pair_exponent(1.0, 0.1, 0.5, 10, RNG, paths=1), "paths is 1"),
    (lambda: two_units(2.0, 0.1, 0.5, 10, RNG), "c is 2.0"),
    (lambda: two_units(1.0, 0.1, 0.5, 10, RNG, start=(0.1, NAN)), "start is .*nan"),
    (lambda: two_units(1.0, 0.1, 0.5, 10, RNG, start=(0.1,)), r"start has shape \(1,\)"),
])
def test_wrong_calls_say_what_was_wrong(call, words):
    with pytest.raises(ValueError, match=words):
        call()


@pytest.mark.parametrize("call, words", [
    (lambda: critical_sigma("a"), "eta is 'a'"), (lambda: pair_exponent(None, 0.1, 0.5), "c is None"),
    (lambda: double_well(0.1, 1.0, 10, RNG, start="a"), "start has dtype"),
    (lambda: double_well(0.1, 1.0, 10, RNG, balanced=1), "balanced is 1"),
])
def test_other_types_are_named(call, words):
    with pytest.raises(TypeError, match=words):
        call()
