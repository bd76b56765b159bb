"""Random initial parameters."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from .parameters import Parameters
from .validation import checked_count, checked_rng, checked_sequence

SCHEMES = ("xavier", "kaiming", "normal", "constant", "identical_units")
_CONSTANT = 0.1  # every number of "constant"


def initialized(widths, rng: np.random.Generator, *, scheme: str = "xavier", bias=True,
                dtype=np.float64) -> Parameters:
    """Draw the parameters of an MLP.

    Parameters
    ----------
    widths : sequence of int
        (d, h_1, ..., h_k, q), each at least 1, at least two of them.
    rng : numpy.random.Generator
    scheme : str
        ``"xavier"``: uniform on +-sqrt(6 / (in + out)), biases 0. ``"kaiming"``: normal with variance 2 / in,
        biases 0. ``"normal"``: standard normal, biases too: no two units alike in any way.
        ``"constant"``: every number 0.1: all units of a layer identical. ``"identical_units"``: each layer
        drawn by Xavier with one incoming vector and one outgoing number per target, shared by all units of a
        layer.
    bias : bool or sequence of bool, one per layer
    dtype : float64 or float32

    Raises
    ------
    TypeError, ValueError
        For an unknown scheme, a width below 1, fewer than two widths, a wrong number of biases, another
        dtype.

    Examples
    --------
    >>> initialized((4, 3, 2), np.random.default_rng(0)).widths
    (4, 3, 2)
    """
    widths = tuple(checked_count(f"widths[{i}]", w) for i, w in enumerate(checked_sequence("widths", widths)))
    if len(widths) < 2:
        raise ValueError(f"widths is {widths}; at least an input and an output width are required")
    checked_rng(rng)
    if scheme not in SCHEMES:
        raise ValueError(f"scheme is {scheme!r}; one of {', '.join(SCHEMES)} is required")
    try:
        dtype = np.dtype(dtype)
    except TypeError as error:
        raise TypeError(f"dtype is {dtype!r}; float64 or float32 is required") from error
    if dtype not in (np.float64, np.float32):
        raise TypeError(f"dtype is {dtype}; float64 or float32 is required")
    layers = len(widths) - 1
    has_bias = (bias,) * layers if isinstance(bias, (bool, np.bool_)) else checked_sequence("bias", bias)
    for b in has_bias:
        if not isinstance(b, (bool, np.bool_)):
            raise TypeError(f"bias contains {b!r} of type {type(b).__name__}; True or False is required")
    if len(has_bias) != layers:
        raise ValueError(f"bias has {len(has_bias)} entries; {layers}, one per layer, are required")
    weights, biases = [], []
    for layer, (n_in, n_out) in enumerate(pairwise(widths)):
        W, b = _layer(n_in, n_out, rng, scheme)
        if scheme == "identical_units":
            W = _shared(W, rows=layer > 0, columns=layer < layers - 1)
        weights.append(W.astype(dtype))
        biases.append(b.astype(dtype) if has_bias[layer] else None)
    return Parameters(weights, biases)


def _layer(n_in, n_out, rng, scheme):
    if scheme == "constant":
        return np.full((n_in, n_out), _CONSTANT), np.full(n_out, _CONSTANT)
    if scheme == "normal":
        return rng.standard_normal((n_in, n_out)), rng.standard_normal(n_out)
    if scheme == "kaiming":
        return rng.standard_normal((n_in, n_out)) * np.sqrt(2 / n_in), np.zeros(n_out)
    limit = np.sqrt(6 / (n_in + n_out))
    return rng.uniform(-limit, limit, (n_in, n_out)), np.zeros(n_out)


def _shared(W, rows: bool, columns: bool):
    """Give all hidden rows the first row, all hidden columns the first column."""
    W = np.repeat(W[:1], W.shape[0], axis=0) if rows else W
    return np.repeat(W[:, :1], W.shape[1], axis=1) if columns else W
