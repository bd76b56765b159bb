"""The dense Hessian against torch.func.hessian, and a Hessian-vector product against a gradient.

Everything runs in one process with one thread for each library, in turns. The ratios that count are of median
processor times, since on a busy machine the wall clock also counts other programs; wall times are printed beside
them. Exits with 1 when the two Hessians disagree, when the package is less than 5 times faster than torch, or
when a product takes more than 3 gradients.

    python benchmarks/bench_hessian.py [--rounds 3] [--passes 300] [--json]
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from statistics import median
from time import perf_counter, process_time

for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_variable] = "1"  # before the libraries are loaded

import numpy as np  # noqa: E402

from permsym_book import MLP  # noqa: E402
from permsym_book.landscape.hessian import HessianOperator, hessian, hessian_vector_product  # noqa: E402
from permsym_book.landscape.vector import to_vector  # noqa: E402

DENSE, SAMPLES = (20, 20, 20, 8), 300  # 1,008 parameters
PRODUCTS = ((DENSE, SAMPLES), ((784, 32, 16, 10), 1000))
FASTER, GRADIENTS = 5.0, 3.0


def problem(widths, samples, rng):
    """A tanh network, inputs and targets of the squared error."""
    return (MLP.random(widths, rng), rng.standard_normal((samples, widths[0])),
            rng.standard_normal((samples, widths[-1])))


def timed(tasks: dict, rounds: int) -> dict[str, dict[str, float]]:
    """Median milliseconds of processor and wall time, each task in turn; the first round does not count."""
    times = {name: [] for name in tasks}
    for number in range(rounds + 1):
        for name, task in tasks.items():
            wall, processor = perf_counter(), process_time()
            task()
            if number:
                times[name].append((1e3 * (process_time() - processor), 1e3 * (perf_counter() - wall)))
    return {name: dict(zip(("processor", "wall"), map(median, zip(*t, strict=True)), strict=True))
            for name, t in times.items()}


def torch_hessian(net, X, Y):
    """A function that computes the same Hessian by torch.func.hessian, of one vector of parameters."""
    import torch

    torch.set_num_threads(1)
    inputs, targets, theta = torch.tensor(X), torch.tensor(Y), torch.tensor(to_vector(net))

    def loss(v):
        A, start = inputs, 0
        for layer, W in enumerate(net.parameters.weights):
            A = torch.tanh(A) if layer else A
            A, start = A @ v[start:start + W.size].reshape(W.shape), start + W.size
            A, start = A + v[start:start + W.shape[1]], start + W.shape[1]
        return ((A - targets)**2).sum() / 2

    return lambda: torch.func.hessian(loss)(theta).numpy()


def measure(rounds: int, passes: int) -> dict:
    """Compare the two Hessians, and time everything."""
    rng = np.random.default_rng(1992)
    net, X, Y = problem(DENSE, SAMPLES, rng)
    theirs = torch_hessian(net, X, Y)
    ours, expected = hessian(net, X, Y), theirs()
    difference = float(abs(ours - expected).max() / abs(expected).max())
    dense = timed({"package": lambda: hessian(net, X, Y), "torch": theirs}, rounds)
    faster = {clock: dense["torch"][clock] / dense["package"][clock] for clock in ("processor", "wall")}
    found = {"parameters": len(to_vector(net)), "samples": SAMPLES, "difference": difference, "dense_ms": dense,
             "faster": faster, "products": []}
    for widths, samples in PRODUCTS:
        net, X, Y = problem(widths, samples, rng)
        v, operator = rng.standard_normal(len(to_vector(net))), HessianOperator(net, X, Y)
        ms = timed({"gradient": lambda net=net, X=X, Y=Y: net.loss_and_gradients(X, Y),
                    "product": lambda net=net, X=X, Y=Y, v=v: hessian_vector_product(net, X, Y, v),
                    "prepared": lambda operator=operator, v=v: operator.product(v)}, passes)
        ratios = {name: {clock: ms[name][clock] / ms["gradient"][clock] for clock in ("processor", "wall")}
                  for name in ("product", "prepared")}
        found["products"].append({"widths": widths, "samples": samples, "ms": ms, "gradients": ratios})
    products = [p["gradients"]["product"]["processor"] for p in found["products"]]
    found["passed"] = difference < 1e-10 and faster["processor"] >= FASTER and max(products) <= GRADIENTS
    return found


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3, help="how often each Hessian is timed")
    parser.add_argument("--passes", type=int, default=300, help="how often gradients and products are timed")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    options = parser.parse_args(arguments)
    found = measure(options.rounds, options.passes)
    if options.json:
        print(json.dumps(found, indent=1))
    else:
        print(f"dense Hessian, {found['parameters']} parameters ({'-'.join(map(str, DENSE))}, tanh), {SAMPLES}"
              " samples, one thread each")
        for name, ms in found["dense_ms"].items():
            print(f"  {name:10}{ms['processor']:10.1f} ms    wall {ms['wall']:10.1f} ms")
        print(f"  {found['faster']['processor']:.1f} times faster, at least {FASTER:g} required (wall"
              f" {found['faster']['wall']:.1f}); the two differ by {found['difference']:.1e}, relative to the"
              " largest entry")
        for p in found["products"]:
            print(f"Hessian-vector product, {'-'.join(map(str, p['widths']))}, {p['samples']} samples")
            for name, ms in p["ms"].items():
                ratio = p["gradients"].get(name, {"processor": 1.0, "wall": 1.0})
                print(f"  {name:10}{ms['processor']:10.3f} ms {ratio['processor']:6.2f} gradients    wall"
                      f" {ms['wall']:10.3f} ms {ratio['wall']:6.2f}")
        print(f"at most {GRADIENTS:g} gradients required for a product")
        print("every target met" if found["passed"] else "MISSED")
    return 0 if found["passed"] else 1


if __name__ == "__main__":
    sys.exit(main())
