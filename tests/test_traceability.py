"""One statement, one slug, five places: each is there, and none speaks of a slug that does not exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from permsym_book.claims import registry

ROOT = Path(__file__).resolve().parents[1]
CLAIMS = registry.load_all()
DIRECTIVE = re.compile(r"^`{3,}\{prf:(\w+)\}[^\n]*\n:label: ([\w-]+)$", re.M)
CELL = re.compile(r"^```\{code-cell\}[^\n]*\n(?:---\n.*?\n---\n)?(?::[^\n]*\n)*(.*?)^```", re.M | re.S)
SHOWING = ("permsym_book.figures", "permsym_book.widgets")
PAGES = sorted((ROOT / "notebooks").glob("*.md"))


def labelled_statements() -> dict[str, tuple[str, str]]:
    """Slug to (kind of directive, page) for every labelled statement of the notebooks."""
    return {label: (kind, f"notebooks/{page.name}") for page in PAGES
            for kind, label in DIRECTIVE.findall(page.read_text(encoding="utf-8")) if kind != "proof"}


def test_pages_and_registry_name_the_same_statements():
    assert set(labelled_statements()) == set(CLAIMS)


@pytest.mark.parametrize("slug", CLAIMS)
def test_page(slug):
    kind, page = labelled_statements()[slug]
    assert (kind, page) == (CLAIMS[slug].kind, CLAIMS[slug].page)
    text = (ROOT / page).read_text(encoding="utf-8")
    assert f'check("{slug}")' in text, "the page does not check its statement"


@pytest.mark.parametrize("slug", CLAIMS)
def test_check(slug):
    claim = CLAIMS[slug]
    source = ROOT / "src/permsym_book/claims" / f"{Path(claim.page).stem}.py"
    assert f'@claim("{slug}"' in source.read_text(encoding="utf-8")
    assert claim.function.__doc__


@pytest.mark.parametrize("slug", CLAIMS)
def test_test(slug):
    path = ROOT / "tests/claims" / f"test_{Path(CLAIMS[slug].page).stem}.py"
    text = path.read_text(encoding="utf-8")
    assert slug in text
    assert "assert_holds(" in text and re.search(r"\b(fails|notices)\(",
                                                 text), "a bound and a negative control are required"


def mounts(text: str) -> list[str]:
    """The figures and widgets that a page shows: calls that end a cell, of names imported from the package
    for that."""
    imported, shown = set(), []
    for cell in CELL.findall(text):
        body = ast.parse(cell).body
        for node in body:
            if isinstance(node, ast.ImportFrom) and node.module in SHOWING:
                imported |= {alias.asname or alias.name for alias in node.names}
        last = body[-1].value if body and isinstance(body[-1], ast.Expr) else None
        while isinstance(last, ast.Call):  # also of a method, as figures.lines(...)
            if isinstance(last.func, ast.Name) and last.func.id in imported:
                shown.append(last.func.id)
            last = last.func
    return shown


def test_only_what_ends_a_cell_and_was_imported_is_a_mount():
    def cells(*codes):
        return "\n".join(f"```{{code-cell}} ipython3\n{code}\n```" for code in codes)
    used = "from permsym_book.widgets import PermuteUnits"
    assert mounts(cells(used, "PermuteUnits(network=net)")) == ["PermuteUnits"]
    assert mounts(cells(used, "shown = PermuteUnits(network=net)")) == []
    assert mounts(cells("PermuteUnits(network=net)")) == []
    assert mounts("PermuteUnits(network=net)") == mounts(cells(used, "print(PermuteUnits)")) == []


@pytest.mark.parametrize("slug", CLAIMS)
def test_figure_or_widget_on_the_page(slug):
    assert mounts((ROOT / CLAIMS[slug].page).read_text(encoding="utf-8"))


@pytest.mark.parametrize("slug", CLAIMS)
def test_proof(slug):
    proof = CLAIMS[slug].proof
    if proof is not None:
        path, _, theorem = proof.partition("#")
        text = (ROOT / path).read_text(encoding="utf-8")
        assert re.search(rf"slug: {slug}\b.*?\n(?:.*\n)*?(?:Theorem|Lemma|Corollary|Remark|Example)"
                         rf" {theorem}\b", text)
