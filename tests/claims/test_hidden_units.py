"""Tests of the check of def-permutation-symmetry."""

from .helpers import assert_holds, bias_forgotten, fails, rows_the_wrong_way, sigma_by_position

SLUG = "def-permutation-symmetry"


def test_every_relabelling_leaves_the_function_unchanged():
    assert_holds(SLUG, controls={"only W1 relabelled", "only b1 relabelled", "only W2 relabelled"})


def test_the_check_notices_a_wrong_transpose(monkeypatch):
    rows_the_wrong_way(monkeypatch)
    assert fails(SLUG)


def test_the_check_notices_a_forgotten_bias(monkeypatch):
    bias_forgotten(monkeypatch)
    assert fails(SLUG)


def test_the_check_notices_a_sigma_that_is_not_elementwise(monkeypatch):
    sigma_by_position(monkeypatch)
    assert fails(SLUG)
