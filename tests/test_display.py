"""Tests of how evidence shows itself, the badge of a formal proof above all."""

from __future__ import annotations

import json

import pytest

from permsym_book import proofs
from permsym_book.claims import display, registry
from permsym_book.claims.evidence import Comparison, Control, Evidence, Exact


@pytest.fixture
def verdict():
    return registry.verify("thm-forward-invariance", trials=1)


def test_the_verdict_in_words():
    assert display.in_words(Comparison(0.0, 1e-15)) == "exactly 0"
    assert display.in_words(Comparison(2.2e-16, 3e-15)) == "2.2e-16, below the rounding bound 3e-15"
    assert display.in_words(Comparison(0.31, 1e-15)) == "broken: 0.31"
    assert display.in_words(Exact(0.0, "Q")) == "exactly 0 in Q"


def test_a_failing_statement_shows_it(verdict):
    wrong = Evidence(Comparison(0.31, 1e-15), Exact(1.0, "Q"), (Control("nothing dropped", 0.0, 0.0, 0.0),))
    html = display.Verdict(verdict.claim, wrong, 0.1)._repr_html_()
    assert html.count("permsym-badge-failed") == 3 and "broken: 0.31" in html
    assert "FAILED" in repr(display.Verdict(verdict.claim, wrong, 0.1))
    assert len(wrong.failures) == 3
    assert "no negative control" in Evidence(Comparison(0, 0), None, ()).failures[0]


def test_the_badge_says_checked_only_for_exactly_these_sources(verdict, tmp_path, monkeypatch):
    sources = tmp_path / "proofs"
    (sources / "_build").mkdir(parents=True)
    for path in proofs.PROOFS.glob("*.v"):
        (sources / path.name).write_bytes(path.read_bytes())
    status = {"coq": "8.99", "files": proofs.source_hashes(sources),
              "theorems": [{"slug": "thm-forward-invariance", "status": "checked"}]}
    (sources / "_build" / "status.json").write_text(json.dumps(status))
    monkeypatch.setattr(display, "checked_with", lambda slug: proofs.checked_with(slug, sources))
    assert "checked with Coq 8.99" in verdict._repr_html_()
    (sources / "forward.v").write_text("(* changed *)\n")
    assert "not rechecked in this build" in verdict._repr_html_()
    (sources / "_build" / "status.json").unlink()
    assert "not rechecked in this build" in verdict._repr_html_()


def test_a_theorem_that_failed_is_not_called_checked(tmp_path):
    (tmp_path / "_build").mkdir()
    status = {"coq": "8.99", "files": proofs.source_hashes(tmp_path),
              "theorems": [{"slug": "a", "status": "failed"}]}
    (tmp_path / "_build" / "status.json").write_text(json.dumps(status))
    assert proofs.checked_with("a", tmp_path) is None


def test_the_badge_opens_the_statement_in_coq(verdict):
    html = verdict._repr_html_()
    assert "<details>" in html and "Theorem forward_invariance" in html and "comRingType" in html
    assert "proofs/forward.v#forward_invariance" in html


def test_without_the_sources_the_badge_still_names_the_theorem(verdict, monkeypatch):
    monkeypatch.setattr(display, "theorem_of", lambda slug: None)
    monkeypatch.setattr(display, "checked_with", lambda slug: None)
    assert "proofs/forward.v#forward_invariance" in verdict._repr_html_()


def test_the_table_of_statements_has_a_row_with_a_link_for_each():
    lines = registry.statements(pages="..")._repr_markdown_().splitlines()
    assert len(lines) == 2 + len(registry.load_all())
    row = lines[2 + list(registry.load_all()).index("thm-forward-invariance")]
    assert row.startswith("| [Forward invariance](../notebooks/forward_invariance.md) | theorem |")
    assert row.endswith("| `thm-forward-invariance` | `proofs/forward.v#forward_invariance` |")
