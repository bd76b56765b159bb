"""Counting relabellings: orbits and stabilizers, per layer and for the whole network, in exact integers.

The hidden units of all layers are relabelled by the product of S_{h_1}, ..., S_{h_k}. By the orbit-stabilizer
theorem, ``orbit_size * stabilizer_size`` is h_1! ... h_k!. Relabelling one layer alone, only twins can trade
places, and the stabilizer has prod(multiplicity!) elements. For the whole network the stabilizer is the
automorphism group of the network, which can be larger: two layers may be permuted together so that the matrix
between them stays as it was.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import factorial, prod

import numpy as np

from .mlp import MLP
from .parameters import Parameters
from .permutation import Permutation
from .search import MAX_NODES
from .symmetries import arrangements, symmetries
from .twins import multiplicities, unit_classes
from .validation import checked_count

__all__ = ["multiplicities", "orbit", "orbit_size", "stabilizer", "stabilizer_size", "unit_classes"]

AT_MOST = 100_000


def stabilizer_size(net: MLP | Parameters, layer: int | None = None, *, max_nodes: int = MAX_NODES) -> int:
    """The number of relabellings that leave every array of the network as it was.

    Parameters
    ----------
    net : MLP or Parameters
    layer : int, optional
        Relabel this hidden layer alone, counted from 0: prod(multiplicity!). Without it all hidden layers are
        relabelled together: the number of automorphisms of the network, at least the product over the layers.
    max_nodes : int
        Bound on the search for automorphisms of several layers.

    Returns
    -------
    int

    Raises
    ------
    SearchLimitExceeded
        If the search needs more than ``max_nodes`` nodes.
    TypeError, ValueError
        If ``net`` is not one network of comparable, finite numbers, or has no such layer.

    Examples
    --------
    Two layers that only move together; no layer has twins:

    >>> net = MLP.from_arrays([np.ones((1, 3)), np.eye(3), np.ones((3, 1))], [None] * 3)
    >>> stabilizer_size(net, 0), stabilizer_size(net, 1), stabilizer_size(net)
    (1, 1, 6)
    """
    max_nodes = checked_count("max_nodes", max_nodes)
    if layer is None:
        return symmetries(net, max_nodes).size
    counts = multiplicities(net)
    return prod(map(factorial, counts[_checked_layer(layer, len(counts))]))


def orbit_size(net: MLP | Parameters, layer: int | None = None, *, max_nodes: int = MAX_NODES) -> int:
    """The number of distinct networks among the relabellings: h!/prod(multiplicity!) for one hidden layer.

    Parameters
    ----------
    net : MLP or Parameters
    layer : int, optional
        Relabel this hidden layer alone, counted from 0. Without it all hidden layers are relabelled together:
        h_1! ... h_k! over the number of automorphisms.
    max_nodes : int
        As in :func:`stabilizer_size`, whose errors are raised here too.

    Returns
    -------
    int

    Examples
    --------
    >>> net = MLP.from_arrays([[[1.0, 2.0, 1.0]], [[3.0], [5.0], [3.0]]], [None, None])
    >>> orbit_size(net), stabilizer_size(net)
    (3, 2)
    """
    fixing = stabilizer_size(net, layer, max_nodes=max_nodes)
    widths = net.hidden_widths if layer is None else net.hidden_widths[layer:layer + 1]
    return prod(map(factorial, widths)) // fixing


def stabilizer(net: MLP | Parameters, layer: int | None = None, *, at_most: int = AT_MOST,
               max_nodes: int = MAX_NODES) -> Iterator[tuple[Permutation, ...]]:
    """Iterate over the relabellings that leave the network as it was, each once, the identity first.

    Parameters
    ----------
    net : MLP or Parameters
    layer : int, optional
        Only those that relabel this hidden layer alone, counted from 0.
    at_most : int
        How many there may be.
    max_nodes : int
        As in :func:`stabilizer_size`, whose errors are raised here too.

    Yields
    ------
    tuple of Permutation, one for each hidden layer
        ``net.permuted(perms) == net``.

    Raises
    ------
    ValueError
        If there are more than ``at_most``; raised by the call, before the iteration.

    Examples
    --------
    >>> net = MLP.from_arrays([[[1.0, 2.0, 1.0]], [[3.0], [5.0], [3.0]]], [None, None])
    >>> list(stabilizer(net))
    [(Permutation([0, 1, 2]),), (Permutation([2, 1, 0]),)]
    """
    if layer is None:
        found = symmetries(net, max_nodes)
        _check_few("the stabilizer", found.size, at_most)
        return found.elements()
    _check_few("the stabilizer", stabilizer_size(net, layer, max_nodes=max_nodes), at_most)
    return arrangements(tuple(c if i == layer else np.arange(c.size)
                              for i, c in enumerate(unit_classes(net))))


def orbit(net: MLP, *, at_most: int = AT_MOST, max_nodes: int = MAX_NODES) -> Iterator[MLP]:
    """Iterate over the distinct networks among the relabellings of all hidden layers, each once.

    Parameters
    ----------
    net : MLP or Parameters
    at_most : int
        How many there may be.
    max_nodes : int
        As in :func:`stabilizer_size`, whose errors are raised here too.

    Yields
    ------
    MLP or Parameters, as ``net`` is

    Raises
    ------
    ValueError
        If there are more than ``at_most``; raised by the call, before the iteration.

    Examples
    --------
    >>> net = MLP.from_arrays([[[1.0, 2.0, 1.0]], [[3.0], [5.0], [3.0]]], [None, None])
    >>> [other.parameters.W1.tolist() for other in orbit(net)]
    [[[1.0, 1.0, 2.0]], [[1.0, 2.0, 1.0]], [[2.0, 1.0, 1.0]]]
    """
    found = symmetries(net, max_nodes)
    _check_few("the orbit", prod(map(factorial, net.hidden_widths)) // found.size, at_most)
    classes = tuple(map(np.arange, net.hidden_widths)) if found.classes is None else found.classes
    moves = [tuple(m.tolist() for m in of_layers) for of_layers in found.class_moves()] if found.base else []
    units = [np.argsort(c, kind="stable") for c in classes]
    arrangements = _smallest_arrangements([sorted(c.tolist()) for c in classes], moves)
    return (net.permuted([u[_slots(a)] for u, a in zip(units, arranged, strict=True)])
            for arranged in arrangements)


def _smallest_arrangements(classes: list[list[int]], moves, layer: int = 0) -> Iterator[tuple]:
    """The ways to arrange twin classes in slots: from each orbit of ``moves`` the smallest."""
    if layer == len(classes):
        yield ()
        return
    for arranged in _arrangements(classes[layer]):
        images = [[m[layer][c] for c in arranged] for m in moves]
        if any(image < arranged for image in images):
            continue
        fixing = [m for m, image in zip(moves, images, strict=True) if image == arranged]
        for rest in _smallest_arrangements(classes, fixing, layer + 1):
            yield (arranged, *rest)


def _arrangements(items: list[int]) -> Iterator[list[int]]:
    """The distinct arrangements of a sorted list with repetitions, in lexicographic order.

    >>> list(_arrangements([0, 0, 1]))
    [[0, 0, 1], [0, 1, 0], [1, 0, 0]]
    """
    items = list(items)
    while True:
        yield list(items)
        rise = next((i for i in range(len(items) - 2, -1, -1) if items[i] < items[i + 1]), None)
        if rise is None:
            return
        swap = next(j for j in range(len(items) - 1, rise, -1) if items[rise] < items[j])
        items[rise], items[swap] = items[swap], items[rise]
        items[rise + 1:] = items[:rise:-1]


def _slots(arranged: list[int]) -> np.ndarray:
    """For each slot, where in the sorted list its class stands, the first twin first."""
    places = np.empty(len(arranged), dtype=np.intp)
    places[np.argsort(arranged, kind="stable")] = np.arange(len(arranged))
    return places


def _check_few(what: str, size: int, at_most) -> None:
    if size > checked_count("at_most", at_most):
        raise ValueError(f"{what} has {size} elements; at most at_most = {at_most} are required to list them")


def _checked_layer(layer, layers: int) -> int:
    layer = checked_count("layer", layer, least=0)
    if layer >= layers:
        raise ValueError(f"layer is {layer}; a hidden layer below {layers} is required")
    return layer
