"""Canonical forms and matches against the whole group on small networks, and large ones known to be hard."""

import re
from fractions import Fraction
from itertools import islice, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from permsym_book import MLP, Parameters, Permutation
from permsym_book.canonical import SearchLimitExceeded, canonical, same_up_to_permutation
from permsym_book.modular import ModArray, lookup_activation
from permsym_book.refinement import LayeredGraph
from permsym_book.rounding import Ball
from permsym_book.search import is_automorphism, searched


def group(widths):
    return product(*(Permutation.all(h) for h in widths))


def random_perms(net, rng):
    return [rng.permutation(h) for h in net.hidden_widths]


def middle(A):
    A = np.asarray(A, dtype=float)
    return MLP.from_arrays([np.ones((2, len(A))), A, np.ones((A.shape[1], 1))], [None] * 3)


def circulant(n, offsets):
    return np.array([[float((j - i) % n in offsets) for j in range(n)] for i in range(n)])


def projective_plane(q):
    """Points against lines over the integers modulo a prime."""
    points = [(1, a, b) for a in range(q) for b in range(q)] + [(0, 1, a) for a in range(q)] + [(0, 0, 1)]
    return np.array([[np.dot(x, y) % q == 0 for y in points] for x in points])


def table(shape, draw, top):
    n = int(np.prod(shape))
    return np.array(draw(st.lists(st.integers(0, top), min_size=n, max_size=n)), dtype=float).reshape(shape)


@st.composite
def small_networks(draw):
    hidden = draw(st.sampled_from([(1,), (3,), (4,), (2, 3), (3, 3), (4, 3), (4, 4), (2, 2, 2), (3, 3, 3),
                                   (3, 2, 3)]))
    widths = (draw(st.integers(1, 2)), *hidden, draw(st.integers(1, 2)))
    top = draw(st.integers(0, 2))
    weights = [np.eye(*s) if 0 < i < len(hidden) and draw(st.booleans()) else table(s, draw, top)
               for i, s in enumerate(zip(widths, widths[1:], strict=False))]
    biases = [table((h,), draw, top) if draw(st.booleans()) else None for h in widths[1:]]
    return MLP.from_arrays(weights, biases)


@st.composite
def pairs(draw):
    """A network, and a relabelling of it in which two weights of one matrix have traded places."""
    net = draw(small_networks())
    weights = [W.copy() for W in net.parameters.weights]
    W = weights[draw(st.integers(0, len(weights) - 1))].reshape(-1)
    i, j = draw(st.integers(0, W.size - 1)), draw(st.integers(0, W.size - 1))
    W[i], W[j] = W[j], W[i]
    perms = [draw(st.permutations(range(h))) for h in net.hidden_widths]
    return net, MLP.from_arrays(weights, net.parameters.biases).permuted(perms)


@settings(max_examples=100, deadline=None)
@given(small_networks(), st.integers(1, 23))
def test_all_relabellings_have_one_canonical_form(net, start):
    form = canonical(net)
    assert form.network == net.permuted(form.permutations)
    for perms in islice(group(net.hidden_widths), start, None, 23):
        assert canonical(net.permuted(perms)).network == form.network


@settings(max_examples=120, deadline=None)
@given(pairs())
def test_same_up_to_permutation_agrees_with_the_whole_group(pair):
    a, b = pair
    expected = any(a.permuted(perms) == b for perms in group(a.hidden_widths))
    for tolerance in (0.0, 0.25):  # integers within 0.25 are equal
        match = same_up_to_permutation(a, b, tolerance)
        assert bool(match) == match.equal == expected
        if expected:
            assert a.permuted(match.permutations) == b and not match.reason
        else:
            assert match.permutations is None and match.reason
    assert (canonical(a).network == canonical(b).network) == expected


def within(a, b, tolerance):
    return all((abs(x - y) <= tolerance).all()
               for x, y in zip(a.parameters.arrays(), b.parameters.arrays(), strict=True))


@settings(max_examples=120, deadline=None)
@given(pairs(), st.data())
def test_tolerance_agrees_with_the_whole_group(pair, data):
    a, b = pair
    steps = st.sampled_from([0.0, 0.0, 0.0, 0.5, -0.5, 1.0])
    weights, biases = ([None if A is None else A + np.reshape(data.draw(
        st.lists(steps, min_size=A.size, max_size=A.size)), A.shape) for A in arrays]
        for arrays in (b.parameters.weights, b.parameters.biases))
    b = MLP.from_arrays(weights, biases)
    for tolerance in (0.5, 1.0):
        match = same_up_to_permutation(a, b, tolerance)
        assert match.equal == any(within(a.permuted(perms), b, tolerance) for perms in group(a.hidden_widths))
        assert match.permutations is None or within(a.permuted(match.permutations), b, tolerance)


H = np.array([[1.0, 1.0], [1.0, -1.0]])
HARD = {
    "constant": np.ones((60, 50)),
    "zero": np.zeros((40, 40)),
    "identity": np.eye(100),
    "negated identity": 1 - np.eye(30),
    "12-cycle": circulant(6, {0, 1}),
    "many short cycles": np.kron(np.eye(20), circulant(5, {0, 1})),
    "many Fano planes": np.kron(np.eye(5), circulant(7, {1, 2, 4})),
    "cycle with chords": circulant(50, {1, 5, 7, 43, 45, 49}),
    "projective plane of order 7": projective_plane(7),
    "Hadamard matrix": np.kron(np.kron(H, H), np.kron(H, H)),
    "hypercube": np.array([[(i ^ j).bit_count() == 1 for j in range(32)] for i in range(32)]),
}


@pytest.mark.parametrize("name", HARD)
def test_hard_networks_are_decided_within_few_nodes(name):
    rng = np.random.default_rng(0)
    net = middle(HARD[name])
    other = net.permuted(random_perms(net, rng))
    form = canonical(net, max_nodes=500)
    assert canonical(other, max_nodes=500).network == form.network == net.permuted(form.permutations)
    match = same_up_to_permutation(net, other, max_nodes=500)
    assert net.permuted(match.permutations) == other


@pytest.mark.parametrize("one, other, equal", [
    (circulant(6, {0, 1}), np.kron(np.eye(2), circulant(3, {0, 1})), False),  # a 12-cycle and two 6-cycles
    (circulant(13, {0, 1, 3}), circulant(13, {5, 7, 11}), True),  # s -> 2 s + 5
    (circulant(13, {0, 1, 3}), circulant(13, {0, 1, 4}), False),  # no s -> m s + c, and 13 is prime
    (circulant(13, {0, 1, 3}), circulant(13, {0, 1, 2}), False),
])
def test_regular_middles_that_refinement_cannot_tell_apart(one, other, equal):
    for A in (one, other):
        colours, _ = LayeredGraph(middle(A).parameters.weights, [[], []]).refined()
        assert not any(colours[layer].any() for layer in (1, 2))  # one cell in each layer
    assert same_up_to_permutation(middle(one), middle(other)).equal is equal
    assert (canonical(middle(one)).network == canonical(middle(other)).network) is equal


def block_diagonal(*blocks):
    return np.block([[B if i == j else np.zeros((len(B), len(C))) for j, C in enumerate(blocks)]
                     for i, B in enumerate(blocks)])


@pytest.mark.parametrize("seed", range(12))
def test_units_that_refinement_confuses_but_no_symmetry_exchanges(seed):
    """One cell, several orbits: the first branch depends on the numbering, the best must not."""
    rng = np.random.default_rng(seed)
    cycles = [circulant(n, {0, 1}) for n in (3, 5, 3, 4)]
    threes = [circulant(n, {0, 1, last}) for n, last in ((7, 3), (9, 3), (8, 3), (8, 2))]
    for A, B in ((block_diagonal(*cycles), block_diagonal(*cycles[:2], circulant(7, {0, 1}))),
                 (block_diagonal(*threes), block_diagonal(*threes[:2], *threes[2:3] * 2))):
        net = middle(A)
        other = net.permuted(random_perms(net, rng))
        assert canonical(other, max_nodes=1000).network == canonical(net, max_nodes=1000).network
        match = same_up_to_permutation(other, net)
        assert other.permuted(match.permutations) == net
        assert not same_up_to_permutation(other, middle(B))


def test_a_hexagon_and_two_triangles_are_the_same_middle_matrix():
    """As matrices between two different layers both are two 6-cycles, since rows and columns move apart."""
    hexagon, triangles = circulant(6, {1, 5}), np.kron(np.eye(2), circulant(3, {1, 2}))
    match = same_up_to_permutation(middle(hexagon), middle(triangles))
    assert middle(hexagon).permuted(match.permutations) == middle(triangles)
    # read as a square between three layers, rows and columns tied by I, they differ
    tied = [MLP.from_arrays([np.ones((1, 6)), np.eye(6), A + 2 * np.eye(6), np.ones((6, 1))], [None] * 4)
            for A in (hexagon, triangles)]
    assert not same_up_to_permutation(*tied)


def test_generators_are_automorphisms_and_two_wrong_moves_are_not():
    net = middle(circulant(7, {1, 2, 4}))
    graph = LayeredGraph(net.parameters.weights, [[], []])
    generators = searched(graph).generators
    assert generators and all(is_automorphism(graph, moves) for moves in generators)
    cycle = np.roll(np.arange(7), 1)
    assert is_automorphism(graph, (cycle, cycle))
    assert not is_automorphism(graph, (cycle, np.arange(7)))
    assert not is_automorphism(graph, (cycle, cycle[::-1]))


def test_refinement_reaches_the_coarsest_equitable_colouring():
    rng = np.random.default_rng(0)
    for trial in range(200):
        density = 0.1 + 0.1 * (trial % 4)
        weights = [(rng.random(shape) < density).astype(int) for shape in ((1, 6), (6, 5), (5, 1))]
        colours, _ = LayeredGraph(weights, [[], []]).refined()
        literal = [[0], [0] * 6, [0] * 5, [0]]
        for _ in range(12):  # all recoloured at once by all they see; 11 units split at most 11 times
            seen = [[(literal[layer][u],
                      sorted(zip(literal[layer - 1], weights[layer - 1][:, u].tolist(), strict=True)),
                      sorted(zip(literal[layer + 1], weights[layer][u].tolist(), strict=True)))
                     for u in range(len(literal[layer]))] for layer in (1, 2)]
            literal = [[0], *([sorted(map(repr, of)).index(repr(x)) for x in of] for of in seen), [0]]
        for layer in (1, 2):
            n = len(literal[layer])
            assert all((literal[layer][i] == literal[layer][j]) == (colours[layer][i] == colours[layer][j])
                       for i in range(n) for j in range(n))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_large_generic_networks(dtype):
    rng = np.random.default_rng(0)
    net = MLP.random((20, 64, 48, 5), rng, dtype=dtype)
    perms = random_perms(net, rng)
    match = same_up_to_permutation(net, net.permuted(perms))
    assert all((p.indices == q).all() for p, q in zip(match.permutations, perms, strict=True))
    noisy = net.with_parameters(net.permuted(perms).parameters.map(
        lambda A: A + (1e-4 * rng.uniform(-1, 1, A.shape)).astype(dtype)))
    assert not same_up_to_permutation(net, noisy)
    assert not same_up_to_permutation(net, noisy, 1e-5)
    assert same_up_to_permutation(net, noisy, 1.01e-4).permutations == match.permutations


def test_dead_units_twins_and_signed_zeros():
    rng = np.random.default_rng(0)
    weights = [rng.standard_normal((4, 9)), rng.standard_normal((9, 6)), rng.standard_normal((6, 2))]
    weights[0][:, :4], weights[1][:3] = 0.0, 0.0  # units 0 to 2 are twins, unit 3 differs by its row
    net = MLP.from_arrays(weights, [np.zeros(9), None, None])
    weights[0][:, 1], weights[1][2] = -0.0, -0.0
    signed = MLP.from_arrays(weights, [-np.zeros(9), None, None])
    other = signed.permuted(random_perms(net, rng))
    assert canonical(net).network == canonical(other).network
    match = same_up_to_permutation(net, other)
    assert net.permuted(match.permutations) == other


def test_other_arithmetics():
    rng = np.random.default_rng(0)
    numbers = [rng.integers(0, 3, shape) for shape in ((2, 5), (5, 4), (4, 1))]
    thirds = [np.array([[Fraction(int(x), 3) for x in row] for row in W], dtype=object) for W in numbers]
    exact = MLP.from_arrays(thirds, [None] * 3, "relu")
    modular = Parameters([ModArray(W, 7) for W in numbers], [None] * 3)
    for net in (exact, modular):
        other = net.permuted(random_perms(net, rng))
        assert canonical(net).network == canonical(other).network
        match = same_up_to_permutation(net, other)
        assert net.permuted(match.permutations) == other
    thirds[2] = thirds[2] + Fraction(1, 10**30)  # below the resolution of float64
    moved = MLP.from_arrays(thirds, [None] * 3, "relu").permuted(random_perms(exact, rng))
    assert not same_up_to_permutation(exact, moved)
    assert same_up_to_permutation(exact, moved, Fraction(1, 10**30))
    assert not same_up_to_permutation(exact, moved, Fraction(1, 10**30) - Fraction(1, 10**40))
    with pytest.raises(TypeError, match="numbers modulo p"):
        same_up_to_permutation(modular, modular, 0.5)


def test_labelled_parts_do_not_move():
    net = MLP.from_arrays([[[1.0, 2.0], [3.0, 4.0]], [[1.0, 5.0], [2.0, 7.0]]], [None, np.zeros(2)])
    p = net.parameters
    inputs = MLP.from_arrays([p.W1[::-1], p.W2], p.biases)
    outputs = MLP.from_arrays([p.W1, p.W2[:, ::-1]], p.biases)
    bias = MLP.from_arrays(p.weights, [None, np.array([0.0, 1.0])])
    for other in (inputs, outputs, bias):
        assert not same_up_to_permutation(net, other) and not same_up_to_permutation(net, other, 0.5)


def test_a_network_without_hidden_layer():
    net = MLP.from_arrays([np.ones((2, 2))], [np.ones(2)])
    near = net.with_parameters(net.parameters * 1.5)
    assert canonical(net).network == net and canonical(net).permutations == ()
    assert same_up_to_permutation(net, net).permutations == ()
    assert not same_up_to_permutation(net, near) and not same_up_to_permutation(net, near, 0.4)
    assert same_up_to_permutation(net, near, 0.5).permutations == ()


def test_different_kinds_of_network_say_why():
    rng = np.random.default_rng(0)
    net = MLP.random((2, 3, 2), rng)
    p = net.parameters
    one = Parameters([ModArray([[1]], 3)] * 2, [None] * 2)
    tables = [MLP(one, lookup_activation([0, 1, t], [0, 0, 0], 3)) for t in (1, 2)]
    for a, b, reason in [
        (net, MLP.random((2, 4, 2), rng), r"widths \(2, 3, 2\), b has widths \(2, 4, 2\)"),
        (net, MLP.from_arrays(p.weights, [p.b1, None]), r"layers \(1, 2\), b has biases in layers \(1,\)"),
        (net, MLP(p, "relu"), "activation 'tanh', b has activation 'relu'"),
        (net, MLP.random((2, 3, 2), rng, dtype=np.float32), "dtype float64, b has dtype float32"),
        (net, p, "type MLP, b of type Parameters"),
        (tables[0], tables[1], "activation"),
    ]:
        for tolerance in (0, 1e-3):
            match = same_up_to_permutation(a, b, tolerance)
            assert match.equal is False and match.permutations is None
            assert re.search(reason, match.reason)


def test_tolerance_adds_nothing_between_integers_and_takes_back_wrong_choices():
    rng = np.random.default_rng(0)
    short, long = circulant(3, {0, 1}), circulant(5, {0, 1})
    a = middle(block_diagonal(short, long))
    first = middle(block_diagonal(long, short))  # slot 0 is in the long cycle, unit 0 in the short one
    for b in (first, *(first.permuted(random_perms(first, rng)) for _ in range(5))):
        match = same_up_to_permutation(a, b, 0.25)
        assert a.permuted(match.permutations) == b
    fours = [circulant(4, {0, 1})] * 2
    assert not same_up_to_permutation(a, middle(block_diagonal(*fours)), 0.25)


def test_differences_of_float32_are_taken_in_float64():
    a, b = (MLP.from_arrays([np.array([[x]], dtype=np.float32)] * 2, [None] * 2) for x in (1.0, 2.0**-30))
    assert same_up_to_permutation(a, b, 1 - 2.0**-30)
    assert not same_up_to_permutation(a, b, 1 - 2.0**-29)  # 1 - 2^-30 is 1 in float32, and so is this


def test_extreme_numbers_do_not_overflow():
    big = np.finfo(np.float64).max
    a = MLP.from_arrays([[[big, -big]], [[1.0], [2.0]]], [None, None])
    assert same_up_to_permutation(a, a.permuted([1, 0]), 1e300)
    assert not same_up_to_permutation(a, MLP.from_arrays([[[big, big]], [[1.0], [2.0]]], [None, None]), 1e300)


def test_the_reason_of_a_near_miss_names_the_tolerance_that_would_do(rng):
    net = MLP.random((4, 3, 2), rng)
    p = net.parameters
    near = net.permuted([2, 0, 1]).with_parameters((p
                                                    + p.map(lambda A: 1e-12 * np.sin(A))).permuted([2, 0, 1]))
    match = same_up_to_permutation(net, near)
    told = re.search(r"the largest difference is (\S+), which a tolerance of (\S+) would allow$",
                     match.reason)
    assert not match and 0 < float(told[1]) < 1.1e-12
    assert same_up_to_permutation(net, near, float(told[2]))
    assert not same_up_to_permutation(net, near, 0.5 * float(told[2]))
    far = same_up_to_permutation(net, MLP.random((4, 3, 2), rng)).reason
    assert re.search(r"; the largest difference is [0-9.]+$", far)
    third = Parameters([np.array([[Fraction(1, 3)]], dtype=object)], [None])
    assert "difference is 1/3" in same_up_to_permutation(third, third * 2).reason
    mod = Parameters([ModArray([[1]], 7)], [None])
    assert same_up_to_permutation(mod, Parameters([ModArray([[2]], 7)],
                                                  [None])).reason.endswith("different numbers")


def test_errors_name_the_argument():
    net = middle(np.eye(9))
    with pytest.raises(SearchLimitExceeded, match="max_nodes = 4 nodes.*pass a larger max_nodes"):
        canonical(net, max_nodes=4)
    with pytest.raises(SearchLimitExceeded):
        same_up_to_permutation(net, net, 0.1, max_nodes=4)
    with pytest.raises(ValueError, match="max_nodes is 0"):
        canonical(net, max_nodes=0)
    with pytest.raises(ValueError, match="max_nodes is 0"):
        same_up_to_permutation(net, MLP(Parameters([np.ones((1, 1))], [None])), max_nodes=0)
    for bad in (-1e-9, float("inf"), float("nan"), 10**400):
        with pytest.raises(ValueError, match="tolerance is .*; a finite number >= 0"):
            same_up_to_permutation(net, net, bad)
    for bad in ("1", None, True, 1j):
        with pytest.raises(TypeError, match="tolerance is"):
            same_up_to_permutation(net, net, bad)
    with pytest.raises(TypeError, match="b is of type list"):
        same_up_to_permutation(net, [])
    balls = Parameters([Ball([[1.0]]), Ball([[1.0]])], [None, None])
    for refused in (lambda: canonical(balls), lambda: same_up_to_permutation(balls, balls)):
        with pytest.raises(TypeError, match="compared exactly"):
            refused()
    several = Parameters._trusted([np.ones((2, 1, 3)), np.ones((2, 3, 1))], [None, None])
    with pytest.raises(ValueError, match=r"net.weights\[0\] has shape \(2, 1, 3\)"):
        canonical(several)
    poisoned = Parameters._trusted([np.array([[np.nan, 1.0]]), np.ones((2, 1))], [None, None])
    with pytest.raises(ValueError, match=r"b.weights\[0\]\[0, 0\] is nan"):
        same_up_to_permutation(Parameters([np.ones((1, 2)), np.ones((2, 1))], [None, None]), poisoned)
