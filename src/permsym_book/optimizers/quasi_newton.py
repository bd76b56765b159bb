"""Optimizers with line searches and Hessians: those of scipy.optimize as they are, and Newton's method.

They move along M g with a matrix M, which is relabelled as P^T M P: in exact arithmetic they keep the
symmetry. Whether rounding breaks it depends on how M is applied. Sums and multiples of gradients keep equal
entries equal; a product with a full matrix, or a linear solver, does not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import scipy.optimize

from ..parameters import Parameters
from .base import Minimizer, flat, unflat

_TINY = 1e-30  # the complex step: its square is far below rounding


class _Enough(Exception):
    pass


@dataclass(frozen=True)
class _Scipy(Minimizer):
    method: ClassVar[str]
    hessian_products: ClassVar[bool] = False
    tolerance: float = 1e-14

    def minimize(self, function, params, steps, callback=None):
        def on_numbers(x):
            value, gradients = function(unflat(x, params))
            return float(value), flat(gradients)

        t, last = 0, flat(params)

        def after(x):
            nonlocal t, last
            t, last = t + 1, np.array(x)
            if callback:
                callback(t, unflat(last, params))
            if t >= steps:
                raise _Enough

        extra = {}
        if self.hessian_products:
            extra["hessp"] = lambda x, p: hessian_product(function, unflat(x, params), p)
        try:
            scipy.optimize.minimize(on_numbers, last, jac=True, method=self.method, tol=self.tolerance,
                                    callback=after, options={"maxiter": 2 * steps}, **extra)
        except _Enough:
            pass
        return unflat(last, params)


@dataclass(frozen=True)
class BFGS(_Scipy):
    """x <- x - a H g with H <- (I - r s y^T) H (I - r y s^T) + r s s^T, r = 1 / y^T s; scipy.optimize's
    BFGS."""

    name, method = "bfgs", "BFGS"
    reason = "multiplies by a full matrix, whose rows round differently for equal units"


@dataclass(frozen=True)
class LBFGS(_Scipy):
    """BFGS from the last 10 differences s, y alone: only multiples of vectors; scipy.optimize's L-BFGS-B."""

    name, method = "lbfgs", "L-BFGS-B"
    reason = "adds multiples of gradients and steps; the factors are inner products, the same for twins"


@dataclass(frozen=True)
class CG(_Scipy):
    """p <- -g + max(0, b) p with b = y^T g / (old g)^T (old g), y = g - old g; scipy.optimize's CG."""

    name, method = "cg", "CG"
    reason = LBFGS.reason


@dataclass(frozen=True)
class NewtonCG(_Scipy):
    """H p = -g solved by conjugate gradients with Hessian products; scipy.optimize's Newton-CG."""

    name, method, hessian_products = "newton_cg", "Newton-CG", True
    reason = "adds multiples of gradients and Hessian products; the factors are inner products"


@dataclass(frozen=True)
class Newton(Minimizer):
    """theta <- theta - H^(-1) g, H the Hessian (:func:`hessian`), by Gaussian elimination."""

    name = "newton"
    reason = "solves a linear system; the elimination rounds equal units differently"

    def minimize(self, function, params, steps, callback=None):
        for t in range(1, steps + 1):
            _, gradients = function(params)
            H = hessian(function, params) + getattr(self, "damping", 0.0) * np.eye(flat(params).size)
            try:
                step = np.linalg.solve(H, flat(gradients))
            except np.linalg.LinAlgError as error:
                raise ArithmeticError(f"the Hessian is singular at step {t}; newton_damped adds a multiple of"
                                      f" the identity") from error
            params = unflat(flat(params) - step, params)
            if callback:
                callback(t, params)
        return params


@dataclass(frozen=True)
class NewtonDamped(Newton):
    """theta <- theta - (H + damping I)^(-1) g."""

    name = "newton_damped"
    damping: float = 1.0


def hessian_product(function, params: Parameters, direction: np.ndarray) -> np.ndarray:
    """The Hessian times directions (..., count): Im grad(theta + i h direction) / h with h = 1e-30."""
    moved = unflat(flat(params) + 1j * _TINY * np.asarray(direction), params)
    return flat(function(moved)[1]).imag / _TINY


def hessian(function, params: Parameters) -> np.ndarray:
    """The Hessian of ``function`` at ``params`` by complex steps along every coordinate, in one stacked pass.

    Parameters
    ----------
    function : callable
        ``function(params)`` returns (loss, gradients), also for a stack of complex parameters; see
        :func:`~permsym_book.loop.loss_function`.
    params : Parameters
        One network.

    Returns
    -------
    array, shape (count, count)
        Symmetric; coordinates in the order of W1, b1, W2, b2, ...
    """
    H = hessian_product(function, params, np.eye(flat(params).size))
    return (H + H.T) / 2


MINIMIZERS = (LBFGS, BFGS, CG, NewtonCG, Newton, NewtonDamped)
