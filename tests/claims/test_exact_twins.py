"""Tests of the check of prop-exact-twins, and of what the page shows."""

import numpy as np

from permsym_book import MLP, optimizers
from permsym_book.fixed_point import FixedArray
from permsym_book.lab_examples import twin_course

from .helpers import assert_holds, bias_forgotten, fails, notices, rows_the_wrong_way

SLUG = "prop-exact-twins"


def test_prop_exact_twins():
    assert_holds(SLUG, controls={"a sum over the units that depends on their order",
                                 "related by another permutation", "against the start: the training moved"})


test_the_check_notices_sabotage = notices(SLUG, rows_the_wrong_way, bias_forgotten)


def test_the_check_notices_sums_that_are_rounded_as_they_grow(monkeypatch):
    """Fixed point whose running sums lose their last bit at every addition: rounding that depends on the
    order."""
    def matmul(self, other):
        A, B = self.values, other.values
        total = (A[..., :, :1] * B[..., :1, :]) >> 12
        for k in range(1, A.shape[-1]):
            total = (total + ((A[..., :, k:k + 1] * B[..., k:k + 1, :]) >> 12)) & ~1
        return FixedArray(total)
    monkeypatch.setattr(FixedArray, "__matmul__", matmul)
    assert fails(SLUG)


def problem(h=6):
    rng = np.random.default_rng(1)
    X = rng.standard_normal((16, 4))
    return MLP.random((4, h, 2), rng), X, np.tanh(X @ rng.standard_normal((4, 2)) / 2)


def test_int64_twins_stay_exact_while_the_loss_falls():
    net, X, Y = problem()
    course = twin_course(net, [2, 0, 1, 4, 5, 3], X, Y, optimizers.get("sgd", step_size=1 / 128), 1000,
                         arithmetic="int64", every=1)
    assert len(course.gaps) == 1001 and course.gaps.max() == 0
    assert course.losses[-1] < 0.2 * course.losses[0]


def test_float64_is_exact_with_two_units_and_not_with_three():
    """Two products have one sum; three have more than one."""
    for h, perm in [(2, [1, 0]), (3, [2, 0, 1])]:
        net, X, Y = problem(h)
        gaps = twin_course(net, perm, X, Y, "sgd", 300, every=10).gaps
        assert (gaps.max() == 0) == (h == 2)
