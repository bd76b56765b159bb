"""Permutations that bring one network within a tolerance of another, found by backtracking from the inputs.

Each hidden layer keeps a table of candidates: which units of ``a`` may stand in which slots of ``b``.
Choosing units in one layer says which weights meet in the next, so each choice thins out the next table; a
branch ends as soon as a table has no perfect matching. In the last hidden layer every perfect matching will
do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from numbers import Real

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from .mlp import MLP
from .parameters import Parameters
from .search import SearchLimitExceeded
from .twins import classes_of, plain_arrays
from .validation import checked_count

PAIRS_AT_ONCE = 1 << 20  # keeps the temporary arrays of _thinned at a few megabytes


def checked_tolerance(tolerance):
    """``tolerance`` itself, if it is a finite number >= 0."""
    if not isinstance(tolerance, Real) or isinstance(tolerance, (bool, np.bool_)):
        raise TypeError(f"tolerance is {tolerance!r} of type {type(tolerance).__name__}; a real number is"
                        " required")
    try:
        finite = 0 <= float(tolerance) < float("inf")
    except OverflowError as error:
        raise ValueError("tolerance is above all of float64; a finite number >= 0 is required") from error
    if not finite:
        raise ValueError(f"tolerance is {tolerance}; a finite number >= 0 is required")
    return tolerance


def near_match(a: MLP | Parameters, b: MLP | Parameters, tolerance,
               max_nodes: int) -> list[np.ndarray] | None:
    """Index arrays ``perms`` with every number of ``a.permuted(perms)`` within ``tolerance`` of b's, or None.

    Parameters
    ----------
    a, b : MLP or Parameters
        Of equal widths, dtype and places of biases.
    tolerance : number > 0
    max_nodes : int
        How many choices of a unit for a slot may be tried.

    Raises
    ------
    SearchLimitExceeded
        If more are needed.
    TypeError
        For numbers modulo p.
    """
    max_nodes = checked_count("max_nodes", max_nodes)
    return _Search(plain_arrays("a", a), plain_arrays("b", b), tolerance, max_nodes).run()


@dataclass(frozen=True)
class _State:
    layer: int  # the hidden layer whose slots are being filled
    tables: tuple[np.ndarray, ...]  # tables[l][j, i]: whether unit i of a may stand in slot j of b
    filled: np.ndarray  # of that layer: the slots whose unit the next table already knows


class _Search:
    def __init__(self, a, b, tolerance, max_nodes):
        if a[0][0].dtype.kind == "i":
            raise TypeError(f"tolerance is {tolerance}; 0 is required for numbers modulo p, which have no"
                            " size")
        self.exact = a[0][0].dtype == object
        self.tolerance = tolerance if self.exact else float(min(tolerance, np.finfo(np.float64).max))
        self.twins = classes_of(*a)
        (self.A, self.a), (self.B, self.b) = (self._widened(*net) for net in (a, b))
        self.max_nodes, self.nodes = max_nodes, 0

    def _widened(self, weights, biases):
        """float32 as float64, so that differences of neighbouring numbers are not lost."""
        if self.exact:
            return weights, biases
        return ([W.astype(np.float64) for W in weights],
                [None if b is None else b.astype(np.float64) for b in biases])

    def run(self) -> list[np.ndarray] | None:
        tables = tuple(self._first_table(layer) for layer in range(len(self.A) - 1))
        if not tables:
            return [] if self._near(self.A[0], self.B[0], self.a[0], self.b[0]) else None
        if not self._near(self.A[0][:0], self.B[0][:0], self.a[-1], self.b[-1]):
            return None
        start = self._propagated(_State(0, tables, np.zeros(len(tables[0]), dtype=bool)))
        stack = [iter(() if start is None else (start,))]
        while stack:
            state = next(stack[-1], None)
            if state is None:
                stack.pop()
            elif state.layer == len(tables) - 1:
                return [*(table.argmax(axis=1) for table in state.tables[:-1]), _matching(state.tables[-1])]
            else:
                stack.append(self._children(state))
        return None

    def _near(self, A, B, a, b) -> bool:
        """Whether labelled weights and biases are within the tolerance."""
        ones = [(A, B)] if a is None else [(A, B), (a, b)]
        return all(bool(self._within(x, y).all()) for x, y in ones)

    def _within(self, x, y) -> np.ndarray:
        with np.errstate(over="ignore"):  # an infinite difference is not within the tolerance
            return np.asarray(abs(x - y) <= self.tolerance, dtype=bool)

    def _first_table(self, layer: int) -> np.ndarray:
        """What biases, labelled neighbours and, for unlabelled neighbours, the sorted weights allow.

        If any matching brings two lists within the tolerance, matching them in sorted order does.
        """
        h, last = self.A[layer].shape[1], len(self.A) - 2
        table = np.ones((h, h), dtype=bool)
        if self.a[layer] is not None:
            table = self._thinned(table, self.a[layer][None], self.b[layer][None])
        incoming, outgoing = (self.A[layer], self.B[layer]), (self.A[layer + 1].T, self.B[layer + 1].T)
        table = self._thinned(table, *(incoming if layer == 0 else (np.sort(W, axis=0) for W in incoming)))
        return self._thinned(table, *(outgoing if layer == last else (np.sort(W, axis=0) for W in outgoing)))

    def _thinned(self, table, A, B) -> np.ndarray:
        """Keep the pairs (slot j, unit i) with B[r, j] within the tolerance of A[r, i] in every row r."""
        slots, units = np.nonzero(table)
        start, rows = 0, 1
        while start < len(A) and slots.size:
            keep = self._within(A[start:start + rows, units], B[start:start + rows, slots]).all(axis=0)
            slots, units = slots[keep], units[keep]
            start, rows = start + rows, min(2 * rows, max(1, PAIRS_AT_ONCE // max(1, slots.size)))
        thinned = np.zeros_like(table)
        thinned[slots, units] = True
        return thinned

    def _propagated(self, state: _State) -> _State | None:
        """Draw the conclusions of slots with one candidate, layer after layer; None if there is no way."""
        layer, tables, filled = state.layer, list(state.tables), state.filled
        while layer < len(tables) - 1:
            new = np.flatnonzero((tables[layer].sum(axis=1) == 1) & ~filled)
            if new.size:
                units = tables[layer][new].argmax(axis=1)
                table = tables[layer].copy()
                table[:, units] = False
                table[new, units] = True
                tables[layer] = table
                rows = self.A[layer + 1][units], self.B[layer + 1][new]
                tables[layer + 1] = self._thinned(tables[layer + 1], *rows)
                filled = filled.copy()
                filled[new] = True
            elif filled.all():
                layer += 1
                filled = np.zeros(len(tables[layer]), dtype=bool)
            else:
                break
        if all(_matching(table) is not None for table in tables[state.layer:]):
            return _State(layer, tuple(tables), filled)
        return None

    def _children(self, state: _State) -> Iterator[_State]:
        """Try every candidate of a slot with fewest; of units of ``a`` that are twins, one is enough."""
        table = state.tables[state.layer]
        slot = int(np.argmin(np.where(state.filled, len(table) + 1, table.sum(axis=1))))
        candidates = np.flatnonzero(table[slot])
        _, first = np.unique(self.twins[state.layer][candidates], return_index=True)
        for unit in candidates[np.sort(first)]:
            self.nodes += 1
            if self.nodes > self.max_nodes:
                raise SearchLimitExceeded(self.max_nodes)
            chosen = table.copy()
            chosen[slot] = False
            chosen[slot, unit] = True
            tables = (*state.tables[:state.layer], chosen, *state.tables[state.layer + 1:])
            child = self._propagated(_State(state.layer, tables, state.filled))
            if child is not None:
                yield child


def _matching(table: np.ndarray) -> np.ndarray | None:
    """A different unit for every slot among its candidates, or None."""
    units = maximum_bipartite_matching(csr_array(table), perm_type="column")
    return None if (units < 0).any() else units
