"""The exact Hessian of the loss, block by block over pairs of layers.

A change of layer l's weights acts through its pre-activation Z_l = A_l W_l alone. Let C_lm be the second
derivative of a sample's loss by Z_l and Z_m, where Z_m may also move on its own, delta_m its first derivative by
Z_m, and D_lm the derivative of the inputs A_m of a later layer m by Z_l. Then

    d2L / dW_l[i, j] dW_m[p, r] = sum over samples of A_l[i] (C_lm[j, r] A_m[p] + D_lm[j, p] delta_m[r]).

C and D follow from layer to layer by the chain rule; the bias is the weight of an input that is always 1. Each
of the two sums over samples is one matrix product for each pair of layers.
"""

from __future__ import annotations

import numpy as np

from ..mlp import MLP
from ..validation import checked_count, checked_decay
from .curvature import Batch, Pass, check_finite, checked_batch, passed
from .products import Eigenpairs, HessianOperator, extreme_eigenvalues, hessian_vector_product
from .vector import blocks, size

__all__ = ["Eigenpairs", "HessianOperator", "extreme_eigenvalues", "hessian", "hessian_vector_product"]

AT_MOST = 5_000  # parameters: 200 MB in float64
_ENTRIES = 2**21  # of the largest arrays of all samples: they stay in the cache


def hessian(net: MLP, X, Y, loss: str = "squared_error", *, decay: float = 0.0,
            at_most: int = AT_MOST) -> np.ndarray:
    """The matrix of second derivatives of the loss by all parameters.

    Parameters
    ----------
    net : MLP
        Of any depth, in float64, float32, or exact arithmetic.
    X : array, shape (n, d)
    Y : array
        Targets, as for :meth:`~permsym_book.mlp.MLP.loss_and_gradients`.
    loss : {"squared_error", "cross_entropy"}
        Summed over the samples, as everywhere in this package.
    decay : float
        Weight decay: the Hessian of the loss plus ``decay / 2 |theta|^2``.
    at_most : int
        The largest number N of parameters; the matrix has N^2 entries.

    Returns
    -------
    array, shape (N, N)
        Symmetric; rows and columns in the order of :func:`~permsym_book.landscape.vector.to_vector`.

    Raises
    ------
    ValueError
        If the network has more than ``at_most`` parameters, its activation has no second derivative (relu,
        leaky_relu, hardtanh), the decay is negative, or X and Y do not fit.
    TypeError
        If the arrays have different dtypes, or ``net`` is not one network of NumPy arrays.
    FloatingPointError
        If the numbers overflow.

    Examples
    --------
    With one weight w and sigma(z) = z^2 the loss is (a w^2)^2 / 2 at X = 1, Y = 0:

    >>> net = MLP.from_arrays([[[3.0]], [[1.0]]], [None, None], "square")
    >>> hessian(net, np.ones((1, 1)), np.zeros((1, 1)))
    array([[ 54., 108.],
           [108.,  81.]])
    """
    batch, decay = checked_batch(net, X, Y, loss), checked_decay(decay)
    theta, N = net.parameters, size(net.parameters)
    if N > checked_count("at_most", at_most):
        raise ValueError(f"net has {N} parameters, and its Hessian {N} x {N} entries; at most at_most = {at_most}"
                         " parameters are required. extreme_eigenvalues finds the ends of the spectrum by Lanczos,"
                         " without the matrix, and HessianOperator multiplies by it")
    H = np.zeros((N, N), dtype=theta.weights[0].dtype)
    places = blocks(theta)
    step = max(64, _ENTRIES // (max(net.widths) + 1)**2)
    with np.errstate(over="ignore", invalid="ignore"):  # said below
        for start in range(0, len(batch.X), step):
            _add_samples(H, batch.part(start, start + step))
    check_finite("the Hessian", H)
    for first, rows in enumerate(places):
        H[rows, rows] = np.triu(H[rows, rows]) + np.triu(H[rows, rows], 1).T  # symmetric to the last bit
        for columns in places[first + 1:]:
            H[columns, rows] = H[rows, columns].T
    if decay:
        H[np.diag_indices(N)] += decay if H.dtype == object else float(decay)
    return H


def _add_samples(H, batch: Batch) -> None:
    """Add the blocks on and above the diagonal of some samples."""
    theta, at = batch.net.parameters, passed(batch)
    weights, places = theta.weights, blocks(theta)
    A = [_with_ones(a, b is not None) for a, b in zip(at.inputs, theta.biases, strict=True)]
    own = _at_output(at)  # C_mm, from the last layer down
    for m in reversed(range(len(weights))):
        C = own
        for layer in reversed(range(m + 1)):
            if layer < m:
                slope, W = at.slopes[layer], weights[layer + 1]
                C = slope[:, :, None] * (W @ C)
            block = H[places[layer], places[m]]
            block = block.reshape(A[layer].shape[1], C.shape[1], A[m].shape[1], C.shape[2])  # a view: [i, j, p, r]
            block += _summed(A[layer], A[m], C).swapaxes(1, 2)
            if layer == m - 1:
                D, units = slope, np.arange(C.shape[1])  # a unit moves its own activation alone: j = p
                block[:, units, units] += _summed(A[layer], at.deltas[m], D).swapaxes(1, 2)
                own = _diagonal(at.bends[layer]) + (C @ W.T) * slope[:, None, :]
            elif layer < m:
                D = slope[:, :, None] * (W * D[:, None, :] if D.ndim == 2 else W @ D)
                block[:, :, :D.shape[2]] += _summed(A[layer], at.deltas[m], D).transpose(0, 2, 3, 1)


def _summed(P, Q, R):
    """The sum over samples s of P[s, a] Q[s, b] R[s, ...], as one matrix product."""
    n = len(P)
    PQ = (P[:, :, None] * Q[:, None, :]).reshape(n, -1)
    return (PQ.T @ R.reshape(n, -1)).reshape(P.shape[1], Q.shape[1], *R.shape[1:])


def _at_output(at: Pass):
    """The second derivative of each sample's loss by its output, (n, q, q)."""
    O_like, p = at.deltas[-1], at.output_curvature
    if p is None:
        return _diagonal(np.ones_like(O_like))
    return _diagonal(p) - p[:, :, None] * p[:, None, :]


def _diagonal(values):
    """(n, h, h) with ``values`` (n, h) on the diagonals."""
    n, h = values.shape
    made = np.zeros((n, h, h), dtype=values.dtype)
    made[:, np.arange(h), np.arange(h)] = values
    return made


def _with_ones(A, bias: bool):
    """The inputs of a layer, and the input 1 of its bias."""
    return np.concatenate([A, np.ones((len(A), 1), dtype=A.dtype)], axis=1) if bias else A
