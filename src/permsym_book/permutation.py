"""Permutations of the hidden units of one layer, as index arrays (``book/notation.md``)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import permutations
from math import lcm
from numbers import Integral

import numpy as np

from .validation import as_array, checked_count, checked_rng, checked_sequence

MOST_UNITS = 10**7  # a mistyped number of units is an error here, not a lack of memory


class Permutation:
    """A permutation of ``{0, ..., n-1}``: new position ``j`` holds old unit ``indices[j]``.

    ``W1[:, p.indices]`` is ``W1 @ p.matrix()`` and ``W2[p.indices, :]`` is ``p.matrix().T @ W2``
    (slug ``rem-transpose``).

    Parameters
    ----------
    indices : array_like of int, shape (n,)
        Every number from 0 to n-1 exactly once; n >= 1.

    Raises
    ------
    TypeError
        If the entries are not integers.
    ValueError
        If ``indices`` is not one-dimensional, is empty, or is not a permutation.

    Examples
    --------
    >>> p = Permutation([2, 0, 1])
    >>> np.array([10, 20, 30])[p.indices]
    array([30, 10, 20])
    >>> p.matrix()
    array([[0, 1, 0],
           [0, 0, 1],
           [1, 0, 0]])
    >>> p @ p.inverse() == Permutation.identity(3)
    True
    """

    def __init__(self, indices):
        self.indices = _checked_indices(indices)

    @classmethod
    def _named(cls, name: str, indices) -> Permutation:
        """A permutation whose errors call the argument ``name``."""
        made = object.__new__(cls)
        made.indices = _checked_indices(indices, name)
        return made

    # ---- constructors -------------------------------------------------------------------------

    @classmethod
    def identity(cls, n: int) -> Permutation:
        """The permutation of ``n`` units that moves nothing."""
        return cls(np.arange(checked_count("n", n, most=MOST_UNITS)))

    @classmethod
    def random(cls, n: int, rng: np.random.Generator) -> Permutation:
        """A uniformly random permutation of ``n`` units drawn from ``rng``."""
        return cls(checked_rng(rng).permutation(checked_count("n", n, most=MOST_UNITS)))

    @classmethod
    def all(cls, n: int) -> Iterator[Permutation]:
        """Iterate over the n! elements of S_n in lexicographic order, the identity first.

        >>> len(list(Permutation.all(3)))
        6
        """
        return (cls(p) for p in permutations(range(checked_count("n", n, most=MOST_UNITS))))

    @classmethod
    def from_matrix(cls, P) -> Permutation:
        """The permutation of a matrix with one 1 in each row and column (``def-permutation-matrix``).

        Parameters
        ----------
        P : array_like, shape (n, n)
            Entries 0 and 1; ``P[perm[j], j] = 1``.

        Raises
        ------
        ValueError
            If ``P`` is not square, or not a permutation matrix.

        Examples
        --------
        >>> Permutation.from_matrix([[0, 1, 0], [0, 0, 1], [1, 0, 0]])
        Permutation([2, 0, 1])
        """
        P = as_array("P", P)
        if P.ndim != 2 or P.shape[0] != P.shape[1] or P.shape[0] == 0:
            raise ValueError(f"P has shape {P.shape}; a square matrix with at least one row is required")
        ones = P == 1
        if not (np.all(ones | (P == 0)) and np.all(ones.sum(axis=0) == 1) and np.all(ones.sum(axis=1) == 1)):
            raise ValueError("P is not a permutation matrix; exactly one 1 in each row and in each column"
                             f" and 0 elsewhere is required, got\n{P}")
        return cls(np.argmax(ones, axis=0))

    @classmethod
    def from_cycles(cls, cycles: Iterable[Sequence[int]], n: int) -> Permutation:
        """The permutation of ``n`` units with the given disjoint cycles: ``(a, b, c)`` sends a to b to c to
        a.

        "Sends j to k" means ``indices[j] = k``: slot j comes to hold unit k.

        Raises
        ------
        ValueError
            If a number is outside 0..n-1 or occurs twice, a cycle is empty, or n is above 10,000,000.

        Examples
        --------
        >>> Permutation.from_cycles([(0, 2, 1)], n=4)
        Permutation([2, 0, 1, 3])
        """
        indices = np.arange(checked_count("n", n, most=MOST_UNITS))
        seen: set[int] = set()
        for cycle in checked_sequence("cycles", cycles):
            cycle = checked_sequence("cycles contains a cycle that", cycle)
            if not cycle:
                raise ValueError("cycles contains an empty cycle; at least one number in each is required")
            for j in cycle:
                if not isinstance(j, Integral) or isinstance(j, (bool, np.bool_)):
                    raise TypeError(f"cycles contains {j!r} of type {type(j).__name__}; integers are"
                                    " required")
                if not 0 <= j < n or j in seen:
                    raise ValueError(f"cycles contains {j} {'twice' if j in seen else 'out of range'};"
                                     f" disjoint cycles of numbers 0..{n - 1} are required")
                seen.add(j)
            indices[list(cycle)] = [*cycle[1:], cycle[0]]
        return cls(indices)

    # ---- the group ----------------------------------------------------------------------------

    def __matmul__(self, other: Permutation) -> Permutation:
        """First ``self``, then ``other``: ``(p @ q).matrix() == p.matrix() @ q.matrix()``."""
        if not isinstance(other, Permutation):
            return NotImplemented
        if len(self) != len(other):
            raise ValueError(f"other permutes {len(other)} units; {len(self)} are required")
        return Permutation(self.indices[other.indices])

    def inverse(self) -> Permutation:
        """The permutation that undoes this one; its matrix is the transpose."""
        return Permutation(np.argsort(self.indices))

    def matrix(self, dtype=np.int64) -> np.ndarray:
        """The matrix ``P`` with ``P[indices[j], j] = 1``, shape (n, n) (``def-permutation-matrix``)."""
        P = np.zeros((len(self), len(self)), dtype=dtype)
        P[self.indices, np.arange(len(self))] = 1
        return P

    # ---- its structure ------------------------------------------------------------------------

    @cached_property
    def cycles(self) -> tuple[tuple[int, ...], ...]:
        """Disjoint cycles of length at least 2, each from its smallest element, in ascending order."""
        seen, found = set(), []
        for start in range(len(self)):
            cycle, j = [], start
            while j not in seen:
                seen.add(j)
                cycle.append(j)
                j = int(self.indices[j])
            if len(cycle) > 1:
                found.append(tuple(cycle))
        return tuple(found)

    @property
    def order(self) -> int:
        """The smallest k >= 1 such that applying the permutation k times moves nothing."""
        return lcm(*(len(c) for c in self.cycles))

    @property
    def sign(self) -> int:
        """+1 for an even permutation, -1 for an odd one; the determinant of the matrix."""
        return -1 if sum(len(c) - 1 for c in self.cycles) % 2 else 1

    # ---- Python's protocols -------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self.indices)

    def __iter__(self) -> Iterator[int]:
        return iter(self.indices.tolist())

    def __getitem__(self, j):
        return self.indices[j]

    def __array__(self, dtype=None, copy=None):
        return np.array(self.indices, dtype=dtype, copy=copy)

    def __eq__(self, other) -> bool:
        return isinstance(other, Permutation) and np.array_equal(self.indices, other.indices)

    def __hash__(self) -> int:
        return hash(self.indices.tobytes())

    def __repr__(self) -> str:
        return f"Permutation({self.indices.tolist()})"


def _checked_indices(indices, name: str = "indices") -> np.ndarray:
    if isinstance(indices, Permutation):
        return indices.indices
    if isinstance(indices, (set, frozenset, dict)):
        raise TypeError(f"{name} is a {type(indices).__name__}, which has no order; a sequence is required")
    flags = [isinstance(j, (bool, np.bool_)) for j in indices] if isinstance(indices, (list, tuple)) else []
    if any(flags) and not all(flags):  # NumPy would make integers of them
        raise TypeError(f"{name} is {indices!r}, with booleans in it; integers are required")
    array = as_array(name, indices)
    if array.ndim != 1 or array.size == 0:
        raise ValueError(f"{name} has shape {array.shape}; a one-dimensional array of n >= 1 numbers is"
                         " required")
    n = array.size
    if array.dtype == object:
        for j in array:
            if not isinstance(j, Integral) or isinstance(j, (bool, np.bool_)):
                raise TypeError(f"{name} contains {j!r} of type {type(j).__name__}; integers are required")
        # -1: whatever does not fit int64 is refused below
        array = np.array([j if 0 <= j < n else -1 for j in array])
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name} has dtype {array.dtype}; integers are required")
    seen = np.zeros(n, dtype=bool)
    in_range = (array >= 0) & (array < n)
    seen[array[in_range]] = True
    if not seen.all():
        shown = np.array2string(as_array(name, indices), threshold=20)
        raise ValueError(f"{name} is {shown}; every number from 0 to {n - 1} exactly once is required")
    array = np.array(array, dtype=np.intp)
    array.flags.writeable = False
    return array
