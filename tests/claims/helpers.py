"""What every test of a claim asks of it."""

from __future__ import annotations

import numpy as np
import pytest

from permsym_book import formulas, relabelling
from permsym_book.claims import registry
from permsym_book.parameters import Parameters

TRIALS = 6
SEEDS = (1992, 7)


def assert_holds(slug: str, *, controls: set[str], links: int = 0) -> None:
    """The statement holds in float64 and exactly, each hypothesis dropped breaks it, and no rung is
    missing."""
    for seed in SEEDS:
        e = registry.verify(slug, seed=seed, trials=TRIALS).evidence
        assert e.passed, e.failures
        assert e.float64.residual <= e.float64.bound
        assert e.exact.residual == 0
        assert {c.name for c in e.controls} == controls
        assert all(c.residual > c.bound and c.exact_residual > 0 for c in e.controls)
        assert len(e.chain) == links
        assert all(k.float64.residual <= k.float64.bound and k.exact_residual == 0 for k in e.chain)


def fails(slug: str) -> bool:
    """Whether the check notices that something is wrong (used after sabotage)."""
    return not registry.verify(slug, trials=TRIALS).evidence.passed


def notices(slug: str, *sabotages):
    """A test that the check fails under each sabotage."""
    @pytest.mark.parametrize("sabotage", sabotages)
    def test(monkeypatch, sabotage):
        sabotage(monkeypatch)
        assert fails(slug)
    return test


def rows_the_wrong_way(monkeypatch):
    """Sabotage: relabel the rows of W2 with P instead of its transpose."""
    def permuted(self, perms):
        perms = relabelling.checked_permutations("perms", perms, self.hidden_widths)
        ins, outs = (None, *(p.inverse() for p in perms)), (*perms, None)
        take = relabelling._taken
        return Parameters._trusted(
            [take(take(W, i, -2), o, -1) for W, i, o in zip(self.weights, ins, outs, strict=True)],
            [None if b is None else take(b, o, -1) for b, o in zip(self.biases, outs, strict=True)])
    monkeypatch.setattr(Parameters, "permuted", permuted)


def bias_forgotten(monkeypatch):
    """Sabotage: relabel the weights and leave the hidden biases."""
    right = Parameters.permuted
    monkeypatch.setattr(Parameters, "permuted",
                        lambda self, perms: Parameters._trusted(right(self, perms).weights, self.biases))


def delta_by_position(monkeypatch):
    """Sabotage: a backward pass whose hidden delta is scaled by the unit's position."""
    right = formulas.backward

    def backward(weights, biases, dsigmas, X, passed, delta_O, masks=None):
        scaled = [lambda Z, d=d: d(Z) * np.arange(1, Z.shape[-1] + 1) for d in dsigmas]
        return right(weights, biases, scaled, X, passed, delta_O, masks)
    monkeypatch.setattr(formulas, "backward", backward)


def sigma_by_position(monkeypatch):
    """Sabotage: a forward pass whose activation is scaled by the unit's position: not element-wise."""
    right = formulas.forward

    def forward(weights, biases, sigmas, X, masks=None):
        return right(weights, biases, [lambda Z, s=s: s(Z) * np.arange(1, Z.shape[-1] + 1) for s in sigmas],
                     X, masks)
    monkeypatch.setattr(formulas, "forward", forward)
