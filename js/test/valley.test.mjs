/** The flat valley: moves against breadth-first search, one loss along every walk, Python's numbers, and the controls. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { parametersFromLists } from "../src/core/mlp.js";
import { fromRows } from "../src/core/matrix.js";
import { relabelling } from "../src/core/packed.js";
import { identityPermutation, nextPermutation } from "../src/core/permutation.js";
import { randomData, randomParameters } from "../src/core/settings.js";
import { across, CORRECT, legAt, movesTo, PER_LEG, slotsAt, splitSlots, valley, walk } from "../src/core/valley.js";

const path = process.env.PERMSYM_FIXTURE;
const fixture = path ? JSON.parse(readFileSync(path, "utf8")).valley : null;
const made = (seed, d, r, q, unit = 0) => valley(randomParameters(seed, d, r, q), unit, randomData(seed, 8, d), randomData(seed, 8, q, 6), "tanh");

function* orderings(n) {
  let perm = identityPermutation(n);
  do {
    yield perm;
    perm = nextPermutation(perm);
  } while (perm.some((k, j) => k !== j));
}

test("the vector across is as long, at a right angle, and missing where there is none", () => {
  for (const a of [[3, 4], [0, 2], [1, -2, 0.5], [1e-9, 1, 1, 1]]) {
    const v = across(a);
    assert.ok(Math.abs(v.reduce((s, x, i) => s + x * a[i], 0)) < 1e-14);
    assert.ok(Math.abs(Math.hypot(...v) - Math.hypot(...a)) < 1e-14);
  }
  assert.equal(across([2]), null);
  assert.equal(across([0, 0]), null);
});

test("the moves reach every ordering and are the fewest", () => {
  for (const n of [2, 3, 4, 5]) {
    const distance = new Map([[String(identityPermutation(n)), 0]]); // breadth first
    const queue = [identityPermutation(n)];
    for (const order of queue) {
      const hole = order.indexOf(n - 1);
      for (let slot = 0; slot < n; slot++) {
        const next = order.slice();
        [next[hole], next[slot]] = [next[slot], next[hole]];
        if (!distance.has(String(next))) {
          distance.set(String(next), distance.get(String(order)) + 1);
          queue.push(next);
        }
      }
    }
    let count = 0;
    for (const perm of orderings(n)) {
      const order = identityPermutation(n);
      const moves = movesTo(perm);
      for (const { unit, from, to } of moves) {
        assert.equal(order[to], n - 1);
        assert.equal(order[from], unit);
        [order[to], order[from]] = [unit, n - 1];
      }
      assert.deepEqual(order, perm);
      assert.equal(moves.length, distance.get(String(perm)));
      count++;
    }
    assert.equal(count, distance.size);
    const { orderings: reached, most } = made(n, 1, n - 1, 1).everywhere(CORRECT);
    assert.equal(reached, count);
    assert.equal(most, Math.max(...distance.values()));
  }
});

test("the unit keeps lambda a and its copy has the rest, until the copy is silent", () => {
  const p = randomParameters(4, 1, 3, 2);
  const V = valley(p, 1, randomData(4, 8, 1), randomData(4, 8, 2, 6), "tanh");
  const outgoing = (slots, j) => Array.from(V.theta(slots).subarray(8 + 2 * j, 10 + 2 * j)); // after 4 weights in and 4 biases
  const a = [p.W2.data[2], p.W2.data[3]];
  const slots = splitSlots([0, 1, 2, 3], 1, 0.3, 0);
  assert.deepEqual(outgoing(slots, 1), a.map((x) => 0.3 * x));
  assert.deepEqual(outgoing(slots, 3), a.map((x) => 0.7 * x));
  const end = splitSlots([0, 1, 2, 3], 1, 0.3, 0.5, CORRECT, 1);
  assert.deepEqual([outgoing(end, 1), outgoing(end, 3)], [a, [0, 0]]);
});

test("every walk is continuous, keeps the loss, and ends in the relabelled network to the last bit", () => {
  for (const [d, r, q, unit, mu] of [[1, 3, 2, 1, 0.6], [2, 2, 1, 0, 0], [1, 1, 1, 0, 0], [2, 3, 3, 2, -1]]) {
    const V = made(d + r, d, r, q, unit);
    for (const lambda of [-0.7, 0, 0.3, 1, 2]) {
      for (const perm of orderings(r + 1)) {
        const legs = walk(perm, unit, lambda, mu);
        for (let i = 1; i < legs.length; i++) assert.deepEqual(V.theta(legs[i].make(0)), V.theta(legs[i - 1].make(1)));
        const steps = legs.length * PER_LEG;
        const [from, to] = [V.theta(slotsAt(legs, 0)), V.theta(slotsAt(legs, steps))];
        assert.deepEqual(Array.from(to), Array.from(relabelling(V.sizes, perm), (k) => from[k]));
        const { worst, losses } = V.along(legs);
        assert.ok(worst.residual <= worst.bound && worst.bound < 1e-11 * Math.max(1, V.base.loss), `${worst.residual} ${worst.bound}`);
        assert.equal(losses.length, steps + 1);
      }
    }
  }
});

test("a position belongs to one leg", () => {
  const legs = walk([1, 2, 0], 0, 0.5, 0);
  assert.equal(legAt(legs, 0).index, 0);
  assert.deepEqual([legAt(legs, PER_LEG).index, legAt(legs, PER_LEG).t], [1, 0]);
  const end = legAt(legs, legs.length * PER_LEG);
  assert.deepEqual([end.index, end.t], [legs.length - 1, 1]);
});

test("the controls break the loss, and so does the straight line", () => {
  const V = made(5, 1, 3, 2, 1);
  const lambdas = [-1, 0, 0.3, 2];
  assert.ok(V.line(lambdas, 0.5, CORRECT).residual <= V.line(lambdas, 0.5, CORRECT).bound);
  const perm = [2, 0, 1, 3];
  for (const mistakes of [{ both: true, together: false }, { both: false, together: true }]) {
    const { worst } = V.along(walk(perm, 1, 0.3, 0, mistakes));
    assert.ok(worst.residual > 1e-3 && worst.residual > worst.bound, JSON.stringify(mistakes));
    const everywhere = V.everywhere(mistakes).worst;
    assert.ok(everywhere.residual > 1e-3 && everywhere.residual > everywhere.bound);
  }
  assert.ok(V.line(lambdas, 0, { both: true, together: false }).residual > 1e-3);
  const { straight } = V.along(walk(perm, 1, 0.3, 0));
  assert.ok(Math.max(...straight) - V.base.loss > 1e-3);
});

test("moves, parameters, losses, bounds and gradients are Python's", { skip: fixture ? false : "PERMSYM_FIXTURE names no file; run through pytest" }, () => {
  assert.ok(fixture.length >= 10);
  const near = (x, y, where) => assert.ok(Math.abs(x - y) <= 1e-12 * Math.max(1, Math.abs(y)), `${where}: ${x} is not ${y}`);
  for (const c of fixture) {
    const V = valley(parametersFromLists(c.network), c.unit, fromRows(c.X), fromRows(c.Y), c.activation);
    assert.deepEqual(movesTo(c.perm).map(({ unit, from, to }) => [unit, from, to]), c.moves);
    const legs = walk(c.perm, c.unit, c.share, c.push);
    assert.deepEqual(legs.map(({ kind }) => kind), c.legs);
    c.parameters.forEach((theta, at) => {
      const slots = slotsAt(legs, at);
      V.theta(slots).forEach((x, k) => near(x, theta[k], `parameter ${k} at ${at}`));
      near(V.lossOf(slots).loss, c.losses[at], `loss at ${at}`);
      near(V.slope(slots), c.slopes[at], `gradient at ${at}`);
    });
    near(V.base.loss, c.base, "loss before the split");
    const ratio = V.base.radius / c.radius;
    assert.ok(ratio > 0.5 && ratio < 2, `the bound is ${ratio} of Python's`);
  }
});
