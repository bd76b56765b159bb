"""The network's passes against loops over samples and units, difference quotients and the complex step."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.special import erf

import literal
from permsym_book import MLP, Parameters, Permutation, formulas, identical_units
from permsym_book.activations import ACTIVATIONS
from permsym_book.modular import random_activation
from permsym_book.rounding import Ball
from strategies import KINDS, NAMES, P, array, balls, cases, hidden, lists, parameters, random_perms, seeds

U = 2.0**-53
FLOATS = ("float64", "float32")


def scalars(net, kind):
    """sigma and sigma' of one number."""
    if kind != "mod p":
        return literal.ACTIVATIONS[net.activation.name]
    tables = [f(type(net.parameters.W1)(range(P), P)).values.tolist()
              for f in (net.activation.function, net.activation.derivative)]
    return tuple(table.__getitem__ for table in tables)


def kind_of(net):
    dtype = str(net.parameters.W1.dtype)
    return "exact" if dtype == "object" else "mod p" if "mod" in dtype else dtype


def plain(A):
    return getattr(A, "values", A).tolist()


def literal_pass(net, X, Y):
    """Z, H, O, delta_O and the gradients, number by number."""
    kind = kind_of(net)
    reduce = (lambda v: v % P) if kind == "mod p" else literal.same
    sigma, dsigma = scalars(net, kind)
    weights, biases = lists(net.parameters)
    Z, H, O = literal.forward(weights, biases, sigma, plain(X), reduce)
    delta = [[reduce(o - y) for o, y in zip(*rows, strict=True)] for rows in zip(O, plain(Y), strict=True)]
    return Z, H, O, delta, literal.backward(weights, biases, dsigma, plain(X), Z, H, delta, reduce)


# ---- against the loops ------------------------------------------------------------------------------------


@given(cases(kinds=("fraction", "int", "mod p")))
def test_exact_passes_equal_the_loops(case):
    net, X, Y = case
    passed = net.forward(X)
    value, grads = net.loss_and_gradients(X, Y)
    Z, H, O, delta, (grad_W, grad_b) = literal_pass(net, X, Y)
    assert [plain(z) for z in passed.Z] == Z
    assert [plain(h) for h in passed.H] == H
    assert plain(passed.O) == O == plain(net(X))
    assert lists(grads) == (grad_W, grad_b)
    total = sum(d * d for row in delta for d in row)
    assert value == (total * pow(2, -1, P) % P if kind_of(net) == "mod p" else Fraction(total, 2))


@given(cases(kinds=FLOATS))
def test_float_passes_equal_the_loops_up_to_their_rounding(case):
    net, X, Y = case
    as64 = MLP(net.parameters.map(lambda A: A.astype(np.float64)), net.activation)
    X64, Y64 = X.astype(np.float64), Y.astype(np.float64)
    for z in as64.forward(X64).Z:  # float32 and the loops must be on the same side of every kink
        assume(all((abs(z - kink) > 1e-4).all() for kink in net.activation.kinks))
    bound = balls(as64).forward(Ball(X64))
    ball_value, ball_grads = balls(as64).loss_and_gradients(Ball(X64), Ball(Y64))
    # two computations; the unit roundoff of float32
    factor = 2.02 * (1 if X.dtype == np.float64 else 2.0**29)

    def close(computed, expected, ball):
        return (abs(np.asarray(computed,
                               dtype=np.float64) - np.asarray(expected)) <= factor * ball.radius).all()

    Z, H, O, delta, (grad_W, grad_b) = literal_pass(as64, X64, Y64)
    passed = net.forward(X)
    value, grads = net.loss_and_gradients(X, Y)
    for computed, expected, ball in zip((*passed.Z, *passed.H, passed.O), (*Z, *H, O),
                                        (*bound.Z, *bound.H, bound.O), strict=True):
        assert computed.dtype == X.dtype
        assert close(computed, expected, ball)
    assert close(value, sum(d * d for row in delta for d in row) / 2, ball_value)
    expected = [A for pair in zip(grad_W, grad_b, strict=True) for A in pair if A is not None]
    for computed, wanted, ball in zip(grads.arrays(), expected, ball_grads.arrays(), strict=True):
        assert computed.dtype == X.dtype
        assert close(computed, wanted, ball)


@given(cases(kinds=FLOATS), seeds)
def test_cross_entropy_gradients_equal_the_loops(case, seed):
    net, X, _ = case
    O = net(X)
    labels = np.random.default_rng(seed).integers(0, O.shape[1], len(O))
    value, grads = net.loss_and_gradients(X, labels, "cross_entropy")
    u = float(np.finfo(X.dtype).eps) / 2
    passed = net.forward(X)
    assume(abs(O).max() < 500)  # the literal formula has no shift
    expected, delta = literal.cross_entropy(O.tolist(), labels.tolist())
    assert abs(value - expected) <= len(O) * 50 * u * (1 + abs(O).max()) * (1 + abs(expected))
    exact = literal.backward(*lists(net.parameters), scalars(net, "float64")[1], plain(X),
                             [z.tolist() for z in passed.Z], [h.tolist() for h in passed.H], delta)
    # every |sigma'| is at most 1.13, except that of "square", 2 |z|
    slopes = [np.maximum(1.13, abs(net.activation.derivative(z))) for z in passed.Z]
    size = formulas.backward([abs(W) for W in net.parameters.weights], net.parameters.biases,
                             [lambda z, s=s: s for s in slopes], abs(X),
                             passed._replace(H=tuple(abs(h) for h in passed.H)), np.ones_like(O))
    steps = 64 * (1 + abs(O).max()) + 8 * (sum(net.widths) + len(X))  # roundings on the longest way
    for computed, wanted, scale in zip(grads.weights + grads.biases, exact[0] + exact[1], size[0] + size[1],
                                       strict=True):
        assert (computed is None) == (wanted is None)
        assert computed is None or (abs(computed - np.array(wanted)) <= steps * u * scale).all()


@given(cases(), seeds)
def test_gradients_have_the_parameters_shape_and_the_inputs_stay(case, seed):
    net, X, Y = case
    arrays = [getattr(A, "values", A) for A in (*net.parameters.arrays(), X, Y)]
    before = [A.copy() for A in arrays]
    value, grads = net.loss_and_gradients(X, Y)
    assert grads.widths == net.widths
    assert [b is None for b in grads.biases] == [b is None for b in net.parameters.biases]
    assert {str(A.dtype) for A in grads.arrays()} == {str(net.parameters.W1.dtype)}
    assert net.loss(X, Y) == value
    assert all((a == b).all() for a, b in zip(arrays, before, strict=True))


# ---- gradients as derivatives -----------------------------------------------------------------------------


def shifted(net, array_index, entry, by):
    """The network with one number changed."""
    weights, biases = list(net.parameters.weights), list(net.parameters.biases)
    of_weights = array_index < len(weights)
    place, layer = (weights, array_index) if of_weights else (biases, array_index - len(weights))
    place[layer] = place[layer].copy()
    place[layer][entry] += by
    return net.with_parameters(Parameters(weights, biases))


@pytest.mark.parametrize(("shape", "activation"), [((3, 2, 2), "identity"), ((2, 3, 2), "square"),
                                                   ((2, 2, 2, 1), "identity"), ((2, 2), "square")])
def test_difference_quotients_over_the_rationals_equal_the_gradient(shape, activation):
    """Along one parameter the loss is a polynomial of degree at most 4, on which this quotient is exact."""
    rng, h = np.random.default_rng(7), Fraction(1, 3)
    net = MLP(parameters("fraction", shape, rng), activation)
    X, Y = array("fraction", (3, shape[0]), rng), array("fraction", (3, shape[-1]), rng)
    _, grads = net.loss_and_gradients(X, Y)
    for index, gradient in enumerate(grads.weights + grads.biases):
        for entry in np.ndindex(gradient.shape):
            def along(t, index=index, entry=entry):
                return shifted(net, index, entry, t).loss(X, Y)
            quotient = (8 * (along(h) - along(-h)) - (along(2 * h) - along(-2 * h))) / (12 * h)
            assert gradient[entry] == quotient


@pytest.mark.parametrize("loss", ["squared_error", "cross_entropy"])
@pytest.mark.parametrize("name", [n for n in NAMES if not ACTIVATIONS[n].kinks])
def test_central_differences_approach_the_gradient_as_h_squared(name, loss):
    rng = np.random.default_rng(11)
    net, direction = (MLP(parameters("float64", (3, 4, 3, 2), rng) * 0.5, name) for _ in range(2))
    direction = direction.parameters
    X = array("float64", (5, 3), rng)
    Y = array("float64", (5, 2), rng) if loss == "squared_error" else rng.integers(0, 2, 5)
    _, grads = net.loss_and_gradients(X, Y, loss)
    slope = sum((g * v).sum() for g, v in zip(grads.arrays(), direction.arrays(), strict=True))

    def quotient(h):
        ahead, behind = (net.with_parameters(net.parameters + direction * t).loss(X, Y, loss)
                         for t in (h, -h))
        return (ahead - behind) / (2 * h)

    wide, narrow = 2.0**-7, 2.0**-11
    rounding = 2000 * U * (1 + abs(net.loss(X, Y, loss))) / narrow
    # the error is c h^2 + O(h^4): narrowing h by 16 divides it by 256
    assert abs(quotient(narrow) - slope) <= 1.1 * abs(quotient(wide) - slope) / 256 + rounding
    assert abs(quotient(wide) - slope) < 0.01 * (1 + abs(slope))


COMPLEX = {  # analytic continuations, written apart from the package
    "identity": lambda z: z,
    "relu": lambda z: np.where(z.real > 0, z, 0),
    "leaky_relu": lambda z: np.where(z.real > 0, z, z / 128),
    "tanh": np.tanh,
    "sigmoid": lambda z: 1 / (1 + np.exp(-z)),
    "gelu": lambda z: z * (1 + erf(z / np.sqrt(2))) / 2,
    "softplus": lambda z: np.log(1 + np.exp(z)),
    "sin": np.sin,
    "square": lambda z: z**2,
    "hardtanh": lambda z: np.where(abs(z.real) < 1, z, np.sign(z.real)),
}


def complex_loss(weights, biases, sigma, X, Y, loss):
    passed = formulas.forward(weights, biases, [sigma] * (len(weights) - 1), X.astype(complex))
    if loss == "squared_error":
        return ((passed.O - Y) ** 2).sum() / 2
    shifted = passed.O - passed.O.real.max(axis=1, keepdims=True)  # by a real constant
    return (np.log(np.exp(shifted).sum(axis=1)) - shifted[np.arange(len(Y)), Y]).sum()


@pytest.mark.parametrize("loss", ["squared_error", "cross_entropy"])
@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=15)
@given(hidden, seeds)
def test_complex_step_equals_the_gradient(name, loss, shape, seed):
    """Im L(theta + i t v) / t is the derivative along v, without cancellation: t = 1e-150 leaves no
    truncation."""
    rng, t = np.random.default_rng(seed), 1e-150
    net = MLP(parameters("float64", shape, rng) * 0.5, name)
    X = array("float64", (3, shape[0]), rng)
    Y = array("float64", (3, shape[-1]), rng) if loss == "squared_error" else rng.integers(0, shape[-1], 3)
    passed = net.forward(X)
    for z in passed.Z:
        assume(all((abs(z - kink) > 1e-9).all() for kink in net.activation.kinks))
    _, grads = net.loss_and_gradients(X, Y, loss)
    # majorants of everything on the way: the roundings of both sides are relative to them
    roundings = 4 * 8 * (sum(shape) + 3 + 32)  # a complex product errs by less than 4 u
    majorant = [abs(W) for W in net.parameters.weights], [abs(b) for b in net.parameters.biases]
    grown = formulas.forward(*majorant, [lambda z: (1 + z) * (1 + z)] * (len(shape) - 2), abs(X))
    outer = grown.O + 1 + (abs(Y) if loss == "squared_error" else 1)
    size = formulas.backward(*majorant, [lambda z: 2 + 2 * z] * (len(shape) - 2), abs(X), grown, outer)
    for index, (gradient,
                scale) in enumerate(zip(grads.weights + grads.biases, size[0] + size[1], strict=True)):
        entry = tuple(int(rng.integers(n)) for n in gradient.shape)
        arrays = [A.astype(complex) for A in net.parameters.weights + net.parameters.biases]
        arrays[index][entry] += 1j * t
        layers = len(shape) - 1
        step = complex_loss(arrays[:layers], arrays[layers:], COMPLEX[name], X, Y, loss).imag / t
        assert abs(gradient[entry] - step) <= roundings * U * scale[entry]


# ---- the symmetry and structure ---------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["int", "mod p"])
def test_every_relabelling_of_two_hidden_layers_computes_the_same(kind, rng):
    activation = random_activation(rng, P) if kind == "mod p" else "relu"
    net = MLP(parameters(kind, (2, 3, 4, 2), rng), activation)
    X, Y = array(kind, (3, 2), rng), array(kind, (3, 2), rng)
    value, grads = net.loss_and_gradients(X, Y)
    for p in Permutation.all(3):
        for q in Permutation.all(4):
            moved = net.permuted([p, q])
            passed = moved.forward(X)
            assert (passed.O == net(X)).all()
            assert (passed.H[0] == net.forward(X).H[0][:, p.indices]).all()
            moved_value, moved_grads = moved.loss_and_gradients(X, Y)
            assert moved_value == value
            assert moved_grads == grads.permuted([p, q])


@given(cases(shapes=hidden), seeds)
def test_permuted_keeps_the_activation_and_moves_the_parameters(case, seed):
    net = case[0]
    perms = random_perms(net, np.random.default_rng(seed))
    moved = net.permuted(perms)
    assert moved == MLP(net.parameters.permuted(perms), net.activation)
    assert moved.activation is net.activation


@given(hidden, seeds, st.integers(1, 3))
def test_leading_axes_are_networks_side_by_side(shape, seed, E):
    rng = np.random.default_rng(seed)
    nets = [MLP(parameters("int", shape, rng), "relu") for _ in range(E)]
    X = array("int", (3, shape[0]), rng)
    layers = len(shape) - 1
    weights = [np.stack([net.parameters.weights[layer] for net in nets]) for layer in range(layers)]
    biases = [np.stack([net.parameters.biases[layer] for net in nets]) for layer in range(layers)]
    relu = nets[0].activation
    passed = formulas.forward(weights, biases, [relu] * (layers - 1), X)
    grads = formulas.backward(weights, biases, [relu.derivative] * (layers - 1), X, passed, passed.O)
    for e, net in enumerate(nets):
        single = net.forward(X)
        assert (passed.O[e] == single.O).all()
        _, wanted = net.loss_and_gradients(X, 0 * single.O)
        expected = wanted.weights + wanted.biases
        assert all((g[e] == w).all() for g, w in zip(grads[0] + grads[1], expected, strict=True))


@pytest.mark.parametrize("kind", ["int", "fraction"])
def test_a_stack_computes_what_its_networks_compute(kind, rng):
    nets = [MLP(parameters(kind, (2, 3, 3, 2), rng, [True, False, True]), "square") for _ in range(4)]
    X, Y = array(kind, (5, 2), rng), array(kind, (5, 2), rng)
    values, grads = MLP.stack(nets).loss_and_gradients(X, Y)
    for e, net in enumerate(nets):
        value, wanted = net.loss_and_gradients(X, Y)
        assert (values[e], type(values[e])) == (value, Fraction)
        assert grads[e] == wanted
        assert (MLP.stack(nets)(X)[e] == net(X)).all()


def test_masks_multiply_the_hidden_activations_and_their_deltas():
    rng = np.random.default_rng(2)
    net = MLP(parameters("fraction", (2, 3, 2, 1), rng), "square")
    X, Y = array("fraction", (4, 2), rng), array("fraction", (4, 1), rng)
    masks = [2 * rng.integers(0, 2, (4, h)).astype(object) for h in net.hidden_widths]
    p, sigmas = net.parameters, [net.activation] * 2

    def run(weights, biases):
        return formulas.forward(weights, biases, sigmas, X, masks)

    passed = run(p.weights, p.biases)
    A = net.activation(X @ p.W1 + p.b1) * masks[0]
    assert (passed.H[0] == A).all()
    assert (passed.H[1] == net.activation(A @ p.W2 + p.b2) * masks[1]).all()
    grads = formulas.backward(p.weights, p.biases, [net.activation.derivative] * 2, X, passed, passed.O - Y,
                              masks)
    h = Fraction(1, 5)  # along one weight the loss has degree 2 in W3, 4 in W2 and 8 in W1
    nodes = range(-4, 5)
    for layer in range(3):
        for entry in np.ndindex(p.weights[layer].shape):
            values = []
            for k in nodes:
                weights = [W.copy() for W in p.weights]
                weights[layer][entry] += k * h
                values.append(sum(((run(weights, p.biases).O - Y) ** 2).flat) / 2)
            # the difference quotient with these nine nodes is exact on polynomials of degree 8
            c = [Fraction(1, 280), Fraction(-4, 105), Fraction(1, 5), Fraction(-4, 5), 0,
                 Fraction(4, 5), Fraction(-1, 5), Fraction(4, 105), Fraction(-1, 280)]
            assert grads[0][layer][entry] == sum(a * v for a, v in zip(c, values, strict=True)) / h


def test_the_loss_sums_over_the_batch(rng):
    net = MLP(parameters("int", (2, 3, 2), rng), "relu")
    X, Y = array("int", (4, 2), rng), array("int", (4, 2), rng)
    value, grads = net.loss_and_gradients(X, Y)
    parts = [net.loss_and_gradients(X[i:i + 1], Y[i:i + 1]) for i in range(4)]
    assert value == sum(v for v, _ in parts)
    total = parts[0][1]
    for _, part in parts[1:]:
        total = total + part
    assert grads == total


def test_nested_lists_are_arrays_too():
    net = MLP.from_arrays([[[1.0, 2.0]], [[3.0], [4.0]]], [[0.5, -0.5], None], "identity")
    value, grads = net.loss_and_gradients([[2.0]], [[1.0]])
    assert net([[2.0]]).tolist() == [[3 * 2.5 + 4 * 3.5]]
    assert value == 20.5**2 / 2
    assert grads.W1.tolist() == [[2 * 3 * 20.5, 2 * 4 * 20.5]]
    assert grads.b1.tolist() == [3 * 20.5, 4 * 20.5]
    assert grads.W2.tolist() == [[2.5 * 20.5], [3.5 * 20.5]]


def test_equality_needs_the_same_activation(rng):
    theta = parameters("float64", (2, 3, 1), rng)
    assert MLP(theta, "relu") == MLP(Parameters(theta.weights, theta.biases), "relu")
    assert MLP(theta, "relu") != MLP(theta, "tanh")
    assert MLP(theta, "relu") != MLP(theta * 2.0, "relu")
    assert MLP(theta, "relu") != theta
    assert repr(MLP(theta, "relu")) == "MLP(widths=(2, 3, 1), activation='relu', dtype=float64)"
    assert MLP(theta).activation.name == "tanh"


# ---- identical units --------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("layer", [0, 1])
def test_identical_units_copy_the_first_and_leave_the_rest(kind, layer, rng):
    activation = random_activation(rng, P) if kind == "mod p" else "relu"
    net = MLP(parameters(kind, (2, 5, 4, 3), rng, [True, False, True]), activation)
    made = identical_units(net, layer, [2, 0, 3])
    before, after = net.parameters, made.parameters
    h = net.hidden_widths[layer]
    source = [2 if j in (0, 2, 3) else j for j in range(h)]
    for j in range(h):
        assert (after.weights[layer][:, j] == before.weights[layer][:, source[j]]).all()
        assert (after.weights[layer + 1][j] == before.weights[layer + 1][source[j]]).all()
    if before.biases[layer] is not None:
        assert (after.biases[layer] == before.biases[layer][source]).all()
    untouched = set(range(3)) - {layer, layer + 1}
    assert all((after.weights[i] == before.weights[i]).all() for i in untouched)
    assert (after.b3 == before.b3).all()
    assert after.b2 is None
    assert made.activation is net.activation
    swapped = [Permutation.identity(w) for w in net.hidden_widths]
    swapped[layer] = Permutation.from_cycles([(0, 2, 3)], h)
    assert made.permuted(swapped) == made != net
    assert net.permuted(swapped) != net
