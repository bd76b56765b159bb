"""Tests of the checks of prop-equal-loss-plane and prop-valley-connects-orderings."""

from itertools import pairwise

import numpy as np
import pytest

from permsym_book.claims import flat_valley
from permsym_book.claims.arithmetics import Rationals
from permsym_book.claims.flat_valley import moved, walk, with_equal_incoming
from permsym_book.claims.settings import random_network
from permsym_book.claims.splitting_neurons import Layer
from permsym_book.landscape import valley
from permsym_book.permutation import Permutation

from .helpers import assert_holds, bias_forgotten, fails, rows_the_wrong_way, sigma_by_position


def test_prop_equal_loss_plane():
    assert_holds(
        "prop-equal-loss-plane",
        controls={"the incoming weights differ", "the biases differ", "v added to both"},
    )


def test_prop_valley_connects_orderings():
    assert_holds(
        "prop-valley-connects-orderings",
        controls={
            "straight to the ordering",
            "incoming weights moved before the unit is silent",
            "no two units alike",
            "outgoing weights added to one and not taken from the other",
        },
    )


@pytest.mark.parametrize("slug", ["prop-equal-loss-plane", "prop-valley-connects-orderings"])
@pytest.mark.parametrize("sabotage", [sigma_by_position])
def test_the_checks_notice_sabotage(monkeypatch, slug, sabotage):
    sabotage(monkeypatch)
    assert fails(slug)


@pytest.mark.parametrize("sabotage", [rows_the_wrong_way, bias_forgotten])
def test_the_walk_s_check_notices_another_relabelling(monkeypatch, sabotage):
    sabotage(monkeypatch)
    assert fails("prop-valley-connects-orderings")


def test_the_plane_s_check_notices_a_bias_left_out(monkeypatch):
    def wrong(net, layer, units):
        W, b, V = Layer.of(net, layer)
        return Layer(Layer.of(with_equal_incoming(net, layer, units), layer).W, b, V).into(net, layer)

    monkeypatch.setattr(flat_valley, "with_equal_incoming", wrong)
    assert fails("prop-equal-loss-plane")


def test_the_walk_s_check_notices_an_ordering_left_out(monkeypatch):
    right = valley.plain_changes
    monkeypatch.setattr(valley, "plain_changes", lambda n: list(right(n))[:-1])
    assert fails("prop-valley-connects-orderings")


def test_the_walk_s_check_notices_a_unit_that_is_not_silent(monkeypatch):
    right = valley._exchange

    def loud(now, p, r, halves):
        return [
            (sources, now.own if what == "slide" else rows, what)
            for sources, rows, what in right(now, p, r, halves)
        ]

    monkeypatch.setattr(valley, "_exchange", loud)
    assert fails("prop-valley-connects-orderings")


@pytest.mark.parametrize("n", [2, 3, 4])
def test_every_piece_changes_outgoing_weights_or_the_incoming_weights_of_one_silent_unit(n):
    rng = np.random.default_rng(n)
    a = Rationals(rng)
    net = with_equal_incoming(random_network(a, (2, n, 2), rng), 0, (0, n - 1))
    for perm in Permutation.all(n):
        corners = walk(a, net, 0, (0, n - 1), list(perm))
        assert corners[-1].into(net, 0).parameters == net.parameters.permuted(perm)
        for start, end in pairwise(corners):
            changed = [u for u in range(n) if (start.W[:, u] != end.W[:, u]).any()]
            assert not changed or ((start.V == end.V).all() and not start.V[changed].any())


def test_the_plane_s_check_compares_the_swap(monkeypatch):
    monkeypatch.setattr(flat_valley.Permutation, "from_cycles", staticmethod(lambda cycles, n: Permutation.identity(n)))
    assert fails("prop-equal-loss-plane")


def test_the_plane_s_check_compares_the_second_unit_s_row(monkeypatch):
    """All units get one incoming vector, and v is taken from a third unit: outputs and the first row are as they should be."""
    right = moved

    def all_equal(net, layer, units):
        W, b, V = Layer.of(net, layer)
        sources = [units[0]] * V.shape[0]
        return Layer(W[:, sources], b[sources], V).into(net, layer)

    def wrong(a, net, layer, units, v, signs=(1, -1)):
        (i, j), (W, b, V) = units, Layer.of(net, layer)
        one = [i] * V.shape[0]
        alike = all(a.compare(A, B).residual == 0 for A, B in ((W, W[:, one]), (b, b[one])))
        swap = a.compare(V[i : i + 1, :] + v, V[j : j + 1, :]).holds
        if alike and not swap and signs == (1, -1):
            units = (i, next(u for u in range(V.shape[0]) if u not in units))
        return right(a, net, layer, units, v, signs)

    monkeypatch.setattr(flat_valley, "with_equal_incoming", all_equal)
    assert not fails("prop-equal-loss-plane")  # that alone is no mistake
    monkeypatch.setattr(flat_valley, "moved", wrong)
    assert fails("prop-equal-loss-plane")
