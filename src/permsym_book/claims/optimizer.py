"""Checks of the page "The optimizer preserves the symmetry"."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ..training import sgd, sgd_step
from .assemble import Checked, Step, evidence
from .registry import claim
from .settings import one_way_permutation, random_setting

ALPHA = Fraction(1, 128)
STEPS = 3  # with sigma = z^2 rationals have about five times the digits after every step


def step_chain(s, alpha):
    """The SGD step of W1, b1, W2 and b2, expression by expression."""
    p, P = s.net.parameters, s.P
    moved = s.net.permuted(s.perm)
    _, g = s.net.loss_and_gradients(s.X, s.Y)
    _, gp = moved.loss_and_gradients(s.X, s.Y)
    stepped, m = sgd_step(moved, s.X, s.Y, alpha).parameters, moved.parameters
    program = "the relabelled network's own step"

    def chain(line, letter, own, old, gradient, relabelled_old, relabelled_gradient, relabel, left, right):
        W = rf"\mathbf {letter}"
        G = rf"\partial\mathcal L/\partial\mathbf {letter}"
        return [
            Step(line, rf"{W}_\pi \text{{ after the step}}", program, own),
            Step(line, rf"{W}_\pi - \alpha\,{G}_\pi", "definition of the step",
                 relabelled_old - relabelled_gradient * alpha),
            Step(line, rf"{left}{W}{right} - \alpha\,{left}({G}){right}", "backward invariance",
                 relabel(old) - relabel(gradient) * alpha),
            Step(line, rf"{left}({W} - \alpha\,{G}){right}", "distributive law",
                 relabel(old - gradient * alpha)),
        ]

    by_columns, by_rows = (lambda A: A @ P), (lambda A: P.T @ A)
    return [
        chain("step W1", "W^{(1)}", stepped.W1, p.W1, g.W1, m.W1, gp.W1, by_columns, "", r"\mathbf P"),
        chain("step b1", "b^{(1)}", stepped.b1, p.b1, g.b1, m.b1, gp.b1, by_columns, "", r"\mathbf P"),
        chain("step W2", "W^{(2)}", stepped.W2, p.W2, g.W2, m.W2, gp.W2, by_rows, r"\mathbf P^\top ", ""),
        chain("step b2", "b^{(2)}", stepped.b2, p.b2, g.b2, m.b2, gp.b2, lambda A: A, "", ""),
    ]


@claim("cor-training-invariance", kind="corollary", title="Permutation symmetry is a training invariant",
       proof="proofs/training.v#training_invariance")
def training_invariance(rng):
    """theta_pi(t) = (theta(t))_pi after every SGD step, and the outputs agree on new inputs (Corollary 1)."""
    seed = int(rng.integers(2**31))

    def compute(a, rng):
        s = random_setting(a, np.random.default_rng(seed), largest=4)
        alpha = a.number(ALPHA)
        batches = [(a.random(s.X.shape, rng), a.random(s.Y.shape, rng)) for _ in range(STEPS)]
        plain, twin = [], []
        sgd(s.net, batches, alpha, callback=lambda t, net: plain.append(net))
        sgd(s.net.permuted(s.perm), batches, alpha, callback=lambda t, net: twin.append(net))
        X_new = a.random(s.X.shape, rng)
        sides = [pair for here, there in zip(plain, twin, strict=True)
                 for pair in zip(there.parameters.arrays(), here.parameters.permuted(s.perm).arrays(),
                                 strict=True)]
        sides += [(there(X_new), here(X_new)) for here, there in zip(plain, twin, strict=True)]

        last = plain[-1].parameters.permuted(s.perm)
        start = s.net.permuted(s.perm)
        other = sgd(start, batches[:-1] + [(X_new, batches[-1][1])], alpha).parameters
        _, g = s.net.loss_and_gradients(*batches[0])
        unrelabelled = start.parameters - g * alpha
        first = plain[1].parameters.permuted(s.perm)
        wrong = one_way_permutation(len(s.perm), np.random.default_rng(seed + 1))
        while wrong == s.perm:
            wrong = s.perm.inverse()
        controls = {
            "the twin sees another last batch": (other.W1, last.W1),
            "the twin steps with the gradient not relabelled": (unrelabelled.W1, first.W1),
            "related by another permutation": (twin[-1].parameters.W1,
                                               plain[-1].parameters.permuted(wrong).W1),
        }
        return Checked(sides, controls, step_chain(s, alpha))

    return evidence(compute, rng)
