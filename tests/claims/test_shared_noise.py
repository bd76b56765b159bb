"""Tests of the check of prop-unit-blind-noise."""

import numpy as np

from permsym_book import noise
from permsym_book.claims import shared_noise
from permsym_book.gaps import problem, unit_gaps

from .helpers import assert_holds, delta_by_position, fails, notices, rows_the_wrong_way

SLUG = "prop-unit-blind-noise"


def test_prop_unit_blind_noise():
    assert_holds(SLUG,
                 controls={"the twin with draws not relabelled", "identical units, noise on each weight"})


test_the_check_notices_sabotage = notices(SLUG, rows_the_wrong_way, delta_by_position)


def test_the_check_notices_noise_that_sees_the_units(monkeypatch):
    monkeypatch.setattr(shared_noise, "unit_blind", lambda a, params,
                        rng: params.map(lambda A: a.random(A.shape, rng)))
    assert fails(SLUG)


def test_the_package_s_shared_noise_gives_all_units_the_same_numbers(rng):
    p = problem(range(2), units=5).net.parameters
    zero = p * 0.0
    assert unit_gaps(noise.get("gradient_noise_shared").gradients(zero, rng), range(5)).max() == 0
    assert unit_gaps(noise.get("gradient_noise").gradients(zero, rng), range(5)).min() > 0
    (mask,) = noise.get("dropout_shared").masks([(2, 7, 5)], np.zeros(1), rng)
    assert (mask == mask[..., :1]).all() and set(np.unique(mask)) == {0.0, 2.0}
