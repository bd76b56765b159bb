"""Checks of the page "Permutation matrices"."""

from __future__ import annotations

import numpy as np

from ..permutation import Permutation
from .assemble import Checked, evidence
from .registry import claim
from .settings import one_way_permutation


@claim("def-permutation-matrix", kind="definition", title="Permutation matrix",
       proof="proofs/permutation.v#permutation_matrixP")
def permutation_matrix(rng):
    """P is orthogonal; on the right it permutes columns, its transpose on the left rows (Definition 26)."""
    h, m = int(rng.integers(3, 8)), int(rng.integers(1, 6))
    perm = one_way_permutation(h, rng)

    def compute(a, rng):
        P, identity = a.lift(perm.matrix()), a.lift(np.eye(h, dtype=int))
        A, B = a.random((m, h), rng), a.random((h, m), rng)
        # the literal definition: column j of AP is column perm[j] of A
        columns = [A[:, k:k + 1] for k in perm]
        AP = A @ P
        sides = [
            (P.T @ P, identity),
            (P @ P.T, identity),
            (A @ P, A[:, perm.indices]),
            (P.T @ B, B[perm.indices, :]),
            (a.lift(Permutation.from_matrix(perm.matrix()).matrix()), P),
            (a.lift(perm.inverse().matrix()), P.T),
            *((AP[:, j:j + 1], column) for j, column in enumerate(columns)),
        ]
        doubled = perm.matrix()
        doubled[:, 0] = doubled[:, 1]  # two ones in one row: not a permutation matrix
        D = a.lift(doubled)
        controls = {
            "two columns alike: D^T D against I": (D.T @ D, identity),
            "column j of A moved to perm[j] instead": (A @ P, A[:, perm.inverse().indices]),
            "P instead of its transpose on rows": (P @ B, B[perm.indices, :]),
        }
        return Checked(sides, controls)

    return evidence(compute, rng)
