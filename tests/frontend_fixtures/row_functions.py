"""Both ways round the square of the widget elementwise-commutes, for each of its functions."""

from __future__ import annotations

import numpy as np

from permsym_book import Permutation
from permsym_book.widgets.row_functions import ROW_FUNCTIONS, both_ways


def fixture() -> dict:
    """``row_functions``: a list of cases, some with equal entries in a row."""
    rng, cases = np.random.default_rng(61), []
    for name, f in ROW_FUNCTIONS.items():
        for trial in range(6):
            n, h = int(rng.integers(1, 6)), int(rng.integers(3, 7))
            Z = rng.standard_normal((n, h)) * 10.0 ** rng.integers(-2, 2)
            if trial == 5:
                Z = np.round(Z)
            perm = Permutation([2, 0, 1, *range(3, h)]) if trial == 0 else Permutation.random(h, rng)
            first, last = both_ways(name, Z, perm)
            cases.append({"name": name, "group": f.group, "Z": Z.tolist(), "perm": perm.indices.tolist(),
                          "first": first.tolist(), "last": last.tolist(), "words": f.words})
    return {"row_functions": cases}
