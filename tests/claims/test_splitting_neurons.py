"""Tests of the checks of lem-split-gradient and prop-simsek-counts."""

from fractions import Fraction

import numpy as np
import pytest

from permsym_book import MLP
from permsym_book.claims import splitting_neurons
from permsym_book.claims.arithmetics import Rationals
from permsym_book.claims.settings import random_network
from permsym_book.claims.splitting_neurons import bell, expanded, split_net
from permsym_book.landscape import expansion_counts, words
from permsym_book.landscape.splitting import merge, split

from .helpers import assert_holds, delta_by_position, fails, sigma_by_position


def test_lem_split_gradient():
    assert_holds(
        "lem-split-gradient",
        controls={
            "the second half has the outgoing weights of the first",
            "the second half has another bias",
            "not along a, the gradient of a part in proportion",
        },
    )


def test_prop_simsek_counts():
    assert_holds(
        "prop-simsek-counts",
        controls={
            "G without asking that each unit is copied",
            "T without the groups",
            "T with groups that have numbers",
            "K = 2, doubles only, against G",
            "outgoing weights of copies not shared out",
            "outgoing weights of a group do not add up to 0",
        },
    )


@pytest.mark.parametrize("slug", ["lem-split-gradient", "prop-simsek-counts"])
def test_the_checks_notice_a_sigma_that_is_not_the_same_for_every_unit(monkeypatch, slug):
    sigma_by_position(monkeypatch)
    assert fails(slug)


def test_the_lemma_s_check_notices_a_wrong_gradient(monkeypatch):
    delta_by_position(monkeypatch)
    assert fails("lem-split-gradient")


def test_the_lemma_s_check_notices_a_part_that_is_lost(monkeypatch):
    right = splitting_neurons.split_rows
    monkeypatch.setattr(splitting_neurons, "split_rows", lambda a, V, unit, c: right(a, V, unit, c + c))
    assert fails("lem-split-gradient")


@pytest.mark.parametrize(
    "name, wrong",
    [
        ("critical_subspace_count", lambda r, m: r**m),
        ("expansion_count", lambda r, m: expansion_counts.critical_subspace_count(r, m)),
        ("saddle_count", lambda n, K: expansion_counts.critical_subspace_count(n - K, n)),
        ("expansion_words", lambda r, m: iter(list(words.expansion_words(r, m))[:-1])),
    ],
)
def test_the_counts_check_notices_sabotage(monkeypatch, name, wrong):
    monkeypatch.setattr(splitting_neurons, name, wrong)
    assert fails("prop-simsek-counts")


def test_the_package_s_split_is_the_one_that_is_checked():
    rng = np.random.default_rng(3)
    a = Rationals(rng)
    net = random_network(a, (2, 3, 2, 2), rng)
    for layer in (0, 1):
        share = Fraction(-2, 7)
        there = split(net, layer, 1, share)
        assert there == split_net(a, net, layer, 1, net.parameters.weights[layer + 1][1:2, :] * share)
        assert merge(there, layer, (1, net.hidden_widths[layer])) == net


def test_an_expansion_is_read_off_its_incoming_weights():
    rng = np.random.default_rng(5)
    a = Rationals(rng)
    net = random_network(a, (2, 2, 1), rng)
    for word in words.expansion_words(2, 4):
        assert read(expanded(a, net, word, rng), net) == word


def read(big: MLP, net: MLP) -> tuple[int, ...]:
    """The word of a network whose groups have incoming weights of their own."""
    known = [(*net.parameters.W1[:, j], net.parameters.b1[j]) for j in range(net.hidden_widths[0])]
    word = []
    for p in range(big.hidden_widths[0]):
        unit = (*big.parameters.W1[:, p], big.parameters.b1[p])
        if unit not in known:
            known.append(unit)
        word.append(known.index(unit))
    return tuple(word)


def test_bell_numbers():
    assert [bell(u) for u in range(7)] == [1, 1, 2, 5, 15, 52, 203]
