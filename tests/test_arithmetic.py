"""The arithmetics: each against Python's own numbers, and what sums do to equal and to relabelled units."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from permsym_book import MLP, arithmetic, identical_units, optimizers
from permsym_book.arithmetic import ARITHMETICS, PlainSums
from permsym_book.fixed_point import ONE, FixedArray, fixed_activation
from permsym_book.gaps import unit_gaps
from permsym_book.modular import PRIME
from permsym_book.training import largest_gap, train
from strategies import seeds

PERM = [2, 0, 1, *range(3, 16)]


def problem(rng, widths=(8, 16, 4), n=16, activation="tanh"):
    net = MLP.random(widths, rng, activation=activation)
    X = rng.standard_normal((n, widths[0]))
    return net, X, np.tanh(X @ rng.standard_normal((widths[0], widths[-1])) / 2)


def product_by_numbers(A, B):
    """Each product rounded down to a multiple of 1/4096, then added."""
    return [[sum((a * b * ONE // 1) / Fraction(ONE) for a, b in zip(row, column, strict=True))
             for column in zip(*B, strict=True)] for row in A]


@given(seeds, st.integers(1, 4), st.integers(1, 5), st.integers(1, 4))
def test_fixed_point_is_the_arithmetic_of_numbers_over_4096(seed, n, k, m):
    rng = np.random.default_rng(seed)
    a, b = rng.integers(-20000, 20000, (n, k)), rng.integers(-20000, 20000, (k, m))
    exact = [[[Fraction(int(v), ONE) for v in row] for row in M] for M in (a, b)]
    A, B = FixedArray(a), FixedArray(b)
    assert [[Fraction(int(v), ONE) for v in row] for row in (A @ B).values] == product_by_numbers(*exact)
    assert (A * A).values.tolist() == [[int(v) * int(v) // ONE for v in row] for row in a]
    assert (A * 0.25).values.tolist() == (a // 4).tolist()
    assert (A * Fraction(-1, 2)).values.tolist() == (-a // 2).tolist()
    assert (A - A.half() - A.half()).values.max() <= 1
    assert ((A + B.T[:1, :1]).values == a + b[0, 0]).all()
    assert (-A + A == 0).all() and ((1 - A).values == ONE - a).all()


def test_fixed_point_sums_do_not_depend_on_their_order_and_floats_do(rng):
    A, B = rng.standard_normal((20, 300)), rng.standard_normal((300, 20))
    order = rng.permutation(300)
    fixed = FixedArray.from_floats(A) @ FixedArray.from_floats(B)
    assert (fixed == FixedArray.from_floats(A[:, order]) @ FixedArray.from_floats(B[order])).all()
    P, Q = A.view(PlainSums), B.view(PlainSums)
    assert (P @ Q != P[:, order] @ Q[order]).any()


def test_fixed_point_stops_before_it_wraps_around():
    A = FixedArray.from_floats(np.full((1, 1), 2.0**18))
    for product in (lambda: A * A, lambda: A @ A):
        with pytest.raises(OverflowError, match="smaller step size"):
            product()
    with pytest.raises(TypeError, match="dtype float64"):
        FixedArray(np.zeros(2))
    with pytest.raises(TypeError, match="other"):
        A + "a"


@pytest.mark.parametrize("name", ["identity", "relu", "leaky_relu", "square", "hardtanh", "tanh", "sigmoid"])
def test_fixed_activations_are_the_nearest_numbers_or_rounded_down(name):
    from permsym_book.activations import get_activation

    z = np.concatenate([np.linspace(-20, 20, 4001), [0.0, 1.0, -1.0]])
    Z = FixedArray.from_floats(z)
    f, g = fixed_activation(name), get_activation(name)
    assert abs(f.function(Z).floats() - g.function(Z.floats())).max() <= 1 / ONE
    assert abs(f.derivative(Z).floats() - g.derivative(Z.floats())).max() <= 1 / ONE
    assert fixed_activation(f) is f
    with pytest.raises(ValueError, match="gelu.*tanh"):
        fixed_activation("gelu")


def test_plain_sums_are_sums_one_after_another(rng):
    A, B = rng.standard_normal((3, 5, 7)), rng.standard_normal((3, 7, 4))
    made = A.view(PlainSums) @ B
    for e, i, j in np.ndindex(3, 5, 4):
        total = A[e, i, 0] * B[e, 0, j]
        for k in range(1, 7):
            total = total + A[e, i, k] * B[e, k, j]
        assert made[e, i, j] == total
    assert isinstance(A @ B.view(PlainSums), PlainSums)


def test_equal_columns_give_equal_columns_in_a_fixed_order_for_every_shape(rng):
    for n, d, h in [(32, 64, 10), (64, 64, 33), (32, 20, 8), (1, 3, 2), (7, 1, 5)]:
        X, W = rng.standard_normal((n, d)), rng.standard_normal((d, h))
        W[:, -1] = W[:, 0]
        made = X.view(PlainSums) @ W.view(PlainSums)
        assert (made[:, -1] == made[:, 0]).all()


@pytest.mark.parametrize("name", ARITHMETICS)
def test_equal_units_stay_equal_in_every_arithmetic_with_equal_sums(name, rng):
    a = arithmetic.get(name)
    activation = "square" if name in ("modp", "fractions") else "tanh"
    net, X, Y = problem(rng, (2, 3, 1), n=2, activation=activation)
    net = MLP.stack([identical_units(net, 0, [0, 2])])
    gaps = []
    train(net, X, Y, optimizers.get("momentum", step_size=0.01), 2 if name == "fractions" else 50,
          arithmetic=name, callback=lambda t, n: gaps.append(unit_gaps(n.parameters, (0, 2))[0]))
    if a.equal_sums:
        assert max(gaps) == 0
    assert unit_gaps(a.network(net).parameters, (0, 1))[0] > 0


@pytest.mark.parametrize("name, steps", [("int64", 1000), ("modp", 1000), ("fractions", 2)])
def test_relabelled_twins_agree_exactly_where_sums_are_exact(name, steps, rng):
    small = name == "fractions"
    net, X, Y = problem(rng, (2, 3, 1) if small else (8, 16, 4), n=2 if small else 16,
                        activation="tanh" if name == "int64" else "square")
    perm = PERM[:net.hidden_widths[0]]
    rule = optimizers.get("sgd", step_size=0.01)
    here = train(net, X, Y, rule, steps, arithmetic=name).net
    there = train(net.permuted(perm), X, Y, rule, steps, arithmetic=name).net
    assert largest_gap(there.parameters, here.parameters.permuted(perm)) == 0
    assert largest_gap(here.parameters, arithmetic.get(name).network(net).parameters) > 0
    other = train(net.permuted(perm[1:] + perm[:1]), X, Y, rule, steps, arithmetic=name).net
    assert largest_gap(other.parameters, here.parameters.permuted(perm)) > 0


def test_relabelled_twins_drift_apart_in_float64(rng):
    net, X, Y = problem(rng)
    rule = optimizers.get("sgd", step_size=0.01)
    gaps = {name: largest_gap(train(net.permuted(PERM), X, Y, rule, 200, arithmetic=name).net.parameters,
                              train(net, X, Y, rule, 200, arithmetic=name).net.parameters.permuted(PERM))
            for name in ("float64", "fixed", "float32")}
    assert 0 < gaps["fixed"] < 1e-12 and 0 <= gaps["float64"] < 1e-12 and 0 < gaps["float32"] < 1e-3


def test_training_modulo_p_is_the_training_in_fractions_reduced(rng):
    """The ring homomorphism from fractions with denominators prime to p carries the whole training."""
    net, X, Y = problem(rng, (2, 3, 1), n=2, activation="square")
    rule = optimizers.get("nesterov", step_size=0.01)
    rational = train(net, X, Y, rule, 2, arithmetic="fractions").net.parameters
    residues = train(net, X, Y, rule, 2, arithmetic="modp").net.parameters
    for A, B in zip(rational.arrays(), residues.arrays(), strict=True):
        reduced = [v.numerator * pow(v.denominator, -1, PRIME) % PRIME for v in A.ravel()]
        assert reduced == B.values.ravel().tolist()


def test_ten_thousand_exact_steps_while_the_loss_falls(rng):
    """A 8-16-4 network and its relabelled twin, side by side in one stack; benchmarks/bench_training.py times
    it."""
    net, X, Y = problem(rng)
    gaps, losses = [], []
    fixed = arithmetic.get("int64")
    X_fixed, Y_fixed = fixed.array(X), fixed.array(Y)

    def watch(t, nets):
        if t % 100 == 0:
            p = nets.parameters
            gaps.append(largest_gap(p[1], p[0].permuted(PERM)))
            losses.append(float(nets.with_parameters(p[0]).loss(X_fixed, Y_fixed)))

    train(MLP.stack([net, net.permuted(PERM)]), X, Y, optimizers.get("sgd", step_size=0.005), 10_000,
          arithmetic="int64", callback=watch)
    assert gaps == [0] * 101
    assert losses[-1] < losses[0] / 10


def test_networks_pass_through_when_they_are_there_already(rng):
    net, _, _ = problem(rng)
    for name in ("float64", "fixed", "float32", "int64"):
        a = arithmetic.get(name)
        there = a.network(net)
        assert a.network(there) is there
    for wrong, error in (("float16", ValueError), (3, TypeError)):
        with pytest.raises(error, match="arithmetic is"):
            arithmetic.get(wrong)
    with pytest.raises(ValueError, match="tanh.*square"):
        arithmetic.get("modp").network(net)
