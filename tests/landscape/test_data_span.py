"""The eigenvalues below a number by the span of the data, against those of the whole Hessian."""

import numpy as np
import pytest

from permsym_book import MLP
from permsym_book.landscape.data_span import eigenvalues_below
from permsym_book.landscape.hessian import hessian


@pytest.mark.parametrize("loss", ["squared_error", "cross_entropy"])
@pytest.mark.parametrize("n, rank, bias", [(4, 4, True), (6, 2, False), (12, 9, True)])
@pytest.mark.parametrize("decay", [0.0, 0.3])
def test_between_all_eigenvalues(loss, n, rank, bias, decay, rng):
    net = MLP.random((9, 4, 3, 2), rng, bias=bias)
    X = rng.standard_normal((n, rank)) @ rng.standard_normal((rank, 9))
    Y = rng.integers(0, 2, n) if loss == "cross_entropy" else rng.standard_normal((n, 2))
    whole = np.linalg.eigvalsh(hessian(net, X, Y, loss)) + decay
    apart = np.flatnonzero(np.diff(whole) > 1e-9 * abs(whole).max())
    shifts = [whole[0] - 1, *(whole[apart] + whole[apart + 1]) / 2, whole[-1] + 1]
    assert len(apart) > 8 and whole[0] < -1e-3
    assert eigenvalues_below(net, X, Y, shifts, loss, decay=decay) == [0, *(apart + 1).tolist(), len(whole)]


def test_blocks_of_two_rows_have_one_negative_eigenvalue():
    """At w = 0 the Hessian of v w x is [[0, c], [c, 0]]: no pivot on the diagonal."""
    net = MLP.from_arrays([[[0.0]], [[0.0]]], [None, None], "identity")
    assert eigenvalues_below(net, np.ones((1, 1)), np.ones((1, 1)), [-1.5, 0, 1.5]) == [0, 1, 2]


def test_directions_far_above_rounding_count():
    net = MLP.random((9, 2, 1), np.random.default_rng(0), bias=False)
    X = np.zeros((3, 9))
    X[0, 0], X[1, 1], X[2, 2] = 1.0, 5e-6, 1e-16
    with pytest.raises(ValueError, match="net has 6 parameters"):  # two directions, two units, two outgoing weights
        eigenvalues_below(net, X, np.ones((3, 1)), at_most=1)


def test_all_samples_zero(rng):
    net = MLP.random((5, 2, 1), rng)
    assert eigenvalues_below(net, np.zeros((3, 5)), np.ones((3, 1)), [-1e6, 1e6]) == [0, 15]


def test_bad_input_is_named(rng):
    net, X, Y = MLP.random((9, 4, 1), rng), rng.standard_normal((3, 9)), np.ones((3, 1))
    with pytest.raises(ValueError, match="at most at_most = 10"):
        eigenvalues_below(net, X, Y, at_most=10)
    for shifts in ([np.nan], 0.0):
        with pytest.raises(ValueError, match="shifts is .*; a sequence of finite numbers is required"):
            eigenvalues_below(net, X, Y, shifts)
