"""Second derivatives of the activations: against difference quotients, exactly where possible, absent at kinks."""

from fractions import Fraction

import numpy as np
import pytest

from permsym_book.activations import ACTIVATIONS
from strategies import NAMES

SMOOTH = [name for name in NAMES if not ACTIVATIONS[name].kinks]


def test_it_is_absent_exactly_where_the_derivative_jumps():
    assert {name for name in NAMES if ACTIVATIONS[name].second_derivative is None} == {"relu", "leaky_relu", "hardtanh"}
    assert all(ACTIVATIONS[name].kinks for name in NAMES if ACTIVATIONS[name].second_derivative is None)


@pytest.mark.parametrize("name", SMOOTH)
def test_it_is_the_limit_of_difference_quotients(name):
    df, ddf = ACTIVATIONS[name].derivative, ACTIVATIONS[name].second_derivative
    Z = np.linspace(-6, 6, 997)
    for h in (2.0**-5, 2.0**-10):
        error = abs((df(Z + h) - df(Z - h)) / (2 * h) - ddf(Z)).max()
        # h^2 / 6 times a fourth derivative, and these have |f''''| <= 4.1 (tanh); derivatives are at most 12 here
        assert error <= 4.1 / 6 * h * h + 64 * 2.0**-53 * 12 / h


@pytest.mark.parametrize("name", ["identity", "square"])
def test_exactly_over_the_rationals(name):
    Z, h = np.array([Fraction(k, 7) for k in range(-9, 10)], dtype=object), Fraction(1, 3)
    df, ddf = ACTIVATIONS[name].derivative, ACTIVATIONS[name].second_derivative
    assert ddf(Z).dtype == object
    assert all(type(v) in (int, Fraction) for v in ddf(Z))
    assert ddf(Z).tolist() == ((df(Z + h) - df(Z - h)) / (2 * h)).tolist()


@pytest.mark.parametrize("name", SMOOTH)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_dtype_shape_and_huge_arguments(name, dtype):
    Z = np.array([[0.0, -0.0, 1.0], [-2.0, 700.0, -700.0]], dtype=dtype)
    computed = ACTIVATIONS[name].second_derivative(Z)
    assert computed.dtype == dtype
    assert computed.shape == Z.shape
    assert not np.shares_memory(computed, Z)
    big = np.finfo(dtype).max
    assert np.isfinite(ACTIVATIONS[name].second_derivative(np.array([big, -big], dtype=dtype))).all()


def test_values_by_hand():
    at_0 = {"identity": 0.0, "tanh": 0.0, "sigmoid": 0.0, "gelu": np.sqrt(2 / np.pi), "softplus": 0.25, "sin": 0.0,
            "square": 2.0}
    assert set(at_0) == set(SMOOTH)
    for name, value in at_0.items():
        assert ACTIVATIONS[name].second_derivative(np.zeros(1))[0] == pytest.approx(value, abs=1e-15)
