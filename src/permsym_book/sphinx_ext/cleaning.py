"""Pages that ask nothing of any other host and load only what they use.

What Jupyter Book and its theme add and this book does without:

- sphinx-thebe names a script on a CDN, twice, and the second declaration is an error;
- Font Awesome comes as 1.5 MB of JavaScript, while the theme's style sheet draws the same icons with a font;
- the search index goes into every page, although only the search page reads it;
- sphinx-design's files go into pages without any of its elements;
- MathJax brings every input, output and language; the pages use TeX, CHTML and assistive MathML.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path


def script(*names: str) -> str:
    """A pattern for the script elements that load any of the files, with the space before them."""
    return rf'\s*<script[^>]*src="[^"]*(?:{"|".join(map(re.escape, names))})[^"]*"[^>]*></script>'


SEARCH = re.compile(script("searchtools.js", "language_data.js", "searchindex.js"))
ICONS = re.compile(r"\s*<!-- So that users can add custom icons -->|" + script("scripts/fontawesome.js"))
DESIGN = re.compile(r"\s*<link[^>]*sphinx-design[^>]*>|" + script("design-tabs.js"))
TOGGLE = re.compile(r"\s*<script>var togglebuttonSelector[^<]*</script>")
OPTIONS = re.compile(script("documentation_options.js"))
# The theme's own line leaves the page unstyled until its deferred script has run.
STORED_THEME = 'document.documentElement.dataset.theme = localStorage.getItem("theme") || "auto";'
THEME_NOW = """\
document.documentElement.dataset.theme = ((mode) => ["light", "dark"].includes(mode) ? mode
      : matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"
    )(document.documentElement.dataset.mode);"""
# A module's anchor has dots, which a selector reads as classes: a warning instead of an excerpt.
ANCHOR_AS_SELECTOR = '`[role="main"] ${anchor}`'
ANCHOR_ESCAPED = '`[role="main"] #${CSS.escape(anchor.slice(1))}`'
# From a folder a page may not fetch others, so there are no excerpts among the results.
NO_EXCERPTS = """
    <script>if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;</script>"""

MATHJAX_USED = (
    "startup.js", "core.js", "input/tex.js", "input/tex/extensions", "output/chtml.js",
    "output/chtml/fonts", "a11y/assistive-mml.js",
)  # fmt: skip


def cleaned(html: str, is_search: bool = False) -> str:
    """A page without what it does not use; cleaning twice changes nothing.

    Examples
    --------
    >>> cleaned('<script src="../searchindex.js"></script><p>kept</p>')
    '<p>kept</p>'
    >>> cleaned('<html lang="en" data-theme="auto">')
    '<html lang="en" data-theme="light">'
    """
    html = ICONS.sub("", html)
    if is_search:
        if NO_EXCERPTS not in html:
            html = OPTIONS.sub(lambda found: found[0] + NO_EXCERPTS, html, count=1)
    else:
        html = SEARCH.sub("", html)
    if not re.search(r'class="[^"]*\bsd-', html):
        html = DESIGN.sub("", html)
    once = TOGGLE.search(html)
    if once:
        html = html[: once.end()] + TOGGLE.sub("", html[once.end():])
    html = html.replace(' data-theme="auto">', ' data-theme="light">', 1)  # what no-JavaScript readers get
    return html.replace(STORED_THEME, THEME_NOW, 1)


def choose_mathjax(app, config) -> None:
    """Load MathJax's parts one by one (event ``config-inited``).

    sphinx-mathjax-offline names a bundle with a menu and its languages; ``_config.yml`` lists the parts.
    """
    config.mathjax_path = "mathjax/startup.js"


def disconnect_thebe(app, config) -> None:
    """Take sphinx-thebe out of the build (event ``config-inited``); the pages run in Binder and Colab."""
    for listeners in app.events.listeners.values():
        for listener in list(listeners):
            if listener.handler.__module__.startswith("sphinx_thebe"):
                app.disconnect(listener.id)


def drop_thebe_files(app, pagename, templatename, context, doctree) -> None:
    """Leave sphinx-thebe's style sheet out (event ``html-page-context``)."""
    for kind in ("css_files", "script_files"):
        context[kind] = [f for f in context[kind] if "thebe" not in str(getattr(f, "filename", f))]


def clean_output(app, exception) -> None:
    """Clean the pages and remove files that none of them loads (event ``build-finished``)."""
    if exception is not None or app.builder.format != "html":
        return
    out = Path(app.outdir)
    for page in out.rglob("*.html"):
        before = page.read_text(encoding="utf-8")
        after = cleaned(before, is_search=page == out / "search.html")
        if after != before:
            page.write_text(after, encoding="utf-8")
    static = out / "_static"
    search = static / "searchtools.js"
    code = search.read_text(encoding="utf-8")
    search.write_text(code.replace(ANCHOR_AS_SELECTOR, ANCHOR_ESCAPED), encoding="utf-8")
    for unused in [*static.rglob("*.map"), *static.glob("*thebe*"), static / "scripts" / "fontawesome.js"]:
        unused.unlink(missing_ok=True)
    keep_only(static / "mathjax", MATHJAX_USED)


def keep_only(folder: Path, wanted: tuple[str, ...]) -> None:
    """Remove everything under ``folder`` but the named files and folders."""
    kept = [folder / name for name in wanted]
    for path in sorted(folder.rglob("*"), reverse=True):
        inside = any(path == k or k in path.parents for k in kept)
        around = any(path in k.parents for k in kept)
        if not (inside or around) and path.exists():
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def setup(app) -> None:
    """Register the events, the last of them after every extension has copied its files."""
    app.connect("config-inited", choose_mathjax)
    app.connect("config-inited", disconnect_thebe)
    app.connect("html-page-context", drop_thebe_files, priority=900)
    app.connect("build-finished", clean_output, priority=800)
