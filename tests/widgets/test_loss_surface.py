"""The widget ``loss-surface``: its traits, its plane, what stands in its place without JavaScript."""

from __future__ import annotations

import numpy as np
import pytest
import traitlets

from permsym_book import MLP
from permsym_book.training import largest_gap
from permsym_book.widgets import LossSurface
from permsym_book.widgets.plane import DIRECTIONS, Plane

from .helpers import check_fallback, check_round_trip, state_of


def own(**traits) -> LossSurface:
    rng = np.random.default_rng(3)
    net, X = MLP.random((2, 2, 1), rng, scheme="normal"), rng.standard_normal((10, 2))
    return LossSurface(**{"network": net, "X": X, "Y": np.sin(X[:, :1])} | traits)


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_the_plane_goes_through_both_minima_and_the_swap_is_its_mirror(direction):
    w = own(direction=direction)
    r = w.plane.half_width
    assert largest_gap(w.at(-r, 0).parameters, w.network.parameters) < 1e-15
    assert largest_gap(w.at(r, 0).parameters, w.network.permuted([1, 0]).parameters) < 1e-15
    for a, b in ((0.4, -0.7), (1.3, 0.2)):
        assert largest_gap(w.at(a, b).permuted([1, 0]).parameters, w.at(-a, b).parameters) < 1e-15
        assert w.at(a, b).loss(w.X, w.Y) == pytest.approx(w.at(-a, b).loss(w.X, w.Y), rel=1e-13)
        assert abs(w.at(a, b).loss(w.X, w.Y) - w.at(a, -b).loss(w.X, w.Y)) > 1e-3


def test_the_gradient_is_the_slope_within_the_plane():
    plane, e = own().plane, 1e-6
    slopes = [
        (plane.loss(0.3 + e, 0.5) - plane.loss(0.3 - e, 0.5)) / (2 * e),
        (plane.loss(0.3, 0.5 + e) - plane.loss(0.3, 0.5 - e)) / (2 * e),
    ]
    assert plane.gradient(0.3, 0.5) == pytest.approx(slopes, rel=1e-6)


def test_the_descent_and_its_mirror_image():
    w, mirrored = own(start=[0.3, 0.8]), own(start=[-0.3, 0.8])
    assert w.descent.shape == (201, 2)
    assert mirrored.descent * [-1, 1] == pytest.approx(w.descent, abs=1e-12)
    r = w.plane.half_width
    assert w.plane.loss(*(w.descent[-1] * r)) < w.plane.loss(0.3 * r, 0.8 * r)
    assert (own(start=[0.0, 0.8]).descent[:, 0] == 0).all()


def test_the_default_network_is_a_minimum():
    w = LossSurface()
    _, gradients = w.network.loss_and_gradients(w.X, w.Y)
    assert max(abs(g).max() for g in gradients.arrays()) == 0.0
    assert w.descent[-1] == pytest.approx([-1, 0], abs=1e-3)


@pytest.mark.parametrize(
    ("traits", "words"),
    [
        ({"direction": "random"}, ["direction", "random", "outgoing"]),
        ({"start": [0.0]}, ["start"]),
        ({"start": [0.0, 3.0]}, ["start", "3.0"]),
        ({"steps": 2000}, ["steps", "2000", "1000"]),
        ({"network": MLP.random((2, 3, 1), np.random.default_rng(0))}, ["h = 3", "2 to 2"]),
        (
            {"network": MLP.random((2, 2, 1), np.random.default_rng(0), scheme="constant")},
            ["identical units"],
        ),
    ],
)
def test_bad_input_says_what_was_required(traits, words):
    with pytest.raises(traitlets.TraitError) as error:
        own(**traits)
    assert all(word in str(error.value) for word in words), str(error.value)


def test_unknown_keyword():
    with pytest.raises(TypeError, match="no trait 'origin'.*direction"):
        LossSurface(origin=1)


def test_static_page_has_picture_table_sentence_and_state():
    w = own(start=[0.5, -0.25], direction="biases")
    check_fallback(w)
    assert len(w.table()[1]) == 6
    state = state_of(w)
    assert (state["start"], state["direction"]) == ([0.5, -0.25], "biases")
    check_round_trip(
        w, [name for name in LossSurface.class_own_traits(sync=True) if not name.startswith("_")]
    )


def test_plane_of_a_reader():
    net, X = MLP.random((1, 2, 1), np.random.default_rng(0), scheme="normal"), np.ones((3, 1))
    assert isinstance(Plane(net, X, X, "output").loss(0, 0), float)
