"""Tests of the checks of prop-permutation-point-critical and prop-index-nullity."""

from fractions import Fraction

import numpy as np
import pytest

from permsym_book import MLP
from permsym_book.claims import permutation_points
from permsym_book.claims.arithmetics import EXACT, Float64
from permsym_book.claims.permutation_points import coupling, critical_target, merged, parts
from permsym_book.claims.settings import random_network
from permsym_book.landscape.hessian import hessian
from permsym_book.landscape.inertia import inertia
from permsym_book.landscape.paths import permutation_path
from permsym_book.landscape.problems import teacher_student
from permsym_book.landscape.saddles import antisymmetric_block, permutation_point
from permsym_book.parameters import Parameters

from .helpers import assert_holds, delta_by_position, fails, sigma_by_position

OUTPUTS = ("1 output", "2 outputs", "3 outputs")


def test_prop_permutation_point_critical():
    assert_holds("prop-permutation-point-critical", controls={
        "off the path: the units' incoming weights apart", "equal units, but the loss not critical among such networks",
        "equal incoming weights only, outgoing weights apart across a"})


def test_prop_index_nullity():
    assert_holds("prop-index-nullity", controls={
        *(f"{name}, {q}" for name in ("not critical", "units apart") for q in OUTPUTS),
        *(f"{name}, {q}" for name in ("as many zero eigenvalues as outputs", "off the line along a") for q in OUTPUTS[1:])})


@pytest.mark.parametrize("sabotage", [sigma_by_position, delta_by_position])
def test_the_check_of_the_gradient_notices_sabotage(monkeypatch, sabotage):
    sabotage(monkeypatch)
    assert fails("prop-permutation-point-critical")


def test_the_check_of_the_gradient_notices_outgoing_weights_that_are_not_added_up(monkeypatch):
    def wrong(a, net, layer, pair):
        p, keep = net.parameters, [k for k in range(net.hidden_widths[layer]) if k != pair[1]]
        weights, biases = list(p.weights), list(p.biases)
        weights[layer], biases[layer], weights[layer + 1] = weights[layer][:, keep], biases[layer][keep], weights[layer + 1][keep]
        return net.with_parameters(type(p)(weights, biases))
    monkeypatch.setattr(permutation_points, "merged", wrong)
    assert fails("prop-permutation-point-critical")


@pytest.mark.parametrize("wrong", [
    lambda B, M: (B, M + M.T[0, 0]),
    lambda B, M: (B - B, M),
    lambda B, M: (B + B, M),
    lambda B, M: (B, M + M),
])
def test_the_check_of_the_index_notices_another_block(monkeypatch, wrong):
    right = parts
    monkeypatch.setattr(permutation_points, "parts", lambda *of: wrong(*right(*of)))
    assert fails("prop-index-nullity")


def test_the_check_of_the_index_notices_a_kernel_too_small(monkeypatch):
    right = permutation_points.kernel
    monkeypatch.setattr(permutation_points, "kernel", lambda *of: right(*of)[1:])
    assert fails("prop-index-nullity")


@pytest.mark.parametrize("kind", [Float64, *EXACT])
def test_targets_make_a_random_network_critical_without_fitting_it(kind):
    rng = np.random.default_rng(3)
    a = kind(rng)
    net = random_network(a, (2, 2, 2), rng)
    X = a.random((9, 2), rng)
    Y = critical_target(a, net, X, rng)
    g = net.loss_and_gradients(X, Y)[1]
    zero = [a.lift(np.zeros(A.shape, dtype=int)) for A in g.arrays()]
    largest = max(a.compare(A, z).residual for A, z in zip(g.arrays(), zero, strict=True))
    assert largest < 1e-11 if kind is Float64 else largest == 0
    assert a.compare(net(X), Y).residual > 0.1


def test_a_merged_network_computes_the_same():
    rng = np.random.default_rng(0)
    a = Float64(rng)
    net = permutation_points.identical_units(random_network(a, (2, 3, 2), rng), 0, (2, 0))
    X = a.random((5, 2), rng)
    found = a.compare(net(X), merged(a, net, 0, (2, 0))(X))
    assert found.holds and merged(a, net, 0, (2, 0)).hidden_widths == (2,)


def test_the_literal_block_is_the_packages():
    net = MLP.random((2, 3, 2), np.random.default_rng(0))
    net = permutation_points.identical_units(net, 0, (0, 2))
    X, Y = (np.random.default_rng(seed).standard_normal((30, 2)) for seed in (1, 2))
    B, M = parts(net, X, Y, (0, 2))
    block = antisymmetric_block(net, X, Y, 0, (0, 2))
    assert np.allclose(B, block.B, rtol=0, atol=1e-12) and np.allclose(M, block.M, rtol=0, atol=1e-12)


@pytest.mark.parametrize("outputs, seed", [(1, 4), (2, 4), (3, 5)])
def test_the_end_of_a_path_is_critical_and_a_point_slightly_off_it_is_not(outputs, seed):
    net, X, Y, layer, units, _ = teacher_student(outputs, seed)
    path = permutation_path(net, X, Y, layer, units)
    point = permutation_point(path, X, Y)
    assert path.smooth and point.gradient_norm < 1e-12
    H = hessian(point.network, X, Y)
    block = antisymmetric_block(point.network, X, Y, layer, units)
    assert (inertia(H).index, inertia(H).nullity) == (block.index, block.nullity) == (block.index, outputs - block.rank)
    W = point.network.parameters.W1.copy()
    W[:, units[0]] += 1e-3
    off = point.network.with_parameters(Parameters([W, point.network.parameters.W2], point.network.parameters.biases))
    slopes = [abs(A).max() for A in off.loss_and_gradients(X, Y)[1].arrays()]
    assert max(slopes) > 1e-6


def test_units_that_are_equal_do_not_couple_to_the_rest():
    net = MLP.random((2, 3, 1), np.random.default_rng(0))
    first, second = (permutation_points.unit_slots(net, 0, k) for k in (0, 1))
    X, Y = np.random.default_rng(1).standard_normal((20, 2)), np.zeros((20, 1))
    equal = permutation_points.identical_units(net, 0, (0, 1))
    assert abs(coupling(hessian(net, X, Y), first, second)).max() > 0.1
    assert abs(coupling(hessian(equal, X, Y), first, second)).max() < 1e-12


@pytest.mark.parametrize("wrong", [
    lambda S: -S,  # another index
    lambda S: np.pad(S, (0, 1), constant_values=Fraction(0)),  # another nullity
])
def test_the_check_of_the_index_compares_the_whole_hessian(monkeypatch, wrong):
    right = permutation_points.sums
    monkeypatch.setattr(permutation_points, "sums", lambda *of: wrong(right(*of)))
    assert fails("prop-index-nullity")


def test_the_check_of_the_index_holds_eigenvalues_to_their_bound(monkeypatch):
    """Eigenvalues a hundred bounds off, far below anything that the other comparisons see."""
    right = permutation_points.projected_hessian

    def off(net, X, Y, layer, pair):
        A, S = right(net, X, Y, layer, pair)
        N = len(A) + len(S)
        return A, S + 100 * 8 * N * permutation_points.rounding_bound(net, X, Y) * np.eye(len(S))

    monkeypatch.setattr(permutation_points, "projected_hessian", off)
    assert fails("prop-index-nullity")
