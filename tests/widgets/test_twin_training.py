"""The widget ``twin-training``: its traits, its place without JavaScript, and the training behind it."""

from __future__ import annotations

import numpy as np
import pytest
import traitlets

from permsym_book import MLP, Permutation
from permsym_book.widgets import TwinTraining
from permsym_book.widgets.lockstep import STEP_SIZES, trained

from .helpers import check_fallback, check_round_trip, state_of


def own(**traits) -> TwinTraining:
    rng = np.random.default_rng(3)
    net, X = MLP.random((2, 4, 1), rng, scheme="normal"), rng.standard_normal((10, 2))
    return TwinTraining(**{"network": net, "X": X, "Y": np.tanh(X[:, :1]), "perm": [2, 0, 1, 3]} | traits)


def test_own_network_and_data():
    w = own(optimizer="adam", step_size=0.01, batch_size=5, steps=30)
    network, twin = w.trained
    assert network.widths == twin.widths == (2, 4, 1)
    assert 0 < w.gap < 1e-9  # rounding, which Adam may amplify a little
    assert network.loss(w.X, w.Y) < w.network.loss(w.X, w.Y)
    assert w.perm == Permutation([2, 0, 1, 3])


def test_the_gap_is_measured_against_the_relabelled_network():
    w = own(steps=10)
    network, twin = w.trained
    assert abs(twin.parameters.W1 - network.parameters.W1).max() > 1e-3
    assert own(steps=10, perm=[0, 1, 2, 3]).gap == 0.0


def test_float32_drifts_more():
    single, double = own(rounding="float32", steps=100), own(steps=100)
    assert single.trained[0].parameters.W1.dtype == np.float32
    assert single.gap > 1e3 * double.gap


def test_batches_depend_on_the_seed_and_on_nothing_else():
    a, b, other = (own(batch_size=4, seed=seed, steps=5).trained[0] for seed in (1, 1, 2))
    assert a == b and a != other


def test_steps_follow_the_literal_rule():
    w = own(steps=3, step_size=0.02)
    net = w.network
    for _ in range(3):
        net = net.with_parameters(net.parameters - net.loss_and_gradients(w.X, w.Y)[1] * 0.02)
    assert w.trained[0] == net


def test_training_yields_every_network():
    w = own()
    assert [net.widths for net, _ in trained(w.network, w.X, w.Y, "sgd", 4)] == [(2, 4, 1)] * 5


@pytest.mark.parametrize(
    ("traits", "words"),
    [
        ({"perm": [0, 1, 2]}, ["perm", "3 units", "4"]),
        ({"perm": [0, 0, 1, 2]}, ["perm"]),
        ({"X": np.zeros((10, 3))}, ["X", "(10, 3)", "2 columns"]),
        ({"Y": np.zeros((9, 1))}, ["Y", "(9, 1)", "(10, 2)"]),
        ({"X": np.zeros((200, 2)), "Y": np.zeros((200, 1))}, ["(200, ", "128"]),
        ({"optimizer": "lion"}, ["optimizer", "lion", "adam"]),
        ({"step_size": 0.0}, ["step_size", "0.0"]),
        ({"batch_size": 11}, ["batch_size", "11", "10"]),
        ({"rounding": "float16"}, ["rounding", "float16", "float32"]),
        ({"steps": 20_000}, ["steps", "20000", "10000"]),
        (
            {"network": MLP.random((2, 17, 1), np.random.default_rng(0)), "perm": list(range(17))},
            ["h = 17", "2 to 16"],
        ),
    ],
)
def test_bad_input_says_what_was_required(traits, words):
    with pytest.raises(traitlets.TraitError) as error:
        own(**traits)
    assert all(word in str(error.value) for word in words), str(error.value)


def test_unknown_keyword_and_missing_data():
    with pytest.raises(TypeError, match="no trait 'stepsize'.*step_size"):
        TwinTraining(stepsize=1)
    with pytest.raises(TypeError, match="X is missing"):
        TwinTraining(network=MLP.random((2, 4, 1), np.random.default_rng(0)))


def test_static_page_has_picture_table_sentence_and_state():
    w = own(steps=7)
    check_fallback(w)
    state = state_of(w)
    assert (state["perm"], state["steps"], state["optimizer"]) == ([2, 0, 1, 3], 7, "sgd")
    check_round_trip(
        w, [name for name in TwinTraining.class_own_traits(sync=True) if not name.startswith("_")]
    )


def test_default_is_2_16_1_on_64_samples():
    w = TwinTraining()
    assert (w.network.widths, len(w.X), w.step_size) == ((2, 16, 1), 64, STEP_SIZES["sgd"])
