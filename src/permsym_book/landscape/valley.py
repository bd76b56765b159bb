"""The walk from a network with two halves of one unit through all orderings of its layer, at one loss."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from ..mlp import MLP
from ..validation import checked_count, checked_sequence, kind_of
from .splitting import around, check_equal, checked_units, with_layer


class ValleyPoint(NamedTuple):
    """A network of the walk.

    Attributes
    ----------
    network : MLP
    ordering : tuple of int or None
        Where the network is ``net.permuted`` of this ordering: exactly, not up to rounding.
    what : str
        "ordering", "share" (outgoing weights go from one half to the other) or "slide" (the incoming weights of a
        silent unit, whose outgoing weights are 0, go to those of another unit).
    """

    network: MLP
    ordering: tuple[int, ...] | None
    what: str


def valley_walk(net: MLP, layer: int, units, samples: int = 4) -> Iterator[ValleyPoint]:
    """Walk from a network with two units of one incoming vector through all n! orderings of the layer, at one loss.

    Every straight piece either moves outgoing weights from one of two equal units to the other, or moves the incoming
    weights of a unit that is silent. To exchange the units in two places: one half of the pair becomes
    silent, goes to the first unit and takes its outgoing weights over; so the first place is silent, and takes over
    the unit of the second place; so that is silent, and takes the first unit back
    from the place of the half, which then returns to its pair (``prop-valley-connects-orderings``).

    Parameters
    ----------
    net : MLP
        Float or exact; at a permutation point, or anything split.
    layer : int
    units : (int, int)
        With equal incoming weights and biases.
    samples : int
        Points on each straight piece, its end included.

    Yields
    ------
    ValleyPoint
        n! of them with an ordering, each ordering once, ``range(n)`` first.

    Raises
    ------
    ValueError
        If the incoming weights differ; raised by the call.

    Examples
    --------
    >>> net = MLP.from_arrays([[[1.0, 2.0, 2.0]], [[3.0], [1.0], [3.0]]], [None, None], "square")
    >>> points, one = list(valley_walk(net, 0, (1, 2))), net.parameters.W2[1:2]
    >>> [p.ordering for p in points if p.ordering]
    [(0, 1, 2), (0, 2, 1), (2, 0, 1), (2, 1, 0), (1, 2, 0), (1, 0, 2)]
    >>> {float(p.network.loss(one, one)) for p in points}
    {162.0}
    """
    layer, (i, j) = checked_units(net, layer, units, 2)
    W, b, V = around(net, layer)
    check_equal(W, b, i, j)
    return _walked(net, layer, (i, j), checked_count("samples", samples))


def _walked(net, layer, halves, samples):
    W, b, V = around(net, layer)
    n = len(V)

    def made(sources, rows):
        return with_layer(net, layer, W[:, sources], None if b is None else b[sources], rows)

    order = list(range(n))
    yield ValleyPoint(made(order, V[order]), tuple(order), "ordering")
    for p in plain_changes(n):
        now = _Stage(order, V[order], V)
        for sources, rows, what in _exchange(now, p, p + 1, halves):
            start = made(now.sources, now.rows)
            end = made(sources, rows)
            now.sources, now.rows = sources, rows
            for k in range(1, samples + 1):
                yield ValleyPoint(end if k == samples else _between(start, end, k, samples), None, what)
        order[p], order[p + 1] = order[p + 1], order[p]
        yield ValleyPoint(made(order, V[order]), tuple(order), "ordering")


class _Stage:
    """Which unit's incoming weights each place has, and the outgoing rows."""

    def __init__(self, order, rows, V):
        self.sources, self.rows, self.own = list(order), rows, V


def _exchange(now, p, r, halves):
    """The ends of the straight pieces that exchange places p and r, as (sources, rows, what)."""
    i, j = halves
    unit_p, unit_r = now.sources[p], now.sources[r]
    sources, rows = list(now.sources), now.rows.copy()
    whole = now.own[i] + now.own[j]
    zero = whole - whole
    place_i, place_j = sources.index(i), sources.index(j)

    def share(changes):
        for place, row in changes:
            rows[place] = row
        return list(sources), rows.copy(), "share"

    def slide(place, unit):
        sources[place] = unit
        return list(sources), rows.copy(), "slide"

    if {unit_p, unit_r} == {i, j}:  # the halves trade their shares
        yield share([(p, now.own[unit_r]), (r, now.own[unit_p])])
        return
    half = next((unit for unit in (unit_p, unit_r) if unit in (i, j)), j)
    blank, other = (place_j, place_i) if half == j else (place_i, place_j)
    yield share([(blank, zero), (other, whole)])
    if half in (unit_p, unit_r):  # the silent half takes the other unit over, whose place it then fills
        place, unit = (r, unit_r) if unit_p == half else (p, unit_p)
        yield slide(blank, unit)
        yield share([(blank, now.own[unit]), (place, zero)])
        yield slide(place, half)
        yield share([(place, now.own[half]), (other, whole - now.own[half])])
        return
    yield slide(blank, unit_p)
    yield share([(blank, now.own[unit_p]), (p, zero)])
    yield slide(p, unit_r)
    yield share([(p, now.own[unit_r]), (r, zero)])
    yield slide(r, unit_p)
    yield share([(r, now.own[unit_p]), (blank, zero)])
    yield slide(blank, half)
    yield share([(blank, now.own[half]), (other, whole - now.own[half])])


def plain_changes(n: int) -> Iterator[int]:
    """Places p such that exchanging p and p + 1, one after another, goes through all n! orderings (Steinhaus,
    Johnson, Trotter).

    >>> list(plain_changes(3))
    [1, 0, 1, 0, 1]
    """
    order, heading = list(range(n)), [-1] * n
    while True:
        movable = [(order[p], p) for p in range(n)
                   if 0 <= p + heading[order[p]] < n and order[p + heading[order[p]]] < order[p]]
        if not movable:
            return
        unit, p = max(movable)
        q = p + heading[unit]
        order[p], order[q] = order[q], order[p]
        for larger in range(unit + 1, n):
            heading[larger] = -heading[larger]
        yield min(p, q)


def loss_spread(networks, X, Y, loss: str = "squared_error"):
    """The largest minus the smallest loss of some networks, over the largest: exactly 0 in exact arithmetic.

    >>> nets = [MLP.from_arrays([[[w]]], [None]) for w in (1.0, 3.0)]
    >>> float(loss_spread(nets, nets[0].parameters.W1, 0 * nets[0].parameters.W1))
    0.8888888888888888
    """
    losses = [net.loss(X, Y, loss) for net in networks]
    return (max(losses) - min(losses)) / max(losses) if max(losses) else max(losses)


def straight(networks, samples: int) -> Iterator[MLP]:
    """Networks on the straight pieces from each network to the next, ``samples`` on each, its end included.

    Networks of one shape, activation and arithmetic; ValueError, raised by the call, for others.
    """
    networks, samples = checked_sequence("networks", networks), checked_count("samples", samples)
    if not networks:
        raise ValueError("networks is empty; at least one network is required")
    for k, net in enumerate(networks):
        if not isinstance(net, MLP):
            raise TypeError(f"networks[{k}] is of type {type(net).__name__}; MLP is required")
        kinds = [(n.widths, n.activation.name, kind_of(n.parameters.weights[0]), n.parameters.count) for n in (net, networks[0])]
        if kinds[0] != kinds[1] or net.activation != networks[0].activation:
            raise ValueError("networks[{}] has widths {}, activation {!r} and dtype {}; {}, {!r} and {}, as networks[0] has, are"
                             " required".format(k, *kinds[0][:3], *kinds[1][:3]))
    return _straight(networks, samples)


def _straight(networks, samples) -> Iterator[MLP]:
    yield networks[0]
    for start, end in pairwise(networks):
        for k in range(1, samples + 1):
            yield end if k == samples else _between(start, end, k, samples)


def _between(start: MLP, end: MLP, k: int, samples: int) -> MLP:
    exact = start.parameters.weights[0].dtype == object
    t = Fraction(k, samples) if exact else k / samples
    moved = (end.parameters - start.parameters) * t  # exactly 0 where nothing moves
    return start.with_parameters(start.parameters + moved)
