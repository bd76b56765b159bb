"""Break the package on purpose, one mutation at a time, and require the tests to notice each.

The mutations are listed in ``mutations.toml`` beside this file. Every one is applied to a fresh copy of
``src`` and ``tests`` in a temporary folder; then the named test files run there until the first failure. A
mutation is caught when a test fails. The run ends with ``caught/total`` and exits 1 unless all are caught, and
it refuses to start when a text to be replaced does not occur exactly once, or when the tests fail without any
mutation.

    python scripts/mutate.py [--only WORD] [--jobs 2]
"""

from __future__ import annotations

import argparse
import importlib
import os
import shutil
import signal
import sys
import tempfile
import time
import tomllib
import traceback
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = Path("src", "permsym_book")
SECONDS = 180  # a test that runs longer hangs, which is noticed too
KEEP_OUT = shutil.ignore_patterns("__pycache__", "browser", ".*")


def load(path: Path, root: Path) -> list[dict]:
    """The mutations of a TOML file, checked against the sources under ``root``."""
    mutations, faults = tomllib.loads(path.read_text())["mutation"], []
    sources = {m["file"]: (root / PACKAGE / m["file"]).read_text() for m in mutations}
    for name, times in Counter(m["name"] for m in mutations).items():
        if times > 1:
            faults.append(f"{name!r} names {times} mutations")
    for m in mutations:
        found = sources[m["file"]].count(m["old"])
        if found != 1:
            faults.append(f"{m['name']!r}: the text to replace occurs {found} times in {m['file']}:\n{m['old']}")
        elif m["old"] == m["new"]:
            faults.append(f"{m['name']!r} changes nothing")
        else:
            mutated = sources[m["file"]].replace(m["old"], m["new"])
            compile(mutated, m["file"], "exec")  # a syntax error would be caught by anything
        missing = [test for test in m["tests"] if not (root / "tests" / test).exists()]
        faults += [f"{m['name']!r}: there is no tests/{test}" for test in missing]
    if faults:
        raise SystemExit("the list of mutations is out of date:\n" + "\n".join(faults))
    return mutations


def copied(root: Path, folder: Path, mutation: dict | None) -> None:
    """The sources and tests under ``root`` in a folder of their own, mutated."""
    for tree in ("src", "tests"):
        shutil.copytree(root / tree, folder / tree, ignore=KEEP_OUT)
    shutil.copy(root / "pyproject.toml", folder)
    if mutation is not None:
        target = folder / PACKAGE / mutation["file"]
        target.write_text(target.read_text().replace(mutation["old"], mutation["new"]))


def run_tests(folder: Path, tests: list[str]) -> None:
    """Replace this (forked) process by a test run in ``folder``; its exit status is pytest's."""
    log = os.open(folder / "log.txt", os.O_WRONLY | os.O_CREAT)
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.chdir(folder)
    sys.path.insert(0, str(folder / "src"))
    import pytest

    import permsym_book
    if Path(permsym_book.__file__).parent != folder / PACKAGE:
        os._exit(99)  # another copy of the package would be tested
    signal.alarm(SECONDS)
    status = pytest.main(["-x", "-q", "--no-header", "--tb=no", "--assert=plain", "-p", "no:cacheprovider",
                          "-m", "not slow and not browser", "--hypothesis-profile=unshrunk", f"--rootdir={folder}",
                          *(str(Path("tests", t)) for t in tests)])
    sys.stdout.flush()
    os._exit(int(status))


def start(root: Path, mutation: dict | None, tests: list[str]) -> tuple[int, Path, float]:
    """Fork a test run; the libraries this process has imported need not be imported again."""
    folder = Path(tempfile.mkdtemp(prefix="mutate-")).resolve()
    copied(root, folder, mutation)
    began = time.perf_counter()
    child = os.fork()
    if child == 0:
        try:
            run_tests(folder, tests)
        except BaseException:
            traceback.print_exc()
        os._exit(98)  # reached only when the run could not start, as when the package cannot be imported
    return child, folder, began


def verdict(wait_status: int, folder: Path) -> tuple[bool, str]:
    """Whether the tests noticed, and which one did."""
    log = (folder / "log.txt").read_text()
    if os.WIFSIGNALED(wait_status) and os.WTERMSIG(wait_status) == signal.SIGALRM:
        return True, f"no end after {SECONDS} s"
    code = os.waitstatus_to_exitcode(wait_status)
    if code not in (0, 1, 2):
        raise SystemExit(f"a test run ended with status {code}:\n{log}")
    noticed = [line.split(" - ")[0] for line in log.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return code != 0, noticed[0].partition("tests/")[2] if noticed else log[-2000:]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="WORD", help="only mutations with WORD in name or file")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[variable] = "1"
    sys.dont_write_bytecode = True
    with tempfile.TemporaryDirectory(prefix="mutate-") as kept:  # what is edited meanwhile changes nothing
        copied(ROOT, Path(kept), None)
        mutations = load(Path(__file__).with_name("mutations.toml"), Path(kept))
        chosen = [m for m in mutations if options.only in m["name"] or options.only in m["file"]]
        for library in ("hypothesis", "mpmath", "pytest", "scipy.optimize", "scipy.special"):
            importlib.import_module(library)  # every fork inherits them
        survivors = run_all(Path(kept), chosen, options.jobs)
    print(f"\n{len(chosen) - len(survivors)}/{len(chosen)} caught")
    for name in survivors:
        print(f"not caught: {name}")
    return 1 if survivors or not chosen else 0


def run_all(root: Path, chosen: list[dict], jobs: int) -> list[str]:
    """Run every mutation, ``jobs`` at a time; the names of those that no test noticed."""
    child, folder, _ = start(root, None, sorted({test for m in chosen for test in m["tests"]}))
    noticed, what = verdict(os.waitpid(child, 0)[1], folder)
    shutil.rmtree(folder)
    if noticed:
        raise SystemExit(f"the tests fail without any mutation: {what}")
    waiting, running, survivors = chosen[::-1], {}, []
    while waiting or running:
        while waiting and len(running) < jobs:
            mutation = waiting.pop()
            child, folder, began = start(root, mutation, mutation["tests"])
            running[child] = mutation, folder, began
        child, status = os.wait()
        mutation, folder, began = running.pop(child)
        noticed, what = verdict(status, folder)
        shutil.rmtree(folder)
        print(f"{'caught  ' if noticed else 'SURVIVED'} {time.perf_counter() - began:5.1f} s  {mutation['file']}:"
              f" {mutation['name']}" + (f"  [{what}]" if noticed else ""), flush=True)
        if not noticed:
            survivors.append(mutation["name"])
    return survivors


if __name__ == "__main__":
    raise SystemExit(main())
