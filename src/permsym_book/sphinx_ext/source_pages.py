"""Checks, tests and proofs as pages of the book.

Links to a code host would break offline and would show another version than the one that was run.
So the files themselves become pages, highlighted, with the anchor ``L-<number>`` on each line, and
each slug in them leads back to its statement.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from pathlib import Path

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name

FOLDER = "_code"
SOURCES = (("src/permsym_book/claims", ".py"), ("tests/claims", ".py"), ("proofs", ".v"))
LEXERS = {".py": "python", ".v": "coq"}


def files(root: Path) -> Iterator[Path]:
    """The files that become pages, relative to the repository's root."""
    for folder, suffix in SOURCES:
        for path in sorted((root / folder).glob(f"*{suffix}")):
            if path.stat().st_size:
                yield path.relative_to(root)


def page_name(path: Path | str) -> str:
    """The page's name within the book.

    Examples
    --------
    >>> page_name("proofs/forward.v")
    '_code/proofs/forward.v'
    """
    return f"{FOLDER}/{Path(path).as_posix()}"


def anchor(line: int) -> str:
    """The id of a line.

    Examples
    --------
    >>> anchor(12)
    'L-12'
    """
    return f"L-{line}"


def highlighted(text: str, suffix: str, statements: dict[str, str]) -> str:
    """Source text as HTML: an anchor on each line, each slug a link.

    Parameters
    ----------
    text : str
        The source.
    suffix : str
        ``.py`` or ``.v``.
    statements : dict
        For each slug the address of its statement.

    Examples
    --------
    >>> html = highlighted("# thm-a", ".py", {"thm-a": "page.html#thm-a"})
    >>> '<span id="L-1">' in html, '<a href="page.html#thm-a">thm-a</a>' in html
    (True, True)
    """
    formatter = HtmlFormatter(linenos="inline", linespans="L", wrapcode=True)
    # stripnl would drop leading empty lines, and with them the numbers of all lines after them.
    html = highlight(text, get_lexer_by_name(LEXERS[suffix], stripnl=False), formatter)
    if statements:
        slugs = "|".join(map(re.escape, sorted(statements, key=len, reverse=True)))
        html = re.sub(
            rf"(?<![\w-])({slugs})(?![\w-])",
            lambda found: f'<a href="{escape(statements[found[1]])}">{found[1]}</a>',
            html,
        )
    return html


def pages(app) -> Iterator[tuple[str, dict, str]]:
    """One page for each file (event ``html-collect-pages``)."""
    root = Path(app.srcdir)
    statements = getattr(app.env, "proof_list", {})
    for path in files(root):
        name = page_name(path)
        targets = {
            slug: app.builder.get_relative_uri(name, record["docname"]) + f"#{slug}"
            for slug, record in statements.items()
        }
        title = path.as_posix()
        body = highlighted((root / path).read_text(encoding="utf-8"), path.suffix, targets)
        yield name, {"title": title, "body": f"<h1>{escape(title)}</h1>\n{body}"}, "page.html"


def setup(app) -> None:
    """Register the event."""
    app.connect("html-collect-pages", pages)
