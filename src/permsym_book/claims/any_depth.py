"""Checks of the page "Any depth"."""

from __future__ import annotations

from fractions import Fraction

from ..parameters import Parameters
from ..training import sgd_step
from .assemble import Checked, evidence
from .registry import claim
from .settings import one_way_permutation, random_network

ALPHA = Fraction(1, 128)


@claim("thm-deep-invariance", kind="theorem", title="Invariance at any depth",
       proof="proofs/depth.v#deep_invariance")
def deep_invariance(rng):
    """The product of the S_{h_l} acts: outputs agree, every H_l, gradient and SGD step is relabelled."""
    n, d, q = (int(v) for v in rng.integers(1, 4, 3))
    hidden = [int(v) for v in rng.integers(3, 6, int(rng.integers(2, 4)))]
    hidden[1] = hidden[0]  # so that one layer's permutation fits the next
    perms = [one_way_permutation(h, rng) for h in hidden]
    while perms[0] == perms[1]:
        perms[1] = one_way_permutation(hidden[1], rng)

    def compute(a, rng):
        net = random_network(a, (d, *hidden, q), rng)
        X, Y, alpha = a.random((n, d), rng), a.random((n, q), rng), a.number(ALPHA)
        moved, p = net.permuted(perms), net.parameters
        passed, relabelled = net.forward(X), moved.forward(X)
        _, g = net.loss_and_gradients(X, Y)
        _, own = moved.loss_and_gradients(X, Y)
        sides = [(relabelled.O, passed.O)]
        sides += [(Hp, H @ a.lift(perm.matrix())) for Hp, H,
                  perm in zip(relabelled.H, passed.H, perms, strict=True)]
        sides += zip(own.arrays(), g.permuted(perms).arrays(), strict=True)
        stepped = sgd_step(net, X, Y, alpha).parameters.permuted(perms)
        sides += zip(sgd_step(moved, X, Y, alpha).parameters.arrays(), stepped.arrays(), strict=True)

        m = moved.parameters
        first, second = perms[0].indices, perms[1].indices
        wrong = {
            "columns of W2 relabelled, rows forgotten": p.W2[:, second],
            "rows of W2 relabelled by the next layer's permutation": p.W2[second, :][:, second],
            "rows and columns of W2 exchanged": p.W2[second, :][:, first],
        }
        controls = {name: (net.with_parameters(Parameters((m.W1, W2, *m.weights[2:]), m.biases))(X), passed.O)
                    for name, W2 in wrong.items()}
        return Checked(sides, controls)

    return evidence(compute, rng)
