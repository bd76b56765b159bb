"""Gradient descent on any batches, in any arithmetic; a trajectory is what the callback saw.

:func:`permsym_book.loop.train` (optimizers, noises, stacks of networks) and :func:`permsym_book.sweep.sweep`
can be imported from here too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import isfinite

import numpy as np

from .loop import Run, check_finite, loss_function, train
from .mlp import MLP
from .parameters import Parameters
from .validation import checked_count, checked_rng


def sgd_step(net: MLP, X, Y, step_size, loss: str = "squared_error") -> MLP:
    """theta - step_size * grad L(theta) on one batch (eq-sgd-step); the loss sums over the batch.

    Parameters
    ----------
    net : MLP
    X, Y : arrays, (n, d) and the loss's target
    step_size : number
        In the network's arithmetic: a float, a Fraction, an int modulo p.

    Returns
    -------
    MLP
        A new network; ``net`` is unchanged.
    """
    if isinstance(step_size, (bool, np.bool_, str)) or step_size is None:
        raise TypeError(f"step_size is {step_size!r} of type {type(step_size).__name__}; a number is required")
    if isinstance(step_size, float) and not isfinite(step_size):
        raise ValueError(f"step_size is {step_size}; a finite number is required")
    _, gradients = net.loss_and_gradients(X, Y, loss)
    return net.with_parameters(net.parameters - gradients * step_size)


def sgd(net: MLP, batches: Iterable[tuple], step_size, loss: str = "squared_error",
        callback: Callable[[int, MLP], None] | None = None) -> MLP:
    """One :func:`sgd_step` for each batch; ``callback(t, net)`` sees the start (t = 0) and every later
    network.

    Raises
    ------
    FloatingPointError
        If the training diverges: a parameter is no longer finite.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> net = MLP.random((2, 4, 1), rng)
    >>> X, Y = rng.standard_normal((8, 2)), rng.standard_normal((8, 1))
    >>> losses = []
    >>> trained = sgd(net, [(X, Y)] * 50, 0.01, callback=lambda t, net: losses.append(net.loss(X, Y)))
    >>> len(losses), bool(losses[-1] < losses[0])
    (51, True)
    """
    if callback:
        callback(0, net)
    for t, (X, Y) in enumerate(batches, start=1):
        net = sgd_step(net, X, Y, step_size, loss)
        check_finite(net.parameters, t)
        if callback:
            callback(t, net)
    return net


def minibatches(X, Y, size: int, rng: np.random.Generator, epochs: int) -> Iterator[tuple]:
    """Batches of ``size`` samples (the last of an epoch may be smaller), reshuffled in each epoch.

    Raises
    ------
    TypeError, ValueError
        If X and Y have different numbers of samples, or a count is below 1.
    """
    if len(X) != len(Y):
        raise ValueError(f"Y has {len(Y)} samples; {len(X)}, as many as X, are required")
    size, epochs = checked_count("size", size), checked_count("epochs", epochs)
    checked_rng(rng)
    return _minibatches(X, Y, size, rng, epochs)


def _minibatches(X, Y, size, rng, epochs):
    for _ in range(epochs):
        order = rng.permutation(len(X))
        for start in range(0, len(X), size):
            chosen = order[start:start + size]
            yield X[chosen], Y[chosen]


def largest_gap(a, b) -> float:
    """The largest absolute difference between two Parameters of one shape, 0.0 exactly when they are equal.

    Raises
    ------
    TypeError, ValueError
        If one is not :class:`~permsym_book.parameters.Parameters`, or their widths or places of biases
        differ.

    >>> net = MLP.random((2, 4, 1), np.random.default_rng(0))
    >>> largest_gap(net.parameters, net.parameters)
    0.0
    """
    for name, theta in (("a", a), ("b", b)):
        if not isinstance(theta, Parameters):
            hint = ", such as net.parameters," if isinstance(theta, MLP) else ""
            raise TypeError(f"{name} is of type {type(theta).__name__}; Parameters{hint} are required")
    if a.widths != b.widths:
        raise ValueError(f"b has widths {b.widths}; {a.widths}, those of a, are required")
    shapes, required = ([A.shape for A in theta.arrays()] for theta in (b, a))
    if shapes != required:
        raise ValueError(f"b has arrays of shapes {shapes}; {required}, those of a, are required")
    return max(float(abs(_plain(x - y)).max()) for x, y in zip(a.arrays(), b.arrays(), strict=True))


def _plain(difference):
    return difference.centred() if hasattr(difference, "centred") else difference


def __getattr__(name):
    if name == "sweep":  # it imports the laboratory, which imports this module
        from .sweep import sweep

        return sweep
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = ["Run", "largest_gap", "loss_function", "minibatches", "sgd", "sgd_step", "train"]
