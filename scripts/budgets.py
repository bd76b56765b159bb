"""Measure the widgets' budgets in the built book and print them; exit 1 when one is exceeded."""

from __future__ import annotations

import argparse
import functools
import http.server
import os
import re
import shutil
import sys
import threading
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[1]
HTML = ROOT / "_build" / "html"
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
             "--disable-component-update", "--disable-sync", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]
SCRIPTS, PAGE, MEDIAN, LATE, RATE = 150_000, 4_000_000, 16.0, 33.0, 1000.0

# A move, from the key to the end of the frame that first shows it. The key comes at the beginning of a frame, where Chromium hands out
# a pointer's moves too, so nothing waits; a task posted then runs when that frame is laid out, painted and committed. All earlier
# motion has ended, and the frames of the motion that follows are not counted. "next" is when the frame after it begins: a move that
# misses its frame puts it off.
MOVES = """async () => {
  const root = document.querySelector('.permsym-widget[data-widget="permute-units"]');
  const frame = () => new Promise(requestAnimationFrame);
  const times = [];
  for (let i = 0; i < 100; i++) {
    await Promise.all(root.getAnimations({ subtree: true }).map((motion) => motion.finished.catch(() => {})));
    await frame();
    await frame();
    const before = root.querySelector("[role=status]").textContent;
    const handle = root.querySelector("[data-unit]");
    const start = performance.now();
    handle.dispatchEvent(new KeyboardEvent("keydown", { key: i % 2 ? "End" : "ArrowRight", bubbles: true }));
    const handled = performance.now();
    const painted = await new Promise((done) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => done(performance.now());
      port2.postMessage(0);
    });
    await frame();
    if (root.querySelector("[role=status]").textContent === before) throw new Error("the key has moved nothing");
    times.push({ computed: handled - start, painted: painted - start, next: performance.now() - start });
  }
  return times;
}"""

# Places near the view, whose scripts come at once.
NEAR = """() => [...document.querySelectorAll("[data-permsym-mount]")]
  .filter((place) => place.getBoundingClientRect().top < innerHeight + 200).map((place) => place.dataset.permsymMount)"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A file server that prints nothing."""

    def log_message(self, *args):
        pass


def served():
    """The book on a port of this machine."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(HTML)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_port}"


def weights(browser, origin) -> list[dict]:
    """For every page with widgets: the bytes it transfers in all, and our scripts' share, before and after scrolling."""
    found = []
    for path in sorted(HTML.glob("*/*.html")):
        if "data-permsym-mount" not in path.read_text(encoding="utf-8") or path.parts[-2].startswith("_"):
            continue
        page, sizes = browser.new_page(), {}
        page.on("response", lambda r, sizes=sizes: sizes.update({r.url: r}))
        page.goto(f"{origin}/{path.relative_to(HTML).as_posix()}", wait_until="networkidle")
        near = page.evaluate(NEAR)
        early = [name for url in sizes for name in re.findall(r"/_permsym/(?!host)([\w-]+)\.js$", url) if name not in near]
        for place in page.locator("[data-permsym-mount]").all():
            place.scroll_into_view_if_needed()
            place.locator(".permsym-widget").first.wait_for()
        bytes_of = {url: len(r.body()) for url, r in sizes.items() if r.status == 200}
        ours = sum(n for url, n in bytes_of.items() if "/_permsym/" in url and url.endswith(".js"))
        found.append({"page": path.stem, "all": sum(bytes_of.values()), "ours": ours, "early": early})
        page.close()
    return found


def moves(browser, origin) -> dict[str, list[float]]:
    """Milliseconds of 100 moves in permute-units with ten units, sorted: computed, painted, and until the next frame."""
    page = browser.new_page()
    page.goto(f"{origin}/notebooks/forward_invariance.html", wait_until="networkidle")
    place = page.locator('[data-permsym-mount="permute-units"]').first
    place.scroll_into_view_if_needed()
    field = place.locator('[data-option="h"]')
    field.fill("10")
    field.press("Enter")
    times = page.evaluate(MOVES)
    page.close()
    return {part: sorted(t[part] for t in times) for part in ("computed", "painted", "next")}


def at(times: list[float], share: float) -> float:
    """The quantile of sorted numbers."""
    return times[min(int(share * len(times)), len(times) - 1)]


def rate() -> float:
    """Steps a second of twin-training's numerics for 2-16-1 with 64 samples, in Node.js."""
    import runpy
    import subprocess
    node = runpy.run_path(str(ROOT / "hatch_build.py"))["node"]()
    out = subprocess.run([node, str(ROOT / "js" / "bench" / "twin.mjs")], capture_output=True, text=True).stdout
    return min(float(n.replace(",", "")) for n in re.findall(r"([\d,]+) steps/s", out))


def main() -> int:
    argparse.ArgumentParser(description=__doc__).parse_args()
    server, origin = served()
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as p:
        browser = p.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        times = moves(browser, origin)
        pages = weights(browser, origin)
        browser.close()
    server.shutdown()
    steps = rate()
    rows = [(f"{p['page']}: our scripts", p["ours"], SCRIPTS, p["ours"] <= SCRIPTS and not p["early"]) for p in pages]
    rows += [(f"{p['page']}: all that it loads", p["all"], PAGE, p["all"] <= PAGE) for p in pages]
    shown = times["painted"]
    rows += [("permute-units, h = 10, a move in its frame, median ms", at(shown, 0.5), MEDIAN, at(shown, 0.5) < MEDIAN),
             ("permute-units, h = 10, a move in its frame, 95th percentile ms", at(shown, 0.95), LATE, at(shown, 0.95) < LATE),
             ("twin-training 2-16-1, 64 samples, steps/s", steps, RATE, steps >= RATE)]
    for name, value, limit, good in rows:
        print(f"{'ok  ' if good else 'OVER'} {name:64} {value:>12,.1f}  limit {limit:,.0f}")
    for part, words in (("computed", "of which computing"), ("next", "until the next frame begins")):
        print(f"     {words}: {at(times[part], 0.5):.1f} ms in the median, {at(times[part], 0.95):.1f} ms at the 95th percentile")
    early = {name for p in pages for name in p["early"]}
    if early:
        print(f"     fetched before they came into view: {', '.join(sorted(early))}")
    return 0 if all(row[3] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
