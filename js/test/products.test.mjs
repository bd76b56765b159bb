/** Multiplying by permutation matrices on either side, over all of S_n x S_n for small n. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { fromRows } from "../src/core/matrix.js";
import { identityPermutation, inverse, nextPermutation } from "../src/core/permutation.js";
import { checks, examplePermutations, NO_MISTAKES, originOf, placeIn, placesMatrix, products } from "../src/core/products.js";

function all(n) {
  const found = [identityPermutation(n)];
  for (let p = nextPermutation(found[0]); String(p) !== String(found[0]); p = nextPermutation(p)) found.push(p);
  return found;
}
const at = ({ data, cols }, i, j) => data[i * cols + j];

test("each product holds at every place the entry that it says stands there", () => {
  for (const n of [2, 3, 4]) {
    const A = fromRows(placesMatrix(n));
    for (const perm of all(n)) {
      for (const second of all(n).slice(0, 6)) {
        for (const [name, made] of Object.entries(products(A, perm, second))) {
          for (let i = 0; i < n; i++) {
            for (let j = 0; j < n; j++) {
              const from = originOf(made, [i, j]);
              assert.equal(at(made.product, i, j), at(A, ...from), `${name} ${perm} ${second}`);
              assert.deepEqual(placeIn(made, from), [i, j]);
            }
          }
        }
      }
    }
  }
});

test("A P has column perm[j] of A in slot j, by the letter", () => {
  const made = products(fromRows(placesMatrix(3)), [2, 0, 1], [0, 1, 2]);
  assert.deepEqual(Array.from(made.AP.product.data), [13, 11, 12, 23, 21, 22, 33, 31, 32]);
  assert.deepEqual(Array.from(made.PtA.product.data), [31, 32, 33, 11, 12, 13, 21, 22, 23]);
  assert.deepEqual(Array.from(made.PA.product.data), [21, 22, 23, 31, 32, 33, 11, 12, 13]);
});

test("the identities hold exactly; a mistake shows unless the permutation hides it", () => {
  for (const n of [3, 4]) {
    const A = fromRows(placesMatrix(n));
    for (const perm of all(n)) {
      for (const second of all(n)) {
        assert.ok(checks(A, perm, second, NO_MISTAKES).every(({ residual }) => residual === 0));
        const turned = checks(A, perm, second, { ...NO_MISTAKES, transpose: true });
        const own = String(inverse(perm)) === String(perm);
        assert.equal(turned[1].residual === 0 && turned[2].residual === 0, own);
        const commute = perm.every((_, j) => perm[second[j]] === second[perm[j]]);
        assert.equal(checks(A, perm, second, { ...NO_MISTAKES, order: true })[3].residual === 0, commute);
      }
    }
    const { perm, second } = examplePermutations(n);
    for (const mistake of ["transpose", "order"]) {
      assert.ok(checks(A, perm, second, { ...NO_MISTAKES, [mistake]: true }).some(({ residual }) => residual > 0), `${n} ${mistake}`);
    }
  }
});
