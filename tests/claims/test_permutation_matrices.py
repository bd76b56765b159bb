"""Tests of the check of def-permutation-matrix."""

import numpy as np
import pytest

from permsym_book import Permutation

from .helpers import assert_holds, fails

SLUG = "def-permutation-matrix"


def test_permutation_matrices_are_orthogonal_and_move_columns_and_rows():
    assert_holds(SLUG,
                 controls={"two columns alike: D^T D against I", "column j of A moved to perm[j] instead",
                                 "P instead of its transpose on rows"})


@pytest.mark.parametrize("wrong", [
    lambda self, dtype=np.int64: np.eye(len(self), dtype=dtype)[self.indices],  # P[j, perm[j]] = 1
    lambda self, dtype=np.int64: np.eye(len(self), dtype=dtype),
    lambda self, dtype=np.int64: 2 * np.eye(len(self), dtype=dtype)[:, self.indices],
])
def test_the_check_notices_a_wrong_matrix(monkeypatch, wrong):
    monkeypatch.setattr(Permutation, "matrix", wrong)
    monkeypatch.setattr(Permutation, "from_matrix", classmethod(lambda cls, P: cls(np.argmax(P, axis=0))))
    assert fails(SLUG)


def test_erratum_the_source_swap_cannot_show_a_direction_mistake():
    swap, cycle = Permutation([1, 0, 2]), Permutation([2, 0, 1])
    B = np.arange(6.0).reshape(3, 2)
    assert np.array_equal(swap.matrix() @ B, swap.matrix().T @ B)
    assert not np.array_equal(cycle.matrix() @ B, cycle.matrix().T @ B)
