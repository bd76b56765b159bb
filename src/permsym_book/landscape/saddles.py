"""Permutation points: where two units coincide at a critical point, and what the Hessian is there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..mlp import MLP
from .constrained import DENSE_AT_MOST, Surface, checked_limits, minimized
from .curvature import Batch, passed
from .inertia import Inertia, inertia
from .objective import Objective, Pair
from .paths import Path
from .splitting import merge
from .vector import from_vector, to_vector, unit_slots


@dataclass(frozen=True)
class PermutationPoint:
    """A critical point at which two units are equal.

    Attributes
    ----------
    network : MLP
    layer : int
    units : (int, int)
    loss : float
    gradient_norm : float
        Of all parameters.
    merged : MLP
        The network with one unit fewer, the outgoing weights of the two added up.
    merged_loss, merged_gradient_norm : float
        An independent check: a split network is critical exactly when the merged one is.
    """

    network: MLP
    layer: int
    units: tuple[int, int]
    loss: float
    gradient_norm: float
    merged: MLP
    merged_loss: float
    merged_gradient_norm: float


def permutation_point(start: Path | MLP, X, Y, layer: int | None = None, units=None, *, loss: str = "squared_error",
                      decay: float = 0.0, tolerance: float = 1e-12, at_most: int = 200, inner: int = 1000) -> PermutationPoint:
    """Newton's method among the networks whose two units are equal, to a gradient at rounding level.

    Parameters
    ----------
    start : Path or MLP
        A path's middle; or any network, whose two units are first replaced by their mean.
    X, Y, loss, decay
        As for :func:`~permsym_book.landscape.paths.permutation_path`.
    layer, units
        Required for a network; left out for a path, which has its own.
    tolerance : float
        Of the gradient's norm. The iteration also ends where rounding does not let it become smaller.
    at_most, inner : int
        Newton steps, and conjugate gradient steps for each with many parameters; at least 1.

    Returns
    -------
    PermutationPoint
        Its ``gradient_norm`` says what was reached.

    Raises
    ------
    TypeError, ValueError
        As :func:`~permsym_book.landscape.paths.permutation_path`, for units and data; and for a layer or units beside
        those of a path.

    Examples
    --------
    >>> from permsym_book.landscape.problems import teacher_student
    >>> problem = teacher_student(1, seed=4)
    >>> point = permutation_point(problem.net, problem.X, problem.Y, 0, problem.units)
    >>> point.gradient_norm < 1e-12, point.merged_gradient_norm < 1e-12, point.merged.widths
    (True, True, (2, 2, 1))
    """
    tolerance, at_most, inner = checked_limits(tolerance, at_most, inner)
    if isinstance(start, Path) and (layer is not None or units is not None):
        raise ValueError(f"layer is {layer} and units is {units}; start is a Path, which has its own: None is required for both")
    if isinstance(start, Path):
        net, layer, units = start.network(start.middle), start.layer, start.units
    elif layer is None or units is None:
        raise ValueError(f"layer is {layer} and units is {units}; both are required unless start is a Path")
    else:
        net = start
    f, pair = Objective(net, X, Y, loss, decay), Pair(net, layer, units)
    found = minimized(f, to_vector(net), pair, 0.0, tolerance=tolerance, at_most=at_most, inner=inner)
    theta = _sharpened(f, pair, found.theta) if f.size <= DENSE_AT_MOST else found.theta
    network = from_vector(net, theta)
    value, gradient = f.value_and_gradient(theta)
    merged = merge(network, pair.layer, pair.units)
    merged_value, merged_gradient = Objective(merged, X, Y, loss).value_and_gradient(to_vector(merged))
    penalty, slope = _penalty_before_merging(merged, pair, f.decay)
    return PermutationPoint(network, pair.layer, pair.units, value, float(np.linalg.norm(gradient)), merged,
                            merged_value + penalty, float(np.linalg.norm(merged_gradient + slope)))


def _penalty_before_merging(merged: MLP, pair: Pair, decay: float) -> tuple[float, np.ndarray]:
    """The decay of two units (w, a/2) as a function of the merged unit (w, a): decay (|w|^2 + |a|^2 / 4)."""
    theta, (i, j) = to_vector(merged), pair.units
    factors = np.ones(len(theta))
    slots, out = unit_slots(merged, pair.layer, i - (j < i)), merged.widths[pair.layer + 2]
    factors[slots[:-out]], factors[slots[-out:]] = 2.0, 0.5
    return decay / 2 * float(factors @ theta**2), decay * factors * theta


def _sharpened(f, pair, theta, at_most: int = 8):
    """Plain Newton steps, with the pseudo-inverse, for as long as they make the gradient smaller."""
    surface = Surface(pair, 0.0, theta)
    best = np.linalg.norm(surface.reduced(f.value_and_gradient(theta)[1]))
    for _ in range(at_most):
        g = surface.reduced(f.value_and_gradient(theta)[1])
        H = surface.reduced(surface.reduced(f.hessian(theta)).T)
        there = surface.moved(theta, -np.linalg.lstsq(H, g, rcond=1e-13)[0])
        norm = np.linalg.norm(surface.reduced(f.value_and_gradient(there)[1]))
        if not norm < best:
            break
        theta, best = there, norm
    return theta


@dataclass(frozen=True)
class AntisymmetricBlock:
    """The Hessian on the differences of two equal units, and what its inertia must be.

    With x the inputs of the layer (and a 1 for the bias), v the outgoing weights of each of the two units, z their
    pre-activation and e the loss's derivative by the next layer's pre-activation, summed over the samples,

        B = sum (e . v) sigma''(z) x x^T,    M = sum sigma'(z) x e^T,    block = [[B, M], [M^T, 0]].

    M v = 0 at a critical point. So of the out eigenvalues that would vanish if M were 0, rank M turn into pairs of
    opposite signs (``prop-index-nullity``).

    Attributes
    ----------
    B : array, shape (in + 1, in + 1), without the last row and column when there is no bias
    M : array, shape (in + 1, out)
    matrix : array
        The block.
    singular_values : array
        Of M, descending.
    rank : int
        How many of them are above ``threshold``.
    threshold : float
    index, nullity : int
        rank M + (negative eigenvalues of B on the kernel of M^T), and out - rank M + (zero ones there).
    measured : Inertia
        Of ``matrix``, for comparison.
    """

    B: np.ndarray
    M: np.ndarray
    matrix: np.ndarray
    singular_values: np.ndarray
    rank: int
    threshold: float
    index: int
    nullity: int
    measured: Inertia


def antisymmetric_block(net: MLP, X, Y, layer: int, units, *, loss: str = "squared_error") -> AntisymmetricBlock:
    """The block of the Hessian that belongs to the difference of two equal units, from B and M.

    Parameters
    ----------
    net : MLP
        With two equal units: incoming weights, bias and outgoing weights.
    X, Y, loss
        As for :func:`~permsym_book.landscape.paths.permutation_path`.
    layer : int
    units : (int, int)

    Returns
    -------
    AntisymmetricBlock

    Raises
    ------
    ValueError
        If the units differ; the message says by how much.

    Examples
    --------
    >>> from permsym_book.landscape.problems import teacher_student
    >>> problem = teacher_student(1, seed=4)
    >>> point = permutation_point(problem.net, problem.X, problem.Y, 0, problem.units)
    >>> block = antisymmetric_block(point.network, problem.X, problem.Y, 0, problem.units)
    >>> block.rank, block.index, block.nullity
    (0, 1, 1)
    """
    f, pair = Objective(net, X, Y, loss), Pair(net, layer, units)
    layer, i = pair.layer, pair.units[0]
    apart = pair.distance(to_vector(net))
    if apart:
        raise ValueError(f"units {pair.units} differ by {apart:.2e}; equal ones, as permutation_point gives, are required")
    at = passed(Batch(net, f.X, f.Y, f.loss))
    x, e = at.inputs[layer], at.deltas[layer + 1]
    if net.parameters.biases[layer] is not None:
        x = np.concatenate([x, np.ones((len(x), 1))], axis=1)
    z = at.inputs[layer] @ net.parameters.weights[layer][:, i]
    if net.parameters.biases[layer] is not None:
        z = z + net.parameters.biases[layer][i]
    v, curve, slope = net.parameters.weights[layer + 1][i], net.activation.second_derivative(z), net.activation.derivative(z)
    B, M = x.T @ (((e @ v) * curve)[:, None] * x), x.T @ (slope[:, None] * e)
    B = (B + B.T) / 2  # the product is symmetric but for rounding
    matrix = np.block([[B, M], [M.T, np.zeros((M.shape[1],) * 2)]])
    of_B, of_M = (float(np.linalg.norm(abs(x).T @ (abs(factor) * abs(terms))))  # of the terms that B and M sum
                  for factor, terms in (((abs(e) @ abs(v) * curve)[:, None], x), (slope[:, None], e)))
    rounding = np.finfo(float).eps * (len(x) + len(v) + 16)  # of sums over samples and outputs, and of the activation
    return _with_inertia(B, M, matrix, 1e-9 * of_M, rounding * of_B, rounding * of_M)


def _with_inertia(B, M, matrix, threshold, of_B: float = 0.0, of_M: float = 0.0) -> AntisymmetricBlock:
    """The signs by the formulas; ``of_B`` and ``of_M`` bound the rounding in B and M."""
    U, singular, _ = np.linalg.svd(M)
    rank = int((singular > threshold).sum())
    kernel = U[:, rank:]
    inside = kernel.T @ B @ kernel
    # A kernel computed from M + dM is tilted by |dM| over the smallest singular value that counts, and B with it.
    tilt = of_M / singular[rank - 1] if rank else 0.0
    noise = of_B + 2 * tilt * float(np.linalg.norm(B))
    there = inertia((inside + inside.T) / 2, noise=noise) if kernel.shape[1] else None  # symmetric but for rounding
    index = rank + (there.index if there else 0)
    nullity = M.shape[1] - rank + (there.nullity if there else 0)
    return AntisymmetricBlock(B, M, matrix, singular, rank, threshold, index, nullity, inertia(matrix))


def projected_hessian(net: MLP, X, Y, layer: int, units, *, loss: str = "squared_error") -> tuple[np.ndarray, np.ndarray]:
    """The full Hessian on the differences of two units, and on everything else: the sums and all other parameters.

    Returns
    -------
    (array, array)
        The first in the order of :class:`AntisymmetricBlock`. Where the units are equal nothing couples the two.
    """
    f, pair = Objective(net, X, Y, loss), Pair(net, layer, units)
    H = pair.rotated(pair.rotated(f.hessian(to_vector(net))).T)
    rest = np.setdiff1d(np.arange(f.size), pair.second)
    return H[np.ix_(pair.second, pair.second)], H[np.ix_(rest, rest)]
