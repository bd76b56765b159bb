"""What is refused when a widget is made is refused when a trait is set, and nothing has changed then."""

from __future__ import annotations

import numpy as np
import pytest
import traitlets

from permsym_book import MLP
from permsym_book.widgets import (
    FlatValley,
    GradientRelabel,
    LossSurface,
    Orbit,
    PermuteUnits,
    SaddleCount,
    SaddlePath,
    SymmetryLab,
    TwinTraining,
)

from .helpers import state_of


def wider(w):
    """A network of as many inputs and outputs, and one hidden unit fewer."""
    d, h, q = w.network.widths
    return MLP.random((d, h - 1, q), np.random.default_rng(0), scheme="normal")


def twins(w):
    net = w.network
    return net.with_parameters(type(net.parameters)([A[..., [0, 0]] if k == 0 else A[[0, 0]]
                               for k, A in enumerate(net.parameters.weights)], [net.parameters.b1[[0, 0]], net.parameters.b2]))


WRONG = {
    "fewer losses": (SaddlePath, "losses", lambda w: np.array([1.0, 2.0, 3.0]), "has shape"),
    "fewer distances": (SaddlePath, "distances", lambda w: w.distances[:3], "distances has shape"),
    "fewer points of the vectors": (SaddlePath, "vectors", lambda w: w.vectors[:3], "vectors has shape"),
    "one unit twice": (SaddlePath, "units", lambda w: [0, 0], "two different units"),
    "no names": (SaddlePath, "names", lambda w: [], "names has 0 entries"),
    "negative zeros": (SaddlePath, "zeros", lambda w: -w.zeros, "below 0"),
    "complex losses": (SaddlePath, "losses", lambda w: w.losses + 0j, "complex128"),
    "a ring of losses": (SaddlePath, "losses", lambda w: np.ma.masked_array(w.losses), "masked array"),
    "no number": (FlatValley, "share", lambda w: float("nan"), "share is nan; a finite number from -1.0 to 2.0 is required"),
    "no step size": (SymmetryLab, "step_size", lambda w: float("nan"), "step_size is nan; a finite number"),
    "no start": (LossSurface, "start", lambda w: [float("nan"), 0.0], "an entry of start is nan; a finite number"),
    "a start outside": (LossSurface, "start", lambda w: [3.0, 0.0], "an entry of start is 3.0; a finite number from -2.0 to 2.0"),
    "a start of three": (LossSurface, "start", lambda w: [0.0] * 3, "start has 3 entries; 2 to 2 are required"),
    "a layer too wide": (SaddleCount, "hidden", lambda w: [1001], "an entry of hidden is 1001; an integer from 1 to 1000"),
    "true as a width": (SaddleCount, "hidden", lambda w: [True], "an entry of hidden is True; an integer"),
    "a negative unit": (SymmetryLab, "group", lambda w: [-1, 0], "an entry of group is -1; an integer from 0 is required"),
    "true as a unit": (FlatValley, "unit", lambda w: True, "unit is True; an integer"),
    "a batch too large": (TwinTraining, "batch_size", lambda w: 128, "batch_size is 128; at most 64"),
    "a swap that changes nothing": (LossSurface, "network", twins, "two identical units"),
    "fewer units, FlatValley": (FlatValley, "network", wider, "is required|are required"),
    "fewer units, TwinTraining": (TwinTraining, "network", wider, "perm permutes 16 units; 15 are required"),
    "fewer units, GradientRelabel": (GradientRelabel, "network", wider, "perm permutes 3 units; 2 are required"),
    "fewer units, Orbit": (Orbit, "network", wider, "3.* are required"),
    "fewer units, PermuteUnits": (PermuteUnits, "network", wider, "perm permutes 5 units; 4 are required"),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_trait_is_refused_and_changes_nothing(what):
    kind, name, value, words = WRONG[what]
    w = kind()
    before, wrong = state_of(w), value(w)
    with pytest.raises(traitlets.TraitError, match=words):
        setattr(w, name, wrong)
    assert state_of(w) == before
    with pytest.raises(traitlets.TraitError, match=words), w.hold_trait_notifications():
        setattr(w, name, wrong)
    assert state_of(w) == before


def test_a_unit_that_the_new_network_lacks_is_refused():
    w = SymmetryLab()
    with pytest.raises(traitlets.TraitError, match="group is .*; different units from 0 to 2"):
        w.network = MLP.random((3, 3, 2), np.random.default_rng(0), scheme="normal")


def test_what_belongs_together_is_set_together():
    w = TwinTraining()
    net = wider(w)
    with w.hold_trait_notifications():
        w.network, w.perm = net, list(range(15))[::-1]
    assert w.network == net and len(w.perm) == 15


def test_a_widget_s_array_is_its_own():
    w = SaddlePath()
    losses = np.array(w.losses)
    w.losses = losses
    losses[:] = 7.0
    assert w.losses[0] != 7.0


def test_a_descent_that_diverges_ends():
    w = LossSurface(step_size=10.0, steps=1000, direction="output")
    assert len(w.descent) <= 1001 and np.isfinite(w.descent).all()
    assert "nan" not in w.static_html()
