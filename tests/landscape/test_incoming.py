"""Only the incoming weights brought together: outgoing weights that blow up, and a bound on rounding."""

import numpy as np
import pytest

from permsym_book import MLP
from permsym_book.landscape.hessian import hessian
from permsym_book.landscape.incoming import incoming_minima
from permsym_book.landscape.paths import permutation_path
from permsym_book.landscape.problems import teacher_student
from permsym_book.landscape.rounding_bound import rounding_bound
from permsym_book.landscape.saddle_pictures import spectra, spectrum_figure, survey_table
from permsym_book.landscape.survey import survey


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


@pytest.mark.parametrize("distances", [[0.1, 0.0], [-1.0], [np.inf]])
def test_distances_that_are_not_positive(distances):
    net, X, Y, layer, units, _ = teacher_student(1, 4)
    with pytest.raises(ValueError, match="positive numbers are required"):
        incoming_minima(net, X, Y, layer, units, distances)


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
