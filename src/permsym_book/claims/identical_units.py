"""Checks of the page "Identical units"."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ..mlp import identical_units
from ..permutation import Permutation
from ..training import sgd
from .assemble import Checked, Step, evidence
from .registry import claim
from .settings import random_network

ALPHA = Fraction(1, 128)
STEPS = 3
GROUP = (0, 2, 3)  # the identical units; unit 1 and any later one are different


def symmetric_network(a, widths, rng):
    """A random network whose hidden units GROUP are identical, and the 3-cycle that fixes it."""
    return (identical_units(random_network(a, widths, rng), 0, GROUP),
            Permutation.from_cycles([GROUP], n=widths[1]))


@claim("prop-identical-units-stay-identical", kind="proposition", title="Identical units stay identical",
       proof="proofs/training.v#identical_units_stay_identical")
def identical_units_stay_identical(rng):
    """theta_pi = theta implies theta(t)_pi = theta(t) for every t: Corollary 1 applied with theta_pi =
    theta."""
    n, d, q = (int(v) for v in rng.integers(1, 5, 3))
    h = int(rng.integers(4, 7))

    def compute(a, rng):
        net, perm = symmetric_network(a, (d, h, q), rng)
        alpha = a.number(ALPHA)
        batches = [(a.random((n, d), rng), a.random((n, q), rng)) for _ in range(STEPS)]
        seen = []
        sgd(net, batches, alpha, callback=lambda t, net: seen.append(net.parameters))
        sides = [pair for p in seen for pair in zip(p.permuted(perm).arrays(), p.arrays(), strict=True)]

        p = net.parameters
        _, g = net.loss_and_gradients(*batches[0])
        _, gp = net.permuted(perm).loss_and_gradients(*batches[0])
        P = a.lift(perm.matrix())
        chain = [
            Step("step", r"\mathbf W^{(1)}(t{+}1)\,\mathbf P", "what must be shown fixed", seen[1].W1 @ P),
            Step("step",
                 r"\mathbf W^{(1)}\mathbf P - \alpha\,(\partial\mathcal L/\partial\mathbf W^{(1)})\,\mathbf"
                 r" P", "definition of the step, distributive law", p.W1 @ P - (g.W1 @ P) * alpha),
            Step("step", r"\mathbf W^{(1)}\mathbf P - \alpha\,\partial\mathcal L/\partial\mathbf W^{(1)}_\pi",
                 "backward invariance", p.W1 @ P - gp.W1 * alpha),
            Step("step", r"\mathbf W^{(1)} - \alpha\,\partial\mathcal L/\partial\mathbf W^{(1)}",
                 "the missing step: the relabelled network is the network", p.W1 - g.W1 * alpha),
            Step("step", r"\mathbf W^{(1)}(t{+}1)", "definition of the step", seen[1].W1),
        ]

        def gap_after_training(weights_in, weights_out):
            """W1 after training, and W1 with the group's units cycled, when only some arrays are
            symmetric."""
            free = random_network(a, (d, h, q), rng)
            arrays = [weights_in(free.parameters, p), weights_out(free.parameters, p)]
            start = free.with_parameters(type(p)([arrays[0][0], arrays[1]], [arrays[0][1], p.b2]))
            end = sgd(start, batches, alpha).parameters
            return end.W1, end.W1[:, perm.indices]

        def incoming(p):
            return p.W1, p.b1

        controls = {
            "equal incoming, different outgoing weights":
                gap_after_training(lambda free, p: incoming(p), lambda free, p: free.W2),
            "equal outgoing, different incoming weights":
                gap_after_training(lambda free, p: incoming(free), lambda free, p: p.W2),
            "unit 1, which is not in the group": (seen[-1].W1[:, :1], seen[-1].W1[:, 1:2]),
        }
        return Checked(sides, controls, [chain])

    return evidence(compute, np.random.default_rng(rng.integers(2**31)))
