"""The Coq sources: every theorem is announced with its slug, nothing is assumed, and Coq agrees."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from permsym_book import proofs
from permsym_book.claims import registry

ROOT = Path(__file__).resolve().parents[1]
PROOFS = ROOT / "proofs"
FILES = sorted(PROOFS.glob("*.v"))
HEADLINES = {theorem.slug: theorem for theorem in proofs.headline_theorems(PROOFS)}
GOOD = """Section A.
Variable n : nat.
(* slug: thm-sum *)
(* Adding 0
   changes nothing. *)
Theorem sum_0 : n + 0 = n.
Proof. by []. Qed.
End A.
"""


def script(name: str):
    """A module of ``scripts/``, loaded from its file."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # mutate_proofs imports check_proofs by name
    spec.loader.exec_module(module)
    return module


check_proofs = script("check_proofs")
mutate_proofs = script("mutate_proofs")


def written(folder: Path, text: str) -> Path:
    (folder / "a.v").write_text(text, encoding="utf-8")
    (folder / "_CoqProject").write_text("-Q . PermSym\na.v\n", encoding="utf-8")
    return folder


def checked(folder: Path, **options):
    """The finished run of the script on a folder."""
    command = [sys.executable, ROOT / "scripts/check_proofs.py", "--quick", "--directory", folder]
    return subprocess.run(command, capture_output=True, text=True, **options)


def test_scan_reads_slug_sentence_statement_and_context(tmp_path):
    found, = proofs.headline_theorems(written(tmp_path, GOOD))
    assert (found.slug, found.name, found.file, found.line) == ("thm-sum", "sum_0", "a.v", 6)
    assert found.sentence == "Adding 0 changes nothing."
    assert found.statement == "Theorem sum_0 : n + 0 = n."
    assert found.context == "Variable n : nat."


@pytest.mark.parametrize("text", [
    GOOD.replace("(* Adding 0\n   changes nothing. *)\n", ""),
    GOOD.replace("Theorem", "Definition"),
    GOOD.replace("slug: ", "Slug : "),
], ids=["no sentence", "no theorem", "misspelt"])
def test_a_slug_without_its_theorem_is_an_error(tmp_path, text):
    with pytest.raises(ValueError, match="a.v, line 3"):
        proofs.announced_theorems(written(tmp_path, text))


@pytest.mark.parametrize(("old", "new", "word"), [
    ("Proof. by []. Qed.", "Proof. Admitted.", "Admitted"),
    ("Variable n", "Axiom x : False.\nVariable n", "Axiom"),
    ("Variable n", "Parameters x : nat.\nVariable n", "Parameters"),
    ("Variable n", "Conjecture x : False.\nVariable n", "Conjecture"),
    ("End A.\n", "End A.\n" + GOOD, "more than one"),
    ("slug:", "supports:", "proved by no theorem"),
], ids=lambda text: text.split()[0])
def test_sources_that_assume_or_repeat_are_refused(tmp_path, old, new, word):
    assert len(check_proofs.check_sources(written(tmp_path, GOOD))) == 1
    with pytest.raises(check_proofs.Failure, match=word):
        check_proofs.check_sources(written(tmp_path, GOOD.replace(old, new)))


def test_comments_may_speak_of_axioms(tmp_path):
    assert check_proofs.check_sources(written(tmp_path, "(* No Axiom,\n no Parameter. *)\n" + GOOD))


def test_a_file_outside_the_project_is_refused(tmp_path):
    written(tmp_path, GOOD)
    (tmp_path / "b.v").write_text("", encoding="utf-8")
    with pytest.raises(check_proofs.Failure, match="b.v"):
        check_proofs.project(tmp_path)


def test_the_sources_pass_the_scan():
    assert check_proofs.project(PROOFS)[1] and check_proofs.check_sources(PROOFS)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_nothing_is_assumed(path):
    text = re.sub(r"\(\*.*?\*\)", "", path.read_text(encoding="utf-8"), flags=re.S)
    assert not re.search(r"Admitted|Axiom|Parameter|Conjecture|\badmit\b", text)


def test_slugs_are_unique():
    counts = Counter(theorem.slug for theorem in proofs.headline_theorems(PROOFS))
    assert counts and set(counts.values()) == {1}


@pytest.mark.parametrize("theorem", proofs.announced_theorems(PROOFS), ids=lambda theorem: theorem.name)
def test_every_announced_theorem_states_something(theorem):
    head = re.match(rf"(Theorem|Lemma|Corollary) {re.escape(theorem.name)}\b", theorem.statement)
    assert head and ":" in theorem.statement[head.end():] and theorem.sentence.endswith((".", ":"))
    lines = (PROOFS / theorem.file).read_text(encoding="utf-8").splitlines()
    assert lines[theorem.line - 1] == theorem.statement.splitlines()[0]
    assert theorem.slug in HEADLINES


@pytest.mark.parametrize("slug", registry.load_all())
def test_the_registry_names_the_theorem_of_each_proved_slug(slug):
    theorem = HEADLINES.get(slug)
    named = registry.CLAIMS[slug].proof
    assert named == (f"proofs/{theorem.file}#{theorem.name}" if theorem else None)


@pytest.mark.parametrize("mutation", mutate_proofs.MUTATIONS, ids=lambda mutation: mutation.name)
def test_mutations_apply_to_the_sources(mutation):
    text = (PROOFS / mutation.file).read_text(encoding="utf-8")
    assert text.count(mutation.old) == 1 and mutation.old != mutation.new


def test_a_record_of_other_sources_does_not_count(tmp_path):
    written(tmp_path, GOOD)
    assert proofs.rechecked(tmp_path) is None
    record = tmp_path / "record.json"
    record.write_text(json.dumps({"files": proofs.source_hashes(tmp_path)}), encoding="utf-8")
    assert proofs.rechecked(tmp_path, record) is not None
    (tmp_path / "a.v").write_text(GOOD + "\n", encoding="utf-8")
    assert proofs.rechecked(tmp_path, record) is None


def test_without_coq_the_script_says_what_to_install(tmp_path):
    done = checked(written(tmp_path, GOOD), env={"PATH": str(tmp_path)})
    assert done.returncode == 2
    assert "apt-get install coq libcoq-mathcomp-algebra" in done.stderr


needs_coq = pytest.mark.skipif(check_proofs.coq_version() is None, reason="Coq is not installed")


@needs_coq
@pytest.mark.slow
def test_coq_agrees(tmp_path):
    """`make proofs` may have run for exactly these sources; if not, Coq runs here."""
    status = proofs.rechecked(PROOFS)
    if status is None:
        for path in [*FILES, PROOFS / "_CoqProject"]:
            shutil.copy(path, tmp_path)
        done = checked(tmp_path)
        assert done.returncode == 0, done.stderr
        status = proofs.rechecked(tmp_path)
    assert {record["slug"] for record in status["theorems"]} == set(HEADLINES)
    assert {record["status"] for record in status["theorems"] + status["supporting"]} == {"checked"}
    assert proofs.source_hashes(PROOFS) == status["files"]


@needs_coq
@pytest.mark.slow
@pytest.mark.parametrize(("source", "word"), [
    (GOOD.replace("n + 0 = n", "n + 1 = n"), "a.v, line 8"),
    ("Variable hope : forall n : nat, n + 0 = n.\n" + GOOD.replace("by []", "exact: hope"),
     "rests on\nAxioms:\na.hope"),
], ids=["false statement", "axiom"])
def test_coq_disagrees(tmp_path, source, word):
    """Neither a proof that does not go through nor one from an axiom that no scan sees passes."""
    written(tmp_path, "From mathcomp Require Import all_ssreflect.\n" + source)
    done = checked(tmp_path)
    assert done.returncode == 1
    assert word in done.stderr
    assert not (tmp_path / "_build/status.json").exists()
