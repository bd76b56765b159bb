"""The built book as the tests read it: every page parsed once, with the standard library alone."""

from __future__ import annotations

import functools
import os
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).parent.parent
HTML = Path(os.environ.get("PERMSYM_HTML", ROOT / "_build" / "html"))
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


@dataclass
class Element:
    """A start tag with its attributes, and for scripts and styles their text."""

    tag: str
    attributes: dict[str, str]
    ancestors: tuple[Element, ...] = ()
    text: str = ""

    @property
    def classes(self) -> set[str]:
        return set(self.attributes.get("class", "").split())


@dataclass
class Page:
    """A parsed page."""

    path: Path
    elements: list[Element] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.path.relative_to(HTML).as_posix()

    @property
    def ids(self) -> list[str]:
        return [e.attributes["id"] for e in self.elements if e.attributes.get("id")]

    def inside(self, identifier: str) -> list[Element]:
        """The elements within the element that has the id."""
        return [e for e in self.elements if any(a.attributes.get("id") == identifier for a in e.ancestors)]


class Reader(HTMLParser):
    """Collects a page's elements, each with the open elements around it."""

    def __init__(self):
        super().__init__()
        self.elements, self.open = [], []

    def handle_starttag(self, tag, attrs):
        element = Element(tag, {k: v or "" for k, v in attrs}, tuple(self.open))
        self.elements.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_endtag(self, tag):
        for place in range(len(self.open) - 1, -1, -1):
            if self.open[place].tag == tag:
                del self.open[place:]
                return

    def handle_data(self, data):
        if self.open and self.open[-1].tag in ("script", "style"):
            self.open[-1].text += data


@functools.cache
def pages() -> dict[Path, Page]:
    """Every page of the book by its path."""
    found = {}
    for path in sorted(HTML.rglob("*.html")):
        if "_static" not in path.relative_to(HTML).parts:
            reader = Reader()
            reader.feed(path.read_text(encoding="utf-8"))
            found[path.resolve()] = Page(path.resolve(), reader.elements)
    return found


def required() -> None:
    """Skip when there is no built book; under CI that is a failure."""
    if not (HTML / "index.html").is_file():
        reason = f"no built book in {HTML}: run `make book`"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)


def is_external(address: str) -> bool:
    """Whether an address leads to another host."""
    return address.startswith("//") or urlsplit(address).scheme in ("http", "https", "ws", "wss", "ftp")


def target(page: Path, address: str) -> tuple[Path, str]:
    """The file and the fragment that a page's relative address leads to."""
    parts = urlsplit(address)
    path = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    return (path / "index.html" if path.is_dir() else path), unquote(parts.fragment)
