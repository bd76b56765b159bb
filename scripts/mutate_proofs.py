"""Break the Coq development on purpose, one mutation at a time, and require the build to fail on each.

Each mutation makes a definition or a statement false but leaves it well typed: the failure has to come after the
mutated line, in a proof that no longer goes through. The sources themselves have to compile first.

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

from check_proofs import PROOFS, Failure, compile_files, coq_version  # noqa: E402


@dataclass(frozen=True)
class Mutation:
    """In ``file``, the one occurrence of ``old`` becomes ``new``."""

    name: str
    file: str
    old: str
    new: str


RELABEL = "(W1 theta *m P s, b1 theta *m P s, (P s)^T *m W2 theta, b2 theta)."
SIGMA = "Definition H n (X : 'M[R]_(n, d)) theta : 'M[R]_(n, h) := map_mx sigma (Z X theta)."
HIDDEN = SIGMA.partition(":= ")[0] + ":= "
MUTATIONS = (
    Mutation("P for its transpose on W2", "forward.v", RELABEL, RELABEL.replace("(P s)^T", "P s")),
    Mutation("b1 not relabelled", "forward.v", RELABEL, RELABEL.replace("b1 theta *m P s", "b1 theta")),
    Mutation("W2 not relabelled", "forward.v", RELABEL, RELABEL.replace("(P s)^T *m W2", "W2")),
    Mutation("another permutation on W2", "forward.v", RELABEL, RELABEL.replace("(P s)^T", "(P (s * s)%g)^T")),
    Mutation("a reversed index formula", "permutation.v",
             "(A *m P s) i (s j) = A i j.", "(A *m P s) i j = A i (s j)."),
    Mutation("a sigma that depends on the batch and the unit", "forward.v", SIGMA,
             HIDDEN + "\\matrix_(i, j) sigma (Z X theta i j + \\sum_k Z X theta k j *+ j)."),
    Mutation("a sigma that looks at the units to the left", "forward.v", SIGMA,
             HIDDEN + "\\matrix_(i, j) sigma (\\sum_(k : 'I_h | (k <= j)%N) Z X theta i k)."),
    Mutation("the gradient by W1 without sigma'", "backward.v",
             "(X^T *m delta_H theta, (ones n)^T", "(X^T *m (delta_O theta *m (W2 theta)^T), (ones n)^T"),
    Mutation("the error not sent through the transpose of W2", "depth.v",
             "delta_H *m theta.1.1^T)", "delta_H *m 0)"),
    Mutation("one unit trained with another step size", "training.v",
             "theta - a *: grad", "theta - (a *: col_scaled"),
    Mutation("a mask that keeps both units", "what_can_break_it.v", "\\row_j (j == 0)%:R.", "const_mx 1."),
    Mutation("h! relabellings without dividing by the multiplicities", "counting.v",
             "(size (orbit theta) * \\prod_(u <- distinct_units theta) (multiplicity theta u)`! = h`!)%N /\\",
             "size (orbit theta) = h`! /\\"),
    Mutation("the second unit moved by +v too", "equal_loss.v",
             "(0, 0, delta_mx i 0 *m v - delta_mx j 0 *m v, 0).", "(0, 0, delta_mx i 0 *m v + delta_mx j 0 *m v, 0)."),
)
