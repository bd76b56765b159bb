"""Paths between relabelled minima: smooth ones, refusals, interruption, and what happens off them."""

import dataclasses

import numpy as np
import pytest
from scipy.optimize import minimize

from permsym_book import MLP
from permsym_book.landscape import paths
from permsym_book.landscape.constrained import Surface, minimized
from permsym_book.landscape.objective import Objective, Pair, closest_pair, facing
from permsym_book.landscape.paths import BranchJump, permutation_path
from permsym_book.landscape.problems import NotReached, fitted, minimum, residual_jacobian, teacher_student
from permsym_book.landscape.vector import from_vector, to_vector


@pytest.fixture(scope="module")
def problem():
    return teacher_student(1, seed=4)


@pytest.fixture(scope="module")
def path(problem):
    return permutation_path(problem.net, problem.X, problem.Y, 0, problem.units)


def test_the_path_is_smooth_and_leads_to_the_relabelled_minimum(problem, path):
    i, j = problem.units
    perm = np.arange(3)
    perm[[i, j]] = j, i
    assert path.smooth and path.largest_step <= path.distances[0] / 10
    assert path.network(0) == problem.net and path.network(len(path) - 1) == problem.net.permuted(perm)
    assert path.distances[path.middle] == 0 and path.losses[path.middle] == path.losses.max()
    assert np.array_equal(path.losses, path.losses[::-1])
    assert (np.diff(path.losses[:path.middle + 1]) > 0).all() and (np.diff(path.signed_distances) < 0).all()


def test_every_point_has_its_distance_loss_and_constrained_gradient(problem, path):
    f, pair = Objective(problem.net, problem.X, problem.Y), Pair(problem.net, 0, problem.units)
    for D, theta, loss, norm in zip(path.distances, path.vectors, path.losses, path.gradient_norms, strict=True):
        assert pair.distance(theta) == pytest.approx(D, abs=1e-14)
        value, gradient = f.value_and_gradient(theta)
        assert value == pytest.approx(loss, rel=1e-12, abs=1e-20)
        apart = gradient[pair.first] - gradient[pair.second]
        if D:  # remove by hand the only direction in which the constraint holds the units
            u = (theta[pair.first] - theta[pair.second]) / D
            gradient[pair.first] -= u * (u @ apart) / 2
            gradient[pair.second] += u * (u @ apart) / 2
        assert np.linalg.norm(gradient) == pytest.approx(norm, abs=1e-11) and norm <= 1e-8


def test_the_points_are_the_minima_that_an_independent_minimiser_finds(problem, path):
    pair, f = Pair(problem.net, 0, problem.units), Objective(problem.net, problem.X, problem.Y)
    k = len(pair.first)
    for t in (5, 20, 35):
        D, theta = path.distances[t], path.vectors[t]
        others = np.setdiff1d(np.arange(len(theta)), np.r_[pair.first, pair.second])

        def whole(p, D=D, others=others):  # s, u and everything else, as in the definition
            s, u = p[:k], p[k:2 * k] / np.linalg.norm(p[k:2 * k])
            made = np.empty(f.size)
            made[pair.first], made[pair.second], made[others] = s + D / 2 * u, s - D / 2 * u, p[2 * k:]
            return made

        start = np.r_[(theta[pair.first] + theta[pair.second]) / 2, (theta[pair.first] - theta[pair.second]) / D,
                      theta[others]]
        noise = np.random.default_rng(t).standard_normal(len(start))
        found = minimize(lambda p, whole=whole: f.value(whole(p)), start + 1e-3 * noise, method="BFGS",
                         options={"gtol": 1e-9, "maxiter": 4000})
        assert found.fun >= path.losses[t] * (1 - 1e-6) - 1e-12
        assert found.fun == pytest.approx(path.losses[t], rel=1e-3, abs=1e-8)


def test_off_the_path_the_network_is_not_a_constrained_minimum(problem, path):
    f, pair = Objective(problem.net, problem.X, problem.Y), Pair(problem.net, 0, problem.units)
    theta = path.vectors[20] + 1e-3 * np.random.default_rng(0).standard_normal(f.size)
    theta = pair.at_distance(theta, path.distances[20])
    surface = Surface(pair, path.distances[20], theta)
    assert np.linalg.norm(surface.reduced(f.value_and_gradient(theta)[1])) > 1e-5


def test_holding_the_incoming_weights_only_fails(problem):
    """The outgoing weights blow up as 1/D: (one unit - another) / D, at distance D, is a new unit worth having."""
    theta, pair, sizes = to_vector(problem.net), Pair(problem.net, 0, problem.units), []
    i, j = pair.first[:3], pair.second[:3]  # incoming weights and bias
    for part in (0.03, 0.003, 0.0003):
        near = theta.copy()
        middle, half = (theta[i] + theta[j]) / 2, (theta[i] - theta[j]) * (part / 2)
        near[i], near[j] = middle + half, middle - half
        H = np.c_[from_vector(problem.net, near).forward(problem.X).H[0], np.ones(len(problem.X))]
        outgoing = np.linalg.lstsq(H, problem.Y, rcond=1e-15)[0]  # minimal over all outgoing weights
        sizes.append(abs(outgoing[list(problem.units)]).max())
    assert np.allclose(np.divide(sizes[1:], sizes[:-1]), 10, rtol=0.2)


def jumping():
    problem = teacher_student(1, seed=1)
    with pytest.raises(BranchJump) as caught:
        permutation_path(problem.net, problem.X, problem.Y, 0, problem.units)
    return problem, caught.value


def test_a_jump_is_an_error_that_carries_the_path_so_far():
    problem, jump = jumping()
    assert "distance" in str(jump) and "another" in str(jump)
    part = jump.path
    assert not part.complete and not part.smooth and part.distances[-1] == jump.distance > 0 and jump.step > 0
    assert part.largest_step <= part.largest_allowed and part.network(0) == problem.net
    assert (part.signed_distances > 0).all()  # its last point is on this side of the permutation point
    with pytest.raises(BranchJump):
        permutation_path(problem.net, problem.X, problem.Y, 0, problem.units, resume=part)


def test_an_interrupted_path_continues_to_the_same_end(problem, path, monkeypatch):
    calls, advanced = [], paths._advanced

    def interrupting(*arguments):
        calls.append(1)
        if len(calls) == 15:
            raise KeyboardInterrupt
        return advanced(*arguments)

    monkeypatch.setattr(paths, "_advanced", interrupting)
    part = permutation_path(problem.net, problem.X, problem.Y, 0, problem.units)
    assert not part.complete and len(part) == 15
    whole = permutation_path(problem.net, problem.X, problem.Y, 0, problem.units, resume=part, progress=True)
    assert whole.complete and np.array_equal(whole.vectors[:15], part.vectors)
    assert np.allclose(whole.vectors[whole.middle], path.vectors[path.middle], atol=1e-5)
    assert np.array_equal(permutation_path(problem.net, problem.X, problem.Y, 0, problem.units, resume=whole).vectors,
                          whole.vectors)
    with pytest.raises(ValueError, match="resume"):
        permutation_path(problem.net, problem.X, 2 * problem.Y, 0, problem.units, resume=part, tolerance=1e9)
    with pytest.raises(ValueError, match="resume"):
        permutation_path(path.network(3), problem.X, problem.Y, 0, problem.units, resume=part, tolerance=1e9)
    with pytest.raises(TypeError, match="resume"):
        permutation_path(problem.net, problem.X, problem.Y, 0, problem.units, resume=part.vectors)


def test_a_path_with_a_long_step_is_not_smooth(path):
    assert path.smooth and not dataclasses.replace(path, largest_allowed=path.largest_step / 2).smooth
    assert not dataclasses.replace(path, complete=False).smooth


def test_a_path_is_a_record(path):
    for column in (path.distances, path.vectors, path.losses, path.gradient_norms):
        with pytest.raises(ValueError, match="read-only"):
            column[0] = 0
    assert path.network(-1) == path.network(len(path) - 1)
    for t, error in ((99, ValueError), (-99, ValueError), ("a", TypeError), (1.0, TypeError), (True, TypeError)):
        with pytest.raises(error, match="t is"):
            path.network(t)


def first_half(path, **changed):
    """An unfinished path of the first points, some of its columns changed."""
    names = ("distances", "vectors", "losses", "gradient_norms")
    return dataclasses.replace(path, complete=False, **{name: getattr(path, name)[:10] for name in names} | changed)


def test_a_path_to_resume_is_one_of_this_problem(problem, path):
    net, X, Y, layer, units, _ = problem

    def resumed(part, X=X, Y=Y):
        return permutation_path(net, X, Y, layer, units, resume=part)

    assert resumed(first_half(path)).complete
    for changed in (path.distances[:9], path.distances[:1]):
        with pytest.raises(ValueError, match="resume has 10 vectors, and distances"):
            resumed(first_half(path, distances=changed))
    with pytest.raises(ValueError, match="resume has 10 vectors, and distances"):
        resumed(first_half(path, losses=path.losses))
    nan = path.vectors[:10].copy()
    nan[5, 0] = np.nan
    back = np.r_[0, 3:0:-1, 4:10]  # turns back on the way
    for changed in ({"distances": path.distances[:10] / 2}, {"distances": path.distances[9::-1]}, {"vectors": nan},
                    {"gradient_norms": np.full(10, np.inf)}, {"distances": path.distances[back], "vectors": path.vectors[back]}):
        with pytest.raises(ValueError, match="resume has distances that are not those of its vectors"):
            resumed(first_half(path, **changed))
    with pytest.raises(ValueError, match="resume has loss"):
        resumed(first_half(path), Y=Y * (1 + 1e-4))
    for changed in ({"layer": 1}, {"units": units[::-1]}):
        with pytest.raises(ValueError, match="resume starts from another network, layer or pair of units"):
            resumed(dataclasses.replace(first_half(path), **changed))


def test_the_closest_pair_by_differences():
    """|u|^2 + |v|^2 - 2 u v loses all digits here, and its squares overflow in float32."""
    for rows, pair in (([1e3, 1e3 + 1e-6, 2.0, 2.0 + 1e-7], (2, 3)), ([1e8, 0.1, 1e8, 0.2], (0, 2)),
                       ([1e200, 0.0, 2e200], (0, 1))):
        assert closest_pair(MLP.from_arrays([[rows], [[1.0]] * len(rows)], [None, None])) == pair
    net = MLP.from_arrays([np.array([[1e30, -1e30, 1.5e30]], np.float32), np.ones((3, 1), np.float32)], [None, None])
    assert closest_pair(net) == (0, 2)
    big = 10**200
    exact = MLP.from_arrays([np.array([[big, 0, big + 1]], dtype=object), np.array([[1]] * 3, dtype=object)], [None, None], "square")
    assert closest_pair(exact) == (0, 2)


def test_the_closest_pair_is_that_of_all_pairs(rng):
    net = MLP.random((3, 40, 2), rng)
    U = np.concatenate([net.parameters.W1, net.parameters.b1[None], net.parameters.W2.T]).T
    gaps = {(i, j): np.linalg.norm(U[i] - U[j]) for i in range(40) for j in range(i + 1, 40)}
    assert closest_pair(net) == min(gaps, key=gaps.get)
    both = {(i, j): min(gaps[i, j], np.linalg.norm(U[i] + U[j])) for i, j in gaps}
    i, j = min(both, key=both.get)
    faced = facing(net)
    assert closest_pair(faced) == (i, j) and Pair(faced, 0, (i, j)).distance(to_vector(faced)) == pytest.approx(both[i, j])
    assert np.allclose(faced(np.ones((1, 3))), net(np.ones((1, 3))), atol=1e-13)


def test_a_fit_needs_as_many_residuals_as_parameters(problem):
    with pytest.raises(ValueError, match=r"Y has shape \(12, 1\); at least 13 entries"):
        fitted(problem.net, problem.X[:12], problem.Y[:12])
    for size in ({"samples": 3}, {"hidden": 10**6}, {"samples": 10**9}):
        with pytest.raises(ValueError, match="samples is .*; at least .* residuals"):
            teacher_student(1, **size)


def test_the_jacobian_checks_its_input(problem):
    assert residual_jacobian(problem.net, problem.X[:2].tolist()).shape == (2, 13)
    with pytest.raises(TypeError, match="X is"):
        residual_jacobian(problem.net, None)
    with pytest.raises(TypeError, match="net is of type NoneType; MLP is required"):
        residual_jacobian(None, problem.X)


def test_bad_input_is_named(problem):
    net, X, Y, layer, units, _ = problem
    for bad, match in (((0, 0), "different"), ((0, 3), "unit is 3"), ((0,), "two units"), ((0, -1), r"units\[1\]")):
        with pytest.raises(ValueError, match=match):
            permutation_path(net, X, Y, 0, bad)
    with pytest.raises(ValueError, match="layer is 1"):
        permutation_path(net, X, Y, 1, units)
    moved = from_vector(net, to_vector(net) + 0.1)
    with pytest.raises(ValueError, match=r"not at a minimum: the gradient's norm is .*1.00e-08 is required"):
        permutation_path(moved, X, Y, 0, units)
    with pytest.raises(ValueError, match="no second derivative"):
        permutation_path(MLP(net.parameters, "relu"), X, Y, 0, units)
    with pytest.raises(ValueError, match="largest_step is -1"):
        permutation_path(net, X, Y, 0, units, largest_step=-1)
    with pytest.raises(TypeError, match="float64"):
        permutation_path(MLP(net.parameters.map(np.float32), "tanh"), X.astype(np.float32), Y.astype(np.float32), 0, units)
    with pytest.raises(ValueError, match="decay"):
        permutation_path(net, X, Y, 0, units, decay=-1.0)
    with pytest.raises(ValueError, match="one unit"):
        closest_pair(MLP.random((2, 1, 1), np.random.default_rng(0)))


def test_identical_units_and_saddles_are_refused(problem, path):
    middle = path.network(path.middle)
    with pytest.raises(ValueError, match="identical already"):
        permutation_path(middle, problem.X, problem.Y, 0, problem.units)
    other = next(k for k in range(3) if k not in problem.units)
    with pytest.raises(ValueError, match="a saddle"):
        permutation_path(middle, problem.X, problem.Y, 0, (problem.units[0], other))


@pytest.fixture(scope="module")
def deep():
    """A deep network at a minimum with weight decay: squared error, two hidden layers."""
    rng = np.random.default_rng(5)
    X = rng.standard_normal((60, 2))
    Y = np.sin(2 * X[:, :1]) * X[:, 1:]
    return minimum(MLP.random((2, 4, 3, 1), rng), X, Y, decay=0.02), X, Y


@pytest.mark.parametrize("layer", [0, 1])
def test_any_layer_of_a_deep_network_by_eigenvalues_and_by_conjugate_gradients(deep, layer, monkeypatch):
    net, X, Y = deep
    units, ways = closest_pair(net, layer), []
    for dense in (300, 0):
        monkeypatch.setattr("permsym_book.landscape.constrained.DENSE_AT_MOST", dense)
        try:
            ways.append(permutation_path(net, X, Y, layer, units, 11, decay=0.02, largest_step=0.5))
        except BranchJump as jump:
            ways.append(jump.path)
        assert len(ways[-1]) > 3
    same = min(len(way) for way in ways) // 2
    assert np.allclose(ways[0].distances[:same], ways[1].distances[:same])
    assert np.allclose(ways[0].vectors[:same], ways[1].vectors[:same], atol=1e-4)


def test_cross_entropy():
    rng = np.random.default_rng(3)
    X = rng.standard_normal((40, 2))
    labels = (X[:, 0] * X[:, 1] > 0).astype(int)
    net = minimum(MLP.random((2, 3, 2), rng), X, labels, "cross_entropy", decay=0.1)
    f = Objective(net, X, labels, "cross_entropy", 0.1)
    assert np.linalg.norm(f.value_and_gradient(to_vector(net))[1]) < 1e-8
    pair = Pair(net, 0, (0, 1))
    D = 0.9 * pair.distance(to_vector(net))
    found = minimized(f, to_vector(net), pair, D)
    assert found.converged and pair.distance(found.theta) == pytest.approx(D)


def test_jacobian_is_that_of_the_outputs_one_by_one(rng):
    net, X = MLP.random((3, 4, 2, 2), rng), rng.standard_normal((5, 3))
    theta, J = to_vector(net), residual_jacobian(net, X)
    for k in range(len(theta)):
        step = 1e-6 * (np.arange(len(theta)) == k)
        central = (from_vector(net, theta + step)(X) - from_vector(net, theta - step)(X)) / 2e-6
        assert np.allclose(J[:, k], central.ravel(), atol=1e-8)


def test_the_minimum_has_no_loss_and_training_that_fails_says_so(problem):
    assert problem.net.loss(problem.X, problem.Y) < 1e-22
    assert fitted(problem.net, problem.X, problem.Y).loss(problem.X, problem.Y) < 1e-22
    start = MLP.random((2, 3, 1), np.random.default_rng(0))
    with pytest.raises(NotReached, match="after 1 steps; tolerance = 1.00e-09 .* decay > 0") as caught:
        minimum(start, problem.X, problem.Y, at_most=1)
    further = caught.value.network
    assert caught.value.gradient_norm > 1e-9
    assert further.loss(problem.X, problem.Y) < start.loss(problem.X, problem.Y)
    with pytest.raises(RuntimeError, match="students"):
        teacher_student(1, seed=0, scale=20.0, tries=1)
