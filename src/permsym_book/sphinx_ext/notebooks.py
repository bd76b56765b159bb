"""The notebook behind a page: to download, or to open in Colab.

Pages are written as text. For readers who want a notebook file, each gets one without outputs whose
first cell installs this package where it is missing. Colab opens files from a branch on GitHub, and
the branch with the built book is the one that holds them.
"""

from __future__ import annotations

from pathlib import Path

import jupytext
import nbformat

PUBLISHED_BRANCH = "gh-pages"
INSTALL = """\
# Where the package is missing, as in Colab, this installs it from the book's repository.
import importlib.util
if importlib.util.find_spec("permsym_book") is None:
    %pip install -q "permsym_book[cli,figures,widgets] @ git+{repository}"
"""


def as_notebook(path: Path, repository: str) -> nbformat.NotebookNode:
    """The page at ``path`` as a notebook that starts by installing the package."""
    notebook = jupytext.read(path)
    if repository:
        install = nbformat.v4.new_code_cell(INSTALL.format(repository=repository))
        notebook.cells.insert(0, install)
    for number, cell in enumerate(notebook.cells):  # jupytext draws cell ids by chance
        cell["id"] = f"cell-{number}"
    return notebook


def add_notebook(app, pagename, templatename, context, doctree) -> None:
    """Write the page's notebook and point Colab at it (event ``html-page-context``)."""
    if "ipynb_source" not in context:
        return
    repository = app.config.html_theme_options.get("repository_url", "")
    target = Path(app.outdir) / "_sources" / context["ipynb_source"]
    target.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(as_notebook(Path(app.env.doc2path(pagename)), repository), target)
    branch = app.config.html_theme_options.get("repository_branch", "main")
    for group in context.get("header_buttons", []):
        for button in group.get("buttons", []):
            if button.get("text") == "Colab":
                before, _, _ = button["url"].partition(f"/blob/{branch}/")
                button["url"] = f"{before}/blob/{PUBLISHED_BRANCH}/_sources/{context['ipynb_source']}"


def setup(app) -> None:
    """Register the event, after the theme's own (501) has made the buttons."""
    app.connect("html-page-context", add_notebook, priority=600)
