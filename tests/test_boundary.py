"""Bad input: the error's type, and that its message names the argument, what it was and what is required."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from permsym_book import MLP, Parameters, Permutation, identical_units
from permsym_book.activations import get_activation
from permsym_book.datasets import one_hot
from permsym_book.initialization import initialized
from permsym_book.losses import get_loss
from permsym_book.modular import (
    ModArray,
    lookup_activation,
    random_activation,
    random_residues,
    square_activation,
)
from permsym_book.rounding import Ball, on_balls
from permsym_book.training import largest_gap

RNG = np.random.default_rng(0)
W, B, V, C = np.ones((4, 3)), np.ones(3), np.ones((3, 2)), np.ones(2)
THETA = Parameters([W, V], [B, C])
DEEP = Parameters([W, V, np.ones((2, 2))], [None, None, None])
NET = MLP(THETA)
FLOAT32 = MLP(THETA.map(lambda A: A.astype(np.float32)))
EXACT = MLP(Parameters([np.full((2, 2), Fraction(1, 2), dtype=object)], [None]), "relu")
MOD = Parameters([ModArray(np.ones((2, 3), dtype=int), 7), ModArray(np.ones((3, 1), dtype=int), 7)],
                 [None, None])
X, Y = np.ones((5, 4)), np.ones((5, 2))
NAN, INF = np.full((4, 3), np.nan), np.where(np.arange(12).reshape(4, 3) == 7, np.inf, 0.0)
OBJECTS = np.array([[1, 0.5]], dtype=object)

BAD = {  # what is wrong: (call, error, words that the message must contain, in this order)
    # permutations
    "a number twice": (lambda: Permutation([0, 0, 2]),
        ValueError, ["indices is [0 0 2]", "0 to 2", "required"]),
    "a number too large": (lambda: Permutation([0, 1, 3]), ValueError, ["indices is [0 1 3]", "required"]),
    "a negative number": (lambda: Permutation([0, -1, 1]), ValueError, ["indices is [ 0 -1  1]", "required"]),
    "a number beyond int64": (lambda: Permutation([0, 10**30]),
        ValueError, ["indices is [0 1000", "required"]),
    "fractional indices": (lambda: Permutation([0.0, 1.0]),
        TypeError, ["indices has dtype float64", "integers"]),
    "booleans as indices": (lambda: Permutation([True, False]),
        TypeError, ["indices has dtype bool", "integers"]),
    "a boolean object": (lambda: Permutation(np.array([True, 0], dtype=object)),
        TypeError, ["indices contains True", "integers"]),
    "words as indices": (lambda: Permutation(["a"]), TypeError, ["indices has dtype <U1", "integers"]),
    "no unit": (lambda: Permutation([]), ValueError, ["indices has shape (0,)", "n >= 1", "required"]),
    "two axes of indices": (lambda: Permutation([[0, 1], [1, 0]]),
        ValueError, ["indices has shape (2, 2)", "required"]),
    "ragged indices": (lambda: Permutation([[0], [1, 0]]),
        ValueError, ["indices is [[0], [1, 0]]", "required"]),
    "a number for a permutation": (lambda: Permutation(3), ValueError, ["indices has shape ()", "required"]),
    "identity of nothing": (lambda: Permutation.identity(0), ValueError, ["n is 0", "at least 1"]),
    "identity of 2.5": (lambda: Permutation.identity(2.5), TypeError, ["n is 2.5 of type float", "integer"]),
    "S_n of True": (lambda: Permutation.all(True), TypeError, ["n is True of type bool", "integer"]),
    "a seed for a generator": (lambda: Permutation.random(3, 0),
        TypeError, ["rng is 0 of type int", "Generator"]),
    "other lengths composed": (lambda: Permutation([0, 1]) @ Permutation([0]),
        ValueError, ["other permutes 1", "2 are required"]),
    "a matrix of two rows": (lambda: Permutation.from_matrix(np.eye(3)[:2]),
        ValueError, ["P has shape (2, 3)", "square"]),
    "an empty matrix": (lambda: Permutation.from_matrix(np.eye(0)),
        ValueError, ["P has shape (0, 0)", "required"]),
    "a matrix with a half": (lambda: Permutation.from_matrix([[1, 0.5], [0, 1]]),
        ValueError, ["P is not a permutation matrix", "0.5"]),
    "a matrix with an empty row": (lambda: Permutation.from_matrix([[1, 1], [0, 0]]),
        ValueError, ["P is not", "required", "[[1 1]"]),
    "a matrix with an empty column": (lambda: Permutation.from_matrix([[1, 0], [1, 0]]),
        ValueError, ["P is not", "required"]),
    "a matrix with NaN": (lambda: Permutation.from_matrix([[np.nan, 1], [1, 0]]),
        ValueError, ["P is not", "required", "nan"]),
    "a negative matrix": (lambda: Permutation.from_matrix([[0, -1], [-1, 0]]),
        ValueError, ["P is not", "required"]),
    "cycles that meet": (lambda: Permutation.from_cycles([(0, 1), (1, 2)], 3),
        ValueError, ["cycles contains 1 twice", "disjoint"]),
    "a cycle out of range": (lambda: Permutation.from_cycles([(0, 5)], 3),
        ValueError, ["cycles contains 5 out of range", "0..2"]),
    "an empty cycle": (lambda: Permutation.from_cycles([()], 3),
        ValueError, ["cycles contains an empty cycle", "required"]),
    "a cycle of fractions": (lambda: Permutation.from_cycles([(0, 1.0)], 3),
        TypeError, ["cycles contains 1.0 of type float", "integers"]),
    "cycles without brackets": (lambda: Permutation.from_cycles([0, 1], 3),
        TypeError, ["cycles contains a cycle that is 0", "sequence"]),
    "more units than there is memory for": (lambda: Permutation.from_cycles([(0, 1)], 2**70),
        ValueError, ["n is 1180591620717411303424", "at most 10000000"]),
    "a cycle beyond int64": (lambda: Permutation.from_cycles([(0, 2**70)], 3),
        ValueError, ["cycles contains 1180591620717411303424 out of range", "0..2"]),
    "an identity beyond int64": (lambda: Permutation.identity(2**70), ValueError, ["n is 118", "at most"]),
    # parameters
    "parameters times nan": (lambda: THETA * float("nan"), ValueError, ["number is nan", "finite"]),
    "inf times parameters": (lambda: np.float64("inf") * THETA, ValueError,
                             ["number is np.float64(inf)", "finite"]),
    "the gap of networks": (lambda: largest_gap(NET, NET),
        TypeError, ["a is of type MLP", "Parameters, such as net.parameters, are required"]),
    "the gap to an array": (lambda: largest_gap(THETA, W), TypeError, ["b is of type ndarray", "Parameters"]),
    "the gap to another number of biases": (lambda: largest_gap(THETA, Parameters([W, V], [B, None])),
        ValueError, ["b has arrays of shapes [(4, 3), (3,), (3, 2)]", "(2,)], those of a"]),
    "masked labels": (lambda: one_hot(np.ma.masked_array([0, 1], [True, False]), 2),
        TypeError, ["labels is a masked array", "a plain array is required"]),
    "no layer": (lambda: Parameters([], []), ValueError, ["weights is empty", "at least one layer"]),
    "weights without layers": (lambda: Parameters(3.0, [None]),
        TypeError, ["weights is 3.0 of type float", "sequence"]),
    "biases forgotten": (lambda: Parameters([W], None),
        TypeError, ["biases is None of type NoneType", "sequence"]),
    "a bias too few": (lambda: Parameters([W, V], [B]),
        ValueError, ["biases has 1 entries", "2", "required"]),
    "a weight vector": (lambda: Parameters([B], [None]), ValueError, ["weights[0] has shape (3,)", "2 axes"]),
    "a matrix for the layers": (lambda: Parameters(W, [None] * 4),
        ValueError, ["weights[0] has shape (3,)", "2 axes"]),
    "a bias with two axes": (lambda: Parameters([W], [B[None]]),
        ValueError, ["biases[0] has shape (1, 3)", "1 axes"]),
    "a layer without units": (lambda: Parameters([W[:, :0]], [None]),
        ValueError, ["weights[0] has shape (4, 0)", "empty"]),
    "an empty input": (lambda: Parameters([W[:0]], [None]),
        ValueError, ["weights[0] has shape (0, 3)", "empty"]),
    "widths that do not meet": (lambda: Parameters([W, W], [None, None]),
        ValueError, ["weights[1] has shape (4, 3)", "3 rows"]),
    "a bias of another width": (lambda: Parameters([W], [C]),
        ValueError, ["biases[0] has shape (2,)", "(3,)", "required"]),
    "a bias of width 1": (lambda: Parameters([W], [C[:1]]),
        ValueError, ["biases[0] has shape (1,)", "(3,)", "required"]),
    "integer weights": (lambda: Parameters([W.astype(int)], [None]),
        TypeError, ["weights[0] has dtype int64", "float64"]),
    "half precision": (lambda: Parameters([W.astype(np.float16)], [None]),
        TypeError, ["weights[0] has dtype float16", "required"]),
    "complex weights": (lambda: Parameters([W.astype(complex)], [None]),
        TypeError, ["weights[0] has dtype complex128", "required"]),
    "foreign byte order": (lambda: Parameters([W.astype(">f8")], [None]),
        TypeError, ["weights[0] has dtype >f8", "required"]),
    "boolean weights": (lambda: Parameters([W > 0], [None]),
        TypeError, ["weights[0] has dtype bool", "required"]),
    "ragged weights": (lambda: Parameters([[[1.0], [1.0, 2.0]]], [None]),
        ValueError, ["weights[0] is [[1.0], [1.0, 2.0]]", "required"]),
    "masked weights": (lambda: Parameters([np.ma.masked_invalid(NAN)], [None]),
        TypeError, ["weights[0] is a masked array", "required"]),
    "NaN": (lambda: Parameters([NAN], [None]), ValueError, ["weights[0][0, 0] is nan", "finite"]),
    "infinity": (lambda: Parameters([INF], [None]), ValueError, ["weights[0][2, 1] is inf", "finite"]),
    "minus infinity in a bias": (lambda: Parameters([W], [-INF[2]]),
        ValueError, ["biases[0][1] is -inf", "finite"]),
    "floats among objects": (lambda: Parameters([OBJECTS], [None]),
        TypeError, ["weights[0]", "0.5 of type float", "Fraction"]),
    "booleans among objects": (lambda: Parameters([OBJECTS > 1] + [OBJECTS], [None, None]),
        TypeError, ["weights[0]", "bool"]),
    "a boolean object weight": (lambda: Parameters([np.array([[True]], dtype=object)], [None]),
        TypeError, ["weights[0]", "True", "required"]),
    "a NumPy integer among objects": (lambda: Parameters([np.array([[np.int64(1)]], dtype=object)], [None]),
        TypeError, ["weights[0]", "int64", "int or Fraction"]),
    "None among objects": (lambda: Parameters([np.array([[None]])], [None]),
        TypeError, ["weights[0]", "None of type NoneType", "required"]),
    "two float dtypes": (lambda: Parameters([W, V.astype(np.float32)], [None, None]),
        TypeError, ["weights[1] has dtype float32", "float64", "weights[0]"]),
    "a bias of another dtype": (lambda: Parameters([W], [B.astype(np.float32)]),
        TypeError, ["biases[0] has dtype float32", "float64"]),
    "two primes": (lambda: Parameters([ModArray([[1]], 7), ModArray([[1]], 5)], [None, None]),
        TypeError, ["weights[1] has dtype integers mod 5", "mod 7"]),
    # relabelling
    "a permutation too few": (lambda: DEEP.permuted([[2, 0, 1]]),
        ValueError, ["perms has 1 permutations", "2, one per hidden layer"]),
    "one permutation for two layers": (lambda: DEEP.permuted(Permutation([2, 0, 1])),
        ValueError, ["perms has 1", "2, one per"]),
    "a permutation too many": (lambda: THETA.permuted([[2, 0, 1], [0, 1]]),
        ValueError, ["perms has 2 permutations", "1, one per"]),
    "a shorter permutation": (lambda: THETA.permuted([1, 0]),
        ValueError, ["perms[0] permutes 2 units", "3", "hidden layer 0"]),
    "a longer permutation": (lambda: DEEP.permuted([[2, 0, 1], [2, 0, 1]]),
        ValueError, ["perms[1] permutes 3 units", "2", "hidden layer 1"]),
    "not a permutation": (lambda: THETA.permuted([2, 0, 0]),
        ValueError, ["perms[0] is [2 0 0]", "exactly once"]),
    "a mask for a permutation": (lambda: NET.permuted(np.array([True, False, True])),
        TypeError, ["perms[0] has dtype bool", "integers"]),
    "a matrix for a permutation": (lambda: NET.permuted([np.eye(3)]),
        ValueError, ["perms[0] has shape (3, 3)", "required"]),
    "a number to permute by": (lambda: NET.permuted(1), TypeError, ["perms is 1 of type int", "sequence"]),
    "a word to permute by": (lambda: NET.permuted("reverse"),
        TypeError, ["perms is 'reverse' of type str", "sequence"]),
    # networks
    "arrays for parameters": (lambda: MLP([W]), TypeError, ["parameters is of type list", "Parameters"]),
    "an unknown activation": (lambda: MLP(THETA, "swish"),
        ValueError, ["activation is 'swish'", "tanh", "required"]),
    "a function for an activation": (lambda: MLP(THETA, np.tanh),
        TypeError, ["activation is <ufunc 'tanh'>", "required"]),
    "no activation": (lambda: get_activation(None),
        TypeError, ["activation is None of type NoneType", "required"]),
    "tanh over the rationals": (lambda: MLP(EXACT.parameters, "tanh"),
        TypeError, ["activation 'tanh'", "required", "relu"]),
    "tanh mod p": (lambda: MLP(MOD, "tanh"),
        TypeError, ["activation 'tanh' is made for NumPy arrays", "integers mod 7", "required"]),
    "a table mod another p": (lambda: MLP(MOD, square_activation(5)),
        TypeError, ["integers mod 5", "integers mod 7", "required"]),
    "a table for floats": (lambda: MLP(THETA, square_activation(7)),
        TypeError, ["integers mod 7", "float64", "required"]),
    "balls' tanh for floats": (lambda: MLP(THETA, on_balls(get_activation("tanh"))),
        TypeError, ["float64 with bounds", "required"]),
    "tanh for balls": (lambda: MLP(THETA.map(Ball), "tanh"),
        TypeError, ["'tanh' is made for NumPy arrays", "float64 with bounds"]),
    "an input too narrow": (lambda: NET(X[:, :3]), ValueError, ["X has shape (5, 3)", "4 columns"]),
    "one sample without its axis": (lambda: NET(X[0]), ValueError, ["X has shape (4,)", "2 axes"]),
    "no sample": (lambda: NET.forward(X[:0]), ValueError, ["X has shape (0, 4)", "empty"]),
    "integer input": (lambda: NET(X.astype(int)), TypeError, ["X has dtype int64", "required"]),
    "float32 input to float64": (lambda: NET(X.astype(np.float32)),
        TypeError, ["X has dtype float32", "float64", "required"]),
    "float64 input to float32": (lambda: FLOAT32.loss_and_gradients(X, Y),
        TypeError, ["X has dtype float64", "float32", "required"]),
    "float input to Fractions": (lambda: EXACT(X[:, :2]),
        TypeError, ["X has dtype float64", "object", "required"]),
    "NaN in the input": (lambda: NET(np.where(X > 0, np.nan, X)), ValueError, ["X[0, 0] is nan", "finite"]),
    "a target of another shape": (lambda: NET.loss_and_gradients(X, Y[:, :1]),
        ValueError, ["Y has shape (5, 1)", "(5, 2)", "required"]),
    "a target to broadcast": (lambda: NET.loss(X, Y[:1]),
        ValueError, ["Y has shape (1, 2)", "(5, 2)", "required"]),
    "a target of another dtype": (lambda: NET.loss_and_gradients(X, Y.astype(np.float32)),
        TypeError, ["Y has dtype float32", "float64"]),
    "NaN in the target": (lambda: NET.loss(X, Y * np.nan), ValueError, ["Y[0, 0] is nan", "finite"]),
    "an unknown loss": (lambda: NET.loss(X, Y, "hinge"),
        ValueError, ["loss is 'hinge'", "squared_error, cross_entropy"]),
    "a loss that is no name": (lambda: get_loss(["squared_error"]),
        TypeError, ["loss is ['squared_error'] of type list", "name"]),
    "one-hot labels": (lambda: NET.loss(X, Y, "cross_entropy"),
        TypeError, ["Y has dtype float64", "integer labels"]),
    "labels with two axes": (lambda: NET.loss(X, Y.astype(int), "cross_entropy"),
        ValueError, ["Y has shape (5, 2)", "(5,)", "required"]),
    "a label too few": (lambda: NET.loss(X, np.zeros(4, dtype=int), "cross_entropy"),
        ValueError, ["Y has shape (4,)", "(5,)", "required"]),
    "a label too large": (lambda: NET.loss(X, np.arange(5), "cross_entropy"),
        ValueError, ["Y has labels from 0 to 4", "0 to 1", "required"]),
    "a negative label": (lambda: NET.loss(X, -np.ones(5, dtype=int), "cross_entropy"),
        ValueError, ["Y has labels from -1", "0 to 1"]),
    "boolean labels": (lambda: NET.loss(X, np.ones(5, dtype=bool), "cross_entropy"),
        TypeError, ["Y has dtype bool", "integer"]),
    "cross entropy of Fractions": (lambda: EXACT.loss(EXACT.parameters.W1, np.zeros(2, dtype=int),
                                                      "cross_entropy"),
        TypeError, ["cross_entropy", "float", "required"]),
    "a hidden layer too far": (lambda: identical_units(NET, 1, [0]),
        ValueError, ["layer is 1", "below 1", "required"]),
    "a negative layer": (lambda: identical_units(NET, -1, [0]), ValueError, ["layer is -1", "at least 0"]),
    "a unit too far": (lambda: identical_units(NET, 0, [0, 3]),
        ValueError, ["units is [0, 3]", "below 3", "required"]),
    "a unit twice": (lambda: identical_units(NET, 0, [1, 1]),
        ValueError, ["units is [1, 1]", "distinct", "required"]),
    "a stack of networks": (lambda: identical_units(MLP.stack([NET, NET]), 0, [0, 1]),
        ValueError, ["net is a stack of 2 networks", "one network is required"]),
    "parameters for a network": (lambda: identical_units(THETA, 0, [0, 1]),
        TypeError, ["net is of type Parameters", "MLP is required"]),
    "no units": (lambda: identical_units(NET, 0, []), ValueError, ["units is []", "at least one"]),
    "one unit without brackets": (lambda: identical_units(NET, 0, 1),
        TypeError, ["units is 1 of type int", "sequence"]),
    "a fractional unit": (lambda: identical_units(NET, 0, [0.0]),
        TypeError, ["units is 0.0 of type float", "integer"]),
    # initial parameters
    "a width of 0": (lambda: initialized((3, 0, 2), RNG), ValueError, ["widths[1] is 0", "at least 1"]),
    "a width of 2.5": (lambda: initialized((3, 2.5), RNG),
        TypeError, ["widths[1] is 2.5 of type float", "integer"]),
    "one width": (lambda: MLP.random((3,), RNG), ValueError, ["widths is (3,)", "output width"]),
    "a number for the widths": (lambda: initialized(3, RNG),
        TypeError, ["widths is 3 of type int", "sequence"]),
    "an unknown scheme": (lambda: initialized((3, 2), RNG, scheme="glorot"),
        ValueError, ["scheme is 'glorot'", "xavier", "required"]),
    "a seed for the weights": (lambda: initialized((3, 2), 0),
        TypeError, ["rng is 0 of type int", "Generator"]),
    "the legacy generator": (lambda: initialized((3, 2), np.random.RandomState(0)),
        TypeError, ["rng is RandomState", "Generator"]),
    "integers to draw": (lambda: initialized((3, 2), RNG, dtype=int),
        TypeError, ["dtype is int64", "float64 or float32"]),
    "an unheard-of dtype": (lambda: initialized((3, 2), RNG, dtype="real"),
        TypeError, ["dtype is 'real'", "float64 or float32"]),
    "a bias flag too few": (lambda: initialized((3, 2, 1), RNG, bias=[True]),
        ValueError, ["bias has 1 entries", "2", "required"]),
    "a word for the bias": (lambda: initialized((3, 2), RNG, bias="no"),
        TypeError, ["bias is 'no' of type str", "required"]),
    "no bias": (lambda: initialized((3, 2), RNG, bias=None),
        TypeError, ["bias is None of type NoneType", "required"]),
    "numbers for the bias": (lambda: initialized((3, 2), RNG, bias=[0.5]),
        TypeError, ["bias contains 0.5 of type float", "True or False"]),
    # integers mod p
    "fractions mod p": (lambda: ModArray([0.5]), TypeError, ["values has dtype float64", "integers"]),
    "Fraction objects mod p": (lambda: ModArray([Fraction(1, 2)]),
        TypeError, ["values has an entry Fraction(1, 2)", "integers"]),
    "booleans mod p": (lambda: ModArray([True]), TypeError, ["values has dtype bool", "integers"]),
    "p of 1": (lambda: ModArray([1], 1), ValueError, ["p is 1", "at least 2"]),
    "p too large": (lambda: ModArray([1], 1 << 24), ValueError, ["p is 16777216", "below 2^24"]),
    "two primes in a sum": (lambda: ModArray([1], 5) + ModArray([1], 7),
        TypeError, ["other is modulo 7", "modulo 5 is required"]),
    "floats added mod p": (lambda: ModArray([1], 5) + np.ones(1),
        TypeError, ["other has dtype float64", "required"]),
    "half mod 2": (lambda: ModArray([1], 2).half(), ValueError, ["p is 2", "odd prime"]),
    "an inner dimension too long": (
        lambda: ModArray(np.zeros((1, 32769), dtype=int), 16777213) @ np.zeros((32769, 1), dtype=int),
        ValueError, ["inner dimension is 32769", "at most 32768", "p = 16777213"]),
    "a table too short": (lambda: lookup_activation([0, 1], [0, 1, 2], 3),
        ValueError, ["table has shape (2,)", "(3,)", "required"]),
    "a derivative's table too long": (lambda: lookup_activation([0, 1, 2], range(4), 3),
        ValueError, ["derivative_table has shape (4,)", "(3,)"]),
    "a seed for residues": (lambda: random_residues((2,), 0), TypeError, ["rng is 0", "Generator"]),
    "a seed for tables": (lambda: random_activation(0), TypeError, ["rng is 0", "Generator"]),
    # balls
    "ragged balls": (lambda: Ball([[1.0], [1.0, 2.0]]),
        ValueError, ["value is [[1.0], [1.0, 2.0]]", "required"]),
}


@pytest.mark.parametrize("wrong", BAD)
def test_bad_input_is_named(wrong):
    call, error, words = BAD[wrong]
    with pytest.raises(error) as caught:
        call()
    assert type(caught.value) is error
    message, position = str(caught.value), 0
    for word in words:
        assert word in message[position:], f"{word!r} is not in {message!r} where it belongs"
        position = message.index(word, position) + len(word)


def test_the_arrays_passed_in_stay_and_their_later_changes_do_not_reach_the_network(rng):
    """Every routine that takes arrays is called; their bytes do not change; the network keeps its own
    copies."""
    weights = [rng.standard_normal((4, 3)), rng.standard_normal((3, 2))]
    biases = [rng.standard_normal(3), rng.standard_normal(2)]
    X, Y, labels = rng.standard_normal((5, 4)), rng.standard_normal((5, 2)), rng.integers(0, 2, 5)
    perm = np.array([2, 0, 1])
    arrays = [*weights, *biases, X, Y, labels, perm]
    before = [A.tobytes() for A in arrays]
    for name in ("relu", "tanh", "identity", "gelu", "square", "softplus"):
        net = MLP.from_arrays(weights, biases, name)
        net.forward(X)
        net.loss_and_gradients(X, Y)
        net.loss_and_gradients(X, labels, "cross_entropy")
        net.permuted(perm).permuted([perm])
        identical_units(net, 0, [0, 2])
        moved = net.permuted(perm)
        assert [A.tobytes() for A in arrays] == before
    output, moved_output = net(X), moved(X)
    passed = net.forward(X)
    kept = [A.tobytes() for A in (*passed.Z, *passed.H, passed.O)]
    for A in (*weights, *biases, perm):
        A[...] = 0
    assert np.array_equal(net(X), output)
    assert np.array_equal(moved(X), moved_output)
    X_before = X.copy()
    X[...] = 0
    assert [A.tobytes() for A in (*passed.Z, *passed.H, passed.O)] == kept
    assert np.array_equal(net(X_before), output)


def test_results_may_be_written_to_without_reaching_the_network(rng):
    net = MLP.random((4, 3, 2), rng, activation="identity", scheme="normal")
    X = rng.standard_normal((5, 4))
    output = net(X)
    for name in ("identity", "relu"):
        passed = MLP(net.parameters, name).forward(X)
        for A in (*passed.H, passed.O, *passed.Z):
            A[...] = 7
    assert np.array_equal(net(X), output)
    first = MLP(net.parameters, "identity").forward(X)
    first.Z[0][...] = 7
    assert not (first.H[0] == 7).all()


def test_the_networks_own_arrays_are_read_only(rng):
    for net in (MLP.random((4, 3, 2), rng), MLP.random((4, 3, 2), rng).permuted([2, 0, 1]),
                identical_units(MLP.random((4, 3, 2), rng), 0, [0, 1])):
        for A in net.parameters.arrays():
            with pytest.raises(ValueError, match="read-only"):
                A[...] = 0


@given(st.lists(st.integers(-3, 5), max_size=5))
def test_exactly_the_permutations_are_accepted(indices):
    if sorted(indices) == list(range(len(indices))) and indices:
        assert list(Permutation(indices)) == indices
    else:
        with pytest.raises(ValueError, match="required"):
            Permutation(indices)


@given(st.lists(st.tuples(st.integers(1, 3), st.integers(1, 3)), min_size=1, max_size=4))
def test_exactly_the_widths_that_meet_are_accepted(shapes):
    weights, biases = [np.ones(s) for s in shapes], [None] * len(shapes)
    if all(a[1] == b[0] for a, b in zip(shapes, shapes[1:], strict=False)):
        assert Parameters(weights, biases).widths == (shapes[0][0], *(s[1] for s in shapes))
    else:
        with pytest.raises(ValueError, match="the width of the layer before"):
            Parameters(weights, biases)
