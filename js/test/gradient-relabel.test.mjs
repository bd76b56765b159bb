/** Gradients with their bounds against Python's balls, and the gradient of a relabelled network against its partner. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { compareGradients, factors, partnerHere, partnerThere } from "../src/core/gradient-relabel.js";
import { fromRows, toRows } from "../src/core/matrix.js";
import { lossAndGradients, parametersFromLists, parametersToLists, PARTS } from "../src/core/mlp.js";
import { NO_MISTAKES } from "../src/core/relabelling.js";
import { gradientRadii, worstOf } from "../src/core/rounding.js";
import { randomData, randomParameters } from "../src/core/settings.js";

const path = process.env.PERMSYM_FIXTURE;
const cases = path ? JSON.parse(readFileSync(path, "utf8")).gradient_radii : null;
const options = { skip: cases ? false : "PERMSYM_FIXTURE names no file with gradient_radii; run through pytest" };

test("the rounding bounds of the gradients are Python's", options, () => {
  for (const c of cases) {
    const p = parametersFromLists(c.network);
    const [X, Y] = [fromRows(c.X), fromRows(c.Y)];
    const { gradients } = lossAndGradients(p, X, Y, c.activation);
    const radii = parametersToLists(gradientRadii(p, X, Y, c.activation));
    const lists = parametersToLists(gradients);
    for (const part of PARTS) {
      const [r, expected, value, theirs] = [radii[part], c.radii[part], lists[part], c.gradients[part]].map((a) => a.flat());
      expected.forEach((e, k) => {
        assert.ok(e > 0 && Math.abs(r[k] / e - 1) < 1e-6, `${c.activation} ${part}[${k}]: radius ${r[k]}; ${e} is required`);
        assert.ok(Math.abs(value[k] - theirs[k]) <= r[k] + e, `${c.activation} ${part}[${k}]: ${value[k]} and ${theirs[k]}`);
      });
    }
  }
});

const settings = [];
for (let seed = 1; seed <= 12; seed++) {
  const [d, h, q, n] = [1 + (seed % 4), 3 + (seed % 4), 1 + (seed % 3), 1 + (seed % 5)];
  const perm = [2, 0, 1, ...Array.from({ length: h - 3 }, (_, k) => 3 + k)];
  settings.push({ p: randomParameters(seed, d, h, q), X: randomData(seed, n, d), Y: randomData(seed, n, q, 6), perm });
}

test("the gradient is relabelled with the network, within the bound, and each mistake breaks it", () => {
  for (const { p, X, Y, perm } of settings) {
    for (const name of ["tanh", "relu", "sigmoid", "square"]) {
      const legal = compareGradients(p, X, Y, name, perm, NO_MISTAKES);
      assert.ok(legal.holds && legal.residual <= legal.bound, `${legal.residual} <= ${legal.bound}`);
      for (const mistake of ["b1", "W2", "transpose"]) {
        const broken = compareGradients(p, X, Y, "tanh", perm, { ...NO_MISTAKES, [mistake]: true });
        assert.ok(!broken.holds && broken.residual > 1e3 * broken.bound, `${mistake}: ${broken.residual} against ${broken.bound}`);
      }
    }
  }
});

test("every entry's factors add up to it, and its partner's to the same number", () => {
  for (const { p, X, Y, perm } of settings) {
    const { here, there } = compareGradients(p, X, Y, "tanh", perm, NO_MISTAKES);
    for (const part of PARTS) {
      toRows(here.gradients[part]).forEach((row, i) => row.forEach((value, j) => {
        const partner = partnerThere({ part, i, j }, perm);
        assert.deepEqual(partnerHere(partner, perm), { part, i, j });
        for (const sum of [factors(here, X, { part, i, j }), factors(there, X, partner)]) {
          const total = sum.reduce((t, [a, b]) => t + a * b, 0);
          assert.ok(Math.abs(total - value) < 1e-9 * Math.max(1, Math.abs(value)), `${part}[${i}, ${j}]`);
        }
      }));
    }
    assert.deepEqual(partnerThere({ part: "W1", i: 0, j: perm[0] }, perm), { part: "W1", i: 0, j: 0 });
    assert.deepEqual(partnerThere({ part: "W2", i: perm[1], j: 0 }, perm), { part: "W2", i: 1, j: 0 });
  }
});

test("the verdict is the largest difference, and an entry beyond its bound goes first", () => {
  const of = (a, b, r) => ({ A: fromRows([a]), B: fromRows([b]), radius: fromRows([r]) });
  assert.deepEqual(worstOf([of([1, 2], [1, 2], [3, 4])]), { residual: 0, bound: 4, holds: true });
  assert.deepEqual(worstOf([of([0, 0], [1, 2], [5, 6])]), { residual: 2, bound: 6, holds: true });
  assert.deepEqual(worstOf([of([0, 0, 0], [1, 2, 9], [0.5, 6, 10])]), { residual: 1, bound: 0.5, holds: false });
  assert.equal(worstOf([of([NaN], [1], [5])]).holds, false);
});
