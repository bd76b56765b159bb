"""The traits that widgets are made of: networks, arrays, permutations, as lists on the way to the page and back."""

from __future__ import annotations

import numbers
from math import isfinite
from numbers import Integral

import numpy as np
import traitlets

from ..activations import ACTIVATIONS
from ..mlp import MLP
from ..permutation import Permutation
from ..validation import checked_array, frozen_copy

LARGEST = 1e6  # the size of numbers up to which no sum of products overflows, as js/src/core/settings.js


class Network(traitlets.TraitType):
    """A one-hidden-layer float64 network; its four arrays cross over as nested lists."""

    info_text = "an MLP with one hidden layer, float64 arrays and both biases"

    def validate(self, obj, value):
        """Accept an MLP of the right kind; TraitError says what was given."""
        if not (isinstance(value, MLP) and len(value.hidden_widths) == 1 and value.parameters.W1.dtype == np.float64
                and all(b is not None for b in value.parameters.biases)):
            raise traitlets.TraitError(f"{self.name} is {value!r}; {self.info_text} is required")
        for array in value.parameters.arrays():
            within_size(self.name, array, LARGEST)
        return value

    @staticmethod
    def to_json(net, _widget=None):
        """W1, b1, W2, b2 as lists."""
        return {letter: getattr(net.parameters, letter).tolist() for letter in ("W1", "b1", "W2", "b2")}

    @staticmethod
    def from_json(lists, widget):
        """The network with the widget's activation."""
        return MLP.from_arrays([np.array(lists["W1"], dtype=float), np.array(lists["W2"], dtype=float)],
                               [np.array(lists["b1"], dtype=float), np.array(lists["b2"], dtype=float)],
                               widget.network.activation)


class Array(traitlets.TraitType):
    """A float64 array with so many axes, its entries at most ``largest`` in size; it crosses over as nested lists."""

    info_text = "a float64 array"

    def __init__(self, axes: int, *, largest: float = LARGEST, **kwargs):
        super().__init__(**kwargs)
        self.axes, self.largest = axes, largest

    def validate(self, obj, value):
        """Accept finite float64 arrays; TraitError says what was given."""
        try:
            array = checked_array(self.name, value, self.axes)
        except (TypeError, ValueError) as error:
            raise traitlets.TraitError(str(error)) from error
        if array.dtype != np.float64:
            raise traitlets.TraitError(f"{self.name} has dtype {array.dtype}; float64 is required")
        return frozen_copy(within_size(self.name, array, self.largest))

    @staticmethod
    def to_json(array, _widget=None):
        return array.tolist()

    @staticmethod
    def from_json(lists, _widget):
        return np.array(lists, dtype=float)


class Whole(traitlets.Int):
    """An integer within bounds; True is none."""

    def validate(self, obj, value):
        """Accept integers; TraitError says what was required."""
        if isinstance(value, bool) or not isinstance(value, Integral) or not within(self, value):
            raise traitlets.TraitError(f"{self.name} is {value!r}; {in_words(self, 'an integer')} is required")
        return int(value)


class Real(traitlets.Float):
    """A finite number within bounds."""

    def validate(self, obj, value):
        """Accept finite numbers; TraitError says what was required."""
        if isinstance(value, bool) or not isinstance(value, numbers.Real) or not (isfinite(value) and within(self, value)):
            raise traitlets.TraitError(f"{self.name} is {value!r}; {in_words(self, 'a finite number')} is required")
        return float(value)


class Several(traitlets.List):
    """A list whose entries are of one of the kinds above."""

    def validate_elements(self, obj, value):
        """Accept lists of good entries; TraitError names the first that is not."""
        if not self._minlen <= len(value) <= self._maxlen:
            raise traitlets.TraitError(f"{self.name} has {len(value)} entries; {self._minlen} to {self._maxlen} are required")
        self._trait.name = f"an entry of {self.name}"
        return [self._trait.validate(obj, entry) for entry in value]


def within(trait, value) -> bool:
    """Whether a number is within a trait's bounds."""
    return (trait.min is None or trait.min <= value) and (trait.max is None or value <= trait.max)


def in_words(trait, kind: str) -> str:
    """What a trait requires: the kind and its bounds."""
    least = "" if trait.min is None else f" from {trait.min}"
    return f"{kind}{least}" + ("" if trait.max is None else f" to {trait.max}" if least else f" up to {trait.max}")


class Perm(traitlets.TraitType):
    """A permutation; it crosses over as its index array."""

    info_text = "a permutation or its index array"

    def validate(self, obj, value):
        """Accept a Permutation or an index array."""
        try:
            return Permutation(value)
        except (TypeError, ValueError) as error:
            raise traitlets.TraitError(f"{self.name}: {error}") from error

    @staticmethod
    def to_json(perm, _widget=None):
        return perm.indices.tolist()

    @staticmethod
    def from_json(indices, _widget):
        return Permutation(indices)


def within_size(name: str, array: np.ndarray, largest: float) -> np.ndarray:
    """The array, or a TraitError when an entry's size is above ``largest``."""
    if abs(array).max() > largest:
        raise traitlets.TraitError(f"{name} has an entry of size {abs(array).max():g}; at most {largest:g} is required")
    return array


def synced(trait):
    """Tag a trait as synced, with the serialisers of its class where it has them."""
    kind = type(trait)
    if hasattr(kind, "to_json"):
        trait.tag(to_json=kind.to_json, from_json=kind.from_json)
    return trait.tag(sync=True)


def activation_trait():
    """The activation by its name: one whose function is in the page too."""
    return synced(traitlets.Enum([name for name in ACTIVATIONS if name != "gelu"], default_value="tanh", help="The name of sigma."))


def first_cycle(n: int) -> Permutation:
    """The 3-cycle of the first three of n things, and below three the reversal.

    >>> first_cycle(4)
    Permutation([2, 0, 1, 3])
    """
    return Permutation([2, 0, 1, *range(3, n)] if n > 2 else range(n)[::-1])


def fitting(name: str, perm: Permutation, n: int | None, things: str) -> Permutation:
    """The permutation, or a TraitError when it does not permute n things; None stands for not known yet."""
    if n is not None and len(perm) != n:
        raise traitlets.TraitError(f"{name} permutes {len(perm)} {things}; {n} are required")
    return perm
