"""The notebooks as a reader gets them: in an environment made from requirements.txt alone.

The build of the book runs every notebook from top to bottom and stops at the first error, so what is left to
see is whether requirements.txt brings all that they need: each import of each notebook is tried in the fresh
environment, and two notebooks run there, which between them train, draw and mount widgets.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.md"))
IMPORT = re.compile(r"^(?:import|from \S+ import) .+$", re.M)  # the notebooks write each on one line
OTHERS = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "JUPYTER_PATH", "JUPYTER_PREFER_ENV_PATH")
# As JupyterLab does: jupytext turns the page into a notebook, and a kernel runs its cells in its own folder.
EXECUTE = """
import sys
import jupytext, nbclient, nbformat
page, target = sys.argv[1:]
notebook = jupytext.read(page)
nbclient.NotebookClient(notebook, timeout=600, resources={"metadata": {"path": "notebooks"}}).execute()
nbformat.write(notebook, target)
"""

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("notebooks")]  # one worker makes the environment


def run(*command, **options):
    """Run a command in a clean environment; its output becomes the failure's message."""
    environment = {k: v for k, v in os.environ.items() if k not in OTHERS}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, **options)
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="session")
def python(tmp_path_factory) -> Path:
    """The interpreter of a fresh environment."""
    folder = tmp_path_factory.mktemp("fresh")
    run(sys.executable, "-m", "venv", folder)
    interpreter = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    run(interpreter, "-m", "pip", "install", "--quiet", "-r", "requirements.txt", timeout=900)
    return interpreter


def test_there_are_notebooks():
    assert NOTEBOOKS


def test_brings_every_import_of_every_notebook(python):
    lines = {line for path in NOTEBOOKS for line in IMPORT.findall(path.read_text(encoding="utf-8"))}
    assert len(lines) > len(NOTEBOOKS) and any("permsym_book.widgets" in line for line in lines)
    run(python, "-c", "\n".join(sorted(lines)))


@pytest.mark.parametrize("stem", ["identical_units", "shared_noise"])
def test_runs_top_to_bottom(python, stem, tmp_path):
    path, target = ROOT / "notebooks" / f"{stem}.md", tmp_path / f"{stem}.ipynb"
    run(python, "-c", EXECUTE, path, target, timeout=600)
    assert '"execution_count": 1' in target.read_text(encoding="utf-8")


def test_brings_what_the_book_needs(python):
    """Every extension that _config.yml names can be imported there."""
    code = (
        "import importlib, yaml; config = yaml.safe_load(open('_config.yml', encoding='utf-8'));"
        "[importlib.import_module(name) for name in config['sphinx']['extra_extensions']]"
    )
    run(python, "-c", code)
