"""Tests of the checks of prop-partition-stabilizer and prop-group-as-one-unit."""

from math import factorial, prod

import numpy as np
import pytest

from permsym_book import MLP
from permsym_book.claims import which_units_coincide
from permsym_book.claims.which_units_coincide import BLOCKS, grouped
from permsym_book.orbits import stabilizer_size

from .helpers import assert_holds, delta_by_position, fails, sigma_by_position


def test_prop_partition_stabilizer():
    assert_holds("prop-partition-stabilizer", controls={
        "units 0 and 1, which are in different blocks", "equal incoming weights only",
        "equal outgoing weights only"})


def test_prop_group_as_one_unit():
    assert_holds("prop-group-as-one-unit", controls={
        "the same step size for incoming weights", "the same step size for outgoing weights",
        "outgoing weights not added up"})


@pytest.mark.parametrize("slug", ["prop-partition-stabilizer", "prop-group-as-one-unit"])
@pytest.mark.parametrize("sabotage", [sigma_by_position, delta_by_position])
def test_the_checks_notice_sabotage(monkeypatch, slug, sabotage):
    sabotage(monkeypatch)
    assert fails(slug)


def test_the_check_notices_a_unit_left_out_of_its_block(monkeypatch):
    right = which_units_coincide.grouped
    monkeypatch.setattr(which_units_coincide, "grouped", lambda net,
                        blocks: right(net, (((2, 3), (1, 4)), *blocks[1:])))
    assert fails("prop-partition-stabilizer") and fails("prop-group-as-one-unit")


def test_the_stabilizer_has_the_size_of_the_blocks_arrangements():
    net = grouped(MLP.random((3, 5, 5, 2), np.random.default_rng(0)), BLOCKS)
    assert stabilizer_size(net) == prod(factorial(len(part)) for parts in BLOCKS for part in parts)
