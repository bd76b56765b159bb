"""Arithmetic modulo p against Python's integers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from permsym_book.modular import (
    PRIME,
    ModArray,
    lookup_activation,
    random_activation,
    random_residues,
    square_activation,
)
from strategies import seeds

primes = st.sampled_from([2, 3, 5, 101, PRIME, 16777213])
integers = st.integers(-(2**70), 2**70)


@given(primes, st.lists(integers, min_size=6, max_size=6), st.lists(integers, min_size=6, max_size=6))
def test_ring_operations_are_those_of_the_integers(p, a, b):
    A, B = ModArray(np.array(a, dtype=object), p), ModArray(np.array(b, dtype=object), p)
    for array, entry in ((A + B, lambda x, y: x + y), (A - B, lambda x, y: x - y),
                         (A * B, lambda x, y: x * y), (-A, lambda x, y: -x)):
        assert array.values.dtype == np.int64
        assert array.values.tolist() == [entry(x, y) % p for x, y in zip(a, b, strict=True)]
    assert (A == B).tolist() == [(x - y) % p == 0 for x, y in zip(a, b, strict=True)]
    assert int(A.sum().values) == sum(a) % p


@given(primes, seeds, st.integers(1, 5), st.integers(1, 5), st.integers(1, 5))
def test_matrix_product_is_the_sum_of_products(p, seed, n, k, m):
    rng = np.random.default_rng(seed)
    A, B = random_residues((n, k), rng, p), random_residues((k, m), rng, p)
    a, b = A.values.tolist(), B.values.tolist()
    expected = [[sum(a[i][t] * b[t][j] for t in range(k)) % p for j in range(m)] for i in range(n)]
    assert (A @ B).values.tolist() == expected
    assert (B.T @ A.T).values.tolist() == np.array(expected).T.tolist()
    assert (A.values @ B).values.tolist() == expected == (A @ B.values).values.tolist()


@given(seeds, st.integers(1, 5))
def test_plain_integers_on_either_side(seed, n):
    rng = np.random.default_rng(seed)
    A, plain = random_residues((n, 2), rng, 101), rng.integers(-500, 500, (n, 2))
    for left, right in ((A + plain, plain + A), (A * plain, plain * A), (A - plain, -(plain - A))):
        assert (left == right).all()
    assert (A - plain).values.tolist() == ((A.values - plain) % 101).tolist()
    assert ((3 - A) + A == 3).all()
    assert (3 * A == A * 3).all()
    assert (A + 4 == 4 + A).all()


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.uint32, np.int64, np.uint64])
def test_the_extremes_of_every_integer_dtype(dtype):
    ends = [np.iinfo(dtype).min, np.iinfo(dtype).max]
    for p in (7, PRIME):
        assert ModArray(np.array(ends, dtype=dtype), p).values.tolist() == [e % p for e in ends]
        assert (ModArray([0, 0], p) + np.array(ends, dtype=dtype)).values.tolist() == [e % p for e in ends]


def test_products_do_not_overflow_at_the_largest_prime():
    p, k = 16777213, 4096
    A = ModArray(np.full((1, k), p - 1), p)
    assert int((A @ A.T).values[0, 0]) == k  # (-1)(-1), k times


def test_axes_slices_and_shape(rng):
    A = random_residues((2, 3, 4), rng, 101)
    assert (A.shape, A.ndim, A.T.shape, A.dtype) == ((2, 3, 4), 3, (2, 4, 3), "integers mod 101")
    assert A.swapaxes(0, 1).values.tolist() == A.values.swapaxes(0, 1).tolist()
    assert A[1, :, [2, 0]].values.tolist() == A.values[1, :, [2, 0]].tolist()
    for axis in (-1, -2, 0):
        assert A.sum(axis).values.tolist() == (A.values.sum(axis) % 101).tolist()


@given(st.sampled_from([3, 5, 101, PRIME]), seeds)
def test_half_twice_is_the_whole(p, seed):
    A = random_residues((5,), np.random.default_rng(seed), p)
    assert (A.half() + A.half() == A).all()


def test_centred_is_the_residue_of_least_absolute_value():
    assert ModArray(range(7), 7).centred().tolist() == [0, 1, 2, 3, -3, -2, -1]
    assert ModArray([0, 1], 2).centred().tolist() == [0, 1]


def test_lookup_is_the_table_at_each_residue(rng):
    p = 101
    f, df = rng.integers(-1000, 1000, (2, p))
    sigma = lookup_activation(f, df, p)
    Z = random_residues((4, 5), rng, p)
    assert sigma(Z).values.tolist() == [[int(f[z]) % p for z in row] for row in Z.values.tolist()]
    assert sigma.derivative(Z).values.tolist() == [[int(df[z]) % p for z in row] for row in Z.values.tolist()]
    assert sigma.exact


def test_random_tables_and_residues_are_uniform_and_unrelated():
    rng = np.random.default_rng(0)
    p = 5
    counts = np.bincount(random_residues(10_000, rng, p).values, minlength=p)
    assert ((counts - 2000) ** 2 / 2000).sum() < 23.5  # chi-square, 4 degrees of freedom: probability 1e-4
    everything = ModArray(range(PRIME))
    sigma = random_activation(rng)
    values, slopes = sigma(everything).values, sigma.derivative(everything).values
    assert 0.60 < len(set(values.tolist())) / PRIME < 0.66  # 1 - 1/e of the residues are hit
    assert (values == slopes).sum() < 15  # Poisson with mean 1


def test_square_has_its_true_derivative():
    p = 101
    sigma, z = square_activation(p), np.arange(p)
    assert (sigma(ModArray(z, p)) == z * z).all()
    assert (sigma.derivative(ModArray(z, p)) == 2 * z).all()


def test_values_are_a_copy_and_read_only():
    given_values = np.array([1, 2])
    A = ModArray(given_values, 7)
    given_values[0] = 5
    assert A.values.tolist() == [1, 2]
    for array in (A, A + A, A[0:1], A.T if A.ndim > 1 else A.sum()):
        with pytest.raises(ValueError, match="read-only"):
            array.values[...] = 0
    assert given_values.tolist() == [5, 2]


def test_repr_evaluates_to_itself():
    A = ModArray([[1, 6], [2, 3]], 7)
    assert (eval(repr(A)) == A).all()
