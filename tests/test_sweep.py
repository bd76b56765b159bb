"""The grid of experiments: in the order of the grid, resumed from its store, and the same on a Dask
cluster."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from permsym_book import noise
from permsym_book import sweep as sweep_module
from permsym_book.lab import run
from permsym_book.training import sweep

joblib = pytest.importorskip("joblib", reason="joblib is not installed")
GRID = {"optimizers": ["sgd", "adam"], "noises": [[], ["dropout"]], "seeds": [0, 1], "steps": 3}


def test_the_results_come_in_the_order_of_the_grid():
    found = sweep(**GRID)
    assert [(r["optimizer"], [n["name"] for n in r["noises"]], r["seeds"]) for r in found] == [
        (o, n, [s]) for o in GRID["optimizers"] for n in GRID["noises"] for s in GRID["seeds"]]
    alone = run("adam", ["dropout"], seeds=[1], steps=3).as_dict()
    assert json.dumps(found[-1]) == json.dumps(alone)


def test_two_processes_find_the_same():
    assert json.dumps(sweep(**GRID, n_jobs=2)) == json.dumps(sweep(**GRID))


def test_a_rerun_does_only_what_is_missing(tmp_path, monkeypatch):
    done, right = [], sweep_module.measured

    def counted(cell):
        done.append(cell)
        if len(done) == 4:
            raise KeyboardInterrupt
        return right(cell)

    monkeypatch.setattr(sweep_module, "measured", counted)
    with pytest.raises(KeyboardInterrupt):
        sweep(**GRID, store=tmp_path)
    assert len(list(tmp_path.glob("*.json"))) == 3 and not list(tmp_path.glob("*.part"))
    again = sweep(**GRID, store=tmp_path)
    assert len(done) == 4 + 5, "3 of 8 cells were there"
    assert json.dumps(again) == json.dumps(sweep(**GRID, store=tmp_path)) and len(done) == 9
    monkeypatch.undo()
    assert json.dumps(again) == json.dumps(sweep(**GRID))
    sweep(**GRID | {"steps": 2}, store=tmp_path)
    assert len(list(tmp_path.glob("*.json"))) == 16, "other settings are other cells"


def test_unknown_names_are_found_before_any_work():
    with pytest.raises(ValueError, match="adan"):
        sweep(["sgd", "adan"])
    with pytest.raises(ValueError, match="dropot"):
        sweep(["sgd"], [["dropot"]])
    with pytest.raises(ValueError, match="seeds is -1"):
        sweep(["sgd"], seeds=[-1])
    with pytest.raises(TypeError, match="optimizers is 'sgd' of type str; a sequence is required"):
        sweep("sgd")
    with pytest.raises(TypeError, match=r"noises has an entry Minibatch\(size=8\) .*; a name is required"):
        sweep(["sgd"], [[noise.get("minibatch", size=8)]])
    with pytest.raises(ValueError, match="n_jobs is 0"):
        sweep(["sgd"], n_jobs=0)


def test_a_store_of_something_else_is_named(tmp_path):
    small = {"optimizers": ["sgd"], "seeds": [0], "steps": np.int64(1), "store": tmp_path}
    found = sweep(**small)
    assert sweep(**small | {"steps": 1}) == found
    (path,) = tmp_path.glob("*.json")
    for text in ("3", "{", "{}"):
        path.write_text(text)
        with pytest.raises(ValueError, match=f"store has a file .*{path.name} that holds no result"):
            sweep(**small)
    for store in (3, path):
        with pytest.raises(ValueError, match="store is .*; the path of a folder is required"):
            sweep(**small | {"store": store})


ON_A_CLUSTER = """
import json, os, signal, sys, threading, time
import joblib
from dask.distributed import Client, LocalCluster
from permsym_book.training import sweep

if __name__ == "__main__":
    grid, store, kill = json.loads(sys.argv[1]), sys.argv[2], sys.argv[3] == "kill"
    machines = LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None)
    with machines as cluster, Client(cluster) as client:
        pids = list(client.run(os.getpid).values())
        assert len(set(pids)) == 2 and os.getpid() not in pids
        killed = []
        if kill:
            def when_the_first_result_is_there():
                while not [f for f in os.listdir(store) if f.endswith(".json")]:
                    time.sleep(0.01)
                os.kill(pids[0], signal.SIGKILL)
                killed.append(len([f for f in os.listdir(store) if f.endswith(".json")]))
            thread = threading.Thread(target=when_the_first_result_is_there, daemon=True)
            thread.start()
        with joblib.parallel_config(backend="dask"):
            found = sweep(**grid, store=store)
        if kill:
            thread.join(10)
    print(json.dumps({"found": found, "stored_when_killed": killed}))
"""


@pytest.mark.slow
@pytest.mark.parametrize("kill", [False, True])
def test_a_dask_cluster_of_two_processes_finds_the_same_bit_for_bit(kill, tmp_path):
    """In a process of its own: the cluster's threads and warnings are not this package's. A killed worker
    loses nothing."""
    pytest.importorskip("distributed",
                        reason="dask.distributed is not installed; it comes with the extra `cluster`")
    grid = GRID | ({"steps": 150, "seeds": [0, 1, 2]} if kill else {})
    script, store = tmp_path / "on_a_cluster.py", tmp_path / "store"
    script.write_text(ON_A_CLUSTER)
    store.mkdir()
    done = subprocess.run([sys.executable, str(script), json.dumps(grid), str(store), "kill" if kill
                           else "leave"],
                          capture_output=True, text=True, timeout=300, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout.splitlines()[-1])
    assert json.dumps(answer["found"]) == json.dumps(sweep(**grid))
    cells = len(sweep_module.cells(**grid))
    assert len(list(Path(store).glob("*.json"))) == cells
    if kill:
        stored = answer["stored_when_killed"]
        assert stored and stored[0] < cells, "it was killed at work"
