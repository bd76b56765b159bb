"""Losses against their sums, number by number."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp, mpf

import literal
from permsym_book.losses import LOSSES, get_loss
from permsym_book.modular import ModArray
from permsym_book.rounding import Ball
from strategies import array, seeds

shapes = st.tuples(st.integers(1, 5), st.integers(1, 5))
U = 2.0**-53


@given(shapes, seeds, st.sampled_from(["fraction", "int"]))
def test_squared_error_is_half_the_sum_of_squares(shape, seed, kind):
    rng = np.random.default_rng(seed)
    O, Y = array(kind, shape, rng), array(kind, shape, rng)
    value, delta = get_loss("squared_error").value_and_derivative(O, Y)
    total = sum((Fraction(o) - y) ** 2 for o, y in zip(O.flat, Y.flat, strict=True))
    assert value == total / 2
    assert type(value) is Fraction
    rows = zip(O.tolist(), Y.tolist(), strict=True)
    assert delta.tolist() == [[o - y for o, y in zip(*pair, strict=True)] for pair in rows]


@given(shapes, seeds, st.sampled_from(["float64", "float32"]))
def test_squared_error_in_floats(shape, seed, kind):
    rng = np.random.default_rng(seed)
    O, Y = array(kind, shape, rng), array(kind, shape, rng)
    value, delta = get_loss("squared_error").value_and_derivative(O, Y)
    exact, _ = literal.squared_error([[Fraction(o) for o in row] for row in O.tolist()],
                                     [[Fraction(y) for y in row] for row in Y.tolist()])
    u = float(np.finfo(kind).eps / 2)
    # subtraction, product, sum of n q terms and halving: each term passes at most n q + 3 roundings
    assert abs(Fraction(float(value)) - exact) <= Fraction((O.size + 4) * u) * exact
    assert value.dtype == delta.dtype == kind
    assert np.array_equal(delta, O - Y)


def test_squared_error_mod_p():
    O, Y = ModArray([[3, 5]], 7), ModArray([[1, 6]], 7)
    value, delta = get_loss("squared_error").value_and_derivative(O, Y)
    assert value == (4 + 1) * 4  # 4 is the inverse of 2
    assert delta.values.tolist() == [[2, 6]]


def test_squared_error_on_balls():
    O, Y = Ball([[0.1, 0.2]]), Ball([[0.4, 0.7]])
    value, _ = get_loss("squared_error").value_and_derivative(O, Y)
    exact = ((Fraction(0.1) - Fraction(0.4)) ** 2 + (Fraction(0.2) - Fraction(0.7)) ** 2) / 2
    assert abs(Fraction(float(value.value)) - exact) <= Fraction(float(value.radius))


def exact_cross_entropy(O, labels):
    with mp.workdps(50):
        value, delta = mpf(0), []
        for row, label in zip(O.tolist(), labels.tolist(), strict=True):
            top = max(row)
            weights = [mp.exp(mpf(o) - top) for o in row]
            value += mp.log(sum(weights)) - (mpf(row[label]) - top)
            delta.append([w / sum(weights) - (k == label) for k, w in enumerate(weights)])
        return value, delta


@given(shapes, seeds, st.sampled_from([0.1, 1.0, 30.0, 1e4]), st.sampled_from(["float64", "float32"]))
def test_cross_entropy_is_minus_the_log_probability(shape, seed, scale, kind):
    rng = np.random.default_rng(seed)
    O = (scale * rng.standard_normal(shape)).astype(kind)
    labels = rng.integers(0, shape[1], shape[0])
    value, delta = get_loss("cross_entropy").value_and_derivative(O, labels)
    expected, expected_delta = exact_cross_entropy(O, labels)
    u = float(np.finfo(kind).eps / 2)
    spread = float(2 * abs(O).max() + shape[1] + 8)  # shifting a logit errs by u |O|, exp and log by a few u
    assert abs(value - float(expected)) <= shape[0] * (spread + 8 * abs(float(expected))) * 4 * u
    assert (abs(delta - np.array(expected_delta, dtype=float)) <= spread * 8 * u).all()
    assert value.dtype == delta.dtype == kind


@given(shapes, seeds)
def test_cross_entropy_is_the_textbook_formula(shape, seed):
    rng = np.random.default_rng(seed)
    O, labels = rng.standard_normal(shape), rng.integers(0, shape[1], shape[0])
    value, delta = get_loss("cross_entropy").value_and_derivative(O, labels)
    expected, expected_delta = literal.cross_entropy(O.tolist(), labels.tolist())
    assert abs(value - expected) <= 100 * U * (1 + abs(expected)) * O.size
    assert (abs(delta - np.array(expected_delta)) <= 100 * U * O.size).all()


def test_cross_entropy_of_extreme_outputs_is_finite():
    O = np.array([[1e4, 0.0, -1e4], [-1e308, 0.0, 1.0], [709.0, 710.0, 711.0]])
    value, delta = get_loss("cross_entropy").value_and_derivative(O, np.array([0, 1, 2]))
    assert value == pytest.approx(0 + np.log(1 + np.e) + np.log(1 + np.exp(-1) + np.exp(-2)), rel=1e-15)
    assert delta[0].tolist() == [0, 0, 0]


def test_cross_entropy_of_equal_outputs_is_log_q():
    value, delta = get_loss("cross_entropy").value_and_derivative(np.full((1, 4), 1e3), np.array([2]))
    assert value == np.log(4)
    assert delta.tolist() == [[0.25, 0.25, -0.75, 0.25]]


@pytest.mark.parametrize("loss", sorted(LOSSES))
def test_inputs_are_left_alone_and_value_is_the_first_of_the_pair(loss, rng):
    O = rng.standard_normal((3, 4))
    Y = rng.standard_normal((3, 4)) if loss == "squared_error" else rng.integers(0, 4, 3)
    before = O.tobytes() + Y.tobytes()
    value, delta = get_loss(loss).value_and_derivative(O, Y)
    assert get_loss(loss).value(O, Y) == value
    assert O.tobytes() + Y.tobytes() == before
    assert not np.shares_memory(delta, O)
    assert get_loss(loss).name == loss
