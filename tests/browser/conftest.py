"""A Chromium that reaches this machine and no other, and the built book from a folder and over HTTP."""

from __future__ import annotations

import functools
import http.server
import os
import shutil
import threading

import pytest

import built

# Only the test's own server resolves: any other request fails, and with it the test.
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]  # fmt: skip

# Like playwright's own, the shell has no windows, tabs and menus around the page, which take longer than the page.
INSTALLED = ["chromium-headless-shell", "chromium", "chromium-browser"]


class Quiet(http.server.SimpleHTTPRequestHandler):
    """The standard library's server without a line for each request."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass


@pytest.fixture(scope="session")
def browser():
    """The Chromium that CHROMIUM names, or Debian's, or else playwright's own."""
    sync_api = pytest.importorskip("playwright.sync_api")
    found = [os.environ.get("CHROMIUM"), *map(shutil.which, INSTALLED)]
    path = next(filter(None, found), None)
    with sync_api.sync_playwright() as playwright:
        try:
            chromium = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        except sync_api.Error as error:
            reason = f"no Chromium: install it, or name it with CHROMIUM ({str(error).splitlines()[0]})"
            if os.environ.get("CI"):
                pytest.fail(reason)
            pytest.skip(reason)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def origins():
    """Where the book is: ``file`` and ``http``, each without a slash at the end."""
    built.required()
    handler = functools.partial(Quiet, directory=str(built.HTML))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield {"file": built.HTML.resolve().as_uri(), "http": f"http://127.0.0.1:{server.server_port}"}
        server.shutdown()
        thread.join()


class Visit:
    """An open page, and what went wrong on it."""

    def __init__(self, page, origin: str):
        self.page, self.origin, self.wrong, self.responses = page, origin, [], {}
        page.on("console", self.note_console)
        page.on("pageerror", lambda error: self.wrong.append(f"page error: {error}"))
        page.on("requestfailed", lambda r: self.wrong.append(f"failed: {r.url} ({r.failure})"))
        page.on("request", self.note_request)
        page.on("response", self.note_response)

    def note_console(self, message):
        if message.type in ("error", "warning"):
            self.wrong.append(f"console {message.type}: {message.text}")

    def note_request(self, request):
        if not request.url.startswith((self.origin, "data:", "blob:")):
            self.wrong.append(f"request to another host: {request.url}")

    def note_response(self, response):
        if response.status >= 400:
            self.wrong.append(f"status {response.status}: {response.url}")
        self.responses[response.url] = response

    def goto(self, address: str, wait: bool = True) -> Visit:
        """Open a page of the book and, when asked, wait until its mathematics is typeset."""
        self.page.goto(f"{self.origin}/{address}", wait_until="load")
        if not wait:
            return self
        self.page.evaluate("() => window.MathJax?.startup?.promise")
        self.page.evaluate("() => document.fonts.ready.then(() => true)")
        return self

    def transferred(self) -> int:
        """The bytes of all that the page loaded, uncompressed."""
        responses = list(self.responses.items())  # reading a body lets further responses come in
        return sum(len(response.body()) for url, response in responses if url.startswith(self.origin))


@pytest.fixture
def visit(browser, origins):
    """``visit(address, over="file", scheme="light", width=1200)``: a page in a context of its own."""
    contexts = []

    def open_page(address, *, over="file", scheme="light", width=1200, wait=True, **options):
        screen = {"width": width, "height": 900}
        context = browser.new_context(color_scheme=scheme, viewport=screen, **options)
        contexts.append(context)
        return Visit(context.new_page(), origins[over]).goto(address, wait)

    yield open_page
    for context in contexts:
        context.close()
