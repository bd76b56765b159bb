"""Recheck the Coq proofs from their sources, and print every theorem of the book with its file and status.

Four gates, in this order; the first that fails ends the run with exit code 1:

1. no source says Admitted, Axiom, Parameter or Conjecture, and every slug is proved once;
2. ``coqc`` compiles every file of ``proofs/_CoqProject``, in that order, in a build folder of its own;
3. ``Print Assumptions`` calls every announced theorem closed under the global context;
4. ``coqchk -o`` verifies the compiled files again, with all that they rest on, and finds no axiom.
   (``--quick`` verifies only our own files again and trusts MathComp's: seconds in place of minutes.)

Success is recorded in ``proofs/_build/status.json`` with the hash of every source. Without Coq the exit
code is 2.

    python scripts/check_proofs.py [--install] [--quick]
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from permsym_book.proofs import Theorem, announced_theorems, source_hashes  # noqa: E402

PROOFS = ROOT / "proofs"
PACKAGES = ("coq", "libcoq-mathcomp-algebra")
UNPROVED = re.compile(r"\b(Admitted|admit|Axioms?|Parameters?|Conjectures?|Abort)\b")
COMMENT = re.compile(r"\(\*.*?\*\)", re.S)
SECONDS = 900  # no file needs more than a small part of this


@dataclass
class Failure(Exception):
    """Why the proofs do not stand, and where."""

    message: str
    file: str = ""
    line: int = 0

    def __str__(self) -> str:
        return f"{self.file}, line {self.line}: {self.message}" if self.file else self.message


def project(directory: Path) -> tuple[list[str], list[str]]:
    """The options for coqc and the files in dependency order, from ``_CoqProject``."""
    options, files = [], []
    for line in (directory / "_CoqProject").read_text(encoding="utf-8").splitlines():
        if line.endswith(".v"):
            files.append(line)
        else:
            options += [word for word in line.split() if word != "-arg"]
    unlisted = sorted({path.name for path in directory.glob("*.v")} ^ set(files))
    if unlisted:
        raise Failure(f"the folder and its _CoqProject disagree about {', '.join(unlisted)}")
    return options, files


def run(command: list[str], folder: Path) -> str:
    """What a command that has to succeed writes (coqchk writes its summary among the errors)."""
    done = subprocess.run(command, cwd=folder, text=True, timeout=SECONDS,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode == 0:
        return done.stdout
    message = done.stdout.strip()
    place = re.search(r'File "\./(.+?)", line (\d+), characters \S+\s+Error', message)
    raise Failure(message, place[1], int(place[2])) if place else Failure(f"{command[0]} failed:\n{message}")


def compile_files(build: Path, options: list[str], files: list[str],
                  report=lambda file, seconds: None) -> None:
    """Compile files of the build folder in the given order; raises :class:`Failure` at the first error."""
    for file in files:
        start = time.monotonic()
        run(["coqc", *options, file], build)
        report(file, time.monotonic() - start)


def compile_all(directory: Path, build: Path, report=lambda file, seconds: None) -> None:
    """Compile copies of all sources in an emptied build folder."""
    options, files = project(directory)
    shutil.rmtree(build, ignore_errors=True)
    build.mkdir(parents=True)
    for file in files:
        shutil.copy(directory / file, build)
    compile_files(build, options, files, report)


def check_sources(directory: Path) -> list[Theorem]:
    """The announced theorems of sources that admit nothing and prove every slug once."""
    for path in sorted(directory.glob("*.v")):
        text = COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), path.read_text(encoding="utf-8"))
        if word := UNPROVED.search(text):
            raise Failure(f"{word[0]} is not allowed", path.name, text.count("\n", 0, word.start()) + 1)
    theorems = announced_theorems(directory)
    counts = Counter(theorem.slug for theorem in theorems if theorem.role == "slug")
    if twice := sorted(slug for slug, times in counts.items() if times > 1):
        raise Failure(f"{', '.join(twice)} announced by more than one theorem")
    if unproved := sorted({theorem.slug for theorem in theorems} - set(counts)):
        raise Failure(f"{', '.join(unproved)} supported, but proved by no theorem")
    return theorems


def check_assumptions(theorems: list[Theorem], directory: Path, build: Path) -> None:
    """Require Coq to call every theorem closed under the global context."""
    options, files = project(directory)
    lines = [f"From PermSym Require {' '.join(Path(file).stem for file in files)}."]
    lines += [f"Print Assumptions PermSym.{Path(theorem.file).stem}.{theorem.name}." for theorem in theorems]
    (build / "assumptions.v").write_text("\n".join(lines) + "\n", encoding="utf-8")
    answers = run(["coqc", *options, "assumptions.v"], build).split("Closed under the global context")
    for theorem, answer in zip(theorems, answers, strict=False):
        if answer.strip():
            raise Failure(f"{theorem.name} rests on\n{answer.strip()}", theorem.file, theorem.line)
    if len(answers) != len(theorems) + 1 or answers[-1].strip():
        raise Failure(f"Coq gave {len(answers) - 1} answers about {len(theorems)} theorems")


def check_compiled(directory: Path, build: Path, quick: bool) -> None:
    """Let coqchk, a checker independent of coqc, verify the compiled files and list what they assume.

    A library that is trusted (``quick``) shows its sealed definitions as axioms; then only ours are counted.
    """
    modules = [f"PermSym.{Path(file).stem}" for file in project(directory)[1]]
    named = [word for module in modules for word in (("-norec", module) if quick else (module,))]
    answer = run(["coqchk", "-silent", "-o", "-Q", ".", "PermSym", *named], build)
    sections = re.findall(r"^\* (.+?):(.*?)(?=^\* |\Z)", answer, re.M | re.S)
    found = {heading: items.split() for heading, items in sections}
    found.pop("Theory", None)
    if len(found) != 4 or "Axioms" not in found:
        raise Failure(f"coqchk gave no summary of the assumptions:\n{answer}")
    if quick:
        found["Axioms"] = [item for item in found["Axioms"] if item.startswith("PermSym.")] or ["<none>"]
    for heading, items in found.items():
        if items != ["<none>"]:
            raise Failure(f"coqchk finds {heading}: {' '.join(items)}")


def coq_version() -> str | None:
    """The version of Coq, or None where coqc, coqchk or MathComp is missing."""
    if not (shutil.which("coqc") and shutil.which("coqchk")):
        return None
    where = subprocess.run(["coqc", "-where"], capture_output=True, text=True, check=True).stdout
    if not (Path(where.strip()) / "user-contrib/mathcomp/algebra").is_dir():
        return None
    version = subprocess.run(["coqc", "--version"], capture_output=True, text=True, check=True).stdout
    return re.search(r"version (\S+)", version)[1]


def install() -> None:
    """Install Coq and MathComp with apt where that is allowed; elsewhere do nothing."""
    if os.geteuid() == 0 and shutil.which("apt-get"):
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for words in (["update"], ["install", "-y", "--no-install-recommends", *PACKAGES]):
            subprocess.run(["apt-get", "-qq", *words], env=environment, stdout=subprocess.DEVNULL)


def write_table(theorems: list[Theorem]) -> None:
    """The headline theorems with slug, place and status, and a count of the others."""
    headline = [theorem for theorem in theorems if theorem.role == "slug"]
    rows = [("theorem", "slug", "file", "status")]
    rows += [(t.name, t.slug, f"proofs/{t.file}:{t.line}", "checked") for t in headline]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    supporting = len(theorems) - len(headline)
    print(f"{len(headline)} statements of the book and {supporting} supporting theorems, no axioms")


def main() -> int:
    """Run the gates; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--install", action="store_true", help="install a missing Coq (Debian, root)")
    parser.add_argument("--quick", action="store_true", help="let coqchk trust MathComp's compiled files")
    parser.add_argument("--directory", type=Path, default=PROOFS, help="the folder with the Coq sources")
    options = parser.parse_args()
    directory, build = options.directory.resolve(), options.directory.resolve() / "_build"
    shutil.rmtree(build, ignore_errors=True)
    if coq_version() is None and options.install:
        install()
    if (version := coq_version()) is None:
        print("The proofs need Coq 8.16 and MathComp 1.15. On Debian and Ubuntu:\n"
              f"    sudo apt-get install {' '.join(PACKAGES)}", file=sys.stderr)
        return 2
    hashes = source_hashes(directory)
    start = time.monotonic()
    try:
        theorems = check_sources(directory)
        compile_all(directory, build,
                    lambda file, seconds: print(f"coqc  {file:24s} {seconds:5.1f} s", flush=True))
        check_assumptions(theorems, directory, build)
        print(f"coqchk verifies our files{'' if options.quick else ' and MathComp'} again", flush=True)
        check_compiled(directory, build, options.quick)
    except (Failure, ValueError) as failure:
        print(f"the proofs do not stand.\n{failure}", file=sys.stderr)
        return 1
    write_table(theorems)
    print(f"Coq {version}, {time.monotonic() - start:.0f} s")
    records = {role: [{"slug": t.slug, "name": t.name, "file": t.file, "line": t.line, "sentence": t.sentence,
                       "context": t.context, "statement": t.statement, "status": "checked"}
                      for t in theorems if t.role == role] for role in ("slug", "supports")}
    status = {"coq": version, "libraries": "trusted" if options.quick else "verified", "files": hashes,
              "theorems": records["slug"], "supporting": records["supports"]}
    (build / "status.json").write_text(json.dumps(status, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
