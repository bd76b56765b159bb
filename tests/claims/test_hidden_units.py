"""Tests of the check of def-permutation-symmetry."""

from .helpers import assert_holds, bias_forgotten, notices, rows_the_wrong_way, sigma_by_position

SLUG = "def-permutation-symmetry"


def test_every_relabelling_leaves_the_function_unchanged():
    assert_holds(SLUG, controls={"only W1 relabelled", "only b1 relabelled", "only W2 relabelled"})


test_the_check_notices_a_wrong_transpose = notices(SLUG, rows_the_wrong_way)
test_the_check_notices_a_forgotten_bias = notices(SLUG, bias_forgotten)
test_the_check_notices_a_sigma_that_is_not_elementwise = notices(SLUG, sigma_by_position)
