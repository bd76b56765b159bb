"""The same widgets in JupyterLab with a live kernel: Python sees what the hand moves, the page shows what Python sets."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.xdist_group("jupyterlab")]
CELLS = [
    "from permsym_book.widgets import PermuteUnits\nw = PermuteUnits(perm=[2, 0, 1, 3, 4])\nw",
    "print('PERM', list(w.perm), 'NET', w.relabelled.widths)",
    "w.perm = [4, 3, 2, 1, 0]",
    "try:\n    w.perm = [0, 0, 1, 2, 3]\nexcept Exception as error:\n    print('REFUSED', error)",
]

BEGUN, DONE = re.compile(r"\[(\*|\d+)\]"), re.compile(r"\[\d+\]")  # what stands before a cell


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """The address of a JupyterLab of its own, with one notebook."""
    pytest.importorskip("jupyterlab")
    folder = tmp_path_factory.mktemp("lab")
    cells = [{"cell_type": "code", "id": f"cell-{i}", "metadata": {}, "outputs": [], "execution_count": None, "source": source}
             for i, source in enumerate(CELLS)]
    notebook = {"nbformat": 4, "nbformat_minor": 5, "cells": cells,
                "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}}
    (folder / "widgets.ipynb").write_text(json.dumps(notebook))
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    environment = os.environ | {"HOME": str(folder), "JUPYTER_CONFIG_DIR": str(folder / "config"),
                                "JUPYTER_DATA_DIR": str(folder / "data"), "OPENBLAS_NUM_THREADS": "1"}
    log = (folder / "log").open("w")
    server = subprocess.Popen(
        [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", f"--port={port}", "--ServerApp.port_retries=0",
         "--IdentityProvider.token=", "--ServerApp.password=", f"--ServerApp.root_dir={folder}",
         "--LabApp.news_url=", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"],
        env=environment, stdout=log, stderr=log)
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(600):
            try:
                urllib.request.urlopen(f"{address}/api/status", timeout=2).read()
                break
            except OSError:
                if server.poll() is not None:
                    pytest.fail((folder / "log").read_text()[-2000:])
                time.sleep(0.1)  # no server yet: nothing to wait on
        else:
            pytest.fail("JupyterLab did not start in 60 s")
        yield address
    finally:
        server.terminate()
        server.wait(20)
        log.close()
        shutil.rmtree(folder, ignore_errors=True)


def test_python_and_the_page_move_each_other(browser, lab):
    sync_api = pytest.importorskip("playwright.sync_api")
    page = browser.new_page(viewport={"width": 1300, "height": 1400})
    page.set_default_timeout(90_000)
    page.goto(f"{lab}/lab/tree/widgets.ipynb")
    cells = page.locator(".jp-Notebook .jp-CodeCell")
    cells.nth(3).wait_for()
    page.locator('.jp-Notebook-ExecutionIndicator[data-status="idle"]').first.wait_for()  # without a kernel a run is dropped in silence

    def run(number):
        prompt = cells.nth(number).locator(".jp-InputPrompt")
        for _ in range(9):  # the key may be lost while the page is still being set up
            cells.nth(number).locator(".cm-content").click()
            page.keyboard.press("Shift+Enter")
            with contextlib.suppress(sync_api.TimeoutError):
                prompt.filter(has_text=BEGUN).wait_for(timeout=10_000)
                break
        else:
            pytest.fail(f"cell {number} does not begin to run; before it stands {prompt.inner_text()!r}")
        prompt.filter(has_text=DONE).wait_for()

    def units():
        return page.locator(".permsym-widget [data-unit]").evaluate_all("hs => hs.map((h) => Number(h.dataset.unit))")

    run(0)
    widget = page.locator('.permsym-widget[data-widget="permute-units"]')
    widget.wait_for()
    assert units() == [2, 0, 1, 3, 4]
    page.locator('[data-unit="2"]').focus()
    page.keyboard.press("ArrowRight")
    assert units() == [0, 2, 1, 3, 4]
    run(1)
    said = cells.nth(1).locator(".jp-OutputArea-output")
    said.first.wait_for()
    assert "PERM [0, 2, 1, 3, 4] NET (3, 5, 2)" in said.first.inner_text()
    run(2)
    page.wait_for_function("""() => String([...document.querySelectorAll(".permsym-widget [data-unit]")]
      .map((h) => h.dataset.unit)) === "4,3,2,1,0" """)
    assert "4" in widget.locator('[role="status"]').inner_text()
    run(3)
    assert "REFUSED" in cells.nth(3).locator(".jp-OutputArea-output").first.inner_text()
    assert units() == [4, 3, 2, 1, 0]
    page.close()
