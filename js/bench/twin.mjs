/**
 * How fast the widget twin-training trains: both copies of 2-16-1 on 64 samples, each step recorded. node bench/twin.mjs
 *
 * Other work on the machine slows the clock on the wall and not the time on the processor, so the latter decides.
 */
import { pack, relabelling } from "../src/core/packed.js";
import { randomData, randomParameters } from "../src/core/settings.js";
import { Trajectory, twinGap } from "../src/core/trajectory.js";

const [steps, rounds, required] = [1000, 7, 1000];
const sizes = { d: 2, h: 16, q: 1 };
const from = relabelling(sizes, Array.from({ length: 16 }, (_, j) => (j + 5) % 16));
const start = pack(randomParameters(1, 2, 16, 1));
const X = randomData(1, 64, 2);
const Y = { rows: 64, cols: 1, data: Float64Array.from({ length: 64 }, (_, s) => Math.sin(2 * X.data[2 * s]) * X.data[2 * s + 1]) };

let slowest = Infinity;
for (const [optimizer, noises, single] of [["sgd", [], false], ["sgd", [{ name: "minibatch" }], false], ["momentum", [], false], ["adam", [], false], ["adam", [], true]]) {
  const rates = [];
  const onProcessor = [];
  for (let round = 0; round < rounds; round++) {
    const run = new Trajectory({
      starts: [start, start.map((_, k) => start[from[k]])], sizes, X, Y, activation: "tanh", optimizer, options: { stepSize: 1e-3 }, noises, seed: 1, single, measure: twinGap(from),
    });
    const before = process.cpuUsage();
    const begin = performance.now();
    run.advance(steps);
    rates.push((1000 * steps) / (performance.now() - begin));
    const used = process.cpuUsage(before);
    onProcessor.push((1e6 * steps) / (used.user + used.system));
  }
  const [wall, processor] = [rates, onProcessor].map((list) => list.sort((a, b) => a - b)[Math.floor(rounds / 2)]);
  slowest = Math.min(slowest, processor);
  console.log(`${optimizer}${noises.length ? ", minibatches" : ""}${single ? ", float32" : ""}: median ${processor.toFixed(0)} steps per processor second, ${wall.toFixed(0)} per second on the wall`);
}
console.log(`slowest: ${slowest.toFixed(0)} steps/s; ${required} required`);
process.exitCode = slowest >= required ? 0 : 1;
