"""The flat valley of a split unit, and the walk at one loss to every ordering of the units."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from ..landscape.hessian import hessian
from ..landscape.vector import from_vector, to_vector
from ..mlp import MLP
from ..parameters import Parameters
from ..permutation import Permutation
from ..validation import checked_count

PER_LEG = 12


class Leg(NamedTuple):
    """A part of the walk: a straight line of parameters from ``start`` to ``end``."""

    kind: str
    start: Parameters
    end: Parameters


def across(a) -> np.ndarray:
    """A vector as long as ``a`` at a right angle to it; zeros when there is none.

    Examples
    --------
    >>> across([3.0, 4.0]), across([2.0])
    (array([ 4., -3.]), array([0.]))
    """
    a = np.asarray(a, dtype=float)
    square = float(a @ a)
    if len(a) < 2 or square == 0:
        return np.zeros_like(a)
    least = int(np.argmin(abs(a)))
    v = np.eye(len(a))[least] - a[least] / square * a
    return v * np.sqrt(square / (v @ v))


def moves_to(perm) -> list[tuple[int, int, int]]:
    """The fewest moves of the silent unit, the last one, from the order 0, 1, ..., n - 1 to ``perm``.

    Parameters
    ----------
    perm : Permutation or sequence of int
        Slot j is to hold unit ``perm[j]``.

    Returns
    -------
    list of (unit, slot from, slot to)
        Each takes a unit to the slot of the silent one, and the silent one to that unit's slot.

    Examples
    --------
    >>> moves_to([1, 2, 0, 3])
    [(0, 0, 3), (1, 1, 0), (2, 2, 1), (0, 3, 2)]
    """
    perm = Permutation(perm).indices.tolist()
    silent, order, moves = len(perm) - 1, list(range(len(perm))), []
    while order != perm:
        to = order.index(silent)
        misplaced = next(unit for unit, wanted in zip(order, perm, strict=True) if unit != wanted)
        unit = perm[to] if perm[to] != silent else misplaced
        moves.append((unit, order.index(unit), to))
        order[order.index(unit)], order[to] = silent, unit
    return moves


class Valley:
    """The networks that come of splitting one unit of a hidden layer, and the walks between their orderings.

    Splitting gives unit s the copy r = h: equal incoming weights and biases. Unit s keeps the outgoing weights
    lambda a + mu v, its copy has (1 - lambda) a - mu v, with a those of unit s before and v as long, at a right angle to
    it; as :func:`~permsym_book.landscape.splitting.split` has it.

    Parameters
    ----------
    net : MLP
        One hidden layer, biases in both layers; the network before the split.
    unit : int
        The unit s.

    Examples
    --------
    >>> net, X, Y = valley_problem()
    >>> valley = Valley(net, 1)
    >>> bool(abs(valley.split(-0.7, 0.5).loss(X, Y) - net.loss(X, Y)) < 1e-12)
    True
    >>> end = valley.walk([1, 2, 0, 3], 0.3)[-1].end
    >>> end == valley.split(0.3).permuted([1, 2, 0, 3]).parameters
    True
    """

    def __init__(self, net: MLP, unit: int):
        self.net, self.unit = net, checked_count("unit", unit, least=0)
        if self.unit >= net.hidden_widths[0]:
            raise ValueError(f"unit is {unit}; a unit below {net.hidden_widths[0]} is required")
        self.n = net.hidden_widths[0] + 1
        self.aside = across(net.parameters.W2[self.unit])

    def _parameters(self, incoming, W2) -> Parameters:
        p = self.net.parameters
        return Parameters([p.W1[:, incoming], np.array(W2)], [p.b1[incoming], p.b2])

    def _halves(self, order, share: float, push: float) -> Parameters:
        """The split network, its units in the order given."""
        s, copy, W2 = self.unit, self.n - 1, self.net.parameters.W2
        rows = {s: share * W2[s] + push * self.aside, copy: (1 - share) * W2[s] - push * self.aside}
        return self._parameters(
            [s if u == copy else u for u in order], [rows[u] if u in rows else W2[u] for u in order]
        )

    def _resting(self, order, incoming: int) -> Parameters:
        """One unit is silent; it has the incoming weights of unit ``incoming``."""
        copy, W2 = self.n - 1, self.net.parameters.W2
        return self._parameters(
            [incoming if u == copy else u for u in order], [0 * W2[0] if u == copy else W2[u] for u in order]
        )

    def split(self, share: float, push: float = 0.0) -> MLP:
        """The network with unit s split: it keeps ``share`` times a and ``push`` times v, its copy has the rest."""
        return self.net.with_parameters(self._halves(range(self.n), share, push))

    def walk(self, perm, share: float, push: float = 0.0) -> list[Leg]:
        """The walk at one loss from :meth:`split` to its relabelling (``prop-valley-connects-orderings``).

        Returns
        -------
        list of Leg
            The copy falls silent; then, for each move, it takes another unit's incoming weights ("incoming") and that
            unit hands over its outgoing weights ("outgoing"); then it joins unit s again and the outgoing weights are
            shared out as before.

        Raises
        ------
        TypeError, ValueError
            If ``perm`` does not permute the n units.
        """
        perm = Permutation(perm)
        if len(perm) != self.n:
            raise ValueError(f"perm permutes {len(perm)} units; {self.n} are required")
        order, s, copy = list(range(self.n)), self.unit, self.n - 1
        legs, here, incoming = (
            [Leg("silence", self._halves(order, share, push), self._resting(order, s))],
            self._resting(order, s),
            s,
        )
        for unit, slot_from, slot_to in moves_to(perm):
            if incoming != unit:
                legs.append(Leg("incoming", here, self._resting(order, unit)))
            order[slot_from], order[slot_to], incoming, before = copy, unit, unit, legs[-1].end
            here = self._resting(order, unit)
            legs.append(Leg("outgoing", before, here))
        if incoming != s:
            legs.append(Leg("incoming", here, self._resting(order, s)))
        return [*legs, Leg("share", self._resting(order, s), self._halves(order, share, push))]


def along(legs: list[Leg], per_leg: int = PER_LEG) -> list[Parameters]:
    """The parameters at ``per_leg`` steps in each leg, and at the end."""
    points = [leg.start * (1 - i / per_leg) + leg.end * (i / per_leg) for leg in legs for i in range(per_leg)]
    return [*points, legs[-1].end]


@cache
def valley_problem() -> tuple[MLP, np.ndarray, np.ndarray]:
    """A 1-3-2 tanh network at a minimum of the loss of 40 samples that it cannot fit.

    Examples
    --------
    >>> net, X, Y = valley_problem()
    >>> net.widths, X.shape, Y.shape, float(net.loss(X, Y)) > 0.1
    ((1, 3, 2), (40, 1), (40, 2), True)
    """
    X = np.linspace(-3, 3, 40)[:, None].round(2)
    Y = np.hstack([np.sin(1.7 * X) + 0.3 * np.cos(5 * X), np.abs(X) - 1.2 + 0.4 * np.sin(4 * X)]).round(2)
    net = minimised(MLP.random((1, 3, 2), np.random.default_rng(6), scheme="normal"), X, Y)
    for A in (X, Y):
        A.flags.writeable = False
    return net, X, Y


def minimised(net: MLP, X, Y, steps: int = 500) -> MLP:
    """A minimum of the squared error by Newton's method, with the Hessian's eigenvalues by size and damped."""
    theta, damping = to_vector(net), 1.0
    for _ in range(steps):
        here = from_vector(net, theta)
        value, gradients = here.loss_and_gradients(X, Y)
        slope = to_vector(gradients)
        if abs(slope).max() < 1e-13:
            break
        sizes, vectors = np.linalg.eigh(hessian(here, X, Y))
        step = vectors @ ((vectors.T @ slope) / (abs(sizes) + damping))
        if from_vector(net, theta - step).loss(X, Y) <= value * (1 + 1e-14):
            theta, damping = theta - step, damping / 5
        else:
            damping = max(damping * 4, 1e-12)
    return from_vector(net, theta)
