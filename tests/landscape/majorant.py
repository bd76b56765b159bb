"""A bound on rounding for second derivatives: the same formulas with every number replaced by a bound on its size."""

import numpy as np

from permsym_book import MLP
from permsym_book.activations import Activation
from permsym_book.landscape.hessian import hessian

# Each returns a bound on |f(z)| + |z f'(z)| for f = sigma, sigma', sigma'': an error of z relative to |z| then becomes
# one of f(z) relative to the bound. For all smooth activations of the table but the square, |sigma(z)| <= 1 + |z|,
# |sigma'| <= 1.13, |sigma''| <= 0.8 and |sigma'''| <= 2.4.
BOUNDED = Activation("bounded", lambda Z: 1 + 2.13 * Z, lambda Z: 1.13 + 0.8 * Z, False, None, None,
                     second_derivative=lambda Z: 0.8 + 2.4 * Z)
SQUARE = Activation("square bound", lambda Z: 3 * Z * Z, lambda Z: 4 * Z, False, None, None,
                    second_derivative=lambda Z: np.full_like(Z, 2.0))


def largest_entry(net, X, Y, loss):
    """A bound on the sum of the sizes of all products that are added up to any entry of the Hessian."""
    sizes = net.parameters.map(lambda A: abs(A).astype(float))
    Y = -abs(np.asarray(Y, dtype=float)) if loss == "squared_error" else -np.ones((len(X), net.widths[-1]))
    bound = hessian(MLP(sizes, SQUARE if net.activation.name == "square" else BOUNDED), abs(X).astype(float), Y)
    # the cross-entropy's second derivative by O has entries of at most 1 in all places, not only on the diagonal
    return float(bound.max()) * (1 if loss == "squared_error" else net.widths[-1])


def rounding(net, X, Y, loss="squared_error", unit=2.0**-53):
    """How far two computations of an entry in floating point may lie apart.

    A product passes through each layer at most four times (forward, backward, and the derivatives of both), each
    time through a sum of width + 1 terms and an activation within 32 units of rounding, and then through the sum
    over samples.
    """
    roundings = 4 * sum(w + 40 for w in net.widths) + len(X)
    return 2 * roundings * unit * largest_entry(net, X, Y, loss)
