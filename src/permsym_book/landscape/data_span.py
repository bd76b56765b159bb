"""All eigenvalues of the Hessian of a network that has more inputs than samples, from a much smaller matrix.

The output depends on W1 through X W1 alone. With X = Z Q^T, the columns of Q (d, r) orthonormal and r the rank of X,
a network with inputs Z and weights Q^T W1 computes the same, and this change of coordinates keeps lengths. So the
Hessian has the eigenvalues of the small network's, and (d - r) h_1 times the eigenvalue 0.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..mlp import MLP
from ..parameters import Parameters
from .objective import Objective
from .vector import to_vector


class Spectrum(NamedTuple):
    """The eigenvalues of a Hessian.

    Attributes
    ----------
    values : array
        Those on the span of the data, ascending.
    rest : float
        The eigenvalue of the weights that no sample sees: the decay.
    multiplicity : int
        How many times ``rest`` occurs besides.
    """

    values: np.ndarray
    rest: float
    multiplicity: int

    @property
    def index(self) -> int:
        """How many eigenvalues are below 0."""
        return int((self.values < 0).sum())


def whole_spectrum(net: MLP, X, Y, loss: str = "squared_error", *, decay: float = 0.0, at_most: int = 8000) -> Spectrum:
    """Every eigenvalue of the Hessian, by the span of the data.

    Parameters
    ----------
    net : MLP
        In float64.
    X : array, shape (n, d)
    Y : array
    loss : {"squared_error", "cross_entropy"}
    decay : float
        Added to each eigenvalue.
    at_most : int
        The largest number of parameters of the small network, r h_1 instead of d h_1 in the first layer; its Hessian
        is computed as a matrix. For 7,000 it takes about a minute.

    Returns
    -------
    Spectrum

    Raises
    ------
    TypeError, ValueError
        As :func:`~permsym_book.landscape.hessian.hessian`, and if the small network has more than ``at_most`` parameters.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> net, X, Y = MLP.random((40, 3, 1), rng), rng.standard_normal((5, 40)), rng.standard_normal((5, 1))
    >>> spectrum = whole_spectrum(net, X, Y)
    >>> len(spectrum.values), spectrum.multiplicity, len(spectrum.values) + spectrum.multiplicity
    (22, 105, 127)
    """
    f = Objective(net, X, Y, loss, decay)
    U, sizes, _ = np.linalg.svd(f.X.T, full_matrices=False)
    rank = max(1, int((sizes > sizes[0] * max(f.X.shape) * np.finfo(float).eps).sum()))
    Q, p = U[:, :rank], net.parameters
    small = net.with_parameters(Parameters([Q.T @ p.weights[0], *p.weights[1:]], p.biases))
    H = Objective(small, f.X @ Q, f.Y, loss, decay).hessian(to_vector(small), at_most)
    return Spectrum(np.linalg.eigvalsh(H), float(decay), f.size - len(H))
