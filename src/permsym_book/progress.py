"""Progress bars by tqdm, where it is installed and they are asked for; the core runs without it."""

from __future__ import annotations

from collections.abc import Iterable


def shown(items: Iterable, unit: str, progress: bool, total: int | None = None) -> Iterable:
    """``items`` one after another, with a bar on standard error if ``progress`` is true.

    >>> list(shown(range(3), "step", progress=False))
    [0, 1, 2]
    """
    if not progress:
        return items
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return items
    return tqdm(items, unit=unit, total=total)
