"""Checks of the page "The backward pass is invariant"."""

from __future__ import annotations

import numpy as np

from .. import formulas
from ..parameters import Parameters
from .assemble import Checked, Step, evidence
from .forward_invariance import wrong_relabellings
from .registry import claim
from .settings import random_setting


def backward_chains(s):
    """Equation (9), the chain for delta_H, equation (10) and the two biases, expression by expression."""
    X, W1, b1, W2, b2, P, sigma, dsigma = s.letters
    perm = s.perm.indices
    passed, moved = s.net.forward(X), s.net.permuted(s.perm)
    Z, H = passed.Z[0], passed.H[0]
    Zp, Hp = X @ W1[:, perm] + b1[perm], sigma(X @ W1[:, perm] + b1[perm])
    W2p = W2[perm, :]
    delta_O, delta_Op = passed.O - s.Y, Hp @ W2p + b2 - s.Y
    delta_H = (delta_O @ W2.T) * dsigma(Z)
    delta_Hp = (delta_Op @ W2p.T) * dsigma(Zp)
    _, gradients = s.net.loss_and_gradients(X, s.Y)
    _, own = moved.loss_and_gradients(X, s.Y)
    program = "the relabelled network's own gradient"
    output = [
        Step("(9)", r"\partial\mathcal L/\partial\mathbf W^{(2)}_\pi", program, own.W2),
        Step("(9)", r"\mathbf H_\pi^\top\boldsymbol\delta_{O,\pi}", "the gradient's formula",
             Hp.T @ delta_Op),
        Step("(9)", r"\mathbf H_\pi^\top\boldsymbol\delta_O", "the output is unchanged", Hp.T @ delta_O),
        Step("(9)", r"(\mathbf H\mathbf P)^\top\boldsymbol\delta_O", "equation (7)", (H @ P).T @ delta_O),
        Step("(9)", r"\mathbf P^\top\mathbf H^\top\boldsymbol\delta_O", "(AB)^T = B^T A^T",
             P.T @ (H.T @ delta_O)),
        Step("(9)", r"\mathbf P^\top\,\partial\mathcal L/\partial\mathbf W^{(2)}", "the gradient's formula",
             P.T @ gradients.W2),
    ]
    hidden = [
        Step("delta", r"\boldsymbol\delta_{H,\pi}", "definition", delta_Hp),
        Step("delta", r"(\boldsymbol\delta_O\mathbf W^{(2)\top}_\pi)\odot\sigma'(\mathbf Z_\pi)",
             "the output is unchanged", (delta_O @ W2p.T) * dsigma(Zp)),
        Step("delta", r"(\boldsymbol\delta_O\mathbf W^{(2)\top}\mathbf P)\odot\sigma'(\mathbf Z_\pi)",
             "definition of the relabelling", (delta_O @ W2.T @ P) * dsigma(Zp)),
        Step("delta", r"(\boldsymbol\delta_O\mathbf W^{(2)\top}\mathbf P)\odot\sigma'(\mathbf Z\mathbf P)",
             "equation (7)", (delta_O @ W2.T @ P) * dsigma(Z @ P)),
        Step("delta", r"(\boldsymbol\delta_O\mathbf W^{(2)\top}\mathbf P)\odot(\sigma'(\mathbf Z)\mathbf P)",
             "the lemma, for sigma'", (delta_O @ W2.T @ P) * (dsigma(Z) @ P)),
        Step("delta", r"((\boldsymbol\delta_O\mathbf W^{(2)\top})\odot\sigma'(\mathbf Z))\mathbf P",
             "the Hadamard product is element-wise", ((delta_O @ W2.T) * dsigma(Z)) @ P),
        Step("delta", r"\boldsymbol\delta_H\mathbf P", "definition", delta_H @ P),
    ]
    first = [
        Step("(10)", r"\partial\mathcal L/\partial\mathbf W^{(1)}_\pi", program, own.W1),
        Step("(10)", r"\mathbf X^\top\boldsymbol\delta_{H,\pi}", "the gradient's formula", X.T @ delta_Hp),
        Step("(10)", r"\mathbf X^\top\boldsymbol\delta_H\mathbf P", "the chain for delta",
             X.T @ (delta_H @ P)),
        Step("(10)", r"(\partial\mathcal L/\partial\mathbf W^{(1)})\,\mathbf P", "the gradient's formula",
             gradients.W1 @ P),
    ]
    biases = [
        Step("bias 1", r"\partial\mathcal L/\partial\mathbf b^{(1)}_\pi", program, own.b1),
        Step("bias 1", r"\mathbf 1^\top\boldsymbol\delta_H\mathbf P", "column sums of delta",
             (delta_H @ P).sum(-2)),
        Step("bias 1", r"(\partial\mathcal L/\partial\mathbf b^{(1)})\,\mathbf P",
             "summing rows commutes with P", gradients.b1 @ P),
    ]
    output_bias = [
        Step("bias 2", r"\partial\mathcal L/\partial\mathbf b^{(2)}_\pi", program, own.b2),
        Step("bias 2", r"\mathbf 1^\top\boldsymbol\delta_O", "column sums; the output is unchanged",
             delta_O.sum(-2)),
        Step("bias 2", r"\partial\mathcal L/\partial\mathbf b^{(2)}", "the gradient's formula", gradients.b2),
    ]
    return [output, hidden, first, biases, output_bias]


def gradient_of_another_loss(s, net):
    """The gradient for a loss whose derivative by O is sigma(O) * Y: an arbitrary function of the output."""
    p, passed = net.parameters, net.forward(s.X)
    delta_O = net.activation.function(passed.O) * s.Y
    return Parameters(*formulas.backward(p.weights, p.biases, [net.activation.derivative], s.X, passed,
                                         delta_O))


@claim("thm-backward-invariance", kind="theorem", title="Backward invariance",
       proof="proofs/backward.v#backward_invariance")
def backward_invariance(rng):
    """grad L(theta_pi) = pi grad L(theta) (Theorem 5), equations (9) and (10) line by line."""
    seed = int(rng.integers(2**31))

    def compute(a, rng):
        s = random_setting(a, np.random.default_rng(seed))
        _, gradients = s.net.loss_and_gradients(s.X, s.Y)
        _, own = s.net.permuted(s.perm).loss_and_gradients(s.X, s.Y)
        expected = gradients.permuted(s.perm)
        sides = list(zip(own.arrays(), expected.arrays(), strict=True))
        other = gradient_of_another_loss(s, s.net).permuted(s.perm)
        sides += zip(gradient_of_another_loss(s, s.net.permuted(s.perm)).arrays(), other.arrays(),
                     strict=True)
        wrong = {name: net.loss_and_gradients(s.X, s.Y)[1] for name, net in wrong_relabellings(s).items()}
        controls = {name: (g.W1, expected.W1) for name, g in wrong.items()}
        controls["the gradient expected identical, not relabelled"] = (own.W1, gradients.W1)
        controls["P instead of its transpose on dL/dW2"] = (own.W2, s.P @ gradients.W2)
        return Checked(sides, controls, backward_chains(s))

    return evidence(compute, rng)
