"""The spectrum by the span of the data against the eigenvalues of the whole Hessian."""

import numpy as np
import pytest

from permsym_book import MLP
from permsym_book.landscape.data_span import whole_spectrum
from permsym_book.landscape.hessian import hessian


@pytest.mark.parametrize("loss", ["squared_error", "cross_entropy"])
@pytest.mark.parametrize("n, rank, bias", [(4, 4, True), (6, 2, False), (12, 9, True)])
def test_all_eigenvalues(loss, n, rank, bias, rng):
    net = MLP.random((9, 4, 3, 2), rng, bias=bias)
    X = rng.standard_normal((n, rank)) @ rng.standard_normal((rank, 9))
    Y = rng.integers(0, 2, n) if loss == "cross_entropy" else rng.standard_normal((n, 2))
    found, whole = whole_spectrum(net, X, Y, loss, decay=0.3), np.linalg.eigvalsh(hessian(net, X, Y, loss)) + 0.3
    assert found.multiplicity == (9 - rank) * 4 and found.rest == 0.3
    every = np.sort(np.concatenate([found.values, np.full(found.multiplicity, found.rest)]))
    assert abs(every - whole).max() < 1e-11 * abs(whole).max()
    assert found.index == (whole < 0).sum()
    plain = whole_spectrum(net, X, Y, loss)
    assert abs(plain.values + 0.3 - found.values).max() < 1e-11 * abs(whole).max()


def test_all_samples_zero(rng):
    net = MLP.random((5, 2, 1), rng)
    found = whole_spectrum(net, np.zeros((3, 5)), np.ones((3, 1)))
    assert len(found.values) + found.multiplicity == 15


def test_too_wide_is_said(rng):
    with pytest.raises(ValueError, match="at most at_most = 10"):
        whole_spectrum(MLP.random((9, 4, 1), rng), rng.standard_normal((3, 9)), np.ones((3, 1)), at_most=10)
