"""Index and nullity of a symmetric matrix, with a numerical rank that says how clear it is."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..validation import checked_array

CLEAR_GAP = 1e3
_HIGHEST_ZERO = 2.0**-17  # relative to the largest eigenvalue: nothing above is ever counted as zero


@dataclass(frozen=True)
class Inertia:
    """How many eigenvalues of a symmetric matrix are negative, zero and positive.

    Attributes
    ----------
    index, nullity, positive : int
        How many eigenvalues are negative, zero, positive.
    eigenvalues : array, shape (N,)
        Ascending, as computed.
    threshold : float
        In the middle (geometrically) of the gap between what counts as zero and what does not.
    gap : float
        The smallest non-zero ``|eigenvalue|`` over the largest zero one, or over ``rounding`` if that is larger.
    rounding : float
        The level below which the computed eigenvalues say nothing.
    """

    index: int
    nullity: int
    positive: int
    eigenvalues: np.ndarray = field(repr=False)
    threshold: float
    gap: float
    rounding: float

    @property
    def clear(self) -> bool:
        """Whether the gap is at least ``CLEAR_GAP``; if not, the nullity is a guess."""
        return self.gap >= CLEAR_GAP

    def __str__(self) -> str:
        doubt = "" if self.clear else "; no clear gap: the nullity is a guess"
        return (f"index {self.index}, nullity {self.nullity}, positive {self.positive} (zero below"
                f" {self.threshold:.1e}, gap {self.gap:.1e}{doubt})")


def inertia(H, *, noise: float | None = None) -> Inertia:
    """The signs of the eigenvalues of a symmetric matrix, zero being told apart by the largest gap.

    Sort the eigenvalues by size. Those below the rounding level ``N eps |H|`` are zero; the next ones, up to
    ``2^-17 |H|``, may be zero too, for instance when the point is only nearly critical. Among these possible nullities
    the one with the largest ratio of the smallest non-zero to the largest zero eigenvalue is taken, and the ratio
    is reported.

    Parameters
    ----------
    H : array, shape (N, N)
        Symmetric up to rounding, float64 or float32.
    noise : float, optional
        A larger rounding level, for a matrix known less exactly than its own rounding.

    Returns
    -------
    Inertia

    Raises
    ------
    TypeError, ValueError
        If H is not a square, finite, symmetric float matrix, or the noise is negative or not finite.

    Examples
    --------
    >>> found = inertia(np.diag([2.0, -1.0, 1e-13, 3.0]))
    >>> found.index, found.nullity, found.positive, found.clear
    (1, 1, 2, True)
    >>> print(inertia(np.diag([1.0, 1e-2, 1e-4, 1e-6, 1e-8, 1e-10])))
    index 0, nullity 0, positive 6 (zero below ..., gap ...)
    """
    H = checked_array("H", H, 2)
    if H.dtype == object:
        raise TypeError("H is an object array; float64 or float32 is required")
    N = len(H)
    if H.shape != (N, N):
        raise ValueError(f"H has shape {H.shape}; a square matrix is required")
    eps, largest = float(np.finfo(H.dtype).eps), float(abs(H).max())
    asymmetry = float(abs(H - H.T).max())
    if asymmetry > 64 * N * eps * largest:
        raise ValueError(f"H differs from its transpose by {asymmetry:.1e}; a symmetric matrix is required")
    if noise is not None and not (np.isscalar(noise) and 0 <= noise < np.inf):
        raise ValueError(f"noise is {noise!r}; a number from 0 on is required")
    eigenvalues = np.linalg.eigvalsh(H / 2 + H.T / 2)
    order = np.argsort(abs(eigenvalues), kind="stable")
    sizes = abs(eigenvalues)[order].astype(float)
    rounding = max(N * eps * sizes[-1], float(noise or 0))
    if sizes[-1] <= rounding:
        return Inertia(0, N, 0, eigenvalues, rounding, np.inf, rounding)
    least, most = (int(np.searchsorted(sizes, level, side="right"))
                   for level in (rounding, max(rounding, _HIGHEST_ZERO * sizes[-1])))
    tops = np.maximum(np.concatenate([[rounding], sizes]), rounding)  # tops[k]: of k zeros, the largest
    ratios = sizes[least:most + 1] / tops[least:most + 1]
    nullity = least + int(np.argmax(ratios))
    threshold = float(np.sqrt(sizes[nullity]) * np.sqrt(tops[nullity]))  # the root of the product may underflow
    index = int((eigenvalues[order[nullity:]] < 0).sum())
    return Inertia(index, nullity, N - index - nullity, eigenvalues, threshold, float(ratios[nullity - least]),
                   rounding)
