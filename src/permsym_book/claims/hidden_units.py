"""Checks of the page "Hidden units are interchangeable"."""

from __future__ import annotations

from ..parameters import Parameters
from ..permutation import Permutation
from .assemble import Checked, evidence
from .registry import claim
from .settings import random_network


@claim("def-permutation-symmetry", kind="definition", title="Permutation symmetry of a hidden layer",
       proof="proofs/forward.v#permutation_symmetry")
def permutation_symmetry(rng):
    """Every one of the h! relabellings leaves the input-output function unchanged (Definition 25)."""
    n, d, q = (int(v) for v in rng.integers(1, 5, 3))
    h = int(rng.integers(3, 5))

    def compute(a, rng):
        net, X = random_network(a, (d, h, q), rng), a.random((n, d), rng)
        p = net.parameters
        O = net(X)  # noqa: E741
        sides = [(net.permuted(perm)(X), O) for perm in Permutation.all(h)]
        moved = Permutation([*range(1, h), 0]).indices
        parts = {
            "only W1 relabelled": ((p.W1[:, moved], p.W2), (p.b1, p.b2)),
            "only b1 relabelled": ((p.W1, p.W2), (p.b1[moved], p.b2)),
            "only W2 relabelled": ((p.W1, p.W2[moved, :]), (p.b1, p.b2)),
        }
        controls = {name: (net.with_parameters(Parameters(*arrays))(X), O) for name, arrays in parts.items()}
        return Checked(sides, controls)

    return evidence(compute, rng)
