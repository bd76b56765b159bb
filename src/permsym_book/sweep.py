"""A grid of experiments over optimizers, noises and seeds, in parallel, with results kept as they come.

joblib runs the cells, so ``joblib.parallel_config(backend="dask")`` sends them to a Dask cluster without a
change here.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from itertools import product
from pathlib import Path

from . import lab
from . import noise as noise_module
from . import optimizers as optimizers_module
from .progress import shown
from .validation import checked_count, checked_sequence


def measured(cell: dict) -> dict:
    """Run one cell, the arguments of :func:`permsym_book.lab.run`; what it measured comes as plain
    numbers."""
    return lab.run(**cell).as_dict()


def cells(optimizers=("sgd",), noises=((),), seeds: Sequence[int] = range(5), **settings) -> list[dict]:
    """The grid: each optimizer under each tuple of noises with each seed.

    >>> len(cells(["sgd", "adam"], [[], ["dropout"]], range(3)))
    12
    """
    grid, get = [], {"optimizers": optimizers_module.get, "noises": noise_module.get}

    def check(argument, name):
        if not isinstance(name, str):
            raise TypeError(f"{argument} has an entry {name!r} of type {type(name).__name__}; a name is required")
        get[argument](name)  # an unknown name is an error here, not on a worker

    for name, drawn, seed in product(checked_sequence("optimizers", optimizers), checked_sequence("noises", noises),
                                     checked_sequence("seeds", seeds)):
        drawn = list(checked_sequence("noises", drawn))
        check("optimizers", name)
        for n in drawn:
            check("noises", n)
        grid.append({"optimizer": name, "noises": drawn, "seeds": [checked_count("seeds", seed, least=0)],
                     **settings})
    return grid


def sweep(optimizers=("sgd",), noises=((),), seeds: Sequence[int] = range(5), *, store=None, n_jobs: int = 1,
          progress: bool = False, **settings) -> list[dict]:
    """Measure each optimizer under each tuple of noises with each seed.

    Parameters
    ----------
    optimizers : sequence of str
    noises : sequence of sequences of str
        ``[[], ["minibatch"], ["minibatch", "dropout"]]`` are three settings.
    seeds : sequence of int
        One cell each.
    store : path, optional
        A folder that keeps one JSON file for each finished cell. A cell that is there is not run again, so an
        interrupted sweep goes on where it stopped.
    n_jobs : int
        Of joblib; -1 takes all cores.
    progress : bool
    **settings
        Further arguments of :func:`permsym_book.lab.run`: ``units``, ``identical``, ``steps``,
        ``arithmetic``, ...

    Returns
    -------
    list of dict
        :meth:`permsym_book.lab.Result.as_dict` of each cell, in the order of the grid whatever the order of
        the work.

    Raises
    ------
    TypeError, ValueError
        For an unknown name or setting.

    Examples
    --------
    >>> [r["verdict"] for r in sweep(["sgd"], [[], ["dropout"]], [0], steps=2)]
    ['equivariant and exact', 'broken along a path, not in law']
    """
    from joblib import Parallel, delayed

    grid = cells(optimizers, noises, seeds, **settings)
    found: dict[int, dict] = {}
    if checked_count("n_jobs", n_jobs, least=-1) == 0:
        raise ValueError("n_jobs is 0; at least 1 is required, or -1 for all cores")
    folder = None if store is None else _folder(store)
    if folder is not None:
        found = {i: _read(path) for i, path in enumerate(_paths(folder, grid)) if path.exists()}
    missing = [i for i in range(len(grid)) if i not in found]
    jobs = (delayed(_numbered)(i, grid[i]) for i in missing)
    results = Parallel(n_jobs=n_jobs, return_as="generator_unordered")(jobs)
    paths = None if folder is None else _paths(folder, grid)
    for i, result in shown(results, "cell", progress, len(missing)):
        if paths is not None:
            _write(paths[i], result)
        found[i] = result
    return [found[i] for i in range(len(grid))]


def _folder(store) -> Path:
    if not isinstance(store, (str, os.PathLike)) or Path(store).is_file():
        raise ValueError(f"store is {store!r}; the path of a folder is required")
    Path(store).mkdir(parents=True, exist_ok=True)
    return Path(store)


def _read(path: Path) -> dict:
    """A finished cell; ValueError names the file when it is none."""
    try:
        result = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        result = None
    if not isinstance(result, dict) or "verdict" not in result:
        raise ValueError(f"store has a file {path} that holds no result; remove it, and its cell is run again")
    return result


def _numbered(i: int, cell: dict) -> tuple[int, dict]:
    return i, measured(cell)


def _paths(folder: Path, grid) -> list[Path]:
    return [folder / f"{cell['optimizer']}-{_digest(cell)}.json" for cell in grid]


def _digest(cell: dict) -> str:
    return hashlib.sha256(json.dumps(cell, sort_keys=True, default=int).encode()).hexdigest()[:16]


def _write(path: Path, result: dict) -> None:
    """All of it or nothing: a file that is there is complete."""
    draft = path.with_suffix(".part")
    draft.write_text(json.dumps(result), encoding="utf-8")
    os.replace(draft, path)
