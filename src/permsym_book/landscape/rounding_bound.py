"""A bound on rounding in second derivatives: the same formulas with every number replaced by a bound on its size."""

from __future__ import annotations

import numpy as np

from ..activations import Activation
from ..mlp import MLP
from .curvature import checked_batch
from .hessian import hessian

# Each returns a bound on |f(z)| + |z f'(z)| for f = sigma, sigma', sigma'': an error of z relative to |z| then becomes
# one of f(z) relative to the bound. For all smooth activations of the table but the square, |sigma(z)| <= 1 + |z|,
# |sigma'| <= 1.13, |sigma''| <= 0.8 and |sigma'''| <= 2.4.
_BOUNDED = Activation("bounded", lambda Z: 1 + 2.13 * Z, lambda Z: 1.13 + 0.8 * Z, False, None, None,
                      second_derivative=lambda Z: 0.8 + 2.4 * Z)
_SQUARE = Activation("square bound", lambda Z: 3 * Z * Z, lambda Z: 4 * Z, False, None, None,
                     second_derivative=lambda Z: np.full_like(Z, 2.0))


def rounding_bound(net: MLP, X, Y, loss: str = "squared_error", *, unit: float = 2.0**-53) -> float:
    """How far two computations of an entry of the loss's Hessian in floating point may lie apart.

    A product passes through each layer at most four times (forward, backward, and the derivatives of both), each time
    through a sum of width + 1 terms and an activation within 32 units of rounding, and then through the sum over the
    samples.

    Parameters
    ----------
    net : MLP
        With a smooth activation of the table.
    X : array, shape (n, d)
    Y : array
        Targets (n, q), or labels (n,) for the cross-entropy.
    loss : {"squared_error", "cross_entropy"}
    unit : float
        Of rounding; float64's when left out.

    Raises
    ------
    TypeError, ValueError
        As :func:`~permsym_book.landscape.hessian.hessian`.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> bound = rounding_bound(MLP.random((2, 3, 1), rng), rng.standard_normal((10, 2)), rng.standard_normal((10, 1)))
    >>> 1e-14 < bound < 1e-10
    True
    """
    net, X, Y, loss = checked_batch(net, X, Y, loss)
    roundings = 4 * sum(w + 40 for w in net.widths) + len(X)
    return 2 * roundings * unit * _largest_entry(net, X, Y, loss)


def _largest_entry(net: MLP, X, Y, loss: str) -> float:
    """A bound on the sum of the sizes of all products that are added up to any entry of the Hessian."""
    sizes = net.parameters.map(lambda A: abs(A).astype(float))
    # The errors O - Y of the squared error become |O| + |Y|. Those of the cross-entropy are at most 1, and its second
    # derivative by O has entries of at most 1 in all places, not only on the diagonal.
    squared = loss == "squared_error"
    Y = -abs(np.asarray(Y, dtype=float)) if squared else -np.ones((len(X), net.widths[-1]))
    bounds = MLP(sizes, _SQUARE if net.activation.name == "square" else _BOUNDED)
    return float(hessian(bounds, abs(X).astype(float), Y).max()) * (1 if squared else net.widths[-1])
