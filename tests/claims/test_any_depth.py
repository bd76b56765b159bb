"""Tests of the check of thm-deep-invariance."""

import pytest

from .helpers import (
    assert_holds,
    bias_forgotten,
    delta_by_position,
    fails,
    rows_the_wrong_way,
    sigma_by_position,
)

SLUG = "thm-deep-invariance"


def test_the_product_of_the_symmetric_groups_acts():
    assert_holds(SLUG, controls={
        "columns of W2 relabelled, rows forgotten", "rows of W2 relabelled by the next layer's permutation",
        "rows and columns of W2 exchanged"})


@pytest.mark.parametrize("sabotage", [rows_the_wrong_way, bias_forgotten, delta_by_position, sigma_by_position])
def test_the_check_notices_sabotage(monkeypatch, sabotage):
    sabotage(monkeypatch)
    assert fails(SLUG)
