"""Parameters as one vector: the order, the inverse, the slots of a unit, and relabelling as a permutation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from permsym_book import MLP, Parameters
from permsym_book.landscape.vector import (
    blocks,
    from_vector,
    ravelled,
    relabelled_slots,
    size,
    to_vector,
    unit_slots,
    unravelled,
)
from strategies import hidden, parameters, random_perms, seeds, widths


@st.composite
def networks(draw, shapes=widths, kinds=("float64", "float32", "fraction")):
    shape = draw(shapes)
    biases = draw(st.lists(st.booleans(), min_size=len(shape) - 1, max_size=len(shape) - 1))
    return parameters(draw(st.sampled_from(kinds)), shape, np.random.default_rng(draw(seeds)), biases)


def literal_vector(theta):
    """Entry by entry: each weight matrix row by row, then its bias."""
    out = []
    for W, b in zip(theta.weights, theta.biases, strict=True):
        out += [W[i, j] for i in range(W.shape[0]) for j in range(W.shape[1])]
        out += [] if b is None else [b[j] for j in range(len(b))]
    return out


@given(networks())
def test_order_and_inverse(theta):
    v = to_vector(theta)
    assert v.dtype == theta.weights[0].dtype
    assert v.tolist() == literal_vector(theta)
    assert len(v) == size(theta) == blocks(theta)[-1].stop
    assert from_vector(theta, v) == theta
    W, b = unravelled(theta, v)
    assert (ravelled(W, b) == v).all()
    for layer, block in enumerate(blocks(theta)):
        mine = Parameters(theta.weights[layer:layer + 1], theta.biases[layer:layer + 1])
        assert (v[block] == to_vector(mine)).all()


def test_a_network_gives_a_network():
    net = MLP.random((2, 3, 1), np.random.default_rng(0), activation="sin")
    again = from_vector(net, to_vector(net))
    assert isinstance(again, MLP)
    assert again == net
    assert isinstance(from_vector(net.parameters, to_vector(net)), Parameters)


def test_the_vector_is_a_copy():
    theta = Parameters([np.ones((1, 2))], [None])
    v = to_vector(theta)
    v[0] = 7.0
    made = from_vector(theta, v)
    v[1] = 8.0
    assert theta.W1.tolist() == [[1.0, 1.0]]
    assert made.W1.tolist() == [[7.0, 1.0]]


@given(networks(hidden), seeds)
def test_slots_of_a_unit(theta, seed):
    rng = np.random.default_rng(seed)
    layer = int(rng.integers(len(theta.hidden_widths)))
    unit = int(rng.integers(theta.hidden_widths[layer]))
    slots = unit_slots(theta, layer, unit)
    bias = theta.biases[layer]
    expected = [*theta.weights[layer][:, unit], *([] if bias is None else [bias[unit]]),
                *theta.weights[layer + 1][unit]]
    assert to_vector(theta)[slots].tolist() == expected
    assert len(set(slots.tolist())) == len(slots)


@given(networks(hidden), seeds)
def test_relabelling_is_a_permutation_of_the_vector(theta, seed):
    perms = random_perms(theta, np.random.default_rng(seed))
    slots = relabelled_slots(theta, perms)
    assert sorted(slots.tolist()) == list(range(size(theta)))
    assert (to_vector(theta)[slots] == to_vector(theta.permuted(perms))).all()


def test_relabelling_is_not_its_inverse():
    theta = parameters("float64", (2, 3, 2), np.random.default_rng(0))
    slots = relabelled_slots(theta, [2, 0, 1])
    assert (to_vector(theta)[slots] != to_vector(theta.permuted([1, 2, 0]))).any()


THETA = Parameters([np.ones((2, 3)), np.ones((3, 1))], [np.zeros(3), None])


@pytest.mark.parametrize("call, error, message", [
    (lambda: to_vector([1.0]), TypeError, "params is of type list; MLP or Parameters is required"),
    (lambda: to_vector(Parameters.stacked([THETA, THETA])), TypeError, "one network of NumPy arrays is required"),
    (lambda: from_vector(THETA, np.zeros(13)), ValueError, r"v has shape \(13,\); \(12,\), one entry per parameter"),
    (lambda: from_vector(THETA, np.zeros(12, dtype=np.float32)), TypeError, "v has dtype float32; float64"),
    (lambda: from_vector(THETA, np.full(12, np.nan)), ValueError, r"v\[0\] is nan; finite"),
    (lambda: unit_slots(THETA, 1, 0), ValueError, "layer is 1; a hidden layer below 1 is required"),
    (lambda: unit_slots(THETA, 0, 3), ValueError, "unit is 3; one of the 3 units"),
    (lambda: unit_slots(THETA, 0, -1), ValueError, "unit is -1; at least 0"),
    (lambda: unit_slots(THETA, 0, 1.0), TypeError, "unit is 1.0 of type float; an integer"),
    (lambda: relabelled_slots(THETA, [0, 1]), ValueError, "3, the width of hidden layer 0"),
])
def test_bad_input(call, error, message):
    with pytest.raises(error, match=message):
        call()
