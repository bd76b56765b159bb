"""Figures of counts and of how affine subspaces meet."""

from __future__ import annotations

from itertools import combinations

import matplotlib.pyplot as plt
import numpy as np

from ..lab_examples import Table
from ..palette import unit_colour
from ..svg import INK, Figure, as_figure, style
from .connectivity import components, meet


def bars_figure(series: dict, *, xlabel: str, ylabel: str, alt: str, caption: str = "", level=None,
                log: bool = True) -> Figure:
    """Bars side by side, their numbers written above them; on a log axis they stand on 1.

    Parameters
    ----------
    series : dict of name to dict of x to positive int
    level : (name, number), optional
        A dashed line across.
    log : bool
        A linear axis if False, on which the heights compare as the numbers do.

    Examples
    --------
    >>> bars_figure({"formula": {1: 36, 2: 6}}, xlabel="K", ylabel="number", alt="Two bars: 36 and 6.")
    Figure: Two bars: 36 and 6.
    """
    places = sorted({x for counts in series.values() for x in counts})
    width = 0.8 / len(series)
    with style():
        fig, ax = plt.subplots(figsize=(6.4, 3.4))
        for number, (name, counts) in enumerate(series.items()):
            x = np.array([places.index(p) for p in counts]) + width * (number - (len(series) - 1) / 2)
            drawn = ax.bar(x, list(counts.values()), 0.92 * width, label=name, color=unit_colour(number))
            ax.bar_label(drawn, [f"{value:,}" for value in counts.values()], fontsize=8, padding=1)
        if level is not None:
            ax.axhline(level[1], color=INK, ls=(0, (4, 2)), lw=1.2, label=level[0])
        highest = max([level[1] if level else 1, *(v for counts in series.values() for v in counts.values())])
        if log:
            ax.set_yscale("log")
            ax.minorticks_off()
            ax.set_ylim(1, 3 * highest)  # from 1: else the smallest number has next to no bar, whatever it is
        else:
            ax.set_ylim(0, 1.15 * highest)
        ax.set_xticks(range(len(places)), list(map(str, places)))
        ax.set(xlabel=xlabel, ylabel=ylabel)
        ax.legend()
    return as_figure(fig, alt, caption)


def counts_table(caption: str, formula, words, r_up_to: int = 4, m_up_to: int = 7) -> Table:
    """A formula of r and m for every small size, with a tick where an enumeration finds as many words.

    Parameters
    ----------
    formula : callable
        ``formula(r, m) -> int``.
    words : callable
        ``words(r, m)`` yields what the formula counts.

    Examples
    --------
    >>> from permsym_book.landscape.counting import critical_subspace_count, critical_words
    >>> counts_table("G", critical_subspace_count, critical_words, 2, 3)
    m  r = 1  r = 2
    1  1 ✓    0 ✓
    2  1 ✓    2 ✓
    3  1 ✓    6 ✓
    """

    def cell(r, m):
        said, listed = formula(r, m), sum(1 for _ in words(r, m))
        return f"{said} ✓" if said == listed else f"{said} ≠ {listed}"

    sizes = range(1, r_up_to + 1)
    return Table(
        caption,
        ("m", *(f"r = {r}" for r in sizes)),
        tuple((str(m), *(cell(r, m) for r in sizes)) for m in range(1, m_up_to + 1)),
    )


def meeting_figure(sizes, *, alt: str, caption: str = "") -> Figure:
    """The affine subspaces of the expansion manifold as words on a circle, a line between any two that meet.

    Parameters
    ----------
    sizes : sequence of (r, m)
        One drawing for each; T(r, m) subspaces.

    Examples
    --------
    >>> meeting_figure([(2, 2)], alt="Two words without a line between them.")
    Figure: Two words without a line between them.
    """
    with style():
        fig, axes = plt.subplots(1, len(sizes), squeeze=False, figsize=(3.4 * len(sizes), 3.6))
        for ax, (r, m) in zip(axes[0], sizes, strict=True):
            found = components(r, m)
            angles = np.pi / 2 - 2 * np.pi * np.arange(len(found.words)) / len(found.words)
            x, y = np.cos(angles), np.sin(angles)
            for i, k in combinations(range(len(found.words)), 2):
                if meet(found.words[i], found.words[k], r):
                    ax.plot(x[[i, k]], y[[i, k]], color=INK, lw=0.7, alpha=0.6)
            for word, number, here, there in zip(found.words, found.component, x, y, strict=True):
                ax.plot(here, there, "o", ms=7, color=unit_colour(number))
                ax.text(
                    1.2 * here, 1.2 * there, "".join(map(str, word)), ha="center", va="center", fontsize=9
                )
            ax.set(title=f"r = {r}, m = {m}", xlim=(-1.4, 1.4), ylim=(-1.4, 1.4), aspect="equal")
            ax.axis("off")
    return as_figure(fig, alt, caption)
