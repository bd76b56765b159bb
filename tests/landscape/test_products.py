"""Hessian-vector products against the dense Hessian, and the ends of the spectrum against all of it."""

import numpy as np
import pytest
from hypothesis import given
from scipy.sparse.linalg import ArpackError, ArpackNoConvergence

from landscape.test_hessian import LOSSES, problems
from permsym_book import MLP
from permsym_book.landscape.data_span import eigenvalues_below
from permsym_book.landscape.hessian import (
    Eigenpairs,
    HessianOperator,
    extreme_eigenvalues,
    hessian,
    hessian_vector_product,
)
from permsym_book.landscape.products import DENSE_AT_MOST
from permsym_book.landscape.rounding_bound import rounding_bound
from permsym_book.landscape.vector import from_vector, size, to_vector
from strategies import array, parameters, seeds


@given(problems(), seeds)
def test_the_product_is_the_dense_one(problem, seed):
    net, X, Y, loss = problem
    v = np.random.default_rng(seed).standard_normal(size(net.parameters))
    product = hessian_vector_product(net, X, Y, v, loss)
    assert product.shape == v.shape
    assert product.dtype == np.float64
    assert abs(product - hessian(net, X, Y, loss) @ v).max() <= 2 * rounding_bound(*problem) * abs(v).sum()


@given(problems())
def test_columns_and_the_identity_give_the_matrix(problem):
    net, X, Y, loss = problem
    operator = HessianOperator(net, X, Y, loss)
    eye = np.eye(operator.shape[0])
    H = operator.product(eye)
    bound = rounding_bound(*problem)
    assert abs(H - hessian(net, X, Y, loss)).max() <= bound
    assert abs(H - operator.linear_operator() @ eye).max() == 0
    for j in range(0, len(H), 3):  # in a stack the sums may be taken in another order
        assert abs(operator.product(eye[j]) - H[:, j]).max() <= bound


def test_exactly_over_the_rationals():
    rng = np.random.default_rng(5)
    net = MLP(parameters("fraction", (2, 3, 2, 2), rng, [True, False, True]), "square")
    X, Y = array("fraction", (3, 2), rng), array("fraction", (3, 2), rng)
    v = array("fraction", (size(net.parameters),), rng)
    product = hessian_vector_product(net, X, Y, v)
    assert product.tolist() == hessian(net, X, Y).dot(v).tolist()


@pytest.mark.parametrize("loss", LOSSES)
def test_the_derivative_of_the_gradient_along_a_line(loss, rng):
    net = MLP.random((5, 7, 6, 3), rng)
    X = rng.standard_normal((40, 5))
    Y = rng.standard_normal((40, 3)) if loss == "squared_error" else rng.integers(0, 3, 40)
    theta, v = to_vector(net), rng.standard_normal(size(net.parameters))
    exact = hessian_vector_product(net, X, Y, v, loss)

    def error(h):
        ahead, behind = (to_vector(from_vector(net, theta + s * v).loss_and_gradients(X, Y, loss)[1]) for s in (h, -h))
        return np.linalg.norm((ahead - behind) / (2 * h) - exact)

    assert error(2e-4) < 1e-5 * np.linalg.norm(exact)
    assert 3.5 < error(2e-3) / error(1e-3) < 4.5  # of second order: the product is the limit


def test_a_wrong_vector_gives_a_wrong_product(rng):
    net = MLP.random((3, 4, 2), rng)
    X, Y, v = rng.standard_normal((9, 3)), rng.standard_normal((9, 2)), rng.standard_normal(26)
    H = hessian(net, X, Y)
    assert abs(hessian_vector_product(net, X, Y, v[::-1].copy()) - H @ v).max() > 1e-2


@pytest.mark.parametrize("which, chosen", [("SA", slice(0, 4)), ("LA", slice(-4, None))])
@pytest.mark.parametrize("loss", LOSSES)
def test_the_ends_of_the_spectrum(which, chosen, loss, rng):
    net = MLP.random((4, 6, 5, 3), rng)
    X = rng.standard_normal((30, 4))
    Y = rng.standard_normal((30, 3)) if loss == "squared_error" else rng.integers(0, 3, 30)
    found = extreme_eigenvalues(net, X, Y, 4, which, loss=loss)
    H = hessian(net, X, Y, loss)
    largest = np.linalg.norm(H, 2)
    assert abs(found.values - np.linalg.eigvalsh(H)[chosen]).max() <= 1e-11 * largest
    assert (np.diff(found.values) >= 0).all()
    assert found.residuals.shape == (4,)
    # a symmetric matrix has an eigenvalue within the residual of each of these
    assert found.residuals.max() <= 1e-10 * largest
    assert abs(found.vectors.T @ found.vectors - np.eye(4)).max() <= 1e-12
    assert abs(H @ found.vectors - found.vectors * found.values).max() <= 1e-10 * largest


def test_weight_decay_is_added_to_matrix_and_eigenvalues(rng):
    net, X, Y = MLP.random((3, 4, 2), rng), rng.standard_normal((9, 3)), rng.standard_normal((9, 2))
    H = hessian(net, X, Y)
    assert (hessian(net, X, Y, decay=0.25) == H + 0.25 * np.eye(len(H))).all()
    plain, found = (extreme_eigenvalues(net, X, Y, 3, decay=decay) for decay in (0.0, 0.25))
    assert abs(found.values - plain.values - 0.25).max() < 1e-14 * abs(H).sum() and max(found.residuals) < 1e-10
    for call in (hessian, lambda *batch, decay: extreme_eigenvalues(*batch, 1, decay=decay)):
        for decay in (-1.0, "a", np.nan, True):
            with pytest.raises(ValueError, match="decay is .*; a number from 0 on is required"):
                call(net, X, Y, decay=decay)


def test_both_ends_largest_in_size_and_repeatable(rng):
    net = MLP.random((3, 12, 2), rng)  # with more parameters than are left to the matrix
    assert size(net.parameters) > DENSE_AT_MOST
    X, Y = rng.standard_normal((100, 3)), rng.standard_normal((100, 2))
    every = np.linalg.eigvalsh(hessian(net, X, Y))
    both = extreme_eigenvalues(net, X, Y, 2, "BE").values
    assert abs(both - every[[0, -1]]).max() <= 1e-11 * every[-1]
    size_ = extreme_eigenvalues(net, X, Y, 3, "LM").values
    assert abs(size_ - np.sort(every[np.argsort(-abs(every))[:3]])).max() <= 1e-11 * every[-1]
    assert (extreme_eigenvalues(net, X, Y, 2, "BE").values == both).all()
    other = extreme_eigenvalues(net, X, Y, 2, "BE", rng=np.random.default_rng(9)).values
    assert abs(other - both).max() <= 1e-11 * every[-1]


@pytest.mark.parametrize("which, count", [("SA", 3), ("LA", 3), ("LM", 3), ("BE", 3), ("BE", 2), ("SA", 12), ("LM", 12)])
def test_few_parameters_as_many_do(which, count, rng, monkeypatch):
    net, X, Y = MLP.random((2, 3, 1), rng), rng.standard_normal((30, 2)), rng.standard_normal((30, 1))
    by_matrix = extreme_eigenvalues(net, X, Y, count, which)
    monkeypatch.setattr("permsym_book.landscape.products.DENSE_AT_MOST", 0)
    by_lanczos = extreme_eigenvalues(net, X, Y, count, which)
    assert abs(by_matrix.values - by_lanczos.values).max() < 1e-11 * abs(by_matrix.values).max()
    assert by_matrix.vectors.shape == by_lanczos.vectors.shape == (13, count)
    assert by_matrix.residuals.max() < 1e-11 * abs(by_matrix.values).max()


@pytest.mark.parametrize("hidden", [3, 30])
@pytest.mark.parametrize("which", ["SA", "LA", "LM", "BE"])
def test_a_hessian_of_zeros_or_of_low_rank(which, hidden, rng, monkeypatch):
    """With one output the cross-entropy is constant; at weight 0 the Hessian has a rank of a few: ARPACK refuses both."""
    net = MLP.random((3, hidden, 1), rng)
    with monkeypatch.context() as without:
        without.setattr("permsym_book.landscape.products.MATRIX_AT_MOST", 0)  # zeros need no matrix
        found = extreme_eigenvalues(net, rng.standard_normal((5, 3)), np.zeros(5, int), 3, which, loss="cross_entropy", decay=0.5)
    assert found.values.tolist() == [0.5] * 3 and found.residuals.tolist() == [0.0] * 3
    assert (found.vectors.T @ found.vectors == np.eye(3)).all()
    zero, X, Y = MLP(net.parameters.map(np.zeros_like), "tanh"), rng.standard_normal((5, 3)), rng.standard_normal((5, 1))
    values, every = extreme_eigenvalues(zero, X, Y, 3, which).values, np.linalg.eigvalsh(hessian(zero, X, Y))
    wanted = {"SA": every[:3], "LA": every[-3:], "LM": every[np.argsort(-abs(every))[:3]],
              "BE": every[[0, -2, -1]]}
    assert abs(np.sort(abs(values)) - np.sort(abs(wanted[which]))).max() < 1e-10 * abs(every).max()


def test_what_lanczos_cannot_do_the_matrix_does(rng, monkeypatch):
    def refuses(*of, **also):
        raise ArpackError(-9999)
    monkeypatch.setattr("permsym_book.landscape.products.eigsh", refuses)
    net, X, Y = MLP.random((3, 30, 1), rng), rng.standard_normal((5, 3)), rng.standard_normal((5, 1))
    found = extreme_eigenvalues(net, X, Y, 2, "LA").values
    assert abs(found - np.linalg.eigvalsh(hessian(net, X, Y))[-2:]).max() < 1e-11 * found.max()
    monkeypatch.setattr("permsym_book.landscape.products.MATRIX_AT_MOST", 150)  # it has 151
    with pytest.raises(ArpackError):
        extreme_eigenvalues(net, X, Y, 2, "LA")


@pytest.mark.parametrize("hidden", [3, 30])
def test_overflow_is_said(hidden, rng):
    net, X, Y = MLP.random((2, hidden, 1), rng, activation="square"), 1e200 * rng.standard_normal((5, 2)), rng.standard_normal((5, 1))
    for call in (hessian, eigenvalues_below, lambda *batch: extreme_eigenvalues(*batch, 1)):
        with pytest.raises(FloatingPointError, match="not finite: the numbers overflow float64"):
            call(net, X, Y)
    with pytest.raises(FloatingPointError, match="not finite"):
        hessian_vector_product(net, X, Y, np.ones(size(net.parameters)))
    with pytest.raises(FloatingPointError, match="not finite"):
        hessian(MLP(net.parameters, "tanh"), X, Y)


def test_fields_are_described():
    assert "residuals : array" in Eigenpairs.__doc__


def test_no_convergence_is_said_with_what_was_found(rng):
    net = MLP.random((6, 12, 3), rng)
    X, Y = rng.standard_normal((50, 6)), rng.standard_normal((50, 3))
    with pytest.raises(ArpackNoConvergence):
        extreme_eigenvalues(net, X, Y, 4, "SA", at_most=1)


NET = MLP.random((2, 3, 1), np.random.default_rng(0))
X2, Y1 = np.ones((4, 2)), np.ones((4, 1))


@pytest.mark.parametrize("call, error, message", [
    (lambda: hessian_vector_product(NET, X2, Y1, np.ones(12)), ValueError,
     r"v has shape \(12,\); \(13,\) or \(13, k\)"),
    (lambda: hessian_vector_product(NET, X2, Y1, np.ones((13, 0))), ValueError, "v has shape"),
    (lambda: hessian_vector_product(NET, X2, Y1, np.ones(13, dtype=int)), TypeError, "v has dtype int64; float64"),
    (lambda: hessian_vector_product(NET, X2, Y1, np.full(13, np.inf)), ValueError, r"v\[0\] is inf"),
    (lambda: hessian_vector_product(MLP(NET.parameters, "relu"), X2, Y1, np.ones(13)), ValueError,
     "no second derivative"),
    (lambda: extreme_eigenvalues(NET, X2, Y1, 13), ValueError, "count is 13; fewer than the 13 parameters"),
    (lambda: extreme_eigenvalues(NET, X2, Y1, 0), ValueError, "count is 0; at least 1"),
    (lambda: extreme_eigenvalues(NET, X2, Y1, 2, "SM"), ValueError, "which is 'SM'; one of SA, LA, LM, BE"),
    (lambda: extreme_eigenvalues(NET, X2, Y1, 2, rng=3), TypeError, "rng is 3"),
    (lambda: extreme_eigenvalues(NET, X2, Y1, 1, "BE"), ValueError, "count is 1; at least 2, one from each end"),
    *((lambda t=t: extreme_eigenvalues(NET, X2, Y1, 2, tolerance=t), ValueError, f"tolerance is {t!r}; a number from 0 on")
      for t in ("a", np.nan, -1, True, 10**400)),
    *((lambda n=n: extreme_eigenvalues(NET, X2, Y1, 2, at_most=n), error, f"at_most is {n!r}")
      for n, error in ((0, ValueError), (-1, ValueError), ("a", TypeError), (1.5, TypeError))),
    (lambda: extreme_eigenvalues(MLP(parameters("int", (1, 1, 1), np.random.default_rng(0)), "square"),
                                 np.array([[1]], dtype=object), np.array([[1]], dtype=object), 1),
     TypeError, "net has exact parameters"),
])
def test_bad_input(call, error, message):
    with pytest.raises(error, match=message):
        call()
