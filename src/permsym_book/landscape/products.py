"""Hessian-vector products, by differentiating the backward pass along the vector, and eigenvalues from them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.sparse.linalg import ArpackError, ArpackNoConvergence, LinearOperator, eigsh

from ..mlp import MLP
from ..validation import checked_count, checked_decay, checked_number, checked_rng
from .curvature import check_finite, checked_batch, passed
from .vector import checked_vector, ravelled, size, unravelled

DENSE_AT_MOST = 64  # parameters: all eigenvalues are as quick
MATRIX_AT_MOST = 5_000  # parameters where Lanczos fails: 200 MB in float64


def hessian_vector_product(net: MLP, X, Y, v, loss: str = "squared_error") -> np.ndarray:
    """The Hessian of the loss times a vector, exactly and without the Hessian (see :class:`HessianOperator`).

    Parameters
    ----------
    net : MLP
    X : array, shape (n, d)
    Y : array
        Targets, as for :meth:`~permsym_book.mlp.MLP.loss_and_gradients`.
    v : array, shape (N,) or (N, k)
        In the order of :func:`~permsym_book.landscape.vector.to_vector`.
    loss : {"squared_error", "cross_entropy"}

    Returns
    -------
    array, shaped as v

    Raises
    ------
    TypeError, ValueError
        As :func:`~permsym_book.landscape.hessian.hessian`; and if v has another dtype or shape.

    Examples
    --------
    With one weight w and sigma(z) = z^2 the loss is w^4 / 2 at X = 1, Y = 0, and its second derivative 6 w^2:

    >>> net = MLP.from_arrays([[[3.0]], [[1.0]]], [None, None], "square")
    >>> hessian_vector_product(net, np.ones((1, 1)), np.zeros((1, 1)), np.array([1.0, 0.0]))
    array([ 54., 108.])
    """
    return HessianOperator(net, X, Y, loss).product(v)


class HessianOperator:
    """The Hessian at one point as an operator: what does not depend on the vector is computed once.

    Parameters
    ----------
    net : MLP
    X : array, shape (n, d)
    Y : array
    loss : {"squared_error", "cross_entropy"}

    Attributes
    ----------
    shape : (N, N)
    dtype : numpy.dtype

    Raises
    ------
    TypeError, ValueError
        As :func:`~permsym_book.landscape.hessian.hessian`.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> net, X, Y = MLP.random((4, 3, 2), rng), rng.standard_normal((5, 4)), rng.standard_normal((5, 2))
    >>> operator = HessianOperator(net, X, Y)
    >>> operator.shape, operator.product(np.ones(23)).shape, (operator.linear_operator() @ np.eye(23)).shape
    ((23, 23), (23,), (23, 23))
    """

    def __init__(self, net: MLP, X, Y, loss: str = "squared_error"):
        batch = checked_batch(net, X, Y, loss)
        with np.errstate(over="ignore", invalid="ignore"):  # the product says it
            self._theta, self._pass = net.parameters, passed(batch)
        self.shape = (size(self._theta),) * 2
        self.dtype = self._theta.weights[0].dtype

    def product(self, v) -> np.ndarray:
        """The Hessian times v (N,), or times each column of v (N, k)."""
        v = checked_vector("v", v, self._theta, columns=True)
        with np.errstate(over="ignore", invalid="ignore"):  # said below
            product = self._product(v if v.ndim == 1 else np.ascontiguousarray(v.T))
        check_finite("the Hessian's product", product)
        return product if v.ndim == 1 else np.ascontiguousarray(product.T)

    def linear_operator(self) -> LinearOperator:
        """The same for scipy's iterative routines."""
        def of_one(v):
            return self.product(v.reshape(-1))

        return LinearOperator(self.shape, matvec=of_one, rmatvec=of_one, matmat=self.product, rmatmat=self.product,
                              dtype=self.dtype)

    def _product(self, v):
        """The directional derivative along v of every line of :func:`permsym_book.formulas.backward`."""
        weights, biases, at = self._theta.weights, self._theta.biases, self._pass
        dW, db = unravelled(self._theta, v)
        moved, bent, A_moves = [None], [], None
        for layer, W in enumerate(weights):
            Z_moves = at.inputs[layer] @ dW[layer]
            if A_moves is not None:
                Z_moves += A_moves @ W
            if db[layer] is not None:
                Z_moves += db[layer][..., None, :]
            if layer < len(at.slopes):
                A_moves = at.slopes[layer] * Z_moves
                moved.append(A_moves)
                bent.append(at.bends[layer] * Z_moves)
        delta_moves, p = Z_moves, at.output_curvature
        if p is not None:
            delta_moves = p * (Z_moves - (p * Z_moves).sum(axis=-1, keepdims=True))
        gW, gb = [], []
        for layer in reversed(range(len(weights))):
            g = at.inputs[layer].T @ delta_moves
            if layer:
                g += moved[layer].swapaxes(-1, -2) @ at.deltas[layer]
            gW.insert(0, g)
            gb.insert(0, None if biases[layer] is None else delta_moves.sum(axis=-2))
            if layer:
                error_moves = delta_moves @ weights[layer].T
                error_moves += at.deltas[layer] @ dW[layer].swapaxes(-1, -2)
                error_moves *= at.slopes[layer - 1]
                error_moves += bent[layer - 1]
                delta_moves = error_moves
        return ravelled(gW, gb)


class Eigenpairs(NamedTuple):
    """Some eigenvalues of a Hessian with their vectors.

    Attributes
    ----------
    values : array, shape (count,)
        Ascending.
    vectors : array, shape (N, count)
        Orthonormal columns.
    residuals : array, shape (count,)
        ``|H v - value v|`` for each: H has an eigenvalue within it.
    """

    values: np.ndarray
    vectors: np.ndarray
    residuals: np.ndarray


def extreme_eigenvalues(net: MLP, X, Y, count: int = 4, which: str = "SA", *, loss: str = "squared_error",
                        decay: float = 0.0, tolerance: float = 0.0, at_most: int | None = None, rng=None) -> Eigenpairs:
    """Some eigenvalues from the ends of the Hessian's spectrum, by Lanczos, which only needs products.

    Up to ``DENSE_AT_MOST`` parameters all are computed from the matrix, and the best ones taken.

    Parameters
    ----------
    net, X, Y, loss
        As for :func:`~permsym_book.landscape.hessian.hessian`.
    count : int
        How many, fewer than the parameters.
    which : {"SA", "LA", "LM", "BE"}
        The smallest (most negative), the largest, the largest in absolute value, or half from each end (one more of the
        largest when ``count`` is odd).
    decay : float
        Weight decay, which is added to each eigenvalue.
    tolerance : float
        Relative accuracy of the eigenvalues; 0 is rounding level.
    at_most : int, optional
        Lanczos restarts; the default is scipy's, ten for each parameter.
    rng : numpy.random.Generator, optional
        Draws the first vector; the default is a generator with seed 0, so that a run can be repeated.

    Returns
    -------
    Eigenpairs

    Raises
    ------
    scipy.sparse.linalg.ArpackNoConvergence
        With the eigenvalues found so far, when ``at_most`` is reached.
    scipy.sparse.linalg.ArpackError
        When Lanczos finds no basis, beyond ``MATRIX_AT_MOST`` parameters; up to there the matrix takes its place.
    TypeError, ValueError
        For exact parameters, or a count, ``which``, tolerance or ``at_most`` that is not possible.
    FloatingPointError
        If the numbers overflow.

    Examples
    --------
    >>> net = MLP.from_arrays([[[3.0]], [[1.0]]], [None, None], "square")
    >>> values = extreme_eigenvalues(net, np.ones((1, 1)), np.zeros((1, 1)), 1, "LA").values
    >>> bool(abs(values[0] - (67.5 + 13.5 * 65**0.5)) < 1e-10)  # of [[54, 108], [108, 81]]
    True
    """
    operator, decay = HessianOperator(net, X, Y, loss), float(checked_decay(decay))
    if operator.dtype == object:
        raise TypeError("net has exact parameters; float parameters are required for eigenvalues")
    count = checked_count("count", count)
    if count >= operator.shape[0]:
        raise ValueError(f"count is {count}; fewer than the {operator.shape[0]} parameters are required (the dense"
                         " Hessian has all eigenvalues)")
    if which not in ("SA", "LA", "LM", "BE"):
        raise ValueError(f"which is {which!r}; one of SA, LA, LM, BE is required")
    if which == "BE" and count < 2:
        raise ValueError(f"count is {count}; at least 2, one from each end, are required for which = 'BE'")
    rng = np.random.default_rng(0) if rng is None else checked_rng(rng)
    start = rng.standard_normal(operator.shape[0]).astype(operator.dtype)
    tolerance = float(checked_number("tolerance", tolerance))
    at_most = None if at_most is None else checked_count("at_most", at_most)
    if operator.shape[0] <= DENSE_AT_MOST:
        values, vectors = _of_matrix(operator, count, which)
    elif not operator.product(start).any():  # the Hessian is 0, and ARPACK refuses it
        values, vectors = np.zeros(count, operator.dtype), np.eye(operator.shape[0], count, dtype=operator.dtype)
    else:
        values, vectors = _lanczos(operator, count, which, start, tolerance, at_most)
    residuals = np.linalg.norm(operator.product(vectors) - vectors * values, axis=0)
    return Eigenpairs(values + decay, vectors, residuals)


def _lanczos(operator, count, which, start, tolerance, at_most):
    """ARPACK's eigenpairs; those of the matrix where it finds no basis, as when the Hessian has a rank of a few."""
    try:
        values, vectors = eigsh(operator.linear_operator(), k=count, which=which, v0=start, tol=tolerance, maxiter=at_most)
    except ArpackNoConvergence:
        raise
    except ArpackError:
        if operator.shape[0] > MATRIX_AT_MOST:
            raise
        return _of_matrix(operator, count, which)
    order = np.argsort(values)
    return values[order], vectors[:, order]


def _of_matrix(operator, count, which):
    """The same from the matrix."""
    H = operator.product(np.eye(operator.shape[0], dtype=operator.dtype))
    values, vectors = np.linalg.eigh((H + H.T) / 2)
    N, low = len(values), {"SA": count, "BE": count // 2}.get(which, 0)
    chosen = np.sort(np.argsort(abs(values))[N - count:]) if which == "LM" else np.r_[:low, N - count + low:N]
    return values[chosen], vectors[:, chosen]
