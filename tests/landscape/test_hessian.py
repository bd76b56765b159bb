"""The dense Hessian against complex step, central differences, loops, exact arithmetic and torch."""

import dataclasses
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from permsym_book import MLP, Parameters, formulas
from permsym_book.landscape import hessian as hessian_module
from permsym_book.landscape.hessian import hessian
from permsym_book.landscape.rounding_bound import rounding_bound
from permsym_book.landscape.vector import from_vector, ravelled, relabelled_slots, size, to_vector, unravelled
from strategies import array, balls, parameters, random_perms, samples, seeds, widths

SMOOTH = ["gelu", "identity", "sigmoid", "sin", "softplus", "square", "tanh"]
LOSSES = ["squared_error", "cross_entropy"]
HOLOMORPHIC = {  # name: sigma and sigma' for complex numbers, written anew
    "identity": (lambda z: z, lambda z: 1 + 0 * z),
    "sigmoid": (lambda z: 1 / (1 + np.exp(-z)), lambda z: np.exp(-z) / (1 + np.exp(-z))**2),
    "sin": (np.sin, np.cos),
    "softplus": (lambda z: np.log(1 + np.exp(z)), lambda z: 1 / (1 + np.exp(-z))),
    "square": (lambda z: z * z, lambda z: 2 * z),
    "tanh": (np.tanh, lambda z: 1 / np.cosh(z)**2),
}


@st.composite
def problems(draw, names=SMOOTH, losses=LOSSES, shapes=widths):
    """A float64 network with some biases missing, X, Y and the name of a loss."""
    shape, n, rng = draw(shapes), draw(samples), np.random.default_rng(draw(seeds))
    biases = draw(st.lists(st.booleans(), min_size=len(shape) - 1, max_size=len(shape) - 1))
    net = MLP(parameters("float64", shape, rng, biases) * 0.7, draw(st.sampled_from(names)))
    loss = draw(st.sampled_from(losses))
    Y = rng.standard_normal((n, shape[-1])) if loss == "squared_error" else rng.integers(0, shape[-1], n)
    return net, rng.standard_normal((n, shape[0])), Y, loss


def by_complex_step(net, X, Y, loss):
    """Column by column: the imaginary part of the gradient at theta + i h e, which has no difference to round."""
    sigma, dsigma = HOLOMORPHIC[net.activation.name]
    theta, h, columns = to_vector(net).astype(complex), 1e-200, []
    for e in np.eye(len(theta)):
        weights, biases = unravelled(net.parameters, theta + 1j * h * e)
        sigmas = [sigma] * len(net.hidden_widths)
        passed = formulas.forward(weights, biases, sigmas, X.astype(complex))
        if loss == "squared_error":
            delta = passed.O - Y
        else:
            delta = np.exp(passed.O) / np.exp(passed.O).sum(axis=1, keepdims=True) - np.eye(net.widths[-1])[Y]
        gradient = formulas.backward(weights, biases, [dsigma] * len(sigmas), X.astype(complex), passed, delta)
        columns.append(ravelled(*gradient).imag / h)
    return np.array(columns).T


@given(problems(names=sorted(HOLOMORPHIC)))
def test_it_is_the_complex_step_of_the_gradient(problem):
    net, X, Y, loss = problem
    H = hessian(net, X, Y, loss)
    assert H.shape == (size(net.parameters),) * 2
    assert H.dtype == np.float64
    assert abs(H - by_complex_step(*problem)).max() <= rounding_bound(*problem)


@settings(max_examples=30)
@given(problems())
def test_it_is_the_limit_of_central_differences(problem):
    net, X, Y, loss = problem
    theta, h = to_vector(net), 2.0**-9

    def quotients(h):
        def gradient(v):
            return to_vector(from_vector(net, v).loss_and_gradients(X, Y, loss)[1])
        return np.array([(gradient(theta + h * e) - gradient(theta - h * e)) / (2 * h) for e in np.eye(len(theta))])

    coarse, fine = quotients(h), quotients(h / 2)
    # the errors are c h^2 + O(h^4): what is left after removing c is far smaller than the difference of the two
    left = abs(hessian(net, X, Y, loss) - (4 * fine - coarse) / 3).max()
    assert left <= 0.05 * abs(fine - coarse).max() + rounding_bound(*problem) / h


@given(problems())
def test_it_is_symmetric_to_the_last_bit(problem):
    H = hessian(*problem)
    assert (H == H.T).all()


@given(problems(), seeds)
def test_relabelling_permutes_rows_and_columns(problem, seed):
    net, X, Y, loss = problem
    perms = random_perms(net, np.random.default_rng(seed))
    slots = relabelled_slots(net, perms)
    H = hessian(net, X, Y, loss)
    assert abs(hessian(net.permuted(perms), X, Y, loss) - H[np.ix_(slots, slots)]).max() <= rounding_bound(*problem)


def test_relabelling_by_the_inverse_gives_another_matrix(rng):
    net = MLP.random((3, 4, 2), rng)
    X, Y = rng.standard_normal((9, 3)), rng.standard_normal((9, 2))
    slots, H = relabelled_slots(net, [1, 2, 0, 3]), hessian(net, X, Y)
    assert abs(hessian(net.permuted([2, 0, 1, 3]), X, Y) - H[np.ix_(slots, slots)]).max() > 1e-2


def one_hidden_layer_by_loops(W1, b1, W2, b2, f, X, Y):
    """The Hessian of the squared error, sample by sample and pair by pair; f is (sigma, sigma', sigma'')."""
    d, h, q = len(W1), len(W2), len(W2[0])
    names = ([("W1", i, j) for i in range(d) for j in range(h)] + [("b1", None, j) for j in range(h)]
             + [("W2", j, k) for j in range(h) for k in range(q)] + [("b2", None, k) for k in range(q)])
    H = [[0 for _ in names] for _ in names]
    for x, y in zip(X, Y, strict=True):
        z = [sum(x[i] * W1[i][j] for i in range(d)) + b1[j] for j in range(h)]
        s, ds, dds = ([g(v) for v in z] for g in f)
        e = [sum(s[j] * W2[j][k] for j in range(h)) + b2[k] - y[k] for k in range(q)]

        def inp(name, x=x):  # the input that a first-layer weight multiplies
            return 1 if name[0] == "b1" else x[name[1]]

        def do(name, k, s=s, ds=ds):  # of output k, by one parameter
            if name[0] in ("W1", "b1"):
                return W2[name[2]][k] * ds[name[2]] * inp(name)
            return (s[name[1]] if name[0] == "W2" else 1) if name[2] == k else 0

        def ddo(a, b, k, ds=ds, dds=dds):
            if a[0][1] == "2":
                a, b = b, a
            if a[0][1] == "2" or b[0] == "b2":
                return 0
            if b[0] == "W2":
                return ds[a[2]] * inp(a) if b[1] == a[2] and b[2] == k else 0
            return W2[a[2]][k] * dds[a[2]] * inp(a) * inp(b) if a[2] == b[2] else 0

        for m, a in enumerate(names):
            for n, b in enumerate(names):
                H[m][n] += sum(do(a, k) * do(b, k) + e[k] * ddo(a, b, k) for k in range(q))
    return H


@settings(max_examples=20)
@given(st.tuples(*[st.integers(1, 3)] * 3), samples, seeds)
def test_exactly_the_loops_over_the_rationals(shape, n, seed):
    rng = np.random.default_rng(seed)
    theta = parameters("fraction", shape, rng)
    X, Y = array("fraction", (n, shape[0]), rng), array("fraction", (n, shape[-1]), rng)
    H = hessian(MLP(theta, "square"), X, Y)
    assert H.dtype == object
    square = (lambda z: z * z, lambda z: 2 * z, lambda z: 2)
    lists = [A.tolist() for A in theta.arrays()]
    assert H.tolist() == one_hidden_layer_by_loops(*lists, square, X.tolist(), Y.tolist())


@settings(max_examples=20)
@given(problems(["tanh"], ["squared_error"], st.tuples(*[st.integers(1, 4)] * 3)))
def test_the_loops_with_tanh(problem):
    net, X, Y, _ = problem
    p = net.parameters
    biases = [np.zeros(w) if b is None else b for w, b in zip(net.widths[1:], p.biases, strict=True)]
    net = MLP(Parameters(p.weights, biases), "tanh")
    f = (np.tanh, lambda z: 1 / np.cosh(z)**2, lambda z: -2 * np.tanh(z) / np.cosh(z)**2)
    expected = one_hidden_layer_by_loops(*(A.tolist() for A in net.parameters.arrays()), f, X.tolist(), Y.tolist())
    assert abs(hessian(net, X, Y) - expected).max() <= rounding_bound(net, X, Y)


def test_deep_and_exact():
    """Three hidden layers over the rationals: a Hessian column is the exact derivative of the gradient.

    Along a line the gradient is a polynomial of degree at most 29 in the step (the outputs have degree 15). Its
    derivative at 0 is that of the interpolating polynomial through 31 points.
    """
    rng = np.random.default_rng(3)
    net = MLP(parameters("int", (1, 2, 1, 2, 1), rng), "square")
    X, Y = array("int", (2, 1), rng), array("int", (2, 1), rng)
    theta, v = to_vector(net), array("int", (size(net.parameters),), rng)
    points = range(-15, 16)
    gradients = [to_vector(from_vector(net, theta + t * v).loss_and_gradients(X, Y)[1]) for t in points]
    derivative = sum(_derivative_weight(points, t) * g for t, g in zip(points, gradients, strict=True))
    assert hessian(net, X, Y).dot(v).tolist() == derivative.tolist()


def _derivative_weight(points, at):
    """The derivative at 0 of the Lagrange polynomial that is 1 at one of the points."""
    others = [t for t in points if t != at]
    total = Fraction(0)
    for left_out in others:
        term = Fraction(1, at - left_out)
        for t in others:
            term *= 1 if t == left_out else Fraction(-t, at - t)
        total += term
    return total


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("shape", [(3, 4, 2), (3, 4, 3, 2)])
def test_without_the_activations_second_derivative_it_is_another_matrix(shape, loss, rng):
    net = MLP.random(shape, rng, activation="tanh")
    X = rng.standard_normal((20, shape[0]))
    Y = rng.standard_normal((20, 2)) if loss == "squared_error" else rng.integers(0, 2, 20)
    flat = dataclasses.replace(net.activation, second_derivative=np.zeros_like)
    wrong = hessian(MLP(net.parameters, flat), X, Y, loss)
    assert abs(wrong - by_complex_step(net, X, Y, loss)).max() > 0.1 > 1e5 * rounding_bound(net, X, Y, loss)


def test_at_zero_residuals_it_is_the_gauss_newton_matrix(rng):
    net = MLP.random((3, 4, 2), rng)
    X = rng.standard_normal((5, 3))
    assert np.linalg.eigvalsh(hessian(net, X, net(X))).min() >= -rounding_bound(net, X, net(X)) * 26
    assert np.linalg.eigvalsh(hessian(net, X, net(X) + 1)).min() < -0.1


@pytest.mark.parametrize("loss", LOSSES)
def test_many_samples_are_taken_in_parts(loss, rng, monkeypatch):
    net = MLP.random((3, 4, 3, 2), rng)
    X = rng.standard_normal((150, 3))
    Y = rng.standard_normal((150, 2)) if loss == "squared_error" else rng.integers(0, 2, 150)
    whole, bound, parts = hessian(net, X, Y, loss), rounding_bound(net, X, Y, loss), []
    monkeypatch.setattr(hessian_module, "_ENTRIES", 1)
    add = hessian_module._add_samples
    monkeypatch.setattr(hessian_module, "_add_samples", lambda H, batch: (parts.append(len(batch.X)), add(H, batch)))
    assert abs(hessian(net, X, Y, loss) - whole).max() <= bound
    assert parts == [64, 64, 22]


def test_float32(rng):
    net = MLP.random((3, 4, 2), rng)
    X, Y = rng.standard_normal((6, 3)), rng.standard_normal((6, 2))
    small = net.with_parameters(net.parameters.map(lambda A: A.astype(np.float32)))
    H = hessian(small, X.astype(np.float32), Y.astype(np.float32))
    assert H.dtype == np.float32
    assert 0 < abs(H - hessian(net, X, Y)).max() <= 2 * rounding_bound(net, X, Y, unit=2.0**-24)


def test_without_hidden_layers_any_activation_will_do(rng):
    net = MLP.random((2, 3), rng, activation="relu")
    X, Y = rng.standard_normal((4, 2)), rng.standard_normal((4, 3))
    A = np.hstack([X, np.ones((4, 1))])
    assert abs(hessian(net, X, Y) - np.kron(A.T @ A, np.eye(3))).max() <= rounding_bound(net, X, Y)


def test_inputs_are_not_modified(rng):
    net = MLP.random((2, 3, 2), rng)
    X, Y = rng.standard_normal((4, 2)), rng.standard_normal((4, 2))
    before = X.tobytes(), Y.tobytes(), to_vector(net).tobytes()
    hessian(net, X, Y)
    assert (X.tobytes(), Y.tobytes(), to_vector(net).tobytes()) == before


NET = MLP.random((2, 3, 1), np.random.default_rng(0))
X2, Y1 = np.ones((4, 2)), np.ones((4, 1))


@pytest.mark.parametrize("name, where", [("relu", "jumps at 0,"), ("leaky_relu", "jumps at 0,"),
                                         ("hardtanh", "jumps at -1, 1,")])
def test_kinks_are_refused_and_the_reason_said(name, where):
    with pytest.raises(ValueError, match=f"net has activation '{name}', which has no second derivative: its derivative"
                       f" {where} where the Hessian of the loss is undefined"):
        hessian(MLP(NET.parameters, name), X2, Y1)


@pytest.mark.parametrize("call, error, message", [
    (lambda: hessian(NET.parameters, X2, Y1), TypeError, "net is of type Parameters; MLP is required"),
    (lambda: hessian(MLP.stack([NET, NET]), X2, Y1), TypeError, "one network of NumPy arrays is required"),
    (lambda: hessian(balls(NET), X2, Y1), TypeError, "one network of NumPy arrays is required"),
    (lambda: hessian(NET, np.ones((4, 3)), Y1), ValueError, r"X has shape \(4, 3\); 2 columns"),
    (lambda: hessian(NET, np.ones((1, 4, 2)), Y1), ValueError, "X has shape"),
    (lambda: hessian(NET, X2, np.ones((4, 2))), ValueError, r"Y has shape \(4, 2\); \(4, 1\)"),
    (lambda: hessian(NET, X2, Y1.astype(np.float32)), TypeError, "Y has dtype float32; float64"),
    (lambda: hessian(NET, X2, Y1, "cross_entropy"), TypeError, "integer labels are required"),
    (lambda: hessian(NET, X2, Y1, "hinge"), ValueError, "loss is 'hinge'; one of squared_error, cross_entropy"),
    (lambda: hessian(NET, X2 * np.nan, Y1), ValueError, r"X\[0, 0\] is nan"),
    (lambda: hessian(NET, X2, Y1, at_most=12), ValueError, "net has 13 parameters.*extreme_eigenvalues.*Lanczos"),
    (lambda: hessian(MLP(NET.parameters, dataclasses.replace(NET.activation, second_derivative=None)), X2, Y1),
     ValueError, "none was given"),
])
def test_bad_input(call, error, message):
    with pytest.raises(error, match=message):
        call()


@pytest.mark.torch
@pytest.mark.filterwarnings("ignore:.torch.jit.script. is deprecated:DeprecationWarning")  # torch.func warns of itself
@settings(max_examples=10)
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("name", SMOOTH)
@given(st.data())
def test_it_is_the_hessian_of_torch_func(name, loss, data):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed; see `make test-torch`")
    net, X, Y, loss = problem = data.draw(problems([name], [loss]))
    functions = {"identity": lambda z: z, "sigmoid": torch.sigmoid, "gelu": torch.nn.functional.gelu, "sin": torch.sin,
                 "softplus": torch.nn.functional.softplus, "square": torch.square, "tanh": torch.tanh}
    inputs, targets = torch.tensor(X), torch.tensor(Y)

    def value(v):
        A, start = inputs, 0
        for layer, (W, b) in enumerate(zip(net.parameters.weights, net.parameters.biases, strict=True)):
            A = functions[name](A) if layer else A
            A, start = A @ v[start:start + W.size].reshape(W.shape), start + W.size
            if b is not None:
                A, start = A + v[start:start + b.size], start + b.size
        if loss == "squared_error":
            return ((A - targets)**2).sum() / 2
        return torch.nn.functional.cross_entropy(A, targets, reduction="sum")

    expected = torch.func.hessian(value)(torch.tensor(to_vector(net))).numpy()
    assert abs(hessian(net, X, Y, loss) - expected).max() <= rounding_bound(*problem)
