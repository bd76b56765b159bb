"""The widget ``flat-valley``: its traits, the valley and the walks behind it, what stands in its place without JavaScript."""

from __future__ import annotations

from itertools import pairwise, permutations

import numpy as np
import pytest
import traitlets

from permsym_book import MLP, Permutation
from permsym_book.landscape.hessian import hessian
from permsym_book.landscape.splitting import split
from permsym_book.landscape.valley import valley_walk
from permsym_book.landscape.vector import to_vector
from permsym_book.rounding import gamma
from permsym_book.training import largest_gap
from permsym_book.widgets import FlatValley
from permsym_book.widgets.valley import Valley, across, along, moves_to, valley_problem

from .helpers import check_fallback, check_refused, check_round_trip, state_of

TRAITS = ["X", "Y", "activation", "mistakes", "network", "perm", "push", "share", "unit"]


def own(**traits) -> FlatValley:
    rng = np.random.default_rng(3)
    net, X = MLP.random((2, 3, 2), rng, scheme="normal"), rng.standard_normal((10, 2))
    return FlatValley(**{"network": net, "X": X, "Y": np.hstack([np.sin(X[:, :1]), X[:, 1:] ** 2])} | traits)


def literal_split(net: MLP, unit: int, kept) -> MLP:
    """Unit by unit: the copy is the last one, and has what the unit does not keep of its outgoing weights."""
    p = net.parameters
    W1 = np.column_stack([*p.W1.T, p.W1[:, unit]])
    W2 = np.vstack([p.W2, p.W2[unit] - kept])
    W2[unit] = kept
    return MLP.from_arrays([W1, W2], [[*p.b1, p.b1[unit]], p.b2], net.activation)


def bound(net: MLP, X, Y) -> float:
    """A loose bound on the rounding of the loss: each product's size times gamma of the operations behind it."""
    p = net.parameters
    size = np.abs(net.forward(X).H[0]) @ np.abs(p.W2) + np.abs(p.b2) + np.abs(Y)
    return float((size**2).sum()) * gamma(200)


@pytest.mark.parametrize("share", [-0.7, 0.0, 0.3, 1.0, 2.0])
@pytest.mark.parametrize("push", [0.0, 0.8])
def test_a_split_is_the_literal_one_and_keeps_the_function(share, push):
    w = own(share=share, push=push, unit=2)
    a = w.network.parameters.W2[2]
    assert (
        largest_gap(w.split.parameters, literal_split(w.network, 2, share * a + push * across(a)).parameters)
        < 1e-15
    )
    assert abs(w.split(w.X) - w.network(w.X)).max() < 1e-13
    assert (
        abs(
            MLP.from_arrays([w.split.parameters.W1, 1.01 * w.split.parameters.W2], w.split.parameters.biases)(
                w.X
            )
            - w.network(w.X)
        ).max()
        > 1e-3
    )


def test_the_walks_to_all_orderings_have_one_loss():
    w = own()
    allowed = bound(w.split, w.X, w.Y)
    for perm in permutations(range(4)):
        w.perm = perm
        legs = w.legs
        assert all(a.end == b.start for a, b in pairwise(legs)), "one leg begins where the one before ends"
        assert legs[0].start == w.split.parameters
        assert legs[-1].end == w.split.permuted(perm).parameters
        assert abs(w.losses - w.network.loss(w.X, w.Y)).max() <= allowed < 1e-10
    w.perm = [1, 2, 0, 3]
    assert np.ptp(w.straight_losses) > 0.1


def test_the_moves_make_the_order():
    for perm in permutations(range(5)):
        order = list(range(5))
        for unit, start, end in moves_to(perm):
            assert (order[start], order[end]) == (unit, 4)
            order[start], order[end] = 4, unit
        assert tuple(order) == perm
        moved = sum(j != u for j, u in enumerate(perm))
        assert len(moves_to(perm)) <= moved + len(Permutation(perm).cycles)


def test_only_the_line_along_a_is_critical():
    net, X, Y = valley_problem()
    assert np.linalg.eigvalsh(hessian(net, X, Y)).min() > 0, "a minimum"
    valley = Valley(net, 1)

    def slope(share, push):
        return np.linalg.norm(to_vector(valley.split(share, push).loss_and_gradients(X, Y)[1]))

    for share in (-1.0, 0.0, 0.5, 2.0):
        assert slope(share, 0.0) < 1e-11
        assert slope(share, 1.0) > 0.1
        assert valley.split(share, 1.0).loss(X, Y) == pytest.approx(net.loss(X, Y), rel=1e-13)


@pytest.mark.parametrize("unit", [0, 1, 2])
def test_the_unit_keeps_the_share_lambda_as_split_gives_it(unit):
    w = own(share=0.3, unit=unit)
    a = w.network.parameters.W2[unit]
    apart = largest_gap(w.split.parameters, split(w.network, 0, unit, 0.3).parameters)
    assert apart <= 4 * np.finfo(float).eps * abs(a).max()
    assert largest_gap(w.split.parameters, split(w.network, 0, unit, 0.7).parameters) > 0.1 * abs(a).max()


def test_the_words_on_a_walk_are_those_of_its_ordering():
    """Without a move the copy is silenced and restored; where the halves change places the straight line is level, too."""
    for perm, row, alt in (
        ([0, 1, 2, 3], "no move is needed; the copy silenced and restored", "restored, the units in their order: constant."),
        ([0, 3, 2, 1], "the walk of 1 move,", "and along the straight line."),
        ([1, 2, 0, 3], "the walk of 4 moves,", "not along the straight line."),
    ):
        w = own(perm=perm)
        assert any(cells[0].startswith(row) for cells in w.table()[1]), perm
        assert alt in w.picture()._repr_html_()


def test_one_output_has_no_plane():
    rng = np.random.default_rng(0)
    net, X = MLP.random((1, 2, 1), rng, scheme="normal"), rng.standard_normal((5, 1))
    w = FlatValley(network=net, X=X, Y=X)
    assert len(w.perm) == 3 and not any("off the line" in row[0] for row in w.table()[1])
    check_refused(FlatValley, ["push", "0.5", "0 is required"], network=net, X=X, Y=X, push=0.5)


def test_along_begins_and_ends_with_the_legs():
    w = own()
    points = along(w.legs)
    assert len(points) == 12 * len(w.legs) + 1 == len(w.losses)
    assert points[-1] == w.legs[-1].end and largest_gap(points[0], w.legs[0].start) == 0


@pytest.mark.parametrize(
    ("traits", "words"),
    [
        ({"unit": 3}, ["unit", "3"]),
        ({"share": 2.5}, ["share", "2.5"]),
        ({"push": -2.0}, ["push", "-2.0"]),
        ({"perm": [0, 1, 2]}, ["perm", "3 units", "4"]),
        ({"perm": [0, 0, 1, 2]}, ["perm"]),
        ({"mistakes": {"neither": True}}, ["both", "together"]),
        ({"X": np.ones((10, 3))}, ["X", "(10, 3)", "2 columns"]),
        ({"Y": np.ones((10, 1))}, ["Y", "(10, 1)", "2 columns"]),
        ({"X": np.full((10, 2), 1e7)}, ["X", "1e+07", "1e+06"]),
        ({"network": MLP.random((2, 5, 2), np.random.default_rng(0))}, ["h = 5", "1 to 4"]),
    ],
)
def test_bad_input_says_what_was_required(traits, words):
    with pytest.raises(traitlets.TraitError) as error:
        own(**traits)
    assert all(word in str(error.value) for word in words), str(error.value)


def test_a_refused_trait_leaves_the_widget_as_it_was():
    w = own()
    before = state_of(w)
    for name, value in {"unit": 7, "perm": [0, 1], "share": -3.0}.items():
        with pytest.raises(traitlets.TraitError):
            setattr(w, name, value)
    assert state_of(w) == before


def test_unknown_and_missing_keywords():
    with pytest.raises(TypeError, match="no trait 'lam'.*share"):
        FlatValley(lam=1)
    with pytest.raises(TypeError, match="X is missing"):
        FlatValley(network=own().network)
    with pytest.raises(ValueError, match="unit is 3; a unit below 3"):
        Valley(own().network, 3)
    with pytest.raises(ValueError, match="perm permutes 3 units; 4"):
        Valley(own().network, 0).walk([0, 1, 2], 0.5)


def test_static_page_has_picture_table_sentence_and_state():
    w = own(share=-0.5, mistakes={"both": True})
    check_fallback(w)
    state = state_of(w)
    assert (state["share"], state["unit"], state["mistakes"]) == (-0.5, 1, {"both": True})
    check_round_trip(w, TRAITS)
    assert FlatValley.own_traits() == TRAITS


def test_it_agrees_with_the_walk_through_all_orderings():
    """splitting.valley_walk goes from one ordering to the next; both come to the same relabelled networks."""
    w = own(share=-0.4)
    a = w.network.parameters.W2[1]
    assert (
        largest_gap(split(w.network, 0, 1, w.share).parameters, w.split.parameters)
        <= 4 * np.finfo(float).eps * abs(a).max()
    )
    reached = {
        point.ordering: point.network
        for point in valley_walk(w.split, 0, (1, 3), samples=1)
        if point.ordering
    }
    assert len(reached) == 24
    for ordering, network in reached.items():
        w.perm = ordering
        assert w.legs[-1].end == network.parameters
