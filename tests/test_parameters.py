"""Parameters: the action of the relabellings, and the vector space it is linear on."""

import copy
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from permsym_book import Parameters, Permutation
from permsym_book.modular import ModArray
from permsym_book.rounding import Ball
from strategies import KINDS, cases, hidden, parameters, random_perms, seeds


def literally_permuted(theta, perms):
    """Each entry put in its place, one at a time."""
    def index(perm, j):
        return j if perm is None else perm[j]

    made = []
    ins, outs = [None, *perms], [*perms, None]
    for W, b, p, q in zip(theta.weights, theta.biases, ins, outs, strict=True):
        rows, columns = W.shape
        made.append(([[W[index(p, i), index(q, j)] for j in range(columns)] for i in range(rows)],
                     None if b is None else [b[index(q, j)] for j in range(columns)]))
    return made


@given(cases(kinds=("float64", "float32", "fraction", "int")), seeds)
def test_permuted_puts_each_number_in_its_place(case, seed):
    theta = case[0].parameters
    perms = random_perms(theta, np.random.default_rng(seed))
    moved = theta.permuted(perms)
    expected = literally_permuted(theta, perms)
    for W, b, (expected_W, expected_b) in zip(moved.weights, moved.biases, expected, strict=True):
        assert W.tolist() == expected_W
        assert (b is None) == (expected_b is None)
        assert b is None or b.tolist() == expected_b


@given(cases(), seeds)
def test_permuted_is_the_product_with_the_matrices(case, seed):
    theta = case[0].parameters
    perms = random_perms(theta, np.random.default_rng(seed))
    Ps = [np.eye(theta.widths[0], dtype=int), *(p.matrix() for p in perms),
          np.eye(theta.widths[-1], dtype=int)]
    moved = theta.permuted(perms)
    for layer, (W, b) in enumerate(zip(theta.weights, theta.biases, strict=True)):
        P_in, P_out = Ps[layer], Ps[layer + 1]
        if W.dtype in ("float64", "float32"):
            P_in, P_out = P_in.astype(W.dtype), P_out.astype(W.dtype)
        assert (moved.weights[layer] == P_in.T @ W @ P_out).all()
        assert b is None or (moved.biases[layer] == b @ P_out).all()


def test_a_three_cycle_moves_columns_and_rows_the_same_way():
    theta = Parameters([np.array([[1.0, 2, 3]]), np.array([[10.0], [20], [30]])],
                       [np.array([4.0, 5, 6]), None])
    moved = theta.permuted([2, 0, 1])
    assert moved.W1.tolist() == [[3, 1, 2]]
    assert moved.b1.tolist() == [6, 4, 5]
    assert moved.W2.tolist() == [[30], [10], [20]]
    assert moved.b2 is None


@given(cases(shapes=hidden), seeds)
def test_relabelling_is_a_group_action(case, seed):
    theta, rng = case[0].parameters, np.random.default_rng(seed)
    p, q = random_perms(theta, rng), random_perms(theta, rng)
    assert theta.permuted(p).permuted(q) == theta.permuted([a @ b for a, b in zip(p, q, strict=True)])
    assert theta.permuted(p).permuted([a.inverse() for a in p]) == theta
    assert theta.permuted([Permutation.identity(h) for h in theta.hidden_widths]) == theta


@given(cases(kinds=("fraction", "mod p"), shapes=hidden), seeds)
def test_relabelling_is_linear(case, seed):
    theta, rng = case[0].parameters, np.random.default_rng(seed)
    kind = "fraction" if theta.W1.dtype == object else "mod p"
    other = parameters(kind, theta.widths, rng, [b is not None for b in theta.biases])
    perms = random_perms(theta, rng)
    assert (theta * 3 + other).permuted(perms) == theta.permuted(perms) * 3 + other.permuted(perms)


@pytest.mark.parametrize("kind", KINDS)
def test_vector_space_operations_are_entrywise(kind, rng):
    a, b = (parameters(kind, (3, 4, 2), rng, [True, False]) for _ in range(2))
    for combined, entry in ((a + b, lambda x, y: x + y), (a - b, lambda x, y: x - y),
                            (a * 2, lambda x, y: x * 2), (2 * a, lambda x, y: x * 2), (-a, lambda x, y: -x)):
        triples = zip(combined.arrays(), a.arrays(), b.arrays(), strict=True)
        assert all((c == entry(x, y)).all() for c, x, y in triples)
        assert combined.biases[1] is None
        assert {c.dtype for c in combined.arrays()} == {a.W1.dtype}


def test_every_permutation_of_a_small_layer_is_told_apart(rng):
    theta = parameters("int", (2, 3, 1), rng)
    theta = theta + Parameters([np.array([[0, 100, 200]] * 2, dtype=object),
                                np.array([[0]] * 3, dtype=object)],
                               [np.array([0] * 3, dtype=object), np.array([0], dtype=object)])
    relabelled = [theta.permuted(p) for p in Permutation.all(3)]
    assert sum(a == b for a in relabelled for b in relabelled) == 6


@pytest.mark.parametrize("form", [Permutation([2, 0, 1]), [2, 0, 1], (2, 0, 1), np.array([2, 0, 1]),
                                  [[2, 0, 1]], [Permutation([2, 0, 1])], np.array([[2, 0, 1]])], ids=repr)
def test_every_way_to_write_one_permutation(form, rng):
    theta = parameters("float64", (4, 3, 2), rng)
    assert theta.permuted(form).W1.tolist() == theta.W1[:, [2, 0, 1]].tolist()


def test_widths_letters_and_arrays(rng):
    theta = parameters("float64", (4, 3, 5, 2), rng, [True, False, True])
    assert (theta.widths, theta.hidden_widths) == ((4, 3, 5, 2), (3, 5))
    assert theta.W1 is theta.weights[0]
    assert theta.W3 is theta.weights[2]
    assert (theta.b1 is theta.biases[0], theta.b2) == (True, None)
    assert [A.shape for A in theta.arrays()] == [(4, 3), (3,), (3, 5), (5, 2), (2,)]
    assert repr(theta) == "Parameters(widths=(4, 3, 5, 2), dtype=float64)"
    for letter in ("W4", "W0", "b9", "Q1", "W", "w1"):
        with pytest.raises(AttributeError, match="W1 to W3"):
            getattr(theta, letter)


def test_equality_is_exact_and_sees_every_array(rng):
    theta = parameters("float64", (2, 3, 1), rng)
    assert theta == Parameters(theta.weights, theta.biases)
    for position in range(4):
        arrays = [A.copy() for A in theta.arrays()]
        arrays[position].flat[-1] = np.nextafter(arrays[position].flat[-1], 9)
        assert theta != Parameters(arrays[::2], arrays[1::2])
    assert theta != Parameters(theta.weights, (theta.b1, None))
    assert theta != Parameters(theta.weights[:1], theta.biases[:1])
    assert theta != "theta"


@pytest.mark.parametrize("kind", KINDS)
def test_copies_and_pickles(kind, rng):
    theta = parameters(kind, (2, 3, 1), rng)
    for copied in (copy.copy(theta), copy.deepcopy(theta), pickle.loads(pickle.dumps(theta))):
        assert copied == theta


def test_every_array_is_read_only(rng):
    theta = parameters("float64", (2, 3, 1), rng)
    for made in (theta, theta.permuted([2, 0, 1]), theta + theta, theta * 2.0, -theta,
                 theta.map(np.zeros_like)):
        for A in made.arrays():
            with pytest.raises(ValueError, match="read-only"):
                A[...] = 0


def test_float32_stays_float32(rng):
    theta = parameters("float32", (2, 3, 1), rng)
    assert (theta * 0.1).W1.dtype == np.float32
    with pytest.raises(TypeError, match=r"number is .*float64.* float32"):
        theta * np.float64(0.1)
    with pytest.raises(TypeError, match=r"other has dtype float64; float32"):
        theta + parameters("float64", (2, 3, 1), rng)


def test_exact_numbers_stay_exact(rng):
    theta = parameters("int", (2, 3, 1), rng)
    assert (theta * Fraction(1, 3)).W1[0, 0] == Fraction(theta.W1[0, 0], 3)
    with pytest.raises(TypeError, match=r"number is 0\.5"):
        theta * 0.5
    with pytest.raises(TypeError, match=r"number is Fraction"):
        parameters("float64", (2, 3, 1), rng) * Fraction(1, 3)


def test_operands_must_have_the_same_places(rng):
    theta = parameters("float64", (2, 3, 1), rng)
    for other in (parameters("float64", (2, 4, 1), rng),
                  parameters("float64", (2, 3, 1), rng, [True, False])):
        for left, right in ((theta, other), (other, theta)):
            for operation in ("__add__", "__sub__"):
                with pytest.raises(ValueError, match="required"):
                    getattr(left, operation)(right)
    for something in (1.0, "theta", theta.W1):
        with pytest.raises(TypeError):
            theta + something
        with pytest.raises(TypeError):
            theta - something
    for left, right in ((theta, theta.W1), (theta.W1, theta)):
        with pytest.raises(TypeError):
            left * right
    assert np.float64(2) * theta == theta * np.float64(2) == theta + theta


@pytest.mark.parametrize("wrapper", [ModArray, Ball], ids=lambda w: w.__name__)
def test_other_arrays_cannot_change_behind_the_parameters_back(wrapper):
    numbers = np.arange(6).reshape(2, 3) if wrapper is ModArray else np.ones((2, 3))
    W = wrapper(numbers)
    theta = Parameters([W], [None])
    numbers[0, 0] = 50
    held = theta.W1.values if wrapper is ModArray else theta.W1.value
    assert held[0, 0] != 50
    with pytest.raises(ValueError, match="read-only"):
        held[0, 0] = 50


def test_map_hands_over_the_arrays_of_the_same_place(rng):
    a, b = (parameters("float64", (2, 3, 1), rng, [False, True]) for _ in range(2))
    mapped = a.map(lambda x, y: x * y, b)
    assert np.array_equal(mapped.W2, a.W2 * b.W2)
    assert np.array_equal(mapped.b2, a.b2 * b.b2)
    assert mapped.b1 is None
