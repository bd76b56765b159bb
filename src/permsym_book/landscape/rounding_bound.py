"""A bound on rounding in second derivatives: the same formulas with every number replaced by a bound on its size."""

from __future__ import annotations

from ..activations import Activation
from ..mlp import MLP
from .hessian import hessian

# Each returns a bound on |f(z)| + |z f'(z)| for f = sigma, sigma', sigma'': an error of z relative to |z| then becomes
# one of f(z) relative to the bound. For all smooth activations of the table but the square, |sigma(z)| <= 1 + |z|,
# |sigma'| <= 1.13, |sigma''| <= 0.8 and |sigma'''| <= 2.4.
_BOUNDED = Activation("bounded", lambda Z: 1 + 2.13 * Z, lambda Z: 1.13 + 0.8 * Z, False, None, None,
                      second_derivative=lambda Z: 0.8 + 2.4 * Z)


def rounding_bound(net: MLP, X, Y) -> float:
    """How far two computations of an entry of the squared error's Hessian in float64 may lie apart.

    A product passes through each layer at most four times (forward, backward, and the derivatives of both), each time
    through a sum of width + 1 terms and an activation within 32 units of rounding, and then through the sum over the
    samples.

    Parameters
    ----------
    net : MLP
        In float64, with a smooth activation of the table other than the square.
    X : array, shape (n, d)
    Y : array, shape (n, q)

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> bound = rounding_bound(MLP.random((2, 3, 1), rng), rng.standard_normal((10, 2)), rng.standard_normal((10, 1)))
    >>> 1e-14 < bound < 1e-10
    True
    """
    sizes = net.parameters.map(abs)
    largest = float(hessian(MLP(sizes, _BOUNDED), abs(X), -abs(Y)).max())
    return 2 * (4 * sum(w + 40 for w in net.widths) + len(X)) * 2.0**-53 * largest
