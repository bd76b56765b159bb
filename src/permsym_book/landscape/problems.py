"""Problems whose landscape is looked at: a teacher and a student of one shape, and a deeper network on MNIST."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.optimize import least_squares

from ..datasets import mnist_subset
from ..mlp import MLP
from ..parameters import Parameters
from ..validation import checked_count, checked_number
from .constrained import checked_limits, minimized
from .objective import Objective, closest_pair, facing
from .path import Path
from .paths import permutation_path
from .vector import from_vector, one_network, ravelled, to_vector

MOST_ENTRIES = 10**7  # of the Jacobian, 80 MB


class Problem(NamedTuple):
    """A network at a minimum of its loss on X and Y, and the two units of hidden layer ``layer`` that are closest."""

    net: MLP
    X: np.ndarray
    Y: np.ndarray
    layer: int
    units: tuple[int, int]
    teacher: MLP | None


def residual_jacobian(net: MLP, X) -> np.ndarray:
    """The derivative of every output by every parameter.

    Parameters
    ----------
    net : MLP
    X : array, shape (n, d)

    Returns
    -------
    array, shape (n q, N)
        Rows sample by sample, columns in the order of :func:`~permsym_book.landscape.vector.to_vector`.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> residual_jacobian(MLP.random((4, 3, 2), rng), rng.standard_normal((5, 4))).shape
    (10, 23)
    """
    if not isinstance(net, MLP):
        raise TypeError(f"net is of type {type(net).__name__}; MLP is required")
    one_network(net)
    X = net._checked_input(X)
    p, passed = net.parameters, net.forward(X)
    n, q = passed.O.shape
    inputs, delta = (X, *passed.H), np.broadcast_to(np.eye(q)[:, None, :], (q, n, q))
    weights, biases = [], []
    for layer in reversed(range(len(p.weights))):
        weights.insert(0, inputs[layer][:, :, None] * delta[:, :, None, :])
        biases.insert(0, None if p.biases[layer] is None else delta)
        if layer:
            delta = (delta @ p.weights[layer].T) * net.activation.derivative(passed.Z[layer - 1])
    rows = ravelled([W.reshape(q * n, *W.shape[2:]) for W in weights],
                    [None if b is None else b.reshape(q * n, -1) for b in biases])
    return np.ascontiguousarray(rows.reshape(q, n, -1).swapaxes(0, 1).reshape(n * q, -1))


def fitted(net: MLP, X, Y, at_most: int = 300) -> MLP:
    """The network after Levenberg-Marquardt (MINPACK's, with the exact Jacobian) on the squared error.

    Parameters
    ----------
    net : MLP
    X : array, shape (n, d)
    Y : array, shape (n, q)
        With n q at least the number of parameters, or ValueError is raised.
    at_most : int
        Evaluations of the residuals.
    """
    f, at_most = Objective(net, X, Y), checked_count("at_most", at_most)
    if f.Y.size < f.size:
        raise ValueError(f"Y has shape {f.Y.shape}; at least {f.size} entries, as many as net has parameters, are required")
    found = least_squares(lambda v: (f.network(v)(f.X) - f.Y).ravel(), to_vector(net), method="lm",
                          jac=lambda v: residual_jacobian(f.network(v), f.X), xtol=1e-15, ftol=1e-15, gtol=1e-15,
                          max_nfev=at_most)
    return from_vector(net, found.x)


def teacher_student(outputs: int = 1, seed: int = 0, *, hidden: int = 3, inputs: int = 2, samples: int = 300,
                    scale: float = 0.5, tries: int = 50) -> Problem:
    """A student at zero loss that learned from a teacher of its own shape: tanh, Gaussian inputs.

    Students start near the teacher, half a standard deviation of its weights away in each of them, and are fitted by
    Levenberg-Marquardt until one reaches zero loss. As tanh is odd, changing the signs of a unit's incoming and outgoing
    weights and its bias changes nothing: signs are chosen so that two units are as close as they can be.

    Parameters
    ----------
    outputs : int
    seed : int
    hidden, inputs, samples : int
    scale : float
        Standard deviation of the teacher's weights and biases.
    tries : int
        How many students at most.

    Returns
    -------
    Problem

    Raises
    ------
    RuntimeError
        If no student reaches zero loss.
    ValueError
        If there are fewer residuals than parameters, or the Jacobian of the residuals is too large.

    Examples
    --------
    >>> problem = teacher_student(2, seed=0)
    >>> problem.net.widths, bool(problem.net.loss(problem.X, problem.Y) < 1e-20)
    ((2, 3, 2), True)
    """
    outputs, hidden = checked_count("outputs", outputs), checked_count("hidden", hidden, least=2)
    samples, inputs = checked_count("samples", samples), checked_count("inputs", inputs)
    parameters = hidden * (inputs + 1 + outputs) + outputs
    if not parameters <= samples * outputs <= MOST_ENTRIES / parameters:
        raise ValueError(f"samples is {samples}, with {outputs} residuals each; at least {parameters} residuals, as many as"
                         f" there are parameters, and at most {MOST_ENTRIES} entries of their Jacobian are required")
    rng = np.random.default_rng([checked_count("seed", seed, least=0), outputs, hidden])
    X, widths = rng.standard_normal((samples, inputs)), (inputs, hidden, outputs)
    teacher = _drawn(widths, rng, checked_number("scale", scale, above=0))
    Y = teacher(X)
    for _ in range(checked_count("tries", tries)):
        start = teacher.parameters + _drawn(widths, rng, scale / 2).parameters
        net = fitted(teacher.with_parameters(start), X, Y)
        if net.loss(X, Y) < 1e-22 * (Y * Y).sum():
            net = facing(net)
            return Problem(net, X, Y, 0, closest_pair(net), teacher)
    raise RuntimeError(f"none of {tries} students reached zero loss; more tries or another seed are required")


def example_path(steps: int = 21) -> tuple[Path, np.ndarray, np.ndarray]:
    """A smooth path of a 2-3-1 network at zero loss, and its X and Y.

    Parameters
    ----------
    steps : int
        As for :func:`~permsym_book.landscape.paths.permutation_path`.

    Examples
    --------
    >>> path, X, Y = example_path(5)
    >>> bool(path.net.loss(X, Y) < 1e-20), bool(path.losses[path.middle] > 1e-3)
    (True, True)
    """
    problem = teacher_student(1, seed=4)
    return permutation_path(problem.net, problem.X, problem.Y, 0, problem.units, steps=steps), problem.X, problem.Y


def _drawn(widths, rng, scale) -> MLP:
    zeros = [np.zeros(shape) for shape in zip(widths, widths[1:], strict=False)]
    p = Parameters(zeros, [np.zeros(width) for width in widths[1:]])
    return MLP(p.map(lambda A: scale * rng.standard_normal(A.shape)), "tanh")


class NotReached(RuntimeError):
    """Newton's method has ended before the tolerance; ``network`` is where it stood, ``gradient_norm`` what it had."""

    def __init__(self, message: str, network: MLP, gradient_norm: float):
        super().__init__(message)
        self.network, self.gradient_norm = network, gradient_norm


def minimum(net: MLP, X, Y, loss: str = "squared_error", *, decay: float = 0.0, tolerance: float = 1e-9,
            at_most: int = 200, inner: int = 1000, callback=None) -> MLP:
    """The network after Newton's method with a trust region, to a gradient of norm ``tolerance``.

    Parameters
    ----------
    net : MLP
        Where it starts.
    X : array, shape (n, d)
    Y : array
    loss : {"squared_error", "cross_entropy"}
        Summed over the samples.
    decay : float
        Weight decay. Without it there may be no minimum to reach, or a continuum of them, and the method creeps.
    tolerance : float
        Of the gradient's norm.
    at_most, inner : int
        Newton steps, and conjugate gradient steps for each with many parameters.
    callback : callable, optional
        Called with every :class:`~permsym_book.landscape.constrained.Minimum` on the way.

    Returns
    -------
    MLP

    Raises
    ------
    NotReached
        If the tolerance is not reached. It carries the network, from which another call can go on.
    """
    f = Objective(net, X, Y, loss, decay)
    tolerance, at_most, inner = checked_limits(tolerance, at_most, inner)
    found = minimized(f, to_vector(net), tolerance=tolerance, at_most=at_most, inner=inner, radius=1.0, callback=callback)
    if not found.converged:
        raise NotReached(f"the gradient's norm is {found.gradient_norm:.2e} after {found.steps} steps; tolerance ="
                         f" {tolerance:.2e} was asked for. The error's .network goes on from there with a larger at_most;"
                         " decay > 0 makes it converge sooner", from_vector(net, found.theta), found.gradient_norm)
    return from_vector(net, found.theta)


MNIST_WIDTHS = (784, 32, 16, 10)
MNIST_DECAY = 1.0


def mnist(samples: int = 600, seed: int = 1, *, widths=MNIST_WIDTHS, decay: float = MNIST_DECAY, layer: int = 1,
          tolerance: float = 1e-6, callback=None) -> Problem:
    """A tanh network trained on MNIST digits to a minimum, by Newton's method with conjugate gradients.

    So large a network fits the digits exactly, and with one unit fewer does so too; its minima are then not isolated
    but a continuum. Weight decay, which no relabelling changes, makes them isolated.

    Parameters
    ----------
    samples : int
        Digits of the embedded subset.
    seed : int
        Of the digits drawn and of the weights at the start.
    widths : tuple of int
    decay : float
        ``1/2 |O - Y|^2``, summed over the samples, ``+ decay / 2 |theta|^2`` is minimised.
    layer : int
        Of which the two closest units are named.
    tolerance : float
        Of the gradient's norm.
    callback : callable, optional
        Called with every :class:`~permsym_book.landscape.constrained.Minimum` on the way.
    """
    rng = np.random.default_rng(checked_count("seed", seed, least=0))
    data = mnist_subset()
    chosen = rng.permutation(len(data.X_train))[:checked_count("samples", samples)]
    X, Y = data.X_train[chosen], data.Y_train[chosen]
    net = minimum(MLP.random(widths, rng), X, Y, decay=decay, tolerance=tolerance, at_most=500, callback=callback)
    return Problem(net, X, Y, layer, closest_pair(net, layer), None)
