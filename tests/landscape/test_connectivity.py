"""The expansion manifold: which subspaces meet, how many components, and paths without loss."""

from fractions import Fraction
from math import factorial

import numpy as np
import pytest

from permsym_book import MLP
from permsym_book.landscape.connectivity import common_rows, components, meet, shortest_chain, subspaces
from permsym_book.landscape.expansion_counts import expansion_count
from permsym_book.landscape.valley import straight
from permsym_book.landscape.vector import to_vector
from permsym_book.landscape.zero_loss import expanded, zero_loss_path
from strategies import array, parameters


def equations(word, r, w, a):
    """The affine subspace of a word as rows of [A | c] with A theta = c; theta is (w_1..w_m, a_1..a_m)."""
    m, rows = len(word), []

    def row(entries, c):
        made = np.zeros(2 * m + 1)
        for place, value in entries:
            made[place] += value
        made[-1] = c
        rows.append(made)

    for letter in set(word):
        block = [unit for unit, other in enumerate(word) if other == letter]
        if letter < r:
            for unit in block:
                row([(unit, 1)], w[letter])
        else:
            for unit in block[1:]:
                row([(block[0], 1), (unit, -1)], 0)
        row([(m + unit, 1) for unit in block], a[letter] if letter < r else 0)
    return np.array(rows)


def meet_by_rank(one, other, r):
    """Literally: do the equations of both have a solution? Teacher numbers are in general position."""
    w, a = np.array([1.0, 10.0, 100.0])[:r], np.array([1.0, 7.0, 49.0])[:r]
    system = np.concatenate([equations(one, r, w, a), equations(other, r, w, a)])
    return np.linalg.matrix_rank(system, tol=1e-9) == np.linalg.matrix_rank(system[:, :-1], tol=1e-9)


@pytest.mark.parametrize("r, m", [(1, 1), (1, 2), (1, 3), (2, 2), (2, 3), (2, 4), (3, 3), (3, 4)])
def test_meeting_is_as_the_ranks_say(r, m):
    words = subspaces(r, m)
    assert len(set(words)) == expansion_count(r, m)
    table = [[meet(one, other, r) for other in words] for one in words]
    assert table == [[meet_by_rank(one, other, r) for other in words] for one in words]


@pytest.mark.parametrize("r, m, count, parts", [(2, 2, 2, 2), (3, 3, 6, 6), (2, 3, 12, 1), (2, 4, 62, 1), (3, 4, 60, 1),
                                                (1, 1, 1, 1), (1, 3, 10, 1)])
def test_components(r, m, count, parts):
    found = components(r, m)
    assert len(found.words) == count and found.count == parts == (1 if m > r else factorial(r))


@pytest.mark.parametrize("r, m", [(2, 3), (3, 4), (2, 4)])
def test_common_rows_are_in_both(r, m):
    w, a = 10.0 ** np.arange(r), 7.0 ** np.arange(r)
    words = subspaces(r, m)
    for one in words[::3]:
        for other in words:
            if not meet(one, other, r):
                with pytest.raises(ValueError, match="do not meet"):
                    common_rows(one, other, r)
                continue
            outgoing = [sum(a[k] * c for k, c in row.items()) for row in common_rows(one, other, r)]
            for word in (one, other):
                for letter in set(word):
                    total = sum(x for x, own in zip(outgoing, word, strict=True) if own == letter)
                    assert total == (a[letter] if letter < r else 0)
    assert len(w) == r


def test_a_path_without_loss_between_relabelled_minima_exactly(rng):
    teacher = MLP(parameters("fraction", (2, 3, 2), rng), "square")
    X = array("fraction", (4, 2), rng)
    start, goal = (0, 1, 2, 2), (2, 0, 1, 1)
    path = list(zero_loss_path(teacher, 0, start, goal, samples=4))
    assert path[0] == expanded(teacher, 0, start) and path[-1] == expanded(teacher, 0, goal)
    for student in path:
        assert student.widths == (2, 4, 2) and student.loss(X, teacher(X)) == Fraction(0)


@pytest.mark.parametrize("layer", [0, 1])
def test_a_path_without_loss_in_floats_at_any_layer(layer, rng):
    teacher = MLP.random((2, 3, 3, 2), rng)
    X = rng.standard_normal((50, 2))
    path = list(zero_loss_path(teacher, layer, (0, 1, 2, 0), (1, 2, 0, 1), samples=20))
    steps = [np.linalg.norm(to_vector(b) - to_vector(a)) for a, b in zip(path, path[1:], strict=False)]
    assert max(steps) < np.linalg.norm(to_vector(teacher)) / 5 and len(path) > 20
    assert max(student.loss(X, teacher(X)) for student in path) < 1e-26
    assert straight_loss(teacher, layer, X) > 1e-3


def straight_loss(teacher, layer, X):
    """Control: the straight line between the same ends."""
    ends = [expanded(teacher, layer, word) for word in ((0, 1, 2, 0), (1, 2, 0, 1))]
    return max(net.loss(X, teacher(X)) for net in straight(ends, 10))


def test_without_a_spare_unit_there_is_no_path(rng):
    teacher = MLP.random((2, 3, 2), rng)
    with pytest.raises(ValueError, match="different components"):
        zero_loss_path(teacher, 0, (0, 1, 2), (1, 2, 0))
    with pytest.raises(ValueError, match="at least once"):
        shortest_chain((0, 0, 1), (0, 1, 2), 3)
    with pytest.raises(ValueError, match="letters"):
        shortest_chain((0, 1), (0, 1, 1), 2)


def test_layers_and_teachers_are_named(rng):
    teacher, word = MLP.random((2, 3, 1), rng), (0, 1, 2, 2)
    for call in (expanded, lambda net, layer, word: zero_loss_path(net, layer, word, word)):
        for layer, error in ((5, ValueError), (-1, ValueError), (True, TypeError), (0.0, TypeError)):
            with pytest.raises(error, match="layer is"):
                call(teacher, layer, word)
        with pytest.raises(TypeError, match="teacher is of type NoneType; MLP is required"):
            call(None, 0, word)
    with pytest.raises(ValueError, match="samples is 0"):
        zero_loss_path(teacher, 0, word, word, samples=0)  # by the call


def test_words_are_named_as_the_arguments_are(rng):
    teacher = MLP.random((2, 2, 1), rng)
    for call, message in ((lambda: shortest_chain((0, 0), (0, 1), 2), "start is"),
                          (lambda: shortest_chain((0, 1), (0, 0), 2), "goal is"),
                          (lambda: shortest_chain((0, 1), (0, 1, 1), 2), "goal has 3 letters; 2, as many as start"),
                          (lambda: zero_loss_path(teacher, 0, (0, 0), (0, 1)), "start is"),
                          (lambda: expanded(teacher, 0, (0, 0)), "word is"),
                          (lambda: meet((0, 1), (0, 0), 2), "other is"), (lambda: common_rows((0, 0), (0, 1), 2), "one is")):
        with pytest.raises(ValueError, match=message):
            call()


@pytest.mark.parametrize("rows, error, message", [
    ([{}, {}, {}, {}], ValueError, "teacher unit 0 add up to 0 over the units of letter 0; 1 is required"),
    ([{0: 1}, {1: 1}, {2: 1}, {2: 1}], ValueError, "add up to 2 over the units of letter 2"),
    ([{0: 1, 1: 1}, {1: 1}, {2: 1}, {}], ValueError, "teacher unit 1 add up to 1 over the units of letter 0; 0 is required"),
    ([{0: 1, 9: 1}, {1: 1}, {2: 1}, {}], ValueError, r"rows\[0\], a teacher unit, is 9; at most 2"),
    ([{0: 1, -1: 1}, {1: 1}, {2: 1}, {}], ValueError, r"rows\[0\], a teacher unit, is -1; at least 0"),
    ([{0: True}, {1: 1}, {2: 1}, {}], ValueError, r"rows\[0\]\[0\] is True; a finite number"),
    ([{0: np.nan}, {1: 1}, {2: 1}, {}], ValueError, r"rows\[0\]\[0\] is nan; a finite number"),
    ([{0: 1}, {1: 1}, {2: 1}], ValueError, "rows has 3 entries; 4"),
    ([1, {1: 1}, {2: 1}, {}], TypeError, r"rows\[0\] is 1 of type int; a dict"),
    (3, TypeError, "rows is 3"),
])
def test_rows_that_do_not_compute_what_the_teacher_does(rows, error, message, rng):
    with pytest.raises(error, match=message):
        expanded(MLP.random((2, 3, 1), rng), 0, (0, 1, 2, 2), rows)


def test_rows_that_do(rng):
    teacher, X = MLP.random((2, 2, 2), rng), rng.standard_normal((9, 2))
    word, rows = (0, 1, 1, 1, 2, 2), [{0: 1}, {1: 0.1, 0: 3}, {1: 0.2, 0: -3}, {1: 0.7}, {0: -0.3}, {0: 0.3}]
    assert np.allclose(expanded(teacher, 0, word, rows)(X), teacher(X), atol=1e-12)


def test_too_many_subspaces_to_compare():
    for call in (lambda: components(3, 7), lambda: shortest_chain((0, 1, 2, 3, 3, 3, 3), (3, 3, 3, 3, 0, 1, 2), 3)):
        with pytest.raises(ValueError, match=r"r = 3 and m = 7 have T\(r, m\) = 2.134e4 subspaces.*; at most 2000 are allowed"):
            call()


def test_the_numbers_of_the_groups_mean_nothing(rng):
    teacher = MLP.random((2, 2, 1), rng)
    for goal in ((0, 2, 1), (0, 3, 1), (0, 9, 1)):
        assert shortest_chain((0, 1, 2), goal, 2) == shortest_chain((0, 1, 7), (0, 2, 1), 2)
        assert len(list(zero_loss_path(teacher, 0, (0, 1, 5), goal, samples=2))) > 2
