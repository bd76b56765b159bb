"""Tests of the check of prop-even-across-symmetry, and of the escape from the symmetric set that the page
shows."""

import numpy as np
import pytest

from permsym_book import MLP, identical_units, noise, optimizers
from permsym_book.claims import rounding_trains
from permsym_book.lab_examples import steepest_split, watched
from permsym_book.loop import train

from .helpers import assert_holds, delta_by_position, fails, notices, sigma_by_position

SLUG = "prop-even-across-symmetry"


def test_prop_even_across_symmetry():
    assert_holds(SLUG, controls={"a direction that moves both units alike", "units that are not identical",
                                 "the slope along a direction that is not opposite"})


test_the_check_notices_sabotage = notices(SLUG, sigma_by_position, delta_by_position)


def test_the_check_notices_a_direction_that_is_not_opposite(monkeypatch):
    monkeypatch.setattr(rounding_trains, "opposite", lambda params, i, k: params)
    assert fails(SLUG)


def setting():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((64, 64))
    Y = np.tanh(X @ rng.standard_normal((64, 3)) / 8)
    return identical_units(MLP.random((64, 10, 3), rng), 0, range(10)), X, Y


def test_one_last_bit_trains_the_network_and_a_fixed_order_does_not():
    start, X, Y = setting()
    sgd = optimizers.get("sgd", step_size=0.004)
    kept = watched(start, X, Y, sgd, 400, every=100)
    nudged = watched(start, X, Y, sgd, 400, noises=[noise.get("nudge", size=1e-17)], every=100)
    assert kept.gaps.max() == 0
    assert nudged.gaps[-1] > 0.1 and nudged.losses[-1] < 0.6 * kept.losses[-1]


def test_the_gap_grows_as_the_curvature_says():
    """Over steps 90 to 110 the factor is 1 - alpha lambda; lambda moves by under 4 % of itself in that
    time."""
    start, X, Y = setting()
    sgd, path = optimizers.get("sgd", step_size=0.004), {}
    train(start, X, Y, sgd, 110, callback=path.__setitem__, arithmetic="fixed")
    rates = [1 - 0.004 * steepest_split(MLP(path[t].parameters.map(np.asarray), "tanh"), X, Y)[0]
             for t in (90, 110)]
    course = watched(start, X, Y, sgd, 110, noises=["nudge"], every=10)
    grown = (course.gaps[11] / course.gaps[9]) ** (1 / 20)
    assert min(rates) - 0.01 < grown < max(rates) + 0.01 and min(rates) > 1.1


def test_the_curvature_is_that_of_the_loss():
    """Against second differences, whose error is of the order of the step's square plus rounding over it."""
    start, X, Y = setting()
    curvature, v = steepest_split(start, X, Y)
    eps = 1e-4
    values = [start.with_parameters(start.parameters + v * e).loss(X, Y) for e in (-eps, 0.0, eps)]
    assert (values[0] - 2 * values[1] + values[2]) / eps**2 == pytest.approx(curvature, rel=1e-3)
    assert values[0] == pytest.approx(values[2], rel=1e-13)
