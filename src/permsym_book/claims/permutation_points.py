"""Checks of the page "Permutation points are critical"."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

import numpy as np

from ..activations import Activation
from ..landscape.exact_algebra import exact_inertia, kernel
from ..landscape.hessian import hessian
from ..landscape.objective import Pair
from ..landscape.rounding_bound import rounding_bound
from ..landscape.saddles import projected_hessian
from ..landscape.vector import to_vector, unit_slots
from ..mlp import MLP, identical_units
from ..modular import PRIME
from ..parameters import Parameters
from ..validation import kind_of
from .arithmetics import Float64, IntegersModP, Rationals, nonzero_float
from .assemble import Checked, evidence
from .evidence import Comparison, Control, Evidence, Exact, largest_residual
from .registry import claim
from .settings import random_network

SPARE = 6  # dimensions of the targets at which a random network is critical, at least
MORE = 40  # samples in float64, so that small second derivatives stay far above rounding
CUBIC = Activation("z^2 + z^3", lambda Z: Z * Z + Z * Z * Z, lambda Z: 2 * Z + 3 * Z * Z, True, None, None,
                   second_derivative=lambda Z: 2 + 6 * Z)


class Cubic(Rationals):
    """The rationals with the activation z^2 + z^3, which has no symmetry of its own, and small integers at random."""

    def __init__(self, rng):
        super().__init__(rng, CUBIC)

    def random(self, shape, rng):
        return self.lift(rng.integers(1, 20, shape) * rng.choice([-1, 1], shape))


def merged(a, net: MLP, layer: int, pair) -> MLP:
    """One unit in place of two equal ones, with the sum of their outgoing weights."""
    i, j = pair
    keep = [k for k in range(net.hidden_widths[layer]) if k != j]
    adds = np.eye(net.hidden_widths[layer], dtype=int)[keep]
    adds[keep.index(i), j] = 1
    weights, biases = list(net.parameters.weights), list(net.parameters.biases)
    weights[layer], biases[layer] = weights[layer][:, keep], biases[layer][keep]
    weights[layer + 1] = a.lift(adds) @ weights[layer + 1]
    return net.with_parameters(Parameters(weights, biases))


def plain(a, array) -> np.ndarray:
    """The numbers of an array in any arithmetic, in one row."""
    return {Float64: lambda: array.value, IntegersModP: lambda: array.centred()}.get(type(a), lambda: array)().ravel()


def critical_target(a, net: MLP, X, rng):
    """A target at which a random network is critical, with residuals that are not 0.

    The gradient of the squared error is linear in the residuals; they are taken at random from the kernel of that map:
    exactly, or in float64 up to rounding.
    """
    O = net(X)
    n, q = O.shape
    columns = []
    for k in range(n * q):
        one = np.zeros((n, q), dtype=int)
        one[k // q, k % q] = 1
        gradient = net.loss_and_gradients(X, O - a.lift(one))[1]
        columns.append(np.concatenate([plain(a, A) for A in gradient.arrays()]))
    rows = np.array(columns).T
    if isinstance(a, Float64):
        null = np.linalg.svd(rows)[2][len(rows):]
        return O - type(O)((rng.standard_normal(len(null)) @ null).reshape(n, q) * np.sqrt(n))
    basis = kernel(rows.tolist(), PRIME if isinstance(a, IntegersModP) else None)
    shares = rng.integers(1, 10, len(basis)).tolist()
    E = np.array([sum(s * v for s, v in zip(shares, place, strict=True)) for place in zip(*basis, strict=True)], dtype=object)
    E = E.reshape(n, q)
    return O - (a.lift((E % PRIME).astype(np.int64)) if isinstance(a, IntegersModP) else E)


def samples(widths, q: int) -> int:
    """So many that a network of these widths has targets to spare at which it is critical."""
    return ceil((sum((w + 1) * v for w, v in zip(widths, widths[1:], strict=False)) + SPARE) / q)


def shifted(net: MLP, layer: int, part: str, change) -> MLP:
    """The network with ``change`` added to its incoming ("W") or outgoing ("V") weights around a hidden layer."""
    weights = list(net.parameters.weights)
    at = layer + (part == "V")
    weights[at] = weights[at] + change
    return net.with_parameters(Parameters(weights, net.parameters.biases))


@claim("prop-permutation-point-critical", kind="proposition", title="Permutation points are critical")
def permutation_point_critical(rng):
    """Two units are equal: the gradient is that of the merged network, shared out, and 0 when that is."""
    widths, layer = (((3, 3, 2), 0), ((3, 3, 2, 2), 0), ((3, 2, 3, 2), 1))[int(rng.integers(3))]
    i, j = (int(v) for v in rng.permutation(3)[:2])

    def compute(a, rng):
        net = identical_units(random_network(a, widths, rng), layer, (i, j))
        small = merged(a, net, layer, (i, j))
        n = samples(small.widths, 2) + (MORE if isinstance(a, Float64) else 0)
        X = a.random((n, widths[0]), rng)
        Y, elsewhere = critical_target(a, small, X, rng), a.random((n, 2), rng)
        sides = []
        for target in (Y, elsewhere):
            g, s = (m.loss_and_gradients(X, target)[1] for m in (net, small))
            keep = [k for k in range(3) if k != j]
            add = np.eye(3, dtype=int)[keep]
            add[keep.index(i), j] = 1
            add = a.lift(add)
            sides += [(g.weights[layer] @ add.T, s.weights[layer]), (g.biases[layer] @ add.T, s.biases[layer]),
                      (g.weights[layer + 1][keep], s.weights[layer + 1]),
                      (g.weights[layer][:, [i]], g.weights[layer][:, [j]]), (g.biases[layer][[i]], g.biases[layer][[j]]),
                      (g.weights[layer + 1][[i]], g.weights[layer + 1][[j]])]
            sides += [pair for k, pair in enumerate(zip(g.weights, s.weights, strict=True)) if k not in (layer, layer + 1)]
            sides += [pair for k, pair in enumerate(zip(g.biases, s.biases, strict=True)) if k != layer]
        at = net.loss_and_gradients(X, Y)[1]
        if not isinstance(a, Float64):
            sides += [(A, a.lift(np.zeros(A.shape, dtype=int))) for A in at.arrays()]

        def slope(there, target=Y):
            g = there.loss_and_gradients(X, target)[1].weights[layer]
            return g, a.lift(np.zeros(g.shape, dtype=int))

        step = np.zeros((widths[layer], 3), dtype=int)
        step[:, i], step[:, j] = 1, -1
        tilt = np.zeros((3, widths[layer + 2]), dtype=int)
        tilt[i, 0], tilt[j, 0] = 1, -1
        eighth = a.number(Fraction(1, 8))
        return Checked(sides, {
            "off the path: the units' incoming weights apart": slope(shifted(net, layer, "W", a.lift(step) * eighth)),
            "equal units, but the loss not critical among such networks": slope(net, elsewhere),
            "equal incoming weights only, outgoing weights apart across a": slope(shifted(net, layer, "V", a.lift(tilt) * eighth))})

    return evidence(compute, rng)


def parts(net: MLP, X, Y, pair):
    """B and M from their definitions, for the squared error and one hidden layer, in float64 or exactly."""
    passed, p, one = net.forward(X), net.parameters, np.ones((len(X), 1), dtype=int).astype(X.dtype)
    x, z, v, e = np.concatenate([X, one], axis=1), passed.Z[0][:, pair[0]], p.W2[pair[0]], passed.O - Y
    bent, slope = (e @ v) * net.activation.second_derivative(z), net.activation.derivative(z)
    return x.T @ (bent[:, None] * x), x.T @ (slope[:, None] * e)


def block_of(B, M):
    """[[B, M], [M^T, 0]]."""
    return np.block([[B, M], [M.T, np.zeros((M.shape[1],) * 2, dtype=int).astype(M.dtype)]])


def exact_case(q: int, rng):
    """Of one exactly critical network with two equal units: what must be 0, and the numbers of the controls."""
    a, i, j = Cubic(rng), 0, 2
    net = identical_units(random_network(a, (2, 3, q), rng), 0, (i, j))
    small = merged(a, net, 0, (i, j))
    X = a.random((samples(small.widths, q), 2), rng)
    Y = critical_target(a, small, X, rng)
    H, first, second = hessian(net, X, Y), unit_slots(net, 0, i), unit_slots(net, 0, j)
    B, M = parts(net, X, Y, (i, j))
    block = block_of(B, M)
    A = (H[np.ix_(first, first)] + H[np.ix_(second, second)] - H[np.ix_(first, second)] - H[np.ix_(second, first)]) / 2
    couples = coupling(H, first, second)
    basis = kernel(M.T.tolist())
    Z, rank = np.array(basis, dtype=object).reshape(len(basis), len(M)).T, len(M) - len(basis)
    below = exact_inertia(Z.T @ B @ Z) if basis else (0, 0, 0)
    predicted = rank + below[0], q - rank + below[1]
    found, whole = exact_inertia(A), exact_inertia(H)
    rest = exact_inertia(sums(H, first, second))
    c = across(net.parameters.W2[i])
    tilted = plane_gradient(net, X, Y, (i, j), c)
    off = parts(net, X, a.random(Y.shape, rng), (i, j))[1] @ net.parameters.W2[i]
    apart = a.lift(np.array([[1, 0, 0], [0, 0, 0]]))
    zero = [abs(A - block).max(), abs(couples).max(), abs(M @ net.parameters.W2[i]).max(), abs(tilted - M @ c).max(),
            abs(found[0] - predicted[0]), abs(found[1] - predicted[1]), abs(whole[0] - found[0] - rest[0]),
            abs(whole[1] - found[1] - rest[1]), max(0, q - rank - found[1])]
    return [nonzero_float(v) for v in zero], {
        "as many zero eigenvalues as outputs": abs(found[1] - q), "off the line along a": abs(M @ c).max(),
        "not critical": abs(off).max(),
        "units apart": abs(coupling(hessian(shifted(net, 0, "W", apart), X, Y), first, second)).max()}


def coupling(H, first, second):
    """The Hessian's entries, times sqrt 2, between the difference of two units and all other parameters and their sum."""
    rest = np.setdiff1d(np.arange(len(H)), np.concatenate([first, second]))
    across = H[np.ix_(first, first)] - H[np.ix_(second, second)] - H[np.ix_(first, second)] + H[np.ix_(second, first)]
    return np.concatenate([H[np.ix_(rest, first)] - H[np.ix_(rest, second)], across / 2])


def sums(H, first, second):
    """The Hessian on the networks whose two units are equal, in the coordinates (sum / 2, all others)."""
    half = H.copy()
    half[first] = half[first] + half[second]
    half[:, first] = half[:, first] + half[:, second]
    rest = np.setdiff1d(np.arange(len(H)), second)
    return half[np.ix_(rest, rest)]


def plane_gradient(net: MLP, X, Y, pair, c):
    """The gradient by the first unit's incoming weights and bias at outgoing weights (v + c, v - c)."""
    i, j = pair
    tilt = np.full(net.parameters.W2.shape, c[0] - c[0], dtype=kind_of(net.parameters.W2))
    tilt[i], tilt[j] = c, -c
    g = shifted(net, 0, "V", tilt).loss_and_gradients(X, Y)[1]
    return np.append(g.W1[:, i], g.b1[i])


def across(v):
    """A direction of the plane of equal loss other than v, the line of critical points; v itself when there is no other."""
    c = v.copy()
    if len(v) > 1:
        c[0], c[1], c[2:] = -v[1], v[0], v[0] - v[0]
    return c


def float_case(q: int, rng):
    """The same in float64 with tanh, against a bound on rounding: comparisons, and the controls' numbers and bounds."""
    a, pair = Float64(rng), (0, 2)
    balls = identical_units(random_network(a, (2, 3, q), rng), 0, pair)
    small = merged(a, balls, 0, pair)
    points = a.random((samples(small.widths, q) + MORE, 2), rng)
    Y = critical_target(a, small, points, rng).value
    X, p = points.value, balls.parameters
    net = MLP(Parameters([W.value for W in p.weights], [b.value for b in p.biases]), "tanh")
    bound = rounding_bound(net, X, Y)
    B, M = parts(net, X, Y, pair)
    block = block_of(B, M)
    A, S = projected_hessian(net, X, Y, 0, pair)
    H, (first, second) = hessian(net, X, Y), (unit_slots(net, 0, k) for k in pair)
    of_block, of_sums = (np.linalg.eigvalsh(part) for part in (block, (S + S.T) / 2))
    eigenvalues = np.sort(np.concatenate([of_block, of_sums]))
    c = across(net.parameters.W2[0])
    steep = abs(c).sum() * bound  # the gradient is linear in c, by entries of the Hessian
    comparisons = [Comparison(float(abs(A - block).max()), 4 * bound),
                   Comparison(float(abs(coupling(H, first, second)).max()), 4 * bound),
                   Comparison(float(abs(plane_gradient(net, X, Y, pair, c) - plane_gradient(net, X, Y, pair, 0 * c)
                                        - M @ c).max()), 4 * steep),
                   Comparison(float(abs(np.linalg.eigvalsh((H + H.T) / 2) - eigenvalues).max()), 8 * len(H) * bound)]
    apart = Pair(net, 0, pair).at_distance(to_vector(shifted(net, 0, "W", np.array([[0.1, 0, 0], [0, 0, 0]]))), 0.1)
    moved = net.with_parameters(Parameters([apart[:6].reshape(2, 3), apart[9:9 + 3 * q].reshape(3, q)], [apart[6:9], apart[9 + 3 * q:]]))
    off = parts(net, X, Y + rng.standard_normal(Y.shape), pair)[1] @ net.parameters.W2[0]
    return comparisons, {
        "as many zero eigenvalues as outputs": (np.sort(abs(of_block))[q - 1], 8 * len(H) * bound),
        "off the line along a": (float(abs(M @ c).max()), 4 * steep),
        "not critical": (float(abs(off).max()), 4 * abs(net.parameters.W2[0]).sum() * bound),
        "units apart": (float(abs(coupling(hessian(moved, X, Y), first, second)).max()), 4 * rounding_bound(moved, X, Y))}


@claim("prop-index-nullity", kind="proposition", title="Index and nullity of a permutation point")
def index_and_nullity(rng):
    """The Hessian's block on differences is [[B, M], [M^T, 0]], and its signs are those of the formulas.

    The outgoing weights v of the two units are not 0, as parts 3 and 4 require.

    For one, two and three outputs: exactly at networks with rational weights that are critical for a rational target,
    where the signs are found by elimination. In float64 with tanh the eigenvalues are those of the two blocks: entries
    are within 4 bounds of each other, and eigenvalues of N x N matrices then within 4 N (Weyl), and 4 N for their own
    rounding.
    """
    comparisons, zero, controls = [], [], []
    names = {"as many zero eigenvalues as outputs": (2, 3), "off the line along a": (2, 3), "not critical": (1, 2, 3),
             "units apart": (1, 2, 3)}
    for q in (1, 2, 3):
        residuals, exact = exact_case(q, rng)
        compared, broken = float_case(q, rng)
        zero, comparisons = zero + residuals, comparisons + compared
        controls += [Control(f"{name}, {q} output{'s' * (q > 1)}", float(broken[name][0]), float(broken[name][1]),
                             nonzero_float(exact[name])) for name, outputs in names.items() if q in outputs]
    worst = max(comparisons, key=lambda c: (c.ratio, c.bound))
    return Evidence(worst, Exact(largest_residual(zero), "Q"), tuple(controls))
