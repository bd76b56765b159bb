"""The notebooks that have to run do so side by side, before Sphinx reads its pages one after the other.

myst-nb runs a notebook when it reads it, unless it finds the outputs in its cache. So they are put there. A notebook
that fails is left to myst-nb, which runs it again and reports it as it always does.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn
from jupyter_cache.executors.utils import single_nb_execution
from myst_nb.core.read import create_nb_reader
from sphinx.util import logging

logger = logging.getLogger(__name__)
QUIET = ["--IPKernelApp.log_level=40"]  # errors only: each kernel would warn that it listens on this machine's ports


def read(env, docnames) -> Iterator[tuple[Path, dict, object]]:
    """The notebooks among the pages: path, reader for jupyter-cache, content as myst-nb reads it."""
    for docname in docnames:
        path = Path(env.doc2path(docname))
        text = path.read_text(encoding="utf-8") if path.suffix in (".md", ".ipynb") else ""
        reader = create_nb_reader(str(path), env.myst_config, env.mystnb_config, text)
        if reader is not None:
            yield path, reader.read_fmt, reader.read(text)


def cached(cache, notebook) -> bool:
    """Whether jupyter-cache holds the outputs of these cells."""
    try:
        cache.match_cache_notebook(notebook)
    except KeyError:
        return False
    return True


def run_all(app, env, docnames) -> None:
    """Run what is not in the cache, as many at a time as there are processors (event ``env-before-read-docs``)."""
    if env.mystnb_config.execution_mode != "cache":
        return
    cache = get_cache(env.mystnb_config.execution_cache_path)
    waiting = [found for found in read(env, docnames) if not cached(cache, found[2])]

    def run(path: Path, notebook):
        return single_nb_execution(notebook, cwd=str(path.parent), timeout=env.mystnb_config.execution_timeout,
                                   allow_errors=env.mystnb_config.execution_allow_errors, extra_arguments=QUIET)

    pool = ThreadPoolExecutor(os.cpu_count())
    try:
        running = {pool.submit(run, path, notebook): (path, fmt, notebook) for path, fmt, notebook in waiting}
        for future in as_completed(running):
            (path, fmt, notebook), result = running[future], future.result()
            if result.err is None:
                record = cache.add_nb_to_project(str(path), **{"read_data": fmt} if fmt else {})
                bundle = CacheBundleIn(notebook, record.uri, data={"execution_seconds": result.time})
                cache.cache_notebook_bundle(bundle, check_validity=False, overwrite=True)
                logger.info("executed %s in %.1f s", path.name, result.time)
    finally:
        pool.shutdown(cancel_futures=True)


def setup(app) -> None:
    """Register the event."""
    app.connect("env-before-read-docs", run_all)
