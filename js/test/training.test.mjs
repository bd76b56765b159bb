/** Training in the page: the fast kernel against the plain one, and every optimizer and noise step by step against Python. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { activations } from "../src/core/activations.js";
import { fromRows, toRows } from "../src/core/matrix.js";
import { lossAndGradients, permuted } from "../src/core/mlp.js";
import { draws, drawStep, NOISE_NAMES, NOISES, nextUp } from "../src/core/noise.js";
import { OPTIMIZERS, rule } from "../src/core/optimizers.js";
import { kernel, pack, places, placesOfUnit, relabelling, unpack } from "../src/core/packed.js";
import { randomData, randomParameters, requireNumber } from "../src/core/settings.js";
import { initial, requireProblem, requireProgress, STEP_SIZES as PAGE_STEP_SIZES } from "../src/core/training-settings.js";
import { Trajectories, Trajectory, twinGap, unitSpread } from "../src/core/trajectory.js";

const path = process.env.PERMSYM_FIXTURE;
const fixture = path ? JSON.parse(readFileSync(path, "utf8")).training : null;
const options = { skip: fixture ? false : "PERMSYM_FIXTURE names no file; run through pytest" };
const TOLERANCE = 1e-12;

function close(actual, expected, where) {
  assert.equal(actual.length, expected.length, where);
  expected.forEach((e, i) => {
    const off = Math.abs(actual[i] - e);
    assert.ok(off <= TOLERANCE * Math.max(1, Math.abs(e)), `${where}[${i}] is ${actual[i]}; ${e} is required`);
  });
}

test("packing, relabelling and the places of a unit", () => {
  const p = randomParameters(3, 2, 4, 3);
  const sizes = { d: 2, h: 4, q: 3 };
  const theta = pack(p);
  assert.deepEqual(unpack(theta, sizes), p);
  const perm = [2, 0, 1, 3];
  const from = relabelling(sizes, perm);
  assert.deepEqual(Array.from(from, (k) => theta[k]), Array.from(pack(permuted(p, perm))));
  const at = placesOfUnit(sizes, 2);
  assert.deepEqual(at.map((k) => theta[k]), [...[0, 1].map((i) => p.W1.data[i * 4 + 2]), p.b1.data[2], ...[0, 1, 2].map((k) => p.W2.data[6 + k])]);
  assert.equal(places(sizes).count, theta.length);
});

test("the fast kernel computes what mlp.js does, with and without a mask, in float64 and float32", () => {
  for (const name of Object.keys(activations)) {
    for (const single of [false, true]) {
      const round = single ? Math.fround : (x) => x;
      const rounded = (A) => ({ ...A, data: A.data.map(round) });
      const sizes = { d: 3, h: 5, q: 2 };
      const plain = randomParameters(4, 3, 5, 2);
      const p = Object.fromEntries(Object.entries(plain).map(([part, A]) => [part, rounded(A)]));
      const [X, Y] = [rounded(randomData(4, 7, 3)), rounded(randomData(4, 7, 2, 6))];
      const random = randomData(4, 7, 5, 7);
      for (const mask of [null, { ...random, data: random.data.map((x) => (x > 0 ? 2 : 0)) }]) {
        const slow = lossAndGradients(p, X, Y, name, { round, mask });
        const g = new Float64Array(places(sizes).count);
        const loss = kernel(sizes, name, single).gradient(pack(p), X, Y, mask, g);
        const allowed = single ? 1e-5 : 1e-14; // the derivative of tanh comes from the value, which in float32 is rounded first
        assert.ok(Math.abs(loss - slow.loss) <= allowed * Math.abs(slow.loss), `${name} loss ${loss}, ${slow.loss}`);
        pack(slow.gradients).forEach((x, k) => assert.ok(Math.abs(g[k] - x) <= allowed * Math.max(1, Math.abs(x)), `${name} gradient ${k}: ${g[k]}, ${x}`));
        if (single) assert.ok(g.every((x) => Math.fround(x) === x));
      }
    }
  }
});

test("random numbers of a purpose are Python's", options, () => {
  for (const { seed, step, purpose, uniforms, normals, order } of fixture.streams) {
    const d = draws(seed, step, purpose);
    assert.deepEqual(Array.from(d.uniforms(uniforms.length)), uniforms);
    close(Array.from(d.normals(normals.length)), normals, "normals");
    assert.deepEqual(d.order(order.length), order);
  }
});

/** The optimizer and its state where Python's run was before step t. */
function resumed(name, stepSize, states, t, count) {
  const found = rule(name, { stepSize });
  const state = { ...found.init(count), t };
  for (const part of ["first", "second"]) if (states[t][part]) state[part] = Float64Array.from(states[t][part]);
  return { found, state };
}

function compareStep(c, t, { theta, X, Y, mask }, where) {
  const g = new Float64Array(theta.length);
  kernel(fixture.sizes, "tanh").gradient(theta, X, Y, mask, g);
  const { found, state } = resumed(c.name ?? c.optimizer, c.step_size, c.states, t, theta.length);
  found.update(theta, g, state);
  close(theta, c.theta[t + 1], `${where}, step ${t}`);
  for (const part of Object.keys(c.states[t + 1])) close(state[part], c.states[t + 1][part], `${where}, step ${t}, ${part}`);
}

test("one step from each of 1,000 states is Python's, for every optimizer", options, () => {
  assert.deepEqual(fixture.optimizers.map((c) => c.name), OPTIMIZERS);
  for (const c of fixture.optimizers) {
    assert.equal(c.theta.length, 1001);
    for (let t = 0; t < 1000; t++) compareStep(c, t, { theta: Float64Array.from(c.theta[t]), X: fromRows(c.X), Y: fromRows(c.Y), mask: null }, c.name);
  }
});

test("one step from each of 1,000 states is Python's for every noise, drawn here", options, () => {
  assert.deepEqual(fixture.noises.slice(0, 8).map((c) => c.names[0]), NOISE_NAMES);
  for (const c of fixture.noises) {
    assert.equal(c.theta.length, 1001);
    for (let t = 0; t < 1000; t++) {
      const theta = Float64Array.from(c.theta[t]);
      const seen = drawStep(c.names.map((name) => ({ name })), { seed: c.seed, t, X: fromRows(c.X), Y: fromRows(c.Y), theta: [theta], sizes: fixture.sizes });
      const given = c.draws[t];
      close(theta, given.theta, `${c.names} parameters`);
      for (const part of ["X", "Y", "mask"]) {
        if (given[part]) close(toRows(seen[part]).flat(), given[part].flat(), `${c.names} ${part}`);
        else assert.equal(seen[part], null);
      }
      compareStep(c, t, { theta, ...seen }, `${c.names}`);
    }
  }
});

test("one step from each of 1,000 states is Python's for every noise, as Python drew it", options, () => {
  for (const c of fixture.noises) {
    for (let t = 0; t < 1000; t++) {
      const { theta, X, Y, mask } = c.draws[t];
      compareStep(c, t, { theta: Float64Array.from(theta), X: fromRows(X), Y: fromRows(Y), mask: mask && fromRows(mask) }, `${c.names}`);
    }
  }
});

test("whole runs under noise follow Python's, all noises at once", options, () => {
  const c = fixture.noises[8];
  assert.equal(c.names.length, 8);
  const run = new Trajectory({
    starts: [Float64Array.from(c.theta[0])], sizes: fixture.sizes, X: fromRows(c.X), Y: fromRows(c.Y), activation: "tanh", optimizer: c.optimizer,
    options: { stepSize: c.step_size }, noises: c.names.map((name) => ({ name })), seed: c.seed, measure: () => 0,
  });
  run.advance(20);
  close(run.paths[0][20], c.theta[20], "after 20 steps");
});

test("drawn starts and step sizes are Python's", options, () => {
  for (const { scheme, seed, theta } of fixture.starts) close(Array.from(pack(initial(scheme, seed, { d: 3, h: 5, q: 2 }))), theta, scheme);
  assert.deepEqual(PAGE_STEP_SIZES, fixture.step_sizes);
});

test("traits and links are checked, with a sentence that says what is required", () => {
  const limits = { d: [1, 2], h: [2, 3], q: [1, 1], n: 4 };
  const good = { network: { W1: [[1, 2]], b1: [0, 0], W2: [[1], [2]], b2: [0] }, X: [[1], [2]], Y: [[0], [1]] };
  assert.deepEqual(requireProblem(good, limits), good);
  for (const [patch, words] of [
    [{ X: [[1, 2]] }, /X has 2 columns; 1/], [{ Y: [[1]] }, /Y has shape \(1, 1\); \(2, 1\)/], [{ X: "no" }, /X is "no"/], [{ X: [[1], [NaN]] }, /X has NaN in row 1/],
    [{ network: { ...good.network, W1: [[1]], b1: [0], W2: [[1]] } }, /hidden units is 1; a whole number from 2 to 3/],
    [{ network: { ...good.network, b1: [0] } }, /widths do not meet/], [{ X: [[1], [2], [3], [4], [5]], Y: [[1], [2], [3], [4], [5]] }, /samples is 5; a whole number from 1 to 4/],
  ]) assert.throws(() => requireProblem({ ...good, ...patch }, limits), words);
  assert.deepEqual(requireProgress({ steps: 3, running: true }, 5, 500), { steps: 3, at: 3, per_click: 10, running: false });
  assert.throws(() => requireProgress({ steps: 6 }, 5, 500), /steps is 6; a whole number from 0 to 5/);
  assert.throws(() => requireProgress({ steps: 3, at: 4 }, 5, 500), /shown step is 4; a whole number from 0 to 3/);
  for (const bad of ["1", NaN, null, 11]) assert.throws(() => requireNumber("step_size", bad, 0, 10), /step_size is .*; a number from 0 to 10/);
});

test("an unknown optimizer or option is refused", () => {
  assert.throws(() => rule("sgdd"), /one of sgd, momentum/);
  assert.throws(() => rule("sgd", { momentum: 0.9 }), /no option "momentum"; stepSize/);
});

test("nextUp is the next larger number", () => {
  for (const x of [0, 1, -1, 0.1, -1e300, 5e-324, -5e-324]) {
    const next = nextUp(x);
    assert.ok(next > x);
    const half = x + (next - x) / 2;
    assert.ok(half === x || half === next);
  }
});

// ---- what the widgets say ----------------------------------------------------------------------

const sizes = { d: 4, h: 6, q: 2 };
const group = [1, 3, 4];
const X = randomData(8, 12, 4);
const Y = { ...randomData(8, 12, 2, 6), data: randomData(8, 12, 2, 6).data.map(Math.tanh) };

function lab(optimizer, stepSize, noises, { activation = "tanh", single = false, alike = true } = {}) {
  const theta = pack(randomParameters(8, 4, 6, 2)).map((x) => 0.5 * x);
  const units = group.map((unit) => placesOfUnit(sizes, unit));
  if (alike) units.forEach((unit) => unit.forEach((k, i) => (theta[k] = theta[units[0][i]])));
  return new Trajectory({
    starts: [theta], sizes, X, Y, activation, optimizer, options: { stepSize }, noises, seed: 3, single, measure: unitSpread(units),
  });
}

const STEP_SIZES = { sgd: 3e-3, momentum: 5e-4, nesterov: 5e-4, adagrad: 5e-2, rmsprop: 1e-2, adam: 1e-2, lion: 3e-3, sign: 3e-3 };
const keeping = NOISE_NAMES.filter((name) => !NOISES[name].breaks);

test("identical units stay identical to the last bit for 2,000 steps under every optimizer and every noise that they share", () => {
  assert.deepEqual(keeping, ["minibatch", "input_noise", "flips", "label_noise", "dropout_shared"]);
  for (const optimizer of OPTIMIZERS) {
    for (const noises of [[], ...keeping.map((name) => [name]), keeping]) {
      const run = lab(optimizer, STEP_SIZES[optimizer], noises.map((name) => ({ name })));
      run.advance(2000);
      assert.equal(run.steps, 2000, `${optimizer} ${noises}`);
      assert.equal(run.diverged, null);
      assert.ok(run.gaps.every((gap) => gap === 0), `${optimizer} ${noises}`);
      assert.ok(run.losses[0][2000] !== run.losses[0][0]);
    }
  }
});

test("a draw for each unit or weight, or the last bit of one weight, tells identical units apart under every optimizer", () => {
  for (const optimizer of OPTIMIZERS) {
    for (const name of NOISE_NAMES.filter((n) => NOISES[n].breaks)) {
      const run = lab(optimizer, STEP_SIZES[optimizer], [{ name, amounts: name === "nudge" ? { unit: group[0] } : {} }]);
      run.advance(50);
      assert.equal(run.gaps[0], 0);
      assert.ok(run.gaps.slice(1).every((gap) => gap > 0), `${optimizer} ${name} ${run.gaps.slice(0, 5)}`);
    }
  }
});

test("the nudge begins below 1e-15 and grows", () => {
  const run = lab("adam", 1e-2, [{ name: "nudge", amounts: { unit: group[0] } }]);
  run.advance(2000);
  assert.ok(run.gaps[1] < 1e-15 && run.gaps[2000] > 1e5 * run.gaps[1], `${run.gaps[1]} ${run.gaps[2000]}`);
});

test("twins drift by rounding only, in float32 more than in float64, and exactly not at all under the identity", () => {
  const net = pack(randomParameters(8, 4, 6, 2)).map((x) => 0.5 * x);
  const drift = (perm, single, optimizer = "sgd", noises = []) => {
    const from = relabelling(sizes, perm);
    const run = new Trajectory({
      starts: [net, net.map((_, k) => net[from[k]])], sizes, X, Y, activation: "tanh", optimizer, options: { stepSize: STEP_SIZES[optimizer] }, noises, seed: 3, single, measure: twinGap(from),
    });
    run.advance(1000);
    return run;
  };
  const cycle = [2, 0, 1, 5, 4, 3];
  for (const [optimizer, limit] of [["sgd", 1e-12], ["momentum", 1e-12], ["adam", 1e-7]]) {
    const run = drift(cycle, false, optimizer, [{ name: "minibatch" }]);
    assert.ok(run.gaps[1000] > 0 && run.gaps[1000] < limit, `${optimizer} ${run.gaps[1000]}`);
    const single = drift(cycle, true, optimizer, [{ name: "minibatch" }]);
    assert.ok(single.gaps[1000] > 1e-8 && single.now[0].every((x) => Math.fround(x) === x), `${optimizer} ${single.gaps[1000]}`);
    assert.ok(drift([0, 1, 2, 3, 4, 5], false, optimizer).gaps.every((gap) => gap === 0));
  }
});

test("a run that diverges says where and stops", () => {
  const run = lab("sgd", 1e6, [], { activation: "square" });
  run.advance(100);
  assert.ok(run.diverged !== null && run.steps === run.diverged && run.diverged < 100);
});

test("a trajectory continued is the trajectory made at once", () => {
  const [a, b] = [lab("adam", 1e-2, [{ name: "dropout" }]), lab("adam", 1e-2, [{ name: "dropout" }])];
  a.advance(30);
  for (let s = 0; s < 30; s++) b.advance(1);
  assert.deepEqual(a.paths, b.paths);
  assert.deepEqual(a.reach(10).steps, 30);
});

test("trajectories are kept by what determines them, and the oldest goes", () => {
  let made = 0;
  const runs = new Trajectories(() => (made++, lab("sgd", 1e-3, [])), 2);
  const first = runs.get("a", 5);
  assert.equal(runs.get("a", 8), first);
  assert.equal(first.steps, 8);
  runs.get("b", 0);
  runs.get("a", 0);
  runs.get("c", 0);
  assert.equal(made, 3);
  assert.equal(runs.get("a", 0), first);
  runs.get("b", 0);
  assert.equal(made, 4);
});
