"""The book's Sphinx extension, part by part, without building a book."""

from __future__ import annotations

import gc
import subprocess
import warnings
from types import SimpleNamespace

import nbformat
import pytest

pytest.importorskip("sphinx")

from permsym_book.claims import registry
from permsym_book.sphinx_ext import cleaning, execution, freshness, links, notebooks, repository, source_pages


def test_digest_changes_with_names_and_contents(tmp_path):
    folder = tmp_path / "package"
    folder.mkdir()
    (folder / "a.py").write_text("1")
    seen = {freshness.digest([folder])}
    (folder / "a.py").write_text("2")
    seen.add(freshness.digest([folder]))
    (folder / "a.py").rename(folder / "b.py")
    seen.add(freshness.digest([folder]))
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "b.pyc").write_text("compiled")
    seen.add(freshness.digest([folder]))  # compiled files do not count
    assert len(seen) == 3


def test_cells_rest_on_the_package_but_not_on_the_extension(tmp_path, monkeypatch):
    package = tmp_path / "package"
    (package / "sphinx_ext").mkdir(parents=True)
    (package / "mlp.py").write_text("1")
    (package / "sphinx_ext" / "links.py").write_text("1")
    monkeypatch.setattr(freshness, "PACKAGE", package)
    monkeypatch.setattr(freshness, "__file__", str(package / "sphinx_ext" / "freshness.py"))

    def digests():
        app = SimpleNamespace(srcdir=tmp_path, outdir=tmp_path / "_build" / "html")
        config = SimpleNamespace(html_static_path=["static"], html_extra_path=[])
        freshness.set_digests(app, config)
        assert config.permsym_cells[:16] in config.nb_execution_cache_path
        return config.permsym_cells, config.permsym_pages

    first = digests()
    assert digests() == first
    (package / "sphinx_ext" / "links.py").write_text("2")
    second = digests()
    assert second[0] == first[0] and second[1] != first[1]
    (package / "mlp.py").write_text("2")
    third = digests()
    assert third[0] != second[0] and third[1] != second[1]
    (tmp_path / "static").mkdir()
    (tmp_path / "static" / "book.css").write_text("a {}")
    fourth = digests()
    assert fourth[0] == third[0] and fourth[1] != third[1]


def test_a_build_with_warnings_is_not_remembered(tmp_path):
    pickle = tmp_path / "environment.pickle"
    for exception, count in [(None, 1), (RuntimeError(), 0)]:
        pickle.write_text("")
        freshness.tidy(SimpleNamespace(doctreedir=tmp_path, _warncount=count), exception)
        assert not pickle.exists()


def git(folder, *command):
    subprocess.run(["git", "-C", str(folder), *command], check=True, capture_output=True)


@pytest.mark.parametrize(
    ("remote", "expected"),
    [
        ("git@github.com:reader/book.git", "https://github.com/reader/book"),
        ("https://reader:token@github.com/reader/book.git", "https://github.com/reader/book"),
        ("/srv/git/book.git", None),
        ("../book", None),
    ],
)
def test_origin(tmp_path, remote, expected):
    git(tmp_path, "init", "-q")
    assert repository.origin(tmp_path) is None
    git(tmp_path, "remote", "add", "origin", remote)
    assert repository.origin(tmp_path) == expected
    inside = tmp_path / "book"
    inside.mkdir()
    assert repository.origin(inside) is None, "a folder within some other clone has no origin of its own"


def test_options_are_not_modified():
    given = {"repository_url": "https://github.com/a/b", "launch_buttons": {"colab_url": "c"}}
    repository.theme_options(given, "https://gitlab.com/x/y")
    assert given == {"repository_url": "https://github.com/a/b", "launch_buttons": {"colab_url": "c"}}


def test_without_a_known_host_no_button_is_left():
    given = {"use_issues_button": True, "repository_url": "https://github.com/a/b"}
    given["launch_buttons"] = {"binderhub_url": "b"}
    left = repository.theme_options(given, "https://git.example.org/x/y")
    assert left == {"use_issues_button": False, "repository_url": "", "launch_buttons": {}}


def test_cleaning_twice_changes_nothing():
    page = (
        '<html data-theme="auto"><script src="../_static/documentation_options.js?v=1"></script>'
        '<script defer src="../_static/scripts/fontawesome.js?digest=1"></script>'
        '<script src="../searchindex.js"></script><script>var togglebuttonSelector = "a";</script>'
        '<script>var togglebuttonSelector = "a";</script><script src="_static/design-tabs.js"></script>'
        f"<script>{cleaning.STORED_THEME}</script>"
    )
    for is_search in (False, True):
        once = cleaning.cleaned(page, is_search)
        assert cleaning.cleaned(once, is_search) == once
        assert "fontawesome" not in once and "design-tabs" not in once
        assert once.count("togglebuttonSelector") == 1
        assert ("searchindex" in once) == ("SHOW_SEARCH_SUMMARY" in once) == is_search
        assert "prefers-color-scheme" in once


def test_design_files_stay_where_they_are_used():
    page = '<script src="_static/design-tabs.js"></script><div class="sd-tab-set docutils">'
    assert cleaning.cleaned(page) == page


def test_only_the_named_files_are_kept(tmp_path):
    for name in ("startup.js", "input/tex.js", "input/mml.js", "input/tex/extensions/ams.js", "sre/en.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    cleaning.keep_only(tmp_path, ("startup.js", "input/tex.js", "input/tex/extensions"))
    left = sorted(p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*") if p.is_file())
    assert left == ["input/tex.js", "input/tex/extensions/ams.js", "startup.js"]


def test_each_line_has_its_number():
    text = "\n\n# thm-a and thm-a-b\nx = 1\n"
    html = source_pages.highlighted(text, ".py", {"thm-a": "p.html#thm-a"})
    assert [html.count(f'id="L-{n}"') for n in (1, 2, 3, 4, 5)] == [1, 1, 1, 1, 0]
    assert html.count("<a ") == 1 and "thm-a-b" in html


@pytest.fixture
def project(tmp_path):
    """A project with one test and one proof, and a claim whose check is a function of this package."""
    (tmp_path / "tests" / "claims").mkdir(parents=True)
    (tmp_path / "tests" / "claims" / "test_links.py").write_text('x\ncheck("thm-a")\n')
    (tmp_path / "proofs").mkdir()
    (tmp_path / "proofs" / "a.v").write_text("(* supports: thm-a *)\n(* slug: thm-a *)\n")
    return tmp_path, registry.Claim("thm-a", "theorem", "A", "notebooks/links.md", links.row, "proofs/a.v#a")


def test_places_of_a_claim(project):
    root, claim = project
    check, test, proof = links.places(claim, root)
    assert check[0] == "Check" and check[2] > 1
    assert test == ("Test", "tests/claims/test_links.py", 2)
    assert proof == ("Proof", "proofs/a.v", 2)


def test_the_link_goes_to_the_test_and_not_to_the_docstring(project):
    root, claim = project
    test = next(path for kind, path, _ in links.places(claim, root) if kind == "Test")
    (root / test).write_text(f'"""Of {claim.slug}."""\n\ndef test():\n    assert_holds("{claim.slug}")\n')
    assert ("Test", test, 4) in links.places(claim, root)


def test_a_missing_place_is_a_warning(project, monkeypatch):
    root, claim = project
    warned = []
    monkeypatch.setattr(links.LOGGER, "warning", lambda *args, **kinds: warned.append(args[1:]))
    (root / "proofs" / "a.v").write_text("(* supports: thm-a *)")
    (root / "tests" / "claims" / "test_links.py").unlink()
    assert [kind for kind, *_ in links.places(claim, root)] == ["Check"]
    assert warned == [("thm-a", "tests/claims/test_links.py"), ("thm-a", "proofs/a.v")]


def test_a_page_as_a_notebook(tmp_path):
    page = tmp_path / "page.md"
    kernel = "kernelspec:\n  display_name: Python 3\n  language: python\n  name: python3\n"
    page.write_text(f"---\n{kernel}---\n\n# Title\n\n```{{code-cell}} ipython3\n1 + 1\n```\n")
    notebook = notebooks.as_notebook(page, "https://github.com/reader/book")
    nbformat.validate(notebook)
    assert [c.cell_type for c in notebook.cells] == ["code", "markdown", "code"]
    assert "git+https://github.com/reader/book" in notebook.cells[0].source
    assert notebook == notebooks.as_notebook(page, "https://github.com/reader/book")
    assert len(notebooks.as_notebook(page, "").cells) == 2


PAGE = """---
jupytext:
  text_representation:
    format_name: myst
kernelspec:
  name: python3
---

# A page

```{code-cell}
%s
```
"""
MEET = """import time
from pathlib import Path
Path("%s").touch()
while not Path("%s").exists():
    time.sleep(0.05)
"""


@pytest.mark.slow
def test_notebooks_run_side_by_side_and_once(tmp_path, monkeypatch):
    """Each of two waits for the other; a third fails, and is left to the reader of the pages."""
    from myst_nb.core.config import NbParserConfig
    from myst_parser.config.main import MdParserConfig

    monkeypatch.setattr(execution.os, "cpu_count", lambda: 2)
    cells = {"one": MEET % ("one", "other"), "other": MEET % ("other", "one"), "wrong": "1 / 0"}
    for name, cell in cells.items():
        (tmp_path / f"{name}.md").write_text(PAGE % cell)
    (tmp_path / "text.md").write_text("# No notebook")
    config = NbParserConfig(execution_mode="cache", execution_cache_path=str(tmp_path / "cache"), execution_timeout=60)
    env = SimpleNamespace(doc2path=lambda name: tmp_path / f"{name}.md", myst_config=MdParserConfig(), mystnb_config=config)
    docnames = [*cells, "text"]

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # nbclient leaves its threads' event loops to the collector
        execution.run_all(None, env, docnames)
        gc.collect()
    cache = execution.get_cache(config.execution_cache_path)
    found = {path.stem: execution.cached(cache, notebook) for path, _, notebook in execution.read(env, docnames)}
    assert found == {"one": True, "other": True, "wrong": False}

    (tmp_path / "one").unlink()
    execution.run_all(None, env, ["one", "other", "text"])
    assert not (tmp_path / "one").exists(), "nothing runs a second time"
