"""The laboratory: the verdict of every optimizer and noise over five seeds, and the command."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

from permsym_book import Parameters, cli, lab, noise, optimizers
from permsym_book.arithmetic import get as get_arithmetic
from permsym_book.gaps import Watch, distances, problem, unit_gaps
from permsym_book.lab import BROKEN, EXACT, IN_LAW, ROUNDING, noise_table, optimizer_table, run
from permsym_book.training import largest_gap

pytestmark = pytest.mark.xdist_group("lab")  # one worker measures the tables
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
        by_hand = max(abs(q.W1[:, 0] - q.W1[:, 3]).max(), abs(q.b1[0] - q.b1[3]),
                      abs(q.W2[0] - q.W2[3]).max())
        assert unit_gaps(p, (0, 1, 3))[e] == by_hand
        assert distances(p, p * 0.5)[e] == largest_gap(q, q * 0.5)


def test_each_part_of_a_unit_counts_for_its_gap():
    p = problem(range(2), 4, 2).net.parameters
    for place in range(3):
        arrays = [np.array(A) for A in p.arrays()]
        arrays[place][(1, 0) if place == 2 else (1, ..., 0)] += 0.25
        made = Parameters._trusted(arrays[::2], arrays[1::2])
        assert unit_gaps(made, (0, 1)) == pytest.approx([0, 0.25], rel=1e-15), place


def test_every_network_must_move():
    p = problem(range(2), 4, 2).net.parameters
    watch = Watch(2, lambda params: unit_gaps(params, (0, 1)))
    for t, factor in enumerate((0.0, 1.0, 1.0)):
        first_stays = factor * p.W1[:, :1, :1] * [[[0.0]], [[1.0]]]
        moved = Parameters._trusted([p.W1 + first_stays, p.W2], [p.b1, p.b2])
        watch(t, SimpleNamespace(parameters=moved))
    with pytest.raises(ValueError, match="step_size is 0.001: in 2 steps no .* of seeds 7 has changed"):
        watch.check_moved(optimizers.get("sgd"), [7, 8])


@pytest.mark.parametrize("first, twin, law, noises, expected", [
    (0.0, 1e-3, 1e-3, [], BROKEN), (0.0, 1e-3, 0.0, ["dropout"], IN_LAW), (1e-3, 0.0, 0.0, [], BROKEN),
    (1e-12, 1e-12, 0.0, [], ROUNDING), (0.0, 1e-12, 0.0, [], EXACT), (0.0, 1e-3, 1e-3, ["dropout"], BROKEN),
    (1e-12, 0.0, 0.0, ["nudge"], BROKEN)])
def test_the_verdict_follows_from_either_experiment(first, twin, law, noises, expected):
    watch = SimpleNamespace(first=first, largest=first)
    assert lab._verdict(watch, twin, law, [noise.get(n) for n in noises], get_arithmetic("fixed")) == expected


@pytest.mark.parametrize("arithmetic", ["int64", "modp", "fixed"])
def test_other_arithmetics(arithmetic):
    r = run("momentum", ["minibatch"], steps=20, seeds=range(2), arithmetic=arithmetic)
    assert r.verdict == EXACT and not r.gaps.any()
    assert (r.losses is None) == (arithmetic == "modp")
    assert (r.twin_gaps.max() == 0) == (arithmetic != "fixed")
    assert run("sgd", ["dropout"], steps=3, seeds=[0], arithmetic=arithmetic).verdict == IN_LAW


@pytest.mark.parametrize("arithmetic, size", [("fixed", 1e-30), ("float32", 1e-20), ("int64", 1e-5)])
def test_units_that_never_move_have_no_verdict(arithmetic, size):
    with pytest.raises(ValueError,
                       match="step_size is .*in 4 steps no parameter of the .* seeds 0, 1 .*required"):
        run("sgd", steps=4, seeds=[0, 1], arithmetic=arithmetic, step_size=size)
    assert run("sgd", steps=4, seeds=[0, 1], arithmetic=arithmetic).verdict in (EXACT, ROUNDING)


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
    (["--step-size", "1e-300", "--steps", "3"], ["step_size is 1e-300", "seeds 0, 1, 2, 3, 4", "required"]),
    (["--units", "100000"], ["units is 100000", "at most 256"]),
    (["--steps", "1000000000000"], ["steps is 1000000000000", "at most 100000"]),
    (["--seeds", "1000000"], ["seeds is 1000000", "at most 100"]),
])
def test_a_wrong_call_exits_2_and_lists_what_there_is(arguments, words, capsys):
    assert cli.main(["lab", *arguments]) == 2
    message = capsys.readouterr().err
    assert message.startswith("permsym lab: ") and all(word in message for word in words)
