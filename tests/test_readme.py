"""The README's Python, run as it stands: only the arrays that it asks of the reader are made here."""

import re
from pathlib import Path

import numpy as np
import pytest

README = Path(__file__).resolve().parents[1] / "README.md"
BLOCKS = re.compile(r"^```python\n(.*?)^```", re.M | re.S)


def test_the_python_of_the_readme_runs_and_shows_what_it_says(capsys):
    pytest.importorskip("joblib", reason="joblib is not installed")
    rng = np.random.default_rng(0)
    names = {"np": np, "rng": rng, "W1": rng.standard_normal((4, 5)), "b1": rng.standard_normal(5),
             "W2": rng.standard_normal((5, 2)), "b2": rng.standard_normal(2), "X": rng.standard_normal((32, 4)),
             "Y": rng.standard_normal((32, 2))}
    printed = []
    for block in BLOCKS.findall(README.read_text(encoding="utf-8")):
        exec(block, names)
        printed.append(capsys.readouterr().out)
    own, trained, sweep, saddle = printed
    assert "equal=True" in own and trained.splitlines()[-1] == "True"
    assert len(sweep.splitlines()) == 2 * 2 * 2 and "adam" in sweep
    assert saddle.split()[-2:] == ["1", "1"]
