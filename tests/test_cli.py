"""Tests of the ``permsym`` command."""

import json
import os
import subprocess
import sys

import pytest

from permsym_book import cli, formulas, lab_command, noise, optimizers
from permsym_book.claims import registry

KEYS = ["slug", "kind", "title", "page", "float", "exact", "controls", "proof", "seconds"]


def test_json_has_the_documented_keys(capsys):
    assert cli.main(["verify", "thm-forward-invariance", "prop-orbit-size", "--json", "--trials", "2"]) == 0
    records = json.loads(capsys.readouterr().out)
    assert [r["slug"] for r in records] == ["thm-forward-invariance", "prop-orbit-size"]
    for r in records:
        assert list(r) == KEYS
        assert r["float"]["residual"] <= r["float"]["bound"]
        assert r["exact"]["residual"] == 0 and r["exact"]["ring"]
        assert r["controls"] and all(c["residual"] > 0 for c in r["controls"])


def test_table_names_every_statement_once(capsys):
    assert cli.main(["verify", "--trials", "1"]) == 0
    first_words = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert first_words == ["statement", *registry.load_all()]


def test_a_failing_statement_makes_the_command_exit_1(monkeypatch, capsys):
    right = formulas.forward
    monkeypatch.setattr(formulas, "forward", _positional(right))
    assert cli.main(["verify", "thm-forward-invariance", "--trials", "2"]) == 1
    captured = capsys.readouterr()
    assert "FAILED" in captured.out and "thm-forward-invariance: " in captured.err


def _positional(right):
    def forward(weights, biases, sigmas, X, masks=None):
        def first_unit_doubled(f):
            def g(Z):
                H = f(Z)
                return H * ([2] + [1] * (Z.shape[-1] - 1))
            return g
        return right(weights, biases, [first_unit_doubled(s) for s in sigmas], X, masks)
    return forward


def test_the_seed_determines_the_numbers():
    def numbers(seed):
        return registry.verify("thm-backward-invariance", seed=seed, trials=2).as_dict() | {"seconds": 0}
    assert numbers(5) == numbers(5)
    assert numbers(5) != numbers(6)


@pytest.mark.parametrize("arguments, word", [
    (["no-such-slug"], "no-such-slug"), (["--trials", "0"], "trials is 0"), (["--seed", "-1"], "seed is -1"),
    (["--trials", "1000000000000"], "trials is 1000000000000; at most 10000")])
def test_a_wrong_call_exits_2_and_says_why(arguments, word, capsys):
    assert cli.main(["verify", *arguments]) == 2
    assert word in capsys.readouterr().err


def test_unknown_slug_lists_the_known_ones(capsys):
    assert cli.main(["verify", "thm-typo"]) == 2
    message = capsys.readouterr().err
    assert all(slug in message for slug in registry.load_all())


def run(arguments, stdout):
    return subprocess.run([sys.executable, "-m", "permsym_book.cli", *arguments], stdout=stdout,
                          stderr=subprocess.PIPE, text=True, timeout=120)


def test_a_reader_that_stops_reading_is_no_error():
    read, write = os.pipe()
    os.close(read)
    done = run(["verify", "rem-transpose", "--trials", "1"], write)
    os.close(write)
    assert done.returncode == 141 and "Traceback" not in done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a device that is always full")
@pytest.mark.parametrize("arguments", [
    ["verify", "rem-transpose", "--trials", "1"], ["verify", "rem-transpose", "--trials", "1", "--json"],
    ["lab", "--steps", "1", "--seeds", "1"]])
def test_a_full_disk_is_one_line_and_exit_1(arguments):
    with open("/dev/full", "w") as full:
        done = run(arguments, full)
    assert done.returncode == 1
    assert done.stderr.splitlines() == ["permsym: the output cannot be written: No space left on device"]


def test_too_little_memory_is_one_line_and_exit_2(monkeypatch, capsys):
    def starved(*arguments, **options):
        raise MemoryError
    monkeypatch.setattr(lab_command.lab, "run", starved)
    assert cli.main(["lab"]) == 2
    message = capsys.readouterr().err
    assert message == "permsym lab: there is not enough memory; smaller numbers are required\n"


@pytest.mark.parametrize("arguments", [["--vers"], ["verify", "--tri", "1"], ["lab", "--opt", "sgd"]])
def test_options_are_not_abbreviated(arguments, capsys):
    with pytest.raises(SystemExit) as ended:
        cli.main(arguments)
    assert ended.value.code == 2


def test_the_help_of_verify_names_every_statement(capsys):
    with pytest.raises(SystemExit):
        cli.main(["verify", "--help"])
    said = capsys.readouterr().out
    assert all(f"  {slug}\n" in said for slug in registry.load_all()) and "exit code" in said


def test_a_diverging_laboratory_warns_of_nothing_else(capsys):
    assert cli.main(["lab", "--steps", "3", "--seeds", "1", "--step-size", "1e30"]) in (0, 2)
    said = capsys.readouterr()
    assert "Warning" not in said.out + said.err


def test_the_laboratory_s_help_lists_what_there_is(capsys):
    with pytest.raises(SystemExit) as ended:
        cli.main(["lab", "--help"])
    words = set(capsys.readouterr().out.replace(",", " ").replace(";", " ").split())
    assert ended.value.code == 0 and words >= {*optimizers.OPTIMIZERS, *noise.NOISES}
