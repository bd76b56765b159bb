"""Accessibility of every page, widgets included, by axe-core: WCAG 2.1 A and AA, light and dark."""

from __future__ import annotations

import pytest
from test_pages import READ as NAMES

import built

pytestmark = pytest.mark.browser
AXE = built.ROOT / "js" / "node_modules" / "axe-core" / "axe.min.js"
PAGES = [name for name in NAMES if not name.startswith("_code/")]
RUN = """async () => {
  const options = { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"], resultTypes: ["violations"] };
  const { violations } = await axe.run(document, options);
  return violations.map((v) => `${v.id}: ${v.help}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160)).join(" | ")}`);
}"""


def mount_all(page):
    """Bring every widget into view, so that it is there when axe looks."""
    for place in page.locator("[data-permsym-mount]").all():
        place.scroll_into_view_if_needed()
        place.locator(".permsym-widget").first.wait_for(timeout=20_000)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("address", PAGES)
def test_no_violation(visit, address, scheme):
    page = visit(address, scheme=scheme, bypass_csp=True, reduced_motion="reduce").page
    mount_all(page)
    page.add_script_tag(path=str(AXE))
    assert page.evaluate(RUN) == []
