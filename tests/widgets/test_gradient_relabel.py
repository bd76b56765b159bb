"""The Python class of the widget gradient-relabel."""

import numpy as np
import pytest

from permsym_book import MLP, Permutation
from permsym_book.training import largest_gap
from permsym_book.widgets import GradientRelabel

from .helpers import check_fallback, check_refused, check_round_trip, state_of

TRAITS = ["X", "Y", "activation", "mistakes", "network", "perm"]


def test_the_gradients_are_partners_and_not_equal():
    w = GradientRelabel()
    assert w.perm == Permutation([2, 0, 1])
    here, there = w.gradients
    assert largest_gap(there, here.permuted(w.perm)) < 1e-13 < 0.1 < largest_gap(there, here)
    rows = w.table()[1]
    assert all(float(row[1]) < 1e-13 for row in rows)
    assert float(rows[0][2]) > 0.1 and float(rows[3][2]) < 1e-13, "b2 belongs to no unit"


def test_the_gradients_use_the_activation_chosen():
    tanh, relu = GradientRelabel(), GradientRelabel(activation="relu")
    assert largest_gap(tanh.gradients[0], relu.gradients[0]) > 0.01


def test_a_network_of_ones_own_with_its_data():
    net = MLP.random((4, 6, 3), np.random.default_rng(1), activation="sigmoid")
    w = GradientRelabel(network=net, X=np.ones((6, 4)))
    assert w.activation == "sigmoid" and w.Y.shape == (6, 3) and len(w.perm) == 6
    assert state_of(w)["network"]["W2"] == net.parameters.W2.tolist()
    with w.hold_trait_notifications():
        w.X, w.Y = np.zeros((2, 4)), np.zeros((2, 3))
    assert w.gradients[0].W1.shape == (4, 6)
    assert GradientRelabel(perm=[1, 2, 3, 0]).network.widths == (2, 4, 2)


def test_fallback_and_state():
    w = GradientRelabel(mistakes={"b1": True, "W2": False})
    check_fallback(w)
    check_round_trip(w, TRAITS)


def test_bad_input_is_named():
    rng = np.random.default_rng(0)
    with pytest.raises(TypeError, match="no trait 'gradient'"):
        GradientRelabel(gradient=1)
    check_refused(GradientRelabel, ["network", "h = 7", "1 to 6"], network=MLP.random((2, 7, 1), rng))
    check_refused(GradientRelabel, ["network", "one hidden layer"], network=MLP.random((2, 3, 3, 1), rng))
    check_refused(GradientRelabel, ["network", "'net'"], network="net")
    check_refused(GradientRelabel, ["X", "(7, 2)", "at most 6"], X=np.ones((7, 2)))
    check_refused(GradientRelabel, ["X", "(3, 3)", "2 columns"], X=np.ones((3, 3)))
    check_refused(GradientRelabel, ["Y", "(3, 1)", "2 columns"], Y=np.ones((3, 1)))
    check_refused(GradientRelabel, ["X", "Y", "3", "2"], X=np.ones((3, 2)), Y=np.ones((2, 2)))
    check_refused(GradientRelabel, ["perm", "4 units", "3 are required"], network=MLP.random((2, 3, 2), rng), perm=[1, 2, 3, 0])
    check_refused(GradientRelabel, ["X", "2e+06", "1e+06"], X=np.full((3, 2), 2e6))
    huge = MLP.from_arrays([np.full((2, 2), -3e6), np.ones((2, 2))], [np.zeros(2), np.zeros(2)])
    check_refused(GradientRelabel, ["network", "3e+06", "1e+06"], network=huge)
    check_refused(GradientRelabel, ["mistakes"], mistakes={"cumulative": True})
