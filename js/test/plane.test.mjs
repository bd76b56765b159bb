/** The plane of loss-surface: its mirror to the last bit, its gradient against differences, Python's numbers; the projection. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fromRows } from "../src/core/matrix.js";
import { parametersFromLists } from "../src/core/mlp.js";
import { DIRECTIONS, mirrorGap, plane } from "../src/core/plane.js";
import { projection, quadrilaterals } from "../src/core/projection.js";
import { randomData, randomParameters } from "../src/core/settings.js";

const path = process.env.PERMSYM_FIXTURE;
const fixture = path ? JSON.parse(readFileSync(path, "utf8")).plane : null;

const cases = [];
for (const direction of Object.keys(DIRECTIONS)) {
  for (const [seed, d, q] of [[1, 1, 1], [2, 2, 1], [3, 2, 2]]) {
    cases.push({ direction, P: plane(randomParameters(seed, d, 2, q), randomData(seed, 9, d), randomData(seed, 9, q, 6), "tanh", direction) });
  }
}

test("the loss has the same value at a point and at its mirror image, to the last bit", () => {
  for (const { P } of cases) {
    for (const [a, b] of [[0.3, 0.5], [P.halfWidth, 0], [1.234, -2.5]]) assert.equal(P.loss(a, b), P.loss(-a, b));
    const size = 21, values = P.grid(2 * P.halfWidth, size);
    for (let k = 0; k < values.length; k++) assert.equal(values[k], values[k - (k % size) + size - 1 - (k % size)]);
    assert.notEqual(values[0], values[10]);
    assert.notEqual(P.loss(0.3, 0.5), P.loss(0.3, -0.5)); // only one of the directions is a mirror
  }
});

test("a descent and the one from the mirrored start are mirror images, to the last bit", () => {
  for (const { P, direction } of cases) {
    const [one, other] = [[0.4, 0.7], [-0.4, 0.7]].map((start) => P.descent(start, 0.01, 300));
    assert.equal(one.length, 301);
    assert.equal(mirrorGap(one, other), 0, direction);
    assert.ok(P.loss(...one[300]) < P.loss(...one[0]));
    assert.ok(mirrorGap(one, P.descent([-0.4, 0.7000001], 0.01, 300)) > 0);
  }
});

test("on the mirror line the descent stays on it", () => {
  for (const { P } of cases) assert.ok(P.descent([0, 0.9], 0.01, 300).every(([a]) => a === 0));
});

test("the projected gradient is the slope of the loss within the plane", () => {
  for (const { P } of cases) {
    const e = 1e-6;
    const [a, b] = [0.31, -0.42];
    const expected = [(P.loss(a + e, b) - P.loss(a - e, b)) / (2 * e), (P.loss(a, b + e) - P.loss(a, b - e)) / (2 * e)];
    P.gradient(a, b).forEach((g, i) => assert.ok(Math.abs(g - expected[i]) < 1e-6 * Math.max(1, Math.abs(g)), `${g} ${expected[i]}`));
    assert.ok(P.slope(a, b) >= Math.hypot(...P.gradient(a, b)) * (1 - 1e-12));
  }
});

test("two identical units have no such plane", () => {
  const p = parametersFromLists({ W1: [[1, 1]], b1: [0.5, 0.5], W2: [[2], [2]], b2: [0] });
  assert.throws(() => plane(p, fromRows([[1]]), fromRows([[1]]), "tanh", "outgoing"), /identical/);
});

test("losses, gradients and descents are Python's", { skip: fixture ? false : "PERMSYM_FIXTURE names no file; run through pytest" }, () => {
  assert.ok(fixture.length >= 12);
  for (const c of fixture) {
    const P = plane(parametersFromLists(c.network), fromRows(c.X), fromRows(c.Y), c.activation, c.direction);
    assert.ok(Math.abs(P.halfWidth - c.half_width) < 1e-13 * c.half_width);
    c.points.forEach(([a, b], i) => {
      assert.ok(Math.abs(P.loss(a, b) - c.losses[i]) <= 1e-12 * Math.max(1, c.losses[i]));
      P.gradient(a, b).forEach((g, k) => assert.ok(Math.abs(g - c.gradients[i][k]) <= 1e-12 * Math.max(1, Math.abs(g))));
    });
    P.descent(c.points[0], c.step_size, c.descent.length - 1).forEach((point, t) => point.forEach((x, k) => assert.ok(Math.abs(x - c.descent[t][k]) <= 1e-12, `${t}`)));
  }
});

test("the projection turns rigidly, and draws the farthest first", () => {
  for (const [turn, tilt] of [[0, 90], [30, 40], [200, 10]]) {
    const see = projection(turn, tilt);
    const axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map((v) => Object.values(see(...v)));
    axes.forEach((v, i) => axes.forEach((w, j) => {
      const dot = v.reduce((s, x, k) => s + x * w[k], 0);
      assert.ok(Math.abs(dot - (i === j ? 1 : 0)) < 1e-12);
    }));
    const drawn = quadrilaterals(Float64Array.from({ length: 16 }, (_, k) => Math.sin(k)), 4, see);
    assert.equal(drawn.length, 9);
    assert.ok(drawn.every(({ near }, i) => i === 0 || near >= drawn[i - 1].near));
  }
  const top = projection(0, 90)(0.5, -0.25, 0.1);
  assert.ok(Math.abs(top.x - 0.5) < 1e-12 && Math.abs(top.y + 0.25) < 1e-12);
});
