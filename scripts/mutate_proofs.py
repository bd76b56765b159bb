"""Break the Coq development on purpose, one mutation at a time, and require the build to fail on each.

A mutation makes a definition or a statement false and leaves it well typed: its file has to fail later than
the mutated line, in a proof that no longer goes through. The sources themselves have to compile first.

    python scripts/mutate_proofs.py [--only WORD]
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from check_proofs import PROOFS, Failure, compile_all, compile_files, coq_version, project  # noqa: E402

from permsym_book.proofs import rechecked  # noqa: E402


@dataclass(frozen=True)
class Mutation:
    """In ``file``, the one occurrence of ``old`` becomes ``new``."""

    name: str
    file: str
    old: str
    new: str


RELABEL = "(W1 theta *m P s, b1 theta *m P s, (P s)^T *m W2 theta, b2 theta)."
SIGMA = ":= map_mx sigma (Z X theta)."
STEP = "theta - a *: grad sigma sigma' err (inputs B) (targets B) theta."
MUTATIONS = (
    Mutation("P for its transpose on W2", "forward.v", RELABEL, RELABEL.replace("(P s)^T", "P s")),
    Mutation("b1 not relabelled", "forward.v", RELABEL, RELABEL.replace("b1 theta *m P s", "b1 theta")),
    Mutation("W2 not relabelled", "forward.v", RELABEL, RELABEL.replace("(P s)^T *m W2", "W2")),
    Mutation("another permutation on W2", "forward.v",
             RELABEL, RELABEL.replace("(P s)^T", "(P (s * s)%g)^T")),
    Mutation("a reversed index formula", "permutation.v",
             "(A *m P s) i (s j) = A i j.", "(A *m P s) i j = A i (s j)."),
    Mutation("a sigma that depends on the batch and the unit's place", "forward.v",
             SIGMA, ":= \\matrix_(i, j) sigma (\\sum_k Z X theta k j *+ j)."),
    Mutation("a sigma that looks at the units before", "forward.v",
             SIGMA, ":= \\matrix_(i, j) sigma (\\sum_(k : 'I_h | (k <= j)%N) Z X theta i k)."),
    Mutation("the gradient by W1 with the units reversed", "backward.v",
             "(X^T *m delta_H theta, (ones n)^T",
             "(X^T *m (delta_H theta *m perm_mx (perm rev_ord_inj)), (ones n)^T"),
    Mutation("a chain rule without sigma'", "gradient.v",
             "D dv (lift a) = sigma' (value dv a) * D dv a.", "D dv (lift a) = D dv a."),
    Mutation("a step that favours some places", "training.v",
             STEP, STEP[:-1] + " + ((\\matrix_(i, j) j%:R, 0, 0, 0) : params R d h q)."),
    Mutation("dropout that keeps both units", "what_can_break_it.v", "\\row_j (j == 0)%:R.", "const_mx 1."),
    Mutation("h! relabellings even of identical units", "counting.v",
             "(size (orbit theta) * \\prod_(u <- distinct_units theta) (multiplicity theta u)`! = h`!)%N /\\",
             "size (orbit theta) = h`! /\\"),
    Mutation("both outgoing rows moved by +v", "equal_loss.v",
             "delta_mx i 0 *m v - delta_mx j 0 *m v, 0).", "delta_mx i 0 *m v + delta_mx j 0 *m v, 0)."),
    Mutation("the last layer of a deep network not relabelled", "depth.v",
             "else fun _ theta => ((P s)^T *m theta.1, theta.2).", "else fun _ theta => theta."),
)


def caught(mutation: Mutation, baseline: Path, folder: Path) -> str:
    """Where the mutated build fails; an empty string where it succeeds.

    Raises
    ------
    ValueError
        If the text to replace does not occur exactly once, or the mutated line itself does not compile.
    """
    build = folder / "build"
    shutil.copytree(baseline, build)
    text = (build / mutation.file).read_text(encoding="utf-8")
    if (times := text.count(mutation.old)) != 1:
        raise ValueError(f"{mutation.old!r} occurs {times} times in {mutation.file}; once is required")
    (build / mutation.file).write_text(text.replace(mutation.old, mutation.new), encoding="utf-8")
    line = text.count("\n", 0, text.index(mutation.old)) + 1
    try:
        compile_files(build, project(PROOFS)[0], [mutation.file])
    except Failure as failure:
        if failure.file != mutation.file or failure.line <= line:
            raise ValueError(f"{mutation.name}: the mutation is not well typed: {failure}") from failure
        return f"{failure.file}, line {failure.line}"
    return ""


def main() -> int:
    """Try every mutation; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", default="", metavar="WORD", help="only mutations whose name contains WORD")
    word = parser.parse_args().only
    if coq_version() is None:
        print("The mutations need Coq; scripts/check_proofs.py says how to install it.", file=sys.stderr)
        return 2
    chosen = [mutation for mutation in MUTATIONS if word in mutation.name]
    number = 0
    with tempfile.TemporaryDirectory() as temporary:
        baseline = PROOFS / "_build"
        if rechecked(PROOFS) is None:
            baseline = Path(temporary) / "baseline"
            compile_all(PROOFS, baseline)
        for mutation in chosen:
            with tempfile.TemporaryDirectory(dir=temporary) as folder:
                place = caught(mutation, baseline, Path(folder))
            number += bool(place)
            print(f"{'caught' if place else 'MISSED':7s} {mutation.name:52s} {place}", flush=True)
    print(f"{number}/{len(chosen)} mutations caught")
    return 0 if chosen and number == len(chosen) else 1


if __name__ == "__main__":
    raise SystemExit(main())
