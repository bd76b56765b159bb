"""What the theme leaves out for readers who use a keyboard or a screen reader; ``tests/browser/test_axe.py``
holds it."""

from __future__ import annotations

import re
from pathlib import Path

# Its visible words, "Search Ctrl+K", name the button; a label of other words hides them.
SEARCH_BUTTON = re.compile(r'(<button class="btn search-button-field[^>]*?)\s*aria-label="Search"')
TOGGLE = '<summary><span class="toctree-toggle"'
NAMED_TOGGLE = '<summary aria-label="Subpages"><span class="toctree-toggle"'
# The list of references is a list; the role docutils gives its entries is deprecated.
ENTRIES = ('role="doc-biblioentry"', 'role="listitem"')
# An equation wider than the page scrolls; the keyboard has to reach it.
FOCUS = """<script>/* permsym: scrolling equations */
addEventListener("load", async () => {
  await window.MathJax?.startup?.promise;
  const mark = () => document.querySelectorAll("mjx-container[display]").forEach((e) => {
    if (e.scrollWidth > e.clientWidth) e.tabIndex = 0; else e.removeAttribute("tabindex");
  });
  mark();
  addEventListener("resize", mark);
});</script>
"""


def accessible(html: str) -> str:
    """The page with names for its controls and focus for its equations; doing it twice changes nothing.

    Examples
    --------
    >>> accessible('<summary><span class="toctree-toggle"></span></summary>')
    '<summary aria-label="Subpages"><span class="toctree-toggle"></span></summary>'
    """
    html = SEARCH_BUTTON.sub(r"\1", html).replace(TOGGLE, NAMED_TOGGLE).replace(*ENTRIES)
    return html if FOCUS in html else html.replace("</body>", FOCUS + "</body>")


def improve_output(app, exception) -> None:
    """Go over every page (event ``build-finished``)."""
    if exception is None and app.builder.format == "html":
        for page in Path(app.outdir).rglob("*.html"):
            before = page.read_text(encoding="utf-8")
            after = accessible(before)
            if after != before:
                page.write_text(after, encoding="utf-8")


def setup(app) -> None:
    """Connect to Sphinx's event, after the pages have been cleaned."""
    app.connect("build-finished", improve_output, priority=810)
