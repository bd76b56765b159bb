"""The training loop: any optimizer, noises and arithmetic, for one network or a stack of them at once."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from . import formulas, noise, optimizers
from .activations import ACTIVATIONS
from .arithmetic import Arithmetic
from .arithmetic import get as get_arithmetic
from .losses import get_loss
from .mlp import MLP
from .parameters import Parameters
from .progress import shown
from .resuming import check_generator, check_same_shape, check_state
from .validation import checked_count, checked_rng, checked_sequence


class Run(NamedTuple):
    """Where a training stands: what :func:`train` returns and can go on from.

    ``steps`` counts the steps since the start, ``generator`` is the state of the random generator after them.
    """

    net: MLP
    state: tuple | None
    steps: int
    generator: dict


def loss_function(net: MLP, X, Y, loss: str = "squared_error", masks=None) -> Callable:
    """``function(parameters)`` returns the loss of the batch and its gradients, without checking its
    arguments.

    It takes whatever :mod:`permsym_book.formulas` does: a stack of E networks gives E losses. ``masks`` are
    multiplied into the activations (dropout).
    """
    chosen, hidden = get_loss(loss), len(net.hidden_widths)

    def function(p: Parameters):
        sigma, dsigma = _functions(net.activation)
        passed = formulas.forward(p.weights, p.biases, [sigma] * hidden, X, masks)
        value, delta_O = chosen.value_and_derivative(passed.O, Y)
        return value, Parameters._trusted(
            *formulas.backward(p.weights, p.biases, [dsigma] * hidden, X, passed, delta_O, masks))
    return function


def _functions(activation):
    """The activation and its derivative for one pass; tanh, the costly one, is not computed a second time.

    1 - H^2 from the H at hand is bit for bit what the activation's own derivative computes from Z.
    """
    if activation is not ACTIVATIONS["tanh"]:
        return activation.function, activation.derivative
    known = {}

    def sigma(Z):
        H = activation.function(Z)
        known[id(Z)] = H
        return H

    def dsigma(Z):
        D = np.square(known[id(Z)])  # Z lives as long as the pass, which holds it
        return np.subtract(1, D, out=D)
    return sigma, dsigma


def train(net: MLP, X, Y, optimizer="sgd", steps: int = 100, rng: np.random.Generator | None = None,
          noises=(), loss: str = "squared_error", callback: Callable[[int, MLP], None] | None = None,
          arithmetic: str | Arithmetic | None = None, progress: bool = False, resume: Run
          | None = None) -> Run:
    """Train one network, or a stack of E networks at once, with any optimizer, noises and arithmetic.

    Step t: the noises act on the parameters, the batch and the masks, the gradients of the loss (summed over
    the batch) are taken, the noises act on the gradients, the optimizer steps.

    Parameters
    ----------
    net : MLP
        A stack (:meth:`~permsym_book.mlp.MLP.stack`) trains E networks.
    X, Y : arrays, (n, d) and the loss's target
        For a stack, also (E, n, d) and E targets: data of its own for each network.
    optimizer : str or Optimizer
        See :mod:`permsym_book.optimizers`.
    steps : int
        Steps from here on, also when resuming.
    rng : numpy.random.Generator, optional
        What the noises draw from; required with noises.
    noises : sequence of str or Noise
        See :mod:`permsym_book.noise`; they act in this order.
    loss : {"squared_error", "cross_entropy"}
    callback : callable, optional
        ``callback(t, net)`` sees the start (t = 0, not when resuming) and every later network.
    arithmetic : str or Arithmetic, optional
        See :mod:`permsym_book.arithmetic`; that of ``net`` when left out. ``net``, X, Y and the options are
        converted.
    progress : bool
        Show a bar.
    resume : Run, optional
        Go on from its network and its optimizer's state, and set ``rng`` to where it stood; ``net`` must be
        of the same shape and activation. Optimizers with a line search keep nothing and start anew.

    Returns
    -------
    Run

    Raises
    ------
    TypeError, ValueError
        For an unknown name, a wrong argument, noises under an optimizer that needs one fixed function, an
        arithmetic that an optimizer leaves.
    FloatingPointError
        If the training diverges: a parameter is no longer finite.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> net, X = MLP.random((2, 4, 1), rng), rng.standard_normal((16, 2))
    >>> run = train(net, X, X[:, :1], "adam", 20, rng, ["minibatch", "dropout"])
    >>> again = train(run.net, X, X[:, :1], "adam", 20, rng, ["minibatch", "dropout"], resume=run)
    >>> again.steps
    40
    """
    optimizer, noises = optimizers.get(optimizer), [noise.get(n) for n in checked_sequence("noises", noises)]
    steps = checked_count("steps", steps, least=0)
    arithmetic = None if arithmetic is None else get_arithmetic(arithmetic)
    if noises or rng is not None:
        checked_rng(rng)
    if resume is not None:
        if not isinstance(resume, Run):
            raise TypeError(f"resume is of type {type(resume).__name__}; a Run, as train returns, is"
                            " required")
        check_same_shape(net if arithmetic is None else arithmetic.network(net), resume.net)
        net = resume.net
        if rng is not None and resume.generator is not None:
            check_generator(rng, resume.generator)
            rng.bit_generator.state = resume.generator
    if arithmetic is not None:
        net, X = arithmetic.network(net), arithmetic.array(X)
        Y = Y if noise.is_labels(np.asarray(Y)) else arithmetic.array(Y)
        if not arithmetic.floating:
            if not optimizer.any_ring:
                able = ", ".join(k for k, kind in optimizers.OPTIMIZERS.items() if kind.any_ring)
                raise ValueError(f"optimizer is {optimizer.name!r}, which leaves {arithmetic.title}; one of"
                                 f" {able} is required")
            optimizer = optimizer.with_numbers(arithmetic.number)
    if resume is not None:
        check_state(resume.state, optimizer, net.parameters)
    X = net._checked_input(X)
    get_loss(loss).checked_target(Y, net._forward(X).O)
    start = 0 if resume is None else resume.steps
    if callback and resume is None:
        callback(0, net)
    if isinstance(optimizer, optimizers.Minimizer):
        if noises:
            raise ValueError(f"noises are {', '.join(n.name for n in noises)}; none are possible with"
                             f" {optimizer.name}, which needs one fixed function")
        params, state = _minimized(net, X, Y, optimizer, steps, loss, callback, progress, start), None
    else:
        params, state = _stepped(net, X, Y, optimizer, steps, rng, noises, loss, callback, progress,
                                 start, None if resume is None else resume.state)
    return Run(net.with_parameters(params), state, start + steps,
               None if rng is None else copy.deepcopy(rng.bit_generator.state))


def _stepped(net, X, Y, rule, steps, rng, noises, loss, callback, progress, start, state):
    params = net.parameters
    state = rule.init(params) if state is None else state
    for t in shown(range(start, start + steps), "step", progress):
        X_t, Y_t, masks = X, Y, None
        for n in noises:
            params = n.parameters(params, t, rng)
            X_t, Y_t = n.batch(X_t, Y_t, rng)
        shapes = [(*params.weights[0].shape[:-2], X_t.shape[-2], h) for h in net.hidden_widths]
        for n in noises:
            drawn = n.masks(shapes, X_t, rng)
            if drawn is not None:
                masks = drawn if masks is None else tuple(a * b for a, b in zip(masks, drawn, strict=True))
        _, gradients = loss_function(net, X_t, Y_t, loss, masks)(params)
        for n in noises:
            gradients = n.gradients(gradients, rng)
        params, state = rule.update(params, gradients, state)
        check_finite(params, t + 1)
        if callback:
            callback(t + 1, net.with_parameters(params))
    return params, state


def _minimized(net, X, Y, minimizer, steps, loss, callback, progress, start):
    """Each network of a stack on its own; the callback then sees them side by side, one that ended early at
    its end."""
    p, paths = net.parameters, []
    for e in range(p.count or 1):
        own = p if p.count is None else p[e]
        x, y = (A[e] if p.count is not None and A.ndim == axes + 1 else A
                for A, axes in ((X, 2), (Y, 1 if noise.is_labels(Y) else 2)))
        path = []
        end = minimizer.minimize(loss_function(net, x, y, loss), own, steps,
                                 lambda t, params, path=path: path.append(params))
        paths.append(path or [end])
    for t in shown(range(steps), "step", progress):
        now = [path[min(t, len(path) - 1)] for path in paths]
        params = now[0] if p.count is None else Parameters.stacked(now)
        check_finite(params, start + t + 1)
        if callback:
            callback(start + t + 1, net.with_parameters(params))
    return params if steps else p


def check_finite(params, t) -> None:
    """Raise FloatingPointError where a parameter after step t is not finite."""
    for A in params.arrays():
        if isinstance(A, np.ndarray) and A.dtype != object and not np.isfinite(A).all():
            raise FloatingPointError(f"the training diverged: a parameter is not finite after step {t}; a"
                                     " smaller step size is required")
