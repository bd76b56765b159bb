"""Colour refinement of the hidden units: split cells until units of one colour look alike to every colour.

A network is read as a layered graph. Inputs and outputs are labelled, the hidden units start with a colour
for their biases, and the weights are the colours of the edges. The colouring reached is the coarsest
equitable one: any two units of one colour have, to and from each colour, the same weights up to order (McKay
and Piperno 2014, "Practical graph isomorphism, II", section 2). Every step depends on colours and weights
only, never on the numbers of the units, so relabelled networks get relabelled colourings.
"""

from __future__ import annotations

from hashlib import blake2b

import numpy as np

Colours = list[np.ndarray]  # dense ranks, one array for each layer, inputs and outputs included


class LayeredGraph:
    """Integer weights between consecutive layers, and starting colours of the units.

    Parameters
    ----------
    weights : list of arrays, shapes (d, h_1), (h_1, h_2), ..., (h_k, q)
        Anything that sorts; replaced by the ranks of the distinct numbers.
    labels : list of lists of arrays, one list for each hidden layer, each array of shape (h_l,)
        What distinguishes units from the start, the most significant first.
    """

    def __init__(self, weights, labels):
        self.weights = [dense_ranks(W) for W in weights]
        ends = (weights[0].shape[0], weights[-1].shape[1])
        hidden = [_joint_ranks([dense_ranks(x) for x in of_layer], W.shape[1])
                  for of_layer, W in zip(labels, weights, strict=False)]
        self.start: Colours = [np.arange(ends[0]), *hidden, np.arange(ends[1])]
        self.hidden = range(1, len(weights))

    def between(self, source: int, target: int) -> np.ndarray:
        """The weights between two neighbouring layers, rows for the units of ``source``."""
        return self.weights[source] if source < target else self.weights[target].T

    def targets(self, source: int) -> list[int]:
        """The hidden layers next to a layer."""
        return [t for t in (source - 1, source + 1) if t in self.hidden]

    def is_discrete(self, colours: Colours) -> bool:
        """Whether no two hidden units share a colour."""
        return all(colours[layer].max() == colours[layer].size - 1 for layer in self.hidden)

    def refined(self) -> tuple[Colours, bytes]:
        """The coarsest equitable colouring that respects the labels, and its trace."""
        pending = {(s, t): np.ones(c.size, dtype=bool)
                   for s, c in enumerate(self.start) for t in self.targets(s)}
        return self._refined(self.start, pending)

    def individualised(self, colours: Colours, layer: int, unit: int) -> tuple[Colours, bytes]:
        """Give one unit a colour of its own, before the others of its cell, and refine again."""
        own = colours[layer]
        moved = own + (own >= own[unit])
        moved[unit] = own[unit]
        colours = [*colours[:layer], moved, *colours[layer + 1:]]
        only = np.arange(own.size) == unit
        return self._refined(colours, {(layer, t): only for t in self.targets(layer)})

    def target_cell(self, colours: Colours) -> tuple[int, int] | None:
        """The (layer, colour) of the cell to branch on, or None if the colouring is discrete.

        Of the cells of at least two units, the one with different weights to most other cells, so that
        splitting it splits most; of several such the smallest, then the first.
        """
        choices = []
        for layer in self.hidden:
            sizes = np.bincount(colours[layer])
            crowded = np.flatnonzero(sizes > 1)
            units = np.unique(colours[layer], return_index=True)[1][crowded]
            uneven = np.zeros(crowded.size, dtype=np.intp)
            for neighbour in (layer - 1, layer + 1):
                order = np.argsort(colours[neighbour], kind="stable")
                starts = np.searchsorted(colours[neighbour][order], np.arange(colours[neighbour].max() + 1))
                W = self.between(layer, neighbour)[np.ix_(units, order)]
                least, most = (of.reduceat(W, starts, axis=1) for of in (np.minimum, np.maximum))
                uneven += (least < most).sum(axis=1)
            choices += [(-int(u), int(sizes[c]), layer, int(c)) for u, c in zip(uneven, crowded, strict=True)]
        return min(choices)[2:] if choices else None

    def _refined(self, colours: Colours, pending: dict) -> tuple[Colours, bytes]:
        """Split by the pending units until nothing is pending.

        Returns
        -------
        (colours, trace)
            The trace is a digest of every step; relabelled networks have equal traces.
        """
        colours, trace = list(colours), blake2b(digest_size=16)
        while pending:
            source, target = min(pending)
            units = np.flatnonzero(pending.pop((source, target)))
            old = colours[target]
            crowded = np.flatnonzero(np.bincount(old)[old] > 1)
            if crowded.size == 0:
                continue
            new, seen = self._split(colours, source, target, units, crowded)
            trace.update(b"%d,%d:" % (source, target) + seen)
            if new.max() == old.max():
                continue
            colours[target] = new
            others = _all_but_largest_parts(old, new)
            for t in self.targets(target):
                pending[target, t] = pending.get((target, t), False) | others
        for layer in self.hidden:
            trace.update(np.bincount(colours[layer]).astype(">i8").tobytes())
        return colours, trace.digest()

    def _split(self, colours, source, target, units, crowded) -> tuple[np.ndarray, bytes]:
        """Recolour ``target`` by old colour and sorted (colour, weight) of ``units``; also what was seen."""
        W = self.between(source, target)
        keys = colours[source][units][:, None] * (W.max() + 1) + W[np.ix_(units, crowded)]
        keys = np.ascontiguousarray(np.sort(keys, axis=0).T, dtype=">i8")  # bytes that sort as the numbers do
        old = colours[target].tolist()
        found = [(colour, b"") for colour in old]
        for unit, key in zip(crowded.tolist(), keys, strict=True):
            found[unit] = (old[unit], key.tobytes())
        ranks = {pair: rank for rank, pair in enumerate(sorted(set(found)))}
        new = np.array([ranks[pair] for pair in found])
        counts = np.bincount(new).astype(">i8").tobytes()
        return new, b"".join(b"%d;" % colour + key for colour, key in ranks) + counts


def dense_ranks(A) -> np.ndarray:
    """Replace each number by its rank among the distinct numbers of the array; 0.0 and -0.0 are one number.

    >>> dense_ranks(np.array([[2.5, -0.0], [0.0, 7.0]]))
    array([[1, 0],
           [0, 2]])
    """
    return np.unique(A + 0, return_inverse=True)[1].reshape(A.shape)


def _joint_ranks(labels, n: int) -> np.ndarray:
    """Dense ranks of the units by several labels at once, the first the most significant."""
    joint = np.zeros(n, dtype=np.intp)
    for label in labels:
        joint = dense_ranks(joint * (label.max() + 1) + label)
    return joint


def _all_but_largest_parts(old, new) -> np.ndarray:
    """Mark the units of all parts but the largest of each cell.

    Weights to the whole cell are known to agree, so those to its last part follow from the others (Hopcroft).
    """
    sizes, cell_of = np.bincount(new), np.empty(new.max() + 1, dtype=np.intp)
    cell_of[new] = old
    order = np.lexsort((np.arange(sizes.size), -sizes, cell_of))
    largest = order[np.append(True, cell_of[order][1:] != cell_of[order][:-1])]
    marked = np.ones(sizes.size, dtype=bool)
    marked[largest] = False
    return marked[new]
