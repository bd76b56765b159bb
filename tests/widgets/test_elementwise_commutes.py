"""The Python class of the widget elementwise-commutes, and its functions against literal loops."""

from math import exp, sqrt

import numpy as np
import pytest

from permsym_book import Permutation
from permsym_book.widgets import ElementwiseCommutes
from permsym_book.widgets.row_functions import ROW_FUNCTIONS, both_ways, slot_numbers

from .helpers import check_fallback, check_refused, check_round_trip

TRAITS = ["Z", "function", "perm"]


def norm(row):
    middle = sum(row) / len(row)
    width = sqrt(sum((z - middle) ** 2 for z in row) / len(row) + 2**-10)
    return [(z - middle) / width for z in row]


LITERAL = {
    "softmax": lambda row, s: [exp(z) / sum(map(exp, row)) for z in row],
    "layer_norm": lambda row, s: norm(row),
    "add_mean": lambda row, s: [z + sum(row) / len(row) for z in row],
    "prelu": lambda row, s: [z if z > 0 else a * z for z, a in zip(row, s)],
    "prelu_moving": lambda row, s: [z if z > 0 else a * z for z, a in zip(row, s)],
    "cumulative": lambda row, s: [sum(row[:j + 1]) for j in range(len(row))],
    "layer_norm_gain": lambda row, s: [a * z for z, a in zip(norm(row), s)],
    "alternate": lambda row, s: [-z if j % 2 else z for j, z in enumerate(row)],
    "sort": lambda row, s: sorted(row),
}


@pytest.mark.parametrize("name", ROW_FUNCTIONS)
def test_functions_are_what_they_say(name, rng):
    Z, slots = rng.standard_normal((4, 5)), slot_numbers(5)
    literal = LITERAL.get(name)
    if literal is None:
        assert ROW_FUNCTIONS[name].group == "entry"
        parts = [[ROW_FUNCTIONS[name].function(np.array([[z]]), slots[:1])[0, 0] for z in row] for row in Z]
    else:
        parts = [literal(row.tolist(), slots) for row in Z]
    np.testing.assert_allclose(ROW_FUNCTIONS[name].function(Z, slots), parts, rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize("name", ROW_FUNCTIONS)
def test_exactly_those_that_do_not_know_the_slot_commute(name, rng):
    Z = rng.standard_normal((4, 4))
    gaps = []
    for perm in Permutation.all(4):
        first, last = both_ways(name, Z, perm)
        gaps.append(abs(first - last).max())
    group = ROW_FUNCTIONS[name].group
    assert gaps[0] == 0.0, "the identity"
    if group == "slot":
        assert sum(gap > 0.01 for gap in gaps) >= 20
    else:
        assert max(gaps) < 1e-14 if group == "alike" else max(gaps) == 0.0


def test_the_widget_gives_both_ways_and_a_table_of_all():
    w = ElementwiseCommutes(function="cumulative")
    first, last = w.both_ways
    assert np.array_equal(first, w.Z[:, w.perm.indices].cumsum(axis=1)) and abs(first - last).max() > 0.1
    rows = {row[0]: row[2] for row in w.table()[1]}
    assert rows["tanh"] == "0" and rows["cumulative sum"] not in ("0", "nan") and len(rows) == len(ROW_FUNCTIONS)


def test_fallback_and_state():
    for name in ("tanh", "cumulative"):
        w = ElementwiseCommutes(function=name, perm=[3, 0, 1, 2])
        check_fallback(w)
        check_round_trip(w, TRAITS)
        assert ("are alike" in w.picture().alt) == (name == "tanh")


def test_bad_input_is_named():
    with pytest.raises(TypeError, match="no trait 'f'"):
        ElementwiseCommutes(f="tanh")
    check_refused(ElementwiseCommutes, ["function", "swish"], function="swish")
    check_refused(ElementwiseCommutes, ["Z", "h = 7", "2 to 6"], Z=np.ones((2, 7)))
    check_refused(ElementwiseCommutes, ["Z", "n = 6", "1 to 5"], Z=np.ones((6, 3)))
    check_refused(ElementwiseCommutes, ["Z", "200", "100"], Z=np.full((2, 3), 200.0))
    check_refused(ElementwiseCommutes, ["perm", "4 units", "3 are required"], Z=np.ones((2, 3)), perm=[1, 2, 3, 0])
