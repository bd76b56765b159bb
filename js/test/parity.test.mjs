/** The numerics against numbers written by the Python package (tests/test_frontend.py writes the file PERMSYM_FIXTURE). */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fromRows, toRows } from "../src/core/matrix.js";
import { forward, lossAndGradients, parametersFromLists, parametersToLists, permuted } from "../src/core/mlp.js";
import { normals, philox, uniforms } from "../src/core/random.js";
import { compare, NO_MISTAKES } from "../src/core/relabelling.js";
import { forwardRadii } from "../src/core/rounding.js";

const TOLERANCE = 1e-12;
const path = process.env.PERMSYM_FIXTURE;
const fixture = path ? JSON.parse(readFileSync(path, "utf8")) : null;
const options = { skip: fixture ? false : "PERMSYM_FIXTURE names no file; run through pytest" };

export function close(actual, expected, where) {
  if (Array.isArray(expected)) {
    assert.equal(actual.length, expected.length, where);
    expected.forEach((e, i) => close(actual[i], e, `${where}[${i}]`));
  } else {
    const allowed = TOLERANCE * Math.max(1, Math.abs(expected));
    assert.ok(Math.abs(actual - expected) <= allowed, `${where} is ${actual}; ${expected} is required`);
  }
}

test("Philox gives the published words", () => {
  assert.deepEqual(philox([0, 0, 0, 0], [0, 0]), [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8]);
  const f = 0xffffffff;
  assert.deepEqual(philox([f, f, f, f], [f, f]), [0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd]);
  const pi = philox([0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344], [0xa4093822, 0x299f31d0]);
  assert.deepEqual(pi, [0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1]);
});

test("random streams are Python's", options, () => {
  for (const { seed, stream, uniform, normal } of fixture.random) {
    assert.deepEqual(Array.from(uniforms(seed, stream, uniform.length)), uniform, "uniforms agree bit for bit");
    close(Array.from(normals(seed, stream, normal.length)), normal, "normals");
  }
});

test("forward, loss, gradients and relabelling are Python's", options, () => {
  for (const c of fixture.networks) {
    const p = parametersFromLists(c.network);
    const X = fromRows(c.X);
    const pass = forward(p, X, c.activation);
    for (const part of ["Z", "H", "O"]) close(toRows(pass[part]), c[part], `${c.activation} ${part}`);
    const { loss, gradients } = lossAndGradients(p, X, fromRows(c.Y), c.activation);
    close(loss, c.loss, "loss");
    const lists = parametersToLists(gradients);
    for (const part of Object.keys(lists)) close(lists[part], c.gradients[part], `${c.activation} gradient of ${part}`);
    assert.deepEqual(parametersToLists(permuted(p, c.perm)), c.permuted);
  }
});

test("the rounding bound of the outputs is Python's", options, () => {
  for (const c of fixture.networks) {
    const p = parametersFromLists(c.network);
    const X = fromRows(c.X);
    const radii = toRows(forwardRadii(p, X, c.activation, forward(p, X, c.activation)).O);
    c.radius.forEach((row, i) => row.forEach((r, j) => {
      assert.ok(Math.abs(radii[i][j] / r - 1) < 1e-6, `radius ${radii[i][j]}; ${r} is required`);
    }));
  }
});

test("a legal relabelling stays under the bound and each mistake exceeds it", options, () => {
  for (const c of fixture.networks.filter(({ activation }) => activation === "tanh")) {
    const p = parametersFromLists(c.network);
    const X = fromRows(c.X);
    const legal = compare(p, X, c.activation, c.perm, NO_MISTAKES);
    assert.ok(legal.residual <= legal.bound, `${legal.residual} <= ${legal.bound}`);
    for (const mistake of Object.keys(NO_MISTAKES)) {
      const broken = compare(p, X, c.activation, c.perm, { ...NO_MISTAKES, [mistake]: true });
      assert.ok(broken.residual > 1e3 * broken.bound, `${mistake}: ${broken.residual} against ${broken.bound}`);
    }
  }
});
