"""The widget permute-units by pointer, touch and keyboard."""

from __future__ import annotations

import pytest
from widget_page import Widget, pages_of_widgets

pytestmark = pytest.mark.browser
SLUG = "permute-units"
BREAKS = ("b1", "W2", "transpose", "cumulative")


@pytest.fixture
def opened(visit):
    """``opened(**options)``: the widget on its first page."""
    def open_widget(**options):
        return Widget(visit(pages_of_widgets()[SLUG][0], **options), SLUG)
    return open_widget


def handle(w, unit):
    return w.root.locator(f'[data-unit="{unit}"]')


def test_keyboard_alone_moves_a_unit_and_everything_with_it(opened):
    w = opened()
    start = w.state()["perm"]
    h, unit = len(start), start[0]
    w.root.locator("button").first.focus()
    for _ in range(30):  # by Tab from the first button on, as a reader would
        w.page.keyboard.press("Tab")
        if w.page.evaluate("document.activeElement.dataset?.unit") == str(unit):
            break
    else:
        pytest.fail("Tab does not reach the handles")
    w.page.keyboard.press("ArrowRight")
    assert w.units() == w.state()["perm"] == [start[1], unit, *start[2:]]
    assert w.page.evaluate("document.activeElement.dataset.unit") == str(unit), "the focus follows the unit"
    w.page.keyboard.press("End")
    assert w.units()[-1] == unit
    w.page.keyboard.press("Home")
    assert w.units()[0] == unit
    w.page.keyboard.press("Shift+ArrowRight")
    assert w.page.evaluate("document.activeElement.dataset.unit") == str(w.units()[1])
    assert f"Slots hold units {', '.join(str(u) for u in start)}" in w.status()
    for _ in range(3):
        w.page.keyboard.press("Escape")
    assert w.units() == start and h == len(w.units())
    assert not w.visit.wrong


def test_the_pointer_picks_a_unit_up(opened):
    w = opened()
    start = w.units()
    w.drag(handle(w, start[0]), handle(w, start[2]))
    assert w.units() == [start[1], start[2], start[0], *start[3:]] == w.state()["perm"]
    assert w.residual() < 1e-12


def test_a_finger_picks_a_unit_up(opened):
    w = opened(width=360, has_touch=True, is_mobile=True)
    start = w.units()
    w.touch(handle(w, start[0]), handle(w, start[1]))
    assert w.units() == [start[1], start[0], *start[2:]]


@pytest.mark.parametrize("mistake", BREAKS)
def test_each_switch_breaks_the_equality(opened, mistake):
    w = opened()
    if mistake == "transpose":
        w.option("cycles").fill("(0 2 1)")
    else:
        w.option("cycles").fill("(0 1)")
    w.option("cycles").press("Enter")
    assert w.residual() < 1e-12 and "broken" not in w.status()
    w.option(mistake).check()
    assert w.residual() > 1e-3
    assert "broken: " in w.status() and "Broken on purpose" in w.status()
    w.option(mistake).uncheck()
    assert w.residual() < 1e-12


def test_a_swap_hides_the_wrong_transpose(opened):
    w = opened()
    w.option("cycles").fill("(0 1)")
    w.option("cycles").press("Enter")
    w.option("transpose").check()
    assert w.residual() < 1e-12


def test_buttons_and_the_matrix(opened):
    w = opened()
    start = w.units()
    w.act("reverse")
    assert w.units() == start[::-1]
    w.act("identity")
    assert w.units() == sorted(start)
    w.act("step")
    assert w.units() == [*sorted(start)[:-2], *sorted(start)[:-3:-1]]
    w.act("identity")
    w.root.locator('[data-p="2,0"]').click()
    assert w.units()[0] == 2 and w.units()[2] == 0
    before = w.units()
    w.act("random")
    w.act("random")
    assert sorted(w.units()) == sorted(before)


@pytest.mark.parametrize("text, words", [("(1 2", "not a list"), ("(1 99)", "not a unit"), ("(0 1)(1 2)", "twice")])
def test_bad_cycles_are_refused_in_words_and_change_nothing(opened, text, words):
    w = opened()
    start = w.state()
    w.option("cycles").fill(text)
    w.option("cycles").press("Enter")
    assert words in w.message() and w.state() == start


def test_a_broken_link_shows_the_widget_as_it_starts(visit):
    address = pages_of_widgets()[SLUG][0]
    start = Widget(visit(address), SLUG).state()
    for state in ("%7B%22perm%22%3A%5B0%2C0%5D%7D", "nonsense", "%7B%22network%22%3A1%7D"):
        page = visit(f"{address}#{SLUG}={state}")
        assert Widget(page, SLUG).state() == start
        assert not page.wrong


def of_images(visit, **options):
    """The widget on the first page that shows a network on images."""
    for address in pages_of_widgets()[SLUG]:
        page = visit(address, **options)
        for index in range(page.page.locator(f'[data-permsym-mount="{SLUG}"]').count()):
            w = Widget(page, SLUG, index)
            if len(w.state()["network"]["W1"]) == 784:
                return w
    pytest.fail("no page shows a network on images")


def all_in_view(w):
    """Whether every unit's handle is drawn within the box around the ribbons."""
    return w.root.evaluate("""root => {
      const box = root.querySelector(".permsym-ribbons").closest(".permsym-scroll").getBoundingClientRect();
      return [...root.querySelectorAll("[data-unit]")].every((handle) => {
        const { left, right, width } = handle.getBoundingClientRect();
        return left >= box.left && right <= box.right && width >= 16;
      });
    }""")


def test_all_units_fit_a_narrow_page(visit, opened):
    w = of_images(visit, width=360)
    assert len(w.units()) >= 8 and all_in_view(w)
    assert w.root.evaluate("root => [...root.querySelectorAll('.permsym-still table')].every((t) => "
                           "(t.closest('.permsym-scroll') ?? t).getBoundingClientRect().right <= root.getBoundingClientRect().right)")
    w = opened(width=360)
    w.option("h").fill("10")
    w.option("h").press("Enter")
    assert len(w.units()) == 10 and all_in_view(w)


def test_a_turned_screen_draws_the_units_anew_and_keeps_the_focus(visit):
    w = of_images(visit)
    before, unit = w.state(), w.units()[2]
    wide = handle(w, unit).bounding_box()["width"]
    handle(w, unit).focus()
    w.page.set_viewport_size({"width": 360, "height": 740})
    w.page.wait_for_function("([slug, wide]) => document.querySelector(`[data-widget=${slug}] [data-unit]`).getBoundingClientRect().width < wide",
                             arg=[SLUG, wide - 4])
    assert w.page.evaluate("document.activeElement.dataset.unit") == str(unit)
    assert all_in_view(w) and w.units() == before["perm"]
    w.page.keyboard.press("ArrowRight")
    assert w.units().index(unit) == 3
    assert not w.visit.wrong


def test_inputs_without_edges_are_explained(visit, opened):
    assert "784 inputs: 6 stand for them, and their edges are not drawn." in of_images(visit).root.locator(".permsym-graph-panel").inner_text()
    assert "not drawn" not in opened().root.inner_text()


def test_sizes_can_be_edited(opened):
    w = opened()
    if w.option("h").is_visible():
        w.option("h").fill("10")
        w.option("h").press("Enter")
        assert len(w.units()) == 10
        w.option("h").fill("11")
        w.option("h").press("Enter")
        assert "from 2 to 10 is required" in w.message() and len(w.units()) == 10


def test_a_wrong_state_is_refused_in_words_and_changes_nothing(opened):
    w = opened()
    start, words = w.state(), w.status()
    for wrong in [None, 5, "abc", [1, 2], {"nope": 1}, {"perm": [0, 0, 1, 2, 3]}, {"activation": "no"}]:
        said = w.root.evaluate("""(root, state) => {
          try { root.permsym.setState(state); return null; } catch (error) { return `${error.name}: ${error.message}`; }
        }""", wrong)
        assert said and said.startswith("RangeError") and "required" in said or "parts are" in said, (wrong, said)
        assert (w.state(), w.status()) == (start, words)


def test_a_state_from_a_link_is_kept_by_the_next_change(visit):
    address = pages_of_widgets()[SLUG][0]
    w = Widget(visit(f"{address}#{SLUG}=%7B%22perm%22%3A%5B4%2C3%2C2%2C1%2C0%5D%7D"), SLUG)
    assert w.state()["perm"] == [4, 3, 2, 1, 0]
    w.set_state({"activation": "relu"})
    assert w.state()["perm"] == [4, 3, 2, 1, 0] and w.state()["activation"] == "relu"
