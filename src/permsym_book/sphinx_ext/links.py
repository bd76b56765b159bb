"""Under each statement, the row that leads to its check, its test and its proof.

A statement is a ``{prf:*}`` block whose label is a slug of the registry. The links go to the pages of
`permsym_book.sphinx_ext.source_pages`, so they work from a folder, without a network.
"""

from __future__ import annotations

import inspect
import re
from pathlib import Path

from docutils import nodes
from sphinx.util import logging

from permsym_book.sphinx_ext.source_pages import anchor, page_name

LOGGER = logging.getLogger(__name__)
REPEATED_IDS = ("proof", "proof-content", "exercise-content", "solution-content")


def line_of(text: str, wanted: str) -> int | None:
    """The number of the first line with ``wanted`` as a whole word, counted from 1; None when there is none.

    Examples
    --------
    >>> line_of("thm-a-b\\nthm-a", "thm-a")
    2
    """
    whole = re.compile(rf"(?<![\w-]){re.escape(wanted)}(?![\w-])")
    return next((number for number, line in enumerate(text.splitlines(), 1) if whole.search(line)), None)


def places(claim, root: Path) -> list[tuple[str, str, int]]:
    """Where a claim is held up: (kind, file relative to ``root``, line), in the order of the row.

    A test or a proof that does not name the slug is a warning, and under ``-W`` an error.
    """
    function = inspect.unwrap(claim.function)
    module = Path(inspect.getsourcefile(function))
    found = [("Check", f"src/permsym_book/claims/{module.name}", inspect.getsourcelines(function)[1])]
    named = [("Test", f"tests/claims/test_{module.stem}.py", claim.slug)]
    if claim.proof:
        named.append(("Proof", claim.proof.partition("#")[0], f"slug: {claim.slug}"))
    for kind, path, wanted in named:
        text = (root / path).read_text(encoding="utf-8") if (root / path).is_file() else ""
        line = line_of(text, f'"{wanted}"') or line_of(text, wanted)  # the test itself rather than the module's docstring
        if line is None:
            LOGGER.warning("%s is not named in %s", claim.slug, path, type="permsym", subtype=kind.lower())
        else:
            found.append((kind, path, line))
    return found


def row(app, docname: str, claim) -> nodes.paragraph:
    """The paragraph of links for one claim, as seen from the page ``docname``."""
    paragraph = nodes.paragraph(classes=["permsym-links"])
    for kind, path, line in places(claim, Path(app.srcdir)):
        uri = f"{app.builder.get_relative_uri(docname, page_name(path))}#{anchor(line)}"
        link = nodes.reference("", "", refuri=uri, internal=True, classes=[f"permsym-link-{kind.lower()}"])
        link += [nodes.Text(f"{kind}: "), nodes.literal("", f"{Path(path).name}:{line}")]
        paragraph += [link, nodes.Text(" ")]
    return paragraph


def is_statement(node) -> bool:
    """Whether a node is a ``{prf:*}`` block with a label."""
    return isinstance(node, nodes.Element) and "proof" in node.get("classes", []) and bool(node.get("label"))


def add_rows(app, doctree, docname: str) -> None:
    """Add the rows to a page (event ``doctree-resolved``)."""
    if app.builder.format != "html":
        return
    from permsym_book.claims import registry

    registry.load_all()
    for statement in doctree.findall(is_statement):
        claim = registry.CLAIMS.get(statement["label"])
        if claim is not None:
            statement += row(app, docname, claim)


def drop_repeated_ids(app, doctree, docname: str) -> None:
    """Remove ids that every statement or exercise has alike (event ``doctree-resolved``).

    Not before: the sections among these blocks must have an id while Sphinx numbers them.
    """
    for node in doctree.findall(nodes.Element):
        if isinstance(node, nodes.section | nodes.admonition):
            node["ids"] = [i for i in node["ids"] if i not in REPEATED_IDS]


def setup(app) -> None:
    """Register the events."""
    app.connect("doctree-resolved", drop_repeated_ids)
    app.connect("doctree-resolved", add_rows)
