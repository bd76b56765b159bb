"""Tests of the check of prop-orbit-size."""

from math import factorial

import numpy as np
import pytest

from permsym_book.claims import exact_redundancy as page

from .helpers import assert_holds, fails

SLUG = "prop-orbit-size"


def test_the_orbit_has_h_factorial_over_the_multiplicities_factorials():
    assert_holds(SLUG, controls={
        "h! without dividing", "dividing by the multiplicities, not by their factorials",
        "units alike in their incoming weights only"})


@pytest.mark.parametrize("sizes", [[1, 1, 1], [2, 1], [3], [2, 2], [4, 1], [1, 2, 3]])
def test_brute_force_over_s_n(sizes):
    net = page.network_with_multiplicities(sizes, np.random.default_rng(0))
    product = int(np.prod([factorial(m) for m in sizes]))
    assert page.distinct_relabellings(net) * product == factorial(sum(sizes))
    assert page.fixing_permutations(net) == product


@pytest.mark.parametrize("name", ["orbit_size", "stabilizer_size"])
def test_the_check_notices_a_wrong_count(monkeypatch, name):
    right = getattr(page, name)
    monkeypatch.setattr(page, name, lambda net: right(net) + 1)
    assert fails(SLUG)
