"""Tests of the checks of prop-equivariant-optimizers and lem-equivariant-operations."""

import numpy as np
import pytest

from permsym_book import optimizers
from permsym_book.claims import equivariant_optimizers
from permsym_book.gaps import distances, problem
from permsym_book.modular import ModArray

from .helpers import assert_holds, delta_by_position, fails, notices, rows_the_wrong_way


def test_prop_equivariant_optimizers():
    assert_holds("prop-equivariant-optimizers", controls={
        "a rate for each weight, by its index", "the extra numbers not relabelled"})


def test_lem_equivariant_operations():
    assert_holds("lem-equivariant-operations", controls={
        "a Gram matrix that is not relabelled", "a product with a matrix that stays where it is"})


test_the_proposition_notices_sabotage = notices("prop-equivariant-optimizers", rows_the_wrong_way,
                                                delta_by_position)


def test_the_proposition_notices_a_rule_that_knows_the_index(monkeypatch):
    right = equivariant_optimizers.adam_like

    def first_column(a, params, gradients, extras, t):
        moved, extras = right(a, params, gradients, extras, t)
        return moved.map(lambda A: A * a.lift(np.arange(1, A.shape[-1] + 1))), extras
    monkeypatch.setattr(equivariant_optimizers, "adam_like", first_column)
    assert fails("prop-equivariant-optimizers")


def test_the_lemma_notices_a_wrong_transpose(monkeypatch):
    monkeypatch.setattr(ModArray, "T", property(lambda self: self))
    assert fails("lem-equivariant-operations")


@pytest.mark.parametrize("name", ["adam", "rmsprop", "lion", "adagrad", "clip_norm"])
def test_one_step_of_the_library_s_rules_commutes_with_relabelling(name):
    p = problem(range(3), units=5).net.parameters
    g, rule, perm = p.map(np.sin), optimizers.get(name), [2, 0, 1, 4, 3]
    moved, _ = rule.update(p, g, rule.init(p))
    twin, _ = rule.update(p.permuted(perm), g.permuted(perm), rule.init(p))
    # The norm sums squares in another order: at most the number of weights times the unit roundoff, relative.
    count = sum(A[0].size for A in p.arrays())
    assert distances(twin, moved.permuted(perm)).max() <= (count * 2**-52 if name == "clip_norm" else 0)
