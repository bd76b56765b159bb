"""The widget ``saddle-path``: its arrays, those of a path, what stands in its place without JavaScript."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
import traitlets

from permsym_book.landscape.hessian import hessian
from permsym_book.landscape.problems import example_path
from permsym_book.landscape.vector import to_vector
from permsym_book.widgets import SaddlePath
from permsym_book.widgets.path_arrays import seen_in

from .helpers import check_fallback, check_round_trip, state_of

TRAITS = ["at", "distances", "losses", "names", "slopes", "spectra", "units", "vectors", "zeros"]


example = cache(lambda: example_path(5))


def arrays(T=3, m=2, N=4, **changed) -> dict:
    rng = np.random.default_rng(1)
    return {
        "distances": np.linspace(1, -1, T),
        "losses": rng.random(T),
        "slopes": rng.random(T),
        "zeros": np.full(T, 1e-6),
        "vectors": rng.standard_normal((T, 2, m)),
        "spectra": rng.standard_normal((T, N)),
    } | changed


def test_the_numbers_are_those_of_the_path():
    path, X, Y = example()
    w = SaddlePath.from_path(path, X, Y)
    p = path.net.parameters
    assert w.units == list(path.units) and w.names == ["from 0", "from 1", "bias", "to 0"]
    i, j = path.units
    assert w.vectors[0] == pytest.approx(
        np.array([[*p.W1[:, u], p.b1[u], *p.W2[u]] for u in (i, j)]), rel=1e-9
    )
    for t in (0, w.middle, len(path) - 1):
        net = path.network(t)
        assert w.losses[t] == pytest.approx(net.loss(X, Y), rel=1e-12, abs=1e-25)
        eigenvalues = np.linalg.eigvalsh(hessian(net, X, Y))
        assert w.spectra[t] == pytest.approx(eigenvalues, abs=1e-9 * abs(eigenvalues).max())
        assert w.slopes[t] == np.linalg.norm(to_vector(net.loss_and_gradients(X, Y)[1]))
    assert w.vectors[-1].tolist() == w.vectors[0][::-1].tolist(), "exchanged"


def test_the_permutation_point_is_critical_with_one_zero_and_one_negative_eigenvalue():
    path, X, Y = example()
    w = SaddlePath.from_path(path, X, Y)
    assert w.distances[w.middle] == 0 and (w.vectors[w.middle, 0] == w.vectors[w.middle, 1]).all()
    assert (w.index[w.middle], w.nullity[w.middle], w.index[0], w.nullity[0]) == (1, 1, 0, 0)
    assert w.slopes[w.middle] < 1e-7 < 1e-3 < w.slopes[w.middle // 2], (
        "between the minima and it nothing is critical"
    )


def test_signs_and_projection():
    w = SaddlePath(**arrays(spectra=[[-1.0, 1e-7, -1e-7, 2.0]] * 3))
    assert (w.index, w.nullity) == ([1] * 3, [2] * 3)
    basis = seen_in(np.array([[[3.0, 0.0, 1.0], [1.0, 0.0, 1.0]]]))
    assert basis.tolist() == [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    assert w.projected[0, 0, 0] - w.projected[0, 1, 0] == pytest.approx(
        np.linalg.norm(w.vectors[0, 0] - w.vectors[0, 1])
    )


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"losses": np.ones(2)}, ["2 points", "3 to 201"]),
        ({"distances": np.ones(4)}, ["distances", "(4,)", "(3,)"]),
        ({"vectors": np.ones((3, 3, 2))}, ["vectors", "(3, 3, 2)", "(3, 2, 2)"]),
        ({"vectors": np.ones((3, 2))}, ["vectors", "3"]),
        ({"spectra": np.ones((3, 121))}, ["121 eigenvalues", "120"]),
        ({"spectra": np.full((3, 4), np.nan)}, ["spectra"]),
        ({"losses": np.full(3, 1e13)}, ["losses", "1e+13"]),
        ({"zeros": np.full(3, -1.0)}, ["zeros", "below 0"]),
        ({"names": ["one"]}, ["names", "2 names"]),
        ({"units": [1, 1]}, ["units", "different"]),
        ({"at": 3}, ["at", "3"]),
    ],
)
def test_bad_input_says_what_was_required(changed, words):
    with pytest.raises(traitlets.TraitError) as error:
        SaddlePath(**arrays(**changed))
    assert all(word in str(error.value) for word in words), str(error.value)


def test_unknown_and_missing_keywords():
    with pytest.raises(TypeError, match="no trait 'path'.*distances"):
        SaddlePath(**arrays(), path=1)
    with pytest.raises(TypeError, match="losses.* missing"):
        SaddlePath(spectra=np.ones((3, 4)))
    with pytest.raises(TypeError, match="path is of type list; Path is required"):
        SaddlePath.from_path([], np.ones((3, 1)), np.ones((3, 1)))
    w = SaddlePath(**arrays())
    with pytest.raises(traitlets.TraitError, match="at is 7"):
        w.at = 7
    assert w.at == 0


def test_fallback_and_state():
    path, X, Y = example()
    for w in (SaddlePath.from_path(path, X, Y, at=2), SaddlePath(**arrays())):
        check_fallback(w)
        check_round_trip(w, TRAITS)
    assert SaddlePath.own_traits() == TRAITS
    assert state_of(SaddlePath())["at"] == 0
