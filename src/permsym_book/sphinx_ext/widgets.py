"""The widgets of a static page: their scripts beside the pages, and the host on every page that has a
widget."""

from __future__ import annotations

import shutil
from pathlib import Path

from permsym_book.widgets.base import STATIC

FOLDER = "_permsym"  # not under html_static_path: Jupyter Book would load every script there on every page
MOUNT = 'class="permsym-mount"'


def add_host(app, pagename, templatename, context, doctree) -> None:
    """Load the host and the style sheet on pages with a widget (event ``html-page-context``)."""
    if MOUNT in context.get("body", ""):
        base = context["pathto"](FOLDER, resource=True)
        context["body"] += f'\n<script src="{base}/host.js"></script>\n'
        context["metatags"] = context.get("metatags",
                                          "") + f'\n<link rel="stylesheet" href="{base}/widgets.css">\n'


def copy_bundles(app, exception) -> None:
    """Put the bundles beside the pages (event ``build-finished``)."""
    if exception is not None or app.builder.format != "html":
        return
    out = Path(app.outdir) / FOLDER
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    for path in (*STATIC.glob("*.js"), *STATIC.glob("*.css")):
        shutil.copy(path, out)


def setup(app) -> None:
    """Connect to Sphinx's events."""
    app.connect("html-page-context", add_host, priority=900)
    app.connect("build-finished", copy_bundles)
