"""Checks of the page "Counting saddles against minima"."""

from __future__ import annotations

from itertools import combinations, product
from math import comb, factorial, prod

import numpy as np

from ..landscape.counting import minima_copies, saddle_count, saddle_counts, saddle_words
from ..mlp import MLP
from ..parameters import Parameters
from ..permutation import Permutation
from .assemble import counted
from .registry import claim

SIZES = (
    (4, 2, (4,)),
    (5, 2, (5,)),
    (3, 1, (3, 3)),
    (4, 2, (4, 2)),
    (4, 1, (2, 4)),
)  # n, K, the hidden widths


def integer_network(widths, rng) -> Parameters:
    """A network of even integers, exact in float64; the units of a layer differ in their incoming weights."""
    weights = [2.0 * rng.integers(-9, 10, shape) for shape in zip(widths, widths[1:], strict=False)]
    biases = [2.0 * rng.integers(-9, 10, width) for width in widths[1:]]
    for W in weights[:-1]:
        W[0] = 2 * rng.permutation(W.shape[1]) + 2
    return Parameters(weights, biases)


def doubled(theta: Parameters, layer: int, units) -> Parameters:
    """Each of these units becomes two with its incoming weights and bias and half its outgoing weights."""
    units = list(units)
    weights, biases = list(theta.weights), list(theta.biases)
    W, b, V = weights[layer], biases[layer], weights[layer + 1].copy()
    V[units] /= 2
    weights[layer], weights[layer + 1] = (
        np.concatenate([W, W[:, units]], axis=1),
        np.concatenate([V, V[units]]),
    )
    biases[layer] = np.concatenate([b, b[units]])
    return Parameters(weights, biases)


def with_twins(theta: Parameters, layer: int) -> Parameters:
    """Unit 1 of the layer equals its unit 0."""
    same = np.arange(theta.hidden_widths[layer])
    same[1] = 0
    weights, biases = list(theta.weights), list(theta.biases)
    weights[layer], biases[layer] = weights[layer][:, same], biases[layer][same]
    weights[layer + 1] = weights[layer + 1][same]
    return Parameters(weights, biases)


def permutation_points(theta: Parameters, layer: int, K: int) -> dict[tuple[float, ...], Parameters]:
    """By the literal definition: double K units and relabel in every way, keep the different networks."""
    found = {}
    for units in combinations(range(theta.hidden_widths[layer]), K):
        point = doubled(theta, layer, units)
        for perms in product(*map(Permutation.all, point.hidden_widths)):
            seen = point.permuted(perms)
            found[tuple(x for A in seen.arrays() for x in A.ravel().tolist())] = seen
    return found


def functions(networks, X) -> int:
    """How many different functions they compute, as far as X shows, with relu: exactly, on integers."""
    return len({tuple(MLP(p, "relu")(X).ravel().tolist()) for p in networks})


@claim("prop-saddle-count", kind="proposition", title="The number of permutation points")
def saddle_counts_formula(rng):
    """Words, and networks of integers one by one, against n! C(n-K, K) / 2^K and its sum over the layers."""
    n, K, hidden = SIZES[int(rng.integers(len(SIZES)))]
    layer, widths = hidden.index(n), (2, *hidden, 1)
    theta = integer_network((2, *hidden[:layer], n - K, *hidden[layer + 1 :], 1), rng)
    points = permutation_points(theta, layer, K)
    listed, X = len(points), 1.0 * rng.integers(-9, 10, (3, 2))
    by_formula = saddle_counts(widths, K)
    others = prod(factorial(h) for h in hidden) // factorial(n)

    longer = int(rng.integers(2, 7))
    pairs = int(rng.integers(0, longer // 2 + 1))
    equal = len(permutation_points(with_twins(theta, layer), layer, K))

    words, most = sum(1 for _ in saddle_words(longer, pairs)), int(rng.integers(4, 7))
    thrice = sum(1 for _ in saddle_words(most, 2))
    return counted(
        [
            (listed, by_formula.per_layer[layer]),
            (by_formula.per_layer[layer], others * saddle_count(n, K)),
            (sum(by_formula.per_layer), by_formula.total),
            (words, saddle_count(longer, pairs)),
            (words * 2**pairs, factorial(longer) * comb(longer - pairs, pairs)),
            (by_formula.minima, minima_copies(widths)),
            (functions([theta, *points.values()], X), 1),
        ],
        {
            "not divided by 2^K": (listed, minima_copies(widths) * comb(n - K, K)),
            "K of the n units instead of K of the n - K vectors": (
                listed * 2**K,
                minima_copies(widths) * comb(n, K),
            ),
            "K = 2, a vector may also occur three times": (thrice, onto(most - 2, most)),
            "two of the vectors equal": (equal, by_formula.per_layer[layer]),
        },
    )


def onto(r: int, m: int) -> int:
    """The words of length m in which each of r letters occurs, one by one."""
    return sum(len(set(word)) == r for word in product(range(r), repeat=m))
