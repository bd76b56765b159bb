"""The Python class of the widget orbit."""

from itertools import permutations
from math import factorial

import numpy as np
import pytest

from permsym_book import MLP
from permsym_book.orbits import orbit
from permsym_book.widgets import Orbit
from permsym_book.widgets.orbit import arrangements

from .helpers import check_fallback, check_refused, check_round_trip, state_of

TRAITS = ["X", "activation", "groups", "network", "perm"]


@pytest.mark.parametrize("units", [[0], [0, 0, 2], [0, 1, 2, 3], [3, 1, 1, 3], [0, 0, 0, 0]])
def test_arrangements_are_the_distinct_permutations_in_order(units):
    assert list(arrangements(units)) == sorted(set(permutations(units)))


def test_the_counts_are_those_of_the_orbit_listed():
    for groups, stabilizer in [([0, 1, 2, 3], 1), ([0, 0, 2, 3], 2), ([0, 0, 2, 2], 4), ([0, 0, 0, 3], 6), ([0, 0, 0, 0], 24)]:
        w = Orbit(groups=groups)
        assert (w.orbit_size, w.stabilizer_size) == (factorial(4) // stabilizer, stabilizer)
        assert len(list(orbit(w.coinciding))) == w.orbit_size
        assert ["orbit, h!/prod m_i!", str(w.orbit_size)] in w.table()[1]


def test_the_chosen_element_computes_the_same_outputs():
    w = Orbit(groups=[0, 0, 2, 3], perm=[3, 1, 0, 2])
    p, q = w.network.parameters, w.coinciding.parameters
    assert np.array_equal(q.W1, p.W1[:, [0, 0, 2, 3]]) and np.array_equal(q.W2, p.W2[[0, 0, 2, 3]])
    assert np.array_equal(q.b1, p.b1[[0, 0, 2, 3]])
    assert w.chosen != w.coinciding and abs(w.chosen(w.X) - w.coinciding(w.X)).max() < 1e-14
    assert Orbit(groups=[0, 0, 2, 3], perm=[1, 0, 2, 3]).chosen == w.coinciding, "a relabelling of the stabilizer"


def test_a_network_of_ones_own_keeps_the_coincidences_it_has():
    net = MLP.from_arrays([[[1.0, 2.0, 1.0]], [[3.0], [5.0], [3.0]]], [[0.0, 1.0, 0.0], [0.0]])
    w = Orbit(network=net)
    assert w.groups == [0, 1, 2] and (w.orbit_size, w.stabilizer_size) == (3, 2)


def test_fallback_and_state():
    for w in (Orbit(), Orbit(groups=list(range(10))), Orbit(groups=[0])):
        check_fallback(w)
        check_round_trip(w, TRAITS)
    assert state_of(Orbit())["groups"] == [0, 0, 2, 3]


def test_bad_input_is_named():
    rng = np.random.default_rng(0)
    with pytest.raises(TypeError, match="no trait 'h'"):
        Orbit(h=4)
    check_refused(Orbit, ["network", "h = 11", "1 to 10"], network=MLP.random((2, 11, 1), rng))
    check_refused(Orbit, ["groups[1]", "2", "earlier unit"], groups=[0, 2, 2])
    check_refused(Orbit, ["groups[2]", "1", "stands for its group"], groups=[0, 0, 1])
    check_refused(Orbit, ["groups", "2 entries", "3"], network=MLP.random((2, 3, 1), rng), groups=[0, 1])
    check_refused(Orbit, ["X", "(5, 2)", "at most 4"], X=np.ones((5, 2)))
    check_refused(Orbit, ["X", "(2, 3)"], X=np.ones((2, 3)))
    check_refused(Orbit, ["perm", "3 units", "4 are required"], network=MLP.random((2, 4, 1), rng), perm=[1, 2, 0])
