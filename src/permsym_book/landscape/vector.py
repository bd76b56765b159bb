"""The parameters of a network as one vector, and which of its entries belong to a hidden unit."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from ..mlp import MLP
from ..parameters import Parameters
from ..validation import as_array, checked_count, kind_of


def to_vector(params: MLP | Parameters) -> np.ndarray:
    """All parameters in one vector: W1, b1, W2, b2, ..., each in C order; missing biases are left out.

    Parameters
    ----------
    params : MLP or Parameters
        One network of NumPy arrays.

    Returns
    -------
    array, shape (N,)

    Examples
    --------
    >>> theta = Parameters([[[1.0, 2.0, 3.0]], [[5.0], [6.0], [7.0]]], [[4.0, 4.5, 4.7], None])
    >>> to_vector(theta)
    array([1. , 2. , 3. , 4. , 4.5, 4.7, 5. , 6. , 7. ])
    """
    return np.concatenate([A.ravel() for A in one_network(params).arrays()])


def from_vector(params_like: MLP | Parameters, v):
    """The inverse of :func:`to_vector`: a network of the same shape with the entries of ``v``.

    Parameters
    ----------
    params_like : MLP or Parameters
        Its widths, its places of biases and, for an MLP, its activation are taken.
    v : array, shape (N,)
        Of the parameters' dtype.

    Returns
    -------
    MLP or Parameters, as ``params_like`` is

    Raises
    ------
    TypeError, ValueError
        If ``v`` has another dtype, another shape, or is not finite.

    Examples
    --------
    >>> theta = Parameters([np.ones((1, 2)), np.ones((2, 1))], [np.zeros(2), None])
    >>> from_vector(theta, np.arange(6.0)).W2
    array([[4.],
           [5.]])
    """
    like = one_network(params_like)
    v = checked_vector("v", v, like)
    made = Parameters(*unravelled(like, v))
    return params_like.with_parameters(made) if isinstance(params_like, MLP) else made


def unit_slots(params: MLP | Parameters, layer: int, unit: int) -> np.ndarray:
    """Where the full weight vector of a hidden unit stands in the vector: incoming column, bias, outgoing row.

    Parameters
    ----------
    params : MLP or Parameters
    layer : int
        Hidden layer, counted from 0.
    unit : int

    Returns
    -------
    array of int
        Of length in + 1 + out, or in + out when the layer has no bias.

    Raises
    ------
    TypeError, ValueError
        If there is no such unit.

    Examples
    --------
    >>> theta = Parameters([np.ones((2, 3)), np.ones((3, 2))], [np.zeros(3), np.zeros(2)])
    >>> unit_slots(theta, 0, 1)
    array([ 1,  4,  7, 11, 12])
    """
    theta = one_network(params)
    layer = checked_count("layer", layer, least=0)
    if layer >= len(theta.hidden_widths):
        raise ValueError(f"layer is {layer}; a hidden layer below {len(theta.hidden_widths)} is required")
    unit = checked_count("unit", unit, least=0)
    if unit >= theta.hidden_widths[layer]:
        raise ValueError(f"unit is {unit}; one of the {theta.hidden_widths[layer]} units of the layer, below"
                         f" {theta.hidden_widths[layer]}, is required")
    weights, biases = unravelled(theta, np.arange(size(theta)))
    bias = [] if biases[layer] is None else biases[layer][unit:unit + 1]
    return np.concatenate([weights[layer][:, unit], bias, weights[layer + 1][unit]]).astype(np.intp)


def relabelled_slots(params: MLP | Parameters, perms) -> np.ndarray:
    """The permutation of the vector that a relabelling of the hidden units is.

    Parameters
    ----------
    params : MLP or Parameters
    perms : one permutation per hidden layer
        As for :meth:`~permsym_book.parameters.Parameters.permuted`.

    Returns
    -------
    array of int, shape (N,)
        ``to_vector(theta.permuted(perms)) == to_vector(theta)[relabelled_slots(theta, perms)]``.

    Examples
    --------
    >>> theta = Parameters([np.ones((1, 3)), np.ones((3, 1))], [None, None])
    >>> relabelled_slots(theta, [2, 0, 1])
    array([2, 0, 1, 5, 3, 4])
    """
    theta = one_network(params)
    places = Parameters(*unravelled(theta, np.arange(size(theta), dtype=np.float64)))  # exact below 2^53
    return to_vector(places.permuted(perms)).astype(np.intp)


# ---- for the other modules ----------------------------------------------------------------------


def one_network(params) -> Parameters:
    """The parameters of one network of NumPy arrays, or a TypeError."""
    theta = params.parameters if isinstance(params, MLP) else params
    if not isinstance(theta, Parameters):
        raise TypeError(f"params is of type {type(params).__name__}; MLP or Parameters is required")
    W1 = theta.weights[0]
    if theta.count is not None or type(W1) is not np.ndarray:
        raise TypeError(f"params has weights of shape {tuple(W1.shape)} and dtype {kind_of(W1)}; one network of"
                        " NumPy arrays is required")
    return theta


def size(theta: Parameters) -> int:
    """The number N of parameters."""
    return sum(A.size for A in theta.arrays())


def blocks(theta: Parameters) -> list[slice]:
    """Where each layer stands in the vector: its weights and then its bias."""
    ends = np.cumsum([0] + [W.size + (0 if b is None else b.size)
                            for W, b in zip(theta.weights, theta.biases, strict=True)]).tolist()
    return [slice(a, b) for a, b in pairwise(ends)]


def unravelled(theta: Parameters, v: np.ndarray) -> tuple[list, list]:
    """Weights and biases shaped as ``theta``'s from ``v`` (N,); from (E, N) stacks of E, without a copy."""
    weights, biases, lead = [], [], v.shape[:-1]
    for W, b, block in zip(theta.weights, theta.biases, blocks(theta), strict=True):
        part = v[..., block]
        weights.append(part[..., :W.size].reshape(*lead, *W.shape))
        biases.append(None if b is None else part[..., W.size:])
    return weights, biases


def ravelled(weights, biases) -> np.ndarray:
    """The inverse of :func:`unravelled`: (N,), or (E, N) from stacks of E."""
    lead = weights[0].shape[:-2]
    return np.concatenate([A.reshape(*lead, -1) for pair in zip(weights, biases, strict=True)
                           for A in pair if A is not None], axis=-1)


def checked_vector(name: str, v, theta: Parameters, columns: bool = False) -> np.ndarray:
    """``v`` of shape (N,), or also (N, k) with ``columns``, of the parameters' dtype and finite."""
    v, N, dtype = as_array(name, v), size(theta), theta.weights[0].dtype
    if v.dtype != dtype:
        raise TypeError(f"{name} has dtype {v.dtype}; {dtype}, the parameters' dtype, is required")
    if v.shape != (N,) and not (columns and v.ndim == 2 and v.shape[0] == N and v.shape[1]):
        required = f"({N},) or ({N}, k)" if columns else f"({N},)"
        raise ValueError(f"{name} has shape {v.shape}; {required}, one entry per parameter, is required")
    if dtype.kind == "f" and not np.isfinite(v).all():
        where = tuple(int(i) for i in np.argwhere(~np.isfinite(v))[0])
        raise ValueError(f"{name}{list(where)} is {v[where]}; finite numbers are required")
    return v
