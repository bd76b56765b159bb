"""Hessian-vector products, by differentiating the backward pass along the vector, and eigenvalues from them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.sparse.linalg import LinearOperator, eigsh

from ..mlp import MLP
from ..validation import checked_count, checked_decay, checked_rng
from .curvature import checked_batch, passed
from .vector import checked_vector, ravelled, size, unravelled


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
        self._theta, self._pass = (batch := checked_batch(net, X, Y, loss)).net.parameters, passed(batch)
        self.shape = (size(self._theta),) * 2
        self.dtype = self._theta.weights[0].dtype

    def product(self, v) -> np.ndarray:
        """The Hessian times v (N,), or times each column of v (N, k)."""
        v = checked_vector("v", v, self._theta, columns=True)
        if v.ndim == 1:
            return self._product(v)
        return np.ascontiguousarray(self._product(np.ascontiguousarray(v.T)).T)

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
    """``values`` (count,), ascending; ``vectors`` (N, count); ``residuals`` (count,), ``|H v - value v|``."""

    values: np.ndarray
    vectors: np.ndarray
    residuals: np.ndarray


def extreme_eigenvalues(net: MLP, X, Y, count: int = 4, which: str = "SA", *, loss: str = "squared_error",
                        decay: float = 0.0, tolerance: float = 0.0, at_most: int | None = None, rng=None) -> Eigenpairs:
    """Some eigenvalues from the ends of the Hessian's spectrum, by Lanczos, which only needs products.

    Parameters
    ----------
    net, X, Y, loss
        As for :func:`~permsym_book.landscape.hessian.hessian`.
    count : int
        How many, fewer than the parameters.
    which : {"SA", "LA", "LM", "BE"}
        The smallest (most negative), the largest, the largest in absolute value, or half from each end.
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
    TypeError, ValueError
        For exact parameters, or a count or ``which`` that is not possible.

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
    rng = np.random.default_rng(0) if rng is None else checked_rng(rng)
    start = rng.standard_normal(operator.shape[0]).astype(operator.dtype)
    values, vectors = eigsh(operator.linear_operator(), k=count, which=which, v0=start, tol=tolerance,
                            maxiter=at_most)
    order = np.argsort(values)
    values, vectors = values[order], vectors[:, order]
    residuals = np.linalg.norm(operator.product(vectors) - vectors * values, axis=0)
    return Eigenpairs(values + decay, vectors, residuals)
