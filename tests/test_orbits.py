"""Orbits and stabilizers against their literal definition: go through the whole group and compare."""

from itertools import product
from math import factorial, prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from permsym_book import MLP, Parameters, Permutation, identical_units
from permsym_book.modular import ModArray
from permsym_book.orbits import multiplicities, orbit, orbit_size, stabilizer, stabilizer_size, unit_classes
from permsym_book.rounding import Ball
from permsym_book.search import SearchLimitExceeded


def group(widths):
    return list(product(*(Permutation.all(h) for h in widths)))


def key(net):
    return tuple(tuple((A + 0.0).ravel().tolist()) for A in net.parameters.arrays())


def middle(A):
    """A network with nothing but its middle matrix to tell its units apart."""
    A = np.asarray(A, dtype=float)
    return MLP.from_arrays([np.ones((2, len(A))), A, np.ones((A.shape[1], 1))], [None] * 3)


@st.composite
def small_networks(draw, max_width=3):
    """Small integer weights, so that ties, twins and joint symmetries abound; some middle matrices are I."""
    hidden = draw(st.lists(st.integers(1, max_width), min_size=1, max_size=3))
    widths = (draw(st.integers(1, 2)), *hidden, draw(st.integers(1, 2)))
    values = st.integers(0, draw(st.integers(0, 2)))
    weights, biases = [], []
    for i, shape in enumerate(zip(widths, widths[1:], strict=False)):
        if 0 < i < len(hidden) and draw(st.booleans()):
            W = np.eye(*shape)
        else:
            W = np.array(draw(st.lists(values, min_size=prod(shape), max_size=prod(shape)))).reshape(shape)
        weights.append(W.astype(float))
        b = draw(st.none() | st.lists(values, min_size=shape[1], max_size=shape[1]))
        biases.append(None if b is None else np.array(b, dtype=float))
    return MLP.from_arrays(weights, biases)


@settings(max_examples=150, deadline=None)
@given(small_networks())
def test_the_whole_group_agrees(net):
    relabelled = [key(net.permuted(perms)) for perms in group(net.hidden_widths)]
    fixing = [perms for perms, k in zip(group(net.hidden_widths), relabelled, strict=True) if k == key(net)]
    assert stabilizer_size(net) == len(fixing)
    assert orbit_size(net) == len(set(relabelled))
    listed = list(stabilizer(net))
    assert set(listed) == set(fixing) and len(listed) == len(fixing)
    assert listed[0] == tuple(map(Permutation.identity, net.hidden_widths))
    networks = [key(other) for other in orbit(net)]
    assert len(networks) == len(set(networks)) and set(networks) == set(relabelled)


@settings(max_examples=100, deadline=None)
@given(small_networks(max_width=4))
def test_one_layer_alone_agrees(net):
    for layer, h in enumerate(net.hidden_widths):
        acting = [[*map(Permutation.identity, net.hidden_widths)] for _ in range(factorial(h))]
        for perms, p in zip(acting, Permutation.all(h), strict=True):
            perms[layer] = p
        fixing = {tuple(perms) for perms in acting if net.permuted(perms) == net}
        assert stabilizer_size(net, layer) == len(fixing) == prod(map(factorial, multiplicities(net)[layer]))
        assert orbit_size(net, layer) == len({key(net.permuted(perms)) for perms in acting})
        listed = list(stabilizer(net, layer))
        assert set(listed) == fixing and len(listed) == len(fixing)


@settings(max_examples=100, deadline=None)
@given(small_networks(max_width=4))
def test_units_share_a_class_exactly_when_all_their_numbers_agree(net):
    p = net.parameters
    for layer, classes in enumerate(unit_classes(net)):
        for i, j in product(range(len(classes)), repeat=2):
            twins = (np.array_equal(p.weights[layer][:, i], p.weights[layer][:, j])
                     and (p.biases[layer] is None or p.biases[layer][i] == p.biases[layer][j])
                     and np.array_equal(p.weights[layer + 1][i], p.weights[layer + 1][j]))
            assert (classes[i] == classes[j]) == twins
        # numbered by their first units
        assert list(dict.fromkeys(classes.tolist())) == list(range(classes.max() + 1))
        assert multiplicities(net)[layer] == tuple(np.bincount(classes).tolist())


def test_one_hidden_layer_is_h_factorial_over_multiplicities():
    net = identical_units(MLP.random((3, 7, 2), np.random.default_rng(0)), 0, [1, 4, 6])
    net = identical_units(net, 0, [0, 2])
    assert multiplicities(net) == ((2, 3, 1, 1),)
    assert orbit_size(net) == 5040 // (2 * 6)


def test_distinct_units_have_h_factorial_relabellings_in_exact_integers():
    net = MLP.random((3, 40, 30, 2), np.random.default_rng(0))
    assert orbit_size(net) == factorial(40) * factorial(30)
    assert stabilizer_size(net) == 1


def test_two_layers_that_move_together_have_more_symmetries_than_their_layers():
    net = middle(np.eye(5))
    assert multiplicities(net) == ((1,) * 5, (1,) * 5)
    assert stabilizer_size(net, 0) == stabilizer_size(net, 1) == 1
    assert stabilizer_size(net) == 120
    assert orbit_size(net) == 120 and orbit_size(net, 0) == 120
    assert len({key(other) for other in orbit(net)}) == len(list(orbit(net))) == 120


def test_joint_symmetries_and_twins_multiply():
    net = middle(np.kron(np.eye(3), np.ones((2, 2))))  # 3 joint blocks of 2 twins in both layers
    assert stabilizer_size(net, 0) == stabilizer_size(net, 1) == 2**3
    assert stabilizer_size(net) == 6 * 2**3 * 2**3
    listed = list(stabilizer(net))
    assert len(listed) == len(set(listed)) == 384 and all(net.permuted(perms) == net for perms in listed)


def test_twin_classes_of_different_sizes_and_units_of_different_biases_do_not_trade_places():
    sizes = np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    assert stabilizer_size(middle(sizes)) == 2 * 2
    p = middle(np.eye(3)).parameters
    for biases, size in (([0.0, 0.0, 0.0], 6), ([0.0, 5.0, 0.0], 2), ([0.0, 5.0, 7.0], 1)):
        for both in ([biases, None, None], [None, biases, None]):
            assert stabilizer_size(MLP.from_arrays(p.weights, both)) == size
    weights = [*p.weights[:2], np.ones((3, 2)), np.ones((2, 1))]
    twins = MLP.from_arrays(weights, [[0.0, 5.0, 7.0], None, None, None])
    assert stabilizer_size(twins) == 2  # the last layer's twins; the biases keep the others apart


def circulant(n, offsets):
    return np.array([[float((j - i) % n in offsets) for j in range(n)] for i in range(n)])


@pytest.mark.parametrize("A, size", [
    (circulant(6, {0, 1}), 12),  # a 12-cycle of 6 + 6 units, sides kept: the dihedral group of order 12
    (np.kron(np.eye(2), circulant(3, {0, 1})), 6**2 * 2),  # two 6-cycles
    (circulant(7, {1, 2, 4}), 168),  # the points and lines of the Fano plane: PGL(3, 2)
    (np.block([[circulant(6, {0, 1}), np.zeros((6, 6))],
               [np.zeros((6, 6)), np.kron(np.eye(2), circulant(3, {0, 1}))]]), 12 * 72),  # two orbits
    (np.eye(60), factorial(60)),
    (np.kron(np.eye(10), circulant(5, {0, 1})), 10**10 * factorial(10)),
    (np.zeros((9, 8)), factorial(9) * factorial(8)),
])
def test_known_automorphism_groups(A, size):
    assert stabilizer_size(middle(A)) == size


def test_a_constant_network_of_any_size_is_its_own_orbit():
    shapes = [(3, 200), (200, 100), (100, 2)]
    net = MLP.from_arrays(list(map(np.zeros, shapes)), [np.zeros(200), None, None])
    assert orbit_size(net) == 1 and stabilizer_size(net) == factorial(200) * factorial(100)
    assert [other == net for other in orbit(net)] == [True]


def test_signed_zeros_are_one_number_and_other_arithmetics_count_too():
    W1, W2 = [[0, 1, 0]], [[1], [2], [1]]
    signed = MLP.from_arrays([[[0.0, 1.0, -0.0]], np.array(W2, dtype=float)], [[0.0, 1.0, -0.0], None])
    exact = MLP.from_arrays([np.array(W1, dtype=object), np.array(W2, dtype=object)], [None, None], "relu")
    modular = Parameters([ModArray(W1, 7), ModArray(W2, 7)], [None, None])
    for net in (signed, exact, modular):
        assert unit_classes(net)[0].tolist() == [0, 1, 0]
        assert orbit_size(net) == 3 == len(list(orbit(net)))


def test_a_network_without_hidden_layer_is_alone():
    net = MLP.from_arrays([np.ones((2, 2))], [None])
    assert unit_classes(net) == () and orbit_size(net) == stabilizer_size(net) == 1
    assert list(stabilizer(net)) == [()] and list(orbit(net)) == [net]


def test_errors_name_the_argument():
    net = MLP.random((2, 9, 2), np.random.default_rng(0))
    with pytest.raises(ValueError, match="layer is 1; a hidden layer below 1"):
        orbit_size(net, 1)
    with pytest.raises(TypeError, match="layer is 0.0"):
        stabilizer_size(net, 0.0)
    with pytest.raises(ValueError, match="the orbit has 362880 elements; at most at_most = 100000"):
        orbit(net)
    with pytest.raises(ValueError, match="the stabilizer has 6 elements; at most at_most = 5"):
        stabilizer(middle(np.eye(3)), at_most=5)
    with pytest.raises(ValueError, match="the stabilizer has 24 elements"):
        stabilizer(middle(np.zeros((4, 1))), 0, at_most=23)
    with pytest.raises(TypeError, match="net is of type list"):
        unit_classes([1])
    with pytest.raises(TypeError, match="with bounds"):
        unit_classes(Parameters([Ball([[1.0]]), Ball([[1.0]])], [None, None]))
    for call in (lambda: stabilizer_size(net, 0, max_nodes=0), lambda: stabilizer(net, 0, max_nodes=0),
                 lambda: orbit_size(net, 0, max_nodes=0)):
        with pytest.raises(ValueError, match="max_nodes is 0"):
            call()
    with pytest.raises(SearchLimitExceeded, match="max_nodes = 3 nodes"):
        orbit_size(middle(np.eye(9)), max_nodes=3)
