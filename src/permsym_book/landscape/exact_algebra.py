"""Kernels over the rationals or modulo a prime, and signs of quadratic forms over the rationals: nothing is rounded."""

from __future__ import annotations

from fractions import Fraction

from ..validation import checked_array


def kernel(rows, p: int | None = None) -> list[list]:
    """A basis of the vectors x with ``rows`` times x equal to 0.

    Parameters
    ----------
    rows : sequence of rows of Fraction, or of int
    p : int, optional
        A prime to compute modulo; the rationals when left out.

    Returns
    -------
    list of vectors
        The rank of the rows is their length less the number of these.

    Examples
    --------
    >>> kernel([[1, 2, 3], [2, 4, 6]])
    [[Fraction(-2, 1), Fraction(1, 1), Fraction(0, 1)], [Fraction(-3, 1), Fraction(0, 1), Fraction(1, 1)]]
    >>> kernel([[1, 2], [3, 4]]), kernel([[1, 2], [3, 4]], p=2)
    ([], [[0, 1]])
    """
    def lifted(value):
        return int(value) % p if p else Fraction(value)

    def inverse(value):
        return pow(value, -1, p) if p else 1 / value

    A = [[lifted(v) for v in row] for row in rows]
    width, pivots = len(A[0]), []
    for column in range(width):
        r = len(pivots)
        found = next((k for k in range(r, len(A)) if A[k][column]), None)
        if found is None:
            continue
        A[r], A[found] = A[found], A[r]
        scale = inverse(A[r][column])
        A[r] = [lifted(v * scale) for v in A[r]]
        for k, row in enumerate(A):
            if k != r and row[column]:
                factor = row[column]
                A[k] = [lifted(v - factor * w) for v, w in zip(row, A[r], strict=True)]
        pivots.append(column)
    basis = []
    for free in range(width):
        if free not in pivots:
            x = [lifted(0)] * width
            x[free] = lifted(1)
            for r, column in enumerate(pivots):
                x[column] = lifted(-A[r][free])
            basis.append(x)
    return basis


def exact_inertia(H) -> tuple[int, int, int]:
    """How many negative, zero and positive signs a symmetric matrix of Fractions has, by symmetric elimination.

    By Sylvester's law of inertia the signs of the diagonal that is left are those of the eigenvalues.

    Parameters
    ----------
    H : array of Fraction, shape (N, N)

    Returns
    -------
    (int, int, int)
        Negative, zero, positive.

    Raises
    ------
    TypeError, ValueError
        If H is not a symmetric array of exact numbers.

    Examples
    --------
    >>> import numpy as np
    >>> exact_inertia(np.array([[0, 1, 0], [1, 0, 0], [0, 0, 0]], dtype=object))
    (1, 1, 1)
    """
    H = checked_array("H", H, 2)
    if H.dtype != object:
        raise TypeError(f"H has dtype {H.dtype}; an array of exact numbers (dtype object) is required")
    if H.shape[0] != H.shape[1] or (H != H.T).any():
        raise ValueError(f"H of shape {H.shape} is not symmetric; a symmetric matrix is required")
    A = [[Fraction(v) for v in row] for row in H.tolist()]
    negative = positive = 0
    while A:
        n = len(A)
        k = next((k for k in range(n) if A[k][k]), None)
        if k is None:
            pair = next(((i, j) for i in range(n) for j in range(i) if A[i][j]), None)
            if pair is None:
                break
            k, j = pair
            A[k] = [v + w for v, w in zip(A[k], A[j], strict=True)]  # row k + row j, and the same for columns:
            for row in A:  # the diagonal entry becomes 2 A[k][j]
                row[k] += row[j]
        d = A[k][k]
        negative, positive = negative + (d < 0), positive + (d > 0)
        rest = [i for i in range(n) if i != k]
        A = [[A[i][j] - A[i][k] * A[k][j] / d for j in rest] for i in rest]
    return negative, len(H) - negative - positive, positive
