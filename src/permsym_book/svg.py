"""Matplotlib figures as SVG inside the page: text in the page's own colour, ids that never clash, a sentence
for those who do not see."""

from __future__ import annotations

import hashlib
import re
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from importlib.resources import as_file, files
from io import StringIO

import matplotlib.pyplot as plt

INK = "#010203"  # stands for the page's own text colour until the SVG is written


@dataclass(frozen=True)
class Figure:
    """A drawn figure as SVG with its alternative text and caption; shows itself in a notebook and on the
    page."""

    svg: str
    alt: str
    caption: str = ""

    def _repr_html_(self) -> str:
        caption = f"<figcaption>{escape(self.caption)}</figcaption>" if self.caption else ""
        return f'<figure class="permsym-figure">{self.svg}{caption}</figure>'

    def __repr__(self) -> str:
        return f"Figure: {self.alt}"


@contextmanager
def style():
    """The book's matplotlib style with text and axes in the page's colour."""
    ink = {key: INK
           for key in ("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color",
                                 "axes.titlecolor", "legend.labelcolor")}
    with as_file(files(__package__) / "permsym.mplstyle") as path, plt.style.context([str(path), ink]):
        yield


def as_figure(fig, alt: str, caption: str = "") -> Figure:
    """Turn a matplotlib figure into a :class:`Figure` and close it.

    Parameters
    ----------
    fig : matplotlib.figure.Figure
    alt : str
        What the figure shows and what one should see in it; required.

    Raises
    ------
    ValueError
        If ``alt`` is empty.
    """
    if not alt.strip():
        raise ValueError("alt is empty; a sentence that states the finding is required")
    buffer = StringIO()
    salt = hashlib.sha256(alt.encode()).hexdigest()[:12]
    with plt.rc_context({"svg.hashsalt": salt, "svg.fonttype": "none"}):
        fig.savefig(buffer, format="svg",
                    metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    plt.close(fig)
    svg = buffer.getvalue()[buffer.getvalue().index("<svg"):].replace(INK, "currentColor")
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.S)
    used = set(re.findall(r'(?:url\(#|href="#)([^)"]+)', svg))
    svg = re.sub(r' id="([^"]+)"', lambda m: m[0] if m[1] in used else "", svg)
    for name in used:  # two figures on one page must not share an id
        svg = re.sub(rf'(id="|url\(#|href="#){re.escape(name)}(["\)])', rf"\g<1>{salt}-{name}\2", svg)
    return Figure(svg.replace("<svg", f'<svg role="img" aria-label="{escape(alt)}"', 1), alt, caption)
