"""The ``permsym`` command."""

from __future__ import annotations

import argparse
import json
import os
import sys

from . import __version__, lab_command
from .claims import registry
from .claims.display import Verdict, in_words
from .validation import checked_count

MOST_TRIALS = 10_000


def main(argv: list[str] | None = None) -> int:
    """Run the command.

    Returns
    -------
    int
        0; 1 when a statement fails or the output cannot be written; 2 for a wrong call; 141 when what reads
        the output has stopped reading.
    """
    try:
        code = _run(argv)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except BrokenPipeError:
        _say_no_more()
        return 141
    except OSError as error:  # a full disk
        _say_no_more()
        print(f"permsym: the output cannot be written: {error.strerror or error}", file=sys.stderr)
        return 1


def _say_no_more() -> None:
    """Let what Python still has to write, at exit at the latest, go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(argv: list[str] | None) -> int:
    parser = argparse.ArgumentParser(prog="permsym", description="Tools of the book on permutation symmetry.",
                                     allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"permsym_book {__version__}")
    commands = parser.add_subparsers(dest="command", required=True)
    verify = commands.add_parser("verify", allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter,
                                 help="check statements of the book and print a table",
                                 epilog="The exit code is 0, or 1 when a statement fails, or 2 for a wrong call.\n\n"
                                        "The statements:\n" + "".join(f"  {slug}\n" for slug in registry.load_all()))
    verify.add_argument("slugs", nargs="*", metavar="SLUG",
                        help="statements to check; all of them when left out")
    verify.add_argument("--json", action="store_true", help="print a JSON list instead of the table")
    verify.add_argument("--seed", type=int, default=registry.DEFAULT_SEED, metavar="N",
                        help="default %(default)s")
    verify.add_argument("--trials", type=int, default=registry.DEFAULT_TRIALS, metavar="N",
                        help=f"random networks for each statement, at most {MOST_TRIALS}; default"
                             " %(default)s")
    lab_command.add_parser(commands)
    arguments = parser.parse_args(argv)
    try:
        if arguments.command == "lab":
            return lab_command.execute(arguments)
        checked_count("trials", arguments.trials, most=MOST_TRIALS)
        slugs = [registry.find(slug).slug for slug in arguments.slugs] or list(registry.load_all())
        return _verify(slugs, arguments.seed, arguments.trials, arguments.json)
    except (ValueError, ArithmeticError) as error:
        print(f"permsym {arguments.command}: {error}", file=sys.stderr)
        return 2
    except MemoryError:
        print(f"permsym {arguments.command}: there is not enough memory; smaller numbers are required",
              file=sys.stderr)
        return 2


def _verify(slugs: list[str], seed: int, trials: int, as_json: bool) -> int:
    verdicts = [registry.verify(slug, seed=seed, trials=trials) for slug in _progress(slugs)]
    if as_json:
        print(json.dumps([v.as_dict() for v in verdicts], indent=1))
    else:
        _print_table(verdicts)
    for v in verdicts:
        for failure in v.evidence.failures:
            print(f"{v.claim.slug}: {failure}", file=sys.stderr)
    return 0 if all(v.evidence.passed for v in verdicts) else 1


def _progress(slugs):
    """The slugs, with a progress bar on a terminal's standard error and nothing when piped."""
    if sys.stderr is None or not sys.stderr.isatty():
        return slugs
    try:
        from rich.progress import track
    except ImportError:
        return slugs
    from rich.console import Console
    return track(slugs, description="checking", console=Console(stderr=True), transient=True)


def _rows(verdicts: list[Verdict]):
    for v in verdicts:
        e = v.evidence
        broken = sum(c.broken for c in e.controls)
        yield (v.claim.slug, in_words(e.float64), "-" if e.exact is None else in_words(e.exact),
               f"{broken} of {len(e.controls)} break", v.claim.proof or "-", f"{v.seconds:.2f}",
               "passed" if e.passed else "FAILED")


def _print_table(verdicts: list[Verdict]) -> None:
    heads = ("statement", "float64", "exact", "controls", "formal proof", "s", "verdict")
    rows = list(_rows(verdicts))
    if sys.stdout is not None and sys.stdout.isatty():
        try:
            from rich.console import Console
            from rich.table import Table
        except ImportError:
            pass
        else:
            table = Table(*heads)
            for row in rows:
                table.add_row(*row, style=None if row[-1] == "passed" else "bold red")
            Console().print(table)
            return
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    for row in (heads, *rows):
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


if __name__ == "__main__":
    sys.exit(main())
