"""Tests of the checks of prop-collapse-threshold and prop-pair-merges."""

import numpy as np
import pytest

from permsym_book import collapse
from permsym_book.claims import creating_symmetry

from .helpers import assert_holds, fails


def test_prop_collapse_threshold():
    assert_holds("prop-collapse-threshold", controls={
        "without the 1: sigma^2 = 2 / eta", "at 0.7 of the threshold", "the threshold of half the step size"})


def test_prop_pair_merges():
    assert_holds("prop-pair-merges", controls={"c = 1.1", "c = 1.2"})


@pytest.mark.parametrize("place, name, wrong", [
    (collapse, "critical_sigma", lambda eta: (2 / eta) ** 0.5),
    (collapse, "lyapunov_exponent", lambda eta, sigma: float(np.log(1 + eta) - eta**2 * sigma**2 / 2)),
    (creating_symmetry, "threshold", lambda eta: 2 / eta),
])
def test_the_threshold_s_check_notices_sabotage(monkeypatch, place, name, wrong):
    monkeypatch.setattr(place, name, wrong)
    assert fails("prop-collapse-threshold")


def test_the_threshold_s_check_notices_another_recursion(monkeypatch):
    right = collapse.double_well
    monkeypatch.setattr(collapse, "double_well", lambda eta, *rest,
                        **options: right(1.1 * eta, *rest, **options))
    assert fails("prop-collapse-threshold")


def test_the_pair_s_check_notices_sabotage(monkeypatch):
    right = collapse.pair_exponent
    monkeypatch.setattr(collapse, "pair_exponent", lambda c, eta, sigma: -right(c, eta, sigma))
    assert fails("prop-pair-merges")
    monkeypatch.setattr(collapse, "pair_exponent", right)
    monkeypatch.setattr(creating_symmetry, "third_derivative", lambda t2: -2 * (1 - t2) * (1 - 2 * t2))
    assert fails("prop-pair-merges")
