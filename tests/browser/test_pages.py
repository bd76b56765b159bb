"""Every page in Chromium, all other hosts out of reach: from a folder, over HTTP, light, dark, narrow."""

from __future__ import annotations

import pytest

import built

pytestmark = pytest.mark.browser

START = "index.html"  # only sends the reader on to the first page
MADE = ("_code/", "_modules/", "genindex", "prf-prf", "py-modindex", "search")
NAMES = [name for name in sorted(page.name for page in built.pages().values()) if name != START]
READ = [name for name in NAMES if not name.startswith(MADE)]
BUDGET = 4_000_000  # bytes of all that a page loads, uncompressed

THEME = "() => document.documentElement.dataset.theme"
MODE = "() => document.documentElement.dataset.mode"
BACKGROUND = "() => getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).map(Number)"
PAGE_WIDTH = "() => Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)"
MATH_ERRORS = """() => [...document.querySelectorAll("mjx-merror, [data-mjx-error]")]
  .map((e) => e.getAttribute("data-mjx-error") ?? e.textContent)"""
NOT_TYPESET = """() => [...document.querySelectorAll("span.math, div.math")]
  .filter((e) => !e.querySelector("mjx-container")).map((e) => e.textContent.slice(0, 60))"""
LOAD_PICTURES = """async () => {
  for (const i of document.images) { i.loading = "eager"; await i.decode().catch(() => {}); }
}"""
NOT_SHOWN = "() => [...document.images].filter((i) => !i.naturalWidth).map((i) => i.src)"
WIDER_THAN_THE_SCREEN = """() => {
  const right = document.documentElement.clientWidth;
  const scrolls = (e) => e && e !== document.body
    && (/(auto|scroll|hidden)/.test(getComputedStyle(e).overflowX) || scrolls(e.parentElement));
  return [...document.querySelectorAll("main *")]
    .filter((e) => e.getBoundingClientRect().right > right + 1 && !scrolls(e.parentElement))
    .slice(0, 5).map((e) => `${e.tagName}.${e.className} ${Math.round(e.getBoundingClientRect().right)}`);
}"""


def faults(opened, scheme: str, width: int) -> list[str]:
    """All that is wrong with an open page, in words."""
    page = opened.page
    found = list(opened.wrong)
    if page.evaluate(THEME) != scheme:
        found.append(f"the theme is {page.evaluate(THEME)}")
    lightness = sum(page.evaluate(BACKGROUND))
    if not (lightness < 150 if scheme == "dark" else lightness > 600):
        found.append(f"the background's channels add up to {lightness}")
    if page.evaluate(PAGE_WIDTH) > width:
        found.append(f"{page.evaluate(PAGE_WIDTH)} px wide: {page.evaluate(WIDER_THAN_THE_SCREEN)}")
    page.evaluate(LOAD_PICTURES)
    scripts = {"math error": MATH_ERRORS, "not typeset": NOT_TYPESET, "not shown": NOT_SHOWN}
    for problem, script in scripts.items():
        found += [f"{problem}: {what}" for what in page.evaluate(script)]
    return found


def test_there_are_pages():
    built.required()
    assert READ


@pytest.mark.parametrize("name", NAMES)
def test_from_a_folder_on_a_light_screen(visit, name):
    opened = visit(name)
    assert faults(opened, "light", 1200) == []


@pytest.mark.parametrize("name", READ)
def test_over_http_on_a_dark_narrow_screen(visit, name):
    opened = visit(name, over="http", scheme="dark", width=360)
    assert faults(opened, "dark", 360) == []
    assert 10_000 < opened.transferred() <= BUDGET


def test_the_start_leads_to_the_first_page(visit):
    opened = visit(START, wait=False)
    opened.page.wait_for_url("**/book/index.html")
    assert not opened.wrong


@pytest.mark.parametrize("over", ["file", "http"])
def test_search_finds_a_page(visit, over):
    opened = visit("search.html?q=permutation", over=over)
    opened.page.wait_for_selector("#search-results li a")
    assert not opened.wrong, "\n".join(opened.wrong)


def test_source_lines_are_reached_on_a_narrow_screen(visit):
    """A link under a statement scrolls to its line, and the page itself does not scroll sideways."""
    name = next(name for name in NAMES if name.startswith("_code/"))
    opened = visit(f"{name}#L-3", scheme="dark", width=360)
    assert faults(opened, "dark", 360) == []
    assert opened.page.evaluate("() => document.querySelector(':target').textContent.length") > 0


def test_theme_switch_stays_chosen(visit):
    opened = visit(READ[0])
    button = opened.page.locator("button.theme-switch-button:visible").first
    seen = set()
    for _ in range(3):
        button.click()
        seen.add(opened.page.evaluate(MODE))
    assert seen == {"light", "dark", "auto"}
    while opened.page.evaluate(MODE) != "dark":
        button.click()
    opened.goto(READ[-1])
    assert opened.page.evaluate(THEME) == "dark"
    assert not opened.wrong


def test_works_without_javascript(visit):
    """The text is there and legible before any script has run."""
    opened = visit(READ[0], java_script_enabled=False, wait=False)
    assert opened.page.locator("article.bd-article h1").is_visible()
    assert opened.page.locator("html").get_attribute("data-theme") == "light"


def test_a_request_to_another_host_would_be_noticed(visit):
    opened = visit(READ[0])
    opened.page.evaluate("() => fetch('https://example.org/').catch(() => {})")
    assert any("another host" in line for line in opened.wrong)
    assert any("failed" in line for line in opened.wrong)
