"""Checks of the page "Exact redundancy"."""

from __future__ import annotations

from fractions import Fraction
from math import factorial, prod

import numpy as np

from ..mlp import MLP
from ..orbits import multiplicities, orbit_size, stabilizer_size
from ..parameters import Parameters
from ..permutation import Permutation
from .assemble import counted
from .registry import claim


def network_with_multiplicities(sizes, rng) -> MLP:
    """A rational network whose hidden units fall into groups of identical units of the given sizes."""
    d, q = 2, 2
    label = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))

    def fractions(shape):
        return np.array([Fraction(int(v), 3) for v in rng.integers(-50, 50, int(np.prod(shape)))],
                        dtype=object).reshape(shape)

    W1, b1, W2 = fractions((d, len(sizes))), fractions((len(sizes),)), fractions((len(sizes), q))
    W1[0, :] = [Fraction(k) for k in range(len(sizes))]  # different groups differ for certain
    return MLP.from_arrays([W1[:, label], W2[label, :]], [b1[label], fractions((q,))], "square")


def distinct_relabellings(net: MLP) -> int:
    """The orbit's size by the literal definition: relabel in all h! ways and count the different networks."""
    return len({tuple(x for A in net.parameters.permuted(perm).arrays() for x in A.flat)
                for perm in Permutation.all(net.hidden_widths[0])})


def fixing_permutations(net: MLP) -> int:
    """The stabilizer's size by the literal definition: count the permutations that change nothing."""
    return sum(net.parameters.permuted(perm) == net.parameters
               for perm in Permutation.all(net.hidden_widths[0]))


@claim("prop-orbit-size", kind="proposition", title="Size of the orbit",
       proof="proofs/counting.v#orbit_size")
def orbit_size_formula(rng):
    """A network with multiplicities m_1, ..., m_r has h!/(m_1! ... m_r!) distinct relabellings."""
    sizes = [3, *rng.integers(1, 3, int(rng.integers(1, 3))).tolist()]  # a 3, so that m! is neither 1 nor m
    net = network_with_multiplicities(sizes, rng)
    h, brute, fixing = sum(sizes), distinct_relabellings(net), fixing_permutations(net)
    formula = factorial(h) // prod(factorial(m) for m in sizes)
    pairs = [(brute, formula), (orbit_size(net), brute), (stabilizer_size(net), fixing),
             (brute * fixing, factorial(h)), *zip(sorted(multiplicities(net)[0]), sorted(sizes), strict=True)]
    # every outgoing row different
    W2 = np.array([[Fraction(j), Fraction(1)] for j in range(h)], dtype=object)
    p = net.parameters
    incoming_only = net.with_parameters(Parameters([p.W1, W2], [p.b1, p.b2]))
    controls = {
        "h! without dividing": (factorial(h), brute),
        "dividing by the multiplicities, not by their factorials": (factorial(h) // prod(sizes), brute),
        "units alike in their incoming weights only": (distinct_relabellings(incoming_only), formula),
    }
    return counted(pairs, controls)
