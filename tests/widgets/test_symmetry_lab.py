"""The widget ``symmetry-lab``: its traits, its place without JavaScript, and the training behind it."""

from __future__ import annotations

import numpy as np
import pytest
import traitlets

from permsym_book import MLP
from permsym_book.noise import NOISES
from permsym_book.widgets import SymmetryLab
from permsym_book.widgets.lockstep import INITS, OPTIMIZERS, PURPOSES, STEP_SIZES

from .helpers import check_fallback, check_round_trip, state_of

KEEPING = [name for name in PURPOSES if not NOISES[name].breaks]
BREAKING = [name for name in PURPOSES if NOISES[name].breaks]


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_shared_noise_keeps_identical_units(optimizer):
    w = SymmetryLab(optimizer=optimizer, step_size=STEP_SIZES[optimizer], noises=KEEPING, steps=60)
    assert w.gap == 0.0
    assert w.trained != w.start


@pytest.mark.parametrize("name", BREAKING)
def test_a_draw_for_each_unit_or_weight_separates_them(name):
    assert SymmetryLab(noises=[name], steps=1).gap > 0


def test_the_nudged_unit_is_in_the_group():
    w = SymmetryLab(group=[2, 5], noises=["nudge"], steps=1)
    p, q = w.trained.parameters, SymmetryLab(group=[2, 5], steps=1).trained.parameters
    assert (abs(p.W1 - q.W1)[:, 2] > 0).any() and SymmetryLab(group=[2, 5], steps=1).gap == 0.0


@pytest.mark.parametrize("init", INITS)
def test_starts(init):
    w = SymmetryLab(init=init, group=[0, 2, 3])
    p = w.start.parameters
    assert w.start.widths == (3, 6, 2) and w.gap == 0.0
    distinct = len(np.unique(p.W1, axis=1).T)
    assert distinct == (1 if init in ("constant", "zeros") else 4)
    again = SymmetryLab(init=init, group=[0, 2, 3], seed=2).start
    assert (again == w.start) == (init in ("given", "constant", "zeros"))


@pytest.mark.parametrize(
    ("traits", "words"),
    [
        ({"group": [0, 6]}, ["group", "[0, 6]", "0 to 5"]),
        ({"group": [1, 1]}, ["group", "[1, 1]"]),
        ({"group": [1]}, ["group"]),
        ({"noises": ["mixup"]}, ["noises", "mixup"]),
        ({"optimizer": "shampoo"}, ["optimizer", "shampoo"]),
        ({"init": "orthogonal"}, ["init", "orthogonal", "xavier"]),
        ({"step_size": 11.0}, ["step_size", "11.0", "10.0"]),
        ({"Y": np.zeros((32, 3))}, ["Y", "(32, 3)", "2 columns"]),
        ({"network": MLP.random((3, 12, 2), np.random.default_rng(0))}, ["X is missing"]),
    ],
)
def test_bad_input_says_what_was_required(traits, words):
    with pytest.raises((traitlets.TraitError, TypeError)) as error:
        SymmetryLab(**traits)
    assert all(word in str(error.value) for word in words), str(error.value)


def test_unknown_keyword():
    with pytest.raises(TypeError, match="no trait 'noise'.*noises"):
        SymmetryLab(noise=["dropout"])


def test_static_page_has_picture_table_sentence_and_state():
    w = SymmetryLab(group=[5, 0], noises=["flips"], init="xavier", steps=3)
    check_fallback(w)
    rows = {row[0]: row[1:] for row in w.table()[1]}
    assert all(rows[name] == ["0", "0"] for name in KEEPING) and all(
        rows[name][0] != "0" for name in BREAKING
    )
    state = state_of(w)
    assert (state["group"], state["noises"], state["steps"]) == ([0, 5], ["flips"], 3)
    check_round_trip(
        w, [name for name in SymmetryLab.class_own_traits(sync=True) if not name.startswith("_")]
    )
