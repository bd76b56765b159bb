"""Permutation points: critical, with the index and nullity of the formulas; near them nothing is critical."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from permsym_book import MLP
from permsym_book.landscape.hessian import hessian
from permsym_book.landscape.inertia import inertia
from permsym_book.landscape.paths import permutation_path
from permsym_book.landscape.problems import minimum, teacher_student
from permsym_book.landscape.saddles import (
    _with_inertia,
    antisymmetric_block,
    permutation_point,
    projected_hessian,
)
from permsym_book.landscape.splitting import equal_loss_plane, merge, split
from permsym_book.landscape.survey import _measured, survey
from permsym_book.landscape.vector import from_vector, to_vector

STARTS = {1: 4, 2: 4, 3: 10}  # one with a smooth path for each number of outputs


def gradient_norm(net, X, Y):
    return np.linalg.norm(to_vector(net.loss_and_gradients(X, Y)[1]))


@pytest.fixture(scope="module", params=sorted(STARTS))
def found(request):
    problem = teacher_student(request.param, STARTS[request.param])
    path = permutation_path(problem.net, problem.X, problem.Y, 0, problem.units)
    return problem, path, permutation_point(path, problem.X, problem.Y)


def test_critical_with_equal_units_and_so_is_the_merged_network(found):
    problem, path, point = found
    assert path.smooth
    U = np.concatenate([point.network.parameters.W1, point.network.parameters.b1[None], point.network.parameters.W2.T])
    assert np.array_equal(U[:, point.units[0]], U[:, point.units[1]])
    assert point.gradient_norm < 1e-12 and point.merged_gradient_norm < 1e-12
    assert gradient_norm(point.network, problem.X, problem.Y) == pytest.approx(point.gradient_norm, abs=1e-13)
    assert point.loss == pytest.approx(point.merged_loss, rel=1e-12)
    assert np.linalg.norm(to_vector(point.network) - path.vectors[path.middle]) < 1e-4


def test_slightly_off_it_is_not_critical(found, rng):
    problem, _, point = found
    theta = to_vector(point.network)
    off = from_vector(point.network, theta + 1e-3 * rng.standard_normal(len(theta)))
    assert gradient_norm(off, problem.X, problem.Y) > 1e-6


def test_block_is_the_projection_of_the_full_hessian_and_nothing_couples_it(found):
    problem, _, point = found
    arguments = point.network, problem.X, problem.Y, 0, point.units
    block = antisymmetric_block(*arguments)
    projected, rest = projected_hessian(*arguments)
    H = hessian(point.network, problem.X, problem.Y)
    bound = 300 * len(H) * np.finfo(float).eps * abs(H).max()
    assert abs(block.matrix - projected).max() < bound
    spectrum = np.sort(np.concatenate([np.linalg.eigvalsh(projected), np.linalg.eigvalsh(rest)]))
    assert abs(spectrum - np.linalg.eigvalsh(H)).max() < bound


def test_index_and_nullity_are_those_of_the_formulas(found):
    problem, _, point = found
    q = problem.Y.shape[1]
    block = antisymmetric_block(point.network, problem.X, problem.Y, 0, point.units)
    full = inertia(hessian(point.network, problem.X, problem.Y))
    assert full.clear and block.rank == q - 1 and block.nullity == 1
    assert (full.index, full.nullity) == (block.index, block.nullity)
    assert np.linalg.norm(block.M @ point.network.parameters.W2[point.units[0]]) < 1e-12


def test_the_plane_is_of_equal_loss_but_only_the_line_is_critical(found, rng):
    problem, _, point = found
    q = problem.Y.shape[1]
    a = 2 * point.network.parameters.W2[point.units[0]]
    for share in (-1.0, 0.0, 0.3, 1.0, 2.0):
        there = equal_loss_plane(point.network, 0, point.units, share)
        assert gradient_norm(there, problem.X, problem.Y) < 1e-11
        assert there.loss(problem.X, problem.Y) == pytest.approx(point.loss, rel=1e-12)
    across = rng.standard_normal(q)
    across -= a * (a @ across) / (a @ a)
    there = equal_loss_plane(point.network, 0, point.units, a / 2 + across)
    assert there.loss(problem.X, problem.Y) == pytest.approx(point.loss, rel=1e-12)
    assert (gradient_norm(there, problem.X, problem.Y) > 1e-4) == (q > 1)  # for one output the line is the plane


def test_the_abstracts_count_of_vanishing_eigenvalues_needs_care(found):
    """Erratum: of the n_(k+1) eigenvalues said to vanish only one does when there are several outputs."""
    problem, _, point = found
    nullity = inertia(hessian(point.network, problem.X, problem.Y)).nullity
    q = problem.Y.shape[1]
    assert nullity == 1 and (nullity >= q) == (q == 1)


def test_index_along_the_line_for_one_output():
    problem = teacher_student(1, STARTS[1])
    point = permutation_point(problem.net, problem.X, problem.Y, 0, problem.units)
    at = {share: inertia(hessian(equal_loss_plane(point.network, 0, point.units, share), problem.X, problem.Y))
          for share in (-0.5, 0.0, 0.3, 0.7, 1.0, 1.5)}
    inside, outside = at[0.3].index, at[1.5].index
    assert at[0.7].index == inside and at[-0.5].index == outside and inside + outside == 3  # B has in + 1 eigenvalues
    assert at[0.0].nullity == at[1.0].nullity == 4  # the line, and the incoming weights of the silent unit


def literal_block(net, X, Y, units):
    """The sums over samples, one by one, for one hidden layer and the squared error."""
    W1, b1, W2, b2 = net.parameters.arrays()
    i, d, q = units[0], len(W1), W2.shape[1]
    B, M = np.zeros((d + 1, d + 1)), np.zeros((d + 1, q))
    for x, y in zip(X, Y, strict=True):
        e = np.tanh(x @ W1 + b1) @ W2 + b2 - y
        x1 = np.append(x, 1.0)
        t = np.tanh(x @ W1[:, i] + b1[i])
        B += (e @ W2[i]) * (-2 * t * (1 - t * t)) * np.outer(x1, x1)
        M += (1 - t * t) * np.outer(x1, e)
    return B, M


def test_block_equals_its_sums_sample_by_sample(found):
    problem, _, point = found
    block = antisymmetric_block(point.network, problem.X, problem.Y, 0, point.units)
    B, M = literal_block(point.network, problem.X, problem.Y, point.units)
    assert np.allclose(block.B, B, rtol=1e-10, atol=1e-13) and np.allclose(block.M, M, rtol=1e-10, atol=1e-13)


@pytest.mark.parametrize("layer", [0, 1])
@pytest.mark.parametrize("loss", ["squared_error", "cross_entropy"])
def test_block_of_any_layer_needs_no_critical_point(layer, loss, rng):
    net, X = MLP.random((2, 3, 4, 3), rng, bias=[True, False, True]), rng.standard_normal((20, 2))
    Y = rng.integers(0, 3, 20) if loss == "cross_entropy" else rng.standard_normal((20, 3))
    last = net.hidden_widths[layer]
    net = split(net, layer, 1, 0.5)
    block = antisymmetric_block(net, X, Y, layer, (1, last), loss=loss)
    assert abs(block.matrix - projected_hessian(net, X, Y, layer, (1, last), loss=loss)[0]).max() < 1e-11
    assert (block.index, block.nullity) == (block.measured.index, block.measured.nullity)
    with pytest.raises(ValueError, match="differ by"):
        antisymmetric_block(net, X, Y, layer, (0, 1), loss=loss)


@settings(max_examples=60)
@given(st.integers(1, 5), st.integers(1, 4), st.integers(0, 4), st.integers(0, 2**32 - 1))
def test_inertia_of_a_bordered_matrix(c, q, rank, seed):
    """rank M + negative(B on ker M^T), and q - rank M + zero(B there), against the eigenvalues."""
    rng, rank = np.random.default_rng(seed), min(rank, c, q)
    M = rng.integers(-3, 4, (c, rank)).astype(float) @ rng.integers(-3, 4, (rank, q)).astype(float)
    B = rng.integers(-3, 4, (c, c)).astype(float)
    B = B + B.T
    matrix = np.block([[B, M], [M.T, np.zeros((q, q))]])
    found = _with_inertia(B, M, matrix, 1e-9)
    values = np.linalg.eigvalsh(matrix)
    assert found.rank == np.linalg.matrix_rank(M, tol=1e-9)
    assert found.nullity == len(values) - np.linalg.matrix_rank(matrix, tol=1e-9)
    assert found.index == (values < -1e-9).sum()


def test_deep_network_with_decay(rng):
    X = rng.standard_normal((50, 2))
    Y = np.sin(2 * X[:, :1]) * X[:, 1:]
    net = minimum(MLP.random((2, 4, 3, 1), rng), X, Y, decay=0.05)
    for layer in (0, 1):
        for units in ((0, 1), (2, 0)):  # the merged unit has another place when the second comes first
            point = permutation_point(net, X, Y, layer, units, decay=0.05)
            assert point.gradient_norm < 1e-12 and point.merged_gradient_norm < 1e-12
            assert point.loss == pytest.approx(point.merged_loss, rel=1e-12)
        point = permutation_point(net, X, Y, layer, (0, 1), decay=0.05)
        block = antisymmetric_block(point.network, X, Y, layer, (0, 1))
        assert abs(block.matrix - projected_hessian(point.network, X, Y, layer, (0, 1))[0]).max() < 1e-12


def test_a_network_needs_a_layer_and_units(rng):
    net = MLP.random((2, 3, 1), rng)
    with pytest.raises(ValueError, match="layer is None"):
        permutation_point(net, np.ones((2, 2)), np.ones((2, 1)))


def test_a_short_survey():
    row = survey(2, starts=1, seed=4)[0]
    assert row.smooth and row.critical and row.as_predicted and row.spread < 1e-12 and row.ended == 0
    for wrong in ({"merged_index": 1}, {"index": row.index + 1}, {"nullity": row.nullity + 1}):
        assert not row._replace(**wrong).as_predicted
    assert row._replace(merged_index=1, full=dataclasses.replace(row.full, index=row.full.index + 1)).as_predicted


@pytest.mark.parametrize("wrong", ["gradient_norm", "merged_gradient_norm"])
def test_a_row_is_critical_only_when_both_gradients_vanish(found, wrong):
    problem, path, point = found
    q = problem.Y.shape[1]
    assert _measured(q, 0, path, point, problem.X, problem.Y).critical
    assert not _measured(q, 0, path, dataclasses.replace(point, **{wrong: 1e-6}), problem.X, problem.Y).critical


@pytest.mark.slow
@pytest.mark.parametrize("outputs", [1, 2, 3])
def test_critical_points_are_as_the_formulas_say(outputs):
    """Other starts than those of the page, which requires the same of twenty for each number of outputs."""
    rows = survey(outputs, 6, seed=100)
    critical = [row for row in rows if row.critical]
    assert all(row.critical for row in rows if row.smooth)
    assert any(row.smooth for row in rows) and len(critical) >= 4
    for row in critical:
        assert row.as_predicted and row.full.clear and row.spread < 1e-12
        assert row.rank == outputs - 1 and row.nullity == 1


def test_rounding_in_b_is_no_sign():
    """One sample: B on the kernel of M^T is exactly 0, and computed as 1e-17."""
    net = MLP.from_arrays([[[0.7, 0.7]], [[1.0], [1.0]]], [[0.3, 0.3], None])
    block = antisymmetric_block(net, np.array([[0.3]]), np.array([[1.0]]), 0, (0, 1))
    assert (block.index, block.nullity) == (block.measured.index, block.measured.nullity) == (1, 1)


@given(st.integers(1, 3), st.integers(1, 3), st.integers(1, 3), st.integers(1, 3), st.booleans(), st.integers(0, 2**32 - 1))
def test_signs_of_few_samples(d, h, q, n, bias, seed):
    rng = np.random.default_rng(seed)
    net = split(MLP.random((d, h, q), rng, bias=bias), 0, 0, 0.5)
    block = antisymmetric_block(net, rng.standard_normal((n, d)), rng.standard_normal((n, q)), 0, (0, h))
    assert np.array_equal(block.B, block.B.T)
    if block.measured.clear:
        assert (block.index, block.nullity) == (block.measured.index, block.measured.nullity)


def test_a_block_at_a_point_of_no_loss_is_symmetric():
    """B of residuals of 1e-16, with cancellation in its products, differed from its transpose."""
    rng = np.random.default_rng(0)
    net = MLP.random((4, 3, 1), rng)
    X, Y = np.repeat(rng.standard_normal((3, 4)), 2, axis=0), rng.standard_normal((6, 1))
    point = permutation_point(net, X, Y, 0, (0, 1))
    block = antisymmetric_block(point.network, X, Y, 0, (0, 1))
    assert np.array_equal(block.matrix, block.matrix.T)


def test_a_path_has_its_own_layer_and_units(found):
    problem, path, _ = found
    for more in ((1, (0, 9)), (0, path.units), (0, None), (None, path.units)):
        with pytest.raises(ValueError, match="start is a Path, which has its own: None is required"):
            permutation_point(path, problem.X, problem.Y, *more)


def test_limits_of_iterations_are_named(found):
    problem, path, _ = found
    for limit, error in (({"at_most": 0}, ValueError), ({"at_most": 1.5}, TypeError), ({"at_most": "a"}, TypeError),
                         ({"inner": 0}, ValueError), *(({"tolerance": t}, ValueError) for t in ("a", None, np.nan, True, -1))):
        for call in (lambda limit=limit: permutation_point(path, problem.X, problem.Y, **limit),
                     lambda limit=limit: minimum(problem.net, problem.X, problem.Y, **limit),
                     lambda limit=limit: permutation_path(problem.net, problem.X, problem.Y, 0, problem.units, **limit)):
            with pytest.raises(error, match=f"{next(iter(limit))} is "):
                call()


def test_a_survey_has_a_seed_and_an_end():
    for seed in ("a", 1.5, -1):
        with pytest.raises((TypeError, ValueError), match="seed is"):
            survey(1, 1, seed=seed)
    with pytest.raises(ValueError, match="starts is 1000000.*; at most 10000 is required"):
        survey(1, 10**30)


def test_units_of_a_set_have_no_order(rng):
    net = split(MLP.random((2, 3, 1), rng), 0, 0, 0.5)
    for units in ({0, 3}, {0: 0, 3: 3}):
        for call in (lambda units=units: antisymmetric_block(net, np.ones((2, 2)), np.ones((2, 1)), 0, units),
                     lambda units=units: merge(net, 0, units)):
            with pytest.raises(TypeError, match="units is .* a sequence is required"):
                call()
