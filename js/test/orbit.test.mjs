/** Orbits and stabilizers against Python's counts and lists, and against brute force over S_h. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fromRows } from "../src/core/matrix.js";
import { parametersFromLists, parametersToLists, permuted } from "../src/core/mlp.js";
import * as orbits from "../src/core/orbit.js";
import { identityPermutation, nextPermutation } from "../src/core/permutation.js";
import { compare, NO_MISTAKES } from "../src/core/relabelling.js";
import { randomParameters } from "../src/core/settings.js";

const path = process.env.PERMSYM_FIXTURE;
const cases = path ? JSON.parse(readFileSync(path, "utf8")).orbits : null;
const options = { skip: cases ? false : "PERMSYM_FIXTURE names no file with orbits; run through pytest" };
const text = (p) => JSON.stringify(parametersToLists(p));

test("copies, classes, counts and lists are Python's", options, () => {
  for (const c of cases) {
    const p = orbits.withCopies(parametersFromLists(c.network), c.groups);
    assert.deepEqual(parametersToLists(p), c.copied);
    const classes = orbits.twinClasses(p);
    classes.forEach((a, u) => classes.forEach((b, v) => assert.equal(a === b, c.classes[u] === c.classes[v])));
    assert.equal(String(orbits.orbitSize(classes)), c.orbit_size);
    assert.equal(String(orbits.stabilizerSize(classes)), c.stabilizer_size);
    if (c.orbit) {
      const mine = [...orbits.arrangements(classes)].map((a) => text(permuted(p, orbits.representative(a, classes))));
      const theirs = c.orbit.map((lists) => text(parametersFromLists(lists)));
      assert.equal(new Set(mine).size, mine.length);
      assert.deepEqual(mine.sort(), theirs.sort());
    }
    if (c.stabilizer) assert.deepEqual([...orbits.stabilizer(classes)].map(String).sort(), c.stabilizer.map(String).sort());
  }
});

test("for every set partition of up to five units the lists are what brute force over S_h finds", () => {
  for (const h of [1, 2, 3, 4, 5]) {
    const p = randomParameters(h, 2, h, 1);
    const partitions = [[0]];
    for (let u = 1; u < h; u++) {
      const longer = partitions.flatMap((g) => [...new Set([...g, u])].map((c) => [...g, c]));
      partitions.splice(0, partitions.length, ...longer);
    }
    assert.equal(partitions.length, [0, 1, 2, 5, 15, 52][h], "Bell numbers");
    for (const groups of partitions) {
      const net = orbits.withCopies(p, groups);
      const classes = orbits.twinClasses(net);
      assert.deepEqual(classes, groups, "each unit is in the class of the first unit it equals");
      const reached = new Set();
      const fixing = new Set();
      let perm = identityPermutation(h);
      do {
        const there = text(permuted(net, perm));
        reached.add(there);
        if (there === text(net)) fixing.add(String(perm));
        const arrangement = orbits.arrangementOf(perm, classes);
        assert.equal(text(permuted(net, orbits.representative(arrangement, classes))), there);
        perm = nextPermutation(perm);
      } while (perm.some((u, j) => u !== j));
      const listed = [...orbits.arrangements(classes)];
      assert.equal(BigInt(reached.size), orbits.orbitSize(classes));
      assert.equal(listed.length, reached.size);
      assert.deepEqual(new Set(listed.map((a) => text(permuted(net, orbits.representative(a, classes))))), reached);
      const stabilizer = [...orbits.stabilizer(classes)].map(String);
      assert.deepEqual(new Set(stabilizer), fixing);
      assert.equal(BigInt(stabilizer.length), orbits.stabilizerSize(classes));
    }
  }
});

test("counts stay exact where a double would not, and every element computes the same outputs", () => {
  assert.equal(String(orbits.orbitSize(identityPermutation(25))), "15511210043330985984000000");
  const net = orbits.withCopies(randomParameters(3, 2, 4, 2), [0, 1, 1, 3]);
  const classes = orbits.twinClasses(net);
  const X = fromRows([[0.3, -1.2], [1.5, 0.4]]);
  for (const arrangement of orbits.arrangements(classes)) {
    const { residual, bound } = compare(net, X, "tanh", orbits.representative(arrangement, classes), NO_MISTAKES);
    assert.ok(residual <= bound && bound < 1e-13, `${residual} <= ${bound}`);
  }
});

test("signed zeros are one number", () => {
  const p = parametersFromLists({ W1: [[0, -0]], b1: [1, 1], W2: [[2], [2]], b2: [0] });
  assert.deepEqual(orbits.twinClasses(p), [0, 0]);
});
