"""Index and nullity of matrices whose spectrum is known, and what is said when it is not clear."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from permsym_book.landscape.inertia import CLEAR_GAP, inertia
from strategies import seeds


def with_eigenvalues(values, rng):
    """A dense symmetric matrix, by Householder reflections of a diagonal one."""
    H = np.diag(np.asarray(values, dtype=float))
    for _ in range(3):
        u = rng.standard_normal(len(values))
        u /= np.linalg.norm(u)
        H = H - 2 * np.outer(u, u @ H)
        H = H - 2 * np.outer(H @ u, u)
    return (H + H.T) / 2


@given(st.integers(0, 5), st.integers(0, 5), st.integers(0, 5), st.floats(-8, 8), seeds)
def test_known_spectra(negative, zero, positive, scale, seed):
    rng = np.random.default_rng(seed)
    if negative + positive == 0:
        positive = 1
    sizes = 10.0**scale * rng.uniform(1e-3, 1, negative + positive)
    values = np.concatenate([-sizes[:negative], np.zeros(zero), sizes[negative:]])
    found = inertia(with_eigenvalues(values, rng))
    assert (found.index, found.nullity, found.positive) == (negative, zero, positive)
    assert found.clear
    assert abs(found.eigenvalues - np.sort(values)).max() <= 16 * found.rounding
    assert found.threshold > found.rounding or zero == 0


@given(st.integers(1, 4), st.floats(1e-11, 1e-9), seeds)
def test_nearly_zero_eigenvalues_of_a_nearly_critical_point(zero, level, seed):
    """Above the rounding level, yet far below the rest: the gap tells them apart."""
    rng = np.random.default_rng(seed)
    values = [-1.0, -0.01, *level * rng.uniform(-1, 1, zero), 0.1, 2.0]
    found = inertia(with_eigenvalues(values, rng))
    assert (found.index, found.nullity, found.positive) == (2, zero, 2)
    assert found.clear
    assert level < found.threshold < 0.01


def test_an_eigenvalue_of_exactly_zero_does_not_hide_one_that_is_nearly_so():
    found = inertia(np.diag([0.0, 1e-12, -1.0, 2.0]))
    assert (found.index, found.nullity, found.positive) == (1, 2, 1)
    assert np.isfinite(found.gap)


def test_sylvester(rng):
    H = with_eigenvalues([-2, -1, 0, 0, 1, 3, 5], rng)
    S = rng.standard_normal((7, 7))
    found = inertia(S.T @ H @ S)
    assert (found.index, found.nullity, found.positive) == (2, 2, 3)


def test_no_clear_gap_is_said():
    found = inertia(np.diag(10.0**-np.arange(17.0)))
    assert not found.clear
    assert found.gap < CLEAR_GAP
    assert "no clear gap: the nullity is a guess" in str(found)
    assert "guess" not in str(inertia(np.diag([1.0, -1.0])))


def test_a_small_eigenvalue_is_not_zero_when_it_stands_clear_of_rounding():
    found = inertia(np.diag([1.0, -1e-4, 0.5]))
    assert (found.index, found.nullity) == (1, 0)
    assert found.gap == pytest.approx(1e-4 / (3 * 2.0**-52))
    found = inertia(np.diag([1.0, -1e-4, 0.5]), noise=1e-3)
    assert (found.index, found.nullity, found.rounding) == (0, 1, 1e-3)


@pytest.mark.parametrize("size", [1, 3])
def test_the_zero_matrix(size):
    found = inertia(np.zeros((size, size)))
    assert (found.index, found.nullity, found.positive) == (0, size, 0)
    assert found.clear


def test_scaling_does_not_change_the_verdict(rng):
    H = with_eigenvalues([-1, 0, 1e-3, 2], rng)
    for scale in (1e-200, 1e-12, 1.0, 1e12, 1e200):
        found = inertia(scale * H)
        assert (found.index, found.nullity, found.positive) == (1, 1, 2)


def test_numbers_at_the_ends_of_the_range():
    """Sums of the entries overflow, and ratios of the smallest ones underflow."""
    found = inertia(np.full((3, 3), 1e308))
    assert (found.index, found.nullity, found.positive) == (0, 2, 1) and found.clear and found.eigenvalues[-1] == np.inf
    found = inertia(np.diag([1e-310, -1e-310, 1e-320]))
    assert (found.index, found.nullity, found.positive) == (1, 1, 1) and found.gap == pytest.approx(1e10, rel=1e-2)
    found = inertia(np.diag([1e-310, -1e-310]), noise=1.0)
    assert (found.nullity, found.rounding) == (2, 1.0)
    with pytest.raises(ValueError, match="from its transpose by inf"):
        inertia(np.array([[0.0, 1e308], [-1e308, 0.0]]))


def test_nothing_above_the_highest_zero_is_one():
    """2^-14 is less far from the level of noise than from 1, but too large to be 0."""
    found = inertia(np.diag([1.0, 2.0**-14]), noise=2.0**-15)
    assert (found.nullity, found.gap) == (0, 2.0)


def test_the_numbers_are_plain_ones():
    for H in (np.diag([1.0, -1.0, 0.0]), np.zeros((2, 2)), np.eye(2, dtype=np.float32)):
        found = inertia(H, noise=np.float64(1e-9))
        assert "np." not in repr(found)
        assert {type(found.index), type(found.nullity), type(found.positive)} == {int}
        assert {type(found.threshold), type(found.gap), type(found.rounding)} == {float}


def test_float32(rng):
    found = inertia(with_eigenvalues([-1, 0, 0.1, 2], rng).astype(np.float32))
    assert (found.index, found.nullity, found.positive) == (1, 1, 2)
    assert found.rounding == pytest.approx(4 * 2.0**-23 * 2, rel=1e-5)


def test_input_is_not_modified(rng):
    H = with_eigenvalues([1, 2, 3], rng)
    before = H.tobytes()
    inertia(H)
    assert H.tobytes() == before


@pytest.mark.parametrize("call, error, message", [
    (lambda: inertia(np.ones((2, 3))), ValueError, r"H has shape \(2, 3\); a square matrix"),
    (lambda: inertia(np.ones(3)), ValueError, r"H has shape \(3,\); 2 axes"),
    (lambda: inertia(np.array([[0.0, 1.0], [2.0, 0.0]])), ValueError, "H differs from its transpose by 1.0e"),
    (lambda: inertia(np.array([[1]], dtype=object)), TypeError, "H is an object array"),
    (lambda: inertia(np.array([[np.nan]])), ValueError, r"H\[0, 0\] is nan"),
    (lambda: inertia(np.eye(2), noise=-1.0), ValueError, "noise is -1.0"),
    (lambda: inertia(np.eye(2), noise=np.nan), ValueError, "noise is nan"),
    (lambda: inertia(np.eye(2), noise="a"), ValueError, "noise is 'a'; a number from 0 on is required"),
    (lambda: inertia(np.eye(2), noise=1j), ValueError, "noise is 1j"),
    (lambda: inertia(np.eye(2), noise=True), ValueError, "noise is True"),
])
def test_bad_input(call, error, message):
    with pytest.raises(error, match=message):
        call()
