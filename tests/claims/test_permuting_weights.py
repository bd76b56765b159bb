"""Tests of the check of rem-transpose."""

from permsym_book import Permutation

from .helpers import assert_holds, bias_forgotten, notices, rows_the_wrong_way

SLUG = "rem-transpose"


def test_the_transpose_relabels_rows_as_the_matrix_relabels_columns():
    assert_holds(SLUG, links=2, controls={"P instead of its transpose on W2", "the transpose on W1 as well",
                                          "P against its transpose"})


test_the_check_notices_a_wrong_transpose = notices(SLUG, rows_the_wrong_way)
test_the_check_notices_a_forgotten_bias = notices(SLUG, bias_forgotten)


def test_a_matrix_equals_its_transpose_exactly_for_the_involutions():
    for h, involutions in [(1, 1), (2, 2), (3, 4), (4, 10), (5, 26)]:
        own_transpose = [p for p in Permutation.all(h) if (p.matrix() == p.matrix().T).all()]
        assert own_transpose == [p for p in Permutation.all(h) if p.order <= 2]
        assert len(own_transpose) == involutions
