"""Kernels and signs without rounding."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from permsym_book.landscape.exact_algebra import exact_inertia, kernel

INTEGERS = st.integers(-3, 3)


@settings(deadline=None)
@given(st.lists(st.lists(INTEGERS, min_size=4, max_size=4), min_size=1, max_size=5))
def test_kernel_over_the_rationals(rows):
    basis = kernel(rows)
    assert all(sum(r * x for r, x in zip(row, vector, strict=True)) == 0 for row in rows for vector in basis)
    assert len(basis) == 4 - np.linalg.matrix_rank(np.array(rows, dtype=float))


@settings(deadline=None)
@given(st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), min_size=1, max_size=3))
def test_kernel_modulo_5_by_trying_all_vectors(rows):
    basis = kernel(rows, 5)
    killed = sum(all(sum(r * x for r, x in zip(row, v, strict=True)) % 5 == 0 for row in rows) for v in np.ndindex(5, 5, 5))
    assert killed == 5 ** len(basis)


@settings(deadline=None)
@given(st.lists(INTEGERS, min_size=16, max_size=16))
def test_signs_are_those_of_the_eigenvalues(entries):
    A = np.array(entries).reshape(4, 4)
    H = A + A.T
    values = np.linalg.eigvalsh(H.astype(float))
    lifted = np.array([Fraction(int(v), 7) for v in H.flat], dtype=object).reshape(4, 4)
    assert exact_inertia(lifted) == ((values < -1e-9).sum(), (abs(values) <= 1e-9).sum(), (values > 1e-9).sum())


def test_signs_with_a_zero_diagonal():
    H = np.array([[0, 0, 1], [0, 0, 2], [1, 2, 0]], dtype=object)
    assert exact_inertia(H) == (1, 1, 1)


@pytest.mark.parametrize("H, error, words", [
    (np.eye(2), TypeError, "exact numbers"),
    (np.array([[0, 1], [2, 0]], dtype=object), ValueError, "symmetric"),
    (np.array([[0, 1]], dtype=object), ValueError, "symmetric"),
])
def test_bad_matrices(H, error, words):
    with pytest.raises(error, match=words):
        exact_inertia(H)
