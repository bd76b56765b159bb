"""Every page in Chromium, all other hosts out of reach: from a folder, over HTTP, light, dark, narrow."""

from __future__ import annotations

import pytest

import built

pytestmark = pytest.mark.browser

NAMES = sorted(page.name for page in built.pages().values())
MADE = ("_code/", "_modules/", "genindex", "prf-prf", "py-modindex", "search")
READ = [name for name in NAMES if not name.startswith(MADE)]
BUDGET = 4_000_000  # bytes of all that a page loads, uncompressed

PAGE_WIDTH = "() => Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)"
BACKGROUND = "() => getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)"
NOT_TYPESET = """() => [...document.querySelectorAll("span.math, div.math")]
  .filter((e) => !e.querySelector("mjx-container")).map((e) => e.textContent.slice(0, 60))"""
MATH_ERRORS = "() => document.querySelectorAll('mjx-merror, [data-mjx-error]').length"
LOAD_PICTURES = """async () => {
  for (const i of document.images) { i.loading = "eager"; await i.decode().catch(() => {}); }
}"""
NOT_SHOWN = "() => [...document.images].filter((i) => i.complete && !i.naturalWidth).map((i) => i.src)"
WIDER_THAN_THE_SCREEN = """() => {
  const right = document.documentElement.clientWidth;
  const scrolls = (e) => e && e !== document.body
    && (/(auto|scroll|hidden)/.test(getComputedStyle(e).overflowX) || scrolls(e.parentElement));
  return [...document.querySelectorAll("main *")]
    .filter((e) => e.getBoundingClientRect().right > right + 1 && !scrolls(e.parentElement))
    .slice(0, 5).map((e) => `${e.tagName}.${e.className} ${Math.round(e.getBoundingClientRect().right)}`);
}"""


def test_there_are_pages():
    built.required()
    assert READ


@pytest.mark.parametrize("name", NAMES)
def test_opens_from_a_folder(visit, name):
    opened = visit(name)
    assert not opened.wrong, "\n".join(opened.wrong)


@pytest.mark.parametrize("name", NAMES)
def test_opens_over_http_on_a_narrow_dark_screen(visit, name):
    opened = visit(name, over="http", scheme="dark", width=360)
    assert not opened.wrong, "\n".join(opened.wrong)
    width = opened.page.evaluate(PAGE_WIDTH)
    assert width <= 360, f"the page is {width} px wide: {opened.page.evaluate(WIDER_THAN_THE_SCREEN)}"


@pytest.mark.parametrize("name", READ)
def test_follows_the_readers_theme(visit, name):
    lightness = {}
    for scheme in ("light", "dark"):
        opened = visit(name, scheme=scheme)
        if opened.page.url.endswith(name):  # the root page only sends the reader on
            assert opened.page.evaluate("() => document.documentElement.dataset.theme") == scheme
        colour = opened.page.evaluate(BACKGROUND)
        lightness[scheme] = sum(colour[:3])
    assert lightness["dark"] < 150 < 600 < lightness["light"]


@pytest.mark.parametrize("name", READ)
def test_is_small_enough(visit, name):
    opened = visit(name, over="http")
    opened.page.evaluate(LOAD_PICTURES)
    total = opened.transferred()
    assert 10_000 < total <= BUDGET, f"{name} loads {total:,} bytes"


@pytest.mark.parametrize("name", READ)
def test_mathematics_and_pictures_are_shown(visit, name):
    opened = visit(name)
    assert opened.page.evaluate(MATH_ERRORS) == 0
    assert opened.page.evaluate(NOT_TYPESET) == []
    assert opened.page.evaluate(NOT_SHOWN) == []


@pytest.mark.parametrize("over", ["file", "http"])
def test_search_finds_a_page(visit, over):
    opened = visit("search.html?q=permutation", over=over)
    opened.page.wait_for_selector("#search-results li a")
    assert not opened.wrong, "\n".join(opened.wrong)


def test_theme_switch_stays_chosen(visit):
    opened = visit(READ[0])
    button = opened.page.locator("button.theme-switch-button:visible").first
    seen = set()
    for _ in range(3):
        button.click()
        seen.add(opened.page.evaluate("() => document.documentElement.dataset.mode"))
    assert seen == {"light", "dark", "auto"}
    while opened.page.evaluate("() => document.documentElement.dataset.mode") != "dark":
        button.click()
    opened.goto(READ[-1])
    assert opened.page.evaluate("() => document.documentElement.dataset.theme") == "dark"


def test_a_request_to_another_host_would_be_noticed(visit):
    opened = visit(READ[0])
    opened.page.evaluate("() => fetch('https://example.org/').catch(() => {})")
    assert any("another host" in line for line in opened.wrong)
    assert any("failed" in line for line in opened.wrong)
