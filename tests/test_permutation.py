"""Permutations against brute force over S_n and against the definition of their matrix."""

import math
from collections import Counter
from itertools import permutations as tuples

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from permsym_book import Permutation
from strategies import permutations

S4 = list(Permutation.all(4))
THREE_CYCLE = Permutation([2, 0, 1])
some = st.integers(1, 7).flatmap(permutations)
pairs = st.integers(1, 6).flatmap(lambda n: st.tuples(permutations(n), permutations(n)))


def literal_matrix(indices):
    return np.array([[1 if i == indices[j] else 0 for j in range(len(indices))] for i in range(len(indices))])


def test_a_three_cycle_has_its_direction():
    letters = np.array(["a", "b", "c"])
    assert letters[THREE_CYCLE.indices].tolist() == ["c", "a", "b"]
    assert THREE_CYCLE.matrix().tolist() == [[0, 1, 0], [0, 0, 1], [1, 0, 0]]
    assert THREE_CYCLE.inverse().indices.tolist() == [1, 2, 0]
    assert THREE_CYCLE.cycles == ((0, 2, 1),)
    assert Permutation.from_cycles([(0, 2, 1)], 3) == THREE_CYCLE
    assert Permutation.from_matrix(THREE_CYCLE.matrix()) == THREE_CYCLE


@given(some)
def test_matrix_is_its_definition(p):
    assert np.array_equal(p.matrix(), literal_matrix(p.indices.tolist()))


@given(some)
def test_columns_by_p_and_rows_by_its_transpose(p):
    n, P = len(p), p.matrix()
    W1, W2 = np.arange(3 * n).reshape(3, n), np.arange(2 * n).reshape(n, 2)
    assert np.array_equal(W1[:, p.indices], W1 @ P)
    assert np.array_equal(W2[p.indices, :], P.T @ W2)


@pytest.mark.parametrize("n", range(1, 6))
def test_all_is_the_symmetric_group_in_order(n):
    found = [tuple(p) for p in Permutation.all(n)]
    assert found == sorted(tuples(range(n)))
    assert len(found) == math.factorial(n)


def test_all_is_lazy():
    assert next(iter(Permutation.all(60))) == Permutation.identity(60)


def test_group_laws_over_the_whole_of_s4():
    elements, e = set(S4), Permutation.identity(4)
    assert len(elements) == 24
    for p in S4:
        assert p @ e == p == e @ p
        assert p @ p.inverse() == e == p.inverse() @ p
        assert np.array_equal(p.inverse().matrix(), p.matrix().T)
        for q in S4:
            assert p @ q in elements
            assert (p @ q).indices.tolist() == [p[q[j]] for j in range(4)]
            assert np.array_equal((p @ q).matrix(), p.matrix() @ q.matrix())
            assert (p @ q).sign == p.sign * q.sign


def test_composition_is_associative_in_s3():
    S3 = list(Permutation.all(3))
    assert all((p @ q) @ r == p @ (q @ r) for p in S3 for q in S3 for r in S3)
    assert any(p @ q != q @ p for p in S3 for q in S3)


@given(pairs)
def test_relabelling_twice_is_the_composition(pq):
    p, q = pq
    x = np.arange(len(p)) * 10
    assert np.array_equal(x[p.indices][q.indices], x[(p @ q).indices])


@pytest.mark.parametrize("p", S4, ids=str)
def test_order_is_the_least_power_that_is_the_identity(p):
    power, k = p, 1
    while power != Permutation.identity(4):
        power, k = power @ p, k + 1
    assert p.order == k


def test_order_of_cycles_that_share_no_length():
    assert Permutation.from_cycles([(0, 1), (2, 3, 4)], 6).order == 6


@given(some)
def test_sign_is_the_parity_of_the_inversions_and_the_determinant(p):
    inversions = sum(p[i] > p[j] for i in range(len(p)) for j in range(i + 1, len(p)))
    assert p.sign == (-1) ** inversions == round(np.linalg.det(p.matrix()))


@given(some)
def test_cycles_are_disjoint_and_give_the_permutation_back(p):
    moved = [j for cycle in p.cycles for j in cycle]
    assert sorted(moved) == [j for j in range(len(p)) if p[j] != j]
    for cycle in p.cycles:
        assert cycle[0] == min(cycle)
        assert all(p[j] == k for j, k in zip(cycle, cycle[1:] + cycle[:1], strict=True))
    assert list(p.cycles) == sorted(p.cycles)
    assert Permutation.from_cycles(p.cycles, len(p)) == p


@given(some)
def test_from_matrix_undoes_matrix(p):
    for dtype in (np.int64, np.float32, bool, object):
        P = p.matrix(dtype)
        assert P.dtype == dtype
        assert Permutation.from_matrix(P) == p


@pytest.mark.parametrize("p", S4, ids=str)
def test_an_equal_permutation_has_an_equal_hash(p):
    q = Permutation(np.array(p.indices, dtype=np.int16))
    assert q == p
    assert hash(q) == hash(p)
    assert sum(p == r for r in S4) == 1
    assert p != p.indices.tolist()


def test_random_is_uniform_on_s3_and_drawn_from_the_generator():
    rng = np.random.default_rng(0)
    counts = Counter(tuple(Permutation.random(3, rng)) for _ in range(6000))
    assert set(counts) == set(tuples(range(3)))
    # chi-square with 5 degrees of freedom: 25.7 is exceeded with probability 1e-4
    assert sum((c - 1000) ** 2 / 1000 for c in counts.values()) < 25.7
    first, again, other = (Permutation.random(50, np.random.default_rng(seed)) for seed in (7, 7, 8))
    assert first == again != other


def test_protocols():
    p = THREE_CYCLE
    assert (len(p), list(p), p[1], repr(p)) == (3, [2, 0, 1], 0, "Permutation([2, 0, 1])")
    assert np.asarray(p).tolist() == [2, 0, 1]
    assert np.array(p, dtype=np.float32).dtype == np.float32
    assert Permutation(p) == p
    copied = np.array(p)
    copied[0] = 9
    assert p == THREE_CYCLE


def test_the_indices_are_read_only_and_their_own():
    given_indices = np.array([2, 0, 1])
    p = Permutation(given_indices)
    given_indices[:] = [0, 1, 2]
    assert list(p) == [2, 0, 1]
    with pytest.raises(ValueError, match="read-only"):
        p.indices[0] = 0


def test_composing_with_something_else_is_a_type_error():
    with pytest.raises(TypeError):
        THREE_CYCLE @ 3
