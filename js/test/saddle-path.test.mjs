/** saddle-path: signs, projections and the symmetric logarithm, by their definitions and against Python's numbers. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { inertia, linearUpTo, middleOf, mirrorGap, projected, symlog, symlogTicks } from "../src/core/saddle-path.js";

const path = process.env.PERMSYM_FIXTURE;
const fixture = path ? JSON.parse(readFileSync(path, "utf8")).saddle_path : null;

test("an eigenvalue is negative, zero or positive, the limit itself being zero", () => {
  assert.deepEqual(inertia([-2, -1e-9, 0, 1e-9, 3, 4], 1e-9), { index: 1, nullity: 3, positive: 2 });
  assert.deepEqual(inertia([-1, 1], 0), { index: 1, nullity: 0, positive: 1 });
});

test("the first difference is seen along the first axis, in its length, and exchanged units change places", () => {
  const a = [1, 2, -0.5], b = [0.2, -1, 0.25];
  const [[one, other], [swappedOne, swappedOther]] = projected([[a, b], [b, a]]);
  assert.ok(Math.abs(one[0] - other[0] - Math.hypot(0.8, 3, -0.75)) < 1e-14);
  assert.ok(Math.abs(one[1] - other[1]) < 1e-14, "the difference has no part across itself");
  assert.deepEqual([swappedOne, swappedOther], [other, one]);
  assert.ok(projected([[[0, 0], [0, 0]]]).flat(2).every((x) => x === 0), "no direction at all");
});

test("the middle and the mirror gap", () => {
  assert.equal(middleOf([0.4, 0.1, 0, -0.1]), 2);
  assert.equal(middleOf([0.4, 0.1, -0.05, -0.2]), 2);
  assert.equal(mirrorGap([1, 2, 3, 2, 1]), 0);
  assert.equal(mirrorGap([1, 2, 3, 2.5, 1]), 0.5);
});

test("the symmetric logarithm is odd, increasing, and linear near 0", () => {
  const values = [-1e4, -1, -1e-3, 0, 1e-5, 1e-3, 2, 1e4];
  values.forEach((x, i) => {
    assert.equal(symlog(-x, 1e-3), -symlog(x, 1e-3));
    if (i) assert.ok(symlog(x, 1e-3) > symlog(values[i - 1], 1e-3));
  });
  assert.ok(Math.abs(symlog(2e-9, 1e-3) / symlog(1e-9, 1e-3) - 2) < 1e-5);
  const ticks = symlogTicks(-0.5, 300, 1e-4);
  assert.ok(ticks.includes(0) && ticks.includes(100) && ticks.length <= 11);
  ticks.forEach((tick, i) => i && assert.ok(tick > ticks[i - 1]));
  assert.ok(ticks.every((tick) => tick >= -0.5 && tick <= 300));
  assert.deepEqual(symlogTicks(0, 0, 1), [0]);
  assert.equal(linearUpTo([[1e-14, 0.03, -0.002], [5, 1e-13, 6]], [1e-10, 1e-10]), 1e-3);
  assert.equal(linearUpTo([[0, 0]], [0]), 1);
});

test("signs, middle and projections are Python's", { skip: fixture ? false : "PERMSYM_FIXTURE names no file; run through pytest" }, () => {
  assert.ok(fixture.length >= 3);
  for (const c of fixture) {
    c.spectra.forEach((spectrum, t) => {
      const { index, nullity } = inertia(spectrum, c.zeros[t]);
      assert.deepEqual([index, nullity], [c.index[t], c.nullity[t]]);
    });
    assert.equal(middleOf(c.distances), c.middle);
    projected(c.vectors).forEach((pair, t) => pair.forEach((place, i) => place.forEach((x, k) => assert.ok(Math.abs(x - c.projected[t][i][k]) <= 1e-12, `${t} ${i} ${k}`))));
  }
});
