"""Functions of a layer's pre-activations, row by row: which of them commute with a relabelling of the units?

The widget ``elementwise-commutes`` has the same functions. Some act on each entry by itself, some look at all units and treat
them alike, some know the slot that a unit stands in.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..activations import ACTIVATIONS
from ..permutation import Permutation

EPSILON = 2.0**-10  # added to the variance, so that equal units do not divide by 0


class RowFunction(NamedTuple):
    """A function ``f(Z, slots)`` of Z (n, h) and one number per slot (h,), and what one should know of it.

    ``group`` is "entry", "alike", "unit" or "slot". With ``moves`` the numbers belong to the units and are relabelled with them.
    """

    words: str
    group: str
    function: Callable
    moves: bool = False


def slot_numbers(h: int) -> np.ndarray:
    """The slopes and gains of the functions that have one per slot: 1/8, 2/8, ..., shape (h,).

    >>> slot_numbers(3)
    array([0.125, 0.25 , 0.375])
    """
    return np.arange(1, h + 1) / 8


def _softmax(Z, slots):
    powers = np.exp(Z - Z.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def _layer_norm(Z, slots):
    centred = Z - Z.mean(axis=1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(axis=1, keepdims=True) + EPSILON)


def _prelu(Z, slots):
    return np.where(Z > 0, Z, slots * Z)


ROW_FUNCTIONS: dict[str, RowFunction] = {
    **{name: RowFunction(name, "entry", lambda Z, slots, a=a: a(Z)) for name, a in ACTIVATIONS.items() if name != "gelu"},
    "softmax": RowFunction("softmax over the units", "alike", _softmax),
    "layer_norm": RowFunction("LayerNorm without gain", "alike", _layer_norm),
    "add_mean": RowFunction("add the units' mean", "alike", lambda Z, slots: Z + Z.mean(axis=1, keepdims=True)),
    "prelu_moving": RowFunction("PReLU, slopes of the units", "unit", _prelu, moves=True),
    "prelu": RowFunction("PReLU, slopes of the slots", "slot", _prelu),
    "cumulative": RowFunction("cumulative sum", "slot", lambda Z, slots: Z.cumsum(axis=1)),
    "layer_norm_gain": RowFunction("LayerNorm, gains of the slots", "slot", lambda Z, slots: slots * _layer_norm(Z, slots)),
    "alternate": RowFunction("sign (-1)^slot", "slot", lambda Z, slots: Z * (-1.0) ** np.arange(Z.shape[1])),
    "sort": RowFunction("sort each sample", "slot", lambda Z, slots: np.sort(Z, axis=1)),
}


def both_ways(name: str, Z, perm: Permutation) -> tuple[np.ndarray, np.ndarray]:
    """f(Z P) and f(Z) P (``lem-elementwise-commutes``).

    Parameters
    ----------
    name : str
        One of ``ROW_FUNCTIONS``.
    Z : array (n, h)
    perm : Permutation of the h units

    Returns
    -------
    (array, array), shapes (n, h)

    Examples
    --------
    >>> Z, perm = np.array([[1.0, 2.0, 4.0]]), Permutation([2, 0, 1])
    >>> both_ways("cumulative", Z, perm)
    (array([[4., 5., 7.]]), array([[7., 1., 3.]]))
    """
    f = ROW_FUNCTIONS[name]
    slots = slot_numbers(Z.shape[1])
    return (f.function(Z[:, perm.indices], slots[perm.indices] if f.moves else slots),
            f.function(Z, slots)[:, perm.indices])
