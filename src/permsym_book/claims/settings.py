"""Random networks, data and permutations in any arithmetic: what the checks are run on."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..mlp import MLP
from ..parameters import Parameters
from ..permutation import Permutation


class Setting(NamedTuple):
    """The chapter's letters, in one arithmetic: data X (n, d) and Y (n, q), the network, the permutation and
    P."""

    arithmetic: Any
    X: Any
    Y: Any
    net: MLP
    perm: Permutation
    P: Any

    @property
    def letters(self):
        """(X, W1, b1, W2, b2, P, sigma, dsigma): what the chains are written in."""
        p = self.net.parameters
        return (self.X, p.W1, p.b1, p.W2, p.b2, self.P, self.net.activation.function,
                self.net.activation.derivative)


def random_network(arithmetic, widths, rng) -> MLP:
    """Random weights and biases of the given widths in the given arithmetic."""
    weights = [arithmetic.random(shape, rng) for shape in zip(widths, widths[1:], strict=False)]
    biases = [arithmetic.random((width,), rng) for width in widths[1:]]
    return MLP(Parameters(weights, biases), arithmetic.activation)


def random_setting(arithmetic, rng, *, largest: int = 6) -> Setting:
    """A one-hidden-layer network of random sizes with data and a permutation that is not its own inverse."""
    n, d, q = (int(v) for v in rng.integers(1, largest + 1, 3))
    h = int(rng.integers(3, largest + 2))
    net = random_network(arithmetic, (d, h, q), rng)
    perm = one_way_permutation(h, rng)
    return Setting(arithmetic, arithmetic.random((n, d), rng), arithmetic.random((n, q), rng), net, perm,
                   arithmetic.lift(perm.matrix()))


def one_way_permutation(h: int, rng: np.random.Generator) -> Permutation:
    """A random permutation of h >= 3 units with order above 2: a swap would hide a wrong direction."""
    while True:
        perm = Permutation.random(h, rng)
        if perm.order > 2:
            return perm
