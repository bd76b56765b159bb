"""Only the incoming weights brought together: outgoing weights that blow up, and a bound on rounding."""

import numpy as np
import pytest

from permsym_book import MLP
from permsym_book.landscape.hessian import hessian
from permsym_book.landscape.incoming import IncomingPair, incoming_minima
from permsym_book.landscape.paths import permutation_path
from permsym_book.landscape.problems import teacher_student
from permsym_book.landscape.rounding_bound import rounding_bound
from permsym_book.landscape.saddle_pictures import spectra, spectrum_figure, survey_table
from permsym_book.landscape.splitting import split
from permsym_book.landscape.survey import survey
from permsym_book.landscape.vector import to_vector


@pytest.mark.parametrize("seed", [4, 8])
def test_with_two_outputs_the_outgoing_weights_grow_like_one_over_the_distance(seed):
    net, X, Y, layer, units, _ = teacher_student(2, seed)
    points = incoming_minima(net, X, Y, layer, units, 0.7 ** np.arange(2, 20))
    assert all(p.converged for p in points)
    times = [p.distance * p.outgoing for p in points[-6:]]
    assert points[-1].outgoing > 50 and max(times) - min(times) < 0.01 * max(times)


def test_with_one_output_they_need_not():
    net, X, Y, layer, units, _ = teacher_student(1, 4)
    points = incoming_minima(net, X, Y, layer, units, 0.5 * 0.7 ** np.arange(18))
    assert points[-1].converged and points[-1].outgoing < 0.01


@pytest.mark.parametrize("distances", [[0.1, 0.0], [-1.0], [np.inf], [np.nan], [None], [[0.1]], [True], ["a"]])
def test_distances_that_are_not_positive(distances):
    net, X, Y, layer, units, _ = teacher_student(1, 4)
    with pytest.raises(ValueError, match=r"distances\[[01]\] is .*; a positive number is required"):
        incoming_minima(net, X, Y, layer, units, distances)


@pytest.mark.parametrize("distance", [1e300, 1e-300, 1e-12, 1e8])
def test_distances_of_another_order_than_the_weights(distance):
    net, X, Y, layer, units, _ = teacher_student(1, 4)
    with pytest.raises(ValueError, match=r"distances\[1\] is .*; between 1e-09 and 1e\+06 times 1\.08"):
        incoming_minima(net, X, Y, layer, units, [0.1, distance])


def test_units_with_equal_incoming_weights_have_no_direction(rng):
    net = split(MLP.random((2, 3, 1), rng), 0, 0, 0.3)
    with pytest.raises(ValueError, match=r"units \(0, 3\) have the same incoming weights already"):
        incoming_minima(net, np.ones((4, 2)), np.ones((4, 1)), 0, (0, 3), [0.1])


@pytest.mark.parametrize("limit", [{"at_most": -1}, {"at_most": 0}, {"tolerance": np.nan}, {"tolerance": True}])
def test_limits_are_named(limit):
    net, X, Y, layer, units, _ = teacher_student(1, 4)
    with pytest.raises(ValueError, match=f"{next(iter(limit))} is"):
        incoming_minima(net, X, Y, layer, units, [0.1], **limit)


def test_at_the_distance_of_a_minimum_it_stays():
    net, X, Y, layer, units, _ = teacher_student(2, 4)
    here = IncomingPair(net, layer, units).distance(to_vector(net))
    point, = incoming_minima(net, X, Y, layer, units, [here])
    V = net.parameters.W2[list(units)]
    assert point.distance == here and point.outgoing == pytest.approx(np.linalg.norm(V[0] - V[1]), rel=1e-9)


@pytest.mark.parametrize("activation", ["relu", "hardtanh"])
def test_the_bound_needs_a_second_derivative(activation, rng):
    with pytest.raises(ValueError, match=f"net has activation '{activation}', which has no second derivative"):
        rounding_bound(MLP.random((2, 3, 1), rng, activation=activation), np.ones((2, 2)), np.ones((2, 1)))


def test_the_bound_holds_for_two_orders_of_summation():
    rng = np.random.default_rng(0)
    net, X, Y = MLP.random((2, 4, 2), rng), rng.standard_normal((50, 2)), rng.standard_normal((50, 2))
    order = rng.permutation(50)
    bound = rounding_bound(net, X, Y)
    assert 0 < abs(hessian(net, X, Y) - hessian(net, X[order], Y[order])).max() < bound < 1e-9


def test_the_table_counts_the_rows():
    rows = survey(1, starts=2, seed=3)
    table = survey_table(rows)
    assert table.rows[0][:4] == ("1", "2", str(sum(r.smooth for r in rows)), str(sum(r.critical for r in rows)))


def test_spectra_along_a_path():
    net, X, Y, layer, units, _ = teacher_student(1, 4)
    path = permutation_path(net, X, Y, layer, units, steps=9)
    signs = spectra(path, X, Y)
    assert [s.index for s in signs] == [s.index for s in signs][::-1] and signs[0].index == 0
    assert signs[path.middle].index == 1 and "<svg" in spectrum_figure(path, signs, alt="x")._repr_html_()
