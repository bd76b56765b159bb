"""Tests of the checks of lem-elementwise-commutes and thm-forward-invariance."""

import numpy as np

from permsym_book import Permutation
from permsym_book.activations import ACTIVATIONS
from permsym_book.claims import arithmetics

from .helpers import assert_holds, bias_forgotten, fails, rows_the_wrong_way, sigma_by_position


def test_lem_elementwise_commutes():
    assert_holds("lem-elementwise-commutes",
                 controls={"cumulative sum over the units", "a gain for each position"})


def test_lem_elementwise_commutes_notices_a_function_of_the_position(monkeypatch):
    right = arithmetics.Rationals.__init__

    def wrong(self, rng, activation="square"):
        right(self, rng, activation)
        by_position = type("ByPosition", (), {"function": staticmethod(lambda Z: Z * np.arange(Z.shape[-1]))})
        self.activation = by_position
    monkeypatch.setattr(arithmetics.Rationals, "__init__", wrong)
    assert fails("lem-elementwise-commutes")


def test_every_activation_of_the_package_commutes_bit_for_bit():
    perm, Z = Permutation([3, 0, 4, 1, 2]), np.random.default_rng(0).standard_normal((7, 5))
    for activation in ACTIVATIONS.values():
        assert np.array_equal(activation(Z[:, perm.indices]), activation(Z)[:, perm.indices]), activation.name


def test_source_example_of_seed_1992():
    Z = np.random.default_rng(1992).standard_normal((4, 3))
    P = np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]])
    sigmoid = ACTIVATIONS["sigmoid"]
    assert np.array_equal(sigmoid(Z @ P), sigmoid(Z) @ P)
    assert Permutation.from_matrix(P) == Permutation([1, 2, 0])
    assert not np.array_equal(sigmoid(Z @ P), sigmoid(Z) @ P.T)


def test_erratum_softmax_and_layer_norm_commute_without_being_elementwise():
    rng = np.random.default_rng(0)
    perm, Z, slopes = np.array([2, 0, 1]), rng.standard_normal((5, 3)), np.array([0.1, 0.5, 0.9])

    def softmax(m):
        return np.exp(m) / np.exp(m).sum(axis=1, keepdims=True)

    def layer_norm(m):
        return (m - m.mean(1, keepdims=True)) / m.std(1, keepdims=True)

    def prelu(m, a=slopes):
        return np.where(m > 0, m, a * m)
    for f in (softmax, layer_norm):
        assert np.allclose(f(Z[:, perm]), f(Z)[:, perm], rtol=0, atol=1e-14)
    assert abs(prelu(Z[:, perm]) - prelu(Z)[:, perm]).max() > 1e-3
    assert np.array_equal(prelu(Z[:, perm], slopes[perm]), prelu(Z)[:, perm])


def test_thm_forward_invariance():
    assert_holds("thm-forward-invariance", links=11, controls={
        "W1 and b1 relabelled, W2 forgotten", "b1 forgotten", "W2 relabelled, W1 and b1 forgotten",
        "P instead of its transpose on W2"})


def test_thm_forward_invariance_notices_sabotage(monkeypatch):
    for sabotage in (rows_the_wrong_way, bias_forgotten, sigma_by_position):
        with monkeypatch.context() as patch:
            sabotage(patch)
            assert fails("thm-forward-invariance"), sabotage.__name__
