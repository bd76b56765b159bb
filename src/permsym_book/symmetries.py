"""The automorphisms of a network: relabellings of its hidden units that leave every array as it was.

Twins are set aside first: one unit stands for its whole twin class, with the class's size as a label. What is
left is searched. So an automorphism is one of the smaller network, times one rearrangement within each twin
class.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations, product
from math import factorial, prod

import numpy as np

from .mlp import MLP
from .ordering import generic_order
from .parameters import Parameters
from .permutation import Permutation
from .refinement import LayeredGraph, dense_ranks
from .search import MAX_NODES, Moves, searched
from .twins import classes_of, plain_arrays
from .validation import checked_count


@dataclass(frozen=True, eq=False)
class Symmetries:
    """A canonical order of the hidden units and the automorphism group.

    Attributes
    ----------
    order : tuple of arrays of int, shapes (h_1,), ..., (h_k,)
        ``net.permuted(order)`` is the canonical form: position j is taken by unit ``order[l][j]``.
    classes : tuple of arrays of int, or None
        The twin classes; None when every layer is sorted without a tie, and only the identity is an
        automorphism.
    base, generators
        Of the automorphisms of the network of twin classes, see :class:`permsym_book.search.SearchResult`.
    """

    order: Moves
    classes: Moves | None = None
    base: tuple[tuple[int, int], ...] = ()
    generators: tuple[Moves, ...] = ()

    @property
    def size(self) -> int:
        """The number of automorphisms."""
        return self.class_size * self.twin_size

    @property
    def twin_size(self) -> int:
        """The number of rearrangements within the twin classes, prod(multiplicity!)."""
        return prod(factorial(m) for of_layer in self.classes or () for m in np.bincount(of_layer).tolist())

    @property
    def class_size(self) -> int:
        """The number of automorphisms of the network of twin classes: a product of orbit sizes."""
        moved = [[{int(u): int(m[u]) for u in np.flatnonzero(m != np.arange(m.size))} for m in moves]
                 for moves in self.generators]
        size = 1
        for layer, unit in self.base:
            neighbours: dict[int, list[int]] = {}
            for moves in moved:
                for u, image in moves[layer].items():
                    neighbours.setdefault(u, []).append(image)
            size *= len(_reached(unit, neighbours))
            moved = [moves for moves in moved if unit not in moves[layer]]
        return size

    def class_moves(self) -> Iterator[Moves]:
        """Every automorphism of the network of twin classes: the images of the classes, layer by layer."""
        identity = tuple(np.arange(c.max() + 1) for c in self.classes or ())
        for choice in product(*(images.values() for images in self._transversals)):
            moves = identity
            for one in choice:
                moves = tuple(m[o] for m, o in zip(moves, one, strict=True))
            yield moves

    def elements(self) -> Iterator[tuple[Permutation, ...]]:
        """Every automorphism once, as one permutation for each hidden layer; the identity first."""
        if self.classes is None:
            yield tuple(Permutation.identity(len(order)) for order in self.order)
            return
        for moves in self.class_moves():
            yield from arrangements(self.classes, moves)

    @cached_property
    def _transversals(self) -> list[dict[int, Moves]]:
        """For each base unit, an automorphism to each of its images that fixes the base units before it."""
        identity = tuple(np.arange(c.max() + 1) for c in self.classes or ())
        transversals, fixing = [], list(self.generators)
        for layer, unit in self.base:
            reached, waiting = {unit: identity}, [unit]
            while waiting:
                u = waiting.pop()
                for moves in fixing:
                    image = int(moves[layer][u])
                    if image not in reached:
                        reached[image] = tuple(m[r] for m, r in zip(moves, reached[u], strict=True))
                        waiting.append(image)
            transversals.append(reached)
            fixing = [moves for moves in fixing if moves[layer][unit] == unit]
        return transversals


def arrangements(classes: Moves, moves: Moves | None = None) -> Iterator[tuple[Permutation, ...]]:
    """Every way to send the units of each twin class to those of its image, the units in ascending order
    first.

    Parameters
    ----------
    classes : tuple of arrays of int, one for each hidden layer
    moves : tuple of arrays of int, optional
        The image of each class of each layer; each class stays where it is when left out.

    Examples
    --------
    >>> list(arrangements((np.array([0, 1, 0]),)))
    [(Permutation([0, 1, 2]),), (Permutation([2, 1, 0]),)]
    """
    members = [[np.flatnonzero(c == i) for i in range(c.max() + 1)] for c in classes]
    moves = tuple(map(range, map(len, members))) if moves is None else moves
    cells = [(layer, units, members[layer][int(image)]) for layer, images in enumerate(moves)
             for units, image in zip(members[layer], images, strict=True)]
    for arranged in product(*(permutations(images.tolist()) for _, _, images in cells)):
        found = [np.empty(c.size, dtype=np.intp) for c in classes]
        for (layer, units, _), images in zip(cells, arranged, strict=True):
            found[layer][units] = images
        yield tuple(map(Permutation, found))


def symmetries(net: MLP | Parameters, max_nodes: int = MAX_NODES, name: str = "net") -> Symmetries:
    """Find a canonical order of the hidden units, and the automorphisms.

    Parameters
    ----------
    net : MLP or Parameters
    max_nodes : int
        How many colourings may be refined.
    name : str
        What errors call ``net``.

    Raises
    ------
    SearchLimitExceeded
        If that is not enough.
    TypeError, ValueError
        If ``net`` is not one network of comparable, finite numbers.

    Examples
    --------
    >>> W1, W2, W3 = np.ones((1, 3)), np.eye(3), np.ones((3, 1))
    >>> net = MLP.from_arrays([W1, W2, W3], [None] * 3)
    >>> symmetries(net).size
    6
    """
    max_nodes = checked_count("max_nodes", max_nodes)
    weights, biases = plain_arrays(name, net)
    if weights[0].dtype == object:
        weights = [dense_ranks(W) for W in weights]
        biases = [None if b is None else dense_ranks(b) for b in biases]
    order = generic_order(weights, biases)
    if order is not None:
        return Symmetries(tuple(order))
    classes = classes_of(weights, biases)
    first = [np.unique(c, return_index=True)[1] for c in classes]
    ins, outs = (slice(None), *first), (*first, slice(None))
    labels = [[np.bincount(c)] if b is None else [b[f], np.bincount(c)]
              for b, f, c in zip(biases, first, classes, strict=False)]
    smaller = [W[i][:, o] for W, i, o in zip(weights, ins, outs, strict=True)]
    found = searched(LayeredGraph(smaller, labels), max_nodes)
    order = tuple(np.argsort(_inverse(o)[c], kind="stable")
                  for o, c in zip(found.order, classes, strict=True))
    return Symmetries(order, classes, tuple(found.base), tuple(found.generators))


def _reached(unit: int, neighbours: dict[int, list[int]]) -> set[int]:
    """The orbit of a unit; in a finite group, images alone reach all of it."""
    reached, waiting = {unit}, [unit]
    while waiting:
        for image in neighbours.get(waiting.pop(), ()):
            if image not in reached:
                reached.add(image)
                waiting.append(image)
    return reached


def _inverse(order) -> np.ndarray:
    position = np.empty_like(order)
    position[order] = np.arange(order.size)
    return position
