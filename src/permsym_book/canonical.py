"""A canonical form for networks up to relabelling of hidden units, and the test whether two agree up to it.

Without tolerance both are exact: networks are relabellings of one another if and only if their canonical
forms are equal. With a tolerance closeness is not transitive, so there is no canonical form; then the
permutations are searched for directly (:mod:`permsym_book.near_match`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .mlp import MLP
from .near_match import checked_tolerance, near_match
from .parameters import Parameters
from .permutation import Permutation
from .search import MAX_NODES, SearchLimitExceeded
from .symmetries import symmetries
from .validation import checked_count, kind_of

NEAR = 1e-6  # networks closer than this part of their largest number may well be meant to be the same

__all__ = ["CanonicalForm", "Match", "SearchLimitExceeded", "canonical", "same_up_to_permutation"]


@dataclass(frozen=True, eq=False)
class CanonicalForm:
    """One network chosen from all relabellings of another.

    Attributes
    ----------
    network : MLP or Parameters
        Equal for all relabellings of one network.
    permutations : tuple of Permutation, one for each hidden layer
        ``net.permuted(permutations) == network``.
    """

    network: MLP | Parameters
    permutations: tuple[Permutation, ...]


@dataclass(frozen=True)
class Match:
    """Whether two networks agree up to relabelling; true in a condition exactly when ``equal`` is.

    Attributes
    ----------
    equal : bool
    permutations : tuple of Permutation, or None
        The certificate: ``a.permuted(permutations)`` equals b, within the tolerance. None if ``equal`` is
        False.
    reason : str
        Why the networks differ; empty if they do not.
    """

    equal: bool
    permutations: tuple[Permutation, ...] | None = None
    reason: str = ""

    def __bool__(self) -> bool:
        return self.equal


def canonical(net: MLP | Parameters, *, max_nodes: int = MAX_NODES) -> CanonicalForm:
    """Choose the same network from all relabellings of ``net`` (``def-permutation-symmetry``).

    Generic networks are sorted: the first hidden layer by bias and first incoming weights, the next by its
    weights from the layer just sorted, and so on. Ties are broken by colour refinement and, where that leaves
    units alike that are not twins, by search.

    Parameters
    ----------
    net : MLP or Parameters
        float64, float32, object (int or Fraction) or ModArray; 0.0 and -0.0 are equal.
    max_nodes : int
        How many colourings the search may refine.

    Returns
    -------
    CanonicalForm

    Raises
    ------
    SearchLimitExceeded
        If the search needs more than ``max_nodes`` nodes.
    TypeError, ValueError
        If ``net`` is not one network of comparable, finite numbers.

    Examples
    --------
    >>> net = MLP.random((4, 3, 2), np.random.default_rng(0))
    >>> form = canonical(net)
    >>> form.network == net.permuted(form.permutations)
    True
    >>> canonical(net.permuted([2, 0, 1])).network == form.network
    True
    """
    permutations = tuple(map(Permutation, symmetries(net, max_nodes).order))
    return CanonicalForm(net.permuted(permutations), permutations)


def same_up_to_permutation(a: MLP | Parameters, b: MLP | Parameters, tolerance: float = 0.0, *,
                           max_nodes: int = MAX_NODES) -> Match:
    """Decide whether relabelling the hidden units of ``a`` can give ``b`` (``def-permutation-symmetry``).

    Parameters
    ----------
    a, b : MLP, or Parameters
    tolerance : float, default 0.0
        The largest difference allowed between two numbers that are to agree. Differences of float32 are taken
        in float64, those of int and Fraction exactly; numbers modulo p have no size and allow 0 only.
    max_nodes : int
        How many nodes each search may visit.

    Returns
    -------
    Match
        ``equal`` is exact; other widths, places of biases, activations or dtypes make it False, with the
        reason.

    Raises
    ------
    SearchLimitExceeded
        If a search needs more than ``max_nodes`` nodes.
    TypeError, ValueError
        If a network is not one of comparable, finite numbers, or the tolerance is not a finite number >= 0.

    Examples
    --------
    >>> net = MLP.random((4, 3, 2), np.random.default_rng(0))
    >>> match = same_up_to_permutation(net, net.permuted([2, 0, 1]))
    >>> bool(match), match.permutations
    (True, (Permutation([2, 0, 1]),))
    >>> same_up_to_permutation(net, MLP.random((4, 5, 2), np.random.default_rng(0))).reason
    'a has widths (4, 3, 2), b has widths (4, 5, 2)'
    """
    tolerance, max_nodes = checked_tolerance(tolerance), checked_count("max_nodes", max_nodes)
    for name, net in (("a", a), ("b", b)):
        if not isinstance(net, (MLP, Parameters)):
            raise TypeError(f"{name} is of type {type(net).__name__}; an MLP or Parameters is required")
    if (reason := _different_kind(a, b)):
        return Match(False, reason=reason)
    if tolerance > 0:
        indices = near_match(a, b, tolerance, max_nodes)
        if indices is None:
            return Match(False, reason=f"no relabelling brings all numbers within {tolerance}")
        return Match(True, tuple(map(Permutation, indices)))
    orders = [symmetries(net, max_nodes, name).order for name, net in (("a", a), ("b", b))]
    permutations = tuple(Permutation(p[np.argsort(q)]) for p, q in zip(*orders, strict=True))
    if a.permuted(permutations) == b:
        return Match(True, permutations)
    return Match(False, reason="the canonical forms hold different numbers"
                 + _how_far(a.permuted(permutations), b))


def _how_far(a, b) -> str:
    """How far two networks with their units in corresponding order are apart, and what tolerance would join
    them."""
    one, other = (net.parameters if isinstance(net, MLP) else net for net in (a, b))
    if not isinstance(one.weights[0], np.ndarray):
        return ""  # numbers modulo p have no size
    if one.weights[0].dtype != object:
        one, other = (p.map(lambda A: A.astype(np.float64)) for p in (one, other))
    with np.errstate(over="ignore"):
        gap = max(abs(x - y).max() for x, y in zip(one.arrays(), other.arrays(), strict=True))
    size = max(abs(x).max() for x in one.arrays())
    told = f"; the largest difference is {gap}"
    return told + f", which a tolerance of {gap} would allow" if gap <= NEAR * size else told


def _different_kind(a, b) -> str:
    """Why two networks differ whatever their numbers are, or an empty string."""
    if isinstance(a, MLP) != isinstance(b, MLP):
        return f"a is of type {type(a).__name__}, b of type {type(b).__name__}"
    if isinstance(a, MLP) and a.activation != b.activation:
        return f"a has activation {a.activation.name!r}, b has activation {b.activation.name!r}"
    one, other = (net.parameters if isinstance(net, MLP) else net for net in (a, b))
    facts = [("widths", lambda p: p.widths),
             ("biases in layers", lambda p: tuple(i for i, b in enumerate(p.biases, 1) if b is not None)),
             ("dtype", lambda p: kind_of(p.weights[0]))]
    for what, fact in facts:
        if fact(one) != fact(other):
            return f"a has {what} {fact(one)}, b has {what} {fact(other)}"
    return ""
