"""The book's style sheets: the colours of `permsym_book.palette` as CSS, and the rules that use them."""

from __future__ import annotations

from pathlib import Path

from permsym_book.palette import css

TOKENS = "permsym-tokens.css"


def write_tokens(app, exception) -> None:
    """Write the colours beside the style sheet that uses them (event ``build-finished``)."""
    if exception is None and app.builder.format == "html":
        (Path(app.outdir) / "_static" / TOKENS).write_text(css(), encoding="utf-8")


def setup(app) -> None:
    """Load both style sheets after the theme's."""
    app.add_css_file(TOKENS, priority=900)
    app.add_css_file("permsym.css", priority=901)
    app.connect("build-finished", write_tokens)
