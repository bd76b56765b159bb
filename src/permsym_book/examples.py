"""The networks that the pages look at."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from .datasets import mnist_subset
from .mlp import MLP
from .training import largest_gap, minibatches, sgd


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
        Widths (784, *hidden, 10), float64.
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
    """What training a network and its relabelled twin gave, one number for the start and one for every step."""

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
