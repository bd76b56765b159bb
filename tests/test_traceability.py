"""One statement, one slug, five places: each is there, and none speaks of a slug that does not exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from permsym_book.claims import registry

ROOT = Path(__file__).resolve().parents[1]
CLAIMS = registry.load_all()
DIRECTIVE = re.compile(r"^`{3,}\{prf:(\w+)\}[^\n]*\n:label: ([\w-]+)$", re.M)
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
    assert f'check("{slug}")' in (ROOT / page).read_text(encoding="utf-8"), "the page does not check its statement"


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
    assert "assert_holds(" in text and "fails(" in text, "a bound and a negative control are required"


@pytest.mark.parametrize("slug", CLAIMS)
def test_figure_or_widget_on_the_page(slug):
    text = (ROOT / CLAIMS[slug].page).read_text(encoding="utf-8")
    assert re.search(r"^\s*(\w+ = )?(unit_images|ribbons|lines|matrices|\w+_figure|widgets\.\w+)\(", text, re.M)


@pytest.mark.parametrize("slug", CLAIMS)
def test_proof(slug):
    proof = CLAIMS[slug].proof
    if proof is not None:
        path, _, theorem = proof.partition("#")
        text = (ROOT / path).read_text(encoding="utf-8")
        assert re.search(rf"slug: {slug}\b.*?\n(?:.*\n)*?(?:Theorem|Lemma|Corollary|Remark|Example) {theorem}\b", text)
