"""What every widget keeps to: its contract, reset and link, a random walk, no script, small screens, no stray request."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from widget_page import Widget, pages_of_widgets

pytestmark = pytest.mark.browser
SLUGS = sorted(pages_of_widgets())
WALK = Path(__file__).with_name("random_walk.js").read_text(encoding="utf-8")
FUZZ = Path(__file__).with_name("wrong_states.js").read_text(encoding="utf-8")
STEPS = 2000
ENDLESS = ["run", "play"]  # buttons that start what goes on by itself

HANDLES = """
      const units = [...root.querySelectorAll("[data-unit]")].map((h) => Number(h.dataset.unit));
      if (String(units) !== String(state.perm)) return "handles " + units + " do not stand as perm " + state.perm;"""
RESIDUAL = """
      const residual = Number(root.querySelector("[data-residual]").dataset.residual);"""
LEGAL = """
      const legal = !Object.values(state.mistakes).some(Boolean);
      if (legal && (root.querySelector("[data-residual].permsym-broken") || !(residual < LIMIT))) {
        return "a legal move leaves the residual " + residual;
      }"""
INVARIANTS = {
    "permute-units": HANDLES + RESIDUAL + LEGAL.replace("LIMIT", "1e-12") + "return null;",
    "permutation-matrix": HANDLES + RESIDUAL + LEGAL.replace("LIMIT", "1e-300") + "return null;",
    "gradient-relabel": HANDLES + RESIDUAL + LEGAL.replace("LIMIT", "1e-9") + "return null;",
    "elementwise-commutes": HANDLES + RESIDUAL + """
      const bySlot = ["prelu", "cumulative", "layer_norm_gain", "alternate", "sort"].includes(state.function);
      return bySlot || residual < 1e-12 ? null : state.function + " leaves the residual " + residual;""",
    "flat-valley": HANDLES + RESIDUAL + LEGAL.replace("LIMIT", "1e-9") + "return null;",
    "orbit": HANDLES + RESIDUAL + """
      return residual < 1e-10 ? null : "an element of the orbit changes the output by " + residual;""",
    "saddle-count": RESIDUAL + """
      return residual === 0 ? null : "formula and enumeration differ by " + residual;""",
    "saddle-path": RESIDUAL + """
      return residual === 0 ? null : "the halves of the path differ by " + residual;""",
}
BREAKS = {"flat-valley": "mistakes", "permutation-matrix": "mistakes", "gradient-relabel": "mistakes", "permute-units": "mistakes"}


def first_page(slug):
    return pages_of_widgets()[slug][0]


def test_the_book_has_widgets():
    assert SLUGS, "no page of the built book has a widget"


@pytest.mark.parametrize("slug", SLUGS)
def test_contract(visit, slug):
    page = visit(first_page(slug))
    w = Widget(page, slug)
    assert w.root.get_attribute("data-widget") == slug
    assert w.status().strip()
    assert w.root.locator('[data-action="reset"]').count() == 1
    assert isinstance(w.state(), dict)
    assert w.root.evaluate("root => root.parentElement.permsym === root.permsym")
    assert not page.wrong


@pytest.mark.parametrize("slug", SLUGS)
def test_set_state_of_get_state_changes_nothing(visit, slug):
    w = Widget(visit(first_page(slug)), slug)
    state, words = w.state(), w.status()
    w.set_state(state)
    assert (w.state(), w.status()) == (state, words)


@pytest.mark.parametrize("slug", SLUGS)
def test_random_walk_then_reset_and_link(visit, slug):
    page = visit(first_page(slug))
    w = Widget(page, slug)
    start, words = w.state(), w.status()
    arguments = {"slug": slug, "seed": 1992, "skip": ENDLESS}
    wrong = page.page.evaluate(WALK, arguments | {"steps": STEPS, "invariant": INVARIANTS.get(slug, "")})
    assert wrong is None
    state, told = w.state(), w.status()
    if state != start:
        assert w.hash_state() is not None
        other = visit(first_page(slug) + w.link())
        there = Widget(other, slug)
        assert (there.state(), there.status()) == (state, told)
        assert not other.wrong
    w.act("reset")
    assert (w.state(), w.status(), w.hash_state()) == (start, words, None)
    assert not page.wrong


@pytest.mark.parametrize("slug", SLUGS)
def test_a_wrong_state_is_refused_in_words_and_changes_nothing(visit, slug):
    """Every part of the state, and every part of its parts, by values of other kinds and sizes: from a script and from a link."""
    page = visit(first_page(slug))
    w = Widget(page, slug)
    start, words = w.state(), w.status()
    said = page.page.evaluate(FUZZ, slug)
    assert said["tried"] > 100 and said["refused"] > said["tried"] / 2, said
    assert said["wrong"] == []
    assert (w.state(), w.status()) == (start, words)
    assert not page.wrong


@pytest.mark.parametrize("slug", SLUGS)
def test_the_link_is_written_by_itself(visit, slug):
    page = visit(first_page(slug))
    w = Widget(page, slug)
    w.act(next(a for a in ("random", "step", "run") if w.root.locator(f'[data-action="{a}"]').count()))
    page.page.wait_for_function("slug => location.hash.includes(slug + '=')", arg=slug)
    assert w.hash_state()


@pytest.mark.parametrize("slug", sorted(set(SLUGS) & set(BREAKS)))
def test_each_mistake_breaks_the_equality(visit, slug):
    """The network that stands there with a permutation of order above 2, so that no mistake is hidden."""
    w = Widget(visit(first_page(slug)), slug)
    start = w.state()
    n = len(start["perm"])
    start |= {"perm": [2, 0, 1, *range(3, n)], "mistakes": {name: False for name in start["mistakes"]}}
    w.set_state(start)
    held = w.residual()
    assert held < 1e-9
    for name in start["mistakes"]:
        w.set_state(start | {"mistakes": start["mistakes"] | {name: True}})
        assert w.residual() > max(1e-6, 1e3 * held), name
        assert "broken" in w.status(), name


@pytest.mark.parametrize("slug", SLUGS)
def test_escape_undoes(visit, slug):
    page = visit(first_page(slug))
    w = Widget(page, slug)
    start = w.state()
    arguments = {"slug": slug, "seed": 7, "skip": [*ENDLESS, "reset"], "invariant": ""}
    for _ in range(20):
        page.page.evaluate(WALK, arguments | {"steps": 1})
    w.root.locator("button:enabled").first.focus()
    for _ in range(40):
        page.page.keyboard.press("Escape")
    assert w.state() == start


@pytest.mark.parametrize("slug", SLUGS)
def test_without_javascript_a_picture_a_table_and_a_sentence_stand_there(visit, slug):
    page = visit(first_page(slug), wait=False, java_script_enabled=False).page
    place = page.locator(f'[data-permsym-mount="{slug}"]').first
    assert place.locator("svg[role=img]").is_visible() and place.locator("svg[role=img]").get_attribute("aria-label")
    assert place.locator("table td").count() >= 4
    assert len(place.locator(".permsym-fallback > p").inner_text()) > 40


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_360_px(visit, slug, scheme):
    page = visit(first_page(slug), width=360, scheme=scheme, has_touch=True)
    w = Widget(page, slug)
    assert page.page.evaluate("document.documentElement.scrollWidth") <= 360
    assert w.root.bounding_box()["width"] <= 360
    assert not page.wrong


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_is_cut_off_at_a_side_has_a_shadow_there(visit, scheme):
    """Numbers of thousands of digits are wider than a phone: a shadow at the right, and at the other side when scrolled to the end."""
    image = pytest.importorskip("PIL.Image")
    w = Widget(visit(first_page("saddle-count"), width=360, scheme=scheme), "saddle-count")
    box = w.root.locator(".permsym-scroll").first
    paper = w.root.evaluate("root => getComputedStyle(root).backgroundColor.match(/\\d+/g).map(Number)")[:3]

    def contrasts():
        """How far the colours at the left and the right end of a line below the table are from the page's."""
        drawn = image.open(io.BytesIO(box.screenshot())).convert("RGB")
        ends = [drawn.getpixel((x, drawn.height - 4)) for x in (1, drawn.width - 2)]
        return [max(abs(a - b) for a, b in zip(end, paper, strict=True)) for end in ends]

    w.set_state({"hidden": [4, 6], "K": 1})
    assert box.evaluate("box => box.scrollWidth <= box.clientWidth") and max(contrasts()) <= 2, "it fits"
    w.set_state({"hidden": [512, 512], "K": 2})
    left, right = contrasts()
    assert left <= 2 and right > 40
    box.evaluate("box => { box.scrollLeft = box.scrollWidth; }")
    left, right = contrasts()
    assert left > 40 and right <= 2


def test_scripts_load_only_when_a_widget_comes_into_view(visit):
    slug, addresses = next(iter(pages_of_widgets().items()))
    page = visit(addresses[0], over="http", width=1200)
    loaded = [u for u in page.responses if u.endswith(f"/{slug}.js")]
    top = page.page.evaluate("slug => document.querySelector(`[data-permsym-mount='${slug}']`).getBoundingClientRect().top", slug)
    if top > 1200:
        assert not loaded
    Widget(page, slug)
    assert [u for u in page.responses if u.endswith(f"/{slug}.js")]
