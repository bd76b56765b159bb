"""Accessibility of every page, widgets included, by axe-core: WCAG 2.1 A and AA, light and dark.

Dark is another set of colours on the same document, so there the rules on colours run again, and no others.
"""

from __future__ import annotations

import pytest
from test_pages import READ as NAMES

import built

pytestmark = pytest.mark.browser
AXE = built.ROOT / "js" / "node_modules" / "axe-core" / "axe.min.js"
PAGES = [name for name in NAMES if not name.startswith("_code/")]
COLOURS = ["color-contrast", "link-in-text-block"]
RUN = """async (rules) => {
  const only = rules ? { type: "rule", values: rules } : { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"] };
  const { violations } = await axe.run(document, { runOnly: only, resultTypes: ["violations"] });
  return violations.map((v) => `${v.id}: ${v.help}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160)).join(" | ")}`);
}"""


def mount_all(page):
    """Bring every widget into view, so that it is there when axe looks."""
    for place in page.locator("[data-permsym-mount]").all():
        place.scroll_into_view_if_needed()
        place.locator(".permsym-widget").first.wait_for(timeout=20_000)


@pytest.mark.parametrize("address", PAGES)
def test_no_violation(visit, address):
    page = visit(address, bypass_csp=True, reduced_motion="reduce").page
    mount_all(page)
    page.add_script_tag(path=str(AXE))
    assert page.evaluate(RUN) == []
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("() => document.documentElement.dataset.theme === 'dark'")
    assert page.evaluate(RUN, COLOURS) == []


def test_a_violation_would_be_noticed(visit):
    page = visit(PAGES[0], bypass_csp=True).page
    page.add_script_tag(path=str(AXE))
    page.evaluate("""() => {
      const text = document.createElement("p");
      text.textContent = "hardly legible";
      text.style.cssText = "color: #777777; background: #808080";
      document.querySelector("article").prepend(text, document.createElement("img"));
    }""")
    for rules, found in ((None, {"color-contrast", "image-alt"}), (COLOURS, {"color-contrast"})):
        assert {line.split(":")[0] for line in page.evaluate(RUN, rules)} >= found
