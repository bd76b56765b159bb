"""``permsym lab``: one experiment of :mod:`permsym_book.lab` from the command line."""

from __future__ import annotations

import argparse
import json
import sys

import numpy as np

from . import arithmetic, lab
from .noise import NOISES
from .optimizers import OPTIMIZERS
from .validation import checked_count

MOST = {"units": 256, "steps": 100_000, "seeds": 100}  # beyond, matrices over all units or days of work


def add_parser(commands) -> argparse.ArgumentParser:
    """Add the command to the parser's subcommands."""
    parser = commands.add_parser("lab", allow_abbrev=False,
                                 help="does an optimizer, under some noise, keep equal units equal?")
    parser.add_argument("--optimizer", default="sgd", metavar="NAME",
                        help=f"{', '.join(OPTIMIZERS)}; default %(default)s")
    parser.add_argument("--noise", default="", metavar="NAME,NAME",
                        help=f"any of {', '.join(NOISES)}; none when left out")
    parser.add_argument("--units", type=int, default=8, metavar="N",
                        help=f"hidden units, at most {MOST['units']}; default %(default)s")
    parser.add_argument("--identical", type=int, default=3, metavar="N",
                        help="how many of them start equal; default %(default)s")
    parser.add_argument("--steps", type=int, default=200, metavar="N",
                        help=f"at most {MOST['steps']}; default %(default)s")
    parser.add_argument("--step-size", type=float, metavar="X",
                        help="one that learns the problem when left out")
    parser.add_argument("--seeds", type=int, default=5, metavar="N",
                        help=f"networks, at most {MOST['seeds']}; default %(default)s")
    parser.add_argument("--arithmetic", default="fixed", metavar="NAME",
                        help=f"{', '.join(arithmetic.ARITHMETICS)}; default %(default)s: float64, sums in a"
                             " fixed order")
    parser.add_argument("--json", action="store_true", help="print a JSON object instead of the table")
    return parser


def execute(arguments: argparse.Namespace) -> int:
    """Run the experiment and print it."""
    for name, most in MOST.items():
        checked_count(name, getattr(arguments, name), least=0 if name == "seeds" else 1, most=most)
    noises = [name.strip() for name in arguments.noise.split(",") if name.strip()]
    with np.errstate(all="ignore"):  # what diverges is said in the verdict
        result = lab.run(arguments.optimizer, noises, units=arguments.units, identical=arguments.identical,
                         steps=arguments.steps, step_size=arguments.step_size, seeds=range(arguments.seeds),
                         arithmetic=arguments.arithmetic,
                         progress=sys.stderr.isatty() and arguments.steps >= 1000)
    if arguments.json:
        print(json.dumps(result.as_dict()))
        return 0
    noises = ", ".join(n.name for n in result.noises) or "no noise"
    print(f"{result.optimizer}, {noises}; {result.identical} of {result.units} units start equal;"
          f" {arithmetic.get(result.arithmetic).title}; {len(result.seeds)} seed{'s' * (len(result.seeds) != 1)}")
    print(f"{'step':>7}  {'largest gap':>11}  {'mean loss':>9}")
    for i, t in enumerate(result.times):
        loss = "-" if result.losses is None else f"{result.losses[i].mean():.4f}"
        print(f"{t:7d}  {in_words(result.gaps[i].max()):>11}  {loss:>9}")
    print(f"relabelled twin after step 1: {in_words(result.twin_first)} of the step's length with the same"
          f" noise, {in_words(result.law_first)} with the noise relabelled")
    print(f"verdict: {result.verdict} ({result.reason})")
    return 0


def in_words(gap: float) -> str:
    """A gap with two digits, or "exactly 0".

    >>> in_words(0.0), in_words(0.0123)
    ('exactly 0', '1.2e-02')
    """
    return f"{gap:.1e}" if gap else "exactly 0"
