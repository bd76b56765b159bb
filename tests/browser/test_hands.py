"""Every widget by pointer, by finger on a narrow screen, and by keyboard alone: each changes the state, and Escape takes it back."""

from __future__ import annotations

import pytest
from widget_page import Widget, pages_of_widgets

pytestmark = pytest.mark.browser
ORDERED = sorted({"permute-units", "permutation-matrix", "elementwise-commutes", "flat-valley", "gradient-relabel", "orbit",
                  "twin-training"} & set(pages_of_widgets()))  # widgets whose handles carry units from slot to slot
PHONE = {"width": 360, "has_touch": True, "is_mobile": True}


def opened(visit, slug, **options):
    return Widget(visit(pages_of_widgets()[slug][0], **options), slug)


def arranged(visit, slug, **options):
    """The widget with its units in order, all of them different."""
    w = opened(visit, slug, **options)
    state = w.state()
    n = len(state["perm"])
    extra = {"groups": list(range(n)), "focus": 0}  # where the widget has them
    w.set_state(state | {"perm": list(range(n))} | {name: value for name, value in extra.items() if name in state})
    return w


def touched(w, chart, part, finger):
    """Point at the middle line of a chart, at a part of its width, with the finger or the pointer."""
    here = w.root.locator(chart)
    (x, y), = w.centres(here)
    x += (part - 0.5) * here.bounding_box()["width"]
    w.page.touchscreen.tap(x, y) if finger else w.page.mouse.click(x, y)


def first_two(w):
    """The handles of the first two slots that hold different units."""
    handles = w.root.locator("[data-unit]")
    return handles.nth(0), handles.nth(1)


@pytest.mark.parametrize("slug", ORDERED)
def test_pointer(visit, slug):
    w = arranged(visit, slug)
    start = w.state()["perm"]
    w.drag(*first_two(w))
    assert w.state()["perm"] == [start[1], start[0], *start[2:]]
    assert w.status() and not w.visit.wrong


@pytest.mark.parametrize("slug", ORDERED)
def test_finger(visit, slug):
    w = arranged(visit, slug, **PHONE)
    start = w.state()["perm"]
    w.touch(*first_two(w))
    assert w.state()["perm"] == [start[1], start[0], *start[2:]]
    assert not w.visit.wrong


@pytest.mark.parametrize("slug", ORDERED)
def test_keyboard_alone(visit, slug):
    w = arranged(visit, slug)
    start = w.state()["perm"]
    w.root.locator("button").first.focus()
    for _ in range(60):
        w.page.keyboard.press("Tab")
        if w.page.evaluate("document.activeElement.dataset?.unit") == str(start[0]):
            break
    else:
        pytest.fail("Tab does not reach the handles")
    w.page.keyboard.press("ArrowRight")
    assert w.state()["perm"] == [start[1], start[0], *start[2:]]
    w.page.keyboard.press("End")
    assert w.state()["perm"] == [*start[1:], start[0]]
    w.page.keyboard.press("Home")
    assert w.state()["perm"] == start
    for _ in range(2):
        w.page.keyboard.press("Escape")
    assert w.state()["perm"] == [start[1], start[0], *start[2:]]


def run_steps(w, count):
    w.option("per_click").fill(str(count))
    w.option("per_click").press("Enter")
    w.act("step")


def test_twins_stay_together_up_to_rounding(visit):
    w = opened(visit, "twin-training")
    run_steps(w, 200)
    assert 0 <= w.residual() < 1e-10
    assert "200" in w.status()


@pytest.mark.parametrize("noise, breaks", [("minibatch", False), ("dropout", True)])
def test_the_laboratory_tells_noise_that_breaks_from_noise_that_does_not(visit, noise, breaks):
    w = opened(visit, "symmetry-lab")
    w.set_state(w.state() | {"noises": [noise]})
    run_steps(w, 50)
    assert (w.residual() > 1e-6) if breaks else (w.residual() == 0)


def test_a_unit_of_the_laboratory_is_taken_out_of_the_group_by_pointer_finger_and_key(visit):
    for options in ({}, PHONE):
        w = opened(visit, "symmetry-lab", **options)
        group = w.state()["group"]
        handle = w.root.locator(f'[data-unit="{group[-1]}"]').first
        handle.scroll_into_view_if_needed()
        handle.tap() if options else handle.click()
        assert w.state()["group"] == group[:-1]
        handle.focus()
        w.page.keyboard.press("Enter")
        assert sorted(w.state()["group"]) == sorted(group)


def test_the_loss_surface_by_pointer_finger_and_key(visit):
    for options in ({}, PHONE):
        w = opened(visit, "loss-surface", **options)
        start = w.state()["start"]
        (x, y), = w.centres(w.root.locator("[data-cross]"))  # the cross stands on the map
        w.page.touchscreen.tap(x - 40, y - 30) if options else w.page.mouse.click(x - 40, y - 30)
        moved = w.state()["start"]
        assert moved != start
        assert w.residual() == 0, "the mirrored descent is the mirror image"
        w.page.keyboard.press("Escape")
        assert w.state()["start"] == start
    assert not w.visit.wrong


@pytest.mark.parametrize("options", [{}, PHONE], ids=["pointer", "finger"])
def test_a_bar_is_chosen_by_pointer_finger_and_key(visit, options):
    w = opened(visit, "saddle-count", **options)
    w.set_state({"hidden": [20], "K": 2})
    touched(w, "[data-bars]", 0.8, finger=bool(options))
    chosen = w.state()["K"]
    assert 7 <= chosen <= 9
    for key, K in (("ArrowRight", chosen + 1), ("End", 10), ("Home", 1), ("Escape", 10)):
        w.page.keyboard.press(key)
        assert w.state()["K"] == K
    assert not w.visit.wrong


def test_the_number_of_pairs_is_typed(visit):
    """Up to half of the widest layer, which changes with the layers; above it is refused in words, and nothing changes."""
    w = opened(visit, "saddle-count")
    w.set_state({"hidden": [20], "K": 2})
    w.option("K").fill("7")
    w.option("K").press("Enter")
    assert w.state()["K"] == 7 and "order 7" in w.status()
    w.option("K").fill("10")
    w.option("K").blur()
    assert w.state()["K"] == 10
    held, words = w.state(), w.status()
    for wrong in ("11", "0", "2.5", ""):
        w.option("K").fill(wrong)
        w.option("K").press("Enter")
        assert f"coinciding pairs K is {wrong or 'empty'}; a whole number from 1 to 10 is required" in w.message()
        assert (w.state(), w.status(), w.option("K").input_value()) == (held, words, "10")
    w.set_state({"hidden": [7], "K": 1})
    w.option("K").fill("4")
    w.option("K").press("Enter")
    assert "from 1 to 3 is required" in w.message() and w.state()["K"] == 1
    assert not w.visit.wrong


def test_permutation_points_are_counted_one_by_one_or_not_at_all(visit):
    w = opened(visit, "saddle-count")
    w.set_state({"hidden": [4, 7], "K": 1})
    w.act("run")
    w.root.locator('[data-residual="0"]').wait_for(timeout=20_000)
    assert "15 120 of 279 936 words" in w.status().replace("\u202f", " ") and w.state()["checked"]
    w.set_state({"hidden": [7, 7, 7], "K": 2})
    assert not w.state()["checked"] or w.residual() == 0
    w.root.evaluate("""root => { for (const action of ["run", "pause"]) root.querySelector(`[data-action=${action}]`).click(); }""")
    assert not w.state()["checked"] and not w.state()["running"], "cancelled before the next frame"
    assert not w.visit.wrong


def test_the_valley_is_walked_by_slider_key_and_play(visit):
    w = opened(visit, "flat-valley", reduced_motion="no-preference")
    end = int(w.option("at").get_attribute("max"))
    for name, key in (("share", "End"), ("push", "Home"), ("at", "ArrowRight")):
        w.option(name).focus()
        w.page.keyboard.press(key)
    state = w.state()
    assert (state["share"], state["push"], state["at"]) == (2, -1, 1)
    w.act("run")
    w.page.wait_for_function("end => document.querySelector('[data-widget=flat-valley]').permsym.getState().at === end", arg=end, timeout=30_000)
    assert not w.state()["running"] and w.residual() < 1e-9
    assert not w.visit.wrong


def test_the_valley_says_which_half_has_lambda_and_what_is_walked(visit):
    w = opened(visit, "flat-valley")
    start = w.state()
    w.set_state(start | {"unit": 1, "share": 0.25, "push": 0, "at": 0})
    share = w.option("share").locator("xpath=following-sibling::output")
    assert share.inner_text() == "unit 1 keeps 0.25 a, its copy, unit 3, has 0.75 a"
    assert "Unit 1 is split and keeps the share λ = 0.25; its copy is unit 3." in w.status()
    shares = w.root.locator("svg.permsym-valley text.permsym-small").all_text_contents()
    assert shares.index("0.25") < shares.index("0.75"), "slot 1 before slot 3"
    w.act("identity")
    assert "needs no move: the walk silences the copy and restores it; at 0 of 24, leg 1 of 2" in w.status()
    w.set_state(w.state() | {"perm": [0, 3, 2, 1], "at": 0})
    assert "has 1 move;" in w.status()
    assert not w.visit.wrong


@pytest.mark.parametrize("options", [{}, PHONE], ids=["pointer", "finger"])
def test_the_saddle_path_by_pointer_finger_and_key(visit, options):
    w = opened(visit, "saddle-path", **options)
    last = len(w.state()["losses"]) - 1
    touched(w, "[data-scrub]", 0.5, finger=bool(options))
    chosen = w.state()["at"]
    assert 0.25 * last < chosen < 0.75 * last
    for key, at in (("ArrowRight", chosen + 1), ("End", last), ("Home", 0), ("Escape", last)):
        w.page.keyboard.press(key)
        assert w.state()["at"] == at
    w.act("middle")
    assert "permutation point" in w.status() and "index 1, nullity 1" in w.status() and w.residual() == 0
    assert not w.visit.wrong


@pytest.mark.parametrize("slug", sorted({"flat-valley", "loss-surface", "saddle-path", "symmetry-lab", "twin-training"} & set(pages_of_widgets())))
def test_the_keyboard_stays_with_run_and_pause(visit, slug):
    """Either button takes the other's place, and the focus goes with it rather than to the top of the page."""
    w = opened(visit, slug, reduced_motion="no-preference")
    focused = "root => root.contains(document.activeElement) ? document.activeElement.dataset.action : null"
    if slug == "loss-surface":
        w.set_state(w.state() | {"at": 0})
    w.root.locator('[data-action="run"]').focus()
    for running, action in ((True, "pause"), (False, "run")):
        w.page.keyboard.press("Enter")
        assert (w.state()["running"], w.root.evaluate(focused)) == (running, action)
    assert not w.visit.wrong
