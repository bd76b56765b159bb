"""The Coq files as the book sees them: which theorem carries which slug, and whether they were rechecked.

A theorem is announced by two comments, its slug and a sentence, directly above it::

    (* slug: thm-forward-invariance *)
    (* Relabelling the hidden units leaves the output unchanged. *)
    Theorem forward_invariance ...

``supports:`` in place of ``slug:`` marks a theorem that helps with the statement of that slug.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from pathlib import Path

ANNOUNCED = re.compile(r"""^\(\*\ (?P<role>slug|supports):\ (?P<slug>\S+)\ \*\)\n
                           \(\*\ (?P<sentence>[^*]*?)\ \*\)\n
                           (?P<statement>(?:Theorem|Lemma|Corollary)\ (?P<name>[\w']+).*?\.)\nProof\b""",
                       re.M | re.S | re.X)
MARK = re.compile(r"\(\*\s*(?:slug|supports)\s*:", re.I)
CONTEXT = re.compile(r"^(Section|End|Variables?|Hypothesis|Implicit Types?) (.*?)\.$", re.M | re.S)


@dataclass(frozen=True)
class Theorem:
    """A theorem of the Coq development; ``context`` lists the variables that its sections declare."""

    slug: str
    role: str  # "slug" for the statement of the page itself, "supports" for its helpers
    name: str
    file: str
    line: int
    sentence: str
    statement: str
    context: str


# beside src/ in a checkout; absent from an installed package
PROOFS = Path(__file__).resolve().parents[2] / "proofs"


def context_at(text: str) -> str:
    """The declarations of the sections that are open at the end of ``text``, one a line.

    >>> context_at("Section A.\\nVariable x : R.\\nEnd A.\\nSection B.\\nVariables (d h : nat).\\n")
    'Variables (d h : nat).'
    """
    open_sections: list[list[str]] = [[]]
    for word, rest in CONTEXT.findall(text):
        if word == "Section":
            open_sections.append([])
        elif word == "End":
            open_sections.pop()
        else:
            open_sections[-1].append(f"{word} {' '.join(rest.split())}.")
    return "\n".join(line for section in open_sections for line in section)


def announced_theorems(directory) -> list[Theorem]:
    """Every announced theorem, by file name and line.

    Raises
    ------
    ValueError
        If a file has a slug comment that is not followed by a sentence, a theorem and its proof.
    """
    theorems = []
    for path in sorted(Path(directory).glob("*.v")):
        text = path.read_text(encoding="utf-8")
        found = list(ANNOUNCED.finditer(text))
        stray = {m.start() for m in MARK.finditer(text)} - {m.start() for m in found}
        if stray:
            line = text.count("\n", 0, min(stray)) + 1
            raise ValueError(f"{path.name}, line {line} has a slug comment alone; a comment with a sentence, "
                             "then a theorem with its proof, is required below it")
        theorems += [Theorem(m["slug"], m["role"], m["name"], path.name,
                             text.count("\n", 0, m.start("statement")) + 1, " ".join(m["sentence"].split()),
                             m["statement"], context_at(text[:m.start()])) for m in found]
    return theorems


def headline_theorems(directory) -> list[Theorem]:
    """The theorems that prove a statement of the book: one for each slug."""
    return [theorem for theorem in announced_theorems(directory) if theorem.role == "slug"]


def source_hashes(directory) -> dict[str, str]:
    """File name to SHA-256 of every Coq source, and of the project file that orders them."""
    paths = sorted(Path(directory).glob("*.v")) + [Path(directory) / "_CoqProject"]
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in paths if path.exists()}


def rechecked(directory, status_file=None) -> dict | None:
    """The record that ``scripts/check_proofs.py`` left, if it is about exactly these sources; else None.

    Parameters
    ----------
    directory : path
        The folder with the Coq sources.
    status_file : path, optional
        Where the record is; ``_build/status.json`` in that folder by default.
    """
    path = Path(status_file) if status_file is not None else Path(directory) / "_build" / "status.json"
    if not path.exists():
        return None
    status = json.loads(path.read_text(encoding="utf-8"))
    return status if status["files"] == source_hashes(directory) else None


def theorem_of(slug: str, directory=PROOFS) -> Theorem | None:
    """The headline theorem of a slug, or None where there is none or the sources are absent."""
    return next((t for t in headline_theorems(directory) if t.slug == slug), None)


def checked_with(slug: str, directory=PROOFS) -> str | None:
    """The version of Coq that checked the theorem of this slug in exactly these sources; None if it was not
    rechecked."""
    status = rechecked(directory) if Path(directory).is_dir() else None
    checked = status and any(t["slug"] == slug and t["status"] == "checked" for t in status["theorems"])
    return status["coq"] if checked else None
