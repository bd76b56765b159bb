"""Noises: what each does to what it acts on, and to hidden units that are equal."""

import numpy as np
import pytest

from permsym_book import MLP, identical_units, noise
from permsym_book.arithmetic import get as get_arithmetic
from permsym_book.arithmetic import like
from permsym_book.gaps import unit_gaps
from permsym_book.noise import NOISES, Relabelled
from permsym_book.training import largest_gap, train

PERM = [2, 0, 1, 3, 4]


@pytest.fixture
def setting(rng):
    net = MLP.random((4, 5, 2), rng, scheme="normal")
    return net, rng.standard_normal((12, 4)), rng.standard_normal((12, 2))


def generator(seed=0):
    return np.random.default_rng(seed)


def test_minibatch_takes_distinct_rows_of_both(setting, rng):
    _, X, Y = setting
    x, y = noise.get("minibatch", size=5).batch(X, Y, rng)
    rows = [int(np.flatnonzero((X == r).all(axis=1))[0]) for r in x]
    assert len(set(rows)) == 5 and (Y[rows] == y).all()
    assert noise.get("minibatch", size=99).batch(X, Y, rng)[0].shape == X.shape
    labels = np.arange(12)
    x, y = noise.get("minibatch", size=5).batch(X, labels, rng)
    assert (X[y] == x).all()
    stack = np.stack([X, X + 1])
    x, y = noise.get("minibatch", size=5).batch(stack, np.stack([Y, Y]), rng)
    assert (x[1] == x[0] + 1).all() and (y[0] == y[1]).all()


def test_flips_reverse_a_share_of_the_samples(rng):
    X = np.arange(4000.0).reshape(1000, 4)
    x, _ = noise.get("flips", probability=0.3).batch(X, None, rng)
    flipped = (x == X[:, ::-1]).all(axis=1)
    assert ((x == X).all(axis=1) ^ flipped).all()
    assert abs(flipped.mean() - 0.3) < 5 * np.sqrt(0.21 / 1000)


def test_additive_noises_have_their_size(setting, rng):
    _, X, Y = setting
    X, Y = np.tile(X, (500, 1)), np.tile(Y, (500, 1))
    for name, which in (("input_noise", 0), ("label_noise", 1)):
        changed = noise.get(name, sigma=0.2).batch(X, Y, rng)
        difference = changed[which] - (X, Y)[which]
        assert abs(difference.std() - 0.2) < 5 * 0.2 / np.sqrt(2 * difference.size)
        assert changed[1 - which] is (X, Y)[1 - which]


def test_label_noise_replaces_a_share_of_the_labels(rng):
    labels = np.arange(10).repeat(1000)
    _, y = noise.get("label_noise", sigma=0.4).batch(np.zeros((10000, 1)), labels, rng)
    assert set(y) == set(range(10))
    # a tenth is replaced by itself
    assert abs((y != labels).mean() - 0.36) < 5 * np.sqrt(0.36 * 0.64 / 10000)


def test_mixup_mixes_inputs_and_targets_alike(rng):
    X = rng.standard_normal((50, 3))
    x, y = noise.get("mixup").batch(X, 2 * X, rng)
    np.testing.assert_allclose(y, 2 * x, atol=1e-12)
    assert not (x == X).all(axis=1).any()
    assert (x.max(axis=0) <= X.max(axis=0) + 1e-12).all()
    with pytest.raises(ValueError, match="alpha is 0.0; a number above 0 is required"):
        noise.get("mixup", alpha=0.0)
    with pytest.raises(ValueError, match="mixup"):
        noise.get("mixup").batch(X, np.zeros(50, dtype=int), rng)


@pytest.mark.parametrize("keep", [0.5, 0.8])
def test_dropout_keeps_a_share_and_the_mean(keep, rng):
    shape = (400, 50)
    mask, = noise.get("dropout", keep=keep).masks([shape], np.zeros(1), rng)
    assert set(mask.ravel()) == {0.0, 1 / keep}
    assert abs((mask > 0).mean() - keep) < 5 * np.sqrt(keep * (1 - keep) / mask.size)
    assert (mask != mask[:, :1]).any()
    shared, = noise.get("dropout_shared", keep=keep).masks([shape], np.zeros(1), rng)
    assert (shared == shared[:, :1]).all() and 0 < (shared > 0).mean() < 1
    x, _ = noise.get("dropout_input", keep=keep).batch(np.ones(shape), None, rng)
    assert set(x.ravel()) == {0.0, 1 / keep}


def test_shared_gradient_noise_is_the_same_for_all_units_of_a_layer(rng):
    g = MLP.random((3, 4, 5, 2), rng).parameters * 0.0
    drawn = noise.get("gradient_noise_shared", sigma=1.0).gradients(g, rng)
    assert drawn.permuted([[1, 2, 3, 0], [4, 2, 0, 1, 3]]) == drawn
    assert len(set(drawn.W1[:, 0])) == 3 and len(set(drawn.W3[0])) == 2 and len(set(drawn.b3)) == 2
    per_weight = noise.get("gradient_noise", sigma=1.0).gradients(g, rng)
    assert len(set(per_weight.W2.ravel())) == 20


def test_weight_noise_and_nudge(setting, rng):
    net, _, _ = setting
    p = net.parameters
    moved = noise.get("weight_noise", sigma=0.01).parameters(p, 3, rng)
    assert all((A != B).all() for A, B in zip(moved.arrays(), p.arrays(), strict=True))
    assert largest_gap(moved, p) < 0.1
    nudge = noise.get("nudge", unit=2)
    nudged = nudge.parameters(p, 0, rng)
    assert (nudged.W1 != p.W1).sum() == 1 and 0 < nudged.W1[0, 2] - p.W1[0, 2] < 1e-15
    assert nudge.parameters(p, 1, rng) is p
    with pytest.raises(ValueError, match="unit is 9"):
        noise.get("nudge", unit=9).parameters(p, 0, rng)


@pytest.mark.parametrize("name", NOISES)
def test_the_generator_decides_and_nothing_given_changes(name, setting):
    net, X, Y = setting
    before = X.copy(), Y.copy()
    runs = [train(net, X, Y, "sgd", 5, generator(seed), [name]).net for seed in (1, 1, 2)]
    assert runs[0] == runs[1]
    assert (runs[0] == runs[2]) == (name == "nudge")
    assert (X == before[0]).all() and (Y == before[1]).all()


@pytest.mark.parametrize("name", NOISES)
def test_equal_units_stay_equal_exactly_when_the_noise_cannot_tell_them_apart(name, setting):
    net, X, Y = setting
    net = identical_units(net, 0, [0, 1, 3])
    for arithmetic in ("fixed", "int64"):
        gaps = []
        train(MLP.stack([net]), X, Y, "sgd", 20, generator(), [name], arithmetic=arithmetic,
              callback=lambda t, n, gaps=gaps: gaps.append(unit_gaps(n.parameters, (0, 1, 3))[0]))
        assert gaps[0] == 0
        assert (max(gaps) > 0) == NOISES[name].breaks


@pytest.mark.parametrize("name", NOISES)
def test_a_relabelled_network_under_the_relabelled_noise_is_its_twin(name, setting):
    """Exactly, in an arithmetic where sums do not depend on their order: the law of the training is
    invariant."""
    net, X, Y = setting
    here = train(net, X, Y, "sgd", 10, generator(), [name], arithmetic="int64").net.parameters
    noises = [Relabelled(noise.get(name), [PERM], (5,))]
    there = train(net.permuted(PERM), X, Y, "sgd", 10, generator(), noises, arithmetic="int64").net.parameters
    assert largest_gap(there, here.permuted(PERM)) == 0
    same_draws = train(net.permuted(PERM), X, Y, "sgd", 10, generator(), [name],
                       arithmetic="int64").net.parameters
    assert (largest_gap(same_draws, here.permuted(PERM)) > 0) == NOISES[name].breaks


def test_dropout_in_law_the_mean_gap_over_all_masks_is_zero():
    """One sample, two equal units: the four pairs of masks are equally likely, and their gaps cancel."""
    from permsym_book.training import loss_function

    net = MLP.from_arrays([np.full((1, 2), 0.5), np.full((2, 1), 0.25)], [None, None], "square")
    gaps = []
    for masks in ([2.0, 2.0], [2.0, 0.0], [0.0, 2.0], [0.0, 0.0]):
        g = loss_function(net, np.ones((1, 1)), np.ones((1, 1)), masks=[np.array([masks])])(net.parameters)[1]
        gaps.append(g.W1[0, 0] - g.W1[0, 1])
    assert gaps[1] != 0 and sum(gaps) == 0


@pytest.mark.parametrize("name", ["float32", "int64", "modp", "fractions"])
def test_noises_keep_the_arithmetic(name, rng):
    a = get_arithmetic(name)
    X, Y = a.array(rng.standard_normal((6, 3))), a.array(rng.standard_normal((6, 2)))
    for n in NOISES:
        x, y = noise.get(n).batch(X, Y, rng)
        assert x.dtype == X.dtype and y.dtype == Y.dtype, n
    assert like(np.array([0.5]), X).dtype == X.dtype


@pytest.mark.parametrize("call, error, words", [
    (lambda: noise.get("dropot"), ValueError, "dropot.*dropout"),
    (lambda: noise.get(3), TypeError, "noise is 3 of type int; a name or a Noise is required"),
    (lambda: noise.get("dropout", p=0.5), TypeError, "'p'.*keep"),
    (lambda: noise.get("dropout", keep=0), ValueError, "keep is 0"),
    (lambda: noise.get("dropout", keep="a"), TypeError, "keep is 'a'"),
    (lambda: noise.get("minibatch", size=0), ValueError, "size is 0"),
    (lambda: noise.get("minibatch", size=2.5), TypeError, "size is 2.5"),
    (lambda: noise.get("input_noise", sigma=-1), ValueError, "sigma is -1"),
])
def test_wrong_calls_say_what_was_wrong(call, error, words):
    with pytest.raises(error, match=words):
        call()
