/** The functions of a layer against Python's, and which of them commute with every relabelling. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { add, apply, divide, exactly, multiply, squareRoot, subtract } from "../src/core/ball.js";
import { fromRows, toRows } from "../src/core/matrix.js";
import { identityPermutation, nextPermutation } from "../src/core/permutation.js";
import { commutes, ROW_FUNCTIONS } from "../src/core/row-functions.js";
import { randomData } from "../src/core/settings.js";

const path = process.env.PERMSYM_FIXTURE;
const cases = path ? JSON.parse(readFileSync(path, "utf8")).row_functions : null;
const options = { skip: cases ? false : "PERMSYM_FIXTURE names no file with row_functions; run through pytest" };

test("both ways round the square are Python's", options, () => {
  assert.deepEqual([...new Set(cases.map((c) => c.name))].sort(), Object.keys(ROW_FUNCTIONS).sort());
  for (const c of cases) {
    assert.equal(ROW_FUNCTIONS[c.name].group, c.group);
    assert.equal(ROW_FUNCTIONS[c.name].words.replace("−", "-"), c.words);
    const found = commutes(c.name, fromRows(c.Z), c.perm);
    for (const [mine, theirs] of [[found.fZP, c.first], [found.fZthenP, c.last]]) {
      toRows(mine).flat().forEach((x, k) => {
        const e = theirs.flat()[k];
        assert.ok(Math.abs(x - e) <= 1e-12 * Math.max(1, Math.abs(e)), `${c.name}: ${x}; ${e} is required`);
      });
    }
  }
});

test("functions that treat the units alike commute within the bound, those that know the slot do not", () => {
  const Z = randomData(5, 4, 4);
  for (const [name, { group }] of Object.entries(ROW_FUNCTIONS)) {
    let perm = nextPermutation(identityPermutation(4));
    let broken = 0;
    for (; String(perm) !== "0,1,2,3"; perm = nextPermutation(perm)) {
      const found = commutes(name, Z, perm);
      assert.equal(found.holds, found.differing === 0);
      if (group !== "slot") assert.ok(found.holds, `${name} under ${perm}: ${found.residual} beyond ${found.bound}`);
      if (group === "entry") assert.equal(found.residual, 0, `${name} under ${perm}`);
      if (found.residual > 0.01) broken++;
      assert.ok(found.bound < 1e-13, `${name}: the bound ${found.bound} says nothing`);
    }
    assert.equal(commutes(name, Z, perm).residual, 0, `${name} under the identity`);
    if (group === "slot") assert.ok(broken >= 20, `${name} breaks under ${broken} of 23 relabellings`);
  }
});

test("balls enclose: numbers whose exact results are known lie within the radius, and the radius is small", () => {
  const third = divide(exactly(1), exactly(3));
  const results = [
    [subtract(multiply(third, exactly(3)), exactly(1)), 0],
    [subtract(add(exactly(0.1), exactly(0.2)), exactly(0.30000000000000004)), -(2 ** -55)], // what rounding added to the sum
    [subtract(multiply(squareRoot(exactly(2)), squareRoot(exactly(2))), exactly(2)), 0],
    [multiply(squareRoot(divide(exactly(1), exactly(49))), exactly(7)), 1],
    [apply(apply(exactly(0.5), Math.exp, Math.exp(0.5)), Math.log, 1), 0.5],
  ];
  for (const [{ v, r }, truth] of results) {
    assert.ok(Math.abs(v - truth) <= r, `|${v} - ${truth}| <= ${r}`);
    assert.ok(r < 1e-14, String(r));
  }
  assert.equal(divide(exactly(1), { v: 1e-20, r: 1e-19 }).r, Infinity);
});
