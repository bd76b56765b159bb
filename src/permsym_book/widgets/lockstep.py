"""The training of the widgets ``twin-training`` and ``symmetry-lab``, in Python with the same random numbers.

In the page every draw is a function of (seed, step, purpose), see ``js/src/core/noise.js``. Here the
noises of :mod:`permsym_book.noise` are given a generator that hands out the same numbers, so both sides
train on the same batches under the same masks; they differ by rounding only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from .. import optimizers
from ..counter import normals, uniforms
from ..loop import loss_function
from ..mlp import MLP
from ..noise import Noise
from ..noise import get as get_noise
from ..optimizers import Optimizer
from ..parameters import Parameters

PURPOSES = (
    "minibatch",
    "input_noise",
    "flips",
    "label_noise",
    "dropout_shared",
    "dropout",
    "weight_noise",
    "nudge",
)
OPTIMIZERS = ("sgd", "momentum", "nesterov", "adagrad", "rmsprop", "adam", "lion", "sign")

INITS = ("given", "normal", "xavier", "kaiming", "constant", "zeros")
STEP_SIZES = {
    "sgd": 0.005,
    "momentum": 0.001,
    "nesterov": 0.001,
    "adagrad": 0.05,
    "rmsprop": 0.005,
    "adam": 0.01,
    "lion": 0.002,
    "sign": 0.002,
}  # what the page sets when an optimizer is chosen, as js/src/core/training-settings.js


class Draws:
    """The random numbers of one purpose in one step, by the names that ``numpy.random.Generator`` gives them.

    Examples
    --------
    >>> Draws(1, 0, "minibatch").permutation(5).tolist() == Draws(1, 0, "minibatch").permutation(5).tolist()
    True
    """

    def __init__(self, seed: int, step: int, purpose: str):
        self._seed, self._stream, self._used = seed, (step + 1) * 16 + PURPOSES.index(purpose), 0

    def random(self, shape=()) -> np.ndarray:
        """Uniform numbers in [0, 1)."""
        count = int(np.prod(shape))
        self._used += count
        return uniforms(self._seed, self._stream, self._used)[-count:].reshape(shape)

    def standard_normal(self, shape=()) -> np.ndarray:
        """Normal numbers by Box and Muller, two from each pair of uniforms."""
        count = int(np.prod(shape))
        u = self.random((count + 1) // 2 * 2).reshape(-1, 2)
        radius, angle = np.sqrt(-2 * np.log(1 - u[:, 0])), 2 * np.pi * u[:, 1]
        return (
            np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1).ravel()[:count].reshape(shape)
        )

    def permutation(self, n: int) -> np.ndarray:
        """0..n-1 in random order (Fisher and Yates from the front)."""
        rows, u = np.arange(n), self.random(n)
        for i in range(n):
            j = i + int(u[i] * (n - i))
            rows[i], rows[j] = rows[j], rows[i]
        return rows


def drawn_step(net: MLP, X, Y, noises: Sequence[Noise], seed: int, t: int) -> tuple:
    """What step t = 0, 1, ... sees: the parameters, X, Y, and the mask (n, h) or None.

    The noises act in their order; a draw depends on (seed, t, name of the noise) alone.
    """
    params, mask = net.parameters, None
    for noise in noises:
        params = noise.parameters(params, t, Draws(seed, t, noise.name))
        X, Y = noise.batch(X, Y, Draws(seed, t, noise.name))
    for noise in noises:
        drawn = noise.masks([(len(X), net.hidden_widths[0])], X, Draws(seed, t, noise.name))
        if drawn is not None:
            mask = drawn[0] if mask is None else mask * drawn[0]
    return params, X, Y, mask


def trained(
    net: MLP, X, Y, optimizer: str | Optimizer, steps: int, seed: int = 0, noises=()
) -> Iterator[tuple]:
    """``(network, state of the optimizer)`` before the first step and after each.

    Parameters
    ----------
    net : MLP
        One hidden layer, float64.
    X, Y : arrays (n, d), (n, q)
    optimizer : str or Optimizer
        An update rule of :mod:`permsym_book.optimizers`.
    steps : int
    seed : int
    noises : sequence of str or Noise

    Examples
    --------
    >>> net, X = MLP.random((2, 3, 1), np.random.default_rng(0)), np.ones((4, 2))
    >>> len(list(trained(net, X, X[:, :1], "adam", 5, noises=["minibatch"])))
    6
    """
    rule, noises = optimizers.get(optimizer), [get_noise(n) for n in noises]
    state = rule.init(net.parameters)
    yield net, state
    for t in range(steps):
        params, X_t, Y_t, mask = drawn_step(net, X, Y, noises, seed, t)
        _, gradients = loss_function(net, X_t, Y_t, masks=None if mask is None else [mask])(params)
        params, state = rule.update(params, gradients, state)
        net = net.with_parameters(params)
        yield net, state


def initial(scheme: str, seed: int, widths: tuple[int, int, int]) -> Parameters:
    """The start that the page draws: a scheme of :mod:`permsym_book.initialization`, to 3 decimals.

    Parameters
    ----------
    scheme : {"normal", "xavier", "kaiming", "constant", "zeros"}
    seed : int
    widths : (d, h, q)

    Examples
    --------
    >>> initial("kaiming", 1, (2, 3, 1)).b1.tolist()
    [0.0, 0.0, 0.0]
    """
    d, h, q = widths
    if scheme in ("constant", "zeros"):
        value = 0.1 if scheme == "constant" else 0.0
        return Parameters(
            [np.full((d, h), value), np.full((h, q), value)], [np.full(h, value), np.full(q, value)]
        )

    def layer(rows, cols, stream):
        if scheme == "xavier":
            numbers = (2 * uniforms(seed, stream, rows * cols) - 1) * np.sqrt(6 / (rows + cols))
        else:
            numbers = normals(seed, stream, rows * cols) * (np.sqrt(2 / rows) if scheme == "kaiming" else 1.0)
        return (np.floor(1000 * numbers + 0.5) / 1000).reshape(rows, cols)

    def bias(cols, stream):
        return layer(1, cols, stream)[0] if scheme == "normal" else np.zeros(cols)

    return Parameters([layer(d, h, 1), layer(h, q, 3)], [bias(h, 2), bias(q, 4)])
