"""Parameters of an MLP as a vector space on which the permutations of the hidden units act."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Rational

import numpy as np

from .relabelling import checked_permutations, relabelled
from .validation import checked_array, checked_same_kind, checked_sequence, frozen_copy, kind_of


class Parameters:
    """The weights and biases of an MLP, or anything of their shape: gradients, velocities, noise.

    Parameters of one shape form a vector space (``+``, ``-``, a number times, unary minus), and
    :meth:`permuted` is a linear map on it. That is why ``gradients.permuted(perms)`` is meaningful and is
    what ``thm-backward-invariance`` speaks of. Parameters never change: their arrays are read-only.

    Parameters
    ----------
    weights : sequence of arrays
        ``weights[l]`` has shape (in, out); each output width is the next input width.
    biases : sequence of arrays or None
        ``biases[l]`` has shape (out,); None for a layer without bias.

    Raises
    ------
    TypeError, ValueError
        For another dtype, two dtypes, a wrong number of axes, widths that do not meet, an empty layer,
        NaN or infinity.

    Examples
    --------
    >>> theta = Parameters([np.ones((4, 3)), np.ones((3, 2))], [np.zeros(3), np.zeros(2)])
    >>> theta.widths, theta.hidden_widths
    ((4, 3, 2), (3,))
    >>> theta.permuted([2, 0, 1]).W1.shape
    (4, 3)
    """

    __array_ufunc__ = None  # so that a NumPy number on the left gives way to __rmul__

    def __init__(self, weights, biases):
        weights, biases = checked_sequence("weights", weights), checked_sequence("biases", biases)
        if not weights:
            raise ValueError("weights is empty; at least one layer is required")
        if len(biases) != len(weights):
            raise ValueError(f"biases has {len(biases)} entries; {len(weights)}, one per weight matrix, are"
                             " required (None for a layer without bias)")
        weights = tuple(checked_array(f"weights[{i}]", W, 2) for i, W in enumerate(weights))
        biases = tuple(None if b is None else checked_array(f"biases[{i}]", b, 1)
                       for i, b in enumerate(biases))
        for i, (W, b) in enumerate(zip(weights, biases, strict=True)):
            if i and W.shape[0] != weights[i - 1].shape[1]:
                raise ValueError(f"weights[{i}] has shape {tuple(W.shape)}; {weights[i - 1].shape[1]} rows,"
                                 " the width of the layer before, are required")
            if b is not None and b.shape[0] != W.shape[1]:
                raise ValueError(f"biases[{i}] has shape {tuple(b.shape)}; ({W.shape[1]},), the width of its"
                                 " layer, is required")
        checked_same_kind([(f"weights[{i}]", W) for i, W in enumerate(weights)]
                          + [(f"biases[{i}]", b) for i, b in enumerate(biases) if b is not None])
        self.weights = tuple(frozen_copy(W) for W in weights)
        self.biases = tuple(None if b is None else frozen_copy(b) for b in biases)

    @classmethod
    def _trusted(cls, weights, biases) -> Parameters:
        """Wrap arrays made by this package without checking or copying them again."""
        made = object.__new__(cls)
        made.weights, made.biases = tuple(weights), tuple(biases)
        for A in made.arrays():
            if isinstance(A, np.ndarray):
                A.flags.writeable = False
        return made

    # ---- several networks at once -------------------------------------------------------------

    @classmethod
    def stacked(cls, networks) -> Parameters:
        """E parameters of one shape as one: weights (E, in, out), biases (E, out).

        Everything that this class does it then does to each of the E, and a relabelling relabels them all.

        Raises
        ------
        TypeError, ValueError
            If there are none, their widths, places of biases or dtypes differ, or they are not NumPy arrays.

        Examples
        --------
        >>> theta = Parameters([np.ones((4, 3)), np.ones((3, 2))], [np.zeros(3), None])
        >>> pair = Parameters.stacked([theta, theta * 2.0])
        >>> pair.W1.shape, pair.b1.shape, pair.count, pair[1] == theta * 2.0
        ((2, 4, 3), (2, 3), 2, True)
        """
        networks = checked_sequence("networks", networks)
        if not networks:
            raise ValueError("networks is empty; at least one is required")
        for i, theta in enumerate(networks):
            if not isinstance(theta, Parameters):
                raise TypeError(f"networks[{i}] is of type {type(theta).__name__}; Parameters are required")
            if theta.count is not None or not isinstance(theta.weights[0], np.ndarray):
                raise TypeError(f"networks[{i}] has weights of shape {tuple(theta.weights[0].shape)} and"
                                " dtype"
                                f" {kind_of(theta.weights[0])}; one network of NumPy arrays is required")
            networks[0]._check_kind(f"networks[{i}]", theta.weights[0])
        kind = type(networks[0].weights[0])
        return networks[0].map(lambda *arrays: np.stack(arrays).view(kind), *networks[1:])

    @property
    def count(self) -> int | None:
        """The number E of networks in a stack, None for one network."""
        return None if self.weights[0].ndim == 2 else self.weights[0].shape[0]

    def __getitem__(self, e: int) -> Parameters:
        """Network ``e`` of a stack."""
        if self.count is None:
            raise TypeError("these are the parameters of one network; a stack, as Parameters.stacked makes,"
                            " is required")
        return self.map(lambda A: A[e])

    # ---- shape and letters --------------------------------------------------------------------

    @property
    def widths(self) -> tuple[int, ...]:
        """(d, h_1, ..., h_k, q)."""
        return (self.weights[0].shape[-2], *(W.shape[-1] for W in self.weights))

    @property
    def hidden_widths(self) -> tuple[int, ...]:
        """(h_1, ..., h_k)."""
        return self.widths[1:-1]

    def __getattr__(self, letter: str):
        """``W1``, ``b1``, ``W2``, ... are the chapter's letters for ``weights[0]``, ``biases[0]``,
        ``weights[1]``."""
        if "biases" not in self.__dict__:  # while copy or pickle rebuilds it
            raise AttributeError(letter)
        if letter[0] in "Wb" and letter[1:].isdecimal() and 1 <= int(letter[1:]) <= len(self.weights):
            return (self.weights if letter[0] == "W" else self.biases)[int(letter[1:]) - 1]
        raise AttributeError(f"{type(self).__name__} has no attribute {letter!r}; the weights are called W1"
                             f" to W{len(self.weights)}, the biases b1 to b{len(self.weights)}")

    def arrays(self) -> tuple:
        """All arrays in the order W1, b1, W2, b2, ...; missing biases are left out."""
        pairs = zip(self.weights, self.biases, strict=True)
        return tuple(A for pair in pairs for A in pair if A is not None)

    # ---- the group action ---------------------------------------------------------------------

    def permuted(self, perms) -> Parameters:
        """Relabel the hidden units: W1 P, b1 P, P^T W2, and so on in every hidden layer
        (eq-permuted-weights).

        Parameters
        ----------
        perms : one permutation per hidden layer
            A sequence of :class:`~permsym_book.permutation.Permutation` or index arrays; for one hidden layer
            the permutation itself will do. New position j of layer l holds old unit ``perms[l][j]``.

        Returns
        -------
        Parameters
            New arrays; ``self`` is unchanged.

        Raises
        ------
        TypeError, ValueError
            If there is not one permutation per hidden layer, or one has the wrong length.
        """
        perms = checked_permutations("perms", perms, self.hidden_widths)
        return Parameters._trusted(*relabelled(self.weights, self.biases, perms))

    # ---- the vector space ---------------------------------------------------------------------

    def map(self, function: Callable, *others: Parameters) -> Parameters:
        """Apply ``function`` to each array, together with the arrays of ``others`` in the same place.

        Raises
        ------
        ValueError
            If the widths or the places of the biases differ.
        """
        for other in others:
            if other.widths != self.widths:
                raise ValueError(f"other has widths {other.widths}; {self.widths} are required")
            missing, theirs = ([b is None for b in theta.biases] for theta in (self, other))
            if missing != theirs:
                raise ValueError(f"other lacks the biases {_places(theirs)}; {_places(missing)}, as the first"
                                 " operand does, is required")
        weights = [function(*Ws) for Ws in zip(self.weights, *(o.weights for o in others), strict=True)]
        biases = [None if bs[0] is None else function(*bs)
                  for bs in zip(self.biases, *(o.biases for o in others), strict=True)]
        return Parameters._trusted(weights, biases)

    def __add__(self, other: Parameters) -> Parameters:
        if not isinstance(other, Parameters):
            return NotImplemented
        self._check_kind("other", other.weights[0])
        return self.map(lambda a, b: a + b, other)

    def __sub__(self, other: Parameters) -> Parameters:
        if not isinstance(other, Parameters):
            return NotImplemented
        self._check_kind("other", other.weights[0])
        return self.map(lambda a, b: a - b, other)

    def __mul__(self, number) -> Parameters:
        if np.ndim(number):
            return NotImplemented
        if self.weights[0].dtype == object and not isinstance(number, Rational):
            raise TypeError(f"number is {number!r} of type {type(number).__name__}; int or Fraction is"
                            " required with object arrays")
        if isinstance(number, (float, np.floating)) and not np.isfinite(number):
            raise ValueError(f"number is {number!r}; a finite number is required")
        scaled = self.map(lambda a: a * number)
        if kind_of(scaled.weights[0]) != kind_of(self.weights[0]):
            raise TypeError(f"number is {number!r} of type {type(number).__name__}; one that keeps the dtype"
                            f" {kind_of(self.weights[0])} is required, such as a Python float")
        return scaled

    __rmul__ = __mul__

    def __neg__(self) -> Parameters:
        return self * -1

    def _check_kind(self, name: str, array) -> None:
        checked_same_kind([("the first operand", self.weights[0]), (name, array)])

    def __eq__(self, other) -> bool:
        """Equal widths, equal places of biases, and equal numbers, without tolerance."""
        if not isinstance(other, Parameters) or (other.widths, other.count) != (self.widths, self.count):
            return False
        pairs = zip(self.weights + self.biases, other.weights + other.biases, strict=True)
        return all((a is None) == (b is None) and (a is None or bool((a == b).all())) for a, b in pairs)

    __hash__ = None

    def __repr__(self) -> str:
        return f"Parameters(widths={self.widths}, dtype={self.weights[0].dtype})"


def _places(missing) -> str:
    return ", ".join(f"b{i + 1}" for i, absent in enumerate(missing) if absent) or "none"
