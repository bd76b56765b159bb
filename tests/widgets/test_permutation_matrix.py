"""The Python class of the widget permutation-matrix."""

import numpy as np
import pytest

from permsym_book import Permutation
from permsym_book.widgets import PermutationMatrix

from .helpers import check_fallback, check_refused, check_round_trip, state_of

TRAITS = ["A", "mistakes", "perm", "second"]


def test_it_starts_with_a_3_cycle_and_a_matrix_that_names_its_places():
    w = PermutationMatrix()
    assert w.perm == Permutation([2, 0, 1, 3]) and w.perm != w.perm.inverse()
    assert w.A[1, 2] == 23.0
    assert w.perm @ w.second != w.second @ w.perm


def test_the_products_move_columns_and_rows():
    w = PermutationMatrix(A=np.arange(9.0).reshape(3, 3), perm=[2, 0, 1], second=[0, 2, 1])
    assert np.array_equal(w.columns_moved, w.A[:, [2, 0, 1]])
    assert np.array_equal(w.rows_moved, w.A[[2, 0, 1]])
    assert np.array_equal(w.A @ w.product.matrix(float), w.columns_moved[:, [0, 2, 1]])


@pytest.mark.parametrize("n", [2, 3, 4, 5, 6])
def test_every_size_has_an_example(n):
    w = PermutationMatrix(A=np.eye(n))
    assert len(w.perm) == len(w.second) == n == len(PermutationMatrix(perm=w.perm).A)
    rows = w.table()[1]
    assert [row[1] for row in rows[:-1]] == list(w.perm) and rows[-1][2] == "0"


def test_fallback_and_state():
    w = PermutationMatrix(mistakes={"transpose": True})
    check_fallback(w)
    check_round_trip(w, TRAITS)
    assert state_of(w)["perm"] == [2, 0, 1, 3] and state_of(w)["mistakes"] == {"transpose": True}


def test_bad_input_is_named():
    with pytest.raises(TypeError, match="no trait 'matrix'"):
        PermutationMatrix(matrix=np.eye(3))
    check_refused(PermutationMatrix, ["A", "(2, 3)", "square"], A=np.ones((2, 3)))
    check_refused(PermutationMatrix, ["A", "(7, 7)", "2 to 6"], A=np.eye(7))
    check_refused(PermutationMatrix, ["A", "2000", "1000"], A=2000 * np.eye(3))
    check_refused(PermutationMatrix, ["A", "nan", "finite"], A=np.full((3, 3), np.nan))
    check_refused(PermutationMatrix, ["perm", "3 columns", "4 are required"], A=np.eye(4), perm=[2, 0, 1])
    check_refused(PermutationMatrix, ["second", "exactly once"], second=[0, 0, 1, 2])
    check_refused(PermutationMatrix, ["mistakes"], mistakes={"b1": True})
