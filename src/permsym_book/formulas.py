"""The chapter's forward and backward formulas, written once for every arithmetic.

Nothing here asks what its arrays are. They need ``@``, ``+``, ``-``, ``*``, ``swapaxes``
and ``sum``, which NumPy's float and object arrays have, and also :class:`permsym_book.rounding.Ball`
(values with rounding bounds) and :class:`permsym_book.modular.ModArray` (integers mod p). So
the check over the rationals and the training in float64 run the same lines. Leading axes are carried along:
weights of shape ``(E, in, out)`` are E networks at once.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Forward(NamedTuple):
    """What a forward pass computes: ``Z[l]`` and ``H[l]`` of each hidden layer l (n, h_l), and ``O`` (n,
    q)."""

    Z: tuple
    H: tuple
    O: Any


def transposed(A):
    """Swap the last two axes."""
    return A.swapaxes(-1, -2)


def forward(weights, biases, sigmas, X, masks=None) -> Forward:
    """``H = sigma(X W1 + b1)``, ``O = H W2 + b2`` (eq-forward), for any number of hidden layers.

    Parameters
    ----------
    weights : sequence of arrays, (in, out)
    biases : sequence of arrays (out,) or None
    sigmas : sequence of callables, one per hidden layer, element-wise
    X : array, (n, d)
    masks : sequence of arrays (n, h_l), optional
        Multiplied into H (dropout; any 1/keep factor is already in it).
    """
    Z, H, A = [], [], X
    for layer, (W, b) in enumerate(zip(weights, biases, strict=True)):
        A = A @ W
        if b is not None:
            A = A + (b if b.ndim == 1 else b[..., None, :])
        if layer < len(sigmas):
            Z.append(A)
            A = sigmas[layer](A)
            if masks is not None:
                A = A * masks[layer]
            H.append(A)
    return Forward(tuple(Z), tuple(H), A)


def backward(weights, biases, dsigmas, X, passed: Forward, delta_O, masks=None):
    """Gradients of a loss whose derivative by O is ``delta_O`` (eq-delta-h, eq-gradients).

    ``delta_H = (delta_O W2^T) * sigma'(Z)``; ``dL/dW2 = H^T delta_O``; ``dL/dW1 = X^T delta_H``;
    a bias takes its delta's column sums.

    Returns
    -------
    (weight_gradients, bias_gradients) : two tuples shaped like ``weights`` and ``biases``
    """
    inputs = (X, *passed.H)
    grad_W, grad_b, delta = [], [], delta_O
    for layer in reversed(range(len(weights))):
        grad_W.append(transposed(inputs[layer]) @ delta)
        grad_b.append(None if biases[layer] is None else delta.sum(-2))
        if layer:
            delta = (delta @ transposed(weights[layer]))
            if masks is not None:
                delta = delta * masks[layer - 1]
            delta = delta * dsigmas[layer - 1](passed.Z[layer - 1])
    return tuple(reversed(grad_W)), tuple(reversed(grad_b))
