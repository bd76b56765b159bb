"""The search tree of individualisation and refinement: a smallest leaf, and the automorphisms met on the way.

Where an equitable colouring leaves units of one colour, one of them is given a colour of its own and the
colouring is refined again; each choice is a child, and a leaf, where all colours differ, is an order of the
units. The smallest leaf is canonical (McKay and Piperno 2014). Children that an automorphism maps onto each
other have the same leaves, so one of them is enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from .refinement import Colours, LayeredGraph

MAX_NODES = 20_000

Moves = tuple[np.ndarray, ...]  # for each hidden layer, the image of every unit


class SearchLimitExceeded(RuntimeError):
    """An exact search has visited ``max_nodes`` nodes without an answer; the question is undecided."""

    def __init__(self, max_nodes: int):
        super().__init__(f"the search stopped after max_nodes = {max_nodes} nodes, undecided: too many hidden"
                         " units look alike; pass a larger max_nodes, a smaller tolerance, or break the"
                         " ties (for instance by distinct biases)")
        self.max_nodes = max_nodes


@dataclass
class SearchResult:
    """A canonical order and generators of the automorphism group.

    Attributes
    ----------
    order : tuple of arrays of int, one for each hidden layer
        Position j is taken by unit ``order[l][j]``.
    base : list of (hidden layer counted from 0, unit)
        Only the identity fixes all of these units.
    generators : list of tuples of arrays
        For each i, those that fix the first i base units generate all automorphisms that do.
    nodes : int
        How many colourings were refined.
    """

    order: Moves
    base: list[tuple[int, int]]
    generators: list[Moves]
    nodes: int


@dataclass
class _Node:
    colours: Colours
    traces: tuple[bytes, ...]
    path: tuple[tuple[int, int], ...]  # the (layer, unit) individualised so far
    cell: tuple[int, Sequence[int]] = (0, ())  # target layer, its units still to be tried, the next one last
    explored: list[tuple[int, Colours, bytes]] = field(default_factory=list)
    orbits: dict[int, int] = field(default_factory=dict)  # unit of the cell -> parent in a union-find forest
    known: int = 0  # how many generators the orbits take into account


def searched(graph: LayeredGraph, max_nodes: int = MAX_NODES) -> SearchResult:
    """Explore the tree of ``graph`` depth first.

    Raises
    ------
    SearchLimitExceeded
        If the tree has more than ``max_nodes`` nodes that cannot be pruned.
    """
    return _Search(graph, max_nodes).run()


class _Search:
    def __init__(self, graph: LayeredGraph, max_nodes: int):
        self.graph, self.max_nodes, self.nodes = graph, max_nodes, 0
        self.generators: list[Moves] = []
        self.moved: list[set[tuple[int, int]]] = []  # for each generator, the (layer, unit) it moves
        self.first = self.best = None  # (node, leaf, order)

    def run(self) -> SearchResult:
        self._count()
        colours, trace = self.graph.refined()
        stack = [self._opened(_Node(colours, (trace,), ()))]
        while stack:
            node = stack[-1]
            child = self._next_child(node)
            if child is None:
                stack.pop()
            elif self.graph.is_discrete(child.colours):
                del stack[self._visited_leaf(child) + 1:]
            else:
                stack.append(self._opened(child))
        base = [(layer - 1, unit) for layer, unit in self.first[0].path]
        return SearchResult(self.best[2], base, self.generators, self.nodes)

    def _count(self) -> None:
        self.nodes += 1
        if self.nodes > self.max_nodes:
            raise SearchLimitExceeded(self.max_nodes)

    def _opened(self, node: _Node) -> _Node:
        """Choose the cell to branch on, unless there is none: a discrete root is its own leaf."""
        if (target := self.graph.target_cell(node.colours)) is not None:
            layer, colour = target
            units = np.flatnonzero(node.colours[layer] == colour).tolist()
            node.cell, node.orbits = (layer, units[::-1]), {u: u for u in units}
        else:
            self._visited_leaf(node)
        return node

    def _next_child(self, node: _Node) -> _Node | None:
        """The next child that could hold a smaller leaf or an automorphism of the first one."""
        layer, waiting = node.cell
        while waiting:
            unit = waiting.pop()
            self._update_orbits(node)
            if any(_root(node.orbits, unit) == _root(node.orbits, u) for u, _, _ in node.explored):
                continue
            self._count()
            colours, trace = self.graph.individualised(node.colours, layer, unit)
            if any(seen == trace and self._found_automorphism(earlier, colours)
                   for _, earlier, seen in node.explored):
                continue
            node.explored.append((unit, colours, trace))
            child = _Node(colours, (*node.traces, trace), (*node.path, (layer, unit)))
            depth = len(child.traces)
            if (self.first is None or child.traces == self.first[0].traces[:depth]
                    or child.traces <= self.best[0].traces[:depth]):
                return child
        return None

    def _update_orbits(self, node: _Node) -> None:
        """Merge units of the cell by the new generators that fix what is individualised."""
        layer, fixed = node.cell[0], set(node.path)
        for moves, moved in zip(self.generators[node.known:], self.moved[node.known:], strict=True):
            if moved.isdisjoint(fixed):
                for at, u in moved:
                    if at == layer and u in node.orbits:
                        node.orbits[_root(node.orbits, u)] = _root(node.orbits, int(moves[layer - 1][u]))
        node.known = len(self.generators)

    def _found_automorphism(self, one: Colours, other: Colours) -> bool:
        """Guess an automorphism that takes one colouring to the other, moving few units; keep it if true."""
        moves = []
        for layer in self.graph.hidden:
            image = np.arange(one[layer].size)
            differ = np.flatnonzero(one[layer] != other[layer])
            image[differ[np.argsort(one[layer][differ], kind="stable")]] = (
                differ[np.argsort(other[layer][differ], kind="stable")])
            moves.append(image)
        true = is_automorphism(self.graph, moves)
        if true:
            self._keep(moves)
        return true

    def _keep(self, moves) -> None:
        self.generators.append(tuple(moves))
        self.moved.append({(layer, int(u)) for layer, image in zip(self.graph.hidden, moves, strict=True)
                           for u in np.flatnonzero(image != np.arange(image.size))})

    def _visited_leaf(self, node: _Node) -> int:
        """Compare a leaf with the first and the best; the depth of the node to go on from."""
        order = tuple(np.argsort(node.colours[layer]) for layer in self.graph.hidden)
        visited = (node, _leaf(self.graph.weights, order), order)
        here = len(node.path) - 1
        if self.first is None:
            self.first = self.best = visited
            return here
        for known in (self.first, self.best):
            if node.traces == known[0].traces and visited[1] == known[1]:
                self._keep([_matched(a, b) for a, b in zip(known[2], order, strict=True)])
                paths = zip(known[0].path, node.path, strict=True)
                return next(i for i, (u, v) in enumerate(paths) if u != v)
        if (node.traces, visited[1]) < (self.best[0].traces, self.best[1]):
            self.best = visited
        return here


def is_automorphism(graph: LayeredGraph, moves) -> bool:
    """Whether sending every unit to its image leaves labels and weights as they are."""
    moves = [np.arange(graph.start[0].size), *moves, np.arange(graph.start[-1].size)]
    moved = [np.flatnonzero(image != np.arange(image.size)) for image in moves]
    for image, start in zip(moves, graph.start, strict=True):
        if (start[image] != start).any():
            return False
    for layer, W in enumerate(graph.weights):
        rows, columns = moved[layer], moved[layer + 1]
        if ((W[np.ix_(moves[layer][rows], moves[layer + 1])] != W[rows]).any()
                or (W[np.ix_(moves[layer], moves[layer + 1][columns])] != W[:, columns]).any()):
            return False
    return True


def _leaf(weights, order) -> bytes:
    """The weights in the order of a leaf, as bytes that sort as the numbers do."""
    ins, outs = (slice(None), *order), (*order, slice(None))
    return b"".join(W[i][:, o].astype(">i8").tobytes() for W, i, o in zip(weights, ins, outs, strict=True))


def _matched(one, other) -> np.ndarray:
    """The map that takes the unit at each position of one order to the unit there in the other."""
    image = np.empty_like(one)
    image[one] = other
    return image


def _root(parents: dict[int, int], unit: int) -> int:
    while parents[unit] != unit:
        parents[unit] = parents[parents[unit]]
        unit = parents[unit]
    return unit
