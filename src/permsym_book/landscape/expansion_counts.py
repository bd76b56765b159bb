"""The counts G(r, m) and T(r, m) of 2105.12221: how a network of r hidden units expands to m.

Copying units, with the outgoing weights shared out, turns a network of r distinct hidden units into one of m that
computes the same; each way is an affine subspace of parameters. G(r, m) counts the ways in which every one of
the m units is a copy and every one of the r is copied. T(r, m) counts those in which there may also be groups of
units that share an incoming weight vector, any, and whose outgoing weights add up to zero; the groups have no
order. The enumerations that the formulas are compared with are in ``words``.
"""

from __future__ import annotations

from math import comb, factorial, log10

from ..validation import checked_count

MOST_DIGITS = 10_000_000  # of all terms of G
MOST_UNITS = 1_000  # m in T, which goes through a triangle of m^2 / 2 integers


def critical_subspace_count(r: int, m: int) -> int:
    """G(r, m) = sum over i of (-1)^(r-i) C(r, i) i^m = r! S(m, r), the number of maps of m units onto r.

    Parameters
    ----------
    r, m : int
        Distinct units, and units after the expansion. There is no way when m < r. ValueError where the terms have more
        than ``MOST_DIGITS`` digits in all.

    Returns
    -------
    int

    Examples
    --------
    >>> [critical_subspace_count(r, 4) for r in (1, 2, 3, 4, 5)]
    [1, 14, 36, 24, 0]
    """
    r, m = checked_count("r", r), checked_count("m", m)
    if m < r:
        return 0
    if r > 1 and (r * m > 4 * MOST_DIGITS or r * m * log10(r) > MOST_DIGITS):  # the first, as r m may be too large for a float
        raise ValueError(f"r is {r} and m is {m}: the {r} terms of the sum have more than {MOST_DIGITS} digits in all, which are"
                         " the most that are allowed")
    return sum((-1)**(r - i) * comb(r, i) * i**m for i in range(r + 1))


def expansion_count(r: int, m: int) -> int:
    """T(r, m) = sum over j of G(r + j, m) / j!, the number of affine subspaces of the expansion manifold.

    With j groups of vanishing sum, the m units are mapped onto r + j; the groups can be numbered in j! ways.

    Parameters
    ----------
    r, m : int
        As for :func:`critical_subspace_count`; m at most ``MOST_UNITS``.

    Returns
    -------
    int

    Examples
    --------
    >>> [expansion_count(*rm) for rm in ((2, 2), (2, 3), (2, 4), (3, 3), (3, 4))]
    [2, 12, 62, 6, 60]
    """
    r, m = checked_count("r", r), checked_count("m", m, most=MOST_UNITS)
    stirling = _stirling_row(m)
    return sum(factorial(r + j) // factorial(j) * stirling[r + j] for j in range(m - r + 1))


def _stirling_row(m: int) -> list[int]:
    """S(m, k) for k = 0, ..., m, the partitions into k groups, by S(m, k) = k S(m-1, k) + S(m-1, k-1)."""
    row = [1]
    for _ in range(m):
        row = [k * same + fewer for k, (same, fewer) in enumerate(zip([*row, 0], [0, *row], strict=True))]
    return row
