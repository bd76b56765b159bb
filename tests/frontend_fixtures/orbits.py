"""Orbits and stabilizers of networks with identical units, counted and listed by permsym_book.orbits."""

from __future__ import annotations

import numpy as np

from permsym_book import MLP, Parameters
from permsym_book.orbits import orbit, orbit_size, stabilizer, stabilizer_size, unit_classes

LISTED = 130


def lists(p: Parameters) -> dict:
    return {letter: getattr(p, letter).tolist() for letter in ("W1", "b1", "W2", "b2")}


def fixture() -> dict:
    """``orbits``: a list of cases; sizes as decimal text, for they may not fit a double."""
    rng, cases = np.random.default_rng(62), []
    for h in (1, 2, 3, 4, 5, 6, 6, 8, 10):
        for _ in range(4):
            groups = rng.integers(0, rng.integers(1, h + 1), h)  # unit u has the weights of unit groups[u]
            net = MLP.random((2, h, 1), rng, scheme="normal")
            p = net.parameters
            copied = net.with_parameters(Parameters([p.W1[:, groups], p.W2[groups]], [p.b1[groups], p.b2]))
            size = orbit_size(copied), stabilizer_size(copied)
            cases.append({"network": lists(p), "groups": groups.tolist(), "copied": lists(copied.parameters),
                          "classes": unit_classes(copied)[0].tolist(), "orbit_size": str(size[0]),
                          "stabilizer_size": str(size[1]),
                          "orbit": [lists(e.parameters) for e in orbit(copied)] if size[0] <= LISTED else None,
                          "stabilizer": [s.indices.tolist() for s, in stabilizer(copied)] if size[1] <= LISTED else None})
    return {"orbits": cases}
