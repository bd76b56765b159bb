"""Run every benchmark of this folder, one after the other; exit 1 when one misses its target."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def main() -> int:
    failed = []
    for path in sorted(Path(__file__).parent.glob("bench_*.py")):
        print(f"== {path.name}", flush=True)
        if subprocess.run([sys.executable, str(path)]).returncode:
            failed.append(path.name)
    print(f"missed: {', '.join(failed)}" if failed else "every target met")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
