"""The Hessian's spectrum along a path as a figure, and the table of many starts."""

from __future__ import annotations

from collections import Counter

import matplotlib.pyplot as plt
import numpy as np

from ..lab_examples import Table
from ..palette import unit_colour
from ..svg import INK, Figure, as_figure, style
from .hessian import hessian
from .inertia import Inertia, inertia
from .paths import Path


def spectra(path: Path, X, Y) -> list[Inertia]:
    """The inertia of the Hessian by all parameters at each point of a path; its eigenvalues are in it.

    Examples
    --------
    >>> from permsym_book.landscape.problems import example_path
    >>> path, X, Y = example_path(5)
    >>> spectra(path, X, Y)[path.middle].index
    1
    """
    return [inertia(hessian(net, X, Y)) for net in path.networks]


def spectrum_figure(path: Path, signs: list[Inertia], *, alt: str, caption: str = "", smallest: float = 1e-3) -> Figure:
    """All eigenvalues along a path, on an axis that is linear below ``smallest`` and logarithmic beyond.

    Parameters
    ----------
    path : Path
    signs : list of Inertia
        As :func:`spectra` returns them.
    smallest : float

    Examples
    --------
    >>> from permsym_book.landscape.problems import example_path
    >>> path, X, Y = example_path(5)
    >>> spectrum_figure(path, spectra(path, X, Y), alt="One eigenvalue is negative in the middle.")
    Figure: One eigenvalue is negative in the middle.
    """
    values = np.array([s.eigenvalues for s in signs])
    x = path.signed_distances
    with style():
        fig, ax = plt.subplots(figsize=(6.4, 3.8))
        for k, curve in enumerate(values.T):
            below = curve.min() < -signs[path.middle].threshold
            ax.plot(x, curve, color=unit_colour(1 if below else 0), ls="--" if below else "-", lw=1.8 if below else 1.1,
                    label=None if k and below == (values[:, k - 1].min() < -signs[path.middle].threshold)
                    else "negative somewhere" if below else "negative nowhere")
        ax.axhline(0, color=INK, lw=0.8, ls=":")
        ax.set_yscale("symlog", linthresh=smallest)
        ax.set(xlabel="distance of the two units, with the sign of their difference", ylabel="eigenvalues of the Hessian")
        ax.legend(loc="lower right")
    return as_figure(fig, alt, caption)


def survey_table(rows) -> Table:
    """What the starts of a survey gave, one line for each number of outputs: counts, of the critical points found.

    Parameters
    ----------
    rows : list of Row
        From :func:`~permsym_book.landscape.survey.survey`, for any numbers of outputs.

    Examples
    --------
    >>> from permsym_book.landscape.survey import survey
    >>> survey_table(survey(1, starts=1, seed=4))
    outputs  starts  smooth paths  critical points  rank M  nullity  index  as predicted
    1        1       1             1                0: 1    1: 1     1: 1   1 of 1
    """
    table = []
    for outputs in sorted({row.outputs for row in rows}):
        here = [row for row in rows if row.outputs == outputs]
        points = [row for row in here if row.critical]
        counts = [_counted(values) for values in ([p.rank for p in points], [p.full.nullity for p in points],
                                                  [p.full.index for p in points])]
        table.append((str(outputs), str(len(here)), str(sum(row.smooth for row in here)), str(len(points)), *counts,
                      f"{sum(p.as_predicted and p.full.clear for p in points)} of {len(points)}"))
    return Table("Permutation points of teacher problems; \"1: 16\" reads: the value 1, at 16 of the points",
                 ("outputs", "starts", "smooth paths", "critical points", "rank M", "nullity", "index", "as predicted"),
                 tuple(table))


def _counted(values) -> str:
    return ", ".join(f"{value}: {count}" for value, count in sorted(Counter(values).items()))
