"""Splits, merges and the walk through all orderings, exactly and at any depth."""

from fractions import Fraction
from itertools import permutations
from math import factorial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from permsym_book import MLP
from permsym_book.landscape.splitting import equal_loss_plane, merge, split
from permsym_book.landscape.valley import loss_spread, plain_changes, straight, valley_walk
from permsym_book.landscape.vector import to_vector
from strategies import array, parameters

EXACT = ("identity", "relu", "square", "hardtanh")


@st.composite
def exact_networks(draw):
    """A rational network of 1 to 3 hidden layers, a layer of it, a unit, and a batch."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    widths = tuple(draw(st.lists(st.integers(1, 3), min_size=3, max_size=5)))
    biases = draw(st.lists(st.booleans(), min_size=len(widths) - 1, max_size=len(widths) - 1))
    net = MLP(parameters("fraction", widths, rng, biases), draw(st.sampled_from(EXACT)))
    layer = draw(st.integers(0, len(widths) - 3))
    unit = draw(st.integers(0, net.hidden_widths[layer] - 1))
    return net, layer, unit, array("fraction", (2, widths[0]), rng), rng


@given(exact_networks(), st.fractions(-3, 3, max_denominator=5))
def test_a_split_network_computes_the_same_and_merges_back(case, share):
    net, layer, unit, X, rng = case
    last = net.hidden_widths[layer]
    row = array("fraction", (net.widths[layer + 2],), rng)
    for part in (share, row):
        halves = split(net, layer, unit, part)
        assert halves.hidden_widths[layer] == last + 1 and (halves(X) == net(X)).all()
        assert merge(halves, layer, (unit, last)) == net
        elsewhere = equal_loss_plane(halves, layer, (unit, last), array("fraction", row.shape, rng))
        assert (elsewhere(X) == net(X)).all() and merge(elsewhere, layer, (unit, last)) == net


def test_a_wrong_split_computes_something_else(rng):
    net = MLP(parameters("fraction", (2, 2, 1), rng), "square")
    X, halves = array("fraction", (3, 2), rng), split(net, 0, 0, 1)
    weights = [W.copy() for W in halves.parameters.weights]
    weights[1][2] = weights[1][0]  # the copy keeps the whole outgoing weight: shares add up to 2
    assert (MLP.from_arrays(weights, halves.parameters.biases, "square")(X) != net(X)).any()


@pytest.mark.parametrize("n", [2, 3, 4])
@pytest.mark.parametrize("activation", EXACT)
def test_the_walk_visits_every_ordering_once_at_exactly_one_loss(n, activation, rng):
    net = split(MLP(parameters("fraction", (2, n - 1, 2), rng), activation), 0, 0, Fraction(1, 3))
    X, Y = array("fraction", (2, 2), rng), array("fraction", (2, 2), rng)
    points = list(valley_walk(net, 0, (0, n - 1), samples=3))
    orderings = [point.ordering for point in points if point.ordering]
    assert sorted(orderings) == list(permutations(range(n))) and orderings[0] == tuple(range(n))
    for point in points:
        if point.ordering:
            assert point.network == net.permuted(point.ordering)
    assert loss_spread([point.network for point in points], X, Y) == 0
    assert isinstance(loss_spread([net], X, Y), Fraction)


@pytest.mark.parametrize("layer", [0, 1])
def test_the_walk_is_connected_and_moves_one_thing_at_a_time(layer, rng):
    net = split(MLP.random((2, 3, 3, 2), rng), layer, 1, 0.3)
    points = list(valley_walk(net, layer, (1, 3), samples=5))
    assert sum(point.ordering is not None for point in points) == factorial(4)
    size = np.linalg.norm(to_vector(net))
    for before, after in zip(points, points[1:], strict=False):
        assert np.linalg.norm(to_vector(after.network) - to_vector(before.network)) < size / 2
        p, q = before.network.parameters, after.network.parameters
        incoming = (p.weights[layer] != q.weights[layer]).any(axis=0)
        outgoing = (p.weights[layer + 1] != q.weights[layer + 1]).any(axis=1)
        if after.what == "slide":  # only silent units change what they see
            assert incoming.sum() <= 1 and not outgoing.any()
            assert not p.weights[layer + 1][incoming].any()
        else:
            assert not incoming.any() and outgoing.sum() <= 2
    X, Y = rng.standard_normal((30, 2)), rng.standard_normal((30, 2))
    assert loss_spread([point.network for point in points], X, Y) < 1e-12


def test_without_the_silent_unit_the_loss_changes(rng):
    """Straight from one ordering to another, the incoming weights of units that speak move: the loss is not kept."""
    net = split(MLP.random((2, 3, 2), rng), 0, 1, 0.3)
    X, Y = rng.standard_normal((30, 2)), rng.standard_normal((30, 2))
    assert loss_spread(straight([net, net.permuted([2, 0, 1, 3])], 5), X, Y) > 1e-3


@pytest.mark.parametrize("n", range(1, 7))
def test_plain_changes_go_through_all_orderings(n):
    order = list(range(n))
    seen = {tuple(order)}
    for p in plain_changes(n):
        order[p], order[p + 1] = order[p + 1], order[p]
        seen.add(tuple(order))
    assert len(seen) == factorial(n) == 1 + sum(1 for _ in plain_changes(n))


def test_merging_within_a_tolerance_takes_the_mean():
    net = MLP.from_arrays([[[1.0, 1.5]], [[2.0], [3.0]]], [[0.0, 1.0], None])
    with pytest.raises(ValueError, match="differ by 1.00e"):
        merge(net, 0, (0, 1))
    merged = merge(net, 0, (0, 1), tolerance=1.0)
    assert merged.parameters.arrays()[0].item() == 1.25 and merged.parameters.W2.item() == 5.0
    assert merged.parameters.b1.item() == 0.5


@pytest.mark.parametrize("number", [int, Fraction])
def test_merging_exact_units_within_a_tolerance_stays_exact(number):
    arrays = [np.array(rows, dtype=object) * number(1) for rows in ([[1, 2]], [[2], [3]], [4, 5])]
    merged = merge(MLP.from_arrays(arrays[:2], [arrays[2], None], "square"), 0, (0, 1), tolerance=1).parameters
    assert [A.item() for A in merged.arrays()] == [Fraction(3, 2), Fraction(9, 2), 5]
    assert not any(isinstance(A.item(), float) for A in merged.arrays())


@pytest.mark.parametrize("tolerance", [np.nan, np.inf, -1.0, "a", None, True])
def test_a_tolerance_is_a_finite_number(tolerance, rng):
    with pytest.raises(ValueError, match="tolerance is .*; a number from 0 on is required"):
        merge(MLP.random((2, 3, 1), rng), 0, (0, 1), tolerance)


def test_units_with_different_biases_are_different(rng):
    net = MLP.from_arrays([[[1.0, 1.0]], [[2.0], [3.0]]], [[0.0, 0.25], None])
    for call in (lambda: merge(net, 0, (0, 1)), lambda: equal_loss_plane(net, 0, (0, 1), 0.5), lambda: valley_walk(net, 0, (0, 1))):
        with pytest.raises(ValueError, match="differ by 2.50e-01"):
            call()
    assert merge(net, 0, (0, 1), 0.25).parameters.b1.tolist() == [0.125]


def test_a_stack_is_refused(rng):
    nets = [MLP.random((2, 2, 1), rng) for _ in range(3)]
    stack = MLP.stack(nets)
    for call in (lambda: split(stack, 0, 0, 0.5), lambda: merge(stack, 0, (0, 1)), lambda: valley_walk(stack, 0, (0, 1)),
                 lambda: equal_loss_plane(stack, 0, (0, 1), 0.5)):
        with pytest.raises(TypeError, match="net is a stack of 3 networks; one network is required"):
            call()


def test_a_straight_line_needs_networks_of_one_kind(rng):
    net = MLP.random((2, 3, 1), rng)
    others = (MLP(net.parameters, "relu"), MLP.random((2, 4, 1), rng), MLP(net.parameters.map(np.float32), "tanh"))
    for other in others:
        with pytest.raises(ValueError, match=r"networks\[1\] has widths .*, as networks\[0\] has, are required"):
            straight([net, other], 3)
    for networks, error in (([], ValueError), ([net, net.parameters], TypeError), (net, TypeError)):
        with pytest.raises(error, match="networks"):
            straight(networks, 3)


def test_bad_input_is_named(rng):
    net = MLP.random((2, 3, 2), rng)
    for call, match in ((lambda: split(net, 1, 0, 0.5), "layer is 1"), (lambda: split(net, 0, 3, 0.5), "units is"),
                        (lambda: merge(net, 0, (1, 1)), "different units"), (lambda: valley_walk(net, 0, (0, 1)), "differ"),
                        (lambda: equal_loss_plane(net, 0, (0, 1), 0.5), "differ"),
                        (lambda: split(net, 0, 0, np.ones(3)), "share has shape"),
                        (lambda: valley_walk(split(net, 0, 0, 0.5), 0, (0, 3), samples=0), "samples is 0")):
        with pytest.raises(ValueError, match=match):
            call()
    with pytest.raises(TypeError, match="share is 0.5"):
        split(MLP(parameters("fraction", (1, 2, 1), rng), "square"), 0, 0, 0.5)
    with pytest.raises(TypeError, match="MLP is required"):
        split(net.parameters, 0, 0, 0.5)
