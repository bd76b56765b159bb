"""Tests of the check of thm-deep-invariance."""


from .helpers import (
    assert_holds,
    bias_forgotten,
    delta_by_position,
    notices,
    rows_the_wrong_way,
    sigma_by_position,
)

SLUG = "thm-deep-invariance"


def test_the_product_of_the_symmetric_groups_acts():
    assert_holds(SLUG, controls={
        "columns of W2 relabelled, rows forgotten", "rows of W2 relabelled by the next layer's permutation",
        "rows and columns of W2 exchanged"})


test_the_check_notices_sabotage = notices(SLUG, rows_the_wrong_way, bias_forgotten, delta_by_position,
                                          sigma_by_position)
