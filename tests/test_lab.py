"""The laboratory: the verdict of every optimiser and noise over five seeds, and the command."""

import json

import numpy as np
import pytest

from permsym_book import cli, noise, optimizers
from permsym_book.gaps import distances, problem, unit_gaps
from permsym_book.lab import BROKEN, EXACT, IN_LAW, ROUNDING, noise_table, optimizer_table, run
from permsym_book.training import largest_gap

ROUNDS = {"shampoo", "muon_svd_truncated", "bfgs", "newton", "newton_damped"}
BREAKS = {"muon_svd", "per_parameter_rates", "random_coordinates"}
PER_UNIT = {"dropout", "gradient_noise", "weight_noise"}


@pytest.fixture(scope="module")
def rows():
    return {row.name: row for row in optimizer_table(range(5))}


def expected_optimizer(name):
    return ROUNDING if name in ROUNDS else BROKEN if name in BREAKS else EXACT


@pytest.mark.parametrize("name", optimizers.OPTIMIZERS)
def test_optimizers(name, rows):
    row = rows[name]
    assert row.verdict == expected_optimizer(name)
    assert row.reason == optimizers.OPTIMIZERS[name].reason
    assert (row.largest_gap == 0) == (row.verdict == EXACT), "exactly 0 at every step, or not"
    assert row.result.gaps.shape[1] == 5
    if name in BREAKS:
        assert row.first > 1e-3
    if name in ("per_parameter_rates", "random_coordinates"):
        assert row.twin_first > 1e-3
    else:
        assert row.twin_first < 2.0**-26
    if name not in ("newton", "newton_damped"):
        assert (row.result.losses[-1] < row.result.losses[0]).all(), "the networks do learn"


def test_rounding_breaks_shampoo_and_not_sgd(rows):
    assert rows["shampoo"].first < 1e-9 and rows["shampoo"].largest_gap > 0.1
    assert rows["sgd"].largest_gap == 0


@pytest.fixture(scope="module")
def noise_rows():
    return {row.name: row for row in noise_table(range(5))}


@pytest.mark.parametrize("name", noise.NOISES)
def test_noises(name, noise_rows):
    row = noise_rows[name]
    expected = IN_LAW if name in PER_UNIT else BROKEN if name == "nudge" else EXACT
    assert row.verdict == expected
    assert (row.largest_gap == 0) == (expected == EXACT)
    assert row.law_first < 2.0**-26, "the relabelled noise makes the twin"
    if name in PER_UNIT:
        assert row.first > 1e-3 and row.twin_first > 1e-3


def test_unit_gaps_by_hand():
    net = problem(range(2), 4, 2).net
    p = net.parameters
    assert unit_gaps(p, (0, 1)).tolist() == [0, 0]
    for e in range(2):
        q = p[e]
        by_hand = max(abs(q.W1[:, 0] - q.W1[:, 3]).max(), abs(q.b1[0] - q.b1[3]), abs(q.W2[0] - q.W2[3]).max())
        assert unit_gaps(p, (0, 1, 3))[e] == by_hand
        assert distances(p, p * 0.5)[e] == largest_gap(q, q * 0.5)


@pytest.mark.parametrize("arithmetic", ["int64", "modp", "fixed"])
def test_other_arithmetics(arithmetic):
    r = run("momentum", ["minibatch"], steps=20, seeds=range(2), arithmetic=arithmetic)
    assert r.verdict == EXACT and not r.gaps.any()
    assert (r.losses is None) == (arithmetic == "modp")
    assert (r.twin_gaps.max() == 0) == (arithmetic != "fixed")
    assert run("sgd", ["dropout"], steps=3, seeds=[0], arithmetic=arithmetic).verdict == IN_LAW


def test_two_noises_are_as_bad_as_the_worse():
    r = run("adam", ["minibatch", "dropout"], steps=3, seeds=[0, 1])
    assert r.verdict == IN_LAW and r.reason == noise.NOISES["dropout"].reason
    assert run("per_parameter_rates", ["dropout"], steps=3, seeds=[0]).verdict == BROKEN


def test_the_same_seeds_give_the_same_numbers():
    a, b, c = (run("adam", ["dropout"], steps=5, seeds=s) for s in ([0, 1], [0, 1], [2, 3]))
    assert (a.gaps == b.gaps).all() and (a.gaps != c.gaps).any()


def test_the_command(capsys):
    call = ["lab", "--optimizer", "adam", "--noise", "minibatch,dropout", "--steps", "20", "--seeds", "2"]
    assert cli.main(call) == 0
    out = capsys.readouterr().out
    assert f"verdict: {IN_LAW}" in out and "exactly 0" in out.splitlines()[2]
    assert cli.main([*call, "--json", "--units", "6", "--identical", "4", "--step-size", "0.02"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert (record["optimizer"], record["units"], record["identical"]) == ("adam", 6, 4)
    assert record["options"]["step_size"] == 0.02
    assert [n["name"] for n in record["noises"]] == ["minibatch", "dropout"]
    assert record["times"] == [0, 1, 2, 5, 10, 20] and np.shape(record["gaps"]) == (6, 2)


@pytest.mark.parametrize("arguments, words", [
    (["--optimizer", "adan"], ["adan", *optimizers.OPTIMIZERS]),
    (["--noise", "dropot"], ["dropot", *noise.NOISES]),
    (["--arithmetic", "float16"], ["float16", "int64", "modp"]),
    (["--optimizer", "adam", "--arithmetic", "int64"], ["adam", "sgd, momentum, nesterov"]),
    (["--identical", "9"], ["identical is 9", "8"]),
    (["--identical", "1"], ["identical is 1"]),
    (["--steps", "0"], ["steps is 0"]),
    (["--seeds", "0"], ["seeds is empty"]),
    (["--arithmetic", "fractions"], ["steps is 200", "fractions"]),
    (["--step-size", "-1"], ["step_size is -1"]),
])
def test_a_wrong_call_exits_2_and_lists_what_there_is(arguments, words, capsys):
    assert cli.main(["lab", *arguments]) == 2
    message = capsys.readouterr().err
    assert message.startswith("permsym lab: ") and all(word in message for word in words)
