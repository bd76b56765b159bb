"""Hypothesis strategies, and random networks in every arithmetic."""

from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

from permsym_book import MLP, Parameters, Permutation
from permsym_book.activations import ACTIVATIONS
from permsym_book.modular import random_activation, random_residues
from permsym_book.rounding import Ball, on_balls

P = 101  # the prime of the small tests
EXACT = sorted(name for name, activation in ACTIVATIONS.items() if activation.exact)
NAMES = sorted(ACTIVATIONS)
KINDS = ("float64", "float32", "fraction", "int", "mod p")

seeds = st.integers(0, 2**32 - 1)
widths = st.lists(st.integers(1, 5), min_size=2, max_size=5).map(tuple)
hidden = st.lists(st.integers(1, 5), min_size=3, max_size=5).map(tuple)  # at least one hidden layer
samples = st.integers(1, 4)


def permutations(n):
    return st.permutations(range(n)).map(Permutation)


def array(kind, shape, rng):
    """Random numbers of an arithmetic."""
    if kind in ("float64", "float32"):
        return rng.standard_normal(shape).astype(kind)
    if kind == "mod p":
        return random_residues(shape, rng, P)
    tops = rng.integers(-9, 10, shape)
    if kind == "int":
        return tops.astype(object)
    bottoms = rng.integers(1, 8, shape)
    values = [Fraction(int(a), int(b)) for a, b in zip(tops.flat, bottoms.flat, strict=True)]
    return np.array(values, dtype=object).reshape(shape)


def parameters(kind, widths, rng, biases=None):
    """Random parameters; ``biases`` says for each layer whether it has one (all, when left out)."""
    biases = [True] * (len(widths) - 1) if biases is None else biases
    shapes = list(zip(widths, widths[1:], strict=False))
    return Parameters([array(kind, shape, rng) for shape in shapes],
                      [array(kind, shape[1:], rng) if has else None
                       for shape, has in zip(shapes, biases, strict=True)])


def random_perms(net, rng):
    return [Permutation.random(h, rng) for h in net.hidden_widths]


@st.composite
def cases(draw, kinds=KINDS, names=None, shapes=widths):
    """A network, an input X and a target Y for the squared error, of one arithmetic."""
    kind, shape, n = draw(st.sampled_from(kinds)), draw(shapes), draw(samples)
    rng = np.random.default_rng(draw(seeds))
    if kind == "mod p":
        activation = random_activation(rng, P)
    else:
        exact = kind in ("fraction", "int")
        known = [name for name in (names or NAMES) if name in EXACT or not exact]
        activation = draw(st.sampled_from(known))
    biases = draw(st.lists(st.booleans(), min_size=len(shape) - 1, max_size=len(shape) - 1))
    net = MLP(parameters(kind, shape, rng, biases), activation)
    return net, array(kind, (n, shape[0]), rng), array(kind, (n, shape[-1]), rng)


def lists(parameters):
    """The weights and biases as nested lists of Python numbers."""
    def plain(A):
        return None if A is None else getattr(A, "values", A).tolist()
    return [plain(W) for W in parameters.weights], [plain(b) for b in parameters.biases]


def balls(net):
    """The same float64 network with rounding bounds."""
    return MLP(net.parameters.map(Ball), on_balls(net.activation))
