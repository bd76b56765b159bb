"""The training loop: a literal loop as its oracle, stacks, resuming, the callback, wrong calls."""

import pickle

import numpy as np
import pytest

from permsym_book import MLP, noise, optimizers, training
from permsym_book.training import Run, largest_gap, minibatches, sgd, train

NOISES = ["minibatch", "dropout", "gradient_noise", "weight_noise"]


def run_of(optimizer, widths=(4, 5, 2), activation="tanh", stack=False, bias=True):
    """A training of three steps to go on from."""
    rng = np.random.default_rng(3)
    net = MLP.random(widths, rng, activation=activation, bias=bias)
    X, Y = rng.standard_normal((12, 4)), rng.standard_normal((12, 2))
    return train(MLP.stack([net, net]) if stack else net, X, Y, optimizer, 3)


def generator(seed=0):
    return np.random.default_rng(seed)


@pytest.fixture
def setting(rng):
    return (MLP.random((4, 5, 3, 2), rng, scheme="normal"), rng.standard_normal((12, 4)),
            rng.standard_normal((12, 2)))


def literal(net, X, Y, optimizer, steps, rng, noises):
    """Train with dropout and other noises, from the formulas."""
    p, state = net.parameters, None
    for t in range(steps):
        state = optimizer.init(p) if state is None else state
        for n in noises:
            p = n.parameters(p, t, rng)
            if n.name == "minibatch":
                rows = rng.permutation(len(X))[:n.size]
        x, y = X[rows], Y[rows]
        keep = [(rng.random((len(x), h)) < 0.5) * 2.0 for h in net.hidden_widths]
        A, H, Z = x, [x], []
        for layer, (W, b) in enumerate(zip(p.weights, p.biases, strict=True)):
            Z.append(A @ W + b)
            A = np.tanh(Z[-1]) * keep[layer] if layer < 2 else Z[-1]
            H.append(A)
        delta, grads = A - y, []
        for layer in (2, 1, 0):
            grads = [(H[layer].T @ delta, delta.sum(0)), *grads]
            if layer:
                delta = (delta @ p.weights[layer].T) * keep[layer - 1] * (1 - np.tanh(Z[layer - 1]) ** 2)
        g = training.train.__globals__["Parameters"]([W for W, _ in grads], [b for _, b in grads])
        for n in noises:
            g = n.gradients(g, rng)
        p, state = optimizer.update(p, g, state)
    return p


def test_train_is_the_literal_loop(setting):
    net, X, Y = setting
    optimizer, noises = optimizers.get("adam", step_size=0.01), [noise.get(n) for n in NOISES]
    ours = train(net, X, Y, optimizer, 20, generator(), noises).net.parameters
    theirs = literal(net, X, Y, optimizer, 20, generator(), noises)
    for A, B in zip(ours.arrays(), theirs.arrays(), strict=True):
        np.testing.assert_allclose(A, B, rtol=1e-9, atol=1e-11)


def test_train_with_sgd_is_sgd(setting):
    net, X, Y = setting
    assert train(net, X, Y, optimizers.get("sgd", step_size=0.01), 30).net == sgd(net, [(X, Y)] * 30, 0.01)


@pytest.mark.parametrize("loss", ["squared_error", "cross_entropy"])
def test_a_stack_trains_as_its_networks(loss, setting, rng):
    nets = [MLP.random((4, 5, 3, 2), rng, scheme="normal") for _ in range(3)]
    X = rng.standard_normal((3, 12, 4))
    Y = rng.standard_normal((3, 12, 2)) if loss == "squared_error" else rng.integers(0, 2, (3, 12))
    stack = train(MLP.stack(nets), X, Y, "adam", 40, loss=loss, arithmetic="fixed").net
    for e, net in enumerate(nets):
        alone = train(net, X[e], Y[e], "adam", 40, loss=loss, arithmetic="fixed").net
        assert stack.parameters[e] == alone.parameters
    shared = train(MLP.stack(nets), X[0], Y[0], "adam", 40, loss=loss, arithmetic="fixed").net
    assert shared.parameters[0] == stack.parameters[0]
    assert np.shape(stack.loss(X, Y, loss)) == (3,)
    with pytest.raises(ValueError, match="X has shape"):
        MLP.stack(nets)(X[:2])


def test_a_stack_minimises_each_network(rng):
    nets = [MLP.random((2, 3, 1), rng, scheme="normal") for _ in range(2)]
    X, Y = rng.standard_normal((8, 2)), rng.standard_normal((2, 8, 1))
    seen = []
    stack = train(MLP.stack(nets), X, Y, "bfgs", 10, callback=lambda t, n: seen.append(t)).net
    assert seen == list(range(11))
    for e, net in enumerate(nets):
        assert stack.parameters[e] == train(net, X, Y[e], "bfgs", 10).net.parameters


@pytest.mark.parametrize("name", [n for n, kind in optimizers.OPTIMIZERS.items()
                                  if issubclass(kind, optimizers.Rule)])
def test_a_training_resumes_from_its_last_state(name, setting):
    net, X, Y = setting
    optimizer = optimizers.get(name)
    whole = train(net, X, Y, optimizer, 12, generator(), NOISES)
    half = pickle.loads(pickle.dumps(train(net, X, Y, optimizer, 5, generator(), NOISES)))
    seen = []
    rest = train(net, X, Y, optimizer, 7, generator(99), NOISES, resume=half, callback=lambda t,
                 n: seen.append(t))
    assert rest.net.parameters == whole.net.parameters and rest.steps == 12
    assert seen == list(range(6, 13))
    assert rest.generator == whole.generator


@pytest.mark.parametrize("given, optimizer, words", [
    (("sgd",), "adam", "resume has the optimizer state NoState.*Moments.*adam, is required"),
    (("momentum",), "adam", "resume has the optimizer state Velocity.*adam"),
    (("bfgs",), "adam", "resume has the optimizer state none"),
    (("adam",), "bfgs", "resume has the optimizer state Moments.*bfgs"),
    (("adam", (4, 6, 2)), "adam", r"net has widths \(4, 5, 2\); \(4, 6, 2\), as in resume.net, is required"),
    (("adam", (4, 5, 2), "relu"), "adam", "net has activation tanh; relu"),
    (("adam", (4, 5, 2), "tanh", True), "adam", "net has number of networks 1; 2"),
    (("adam", (4, 5, 2), "tanh", False, False), "adam", r"net has biases in its layers \[True, True\]; \[False, False\]"),
])
def test_a_training_resumes_only_what_it_can(given, optimizer, words, rng):
    net, X, Y = MLP.random((4, 5, 2), rng), rng.standard_normal((12, 4)), rng.standard_normal((12, 2))
    with pytest.raises(ValueError, match=words):
        train(net, X, Y, optimizer, 2, resume=run_of(*given))


def test_a_training_resumes_with_the_generator_it_had(setting):
    net, X, Y = setting
    half = train(net, X, Y, "sgd", 2, generator(), NOISES)
    other = np.random.Generator(np.random.MT19937(0))
    with pytest.raises(ValueError, match="rng is a generator over MT19937; one over PCG64, whose state resume holds"):
        train(net, X, Y, "sgd", 2, other, NOISES, resume=half)
    with pytest.raises(TypeError, match="resume has net of type NoneType"):
        train(net, X, Y, resume=Run(None, None, 0, None))


def test_a_training_resumes_in_its_own_arithmetic(rng):
    net, X, Y = MLP.random((4, 5, 2), rng,
                           activation="square"), rng.standard_normal((12, 4)), rng.standard_normal((12, 2))
    momentum = optimizers.get("momentum", step_size=2.0**-8)
    for arithmetic in ("modp", "int64", "float32", "fixed"):
        half = train(net, X, Y, momentum, 2, arithmetic=arithmetic)
        rest = train(net, X, Y, momentum, 2, arithmetic=arithmetic, resume=half)
        assert rest.net.parameters == train(net, X, Y, momentum, 4, arithmetic=arithmetic).net.parameters


def test_the_callback_sees_start_and_every_step(setting):
    net, X, Y = setting
    seen = []
    run = train(net, X, Y, "adam", 4, callback=lambda t, n: seen.append((t, n.parameters)))
    assert [t for t, _ in seen] == [0, 1, 2, 3, 4]
    assert seen[0][1] == net.parameters and seen[-1][1] == run.net.parameters
    assert train(net, X, Y, "adam", 0).net == net


def test_nothing_is_printed_and_the_bar_only_when_asked(setting, capsys):
    net, X, Y = setting
    train(net, X, Y, "sgd", 3)
    assert capsys.readouterr() == ("", "")
    pytest.importorskip("tqdm")
    train(net, X, Y, "sgd", 3, progress=True)
    captured = capsys.readouterr()
    assert captured.out == "" and "3/3" in captured.err


def test_a_diverging_training_says_so(setting):
    net, X, Y = setting
    with pytest.raises(FloatingPointError, match="diverged.*step"), np.errstate(all="ignore"):
        train(net.with_parameters(net.parameters), X, Y, optimizers.get("sgd", step_size=1e200), 50)


def test_plain_gradient_descent_that_diverges_says_so(setting):
    net, X, Y = setting
    with pytest.raises(FloatingPointError, match="not finite after step"), np.errstate(all="ignore"):
        sgd(net, [(X, Y)] * 50, 1e300)
    for step_size in (True, "0.1", None):
        with pytest.raises(TypeError, match="step_size is .*; a number is required"):
            sgd(net, [(X, Y)], step_size)


def test_gaps_are_of_one_shape(rng):
    a = MLP.random((2, 3, 3), rng, bias=[True, False]).parameters
    b = MLP.random((2, 3, 3), rng, bias=[False, True], scheme="normal").parameters
    with pytest.raises(ValueError, match="b has arrays of shapes"):
        largest_gap(a, b)


@pytest.mark.parametrize("change, error, words", [
    ({"optimizer": "adan"}, ValueError, "adan"),
    ({"noises": ["dropout"], "rng": None}, TypeError, "rng"),
    ({"noises": "dropout"}, TypeError, "noises is 'dropout'"),
    ({"noises": ["minibatch"], "optimizer": "bfgs"}, ValueError, "minibatch.*bfgs"),
    ({"optimizer": "adam", "arithmetic": "int64"}, ValueError, "adam.*sgd, momentum, nesterov"),
    ({"arithmetic": "float16"}, ValueError, "float16.*float32"),
    ({"steps": -1}, ValueError, "steps is -1"),
    ({"resume": 3}, TypeError, "resume"),
    ({"loss": "l1"}, ValueError, "l1"),
    ({"X": np.zeros((12, 3))}, ValueError, "X has shape"),
    ({"Y": np.zeros((12, 3))}, ValueError, "Y has shape"),
    ({"Y": np.zeros(12, dtype=int)}, TypeError, "as labels have; .* loss='cross_entropy'"),
])
def test_wrong_calls_say_what_was_wrong(change, error, words, setting):
    net, X, Y = setting
    call = {"net": net, "X": X, "Y": Y, "optimizer": "sgd", "steps": 2, "rng": generator()} | change
    with pytest.raises(error, match=words):
        train(**call)


def test_minibatches_cover_each_epoch_once(rng):
    X = np.arange(10.0)[:, None]
    batches = list(minibatches(X, X, 4, rng, 3))
    assert [len(x) for x, _ in batches] == [4, 4, 2] * 3
    for e in range(3):
        assert sorted(np.concatenate([x for x, _ in batches[3 * e:3 * e + 3]])[:, 0]) == list(range(10))


def test_run_names_its_parts(setting):
    net, X, Y = setting
    run = train(net, X, Y, "momentum", 2, generator())
    assert isinstance(run, Run) and run.steps == 2 and run.state.velocity.widths == net.widths


def test_unknown_attributes_of_the_module_are_errors():
    assert callable(training.sweep)
    with pytest.raises(AttributeError, match="swep"):
        training.swep  # noqa: B018


@pytest.mark.parametrize("name", ["tanh", "sigmoid", "relu"])
def test_the_loss_function_is_that_of_the_network_bit_for_bit(name, setting):
    net, X, Y = setting
    net = MLP(net.parameters, name)
    value, gradients = training.loss_function(net, X, Y)(net.parameters)
    expected, theirs = net.loss_and_gradients(X, Y)
    assert value == expected and gradients == theirs
