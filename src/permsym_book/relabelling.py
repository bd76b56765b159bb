"""How permutations of the hidden units act on the arrays of all layers (eq-permuted-weights)."""

from __future__ import annotations

from numbers import Integral

import numpy as np

from .permutation import Permutation
from .validation import checked_sequence


def relabelled(weights, biases, perms) -> tuple[list, list]:
    """W1 P, b1 P, P^T W2, and so on in every hidden layer.

    Parameters
    ----------
    weights : sequence of arrays (..., in, out)
    biases : sequence of arrays (..., out) or None
    perms : sequence of Permutation, one for each hidden layer

    Returns
    -------
    (list of arrays, list of arrays or None)

    Examples
    --------
    >>> W1, b1, W2 = np.array([[1, 2, 3]]), np.array([4, 5, 6]), np.array([[7], [8], [9]])
    >>> (W1, W2), (b1, _) = relabelled([W1, W2], [b1, None], [Permutation([2, 0, 1])])
    >>> W1.tolist(), b1.tolist(), W2.tolist()
    ([[3, 1, 2]], [6, 4, 5], [[9], [7], [8]])
    """
    ins, outs = (None, *perms), (*perms, None)
    weights = [_taken(_taken(W, i, -2), o, -1) for W, i, o in zip(weights, ins, outs, strict=True)]
    return weights, [None if b is None else _taken(b, o, -1) for b, o in zip(biases, outs, strict=True)]


def checked_permutations(name: str, perms, widths: tuple[int, ...]) -> tuple[Permutation, ...]:
    """One Permutation per hidden layer of the given widths, or an error that says what was wrong.

    Raises
    ------
    TypeError, ValueError
        If there is not one permutation per hidden layer, or one has the wrong length.
    """
    if isinstance(perms, Permutation) or (isinstance(perms, np.ndarray) and perms.ndim == 1):
        perms = (perms,)
    elif isinstance(perms, (set, frozenset, dict)):
        raise TypeError(f"{name} is a {type(perms).__name__}, which has no order; a sequence is required")
    else:
        perms = checked_sequence(name, perms)
        if perms and all(isinstance(j, Integral) for j in perms):
            perms = (perms,)
    if len(perms) != len(widths):
        raise ValueError(f"{name} has {len(perms)} permutations; {len(widths)}, one per hidden layer, are"
                         " required")
    perms = tuple(Permutation._named(f"{name}[{layer}]", p) for layer, p in enumerate(perms))
    for layer, (perm, width) in enumerate(zip(perms, widths, strict=True)):
        if len(perm) != width:
            raise ValueError(f"{name}[{layer}] permutes {len(perm)} units; {width}, the width of hidden layer"
                             f" {layer}, are required")
    return perms


def _taken(A, perm: Permutation | None, axis: int):
    if perm is None:
        return A
    if isinstance(A, np.ndarray):
        return A.take(perm.indices, axis=axis)
    return A[..., perm.indices] if axis == -1 else A[..., perm.indices, :]
