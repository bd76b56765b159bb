"""Tests of the checks of prop-noise-does-not-break and prop-dropout-breaks."""

import numpy as np

from permsym_book.claims import what_can_break_it

from .helpers import assert_holds, delta_by_position, fails, notices, sigma_by_position


def test_prop_noise_does_not_break():
    assert_holds("prop-noise-does-not-break", controls={
        "independent noise on each weight", "a step size for each weight",
        "against the start: training did move the units"})


def test_prop_dropout_breaks():
    assert_holds("prop-dropout-breaks", controls={
        "incoming weights, a mask for each unit: gap against 0",
        "outgoing weights, a mask for each unit: gap against 0"})


test_prop_noise_notices_sabotage = notices("prop-noise-does-not-break", delta_by_position, sigma_by_position)


def test_prop_dropout_notices_a_mask_left_out_of_the_backward_pass(monkeypatch):
    right = what_can_break_it.formulas.backward
    monkeypatch.setattr(what_can_break_it.formulas, "backward", lambda *arguments: right(*arguments[:-1]))
    assert fails("prop-dropout-breaks")


def test_prop_dropout_notices_a_wrong_formula(monkeypatch):
    right = what_can_break_it.predicted_gap
    monkeypatch.setattr(what_can_break_it, "predicted_gap",
                        lambda *arguments: tuple(-g for g in right(*arguments)))
    assert fails("prop-dropout-breaks")


def test_erratum_minibatches_keep_units_identical_and_dropout_does_not():
    from permsym_book import MLP, identical_units
    from permsym_book.claims.arithmetics import Rationals
    from permsym_book.claims.what_can_break_it import dropout_step
    rng = np.random.default_rng(3)
    a = Rationals(rng)
    net = identical_units(MLP.from_arrays([a.random((2, 3), rng), a.random((3, 1), rng)],
                                          [a.random((3,), rng), a.random((1,), rng)], "square"), 0, [0, 1])
    X, Y = a.random((4, 2), rng), a.random((4, 1), rng)
    for rows in ([0], [1, 3], [0, 1, 2, 3]):
        mask = a.lift(np.ones((len(rows), 3), dtype=int))
        stepped = dropout_step(net, X[rows], Y[rows], mask, a.number(what_can_break_it.ALPHA)).parameters
        assert (stepped.W1[:, 0] == stepped.W1[:, 1]).all()
    mask = a.lift(np.array([[2, 0, 2], [0, 2, 2], [2, 2, 0], [0, 0, 2]]))
    stepped = dropout_step(net, X, Y, mask, a.number(what_can_break_it.ALPHA)).parameters
    assert (stepped.W1[:, 0] != stepped.W1[:, 1]).any()
