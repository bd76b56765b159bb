"""The networks that the pages look at."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from . import formulas
from .arithmetic import PlainSums
from .datasets import mnist_subset
from .mlp import MLP
from .parameters import Parameters
from .rounding import Ball, on_balls
from .training import largest_gap, minibatches, sgd, sgd_step


@lru_cache(maxsize=4)
def mnist_network(hidden: tuple[int, ...] = (24,), epochs: int = 10, seed: int = 1992) -> MLP:
    """A tanh network trained on the embedded MNIST subset by minibatch SGD; about two seconds.

    Parameters
    ----------
    hidden : tuple of int
        Hidden widths.
    epochs : int
    seed : int
        Of the initialisation and of the batches.

    Returns
    -------
    MLP
        Widths ``(784, *hidden, 10)``, float64.
    """
    rng = np.random.default_rng(seed)
    data = mnist_subset()
    net = MLP.random((784, *hidden, 10), rng)
    batches = minibatches(data.X_train, data.labels_train, 32, rng, epochs)
    return sgd(net, batches, 0.1 / 32, loss="cross_entropy")


def accuracy(net: MLP, X, labels) -> float:
    """The share of samples whose largest output is at their label."""
    return float(np.mean(net(X).argmax(axis=1) == labels))


def small_network(rng: np.random.Generator, widths=(4, 3, 2), n: int = 5):
    """A random tanh network with biases, inputs X (n, d) and targets Y (n, q) to try things on.

    >>> net, X, Y = small_network(np.random.default_rng(0))
    >>> net.widths, X.shape, Y.shape
    ((4, 3, 2), (5, 4), (5, 2))
    """
    net = MLP.random(widths, rng, scheme="normal")
    return net, rng.standard_normal((n, widths[0])), rng.standard_normal((n, widths[-1]))


class Twins(NamedTuple):
    """What training a network and its relabelled twin gave, one number for the start and one for every
    step."""

    losses: list
    twin_losses: list
    gaps: list


def trained_twins(net: MLP, perm, batches, twin_batches, step_size, loss: str = "squared_error") -> Twins:
    """Train a network and its relabelled copy side by side (``cor-training-invariance``).

    Parameters
    ----------
    net : MLP
    perm : permutation of its hidden units, one per hidden layer
    batches, twin_batches : sequences of (X, Y)
        What the network sees and what the twin sees; the same list for a fair comparison.
    step_size : float
    loss : str

    Returns
    -------
    Twins
        Each network's loss on the first batch of ``batches``, and the largest difference between the twin's
        parameters and the network's relabelled ones.

    Examples
    --------
    >>> net, X, Y = small_network(np.random.default_rng(0))
    >>> twins = trained_twins(net, [2, 0, 1], [(X, Y)] * 3, [(X, Y)] * 3, 0.01)
    >>> len(twins.gaps), twins.gaps[0], bool(max(twins.gaps) < 1e-14)
    (4, 0.0, True)
    """
    here, there = [], []
    sgd(net, batches, step_size, loss, lambda t, seen: here.append(seen))
    sgd(net.permuted(perm), twin_batches, step_size, loss, lambda t, seen: there.append(seen))
    gaps = [largest_gap(b.parameters, a.parameters.permuted(perm)) for a, b in zip(here, there, strict=True)]
    X, Y = batches[0]
    return Twins([seen.loss(X, Y, loss) for seen in here], [seen.loss(X, Y, loss) for seen in there], gaps)


# ---- what the experiments measure ----------------------------------------------------


def plain_sums(net: MLP) -> MLP:
    """The same float64 network, computed with :class:`~permsym_book.arithmetic.PlainSums` from now on.

    >>> net, X, _ = small_network(np.random.default_rng(0))
    >>> bool(np.allclose(plain_sums(net)(X), net(X)))
    True
    """
    return net.with_parameters(net.parameters.map(lambda A: A.view(PlainSums)))


def unit_gap(net: MLP, units=(0, 1)) -> float:
    """The largest difference between two units of the first hidden layer: incoming weights, bias, outgoing
    weights.

    >>> net, X, _ = small_network(np.random.default_rng(0))
    >>> unit_gap(net, (2, 2))
    0.0
    """
    p = net.parameters
    i, k = (Parameters([p.W1[:, u:u + 1], p.W2[u:u + 1, :]], [None if p.b1 is None else p.b1[u:u + 1], None])
            for u in units)
    return largest_gap(i, k)


def unit_gaps(net: MLP, batches, step_size, units=(0, 1), step=sgd_step) -> list[float]:
    """:func:`unit_gap` at the start and after every training step.

    Parameters
    ----------
    net : MLP
    batches : iterable of (X, Y)
    step_size : number
        In the network's arithmetic.
    units : pair of int
    step : callable
        ``step(net, X, Y, step_size)`` returns the network after the step.
    """
    gaps = [unit_gap(net, units)]
    for X, Y in batches:
        net = step(net, X, Y, step_size)
        gaps.append(unit_gap(net, units))
    return gaps


def twin_gaps(net: MLP, perm, batches, step_size, at) -> list[float]:
    """The ``gaps`` of :func:`trained_twins` at some steps of a long training, without keeping what lies
    between.

    Parameters
    ----------
    net : MLP
    perm : permutation of its hidden units
    batches : iterable of (X, Y)
    step_size : number
        In the network's arithmetic.
    at : collection of int
        The steps at which to look; 0 is the start.

    Examples
    --------
    >>> net, X, Y = small_network(np.random.default_rng(0))
    >>> twin_gaps(net, [2, 0, 1], [(X, Y)] * 3, 0.01, at=[0])
    [0.0]
    """
    at, gaps, twin, batches = set(at), [], net.permuted(perm), iter(batches)
    for t in range(max(at) + 1):
        if t:
            X, Y = next(batches)
            net, twin = sgd_step(net, X, Y, step_size), sgd_step(twin, X, Y, step_size)
        if t in at:
            gaps.append(largest_gap(twin.parameters, net.parameters.permuted(perm)))
    return gaps


def with_bounds(net: MLP) -> MLP:
    """The same float64 network in arithmetic that carries its rounding bounds
    (:class:`permsym_book.rounding.Ball`).

    >>> net, X, _ = small_network(np.random.default_rng(0))
    >>> with_bounds(net)(Ball(X)).shape
    (5, 2)
    """
    return MLP(net.parameters.map(Ball), on_balls(net.activation))


def output_jacobian(net: MLP, X) -> np.ndarray:
    """The derivative of every output by every parameter, one backward pass for each row.

    Parameters
    ----------
    net : MLP
    X : array (n, d)

    Returns
    -------
    array (n q, number of parameters)
        Columns in the order of W1, b1, W2, b2, ...

    Examples
    --------
    >>> net, X, _ = small_network(np.random.default_rng(0))
    >>> output_jacobian(net, X).shape
    (10, 23)
    """
    p, rows = net.parameters, []
    for x in X[:, None, :]:
        passed = net.forward(x)
        for target in np.eye(net.widths[-1])[:, None, :]:
            slopes = [net.activation.derivative] * len(net.hidden_widths)
            gradient = Parameters(*formulas.backward(p.weights, p.biases, slopes, x, passed, target))
            rows.append(np.concatenate([A.ravel() for A in gradient.arrays()]))
    return np.array(rows)


def bits(parameters: Parameters) -> int:
    """The most binary digits in a numerator or denominator of rational parameters.

    >>> from fractions import Fraction
    >>> bits(Parameters([np.array([[Fraction(3, 16)]], dtype=object)], [None]))
    5
    """
    return max(v.bit_length() for A in parameters.arrays() for x in A.flat
               for v in (x.numerator, x.denominator))
