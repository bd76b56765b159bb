"""The widget ``saddle-count``: its traits, its numbers, what stands in its place without JavaScript."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import permutations
from math import factorial

import pytest

from permsym_book.widgets import SaddleCount

from .helpers import check_fallback, check_refused, check_round_trip, state_of


@pytest.mark.parametrize("hidden", [[3], [4], [5], [2, 3], [4, 3, 2]])
def test_the_numbers_are_those_of_the_arrangements_themselves(hidden):
    """Order 1, literally: choose which vector is double, and put the n of them in every order."""
    w = SaddleCount(hidden=hidden, K=1)
    inside = [
        len({order for double in range(n - 1) for order in permutations([*range(n - 1), double])})
        for n in hidden
    ]
    assert w.enumerated == inside
    minima = 1
    for n in hidden:
        minima *= factorial(n)
    assert w.counts.minima == minima
    assert w.counts.total == sum(
        minima // factorial(n) * count for n, count in zip(hidden, inside, strict=True)
    )
    assert w.counts.factor == Fraction(w.counts.total, minima)


def test_only_narrow_layers_are_counted_one_by_one():
    w = SaddleCount(hidden=[8, 7], K=3)
    assert w.enumerated == [None, 2520]
    assert w.table()[1][1][-1] == "2\u202f520" and w.table()[1][0][-1] == ""


def test_large_numbers_are_given_with_their_digits():
    rows = SaddleCount(hidden=[512, 512], K=2).table()[1]
    assert rows[3][3] == "1.209e2333 (2\u202f334 digits)"
    assert SaddleCount(hidden=[1000, 1000, 1000], K=250).table()


def test_thousands_are_grouped_in_one_way():
    """As the page's module has it: no number of four digits stands without the narrow space, and no other space groups them."""
    for w in (SaddleCount(hidden=[6, 1000], K=1), SaddleCount(hidden=[7, 7], K=2), SaddleCount(hidden=[512, 512], K=2)):
        words = [str(cell) for row in w.table()[1] for cell in row] + [w.picture()._repr_html_().split('aria-label="')[1].split('"')[0]]
        for text in words:
            assert not re.search(r"(?<![e\d.])\d{4}|\d[ \u00a0,]\d{3}", text), text
    assert SaddleCount(hidden=[6], K=2).table()[1][0][1:] == ["720", "1\u202f080", "1\u202f080", "1\u202f080"]
    assert SaddleCount(hidden=[7, 7], K=2).table()[1][-1][3] == "5"


def test_a_narrower_layer_lowers_K_and_a_wider_one_does_not():
    w = SaddleCount(hidden=[9], K=4)
    w.hidden = [5]
    assert w.K == 2
    w.hidden = [1000]
    assert w.K == 2


def test_fallback_and_state():
    for w in (SaddleCount(), SaddleCount(hidden=[1]), SaddleCount(hidden=[1000, 3], K=400)):
        check_fallback(w)
        check_round_trip(w, ["hidden", "K"])
    assert state_of(SaddleCount(hidden=[6], K=3)) == {"hidden": [6], "K": 3}


def test_bad_input_is_named():
    with pytest.raises(TypeError, match="no trait 'widths'.*hidden"):
        SaddleCount(widths=[3])
    check_refused(SaddleCount, ["hidden", "1001"], hidden=[1001])
    check_refused(SaddleCount, ["hidden"], hidden=[0])
    check_refused(SaddleCount, ["hidden"], hidden=[])
    check_refused(SaddleCount, ["hidden"], hidden=[3, 3, 3, 3])
    check_refused(SaddleCount, ["K", "3", "at most 2"], hidden=[4, 5], K=3)
    check_refused(SaddleCount, ["K", "0"], K=0)
