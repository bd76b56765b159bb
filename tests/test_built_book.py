"""The built HTML: nothing missing, nothing broken, nothing from another host."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
import yaml

import built
from permsym_book.claims import registry

LOADS = {"script": "src", "img": "src", "iframe": "src", "link": "href", "source": "src", "video": "src",
         "audio": "src", "embed": "src", "object": "data", "input": "src", "use": "href"}  # fmt: skip
LINKS = {"a": "href", "area": "href", **LOADS}
FAILED_OUTPUT = {"stderr", "traceback", "error"}
FILE_NAME = re.compile(r"\S+\.(png|svg|jpe?g|gif|webp)", re.IGNORECASE)


@pytest.fixture(autouse=True)
def _book():
    built.required()


def everywhere():
    """(page, element) for every element of every page."""
    return ((page, element) for page in built.pages().values() for element in page.elements)


def test_every_page_of_the_contents_is_there():
    contents = yaml.safe_load((built.ROOT / "_toc.yml").read_text(encoding="utf-8"))
    wanted, queue = [], [contents]
    while queue:
        entry = queue.pop()
        wanted += [entry[key] for key in ("root", "file") if key in entry]
        for key in ("parts", "chapters", "sections"):
            queue += entry.get(key, [])
    assert len(wanted) == len(set(wanted)) > 1
    assert not [name for name in wanted if not (built.HTML / f"{name}.html").is_file()]


def test_links_lead_somewhere():
    broken = []
    for page, element in everywhere():
        address = element.attributes.get(LINKS.get(element.tag, ""), "").strip()
        if not address or built.is_external(address) or re.match(r"(mailto|data|javascript|blob):", address):
            continue
        path, fragment = built.target(page.path, address)
        if not path.is_file():
            broken.append(f"{page.name}: {address}: no such file")
        elif fragment and path.suffix == ".html" and fragment not in built.pages()[path].ids:
            broken.append(f"{page.name}: {address}: no such anchor")
    assert not broken, "\n".join(broken)


def test_nothing_is_loaded_from_another_host():
    found = [
        f"{page.name}: <{element.tag}> {element.attributes[LOADS[element.tag]]}"
        for page, element in everywhere()
        if built.is_external(element.attributes.get(LOADS.get(element.tag, ""), ""))
    ]
    assert not found, "\n".join(found)


def test_inline_scripts_and_styles_name_no_other_host():
    found = [
        f"{page.name}: {element.text.strip()[:100]}"
        for page, element in everywhere()
        if element.tag in ("script", "style") and re.search(r"https?://(?!www\.w3\.org/)", element.text)
    ]
    assert not found, "\n".join(found)


def test_style_sheets_load_only_files_of_the_book():
    found = []
    for sheet in (built.HTML / "_static").rglob("*.css"):
        text = re.sub(r"/\*.*?\*/", "", sheet.read_text(encoding="utf-8"), flags=re.DOTALL)
        for address in re.findall(r"""url\(\s*["']?([^"')]+)|@import\s+["']([^"']+)""", text):
            address = "".join(address)
            if address.startswith(("data:", "#")):
                continue
            if built.is_external(address) or not built.target(sheet, address)[0].is_file():
                found.append(f"{sheet.name}: {address}")
    assert not found, "\n".join(found)


@pytest.mark.parametrize("unwanted", ["thebe", "require.js", "requirejs", "fontawesome.js", "html-manager"])
def test_no_page_has(unwanted):
    found = [
        page.name
        for page, element in everywhere()
        if element.tag in ("script", "link") and unwanted in f"{element.attributes} {element.text}"
    ]
    assert not found


def test_no_output_is_an_error():
    found = [
        f"{page.name}: {element.attributes['class']}"
        for page, element in everywhere()
        if "output" in element.classes and element.classes & FAILED_OUTPUT
    ]
    assert not found, "\n".join(found)


def test_no_markup_is_left_as_text():
    """A table or a heading of Markdown that was taken for a paragraph."""
    raw = re.compile(r"\|\s*(?:-{2,}|—)\s*\||<p>\s*#{1,4} ")
    for page in (page for page in built.pages().values() if not page.name.startswith(("_code/", "_modules/"))):
        text = re.sub(r"<(pre|script|style|code)\b.*?</\1>", "", page.path.read_text(encoding="utf-8"), flags=re.S)
        assert not (found := raw.search(text)), f"{page.name}: {text[found.start() - 80:found.end() + 80]}"


def test_ids_are_unique():
    found = []
    for page in built.pages().values():
        found += [f"{page.name}: {i}" for i, times in Counter(page.ids).items() if times > 1]
    assert not found, "\n".join(found)


def test_images_say_what_they_show():
    found = []
    for page, element in everywhere():
        if element.tag == "img":
            alt = element.attributes.get("alt", "").strip()
            if FILE_NAME.fullmatch(alt) or not alt and element.attributes.get("role") != "presentation":
                found.append(f"{page.name}: {element.attributes.get('src', '')[:80]}: alt={alt!r}")
        if element.tag == "svg" and any("cell_output" in a.classes for a in element.ancestors):
            named = {"aria-label", "aria-labelledby", "aria-hidden"} & element.attributes.keys()
            around = [a for a in element.ancestors if a.tag == "svg" or a.attributes.get("aria-label")]
            if not named and not around:
                found.append(f"{page.name}: an svg without a label")
    assert not found, "\n".join(found)


@pytest.mark.parametrize("slug", sorted(registry.load_all()))
def test_each_statement_has_its_row_of_links(slug):
    claim = registry.CLAIMS[slug]
    page = built.pages().get((built.HTML / Path(claim.page).with_suffix(".html")).resolve())
    assert page is not None, f"{claim.page} is not in the book"
    assert page.ids.count(slug) == 1, f"{claim.page} has no block with the label {slug}"
    links = [e for e in page.inside(slug) if any("permsym-links" in a.classes for a in e.ancestors)]
    classes = [c for e in links for c in e.classes if c.startswith("permsym-link-")]
    kinds = [c.removeprefix("permsym-link-") for c in classes]
    assert kinds == ["check", "test", "proof"] if claim.proof else ["check", "test"]
    for link in (e for e in links if e.tag == "a"):
        path, fragment = built.target(page.path, link.attributes["href"])
        assert fragment in built.pages()[path].ids


def test_each_source_page_leads_back():
    """From a check's source a reader reaches the statement again."""
    for slug, claim in registry.load_all().items():
        source = f"_code/src/permsym_book/claims/{Path(claim.page).stem}.py.html"
        page = built.pages()[(built.HTML / source).resolve()]
        back = {e.attributes.get("href", "").partition("#")[2] for e in page.elements}
        assert slug in back, f"{source} does not lead back to {slug}"
