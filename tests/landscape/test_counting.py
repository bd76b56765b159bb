"""Counts against their enumerations, against orbits of networks, and against each other."""

from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb, factorial, log10

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from permsym_book import MLP
from permsym_book.landscape.counting import (
    SaddleCounts,
    critical_subspace_count,
    critical_words,
    expansion_count,
    expansion_words,
    log10_minima_copies,
    log10_saddle_counts,
    minima_copies,
    saddle_count,
    saddle_counts,
    saddle_words,
    scientific,
)
from permsym_book.orbits import orbit, orbit_size

SIZES = [(r, m) for r in range(1, 5) for m in range(1, 8)]


def stirling(m, k):
    """Partitions of m things into k groups, by taking the last thing away."""
    if m == 0 or k == 0:
        return int(m == k)
    return k * stirling(m - 1, k) + stirling(m - 1, k - 1)


def bell(u):
    return sum(stirling(u, k) for k in range(u + 1))


# ---- permutation points -------------------------------------------------------------------------


@pytest.mark.parametrize("n", range(1, 8))
def test_permutation_points_are_as_many_as_their_words(n):
    for K in range(n + 2):
        words = list(saddle_words(n, K))
        assert len(words) == len(set(words)) == saddle_count(n, K)
        for word in words:
            counts = sorted(word.count(v) for v in range(n - K))
            assert len(word) == n and counts == [1] * (n - 2 * K) + [2] * K


@pytest.mark.parametrize("n", range(1, 7))
def test_words_are_the_rearrangements_of_the_doubled_sets(n):
    for K in range(1, n // 2 + 1):
        distinct = range(n - K)
        literal = {p for doubled in combinations(distinct, K) for p in permutations([*distinct, *doubled])}
        assert set(saddle_words(n, K)) == literal


def test_known_values():
    assert [saddle_count(4, K) for K in (1, 2)] == [36, 6]
    assert [saddle_count(7, K) for K in (1, 2, 3)] == [15120, 12600, 2520]
    assert [saddle_count(n, 0) for n in range(1, 6)] == [1, 2, 6, 24, 120]


@pytest.mark.parametrize("n, K", [(3, 1), (4, 1), (4, 2), (5, 2)])
def test_they_are_the_orbits_of_networks_with_doubled_units(n, K):
    rng = np.random.default_rng(n)
    W1, W2 = rng.standard_normal((2, n - K)), rng.standard_normal((n - K, 1))
    nets = []
    for doubled in combinations(range(n - K), K):
        units = [*range(n - K), *doubled]
        nets.append(MLP.from_arrays([W1[:, units], W2[units]], [None, None]))
    assert sum(orbit_size(net, 0) for net in nets) == saddle_count(n, K)
    points = {np.concatenate([A.ravel() for A in other.parameters.arrays()]).tobytes() for net in nets
              for other in orbit(net)}
    assert len(points) == saddle_count(n, K)


def test_a_network_counts_the_pairs_in_any_layer_and_the_orders_of_all():
    widths = (2, 4, 5, 3)
    for K in (1, 2):
        expected = tuple(saddle_count(n, K) * minima_copies(widths) // factorial(n) for n in (4, 5))
        counted = saddle_counts(widths, K)
        assert counted.per_layer == expected
        assert counted.total == sum(expected) == counted.factor * counted.minima
        assert counted.minima == 24 * 120
        assert counted.factor == sum(Fraction(comb(n - K, K), 2**K) for n in (4, 5))


def test_a_network_by_words():
    widths, K = (1, 3, 4, 2), 1
    words = [*product(saddle_words(3, K), permutations(range(4))), *product(permutations(range(3)), saddle_words(4, K))]
    assert len(set(words)) == saddle_counts(widths, K).total


def test_the_K_doubles_are_part_of_the_critical_subspaces():
    for n in range(2, 8):
        assert saddle_count(n, 1) == critical_subspace_count(n - 1, n)
        for K in range(2, n // 2 + 1):
            assert set(saddle_words(n, K)) < set(critical_words(n - K, n))
    assert (saddle_count(4, 2), critical_subspace_count(2, 4)) == (6, 14)


def test_no_hidden_layer_and_too_many_pairs():
    assert saddle_counts((3, 2), 1) == SaddleCounts(1, (), 0, Fraction(0))
    assert saddle_counts((3, 3, 2), 2) == SaddleCounts(6, (0,), 0, Fraction(0))
    assert minima_copies((3, 2)) == 1
    assert log10_saddle_counts((3, 3, 2), 2) == float("-inf")
    assert list(saddle_words(2, 2)) == list(saddle_words(1, 5)) == []


# ---- 2105.12221 ---------------------------------------------------------------------------------


@pytest.mark.parametrize("r, m", SIZES)
def test_critical_subspaces_are_as_many_as_their_words(r, m):
    words = list(critical_words(r, m))
    assert len(words) == len(set(words)) == critical_subspace_count(r, m) == factorial(r) * stirling(m, r)
    assert all(set(word) == set(range(r)) for word in words)


@pytest.mark.parametrize("r, m", SIZES)
def test_subspaces_of_the_expansion_manifold_are_as_many_as_their_words(r, m):
    words = list(expansion_words(r, m))
    assert len(words) == len(set(words)) == expansion_count(r, m)


@pytest.mark.parametrize("r, m", [(1, 1), (1, 4), (2, 4), (3, 5), (2, 5)])
def test_the_words_are_the_choices_of_copies_and_the_partitions_of_the_others(r, m):
    """Two words with the same copies and the same sets of units in groups would be one subspace."""
    def subspace(word):
        copies = tuple(letter if letter < r else None for letter in word)
        groups = frozenset(frozenset(i for i in range(m) if word[i] == letter) for letter in set(word) if letter >= r)
        return copies, groups

    literal = {subspace(word) for word in product(range(m), repeat=m) if set(range(r)) <= set(word)}
    assert {subspace(word) for word in expansion_words(r, m)} == literal
    assert len(literal) == expansion_count(r, m)


@pytest.mark.parametrize("r, m", [*SIZES, (5, 12), (20, 31), (1, 40)])
def test_the_other_formulas(r, m):
    by_groups = sum(critical_subspace_count(r + j, m) // factorial(j) for j in range(max(m - r, -1) + 1))
    by_units = sum(comb(m, u) * critical_subspace_count(r, m - u) * _bells(m)[u] for u in range(m))
    assert expansion_count(r, m) == by_groups == by_units


def _bells(m):
    """Bell numbers up to m, by the triangle."""
    row, out = [1], [1]
    for _ in range(m):
        new = [row[-1]]
        for value in row:
            new.append(new[-1] + value)
        row = new
        out.append(row[0])
    return out


def test_bell_numbers_of_the_oracle():
    assert _bells(6)[:7] == [bell(u) for u in range(7)] == [1, 1, 2, 5, 15, 52, 203]


def test_known_values_of_the_expansion():
    assert [expansion_count(2, m) for m in (2, 3, 4, 5)] == [2, 12, 62, 320]
    assert [expansion_count(3, m) for m in (2, 3, 4)] == [0, 6, 60]
    assert [critical_subspace_count(r, r) for r in range(1, 6)] == [1, 2, 6, 24, 120]
    assert [critical_subspace_count(1, m) for m in range(1, 6)] == [1] * 5


# ---- real sizes ---------------------------------------------------------------------------------


@given(st.lists(st.integers(1, 60), min_size=2, max_size=5), st.integers(1, 6))
def test_logarithms_are_those_of_the_integers(widths, K):
    counted = saddle_counts(widths, K)
    # lgamma is within a few units of rounding of values below 200, and there are at most twelve of them
    assert abs(log10_minima_copies(widths) - log10(counted.minima)) <= 1e-12
    if counted.total:
        assert abs(log10_saddle_counts(widths, K) - log10(counted.total)) <= 1e-12
    else:
        assert log10_saddle_counts(widths, K) == float("-inf")


def test_a_real_network():
    widths = (784, 512, 512, 10)
    copies = minima_copies(widths)
    assert 10**2333 <= copies < 10**2334
    assert scientific(copies) == "1.209e2333"
    assert abs(log10_minima_copies(widths) - log10(copies)) <= 1e-11
    assert saddle_counts(widths, 1).factor == 511


@given(st.integers(1, 10**40), st.integers(1, 8))
def test_scientific_is_correctly_rounded(number, figures):
    leading, _, exponent = scientific(number, figures).partition("e")
    assert len(leading.replace(".", "")) == figures
    value = Fraction(leading) * Fraction(10)**int(exponent)
    assert 1 <= Fraction(leading) < 10
    assert abs(value - number) <= Fraction(10)**(len(str(number)) - figures) / 2


@pytest.mark.parametrize("power", [1, 2, 15, 16, 17, 300, 308, 309, 512, 1024, 5000])
def test_scientific_at_powers_of_ten(power):
    assert scientific(10**power, 3) == scientific(10**power + 10**power // 10**4, 3) == f"1.00e{power}"
    if power <= 309:
        assert scientific(10**power - 1, power) == f"{'9.' if power > 1 else '9'}{'9' * (power - 1)}e{power - 1}"
    if power > 4:
        assert scientific(10**power - 1, 3) == f"1.00e{power}"


def test_scientific_where_the_rounded_logarithm_is_below_the_exponent():
    assert int(log10(10**512)) == 511
    assert scientific(10**512 + 10**495, 20) == "1.0000000000000000100e512"


def test_large_counts_within_the_limits():
    assert critical_subspace_count(1, 10**400) == 1 and log10_saddle_counts((1, 4, 1), 10**400) == float("-inf")
    assert log10_minima_copies((1, 10**300, 1)) > 1e302
    assert saddle_count(20000, 1) == factorial(20000) * 19999 // 2
    assert expansion_count(1000, 1000) == factorial(1000)


# ---- bad input ----------------------------------------------------------------------------------


@pytest.mark.parametrize("call, error, message", [
    (lambda: saddle_count(0, 1), ValueError, "n is 0; at least 1"),
    (lambda: saddle_count(4, -1), ValueError, "K is -1; at least 0"),
    (lambda: saddle_count(4.0, 1), TypeError, "n is 4.0 of type float; an integer"),
    (lambda: saddle_counts((2, 3, 1), 0), ValueError, "K is 0; at least 1"),
    (lambda: saddle_counts((2, 0, 1), 1), ValueError, r"widths\[1\] is 0; at least 1"),
    (lambda: saddle_counts((2,), 1), ValueError, r"widths is \(2,\); at least the numbers of inputs and outputs"),
    (lambda: minima_copies(3), TypeError, "widths is 3 of type int; a sequence"),
    (lambda: log10_saddle_counts((2, 3, 1), 0), ValueError, "K is 0"),
    (lambda: critical_subspace_count(0, 1), ValueError, "r is 0; at least 1"),
    (lambda: expansion_count(1, 0), ValueError, "m is 0; at least 1"),
    (lambda: saddle_words(9, 1), ValueError, "8\\^9 words would have to be gone through; at most 2000000"),
    (lambda: critical_words(4, 20), ValueError, "4\\^20 words"),
    (lambda: expansion_words(1, 8), ValueError, "8\\^8 words"),
    (lambda: saddle_words(10**7, 1), ValueError, "9999999\\^10000000 words .*; at most 2000000 are allowed"),
    (lambda: minima_copies((1, 10**7, 1)), ValueError,
     r"widths is \(1, 10000000, 1\): the count has more than 1000000 digits.*log10_minima"),
    (lambda: saddle_count(10**7, 1), ValueError, "n is 10000000: .*log10_saddle_counts"),
    (lambda: saddle_counts((1, 10**7, 1), 1), ValueError, "widths is .*log10_saddle_counts"),
    (lambda: critical_subspace_count(3000, 10**5), ValueError, "r is 3000 and m is 100000: .* more than 10000000 digits"),
    (lambda: critical_subspace_count(10**200, 10**300), ValueError, "r is 1000"),
    (lambda: expansion_count(1, 20000), ValueError, "m is 20000; at most 1000"),
    (lambda: log10_minima_copies((1, 10**400, 1)), ValueError, "a hidden width has 1329 binary digits; at most 1000"),
    (lambda: log10_saddle_counts((1, 10**400, 1), 1), ValueError, "a hidden width has 1329 binary digits"),
    (lambda: scientific(0), ValueError, "number is 0; at least 1"),
    (lambda: scientific(5, 0), ValueError, "figures is 0; at least 1"),
    (lambda: scientific(5, 1001), ValueError, "figures is 1001; at most 1000"),
])
def test_bad_input(call, error, message):
    with pytest.raises(error, match=message):
        call()
