"""Relabelling, canonical form and comparison of a 784-512-512-10 float32 network, against copying its arrays.

All four are timed in turn in one loop; the ratios are of medians. The ratios that count are of the thread's
own processor time, since on a busy machine the wall clock also counts other programs, and more of them the
longer a task takes. Wall times are printed beside them. Exits with 1 when a ratio is over the limit.
"""

from __future__ import annotations

import argparse
import json
import sys
from statistics import median
from time import perf_counter, thread_time

import numpy as np

from permsym_book import MLP
from permsym_book.canonical import canonical, same_up_to_permutation

WIDTHS = (784, 512, 512, 10)
LIMIT = 20.0


def measured(widths, repeats: int, seed: int) -> tuple[dict[str, float], dict[str, float]]:
    """The median seconds of a copy and of each operation: processor time, and wall time."""
    rng = np.random.default_rng(seed)
    net = MLP.random(widths, rng, dtype=np.float32)
    perms = [rng.permutation(h) for h in net.hidden_widths]
    other = net.permuted(perms)
    tasks = {
        "copy": lambda: [np.copy(A) for A in net.parameters.arrays()],
        "permuted": lambda: net.permuted(perms),
        "canonical": lambda: canonical(net),
        "same_up_to_permutation": lambda: same_up_to_permutation(net, other),
    }
    if not (same_up_to_permutation(net, other) and canonical(net).network == canonical(other).network):
        raise RuntimeError("the network and its relabelling were not recognised as the same")
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in tasks}
    for _ in range(repeats):
        for name, task in tasks.items():
            wall, processor = perf_counter(), thread_time()
            task()
            times[name].append((thread_time() - processor, perf_counter() - wall))
    processor, wall = ({name: median(t[clock] for t in of_task) for name, of_task in times.items()}
                       for clock in (0, 1))
    return processor, wall


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=101, help="how often each operation is timed")
    parser.add_argument("--seed", type=int, default=0, help="of the network and the permutations")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    options = parser.parse_args(arguments)
    seconds, wall = measured(WIDTHS, options.repeats, options.seed)
    ratios = {name: t / seconds["copy"] for name, t in seconds.items() if name != "copy"}
    passed = max(ratios.values()) <= LIMIT
    if options.json:
        print(json.dumps({"widths": WIDTHS, "dtype": "float32", "repeats": options.repeats,
                          "numpy": np.__version__,
                          "seconds": seconds, "ratios": ratios, "limit": LIMIT, "passed": passed,
                          "wall_seconds": wall}, indent=1))
    else:
        for name, t in seconds.items():
            print(f"{name:24}{1e3 * t:9.3f} ms{t / seconds['copy']:8.2f} x copy"
                  f"    wall {1e3 * wall[name]:9.3f} ms{wall[name] / wall['copy']:8.2f} x copy")
        print(f"limit {LIMIT:g} x copy: {'passed' if passed else 'FAILED'}")
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
