"""Balls must contain the exact result: rational arithmetic and 50 digits say whether they do."""

import operator
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp, mpf

import literal
from permsym_book import MLP, Parameters
from permsym_book.activations import ACTIVATIONS, LEAK
from permsym_book.rounding import FUNCTION_ERROR, INFLATION, SMALLEST, UNIT_ROUNDOFF, Ball, gamma, on_balls
from strategies import EXACT, NAMES, balls, cases, hidden, seeds

U = Fraction(1, 2**53)


def fractions(array):
    """A float64 array as exact Fractions."""
    return np.array([Fraction(v) for v in np.asarray(array).ravel().tolist()],
                    dtype=object).reshape(np.shape(array))


def encloses(ball, exact):
    """Whether each exact number (Fraction or mpf) is within the radius of its entry; no rounding in the
    test."""
    values, radii = np.ravel(ball.value).tolist(), np.ravel(ball.radius).tolist()
    exact = list(np.ravel(np.array(exact, dtype=object)))
    assert len(values) == len(radii) == len(exact)
    with mp.workdps(50):
        return all(abs((Fraction if isinstance(e, (int, Fraction)) else mpf)(v) - e) <= r
                   for v, r, e in zip(values, radii, exact, strict=True))


def wide(shape, rng):
    """Numbers of very different sizes and of both signs."""
    return rng.standard_normal(shape) * 2.0 ** rng.integers(-60, 61, shape)


def fuzzy(shape, rng):
    """A Ball with a true radius, and exact numbers inside it, some on its edge."""
    value = wide(shape, rng)
    ball = Ball(value, abs(value) * 2.0 ** rng.integers(-50, -3, shape))
    offsets = rng.choice([-1, 1, 0, Fraction(1, 3)], shape)
    return ball, fractions(ball.value) + offsets * fractions(ball.radius)


# ---- one operation ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("operation", [operator.add, operator.sub, operator.mul], ids=lambda o: o.__name__)
@given(seeds)
def test_entrywise_operations_enclose(operation, seed):
    rng = np.random.default_rng(seed)
    (A, a), (B, b) = fuzzy((3, 4), rng), fuzzy((3, 4), rng)
    assert encloses(operation(A, B), operation(a, b))
    assert encloses(operation(A.value, Ball(B.value)), operation(fractions(A.value), fractions(B.value)))
    assert encloses(operation(Ball(A.value), B.value), operation(fractions(A.value), fractions(B.value)))


@pytest.mark.parametrize("operation", [operator.add, operator.sub, operator.mul, operator.matmul],
                         ids=lambda o: o.__name__)
def test_one_rounding_costs_no_more_than_its_half_unit(operation, rng):
    """Exact inputs: the radius is gamma_k |A||B|, not a factor larger."""
    A, B = abs(wide((3, 3), rng)), abs(wide((3, 3), rng))
    result = operation(Ball(A), Ball(B))
    k = 3 if operation is operator.matmul else 1
    scale = abs(A) @ abs(B) if operation is operator.matmul else abs(result.value)
    assert (result.radius <= 1.00001 * k * UNIT_ROUNDOFF * scale + 4 * SMALLEST).all()
    assert (result.radius >= 0.99999 * k * UNIT_ROUNDOFF * scale).all()


@given(seeds, st.integers(1, 12))
def test_matrix_product_encloses(seed, k):
    rng = np.random.default_rng(seed)
    (A, a), (B, b) = fuzzy((2, k), rng), fuzzy((k, 3), rng)
    assert encloses(A @ B, a @ b)
    assert encloses(A.value @ Ball(B.value), fractions(A.value) @ fractions(B.value))


@pytest.mark.parametrize("side", ["left", "right", "both"])
def test_matrix_product_carries_the_radius_of_each_side(side):
    """Radii far above rounding: at the edges of both, the exact product uses all of the propagated terms."""
    r = 0.25
    A = Ball([[1.0, 2.0]], np.full((1, 2), r if side != "right" else 0.0))
    B = Ball([[3.0], [5.0]], np.full((2, 1), r if side != "left" else 0.0))
    edge = (fractions(A.value) + fractions(A.radius)) @ (fractions(B.value) + fractions(B.radius))
    assert encloses(A @ B, edge)
    assert (A @ B).radius[0, 0] <= (float(edge[0, 0]) - 13) * 1.0001


@given(seeds, st.integers(1, 40), st.sampled_from([0, 1, -1]))
def test_sums_enclose(seed, k, axis):
    ball, exact = fuzzy((k, 3), np.random.default_rng(seed))
    assert encloses(ball.sum(axis), exact.sum(axis))


def test_a_worst_case_for_rounding_needs_every_term_of_gamma():
    """1 + u + u + ... summed from the left loses every u: gamma_k covers the error (k - 1) u, and little
    more."""
    k = 50
    terms = np.array([1.0, *[UNIT_ROUNDOFF] * (k - 1)])
    left_to_right = 0.0
    for t in terms:
        left_to_right += t
    error = abs(Fraction(left_to_right) - sum(map(Fraction, terms.tolist())))
    assert error == (k - 1) * U
    for radius in (Ball(terms).sum(0).radius, (Ball(terms[None]) @ Ball(np.ones((k, 1)))).radius[0, 0]):
        assert error <= Fraction(float(radius)) <= Fraction(1001 * k, 1000 * (k - 1)) * error


def test_gamma_is_highams_constant():
    for k in (1, 2, 1000, 10**6):
        exact = k * U / (1 - k * U)
        assert abs(Fraction(gamma(k)) - exact) <= 4 * U * exact
    with pytest.raises(ValueError, match=r"k is 9007199254740992; k u < 1"):
        gamma(2**53)


@given(seeds)
def test_moving_entries_about_costs_nothing(seed):
    ball, exact = fuzzy((3, 4), np.random.default_rng(seed))
    for moved, where in ((ball.T, exact.T), (ball.swapaxes(0, 1), exact.T), (ball[1], exact[1]),
                         (-ball, -exact), (ball[:, [2, 0, 1, 3]], exact[:, [2, 0, 1, 3]])):
        assert encloses(moved, where)
        assert sorted(moved.radius.ravel()) == sorted(ball.radius[1] if moved.ndim == 1
                                                      else ball.radius.ravel())
    assert encloses(ball.half(), exact / 2)


def test_underflow_is_absorbed():
    tiny = np.array([5e-324, 3e-320, 2.5e-308, -1e-300])
    A, a = Ball(tiny), fractions(tiny)
    assert encloses(A.half(), a / 2)
    assert encloses(A * A, a * a)
    assert encloses(A * Ball(np.full(4, 0.1)), a * Fraction(0.1))
    assert encloses(Ball(tiny[None]) @ Ball(tiny[:, None]), a[None] @ a[:, None])
    assert encloses(Ball(tiny, tiny**2 + abs(tiny) / 3).sum(0), (a + abs(a) / 3).sum())


def test_numbers_that_float64_does_not_hold_are_enclosed():
    exact = [Fraction(1, 3), Fraction(1, 4), 2**60 + 1, Fraction(-22, 7)]
    ball = Ball(np.array(exact, dtype=object))
    assert encloses(ball, exact)
    assert Ball(np.array([2**60 + 1])).radius[0] > 0
    for held in ([1, 2], np.array([Fraction(1, 4)], dtype=object), np.float32([0.1]), 0.1, [True]):
        assert not Ball(held).radius.any()


# ---- activations ------------------------------------------------------------------------------------------


def exact_functions(name):
    """The activation and its derivative at 50 digits; for those of the rationals, over the rationals."""
    if name in EXACT:
        return literal.ACTIVATIONS[name]

    def sigmoid(z):
        return 1 / (1 + mp.exp(-z))

    def phi(z):
        return mp.erfc(-z / mp.sqrt(2)) / 2

    return {
        "tanh": (mp.tanh, lambda z: mp.sech(z) ** 2),
        "sigmoid": (sigmoid, lambda z: sigmoid(z) * sigmoid(-z)),
        "gelu": (lambda z: z * phi(z), lambda z: phi(z) + z * mp.npdf(z)),
        "softplus": (lambda z: mp.log1p(mp.exp(z)) if z < 40 else z + mp.log1p(mp.exp(-z)), sigmoid),
        "sin": (mp.sin, mp.cos),
    }[name]


def grid():
    rng = np.random.default_rng(3)
    sizes = 2.0 ** rng.uniform(-1074, 9, 150)
    return np.concatenate([np.linspace(-9, 9, 361), np.linspace(-45, 45, 91), sizes, -sizes,
                           [0.0, -0.0, 5e-324, 1e5, -1e5, 1e15, -1e15, 700.0, -745.2, 1.0, -1.0]])


@pytest.mark.parametrize("name", NAMES)
def test_library_functions_are_within_the_assumed_error(name):
    Z = grid()
    activation = ACTIVATIONS[name]
    with mp.workdps(50):
        results = activation.function(Z), activation.derivative(Z)
        for computed, exact in zip(results, exact_functions(name), strict=True):
            for z, value in zip(Z.tolist(), computed.tolist(), strict=True):
                kind = Fraction if name in EXACT else mpf
                true = kind(value) - exact(kind(z))
                # a factor 2 in reserve
                assert abs(true) <= FUNCTION_ERROR * max(1, abs(value)) / 2, (z, value)


@pytest.mark.parametrize("name", NAMES)
def test_activations_of_balls_enclose(name):
    rng = np.random.default_rng(4)
    activation = on_balls(ACTIVATIONS[name])
    values = np.concatenate([rng.uniform(-4, 4, 80), [0.0, 1.0, -1.0, 0.5, np.sqrt(2), 1 / np.sqrt(3)]])
    ball = Ball(values, 2.0 ** rng.uniform(-40, 0, len(values)))
    with mp.workdps(50):
        number = Fraction if name in EXACT else mpf
        for share in (-1, -Fraction(1, 2), 0, Fraction(1, 7), 1):
            inside = [number(v) + number(r) * share.numerator / share.denominator
                      for v, r in zip(values.tolist(), ball.radius.tolist(), strict=True)]
            for on, exact in zip((activation.function, activation.derivative), exact_functions(name),
                                 strict=True):
                assert encloses(on(ball), [exact(z) for z in inside])


@pytest.mark.parametrize("name", NAMES)
def test_activations_of_numbers_known_exactly_enclose(name):
    Z, number = grid(), Fraction if name in EXACT else mpf
    activation = on_balls(ACTIVATIONS[name])
    with mp.workdps(50):
        for on, exact in zip((activation.function, activation.derivative), exact_functions(name),
                             strict=True):
            assert encloses(on(Ball(Z)), [exact(number(z)) for z in Z.tolist()])


@pytest.mark.parametrize("name", ["relu", "leaky_relu", "hardtanh"])
def test_the_jump_at_a_kink_is_added_only_where_it_can_be_reached(name):
    derivative = on_balls(ACTIVATIONS[name]).derivative
    for kink in ACTIVATIONS[name].kinks:
        inside, outside = (Ball([kink - 0.1, kink + 0.1], [r, r]) for r in (0.2, 0.05))
        assert (derivative(inside).radius >= 1 - float(LEAK)).all()
        assert (derivative(outside).radius < 1e-14).all()
        assert derivative(Ball([kink])).radius[0] < 1e-14  # known exactly: no jump


@pytest.mark.parametrize("name", NAMES)
def test_lipschitz_constants_are_upper_bounds_and_near_tight(name):
    activation = ACTIVATIONS[name]
    Z = np.linspace(-3, 3, 600_001)
    for function, bound in ((activation.function, activation.lipschitz),
                            (activation.derivative, activation.derivative_lipschitz)):
        steps = abs(np.diff(function(Z))) / np.diff(Z)
        away = np.ones(len(steps), dtype=bool)
        if function is activation.derivative:
            for kink in activation.kinks:
                away &= abs(Z[:-1] - kink) > 1e-4
        slopes, bounds = steps[away], bound(np.maximum(abs(Z[:-1]), abs(Z[1:])))[away]
        rounding = 64 * UNIT_ROUNDOFF * 9 / 1e-5
        assert (slopes <= bounds + rounding).all()
        # softplus' slope is sigma(3) at the end of the grid; all other maxima lie inside
        reached = 0.95 if name == "softplus" else 0.998
        assert (slopes / np.maximum(bounds, 1e-300)).max() >= reached or not bounds.any()


def test_the_square_root_formulas_behind_the_constants():
    table = ACTIVATIONS
    at = np.ones(1)
    with mp.workdps(30):
        root = mp.sqrt
        maxima = {"tanh": (1, 4 / (3 * root(3))), "sigmoid": (0.25, 1 / (6 * root(3))),
                  "gelu": (exact_functions("gelu")[1](root(2)), 2 / root(2 * mp.pi)), "softplus": (1, 0.25),
                  "sin": (1, 1)}
        for name, (slope, bend) in maxima.items():
            assert slope <= table[name].lipschitz(at)[0] <= slope * 1.002
            assert bend <= table[name].derivative_lipschitz(at)[0] <= bend * 1.002


# ---- whole passes -----------------------------------------------------------------------------------------


def exact_pass(net, X, Y):
    """Forward and backward by plain loops over Fractions, or at 50 digits where the activation is
    transcendental."""
    name = net.activation.name
    number = Fraction if name in EXACT else mpf

    def exact(A):
        if A is None:
            return None
        return np.array([number(v) for v in A.ravel().tolist()], dtype=object).reshape(A.shape).tolist()

    with mp.workdps(50):
        f, df = exact_functions(name)
        p = net.parameters
        weights, biases = ([exact(A) for A in arrays] for arrays in (p.weights, p.biases))
        Z, H, O = literal.forward(weights, biases, f, exact(X))
        value, delta = literal.squared_error(O, exact(Y))
        grads = literal.backward(weights, biases, df, exact(X), Z, H, delta)
    return (Z, H, O), value, grads


@given(cases(kinds=("float64",), shapes=hidden))
def test_a_whole_pass_encloses_the_exact_one(case):
    net, X, Y = case
    passed = balls(net).forward(Ball(X))
    value, grads = balls(net).loss_and_gradients(Ball(X), Ball(Y))
    (Z, H, O), exact_value, (grad_W, grad_b) = exact_pass(net, X, Y)
    for ball, exact in [*zip(passed.Z, Z, strict=True), *zip(passed.H, H, strict=True), (passed.O, O),
                        (value, exact_value), *zip(grads.weights, grad_W, strict=True)]:
        assert encloses(ball, exact)
    for ball, exact in zip(grads.biases, grad_b, strict=True):
        assert (ball is None) == (exact is None)
        assert ball is None or encloses(ball, exact)


@given(cases(kinds=("float64",), shapes=hidden))
def test_balls_hold_the_numbers_that_float64_computes(case):
    net, X, Y = case
    plain, ball = net.forward(X), balls(net).forward(Ball(X))
    for a, b in zip((*plain.Z, *plain.H, plain.O), (*ball.Z, *ball.H, ball.O), strict=True):
        assert np.array_equal(a, b.value)
    _, plain_grads = net.loss_and_gradients(X, Y)
    _, ball_grads = balls(net).loss_and_gradients(Ball(X), Ball(Y))
    for a, b in zip(plain_grads.arrays(), ball_grads.arrays(), strict=True):
        assert (abs(a - b.value) <= 2 * b.radius).all()


@pytest.mark.parametrize("name", NAMES)
def test_the_bound_is_not_vacuous(name, rng):
    weights = [rng.standard_normal(s) / 2 for s in ((4, 5), (5, 3), (3, 2))]
    net = MLP(Parameters(weights, [rng.standard_normal(W.shape[1]) / 2 for W in weights]), name)
    X, Y = rng.standard_normal((6, 4)), rng.standard_normal((6, 2))
    passed = balls(net).forward(Ball(X))
    _, grads = balls(net).loss_and_gradients(Ball(X), Ball(Y))
    for ball in (passed.O, *grads.arrays()):
        assert ball.radius.max() < 1e-12 * max(1, abs(ball.value).max())
        assert ball.radius.min() > 0


# ---- residual ---------------------------------------------------------------------------------------------


def test_residual_is_that_of_the_worst_entry():
    a, b = Ball([1.0, 2.0, 3.0], [0.1, 0.5, 0.1]), Ball([1.1, 2.4, 3.0], [0.1, 0.5, 0.2])
    residual, bound = a.residual(b)
    assert residual == pytest.approx(0.1)
    assert bound == pytest.approx(0.2 * INFLATION)
    assert b.residual(a) == (residual, bound)


def test_residual_of_equal_values_is_zero_with_the_largest_bound():
    a = Ball([1.0, 2.0], [0.1, 0.5])
    residual, bound = a.residual(Ball([1.0, 2.0], [0.2, 0.1]))
    assert residual == 0
    assert bound == pytest.approx(0.6 * INFLATION)
    assert Ball(1.0).residual(Ball(1.5)) == (0.5, 0.0)


def test_a_nan_does_not_pass():
    with np.errstate(invalid="ignore"):
        residual, bound = Ball([1.0, np.nan]).residual(Ball([1.0, 2.0]))
    assert not residual <= bound


def test_residual_of_other_shapes_is_an_error():
    with pytest.raises(ValueError, match=r"other has shape \(1, 2\); \(2,\) is required"):
        Ball([1.0, 2.0]).residual(Ball([[1.0, 2.0]]))


def test_a_ball_owns_its_numbers(rng):
    value, radius = np.ones((2, 3)), np.ones((2, 3))
    ball = Ball(value, radius)
    value[:], radius[:] = 5, 5
    assert (ball.value == 1).all()
    assert (ball.radius == INFLATION).all()
    for made in (ball, ball.T, ball + 1.0, ball[0], ball.half()):
        with pytest.raises(ValueError, match="read-only"):
            made.value[...] = 0
        with pytest.raises(ValueError, match="read-only"):
            made.radius[...] = 0


@pytest.mark.parametrize("radius", [0.1, [0.1], [[0.1, 0.2]], [0.1, -0.1]])
def test_a_radius_of_another_shape_or_below_zero_is_an_error(radius):
    with pytest.raises(ValueError, match="radius has shape"):
        Ball([1.0, 2.0], radius)


def test_repr_shows_shape_and_radius():
    assert repr(Ball([1.0, 2.0], [0.0, 0.5])) == "Ball(shape=(2,), largest radius=5.0e-01)"
