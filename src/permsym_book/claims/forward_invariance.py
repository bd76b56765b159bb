"""Checks of the page "The forward pass is invariant"."""

from __future__ import annotations

import numpy as np

from ..activations import ACTIVATIONS
from ..parameters import Parameters
from .assemble import Checked, Step, evidence
from .registry import claim
from .settings import one_way_permutation, random_setting


@claim("lem-elementwise-commutes", kind="lemma", title="Element-wise functions commute with a permutation",
       proof="proofs/permutation.v#elementwise_commutes")
def elementwise_commutes(rng):
    """sigma(Z P) = sigma(Z) P for an element-wise sigma (Lemma 2), and not for functions that mix columns."""
    n, h = int(rng.integers(1, 6)), int(rng.integers(3, 8))
    perm = one_way_permutation(h, rng)
    name = str(rng.choice(list(ACTIVATIONS)))

    def compute(a, rng):
        sigma, Z, P = a.activation.function, a.random((n, h), rng), a.lift(perm.matrix())
        literal = [sigma(Z[:, k:k + 1]) for k in perm]  # one column at a time
        left, right = sigma(Z @ P), sigma(Z) @ P
        sides = [(left, right), *((right[:, j:j + 1], column) for j, column in enumerate(literal))]
        # Z @ running is the cumulative sum over the units
        running = a.lift(np.triu(np.ones((h, h), dtype=int)))
        gain = a.lift(np.arange(1, h + 1))
        controls = {
            "cumulative sum over the units": ((Z @ P) @ running, (Z @ running) @ P),
            "a gain for each position": ((Z @ P) * gain, (Z * gain) @ P),
        }
        return Checked(sides, controls)

    return evidence(compute, rng, activation=name)


def forward_chains(s):
    """Equations (7) and (8), expression by expression."""
    X, W1, b1, W2, b2, P, sigma, _ = s.letters
    W1p, b1p, W2p = W1[:, s.perm.indices], b1[s.perm.indices], W2[s.perm.indices, :]
    passed = s.net.forward(X)
    Z, H, O = passed.Z[0], passed.H[0], passed.O  # noqa: E741
    Hp = s.net.permuted(s.perm).forward(X).H[0]
    hidden = [
        Step("(7)", r"\mathbf H_\pi", "the relabelled network's own forward pass", Hp),
        Step("(7)", r"\sigma(\mathbf X\mathbf W^{(1)}_\pi + \mathbf b^{(1)}_\pi)", "definition of the layer",
             sigma(X @ W1p + b1p)),
        Step("(7)", r"\sigma(\mathbf X\mathbf W^{(1)}\mathbf P + \mathbf b^{(1)}\mathbf P)",
             "definition of the relabelling", sigma(X @ W1 @ P + b1 @ P)),
        Step("(7)", r"\sigma((\mathbf X\mathbf W^{(1)} + \mathbf b^{(1)})\mathbf P)", "distributive law",
             sigma((X @ W1 + b1) @ P)),
        Step("(7)", r"\sigma(\mathbf Z\mathbf P)", "definition of Z", sigma(Z @ P)),
        Step("(7)", r"\sigma(\mathbf Z)\,\mathbf P", "the lemma", sigma(Z) @ P),
        Step("(7)", r"\mathbf H\mathbf P", "definition of H", H @ P),
    ]
    output = [
        Step("(8)", r"\mathbf O_\pi", "the relabelled network's own forward pass", s.net.permuted(s.perm)(X)),
        Step("(8)", r"\mathbf H_\pi\mathbf W^{(2)}_\pi + \mathbf b^{(2)}", "definition of the output",
             Hp @ W2p + b2),
        Step("(8)", r"(\mathbf H\mathbf P)(\mathbf P^\top\mathbf W^{(2)}) + \mathbf b^{(2)}", "equation (7)",
             (H @ P) @ (P.T @ W2) + b2),
        Step("(8)", r"\mathbf H(\mathbf P\mathbf P^\top)\mathbf W^{(2)} + \mathbf b^{(2)}", "associative law",
             H @ (P @ P.T) @ W2 + b2),
        Step("(8)", r"\mathbf H\mathbf W^{(2)} + \mathbf b^{(2)}", "P is orthogonal", H @ W2 + b2),
        Step("(8)", r"\mathbf O", "definition of O", O),
    ]
    return [hidden, output]


def wrong_relabellings(s) -> dict:
    """The network with one part of the relabelling left out or done the wrong way round."""
    p, perm = s.net.parameters, s.perm.indices
    moved = s.net.permuted(s.perm).parameters
    wrong = {
        "W1 and b1 relabelled, W2 forgotten": ((moved.W1, p.W2), (moved.b1, p.b2)),
        "b1 forgotten": ((moved.W1, moved.W2), (p.b1, p.b2)),
        "W2 relabelled, W1 and b1 forgotten": ((p.W1, moved.W2), (p.b1, p.b2)),
        "P instead of its transpose on W2": ((moved.W1, p.W2[np.argsort(perm), :]), (moved.b1, p.b2)),
    }
    return {name: s.net.with_parameters(Parameters(*arrays)) for name, arrays in wrong.items()}


@claim("thm-forward-invariance", kind="theorem", title="Forward invariance",
       proof="proofs/forward.v#forward_invariance")
def forward_invariance(rng):
    """H_pi = H P and O_pi = O (Theorem 4), equations (7) and (8) line by line."""
    seed = int(rng.integers(2**31))

    def compute(a, rng):
        s = random_setting(a, np.random.default_rng(seed))
        passed, relabelled = s.net.forward(s.X), s.net.permuted(s.perm).forward(s.X)
        sides = [(relabelled.O, passed.O), (relabelled.H[0], passed.H[0] @ s.P),
                 (relabelled.Z[0], passed.Z[0] @ s.P)]
        controls = {name: (net(s.X), passed.O) for name, net in wrong_relabellings(s).items()}
        return Checked(sides, controls, forward_chains(s))

    return evidence(compute, rng)
