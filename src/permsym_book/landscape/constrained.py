"""Minima of the loss among the networks in which two units are a given distance apart, by Newton's method.

Near a permutation point the residuals' first derivatives by the difference of the two units vanish, so Gauss-Newton
and Levenberg-Marquardt see no curvature in it: all of it is the sigma'' part of the exact Hessian. A trust region
makes every step go down; the step is found from all eigenvalues for few parameters, and by conjugate gradients
(Steihaug) from products with the Hessian for many.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq

from ..validation import checked_count, checked_number
from .objective import Objective, Pair

DENSE_AT_MOST = 300  # parameters; beyond, conjugate gradients


class Minimum(NamedTuple):
    """Where a minimisation ended; ``gradient_norm`` is that of the gradient along the constraint's surface."""

    theta: np.ndarray
    value: float
    gradient_norm: float
    steps: int
    converged: bool


class Surface:
    """The networks in which the units of a pair are ``distance`` apart, near one of them; all networks without a pair.

    Coordinates along it are those of :class:`~permsym_book.landscape.objective.Pair`, without the direction of the
    difference; without the whole difference when the distance is 0. The map to them keeps lengths.
    """

    def __init__(self, pair: Pair | None, distance: float | None, theta):
        self.pair, self.distance, self.mirror = pair, distance, None
        if pair is not None and distance:
            difference = (theta[pair.first] - theta[pair.second]) * np.sqrt(0.5)
            self.radius = float(np.linalg.norm(difference))
            self.normal = difference / self.radius
            self.mirror = self.normal.copy()  # the reflection that takes the normal to an axis
            self.mirror[0] += np.copysign(1.0, self.normal[0])
            self.mirror /= np.linalg.norm(self.mirror)

    def reduced(self, v):
        """Coordinates along the surface of ``v`` (N,), or of each column of (N, k)."""
        if self.pair is None:
            return v
        v, slots = self.pair.rotated(v), self.pair.second
        if self.mirror is None:
            return np.delete(v, slots, axis=0)
        v[slots] -= 2 * np.multiply.outer(self.mirror, self.mirror @ v[slots])
        return np.delete(v, slots[0], axis=0)

    def expanded(self, s):
        """The vector (N,) with these coordinates."""
        if self.pair is None:
            return s
        slots = self.pair.second
        N = len(s) + (len(slots) if self.mirror is None else 1)
        made, kept = np.zeros(N), np.ones(N, dtype=bool)
        kept[slots if self.mirror is None else slots[0]] = False
        made[kept] = s
        if self.mirror is not None:
            made[slots] -= 2 * self.mirror * (self.mirror @ made[slots])
        return self.pair.rotated(made)

    def pull(self, gradient) -> float:
        """The derivative of the loss along the normal: by the difference's length over sqrt(2)."""
        return float(self.pair.rotated(gradient)[self.pair.second] @ self.normal)

    def bend(self, gradient):
        """What the sphere's own curvature adds to the diagonal of the reduced Hessian."""
        added = np.zeros(len(gradient))
        if self.mirror is None:
            return added[:len(gradient) - (0 if self.pair is None else len(self.pair.second))]
        added[self.pair.second] = -self.pull(gradient) / self.radius
        return np.delete(added, self.pair.second[0])

    def moved(self, theta, s):
        """The point of the surface that is reached by the step ``s`` along it."""
        made = theta + self.expanded(s)
        return made if self.pair is None else self.pair.at_distance(made, self.distance)


class Curvature:
    """The reduced Hessian at a point: its eigenvalues when there are few parameters, and otherwise its products."""

    def __init__(self, f: Objective, surface: Surface, theta, gradient):
        self.surface, self.bend = surface, surface.bend(gradient)
        self.dense = f.size <= DENSE_AT_MOST
        if self.dense:
            self.full = f.hessian(theta)
            H = surface.reduced(surface.reduced(self.full).T)
            H[np.diag_indices(len(H))] += self.bend
            self.values, self.vectors = np.linalg.eigh((H + H.T) / 2)
        else:
            self.products = f.products(theta)

    def times(self, v):
        """The Hessian in all parameters times v (N,)."""
        return self.full @ v if self.dense else self.products(v)

    def product(self, s):
        """The reduced Hessian times s."""
        if self.dense:
            return self.vectors @ (self.values * (self.vectors.T @ s))
        return self.surface.reduced(self.products(self.surface.expanded(s))) + self.bend * s

    def step(self, g, radius: float, accuracy: float, most: int):
        """The least of ``g s + s H s / 2`` over ``|s| <= radius``; accurate to ``accuracy |g|`` by conjugate gradients."""
        return _from_eigenvalues(self.values, self.vectors, g, radius) if self.dense else _steihaug(
            self.product, g, radius, accuracy, most)


def _from_eigenvalues(values, vectors, g, radius):
    along = vectors.T @ g

    def step(shift):
        return -along / (values + shift)

    least = max(0.0, -values[0]) + 1e-14 * abs(values).max()
    if np.linalg.norm(step(least)) <= radius:
        return vectors @ step(0.0 if values[0] > 0 else least)
    most = least + np.linalg.norm(g) / radius
    shift = brentq(lambda shift: 1 / radius - 1 / np.linalg.norm(step(shift)), least, most, xtol=1e-16, rtol=1e-10)
    return vectors @ step(shift)


def _steihaug(product, g, radius, accuracy, most):
    s, r = np.zeros_like(g), -g
    p, rr = r.copy(), g @ g
    goal = accuracy**2 * rr
    for _ in range(most):
        Hp = product(p)
        curved = p @ Hp
        if curved <= 0:
            return s + _to_border(s, p, radius) * p
        ahead = s + (rr / curved) * p
        if np.linalg.norm(ahead) >= radius:
            return s + _to_border(s, p, radius) * p
        s, r = ahead, r - (rr / curved) * Hp
        rr, before = r @ r, rr
        if rr <= goal:
            break
        p = r + (rr / before) * p
    return s


def _to_border(s, p, radius):
    pp, sp = p @ p, s @ p
    return (-sp + np.sqrt(sp * sp + pp * (radius**2 - s @ s))) / pp


def minimized(f: Objective, theta, pair: Pair | None = None, distance: float | None = None, *, tolerance: float = 1e-9,
              at_most: int = 60, radius: float = 0.1, inner: int = 1000, within: float = np.inf, callback=None) -> Minimum:
    """Go down from ``theta`` to a minimum of the loss with the pair's units ``distance`` apart.

    Parameters
    ----------
    f : Objective
    theta : array, shape (N,)
    pair : Pair, optional
        Without it nothing is constrained; with ``distance`` 0 the two units are kept equal.
    tolerance : float
        Of the norm of the gradient along the surface.
    at_most : int
        Newton steps.
    radius : float
        Of the trust region at the start.
    inner : int
        Conjugate gradient steps for each Newton step, for many parameters.
    within : float
        It ends, not converged, when it is farther than this from where it began.
    callback : callable, optional
        Called with every :class:`Minimum` so far.

    Returns
    -------
    Minimum
        ``converged`` says whether the tolerance was reached.
    """
    theta = theta.copy() if pair is None else pair.at_distance(theta, distance)
    value, gradient = f.value_and_gradient(theta)
    surface, began = Surface(pair, distance, theta), theta
    g = surface.reduced(gradient)
    for steps in range(at_most + 1):
        norm = float(np.linalg.norm(g))
        made = Minimum(theta, value, norm, steps, norm <= tolerance)
        if callback:
            callback(made)
        if made.converged or steps == at_most or radius < 1e-12 or np.linalg.norm(theta - began) > within:
            break
        curvature = Curvature(f, surface, theta, gradient)
        for _ in range(20):
            s = curvature.step(g, radius, min(0.1, np.sqrt(norm / (1 + abs(value)))), inner)
            there = surface.moved(theta, s)
            value_there, gradient_there = f.value_and_gradient(there)
            surface_there = Surface(pair, distance, there)
            g_there = surface_there.reduced(gradient_there)
            expected = -(g @ s + s @ curvature.product(s) / 2)
            by_rounding = expected < 1e-12 * abs(value)  # the loss is too coarse to judge the step: the gradient does
            gained = (value - value_there) / expected if expected > 0 else -1.0
            better = np.linalg.norm(g_there) < norm if by_rounding or expected <= 0 else gained > 1e-3
            length = float(np.linalg.norm(s))
            if better and (by_rounding or gained > 0.25):
                radius = 2 * max(radius / 2, length) if gained > 0.75 else radius
                break
            radius = min(radius, length) / 4
            if better or by_rounding or radius < 1e-12:
                break
        if not better:
            break
        theta, value, gradient, surface, g = there, value_there, gradient_there, surface_there, g_there
    return made


def checked_limits(tolerance, at_most, inner: int = 1):
    """Where an iteration ends: a tolerance from 0 on, and numbers of steps, at least 1."""
    return float(checked_number("tolerance", tolerance)), checked_count("at_most", at_most), checked_count("inner", inner)


def predicted(f: Objective, theta, pair: Pair, shorter: float, *, inner: int = 1000):
    """Where the minimum goes, to first order, when the distance becomes ``shorter`` less."""
    _, gradient = f.value_and_gradient(theta)
    surface = Surface(pair, pair.distance(theta), theta)
    curvature = Curvature(f, surface, theta, gradient)
    closer = np.zeros_like(theta)
    closer[pair.first] -= surface.normal * (shorter / 2)
    closer[pair.second] += surface.normal * (shorter / 2)
    s = curvature.step(surface.reduced(gradient + curvature.times(closer)), 10 * pair.distance(theta), 1e-3, inner)
    return theta + closer + surface.expanded(s)
