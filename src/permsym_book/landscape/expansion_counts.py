"""The counts G(r, m) and T(r, m) of 2105.12221: how a network of r hidden units expands to m.

Copying units, with the outgoing weights shared out, turns a network of r distinct hidden units into one of m that
computes the same; each way is an affine subspace of parameters. G(r, m) counts the ways in which every one of
the m units is a copy and every one of the r is copied. T(r, m) counts those in which there may also be groups of
units that share an incoming weight vector, any, and whose outgoing weights add up to zero; the groups have no
order. Each formula has its enumeration: all words are gone through, and those that fit are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from math import comb, factorial

import numpy as np

from ..validation import checked_count

MOST_WORDS = 2_000_000
_AT_ONCE = 2**16


def critical_subspace_count(r: int, m: int) -> int:
    """G(r, m) = sum over i of (-1)^(r-i) C(r, i) i^m = r! S(m, r), the number of maps of m units onto r.

    Parameters
    ----------
    r, m : int
        Distinct units, and units after the expansion. There is no way when m < r.

    Returns
    -------
    int

    Examples
    --------
    >>> [critical_subspace_count(r, 4) for r in (1, 2, 3, 4, 5)]
    [1, 14, 36, 24, 0]
    """
    r, m = checked_count("r", r), checked_count("m", m)
    return sum((-1)**(r - i) * comb(r, i) * i**m for i in range(r + 1)) if m >= r else 0


def expansion_count(r: int, m: int) -> int:
    """T(r, m) = sum over j of G(r + j, m) / j!, the number of affine subspaces of the expansion manifold.

    With j groups of vanishing sum, the m units are mapped onto r + j; the groups can be numbered in j! ways.

    Parameters
    ----------
    r, m : int
        As for :func:`critical_subspace_count`.

    Returns
    -------
    int

    Examples
    --------
    >>> [expansion_count(*rm) for rm in ((2, 2), (2, 3), (2, 4), (3, 3), (3, 4))]
    [2, 12, 62, 6, 60]
    """
    r, m = checked_count("r", r), checked_count("m", m)
    stirling = _stirling_row(m)
    return sum(factorial(r + j) // factorial(j) * stirling[r + j] for j in range(m - r + 1))


def critical_words(r: int, m: int) -> Iterator[tuple[int, ...]]:
    """Every way that G(r, m) counts, by going through all words.

    Yields
    ------
    tuple of int, length m
        For each unit, which of the r it copies; every one occurs.

    Raises
    ------
    ValueError
        If there are more than ``MOST_WORDS`` words to go through; raised by the call.

    Examples
    --------
    >>> list(critical_words(2, 3))
    [(0, 0, 1), (0, 1, 0), (0, 1, 1), (1, 0, 0), (1, 0, 1), (1, 1, 0)]
    """
    r, m = checked_count("r", r), checked_count("m", m)
    return words(m, r, lambda W: _all_occur(W, r))


def expansion_words(r: int, m: int) -> Iterator[tuple[int, ...]]:
    """Every way that T(r, m) counts, by going through all words.

    Yields
    ------
    tuple of int, length m
        For each unit, which of the r it copies, or r, r + 1, ... for a group of vanishing sum. Words that differ
        in the numbers of the groups are one way: the groups are numbered in the order of their first units.

    Raises
    ------
    ValueError
        If there are more than ``MOST_WORDS`` words to go through; raised by the call.

    Examples
    --------
    >>> list(expansion_words(1, 2))
    [(0, 0), (0, 1), (1, 0)]
    """
    r, m = checked_count("r", r), checked_count("m", m)
    return words(m, max(r, m), lambda W: _all_occur(W, r) & _numbered_in_order(W, range(r, m)))


def _all_occur(W: np.ndarray, r: int) -> np.ndarray:
    return np.all([(W == copied).any(axis=1) for copied in range(r)], axis=0)


def _numbered_in_order(W: np.ndarray, groups: range) -> np.ndarray:
    """Whether each group that occurs is the first of all, or the one before it occurs earlier."""
    places = [np.where((W == g).any(axis=1), (W == g).argmax(axis=1), W.shape[1] + g) for g in groups]
    return np.all([earlier < later for earlier, later in pairwise(places)], axis=0)


def words(length: int, letters: int, fits: Callable[[np.ndarray], np.ndarray]) -> Iterator[tuple[int, ...]]:
    """The words of the letters 0, ..., ``letters - 1`` that fit; ``fits`` maps words, one a row, to booleans.

    Raises ValueError when there are more than ``MOST_WORDS`` words.
    """
    if letters**length > MOST_WORDS:
        raise ValueError(f"{letters}^{length} words would have to be gone through; at most {MOST_WORDS} are"
                         " required (the formula has no such limit)")
    return _fitting(length, letters, fits)


def _fitting(length: int, letters: int, fits) -> Iterator[tuple[int, ...]]:
    for start in range(0, letters**length, _AT_ONCE):
        numbers = np.arange(start, min(start + _AT_ONCE, letters**length))
        places = letters**np.arange(length - 1, -1, -1)
        W = (numbers[:, None] // places % letters).astype(np.int8)
        yield from map(tuple, W[fits(W)].tolist())


def _stirling_row(m: int) -> list[int]:
    """S(m, k) for k = 0, ..., m, the partitions into k groups, by S(m, k) = k S(m-1, k) + S(m-1, k-1)."""
    row = [1]
    for _ in range(m):
        row = [k * same + fewer for k, (same, fewer) in enumerate(zip([*row, 0], [0, *row], strict=True))]
    return row
