"""Every way that the formulas for minima and permutation points count, by going through all words.

A word says for each unit of a layer which weight vector it has. All words over the vectors are gone through, and
those that fit are kept; where there are more than ``MOST_WORDS``, the call raises ValueError.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from math import log2

import numpy as np

from ..validation import checked_count

MOST_WORDS = 2_000_000
_AT_ONCE = 2**16


def saddle_words(n: int, K: int) -> Iterator[tuple[int, ...]]:
    """Every K-th order permutation point of one layer of n units, by going through all words.

    There are :func:`~permsym_book.landscape.counting.saddle_count` of them.

    Yields
    ------
    tuple of int, length n
        For each place, which of the n - K distinct weight vectors the unit there has; K vectors occur twice.

    Examples
    --------
    >>> list(saddle_words(3, 1))
    [(0, 0, 1), (0, 1, 0), (0, 1, 1), (1, 0, 0), (1, 0, 1), (1, 1, 0)]
    """
    n, K = checked_count("n", n), checked_count("K", K, least=0)
    if K >= n:
        return iter(())

    def once_or_twice(W):
        return np.all([np.isin((W == v).sum(axis=1), (1, 2)) for v in range(n - K)], axis=0)

    return _that_fit(n, n - K, once_or_twice)


def critical_words(r: int, m: int) -> Iterator[tuple[int, ...]]:
    """Every way that G(r, m) counts, by going through all words.

    Yields
    ------
    tuple of int, length m
        For each unit, which of the r it copies; every one occurs.

    Examples
    --------
    >>> list(critical_words(2, 3))
    [(0, 0, 1), (0, 1, 0), (0, 1, 1), (1, 0, 0), (1, 0, 1), (1, 1, 0)]
    """
    r, m = checked_count("r", r), checked_count("m", m)
    return _that_fit(m, r, lambda W: _all_occur(W, r))


def expansion_words(r: int, m: int) -> Iterator[tuple[int, ...]]:
    """Every way that T(r, m) counts, by going through all words.

    Yields
    ------
    tuple of int, length m
        For each unit, which of the r it copies, or r, r + 1, ... for a group of vanishing sum. Words that differ
        in the numbers of the groups are one way: the groups are numbered in the order of their first units.

    Examples
    --------
    >>> list(expansion_words(1, 2))
    [(0, 0), (0, 1), (1, 0)]
    """
    r, m = checked_count("r", r), checked_count("m", m)
    return _that_fit(m, max(r, m), lambda W: _all_occur(W, r) & _numbered_in_order(W, range(r, m)))


def _all_occur(W: np.ndarray, r: int) -> np.ndarray:
    return np.all([(W == copied).any(axis=1) for copied in range(r)], axis=0)


def _numbered_in_order(W: np.ndarray, groups: range) -> np.ndarray:
    """Whether each group that occurs is the first of all, or the one before it occurs earlier."""
    places = [np.where((W == g).any(axis=1), (W == g).argmax(axis=1), W.shape[1] + g) for g in groups]
    return np.all([earlier < later for earlier, later in pairwise(places)], axis=0)


def _that_fit(length: int, letters: int, fits: Callable[[np.ndarray], np.ndarray]) -> Iterator[tuple[int, ...]]:
    """The words of the letters 0, ..., ``letters - 1`` that fit; ``fits`` maps words, one a row, to booleans.

    Raises ValueError when there are more than ``MOST_WORDS`` words.
    """
    if length * log2(letters) > 2 * log2(MOST_WORDS) or letters**length > MOST_WORDS:  # the power itself may be too long
        raise ValueError(f"{letters}^{length} words would have to be gone through; at most {MOST_WORDS} are allowed"
                         " (the formulas go much further)")
    return _fitting(length, letters, fits)


def _fitting(length: int, letters: int, fits) -> Iterator[tuple[int, ...]]:
    for start in range(0, letters**length, _AT_ONCE):
        numbers = np.arange(start, min(start + _AT_ONCE, letters**length))
        places = letters**np.arange(length - 1, -1, -1)
        W = (numbers[:, None] // places % letters).astype(np.int8)
        yield from map(tuple, W[fits(W)].tolist())
