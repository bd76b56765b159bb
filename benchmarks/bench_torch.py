"""Forward and backward pass of the package against plain PyTorch, on one MLP with the same numbers.

Two processes hold one library each and take turns: while one computes, the other waits for its next line of input, so
that their BLAS threads never compete. Both may use the same number of threads. The first figure is
the ratio of the two medians; the run fails when it exceeds the limit, or when the gradients disagree.

    python benchmarks/bench_torch.py [--rounds 40] [--passes 5] [--threads N] [--limit 1.3] [--json]
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

WIDTHS, BATCH = (784, 512, 512, 10), 128
WARM_UP = 10


def make_case(path: Path) -> None:
    """Write the weights, the batch and the labels that both libraries are given."""
    rng = np.random.default_rng(1992)
    arrays = {"X": rng.standard_normal((BATCH, WIDTHS[0])), "labels": rng.integers(0, WIDTHS[-1], BATCH)}
    for layer, (n_in, n_out) in enumerate(zip(WIDTHS, WIDTHS[1:]), 1):
        arrays[f"W{layer}"] = rng.standard_normal((n_in, n_out)) * np.sqrt(2 / n_in)
        arrays[f"b{layer}"] = rng.standard_normal(n_out) * 0.1
    np.savez(path, **{k: v if k == "labels" else v.astype(np.float32) for k, v in arrays.items()})


def package_pass(case):
    """One pass of this package: a function that returns the loss and the gradients W1, b1, W2, ..."""
    from permsym_book import MLP

    layers = range(1, len(WIDTHS))
    net = MLP.from_arrays([case[f"W{i}"] for i in layers], [case[f"b{i}"] for i in layers], "relu")
    X, labels = case["X"], case["labels"]

    def run():
        value, gradients = net.loss_and_gradients(X, labels, "cross_entropy")
        return value, gradients.arrays()
    return run


def torch_pass(case):
    """One pass of PyTorch, written as its tutorials write it."""
    import torch

    torch.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))
    modules = []
    for i in range(1, len(WIDTHS)):
        linear = torch.nn.Linear(*case[f"W{i}"].shape)
        linear.weight.data = torch.tensor(case[f"W{i}"].T.copy())
        linear.bias.data = torch.tensor(case[f"b{i}"])
        modules += [linear, torch.nn.ReLU()]
    net = torch.nn.Sequential(*modules[:-1])
    loss_of = torch.nn.CrossEntropyLoss(reduction="sum")
    X, labels = torch.tensor(case["X"]), torch.tensor(case["labels"])

    def run():
        net.zero_grad(set_to_none=True)
        loss = loss_of(net(X), labels)
        loss.backward()
        return loss.item(), [p.grad.t().numpy() for p in net.parameters()]
    return run


def worker(library: str, case_path: str, result_path: str) -> None:
    """Answer each line ``passes`` of the input with that many times, in seconds."""
    case = dict(np.load(case_path))
    run = {"package": package_pass, "torch": torch_pass}[library](case)
    for _ in range(WARM_UP):
        value, gradients = run()
    np.savez(result_path, loss=value, **{f"g{i}": g for i, g in enumerate(gradients)})
    print("ready", flush=True)
    for line in sys.stdin:
        seconds = []
        for _ in range(int(line)):
            start = time.perf_counter()
            run()
            seconds.append(time.perf_counter() - start)
        print(json.dumps(seconds), flush=True)


def disagreement(a: Path, b: Path) -> float:
    """The largest difference of two gradients, relative to the largest entry of its array; the loss counts too."""
    one, other = np.load(a), np.load(b)
    return max(float(abs(one[k] - other[k]).max() / abs(other[k]).max()) for k in one.files)


def measure(rounds: int, passes: int, threads: int) -> dict:
    """Time both libraries in turns and compare their gradients."""
    environment = dict(os.environ)
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        environment[variable] = str(threads)
    seconds = {"package": [], "torch": []}
    with tempfile.TemporaryDirectory() as folder:
        case = Path(folder, "case.npz")
        make_case(case)
        workers = {}
        try:
            for library in seconds:
                workers[library] = process = subprocess.Popen(
                    [sys.executable, __file__, "--worker", library, str(case), str(Path(folder, f"{library}.npz"))],
                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)
                if process.stdout.readline() != "ready\n":
                    raise SystemExit(f"the worker for {library} did not start; see its message above")
            for _ in range(rounds):
                for library, process in workers.items():
                    process.stdin.write(f"{passes}\n")
                    process.stdin.flush()
                    seconds[library] += json.loads(process.stdout.readline())
                    time.sleep(0.01)  # the threads of the library that has just run go to sleep
        finally:
            for process in workers.values():
                process.stdin.close()
                process.wait()
        difference = disagreement(Path(folder, "package.npz"), Path(folder, "torch.npz"))
    medians = {library: statistics.median(times) for library, times in seconds.items()}
    return {"package_ms": 1e3 * medians["package"], "torch_ms": 1e3 * medians["torch"],
            "ratio": medians["package"] / medians["torch"],
            "ratio_of_fastest": min(seconds["package"]) / min(seconds["torch"]),
            "gradient_difference": difference, "threads": threads, "passes": rounds * passes}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--passes", type=int, default=5)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity")
                        else os.cpu_count())
    parser.add_argument("--limit", type=float, default=1.3)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    found = measure(options.rounds, options.passes, options.threads)
    if options.json:
        print(json.dumps(found))
    else:
        print(f"MLP {'-'.join(map(str, WIDTHS))}, batch {BATCH}, float32, {found['threads']} threads,"
              f" {found['passes']} passes each")
        print(f"package {found['package_ms']:.2f} ms, torch {found['torch_ms']:.2f} ms (medians)")
        print(f"ratio {found['ratio']:.2f}, at most {options.limit} allowed; of the fastest passes"
              f" {found['ratio_of_fastest']:.2f}")
        print(f"gradients and loss differ by {found['gradient_difference']:.1e}, relative to the largest entry")
    # sums of up to 784 float32 products in another order, through three layers
    agree = found["gradient_difference"] < 3 * max(WIDTHS) * 2.0**-24
    return 0 if found["ratio"] <= options.limit and agree else 1


if __name__ == "__main__":
    if sys.argv[1:2] == ["--worker"]:
        worker(*sys.argv[2:])
    else:
        raise SystemExit(main())
