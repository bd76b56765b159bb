"""Tests of the check of thm-backward-invariance."""

import numpy as np

from permsym_book import MLP

from .helpers import assert_holds, bias_forgotten, delta_by_position, notices, rows_the_wrong_way

SLUG = "thm-backward-invariance"


def test_the_gradient_is_equivariant():
    assert_holds(SLUG, links=5 + 6 + 3 + 2 + 2, controls={
        "W1 and b1 relabelled, W2 forgotten", "b1 forgotten", "W2 relabelled, W1 and b1 forgotten",
        "P instead of its transpose on W2", "the gradient expected identical, not relabelled",
        "P instead of its transpose on dL/dW2"})


test_the_check_notices_sabotage = notices(SLUG, rows_the_wrong_way, bias_forgotten, delta_by_position)


def test_erratum_the_gradient_is_not_identical_but_relabelled():
    rng = np.random.default_rng(0)
    net, X = MLP.random((4, 5, 3), rng), rng.standard_normal((6, 4))
    labels, perm = rng.integers(0, 3, 6), [2, 0, 1, 3, 4]
    _, g = net.loss_and_gradients(X, labels, "cross_entropy")
    _, own = net.permuted(perm).loss_and_gradients(X, labels, "cross_entropy")
    assert abs(own.W1 - g.W1).max() > 1e-2
    assert all(np.allclose(a, b, rtol=0, atol=1e-14)
               for a, b in zip(own.arrays(), g.permuted(perm).arrays(), strict=True))
