"""The widget ``permutation-matrix``."""

from __future__ import annotations

import numpy as np
import traitlets

from ..claims.display import number
from ..figures import Figure, matrices
from ..permutation import Permutation
from .base import BookWidget
from .traits import Array, Perm, first_cycle, fitting, synced

ROWS = (2, 6)
MISTAKES = ("transpose", "order")


class PermutationMatrix(BookWidget):
    """A permutation matrix on the left and on the right of a matrix, its transpose, and two of them in a row.

    Examples
    --------
    >>> w = PermutationMatrix(A=np.arange(9.0).reshape(3, 3), perm=[2, 0, 1])
    >>> w.columns_moved
    array([[2., 0., 1.],
           [5., 3., 4.],
           [8., 6., 7.]])
    >>> w.rows_moved[0]
    array([6., 7., 8.])
    """

    slug = "permutation-matrix"
    sentence = ("With JavaScript you can change the matrix and both permutations, follow each entry through the products on either"
                " side, and see what a transpose in the wrong place does.")

    A = synced(Array(2, largest=1000, help="The matrix that is multiplied (n, n), 2 <= n <= 6, float64 entries from -1000 to 1000."))
    perm = synced(Perm(help="P: column j of A P is column perm[j] of A."))
    second = synced(Perm(help="Q, the permutation that follows P."))
    mistakes = synced(traitlets.Dict(value_trait=traitlets.Bool(), key_trait=traitlets.Enum(MISTAKES),
                                     help="What is done wrong on purpose: P in place of its transpose (transpose), Q P in place of P Q"
                                          " (order)."))

    def __init__(self, **traits):
        if "A" not in traits:
            n = len(traits.get("perm", traits.get("second", range(4))))
            traits["A"] = 10.0 * np.arange(1, n + 1)[:, None] + np.arange(1, n + 1)
        n = len(traits["A"])
        traits.setdefault("perm", first_cycle(n))
        traits.setdefault("second", Permutation([0, 3, 1, 2, *range(4, n)] if n > 3 else [*range(n - 2), n - 1, n - 2]))
        super().__init__(**traits)

    @traitlets.validate("A")
    def _matrix_fits(self, proposal):
        A = proposal["value"]
        if A.shape[0] != A.shape[1] or not ROWS[0] <= len(A) <= ROWS[1]:
            raise traitlets.TraitError(f"A has shape {A.shape}; a square matrix of {ROWS[0]} to {ROWS[1]} rows is required")
        return A

    @traitlets.validate("perm", "second")
    def _perm_fits(self, proposal):
        return fitting(proposal["trait"].name, proposal["value"], None if self.A is None else len(self.A), "columns")

    @property
    def columns_moved(self) -> np.ndarray:
        """A P, shape (n, n)."""
        return self.A @ self.perm.matrix(float)

    @property
    def rows_moved(self) -> np.ndarray:
        """P^T A, shape (n, n)."""
        return self.perm.matrix(float).T @ self.A

    @property
    def product(self) -> Permutation:
        """First P, then Q: the permutation of P Q."""
        return self.perm @ self.second

    def picture(self) -> Figure:
        """A, A P and P transposed A, with the old column or row in each slot."""
        return matrices({"A": self.A, "A P": self.columns_moved}, units={"A": range(len(self.A)), "A P": list(self.perm)},
                        alt="A matrix before and after a permutation matrix on its right: whole columns change places.")

    def table(self):
        """Per slot: the column of A in A P, and in A P^T, the row of A in P^T A, and the columns of both compositions."""
        inverse, other = self.perm.inverse(), self.second @ self.perm
        rows = [[j, *(p[j] for p in (self.perm, inverse, self.product, other))] for j in range(len(self.A))]
        gap = abs(self.columns_moved - self.A[:, self.perm.indices]).max()
        heads = ["slot", "column in A P, row in P^T A", "column in A P^T, row in P A", "column in A P Q", "column in A Q P"]
        return heads, [*rows, ["", "max |A P - A[:, perm]|", number(gap), "", ""]]
