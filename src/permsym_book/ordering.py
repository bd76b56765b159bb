"""A canonical order of hidden units for generic networks, reading as few weights as possible.

Inputs and outputs are labelled. So the units of the first hidden layer may be sorted by bias, then by their
weights from input 0, from input 1, and so on until no two tie; the sorted layer is the labelled input of the
next. What is read does not depend on how the units were numbered, so neither does the order.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np


def generic_order(weights, biases) -> list[np.ndarray] | None:
    """The order of the units of every hidden layer, or None when some layer keeps a tie.

    Parameters
    ----------
    weights, biases : lists of arrays of float or int
        As in :class:`~permsym_book.parameters.Parameters`.

    Returns
    -------
    list of arrays of int, shapes (h_1,), ..., (h_k,), or None
        Position j of layer l is taken by unit ``order[l][j]``.

    Examples
    --------
    >>> generic_order([np.array([[1, 1, 0]]), np.array([[5, 4], [2, 3], [9, 9]])], [None, None])
    [array([2, 1, 0])]
    """
    orders: list[np.ndarray] = []
    before = range(weights[0].shape[0])
    for layer, (W, b) in enumerate(zip(weights[:-1], biases[:-1], strict=True)):
        keys = _keys(W, b, before, weights[-1] if layer == len(weights) - 2 else None)
        order = _sorted_until_distinct(W.shape[1], keys)
        if order is None:
            return None
        orders.append(order)
        before = order
    return orders


def _keys(W, b, before, to_outputs) -> Iterable[np.ndarray]:
    """One number for each unit at a time: bias, incoming weights, and outgoing ones that end in outputs."""
    if b is not None:
        yield b
    for i in before:
        yield W[i]
    if to_outputs is not None:
        yield from to_outputs.T


def _sorted_until_distinct(n: int, keys) -> np.ndarray | None:
    """The units 0..n-1 sorted lexicographically by ``keys``, or None if two units agree in all of them.

    ``place`` of a unit is the number of units before its cell, so a split touches only the units of its cell.
    """
    place = np.zeros(n, dtype=np.intp)
    tied = np.arange(n)
    for key in keys:
        if tied.size < 2:
            break
        key, cell = key[tied], place[tied]
        if (key == key[0]).all():
            continue
        order = np.argsort(key) if (cell == cell[0]).all() else np.lexsort((key, cell))
        units, key, cell = tied[order], key[order], cell[order]
        new_cell = np.append(True, cell[1:] != cell[:-1])
        new_part = new_cell | np.append(True, key[1:] != key[:-1])
        index = np.arange(units.size)
        starts = np.maximum.accumulate(np.where(new_part, index, 0))
        place[units] = cell + starts - np.maximum.accumulate(np.where(new_cell, index, 0))
        single = new_part & np.append(new_part[1:], True)
        tied = units[~single]
    return np.argsort(place) if tied.size < 2 else None
