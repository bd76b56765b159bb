/** Permutations against their literal definitions, over all of S_n for small n. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { fromRows, matmul, takeColumns, takeRows, toRows, transpose } from "../src/core/matrix.js";
import * as permutation from "../src/core/permutation.js";

function* all(n) {
  let perm = permutation.identityPermutation(n);
  const first = String(perm);
  do {
    yield perm;
    perm = permutation.nextPermutation(perm);
  } while (String(perm) !== first);
}

test("nextPermutation walks through all n! permutations once", () => {
  for (const [n, count] of [[1, 1], [2, 2], [3, 6], [4, 24], [5, 120]]) {
    const seen = new Set([...all(n)].map(String));
    assert.equal(seen.size, count);
    assert.ok([...seen].every((s) => permutation.isPermutation(s.split(",").map(Number))));
  }
});

test("A P takes columns and P^T B takes rows, in the same order", () => {
  const A = fromRows([[1, 2, 3], [4, 5, 6]]);
  for (const perm of all(3)) {
    const P = permutation.permutationMatrix(perm);
    assert.deepEqual(toRows(matmul(A, P)), toRows(takeColumns(A, perm)));
    assert.deepEqual(toRows(matmul(transpose(P), transpose(A))), toRows(takeRows(transpose(A), perm)));
  }
  const cycle = permutation.permutationMatrix([2, 0, 1]);
  assert.notDeepEqual(toRows(cycle), toRows(transpose(cycle)));
});

test("inverse, composition, order and sign", () => {
  for (const p of all(4)) {
    const id = permutation.identityPermutation(4);
    assert.deepEqual(permutation.compose(p, permutation.inverse(p)), id);
    for (const q of all(4)) {
      const product = matmul(permutation.permutationMatrix(p), permutation.permutationMatrix(q));
      assert.deepEqual(toRows(product), toRows(permutation.permutationMatrix(permutation.compose(p, q))));
      assert.equal(permutation.sign(permutation.compose(p, q)), permutation.sign(p) * permutation.sign(q));
    }
    let power = p, order = 1;
    while (String(power) !== String(id)) {
      power = permutation.compose(power, p);
      order++;
    }
    assert.equal(permutation.order(p), order);
  }
});

test("cycles are read as they are written", () => {
  for (const p of all(5)) assert.deepEqual(permutation.parseCycles(permutation.cyclesAsText(p), 5), p);
  assert.deepEqual(permutation.parseCycles("(0 2 1)", 3), [2, 0, 1]);
  for (const [bad, word] of [["0 2 1", "not a list"], ["(1 9)", "not a unit"], ["(0 1)(1 2)", "twice"], ["(1 3)", "not a unit"], ["(1 2", "not a list"]]) {
    assert.throws(() => permutation.parseCycles(bad, 3), (error) => error.message.includes(word), bad);
  }
});

test("isPermutation refuses everything else", () => {
  for (const bad of [[], [0, 0], [1, 2], [0.5, 1], [-1, 0], "01", null, [0, 2]]) assert.equal(permutation.isPermutation(bad), false);
});

test("moved puts one element elsewhere and keeps the others in order", () => {
  assert.deepEqual(permutation.moved([0, 1, 2, 3], 0, 2), [1, 2, 0, 3]);
  assert.deepEqual(permutation.moved([0, 1, 2, 3], 3, 0), [3, 0, 1, 2]);
});
