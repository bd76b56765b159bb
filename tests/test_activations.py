"""Activations against the scalar functions of the standard library, in every arithmetic they serve."""

from fractions import Fraction

import numpy as np
import pytest

import literal
from permsym_book.activations import ACTIVATIONS, LEAK, get_activation
from strategies import EXACT, NAMES

GRID = np.concatenate([np.linspace(-40, 40, 4001), [-0.0, 1e-300, -1e-300, 1e-12, 700.0, -700.0]])
SMOOTH = [name for name in NAMES if not ACTIVATIONS[name].kinks]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_function_and_derivative_are_the_scalar_ones(name, dtype):
    Z = GRID.astype(dtype)
    u = np.finfo(dtype).eps / 2
    for computed, scalar in zip((ACTIVATIONS[name].function(Z), ACTIVATIONS[name].derivative(Z)),
                                literal.ACTIVATIONS[name], strict=True):
        expected = np.array([float(scalar(z)) for z in Z.tolist()])
        assert computed.dtype == dtype
        assert computed.shape == Z.shape
        # both sides are within 32 u of the exact value (the bound rounding.py assumes of one)
        assert (abs(computed - expected) <= 64 * u * np.maximum(1, abs(expected))).all()


@pytest.mark.parametrize("name", EXACT)
def test_exact_activations_stay_in_the_rationals(name):
    Z = np.array([Fraction(k, 6) for k in range(-12, 13)] + list(range(-3, 4)), dtype=object)
    for array_form, scalar in zip((ACTIVATIONS[name].function, ACTIVATIONS[name].derivative),
                                  literal.ACTIVATIONS[name], strict=True):
        computed = array_form(Z)
        assert computed.dtype == object
        assert all(type(v) in (int, Fraction) for v in computed)
        assert computed.tolist() == [scalar(z) for z in Z.tolist()]


@pytest.mark.parametrize("name", EXACT)
def test_exact_derivative_is_the_exact_slope_away_from_kinks(name):
    h = Fraction(1, 1000)  # no kink lies between z - h and z + h; the central difference of a quadratic is exact
    Z = np.array([Fraction(k, 7) for k in range(-20, 21) if k not in (-7, 0, 7)], dtype=object)
    f, df = ACTIVATIONS[name].function, ACTIVATIONS[name].derivative
    assert ((f(Z + h) - f(Z - h)) / (2 * h)).tolist() == df(Z).tolist()


@pytest.mark.parametrize("name", SMOOTH)
def test_smooth_derivative_is_the_limit_of_difference_quotients(name):
    f, df = ACTIVATIONS[name].function, ACTIVATIONS[name].derivative
    Z, h = np.linspace(-6, 6, 997), 2.0**-10

    def error(h):
        return abs((f(Z + h) - f(Z - h)) / (2 * h) - df(Z)).max()

    rounding = 64 * 2.0**-53 * 49 / h
    # the error is h^2 / 6 times a third derivative, and these have |f'''| <= 2.4
    assert error(h) <= 0.4 * h * h + rounding
    assert error(2.0**-5) <= 0.4 * 2.0**-10 + rounding


@pytest.mark.parametrize("name", NAMES)
def test_value_of_the_derivative_at_the_kinks(name):
    kinks = ACTIVATIONS[name].kinks
    expected = {"relu": [0.0], "leaky_relu": [float(LEAK)], "hardtanh": [0.0, 0.0]}.get(name, [])
    assert ACTIVATIONS[name].derivative(np.array(kinks)).tolist() == expected
    assert len(kinks) == len(expected)
    for kink in kinks:  # and it does jump there
        below, above = ACTIVATIONS[name].derivative(np.array([kink - 1e-9, kink + 1e-9]))
        assert below != above


@pytest.mark.parametrize("name", NAMES)
def test_any_shape_and_a_new_array(name):
    Z = np.linspace(-2, 2, 24).reshape(2, 3, 4)
    before = Z.tobytes()
    for function in (ACTIVATIONS[name], ACTIVATIONS[name].function, ACTIVATIONS[name].derivative):
        computed = function(Z)
        assert computed.shape == Z.shape
        assert not np.shares_memory(computed, Z)
    assert Z.tobytes() == before


@pytest.mark.parametrize("name", [n for n in NAMES if n != "square"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_huge_arguments_neither_warn_nor_overflow(name, dtype):
    big = np.finfo(dtype).max
    for function in (ACTIVATIONS[name].function, ACTIVATIONS[name].derivative):
        assert np.isfinite(function(np.array([big, -big, big / 4, -big / 4], dtype=dtype))).all()


def test_the_leak_is_exact_in_every_arithmetic():
    assert Fraction(float(LEAK)) == LEAK == Fraction(float(np.float32(LEAK)))


def test_the_table():
    assert sorted(NAMES) == sorted(["identity", "relu", "leaky_relu", "tanh", "sigmoid", "gelu", "softplus", "sin",
                                    "square", "hardtanh"])
    assert sorted(EXACT) == ["hardtanh", "identity", "leaky_relu", "relu", "square"]
    for name in NAMES:
        assert get_activation(name) is ACTIVATIONS[name] is get_activation(ACTIVATIONS[name])
        assert ACTIVATIONS[name].name == name
