"""Tests of the check of prop-saddle-count."""

from itertools import permutations
from math import comb

import numpy as np
import pytest

from permsym_book import MLP
from permsym_book.claims import counting_saddles
from permsym_book.claims.counting_saddles import doubled, integer_network, permutation_points
from permsym_book.landscape import counting
from permsym_book.parameters import Parameters

from .helpers import assert_holds, bias_forgotten, fails


def test_prop_saddle_count():
    assert_holds(
        "prop-saddle-count",
        controls={
            "not divided by 2^K",
            "K of the n units instead of K of the n - K vectors",
            "K = 2, a vector may also occur three times",
            "two of the vectors equal",
        },
    )


@pytest.mark.parametrize(
    "name, wrong",
    [
        ("saddle_count", lambda n, K: counting.saddle_count(n, K) * 2),
        ("saddle_words", lambda n, K: iter(list(counting.saddle_words(n, K))[1:])),
        ("doubled", lambda theta, layer, units: doubled(theta, layer, list(units)[:-1] + [0])),
    ],
)
def test_the_check_notices_sabotage(monkeypatch, name, wrong):
    monkeypatch.setattr(counting_saddles, name, wrong)
    assert fails("prop-saddle-count")


def test_the_check_notices_a_bias_that_stays(monkeypatch):
    bias_forgotten(monkeypatch)
    assert fails("prop-saddle-count")


@pytest.mark.parametrize("n, K", [(2, 1), (4, 1), (4, 2), (6, 2), (6, 3), (7, 2)])
def test_the_count_is_that_of_arrangements_of_a_multiset(n, K):
    one = sorted([*range(n - K), *range(K)])
    assert comb(n - K, K) * len(set(permutations(one))) == counting.saddle_count(n, K)


def test_a_joint_relabelling_of_two_layers_makes_fewer_networks():
    """In a deep network different full vectors are not enough; incoming vectors must differ."""
    theta = Parameters(
        [np.array([[2.0, 2.0]]), np.array([[2.0, 0.0], [0.0, 2.0]]), np.array([[4.0], [4.0]])],
        [np.zeros(2), np.zeros(2), np.zeros(1)],
    )
    assert len(permutation_points(theta, 0, 0)) == 2 < counting.minima_copies((1, 2, 2, 1))


def test_a_doubled_network_computes_the_same():
    theta = integer_network((3, 3, 2, 2), np.random.default_rng(0))
    X = np.random.default_rng(1).standard_normal((5, 3))
    both = [MLP(p, "relu") for p in (theta, doubled(theta, 0, (2, 0)))]
    assert both[1].hidden_widths == (5, 2) and np.allclose(both[0](X), both[1](X), rtol=0, atol=1e-9)
