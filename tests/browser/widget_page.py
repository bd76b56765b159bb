"""Driving one widget of the built book: where it is, how it is mounted, its contract's parts."""

from __future__ import annotations

import functools
import json
import re

import built

MOUNT = re.compile(r'data-permsym-mount="([\w-]+)"')


@functools.cache
def pages_of_widgets() -> dict[str, list[str]]:
    """Slug to the addresses of the pages that have the widget."""
    found: dict[str, list[str]] = {}
    for path in sorted(built.HTML.glob("**/*.html")):
        if "_code" in path.parts:
            continue
        for slug in dict.fromkeys(MOUNT.findall(path.read_text(encoding="utf-8"))):
            found.setdefault(slug, []).append(path.relative_to(built.HTML).as_posix())
    return found


# The centres of elements, once nothing moves any more: no motion runs in the widget, no widget near the view is still to come, and
# two frames find the elements in one place.
AT_REST = """async (root, nodes) => {
  const frame = () => new Promise(requestAnimationFrame);
  const where = () => nodes.map((node) => {
    const { x, y, width, height } = node.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  });
  const coming = () => [...document.querySelectorAll("[data-permsym-mount]:not([data-mounted])")].some((place) => {
    const { top, bottom } = place.getBoundingClientRect();
    return bottom > -200 && top < innerHeight + 200;
  });
  const end = performance.now() + 20000;
  for (let found = where(); performance.now() < end; found = where()) {
    await frame();
    await Promise.all(root.getAnimations({ subtree: true }).map((motion) => motion.finished.catch(() => {})));
    await frame();
    if (!coming() && JSON.stringify(where()) === JSON.stringify(found)) return found;
  }
  throw new Error("the page does not come to rest");
}"""


class Widget:
    """A mounted widget on an open page."""

    def __init__(self, visit, slug: str, index: int = 0):
        self.visit, self.page, self.slug = visit, visit.page, slug
        place = self.page.locator(f'[data-permsym-mount="{slug}"]').nth(index)
        place.scroll_into_view_if_needed()
        self.root = place.locator(f'.permsym-widget[data-widget="{slug}"]')
        self.root.wait_for(timeout=20_000)

    def state(self) -> dict:
        """What ``el.permsym.getState()`` gives."""
        return self.root.evaluate("root => root.permsym.getState()")

    def set_state(self, state: dict) -> None:
        """``el.permsym.setState(state)``."""
        self.root.evaluate("(root, state) => root.permsym.setState(state)", state)

    def status(self) -> str:
        """The words of the status line."""
        return self.root.locator('[role="status"]').inner_text()

    def message(self) -> str:
        """The words about bad input, or nothing."""
        return self.root.locator(".permsym-message").first.inner_text()

    def residual(self) -> float:
        """The number of the element ``data-residual``."""
        return float(self.root.locator("[data-residual]").first.get_attribute("data-residual"))

    def act(self, action: str) -> None:
        """Press a button by its contract's name."""
        self.root.locator(f'[data-action="{action}"]').first.click()

    def option(self, name: str):
        """A field by its contract's name."""
        return self.root.locator(f'[data-option="{name}"]').first

    def centres(self, first, *others) -> list[tuple[float, float]]:
        """Where the middles of elements stand in the view, with the first scrolled into it, when nothing moves any more."""
        first.scroll_into_view_if_needed()
        nodes = [locator.element_handle() for locator in (first, *others)]
        return [tuple(point) for point in self.page.evaluate(f"([root, ...nodes]) => ({AT_REST})(root, nodes)", [self.root.element_handle(), *nodes])]

    def drag(self, handle, target) -> None:
        """Take hold of a handle with the pointer, go along its row to below or above the target, and let go."""
        (_, y), (x, _) = self.centres(handle, target)
        handle.hover()  # waits until the handle is what the pointer meets
        self.page.mouse.down()
        self.page.mouse.move(x, y, steps=8)
        self.page.mouse.up()

    def touch(self, handle, target) -> None:
        """The same with a finger."""
        start, (far, _) = self.centres(handle, target)
        client = self.page.context.new_cdp_session(self.page)

        def send(kind, *points):
            client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})
        send("touchStart", start)
        for part in range(1, 9):
            send("touchMove", (start[0] + (far - start[0]) * part / 8, start[1]))
        send("touchEnd")

    def units(self) -> list[int]:
        """The handles' units in document order, which is the visual order."""
        return [int(u) for u in self.root.locator("[data-unit]").evaluate_all("hs => hs.map(h => h.dataset.unit)")]

    def link(self) -> str:
        """The URL's hash, with what waits to be written: leaving the page writes it."""
        return self.page.evaluate("() => { dispatchEvent(new Event('pagehide')); return location.hash; }")

    def hash_state(self):
        """The widget's entry in the URL's hash, or None."""
        self.link()
        found = self.page.evaluate("""slug => {
          const entry = location.hash.slice(1).split("&").find((part) => part.startsWith(slug + "="));
          return entry ? decodeURIComponent(entry.slice(slug.length + 1)) : null;
        }""", self.slug)
        return None if found is None else json.loads(found)
