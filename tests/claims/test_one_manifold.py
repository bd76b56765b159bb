"""Tests of the check of prop-overparameterised-connected."""

from itertools import combinations

import numpy as np
import pytest

from permsym_book.claims import one_manifold
from permsym_book.claims.arithmetics import Rationals
from permsym_book.claims.one_manifold import have_a_common_point, manifold_path, pieces, solvable
from permsym_book.claims.settings import random_network
from permsym_book.claims.splitting_neurons import Layer
from permsym_book.landscape import connectivity

from .helpers import assert_holds, fails, sigma_by_position

right_walk = one_manifold.walk


def test_prop_overparameterised_connected():
    assert_holds(
        "prop-overparameterised-connected",
        controls={
            "m = r: straight to a relabelling",
            "m = r is one component",
            "incoming weights moved while they are in use",
        },
    )


def test_the_check_notices_a_sigma_that_is_not_the_same_for_every_unit(monkeypatch):
    sigma_by_position(monkeypatch)
    assert fails("prop-overparameterised-connected")


@pytest.mark.parametrize(
    "name, wrong",
    [
        ("meet", lambda one, other, r: True),
        ("meet", lambda one, other, r: one == other),
        ("components", lambda r, m: connectivity.components(r, m)._replace(component=[0])),
        ("subspaces", lambda r, m: connectivity.subspaces(r, m)[1:]),
        (
            "walk",
            lambda *arguments: [one_manifold.Layer(c.W, c.b, c.V + c.V) for c in right_walk(*arguments)],
        ),
    ],
)
def test_the_check_notices_sabotage(monkeypatch, name, wrong):
    monkeypatch.setattr(one_manifold, name, wrong)
    assert fails("prop-overparameterised-connected")


def test_the_rule_for_meeting_is_what_the_equations_say():
    for r, m in [(1, 3), (2, 3), (2, 4)]:
        for pair in combinations(connectivity.subspaces(r, m), 2):
            assert connectivity.meet(*pair, r) == have_a_common_point(pair, (3, 8)[:r], (2, 7)[:r])


@pytest.mark.parametrize("r, m, count", [(2, 2, 2), (3, 3, 6), (2, 3, 1), (1, 1, 1)])
def test_pieces_of_the_union(r, m, count):
    words = connectivity.subspaces(r, m)
    assert pieces(words, lambda *pair: have_a_common_point(pair, (1, 2, 3)[:r], (5, 7, 11)[:r])) == count


def test_solvable():
    assert solvable([[1, 1, 2], [1, -1, 0]], 2) and solvable([[1, 1, 2], [2, 2, 4]], 2)
    assert not solvable([[1, 1, 2], [2, 2, 5]], 2) and not solvable([[0, 0, 1]], 2)


def test_the_path_ends_where_it_should_and_changes_one_thing_at_a_time():
    rng = np.random.default_rng(1)
    a = Rationals(rng)
    net = random_network(a, (1, 2, 1), rng)
    corners = manifold_path(a, net, (2, 0, 1, 2), (1, 1, 0, 2), rng)
    W = Layer.of(net, 0).W
    assert (corners[0].W[:, [1, 2]] == W).all() and (corners[-1].W[:, [2, 0]] == W).all()
    for start, end in zip(corners, corners[1:], strict=False):
        changed = [u for u in range(4) if (start.W[:, u] != end.W[:, u]).any()]
        assert not changed or not start.V[changed].any()
