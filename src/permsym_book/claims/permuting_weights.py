"""Checks of the page "Permuting the weights"."""

from __future__ import annotations

import numpy as np

from .assemble import Checked, Step, evidence
from .registry import claim
from .settings import random_setting


@claim("rem-transpose", kind="remark", title="Why the transpose",
       proof="proofs/permutation.v#why_the_transpose")
def transpose(rng):
    """P^T on the left relabels rows as P on the right relabels columns; P = P^T only for involutions (Remark
    17)."""
    seed = int(rng.integers(2**31))

    def compute(a, rng):
        s = random_setting(a, np.random.default_rng(seed))
        W1, b1, W2, P = s.net.parameters.W1, s.net.parameters.b1, s.net.parameters.W2, s.P
        moved = s.net.permuted(s.perm).parameters
        sides = [(moved.W1, W1 @ P), (moved.b1, b1 @ P), (moved.W2, P.T @ W2),
                 (moved.b2, s.net.parameters.b2)]
        chain = [
            Step("rows", r"\mathbf W^{(2)}_\pi", "rows taken in the order of perm", W2[s.perm.indices, :]),
            Step("rows", r"\bigl(\mathbf W^{(2)\top}\mathbf P\bigr)^\top",
                 "rows of W2 are columns of its transpose", (W2.T @ P).T),
            Step("rows", r"\mathbf P^\top \mathbf W^{(2)}", "(AB)^T = B^T A^T", P.T @ W2),
        ]
        controls = {
            "P instead of its transpose on W2": (P @ W2, moved.W2),
            "the transpose on W1 as well": (W1 @ P.T, moved.W1),
            "P against its transpose": (P, P.T),
        }
        return Checked(sides, controls, [chain])

    return evidence(compute, rng)
