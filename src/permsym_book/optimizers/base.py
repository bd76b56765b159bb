"""What the optimizers share: their interface, and small maps over
:class:`~permsym_book.parameters.Parameters`."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real
from typing import ClassVar, NamedTuple

import numpy as np

from ..parameters import Parameters


class NoState(NamedTuple):
    """The state of a rule that remembers nothing."""


@dataclass(frozen=True)
class Optimizer:
    """What every optimizer has: a name, options that never change, and one line on what it does to the
    symmetry.

    Attributes
    ----------
    name : str
        What :func:`permsym_book.optimizers.get` knows it by.
    reason : str
        Why it keeps, or does not keep, the permutation symmetry.
    any_ring : bool
        Whether it only adds and multiplies by its options, so that it runs over integers and fractions too.
    """

    name: ClassVar[str]
    reason: ClassVar[str]
    any_ring: ClassVar[bool] = False

    def __post_init__(self):
        for field in dataclasses.fields(self):
            _check_option(field.name, getattr(self, field.name), field.default)

    def with_numbers(self, number: Callable) -> Optimizer:
        """The same optimizer with each float option replaced by ``number(option)``, for another
        arithmetic."""
        made = object.__new__(type(self))
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            object.__setattr__(made, field.name, number(value) if isinstance(value, float) else value)
        return made


@dataclass(frozen=True)
class Rule(Optimizer):
    """An optimizer that is a pure update rule: new parameters and state from the old ones and the gradients.

    Examples
    --------
    >>> from permsym_book import MLP, optimizers
    >>> theta = MLP.random((2, 3, 1), np.random.default_rng(0)).parameters
    >>> rule = optimizers.get("momentum", step_size=0.1)
    >>> moved, state = rule.update(theta, theta, rule.init(theta))
    >>> bool(np.allclose(moved.W1, 0.9 * theta.W1))
    True
    """

    def init(self, params: Parameters) -> tuple:
        """The state before the first step."""
        return NoState()

    def update(self, params: Parameters, gradients: Parameters, state: tuple) -> tuple[Parameters, tuple]:
        """The parameters and the state after one step; nothing given is modified."""
        raise NotImplementedError


@dataclass(frozen=True)
class Minimizer(Optimizer):
    """An optimizer that evaluates a fixed function as often as it likes: line searches, Hessians."""

    def minimize(self, function: Callable, params: Parameters, steps: int,
                 callback: Callable[[int, Parameters], None] | None = None) -> Parameters:
        """At most ``steps`` iterations from ``params``.

        Parameters
        ----------
        function : callable
            ``function(params)`` returns the loss and its gradients; it takes stacks and complex parameters
            too.
        params : Parameters
            One network, float64.
        steps : int
        callback : callable, optional
            ``callback(t, params)`` after iteration t = 1, 2, ...
        """
        raise NotImplementedError


# Options that are numbers: (least, greatest, whether the ends are allowed).
_RANGES = {
    "step_size": (0, np.inf, False), "momentum": (0, 1, True), "beta1": (0, 1, True), "beta2": (0, 1, True),
    "alpha": (0, 1, True), "eps": (0, np.inf, True), "weight_decay": (0, np.inf, True),
    "max_norm": (0, np.inf, False),
    "max_value": (0, np.inf, False), "trust": (0, np.inf, False), "fraction": (0, 1, True),
    "damping": (0, np.inf, True),
    "tolerance": (0, 1, True), "spread": (0, 1, True), "seed": (0, 2**32 - 1, True),
    "ns_steps": (1, 100, True),
    "start": (0, np.inf, False),
}


def _check_option(name: str, value, default) -> None:
    if isinstance(default, bool):
        if not isinstance(value, bool):
            raise TypeError(f"{name} is {value!r} of type {type(value).__name__}; True or False is required")
        return
    least, greatest, ends = _RANGES[name]
    whole = isinstance(default, int)
    if isinstance(value, bool) or not isinstance(value, Real) or (whole and value != int(value)):
        raise TypeError(f"{name} is {value!r} of type {type(value).__name__};"
                        f" {'an integer' if whole else 'a number'}"
                        " is required")
    if not (least <= value <= greatest and value < np.inf) or (not ends and value == least):
        bounds = f"from {least} to {greatest}" if ends else f"above {least}"
        raise ValueError(f"{name} is {value!r}; a finite number {bounds} is required")


def zeros(params: Parameters) -> Parameters:
    """Parameters of the same shape and arithmetic, all 0."""
    return params.map(lambda A: A * 0)


def by_kind(on_weights: Callable, on_biases: Callable, params: Parameters, *others) -> Parameters:
    """Like :meth:`~permsym_book.parameters.Parameters.map`, with a function of its own for the biases."""
    weights = [on_weights(*Ws) for Ws in zip(params.weights, *(o.weights for o in others), strict=True)]
    biases = [None if bs[0] is None else on_biases(*bs)
              for bs in zip(params.biases, *(o.biases for o in others), strict=True)]
    return Parameters._trusted(weights, biases)


def weight_norm(W):
    """The Frobenius norm of each matrix, shape (..., 1, 1)."""
    return np.sqrt((W * W).sum(axis=(-2, -1), keepdims=True))


def bias_norm(b):
    """The Euclidean norm of each vector, shape (..., 1)."""
    return np.sqrt((b * b).sum(axis=-1, keepdims=True))


def total_norm(params: Parameters):
    """The norm of all parameters of each network together, shape (...), as a NumPy array."""
    squares = [(W * W).sum(axis=(-2, -1)) for W in params.weights]
    squares += [(b * b).sum(axis=-1) for b in params.biases if b is not None]
    return np.sqrt(sum(np.asarray(s) for s in squares))


def scaled(params: Parameters, factor) -> Parameters:
    """Each network's parameters times its own number; ``factor`` has the shape of :func:`total_norm`."""
    factor = np.asarray(factor, dtype=params.weights[0].dtype)
    return by_kind(lambda W: W * factor[..., None, None], lambda b: b * factor[..., None], params)


def flat(params: Parameters) -> np.ndarray:
    """All numbers of each network in one row, in the order W1, b1, W2, b2, ...; shape (..., count)."""
    weight_axes = params.weights[0].ndim
    return np.concatenate([np.asarray(A).reshape(*A.shape[:weight_axes - 2], -1) for A in params.arrays()],
                          axis=-1)


def unflat(numbers: np.ndarray, like: Parameters) -> Parameters:
    """The inverse of :func:`flat`: parameters of the widths and array type of ``like``; leading axes stay."""
    place = 0
    axes = like.weights[0].ndim - 2

    def cut(A):
        nonlocal place
        shape = A.shape[axes:]
        size = int(np.prod(shape))
        made = np.ascontiguousarray(numbers[..., place:place + size]).reshape(*numbers.shape[:-1], *shape)
        place += size
        return made.view(type(A)) if isinstance(A, np.ndarray) and type(A) is not np.ndarray else made

    weights, biases = [], []
    for W, b in zip(like.weights, like.biases, strict=True):
        weights.append(cut(W))
        biases.append(None if b is None else cut(b))
    return Parameters._trusted(weights, biases)
