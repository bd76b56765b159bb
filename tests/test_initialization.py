"""Random initial parameters: shapes, distributions, and what is meant to be identical."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from permsym_book import MLP
from permsym_book.initialization import SCHEMES, initialized
from strategies import seeds, widths


@given(widths, seeds, st.sampled_from(SCHEMES), st.sampled_from([np.float64, np.float32]), st.booleans())
def test_shapes_dtype_and_seed(shape, seed, scheme, dtype, bias):
    def drawn(seed):
        return initialized(shape, np.random.default_rng(seed), scheme=scheme, dtype=dtype, bias=bias)

    theta = drawn(seed)
    assert theta.widths == shape
    assert all(A.dtype == dtype for A in theta.arrays())
    assert [b is not None for b in theta.biases] == [bias] * (len(shape) - 1)
    assert drawn(seed) == theta
    assert (drawn(seed + 1) == theta) == (scheme == "constant")


def test_bias_of_each_layer(rng):
    theta = initialized((2, 3, 4, 1), rng, bias=[True, False, np.True_])
    assert [b is not None for b in theta.biases] == [True, False, True]


def test_xavier_is_uniform_up_to_its_limit(rng):
    W = initialized((300, 200), rng, scheme="xavier").W1
    limit = np.sqrt(6 / 500)
    assert abs(W).max() <= limit
    # of 60,000 uniform numbers the largest falls below 0.9998 of the limit with probability 6e-6
    assert abs(W).max() >= 0.9998 * limit
    # the variance is limit^2 / 3; the sample's deviates by sqrt(4/5 / 60000) of it: five of them
    assert W.var() == pytest.approx(limit**2 / 3, rel=5 * np.sqrt(0.8 / 60000))
    assert not initialized((3, 2), rng, scheme="xavier").b1.any()


@pytest.mark.parametrize(("scheme", "variance"), [("kaiming", 2 / 300), ("normal", 1.0)])
def test_normal_schemes_have_their_variance(scheme, variance, rng):
    theta = initialized((300, 200), rng, scheme=scheme)
    deviation = np.sqrt(2 / 60000)  # of the sample's variance, relative
    assert theta.W1.var() == pytest.approx(variance, rel=5 * deviation)
    assert abs(theta.W1.mean()) <= 5 * np.sqrt(variance / 60000)
    beyond = (abs(theta.W1) > 3 * np.sqrt(variance)).mean()
    assert beyond == pytest.approx(0.0027, abs=5 * np.sqrt(0.0027 / 60000))
    assert theta.b1.any() == (scheme == "normal")


def test_normal_leaves_no_two_units_alike(rng):
    theta = initialized((1, 50, 2), rng, scheme="normal")
    assert len(set(theta.W1[0])) == len(set(theta.b1)) == 50


def test_constant_is_one_number_everywhere(rng):
    theta = initialized((3, 4, 2), rng, scheme="constant")
    assert {v for A in theta.arrays() for v in A.flat} == {0.1}


@pytest.mark.parametrize("scheme", ["constant", "identical_units"])
def test_identical_units_are_fixed_by_every_relabelling(scheme, rng):
    theta = initialized((3, 4, 5, 2), rng, scheme=scheme)
    assert theta.permuted([[2, 0, 1, 3], [1, 2, 3, 4, 0]]) == theta
    if scheme == "identical_units":  # but inputs and outputs are told apart
        assert len(set(theta.W1[:, 0])) == 3
        assert len(set(theta.W3[0])) == 2


def test_mlp_random_hands_every_argument_on():
    drawn = MLP.random((3, 4, 2), np.random.default_rng(5), activation="relu", scheme="normal", bias=False,
                       dtype=np.float32)
    assert drawn.parameters == initialized((3, 4, 2), np.random.default_rng(5), scheme="normal", bias=False,
                                           dtype=np.float32)
    assert drawn.activation.name == "relu"
