"""Every optimizer against its formula written one number at a time, and against the symmetry it claims."""

import math

import numpy as np
import pytest

from permsym_book import MLP, Parameters, optimizers
from permsym_book.optimizers import gram, quasi_newton
from permsym_book.optimizers.base import flat, unflat
from permsym_book.training import loss_function, train

STEPS = 100
RULES = [name for name, kind in optimizers.OPTIMIZERS.items() if issubclass(kind, optimizers.Rule)]
DRAWING = ["per_parameter_rates", "random_coordinates"]  # each network of a stack draws numbers of its own
MINIMIZERS = [name for name in optimizers.OPTIMIZERS if name not in RULES]


# ---- literal formulas: lists of floats, index by index; arrays are lists of lists ----------------------


def sign(x):
    return (x > 0) - (x < 0)


def sgd(o, s, i, w, g):
    return w - o.step_size * g


def momentum(o, s, i, w, g):
    s[i] = o.momentum * s.get(i, 0.0) + g
    return w - o.step_size * s[i]


def nesterov(o, s, i, w, g):
    s[i] = o.momentum * s.get(i, 0.0) + g
    return w - o.step_size * (g + o.momentum * s[i])


def adagrad(o, s, i, w, g):
    s[i] = s.get(i, 0.0) + g * g
    return w - o.step_size * g / (math.sqrt(s[i]) + o.eps)


def rmsprop(o, s, i, w, g):
    s[i] = o.alpha * s.get(i, 0.0) + (1 - o.alpha) * g * g
    return w - o.step_size * g / (math.sqrt(s[i]) + o.eps)


def adam(o, s, i, w, g):
    t, m, v = s.get(i, (0, 0.0, 0.0))
    t, m, v = t + 1, o.beta1 * m + (1 - o.beta1) * g, o.beta2 * v + (1 - o.beta2) * g * g
    s[i] = t, m, v
    m_hat, v_hat = m / (1 - o.beta1**t), v / (1 - o.beta2**t)  # as the paper writes it
    return w - o.step_size * m_hat / (math.sqrt(v_hat) + o.eps)


def adamw(o, s, i, w, g):
    return adam(o, s, i, w * (1 - o.step_size * o.weight_decay), g)


def lion(o, s, i, w, g):
    m = s.get(i, 0.0)
    s[i] = o.beta2 * m + (1 - o.beta2) * g
    return w - o.step_size * (sign(o.beta1 * m + (1 - o.beta1) * g) + o.weight_decay * w)


def signs(o, s, i, w, g):
    return w - o.step_size * sign(g)


def clip_value(o, s, i, w, g):
    return w - o.step_size * max(-o.max_value, min(o.max_value, g))


ONE_NUMBER = {"sgd": sgd, "momentum": momentum, "nesterov": nesterov, "adagrad": adagrad, "rmsprop": rmsprop,
              "adam": adam, "adamw": adamw, "lion": lion, "sign": signs, "clip_value": clip_value}


def entries(p):
    return [(k, index) for k, A in enumerate(p.arrays()) for index in np.ndindex(A.shape)]


def stepped_by_numbers(rule, option, s, p, g):
    arrays, out = p.arrays(), [np.array(A) for A in p.arrays()]
    for k, index in entries(p):
        out[k][index] = rule(option, s, (k, index), float(arrays[k][index]), float(g.arrays()[k][index]))
    return rebuilt(p, out)


def rebuilt(p, arrays):
    arrays = iter(arrays)
    weights, biases = [], []
    for b in p.biases:
        weights.append(next(arrays))
        biases.append(None if b is None else next(arrays))
    return Parameters(weights, biases)


def norm(A):
    return math.sqrt(sum(float(x) ** 2 for x in np.ravel(A)))


def clip_norm(o, s, p, g):
    total = math.sqrt(sum(norm(A) ** 2 for A in g.arrays()))
    factor = min(1.0, o.max_norm / (total + 1e-6))
    return rebuilt(p, [A - o.step_size * factor * G for A, G in zip(p.arrays(), g.arrays(), strict=True)])


def lars(o, s, p, g):
    out = []
    for k, (w, G) in enumerate(zip(p.arrays(), g.arrays(), strict=True)):
        below = norm(G) + o.weight_decay * norm(w)
        ratio = o.trust * norm(w) / below if norm(w) and norm(G) else 1.0
        s[k] = o.momentum * s.get(k, 0.0) + o.step_size * ratio * (G + o.weight_decay * w)
        out.append(w - s[k])
    return rebuilt(p, out)


def topk(o, s, p, g):
    sizes = sorted((abs(float(x)) for A in g.arrays() for x in A.ravel()), reverse=True)
    least = sizes[math.ceil(o.fraction * len(sizes)) - 1]
    return rebuilt(p, [w - o.step_size * np.array([x if abs(x) >= least else 0.0
                                                   for x in G.ravel()]).reshape(G.shape)
                       for w, G in zip(p.arrays(), g.arrays(), strict=True)])


def inverse_root(A, k):
    """A^(-1/k) through the singular values of a symmetric positive definite matrix."""
    U, S, _ = np.linalg.svd(A)
    return sum(s ** (-1 / k) * np.outer(u, u) for s, u in zip(S, U.T, strict=True))


def shampoo(o, s, p, g):
    out = []
    for k, (w, G) in enumerate(zip(p.arrays(), g.arrays(), strict=True)):
        if G.ndim == 1:
            H = s[k] = s.get(k, o.start * np.eye(len(G))) + np.outer(G, G)
            out.append(w - o.step_size * inverse_root(H, 2) @ G)
        else:
            L, R = s.get(k, (o.start * np.eye(len(G)), o.start * np.eye(len(G[0]))))
            L, R = L + sum(np.outer(c, c) for c in G.T), R + sum(np.outer(r, r) for r in G)
            s[k] = L, R
            out.append(w - o.step_size * inverse_root(L, 4) @ G @ inverse_root(R, 4))
    return rebuilt(p, out)


def orthogonal_newton_schulz(o, U):
    """The quintic applied to the singular values themselves."""
    left, S, right = np.linalg.svd(U, full_matrices=False)
    S = [x / max(norm(U), o.eps) for x in S]
    for _ in range(o.ns_steps):
        S = [3.4445 * x - 4.7750 * x**3 + 2.0315 * x**5 for x in S]
    return left @ np.diag(S) @ right


def orthogonal_polar(o, U):
    """U (U^T U)^(-1/2), or its transposed form."""
    return U @ inverse_root(U.T @ U, 2) if U.shape[0] >= U.shape[1] else inverse_root(U @ U.T, 2) @ U


def muon(orthogonal):
    def step(o, s, p, g):
        out = []
        for k, (w, G) in enumerate(zip(p.arrays(), g.arrays(), strict=True)):
            s[k] = o.momentum * s.get(k, 0.0) + (1 - o.momentum) * G
            u = (1 - o.momentum) * G + o.momentum * s[k]
            if G.ndim == 2:
                u = math.sqrt(max(1, G.shape[1] / G.shape[0])) * orthogonal(o, u)
            out.append(w * (1 - o.step_size * o.weight_decay) - o.step_size * u)
        return rebuilt(p, out)
    return step


def per_parameter_rates(o, s, p, g):
    from permsym_book.counter import uniforms
    rates = iter(uniforms(o.seed, 0, sum(A.size for A in p.arrays())).tolist())
    return rebuilt(p,
                   [w - o.step_size * np.array([(1 + o.spread * (2 * next(rates) - 1)) * x for x in G.ravel()]
                                                  ).reshape(G.shape)
                       for w, G in zip(p.arrays(), g.arrays(), strict=True)])


def random_coordinates(o, s, p, g):
    from permsym_book.counter import uniforms
    t = s["t"] = s.get("t", -1) + 1
    draws = iter(uniforms(o.seed, t, sum(A.size for A in p.arrays())).tolist())
    return rebuilt(p, [w - o.step_size * np.array([x if next(draws) < o.fraction else 0.0 for x in G.ravel()]
                                                  ).reshape(G.shape)
                       for w, G in zip(p.arrays(), g.arrays(), strict=True)])


WHOLE = {"clip_norm": clip_norm, "lars": lars, "topk": topk, "shampoo": shampoo,
         "muon": muon(orthogonal_newton_schulz), "muon_svd": muon(orthogonal_polar),
         "muon_svd_truncated": muon(orthogonal_polar), "per_parameter_rates": per_parameter_rates,
         "random_coordinates": random_coordinates}
OPTIONS = {"shampoo": {"start": 0.1}, "clip_norm": {"max_norm": 0.5, "step_size": 0.1},
           "clip_value": {"max_value": 0.3, "step_size": 0.1}, "lion": {"weight_decay": 0.1}}


def setting(rng, widths=(3, 4, 2)):
    net = MLP.random(widths, rng, scheme="normal")
    X, Y = rng.standard_normal((10, widths[0])), rng.standard_normal((10, widths[-1]))
    return net, X, Y, loss_function(net, X, Y)


def test_every_rule_has_a_reference():
    assert set(RULES) == set(ONE_NUMBER) | set(WHOLE)


@pytest.mark.parametrize("name", RULES)
def test_rules_are_their_formulas(name, rng):
    _, _, _, function = setting(rng)
    net, _, _, _ = setting(rng)
    rule = optimizers.get(name, **OPTIONS.get(name, {}))
    ours, state = net.parameters, rule.init(net.parameters)
    remembered = {}
    for t in range(STEPS):
        _, g = function(ours)
        if name in ONE_NUMBER:
            theirs = stepped_by_numbers(ONE_NUMBER[name], rule, remembered, ours, g)
        else:
            theirs = WHOLE[name](rule, remembered, ours, g)
        ours, state = rule.update(ours, g, state)
        for A, B in zip(ours.arrays(), theirs.arrays(), strict=True):
            np.testing.assert_allclose(A, B, rtol=1e-10, atol=1e-12, err_msg=f"step {t}")
    assert function(ours)[0] < function(net.parameters)[0]


@pytest.mark.parametrize("name", [name for name in RULES if name not in DRAWING])
def test_rules_take_a_stack_as_its_networks(name, rng):
    nets = [setting(rng)[0] for _ in range(3)]
    _, X, Y, function = setting(rng)
    rule = optimizers.get(name, **OPTIONS.get(name, {}))
    stack = MLP.stack(nets).parameters
    state, alone = rule.init(stack), [(n.parameters, rule.init(n.parameters)) for n in nets]
    for _ in range(5):
        stack, state = rule.update(stack, function(stack)[1], state)
        alone = [rule.update(p, function(p)[1], s) for p, s in alone]
    for e, (p, _) in enumerate(alone):
        for A, B in zip(stack[e].arrays(), p.arrays(), strict=True):
            np.testing.assert_allclose(A, B, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("name", DRAWING)
def test_networks_of_a_stack_draw_numbers_of_their_own(name, rng):
    net, _, _, function = setting(rng)
    rule = optimizers.get(name)
    stack = MLP.stack([net, net]).parameters
    moved, _ = rule.update(stack, function(stack)[1], rule.init(stack))
    alone, _ = rule.update(net.parameters, function(net.parameters)[1], rule.init(net.parameters))
    for first, second, one in zip(moved[0].arrays(), moved[1].arrays(), alone.arrays(), strict=True):
        np.testing.assert_allclose(first, one, rtol=1e-12, atol=0)
        assert (first != second).any()


@pytest.mark.parametrize("name", RULES)
def test_updates_are_pure(name, rng):
    net, _, _, function = setting(rng)
    rule = optimizers.get(name)
    state, (_, g) = rule.init(net.parameters), function(net.parameters)
    first = rule.update(net.parameters, g, state)
    again = rule.update(net.parameters, g, state)
    assert first[0] == again[0] and isinstance(first[1], tuple)


@pytest.mark.parametrize("name", [n for n in RULES if n not in ("per_parameter_rates", "random_coordinates")])
def test_rules_commute_with_a_relabelling(name, rng):
    net, _, _, function = setting(rng)
    rule, perm = optimizers.get(name, **OPTIONS.get(name, {})), [2, 0, 1, 3]
    p, q = net.parameters, net.parameters.permuted(perm)
    s, r = rule.init(p), rule.init(q)
    for _ in range(3):
        p, s = rule.update(p, function(p)[1], s)
        q, r = rule.update(q, function(q)[1], r)
    for A, B in zip(p.permuted(perm).arrays(), q.arrays(), strict=True):
        np.testing.assert_allclose(A, B, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("name", ["per_parameter_rates", "random_coordinates"])
def test_rules_that_see_the_index_do_not(name, rng):
    net, _, _, function = setting(rng)
    rule, perm = optimizers.get(name, step_size=0.1), [2, 0, 1, 3]
    p, q = net.parameters, net.parameters.permuted(perm)
    p, _ = rule.update(p, function(p)[1], rule.init(p))
    q, _ = rule.update(q, function(q)[1], rule.init(q))
    assert abs(p.permuted(perm).W1 - q.W1).max() > 1e-3


# ---- minimisers -------------------------------------------------------------------------------------


def path_of(name, rng, steps=12, **options):
    net, X, Y, function = setting(rng)
    seen = [net.parameters]
    train(net, X, Y, optimizers.get(name, **options), steps, callback=lambda t, n: seen.append(n.parameters)
          if t else None)
    xs = np.array([flat(p) for p in seen])
    gs = np.array([flat(function(p)[1]) for p in seen])
    return function, net.parameters, xs, gs


def cosine(a, b):
    return a @ b / math.sqrt(a @ a * (b @ b))


def bfgs_direction(k, xs, gs):
    """-H g with H from all differences, by the textbook formula; scaled before the second step or not, as
    scipy."""
    n = xs.shape[1]
    H = np.eye(n)
    for j in range(k):
        s, y = xs[j + 1] - xs[j], gs[j + 1] - gs[j]
        r = 1 / (y @ s)
        V = np.eye(n) - r * np.outer(s, y)
        H = V @ H @ V.T + r * np.outer(s, s)
    return -H @ gs[k]


def lbfgs_direction(k, xs, gs, memory=10):
    """The two loops of Nocedal 1980."""
    q, alphas = gs[k].copy(), {}
    pairs = range(max(0, k - memory), k)
    for j in reversed(pairs):
        s, y = xs[j + 1] - xs[j], gs[j + 1] - gs[j]
        alphas[j] = s @ q / (y @ s)
        q -= alphas[j] * y
    if k:
        s, y = xs[k] - xs[k - 1], gs[k] - gs[k - 1]
        q *= y @ s / (y @ y)
    for j in pairs:
        s, y = xs[j + 1] - xs[j], gs[j + 1] - gs[j]
        q += s * (alphas[j] - y @ q / (y @ s))
    return -q


def cg_directions(k, xs, gs):
    """Polak and Ribiere with the factor kept from below by 0."""
    p = -gs[0]
    for j in range(k):
        beta = max(0, (gs[j + 1] - gs[j]) @ gs[j + 1] / (gs[j] @ gs[j]))
        p = -gs[j + 1] + beta * p
    return p


@pytest.mark.parametrize("name, direction",
                         [("bfgs", bfgs_direction), ("lbfgs", lbfgs_direction), ("cg", cg_directions)])
def test_line_searches_go_in_the_direction_of_the_formula(name, direction, rng):
    _, _, xs, gs = path_of(name, rng)
    for k in range(len(xs) - 1):
        assert cosine(xs[k + 1] - xs[k], direction(k, xs, gs)) == pytest.approx(1, abs=1e-10)
    wrong = cosine(xs[6] - xs[5], -gs[5])
    assert wrong < 1 - 1e-3, "steepest descent would pass this test"


@pytest.mark.parametrize("name", ["bfgs", "lbfgs", "cg", "newton_cg"])
def test_scipy_is_used_as_it_is(name, rng):
    import scipy.optimize

    net, X, Y, function = setting(rng)
    run = train(net, X, Y, name, 500)
    method, extra = quasi_newton.__dict__[{"bfgs": "BFGS", "lbfgs": "LBFGS", "cg": "CG",
                                           "newton_cg": "NewtonCG"}[name]], {}
    if method.hessian_products:
        extra["hess"] = lambda x: quasi_newton.hessian(function, unflat(x, net.parameters))
    found = scipy.optimize.minimize(lambda x: (lambda v,
                                               g: (float(v), flat(g)))(*function(unflat(x, net.parameters))),
                                    flat(net.parameters), jac=True, method=method.method, tol=1e-14,
                                    options={"maxiter": 500}, **extra)
    assert float(function(run.net.parameters)[0]) == pytest.approx(found.fun, rel=1e-3)


def test_newton_is_its_formula(rng):
    function, p, xs, gs = path_of("newton_damped", rng, steps=4, damping=3.0)
    for k in range(4):
        H = differences_hessian(function, p, xs[k])
        np.testing.assert_allclose((H + 3 * np.eye(len(H))) @ (xs[k + 1] - xs[k]), -gs[k], atol=1e-5)
    function, p, xs, gs = path_of("newton", rng, steps=1)
    np.testing.assert_allclose(quasi_newton.hessian(function, p) @ (xs[1] - xs[0]), -gs[0], atol=1e-9)


def differences_hessian(function, p, x, e=1e-5):
    def gradient(y):
        return flat(function(unflat(y, p))[1])
    return np.array([(gradient(x + e * u) - gradient(x - e * u)) / (2 * e)
                     for u in np.eye(len(x))])


@pytest.mark.parametrize("loss", ["squared_error", "cross_entropy"])
def test_the_hessian_is_that_of_differences(loss, rng):
    net, X, Y, _ = setting(rng)
    Y = Y if loss == "squared_error" else rng.integers(0, 2, 10)
    function, p = loss_function(net, X, Y, loss), net.parameters
    np.testing.assert_allclose(quasi_newton.hessian(function, p), differences_hessian(function, p, flat(p)),
                               atol=1e-7)


def test_newton_says_when_the_hessian_is_singular():
    net = MLP.from_arrays([np.zeros((1, 2)), np.zeros((2, 1))], [None, None])
    with pytest.raises(ArithmeticError, match="singular at step 1.*newton_damped"):
        train(net, np.zeros((1, 1)), np.ones((1, 1)), "newton", 1)


# ---- the small parts --------------------------------------------------------------------------------


def test_newton_schulz_pushes_singular_values_to_one_and_keeps_equal_columns(rng):
    from permsym_book.arithmetic import PlainSums

    for shape in ((8, 5), (5, 8)):
        G = rng.standard_normal(shape)
        S = np.linalg.svd(gram.newton_schulz(G, 10), compute_uv=False)
        assert (abs(S - 1) < 0.4).all()
        G[:, 2] = G[:, 0]
        O = gram.newton_schulz(G.view(PlainSums))
        assert (O[:, 2] == O[:, 0]).all() and not (O[:, 1] == O[:, 0]).any()


def test_flat_and_unflat(rng):
    p = MLP.stack([setting(rng)[0] for _ in range(2)]).parameters
    assert flat(p).shape == (2, 26)
    assert unflat(flat(p), p) == p
    assert flat(p[1]).tolist() == [x for A in p[1].arrays() for x in A.ravel()]


def test_topk_keeps_ties_together():
    p = Parameters([np.zeros((1, 4))], [None])
    g = Parameters([np.array([[1.0, -2.0, 2.0, 0.5]])], [None])
    moved, _ = optimizers.get("topk", step_size=1.0, fraction=0.25).update(p, g, ())
    assert moved.W1.tolist() == [[0, 2, -2, 0]]


@pytest.mark.parametrize("call, error, words", [
    (lambda: optimizers.get("adan"), ValueError, "adan.*adam"),
    (lambda: optimizers.get(3), TypeError, "optimizer is 3 of type int; a name or an Optimizer is required"),
    (lambda: optimizers.get("sgd", momentum=0.9), TypeError, "momentum.*step_size"),
    (lambda: optimizers.get("sgd", step_size=0.0), ValueError, "step_size is 0.0"),
    (lambda: optimizers.get("sgd", step_size="a"), TypeError, "step_size is 'a'"),
    (lambda: optimizers.get("adam", beta1=1.5), ValueError, "beta1 is 1.5"),
    (lambda: optimizers.get("muon", ns_steps=2.5), TypeError, "ns_steps is 2.5"),
    (lambda: optimizers.get(optimizers.get("sgd"), step_size=1.0), TypeError, "step_size"),
    (lambda: optimizers.get("adam", step_size=float("nan")), ValueError, "step_size is nan"),
])
def test_wrong_calls_say_what_was_wrong(call, error, words):
    with pytest.raises(error, match=words):
        call()
