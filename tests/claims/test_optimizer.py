"""Tests of the check of cor-training-invariance."""

import numpy as np

from permsym_book import MLP, Parameters, Permutation
from permsym_book.modular import ModArray, random_residues, square_activation
from permsym_book.training import largest_gap, sgd

from .helpers import assert_holds, delta_by_position, notices, rows_the_wrong_way

SLUG = "cor-training-invariance"


def test_training_commutes_with_relabelling():
    assert_holds(SLUG, links=12, controls={
        "the twin sees another last batch", "the twin steps with the gradient not relabelled",
        "related by another permutation"})


test_the_check_notices_sabotage = notices(SLUG, rows_the_wrong_way, delta_by_position)


def test_a_thousand_steps_are_exact_modulo_p():
    rng = np.random.default_rng(0)
    net = MLP(Parameters([random_residues((3, 4), rng), random_residues((4, 2), rng)],
                         [random_residues((4,), rng), random_residues((2,), rng)]), square_activation())
    perm = Permutation([2, 0, 1, 3])
    batches = [(random_residues((5, 3), rng), random_residues((5, 2), rng)) for _ in range(1000)]
    end, twin = sgd(net, batches, 3), sgd(net.permuted(perm), batches, 3)
    assert largest_gap(end.parameters.permuted(perm), twin.parameters) == 0
    assert largest_gap(end.parameters, twin.parameters) > 0
    assert isinstance(end.parameters.W1, ModArray) and largest_gap(end.parameters, net.parameters) > 0
