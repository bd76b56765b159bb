"""Training many networks at once: against a loop over them, against torch.func.vmap, and how the cost grows.

Everything runs in one process on one thread. The contestants take turns, and medians are compared, so that a
busy machine slows all alike. The run fails when a limit is exceeded or the results disagree.

    python benchmarks/bench_training.py [--rounds 15] [--steps 20] [--json]
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy as np  # noqa: E402

from permsym_book import MLP, optimizers  # noqa: E402
from permsym_book.training import train  # noqa: E402

WIDTHS, SAMPLES, NETWORKS, RATE = (16, 32, 4), 64, 64, 1e-3
LEAST_SPEEDUP, MOST_OF_VMAP, MOST_SECONDS = 1.6, 1.1, 10.0
LEAST_R2 = 0.9


def problem(networks=NETWORKS, widths=WIDTHS, samples=SAMPLES):
    rng = np.random.default_rng(1992)
    nets = [MLP.random(widths, rng) for _ in range(networks)]
    return nets, rng.standard_normal((samples, widths[0])), rng.standard_normal((samples, widths[-1]))


def stacked(steps):
    nets, X, Y = problem()
    stack, rule = MLP.stack(nets), optimizers.get("sgd", step_size=RATE)
    return lambda: train(stack, X, Y, rule, steps).net.parameters.arrays()


def looped(steps):
    nets, X, Y = problem()
    rule = optimizers.get("sgd", step_size=RATE)

    def run():
        trained = [train(net, X, Y, rule, steps).net.parameters.arrays() for net in nets]
        return [np.stack(arrays) for arrays in zip(*trained)]
    return run


def vmapped(steps):
    """SGD with torch.func, as its tutorial on ensembles writes it."""
    import torch
    from torch.func import grad, vmap

    torch.set_num_threads(1)
    nets, X, Y = problem()
    start = [torch.tensor(np.array(A)) for A in MLP.stack(nets).parameters.arrays()]
    X, Y = torch.tensor(X), torch.tensor(Y)

    def loss(params):
        W1, b1, W2, b2 = params
        return ((torch.tanh(X @ W1 + b1) @ W2 + b2 - Y) ** 2).sum() / 2

    gradients = vmap(grad(loss))

    def run():
        params = start
        for _ in range(steps):
            params = [p - RATE * g for p, g in zip(params, gradients(params))]
        return [p.numpy() for p in params]
    return run


def in_turns(contestants, rounds):
    """The median of each contestant's seconds, and what each returned."""
    results = {name: run() for name, run in contestants.items()}  # warm
    seconds = {name: [] for name in contestants}
    for _ in range(rounds):
        for name, run in contestants.items():
            start = time.perf_counter()
            run()
            seconds[name].append(time.perf_counter() - start)
    return {name: statistics.median(s) for name, s in seconds.items()}, seconds, results


def exact_seconds(steps=10_000):
    """Processor time and wall time of exact steps of a 8-16-4 network in int64."""
    nets, X, Y = problem(1, (8, 16, 4), 16)
    start, wall = time.process_time(), time.perf_counter()
    train(nets[0], X, Y, optimizers.get("sgd", step_size=RATE), steps, arithmetic="int64")
    return time.process_time() - start, time.perf_counter() - wall


def growth(rounds):
    """The cost of a step as a + b size, for each of E, h and n, with R^2 of the least-squares line."""
    base = {"E": 64, "h": 64, "n": 128}
    sizes = {"E": (16, 32, 64, 96, 128), "h": (32, 64, 96, 128, 192), "n": (64, 128, 192, 256, 384)}
    rule, fits = optimizers.get("sgd", step_size=1e-6), {}
    for letter, values in sizes.items():
        runs = {}
        for value in values:
            s = base | {letter: value}
            nets, X, Y = problem(s["E"], (16, s["h"], 4), s["n"])
            stack = MLP.stack(nets)
            runs[value] = lambda stack=stack, X=X, Y=Y: train(stack, X, Y, rule, 4)
        _, seconds, _ = in_turns(runs, rounds)
        cost = [min(s) / 4 for s in seconds.values()]  # the least disturbed of the rounds
        slope, offset = np.polyfit(values, cost, 1)
        residual = np.array(cost) - (offset + slope * np.array(values))
        fits[letter] = {"microseconds_per_unit": 1e6 * slope, "offset_microseconds": 1e6 * offset,
                        "r2": float(1 - residual @ residual / np.sum((cost - np.mean(cost)) ** 2))}
    return fits


def measure(rounds, steps):
    contestants = {"stack": stacked(steps), "loop": looped(steps)}
    try:
        contestants["vmap"] = vmapped(steps)
    except ImportError:
        print("PyTorch is not installed: torch.func.vmap is left out (`make bench` makes an environment with it)",
              file=sys.stderr)
    medians, _, results = in_turns(contestants, rounds)
    found = {f"{name}_ms_per_step": 1e3 * s / steps for name, s in medians.items()}
    found["loop_over_stack"] = medians["loop"] / medians["stack"]
    if "vmap" in medians:
        found["stack_over_vmap"] = medians["stack"] / medians["vmap"]
    found["difference"] = max(float(abs(A - B).max()) for name in results
                              for A, B in zip(results["stack"], results[name]))
    found["exact_processor_seconds"], found["exact_wall_seconds"] = exact_seconds()
    return found | {"growth": growth(rounds)}


def failures(found):
    """What exceeded its limit, in words."""
    said = []
    if found["loop_over_stack"] < LEAST_SPEEDUP:
        said.append(f"the stack is {found['loop_over_stack']:.2f} times faster than the loop; {LEAST_SPEEDUP} is required")
    if found.get("stack_over_vmap", 0) > MOST_OF_VMAP:
        said.append(f"the stack takes {found['stack_over_vmap']:.2f} times as long as vmap; {MOST_OF_VMAP} is allowed")
    if found["exact_processor_seconds"] > MOST_SECONDS:
        said.append(f"10,000 exact steps take {found['exact_processor_seconds']:.1f} s; {MOST_SECONDS} are allowed")
    if found["difference"] > 1e-9:
        said.append(f"the results differ by {found['difference']:.1e}")
    said += [f"the cost is not linear in {letter}: R^2 = {fit['r2']:.3f}; {LEAST_R2} is required"
             for letter, fit in found["growth"].items() if fit["r2"] < LEAST_R2]
    return said


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    found = measure(options.rounds, options.steps)
    if options.json:
        print(json.dumps(found))
    else:
        print(f"{NETWORKS} networks {'-'.join(map(str, WIDTHS))}, {SAMPLES} samples, float64, one thread; ms per step of"
              " all (medians):")
        print("  " + ", ".join(f"{name} {found[f'{name}_ms_per_step']:.2f}" for name in ("stack", "loop", "vmap")
                               if f"{name}_ms_per_step" in found))
        print(f"loop / stack {found['loop_over_stack']:.2f}, at least {LEAST_SPEEDUP} required")
        if "stack_over_vmap" in found:
            print(f"stack / vmap {found['stack_over_vmap']:.2f}, at most {MOST_OF_VMAP} allowed")
        print(f"results differ by {found['difference']:.1e}")
        print(f"10,000 exact int64 steps of 8-16-4: {found['exact_processor_seconds']:.1f} s of the processor"
              f" ({found['exact_wall_seconds']:.1f} s on the clock), at most {MOST_SECONDS:.0f} allowed")
        for letter, fit in found["growth"].items():
            print(f"cost of a step: {fit['offset_microseconds']:.0f} + {fit['microseconds_per_unit']:.2f} {letter}"
                  f" microseconds, R^2 = {fit['r2']:.4f}")
    for failure in failures(found):
        print(failure, file=sys.stderr)
    return 1 if failures(found) else 0


if __name__ == "__main__":
    raise SystemExit(main())
