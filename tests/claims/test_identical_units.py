"""Tests of the check of prop-identical-units-stay-identical."""

import numpy as np

from permsym_book import MLP, Parameters, identical_units
from permsym_book.training import sgd

from .helpers import assert_holds, delta_by_position, notices, sigma_by_position

SLUG = "prop-identical-units-stay-identical"


def test_identical_units_stay_identical():
    assert_holds(SLUG, links=4, controls={
        "equal incoming, different outgoing weights", "equal outgoing, different incoming weights",
        "unit 1, which is not in the group"})


test_the_check_notices_sabotage = notices(SLUG, delta_by_position, sigma_by_position)


def test_erratum_equal_incoming_weights_alone_do_not_keep_units_identical():
    rng = np.random.default_rng(0)
    net = identical_units(MLP.random((3, 4, 2), rng), 0, [0, 2])
    p, data = net.parameters, (rng.standard_normal((20, 3)), rng.standard_normal((20, 2)))
    different = Parameters([p.W1, rng.standard_normal((4, 2))], [p.b1, p.b2])
    gaps = []
    sgd(net.with_parameters(different), [data] * 100, 0.005,
        callback=lambda t, n: gaps.append(abs(n.parameters.W1[:, 0] - n.parameters.W1[:, 2]).max()))
    assert gaps[0] == 0
    assert gaps[-1] > gaps[1] > 1e-3
