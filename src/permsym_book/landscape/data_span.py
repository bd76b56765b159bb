"""How many eigenvalues are below a number, in a network that has more inputs than samples, from a much smaller matrix.

The output depends on W1 through X W1 alone. With X = Z Q^T, the columns of Q (d, r) orthonormal and r the rank of X,
a network with inputs Z and weights Q^T W1 computes the same, and this change of coordinates keeps lengths. So the
Hessian has the eigenvalues of the small network's, and (d - r) h_1 times the eigenvalue 0.

By Sylvester's law of inertia, H - s I = L D L^T has as many negative eigenvalues as D, which has blocks of one and
two rows (Bunch and Kaufman); each block of two rows has one negative eigenvalue.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import lapack

from ..mlp import MLP
from ..parameters import Parameters
from .objective import Objective
from .vector import to_vector


def eigenvalues_below(net: MLP, X, Y, shifts=(0.0,), loss: str = "squared_error", *, decay: float = 0.0,
                      at_most: int = 8000) -> list[int]:
    """How many eigenvalues of the Hessian of the loss are below each shift.

    Parameters
    ----------
    net : MLP
        In float64.
    X : array, shape (n, d)
    Y : array
    shifts : sequence of float
        Rounding decides where an eigenvalue is as close to a shift as the Hessian's own accuracy; the same answer at
        two shifts says that there is none between them.
    loss : {"squared_error", "cross_entropy"}
    decay : float
        Added to each eigenvalue.
    at_most : int
        The largest number of parameters of the small network, r h_1 instead of d h_1 in the first layer, whose
        Hessian is computed as a matrix: 0.4 GB for 7,000.

    Returns
    -------
    list of int

    Raises
    ------
    TypeError, ValueError
        As :func:`~permsym_book.landscape.hessian.hessian`; if the small network has more than ``at_most`` parameters,
        or a shift is no finite number.

    Examples
    --------
    With one weight w and sigma(z) = z^2 the Hessian at X = 1, Y = 0 is [[54, 108], [108, 81]]; an input that is
    always 0 adds the eigenvalue 0:

    >>> net = MLP.from_arrays([[[3.0], [5.0]], [[1.0]]], [None, None], "square")
    >>> eigenvalues_below(net, np.array([[1.0, 0.0]]), np.zeros((1, 1)), [-50, -40, 1, 180])
    [0, 1, 2, 3]
    """
    shifts = np.asarray(shifts, dtype=float)
    if shifts.ndim != 1 or not np.isfinite(shifts).all():
        raise ValueError(f"shifts is {shifts.tolist()}; a sequence of finite numbers is required")
    f = Objective(net, X, Y, loss, decay)
    U, sizes, _ = np.linalg.svd(f.X.T, full_matrices=False)
    rank = max(1, int((sizes > sizes[0] * max(f.X.shape) * np.finfo(float).eps).sum()))
    Q, p = U[:, :rank], net.parameters
    small = net.with_parameters(Parameters([Q.T @ p.weights[0], *p.weights[1:]], p.biases))
    H = Objective(small, f.X @ Q, f.Y, loss, decay).hessian(to_vector(small), at_most)
    unseen = f.size - len(H)
    return [_below(H, s) + unseen * bool(f.decay < s) for s in shifts]


def _below(H: np.ndarray, shift: float) -> int:
    """How many eigenvalues of a symmetric matrix are below the shift."""
    shifted = H.copy(order="F")
    shifted[np.diag_indices(len(H))] -= shift
    work = int(lapack.dsytrf_lwork(len(H), lower=1)[0])
    D, pivots, _ = lapack.dsytrf(shifted, lower=1, lwork=work, overwrite_a=1)
    pairs = pivots < 0  # both rows of a block of two
    return int((np.diag(D)[~pairs] < 0).sum() + pairs.sum() // 2)
