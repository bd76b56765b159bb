"""Index and nullity of a symmetric matrix, with a numerical rank that says how clear it is."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..validation import checked_array, checked_number

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
        Ascending, as computed; infinite where they leave the range of H's dtype. The counts do not depend on that.
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
    noise = 0.0 if noise is None else float(checked_number("noise", noise))
    eps, exponent = float(np.finfo(H.dtype).eps), int(np.frexp(abs(H).max())[1])
    unit = np.ldexp(H, -exponent)  # entries of at most 1, exactly: sums and ratios neither overflow nor underflow
    asymmetry = float(abs(unit - unit.T).max())
    if asymmetry > 64 * N * eps * float(abs(unit).max()):
        raise ValueError(f"H differs from its transpose by {_scaled(asymmetry, exponent):.1e}; a symmetric matrix is required")
    values = np.linalg.eigvalsh(unit / 2 + unit.T / 2)
    order = np.argsort(abs(values), kind="stable")
    sizes = abs(values)[order].astype(float)
    own, eigenvalues = N * eps * float(sizes[-1]), _scaled(values, exponent)
    rounding, reported = max(own, _scaled(noise, -exponent)), max(_scaled(own, exponent), noise)
    if sizes[-1] <= rounding:
        return Inertia(0, N, 0, eigenvalues, reported, np.inf, reported)
    least, most = (int(np.searchsorted(sizes, level, side="right"))
                   for level in (rounding, max(rounding, _HIGHEST_ZERO * sizes[-1])))
    tops = np.maximum(np.concatenate([[rounding], sizes]), rounding)  # tops[k]: of k zeros, the largest
    ratios = sizes[least:most + 1] / tops[least:most + 1]
    nullity = least + int(np.argmax(ratios))
    threshold = _scaled(float(np.sqrt(sizes[nullity] * tops[nullity])), exponent)
    index = int((values[order[nullity:]] < 0).sum())
    return Inertia(index, nullity, N - index - nullity, eigenvalues, threshold, float(ratios[nullity - least]), reported)


def _scaled(values, exponent: int):
    """``values`` times a power of two, infinite where that leaves the range; a float of a float."""
    with np.errstate(over="ignore", under="ignore"):
        scaled = np.ldexp(values, exponent)
    return scaled if isinstance(values, np.ndarray) else float(scaled)
