"""Checks of the page "Equivariant optimizers"."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from .. import optimizers
from ..optimizers.base import by_kind
from .assemble import Checked, evidence
from .registry import claim
from .settings import one_way_permutation, random_setting

STEPS = 2
_FACTORS = (Fraction(1, 2), Fraction(1, 4), Fraction(1, 64))


def adam_like(a, params, gradients, extras, t):
    """A rule with two extra numbers for each weight, polynomial so that every ring has it; another one at
    each step.

    m <- (m + g) / 2; s <- s / 4 + g^2; w <- w - (m + w s / 64) / 64, with a constant that depends on the
    matrix and on t.
    """
    half, quarter, small = (a.number(f) for f in _FACTORS)
    first, second = extras
    m = first.map(lambda m, g: (m + g) * half, gradients)
    s = second.map(lambda s, g: s * quarter + g * g, gradients)

    def moved(constant):
        return lambda w, m, s: w - (m * a.number(Fraction(constant + t)) + w * s * small) * small
    return by_kind(moved(1), moved(3), params, m, s), (m, s)


@claim("prop-equivariant-optimizers", kind="proposition",
       title="A rule that acts on every weight alike is equivariant",
       proof="proofs/optimizers.v#equivariant_optimizers")
def equivariant_optimizers(rng):
    """theta'(t) = theta(t)_pi and e'(t) = e(t)_pi for an entrywise rule with extra numbers e, and for
    Nesterov's."""
    seed = int(rng.integers(2**31))

    def compute(a, rng):
        s = random_setting(a, np.random.default_rng(seed), largest=3)
        perm, p = s.perm, s.net.parameters
        batches = [(a.random(s.X.shape, rng), a.random(s.Y.shape, rng)) for _ in range(STEPS)]
        extras = tuple(p.map(lambda A: a.random(A.shape, rng)) for _ in range(2))

        def course(params, extras, rule=adam_like):
            seen = [(params, extras)]
            for t, (X, Y) in enumerate(batches):
                _, g = s.net.with_parameters(params).loss_and_gradients(X, Y)
                params, extras = rule(a, params, g, extras, t)
                seen.append((params, extras))
            return seen

        def numbered(a, params, gradients, extras, t):
            rates = params.map(lambda A: a.lift(np.arange(1, 1 + int(np.prod(A.shape))).reshape(A.shape)))
            return params - gradients.map(lambda g, r: g * r, rates) * a.number(_FACTORS[2]), extras

        nesterov = optimizers.get("nesterov", step_size=1 / 64, momentum=0.5).with_numbers(
            lambda value: a.number(Fraction(value)))

        def library(a, params, gradients, state, t):
            return nesterov.update(params, gradients, nesterov.init(params) if t == 0 else state)

        start, relabelled = p.permuted(perm), tuple(e.permuted(perm) for e in extras)
        sides = []
        for (here, e), (there, f) in zip(course(p, extras), course(start, relabelled), strict=True):
            sides += zip(there.arrays(), here.permuted(perm).arrays(), strict=True)
            sides += [pair for x, y in zip(f, e, strict=True)
                      for pair in zip(x.arrays(), y.permuted(perm).arrays(), strict=True)]
        for (here, _), (there, _) in zip(course(p, None, library), course(start, None, library), strict=True):
            sides += zip(there.arrays(), here.permuted(perm).arrays(), strict=True)

        controls = {
            "a rate for each weight, by its index":
                (course(start, (), numbered)[1][0].W1, course(p, (), numbered)[1][0].permuted(perm).W1),
            "the extra numbers not relabelled":
                (course(start, extras)[-1][0].W1, course(p, extras)[-1][0].permuted(perm).W1),
        }
        return Checked(sides, controls)

    return evidence(compute, np.random.default_rng(rng.integers(2**31)))


@claim("lem-equivariant-operations", kind="lemma",
       title="Operations that an equivariant rule may be built from")
def equivariant_operations(rng):
    """Products G G^T, G^T G, G G^T G and factors such as ||G||^2 are relabelled with G, or not changed at
    all."""
    m, h, n = int(rng.integers(1, 4)), int(rng.integers(3, 6)), int(rng.integers(1, 4))
    seed = int(rng.integers(2**31))

    def compute(a, rng):
        G, V = a.random((m, h), rng), a.random((h, n), rng)
        perm = one_way_permutation(h, np.random.default_rng(seed))
        P = a.lift(perm.matrix())
        Gp, Vp = G @ P, P.T @ V

        def norm(A):
            return (A * A).sum(axis=-1).sum(axis=-1)

        def schulz(A):
            return A @ (A.swapaxes(-1, -2) @ A) * a.number(Fraction(3, 2)) - A * a.number(Fraction(1, 2))

        sides = [
            (Gp @ Gp.swapaxes(-1, -2), G @ G.swapaxes(-1, -2)),
            (Gp.swapaxes(-1, -2) @ Gp, P.T @ (G.swapaxes(-1, -2) @ G) @ P),
            (Vp @ Vp.swapaxes(-1, -2), P.T @ (V @ V.swapaxes(-1, -2)) @ P),
            (schulz(Gp), schulz(G) @ P), (schulz(Vp), P.T @ schulz(V)),
            (Gp * norm(Gp), (G * norm(G)) @ P),
        ]
        places = a.lift(np.arange(1, h + 1))
        controls = {
            "a Gram matrix that is not relabelled": (Gp.swapaxes(-1, -2) @ Gp, G.swapaxes(-1, -2) @ G),
            "a product with a matrix that stays where it is": ((Gp * places) @ Vp, (G * places) @ V),
        }
        return Checked(sides, controls)

    return evidence(compute, np.random.default_rng(rng.integers(2**31)))
