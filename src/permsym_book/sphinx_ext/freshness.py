"""When a page has to be built again.

Sphinx looks at a page's own file and jupyter-cache at its own code cells. Both miss that the cells
call this package: after a change of the package, an untouched page would keep yesterday's numbers.
So two digests become configuration values that Sphinx compares for us, and the first of them names
the folder of executed notebooks.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path

import permsym_book

PACKAGE = Path(permsym_book.__file__).parent
COMPUTING = ("numpy", "scipy", "matplotlib")
IGNORED = {"__pycache__", ".ipynb_checkpoints"}


def digest(paths: Iterable[Path], extra: str = "") -> str:
    """SHA-256 of the names and bytes of files, folders included with all that they hold.

    Parameters
    ----------
    paths : iterable of pathlib.Path
        Files and folders; one that does not exist counts as absent.
    extra : str
        Text that enters the digest as well.

    Examples
    --------
    >>> digest([], "a") == digest([], "a"), digest([], "a") == digest([], "b")
    (True, False)
    """
    total = hashlib.sha256(extra.encode())
    for top in paths:
        found = [top] if top.is_file() else sorted(p for p in top.rglob("*") if p.is_file())
        for path in found:
            if IGNORED.isdisjoint(path.parts):
                name = path.name if path == top else path.relative_to(top).as_posix()
                content = hashlib.sha256(path.read_bytes()).hexdigest()
                total.update(f"{top.name}/{name} {content}\n".encode())
    return total.hexdigest()


def versions() -> str:
    """The interpreter and the libraries that compute the numbers on the pages."""
    installed = [f"{name} {importlib.metadata.version(name)}" for name in COMPUTING]
    return ", ".join([f"python {sys.version}", *installed])


def set_digests(app, config) -> None:
    """Put both digests into the configuration (event ``config-inited``)."""
    root = Path(app.srcdir)
    own = Path(__file__).parent
    proofs = sorted((root / "proofs").glob("*.v")) + [root / "proofs" / "_build" / "status.json"]
    cells_rest_on = [p for p in sorted(PACKAGE.iterdir()) if p != own] + proofs
    config.permsym_cells = digest(cells_rest_on, versions())
    # Sphinx copies static files only when it writes some page, so a changed one has to cause that.
    static = [root / folder for folder in [*config.html_static_path, *config.html_extra_path]]
    config.permsym_pages = digest([own, root / "tests" / "claims", *static], config.permsym_cells)
    config.nb_execution_cache_path = str(caches(app) / config.permsym_cells[:16])


def caches(app) -> Path:
    """The folder that holds one jupyter-cache for each state of the package."""
    return Path(app.outdir).parent / ".jupyter_cache"


def make_font_cache(app, config) -> None:
    """Let matplotlib list the fonts now, because its first import reports that on a page's stderr."""
    import matplotlib.font_manager  # noqa: F401


def note_purged(app, env, docname: str) -> None:
    """Remember which pages Sphinx forgot, to see afterwards which of them are gone for good."""
    app.permsym_purged.add(docname)


def tidy(app, exception) -> None:
    """Remove what a later build must not find (event ``build-finished``).

    After warnings or an error the pickled environment goes, or else the next build would find nothing
    to do and succeed. After a success the pages of deleted sources and older caches go.
    """
    if exception is not None or app._warncount:
        (Path(app.doctreedir) / "environment.pickle").unlink(missing_ok=True)
        return
    for docname in app.permsym_purged - set(app.env.found_docs):
        for stale in (f"{docname}.html", f"_sources/{docname}.md", f"_sources/{docname}.ipynb"):
            (Path(app.outdir) / stale).unlink(missing_ok=True)
    current = Path(app.config.nb_execution_cache_path)
    for old in caches(app).iterdir() if caches(app).is_dir() else ():
        if old != current and old.is_dir():
            shutil.rmtree(old)


def setup(app) -> None:
    """Register the two values and the events."""
    app.permsym_purged = set()
    app.add_config_value("permsym_cells", "", "env", str)
    app.add_config_value("permsym_pages", "", "env", str)
    app.connect("config-inited", set_digests)
    app.connect("config-inited", make_font_cache)
    app.connect("env-purge-doc", note_purged)
    app.connect("build-finished", tidy, priority=900)
