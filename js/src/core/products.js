/**
 * A matrix multiplied by a permutation matrix on either side: what the widget permutation-matrix computes. Entries only move, so
 * every identity holds to the last bit.
 *
 * @typedef {import("./matrix.js").Matrix} Matrix
 * @typedef {{transpose: boolean, order: boolean}} Mistakes
 *   transpose: P in place of its transpose; order: Q P in place of P Q
 */
import { identity, largestDifference, matmul, takeColumns, takeRows, transpose } from "./matrix.js";
import { compose, inverse, permutationMatrix } from "./permutation.js";

/** @type {Mistakes} */
export const NO_MISTAKES = { transpose: false, order: false };

/** The matrix that names its own places: 11, 12, ... in the first row. @param {number} n @returns {number[][]} */
export const placesMatrix = (n) => Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => 10 * (i + 1) + j + 1));

/** The example with n slots: a 3-cycle, and a second permutation that does not commute with it where there is one. */
export function examplePermutations(n) {
  const rest = (from) => Array.from({ length: n - from }, (_, k) => from + k);
  if (n === 2) return { perm: [1, 0], second: [1, 0] };
  if (n === 3) return { perm: [2, 0, 1], second: [0, 2, 1] };
  return { perm: [2, 0, 1, ...rest(3)], second: [0, 3, 1, 2, ...rest(4)] };
}

/**
 * The products with what they move: `axis` names what is reordered, `order[slot]` the column or row of A that stands in the slot.
 * @param {Matrix} A square @param {number[]} perm @param {number[]} second
 * @returns {Record<string, {product: Matrix, axis: "cols" | "rows", order: number[]}>}
 */
export function products(A, perm, second) {
  const [P, Q] = [permutationMatrix(perm), permutationMatrix(second)];
  const of = (product, axis, order) => ({ product, axis, order });
  return {
    AP: of(matmul(A, P), "cols", perm),
    APt: of(matmul(A, transpose(P)), "cols", inverse(perm)),
    PtA: of(matmul(transpose(P), A), "rows", perm),
    PA: of(matmul(P, A), "rows", inverse(perm)),
    APQ: of(matmul(matmul(A, P), Q), "cols", compose(perm, second)),
    AQP: of(matmul(matmul(A, Q), P), "cols", compose(second, perm)),
  };
}

/** Where entry (i, j) of A stands in a product. @returns {[number, number]} */
export const placeIn = ({ axis, order }, [i, j]) => (axis === "cols" ? [i, order.indexOf(j)] : [order.indexOf(i), j]);

/** The entry of A that stands at (i, j) of a product. @returns {[number, number]} */
export const originOf = ({ axis, order }, [i, j]) => (axis === "cols" ? [i, order[j]] : [order[i], j]);

/**
 * Four identities, each computed by matrix products and by picking columns or rows; a mistake breaks those it touches.
 * @param {Matrix} A @param {number[]} perm @param {number[]} second @param {Mistakes} mistakes
 * @returns {{name: string, residual: number}[]}
 */
export function checks(A, perm, second, mistakes) {
  const [P, Q] = [permutationMatrix(perm), permutationMatrix(second)];
  const turned = mistakes.transpose ? P : transpose(P);
  const both = mistakes.order ? matmul(Q, P) : matmul(P, Q);
  return [
    { name: "columns", residual: largestDifference(matmul(A, P), takeColumns(A, perm)) },
    { name: "rows", residual: largestDifference(matmul(turned, A), takeRows(A, perm)) },
    { name: "inverse", residual: largestDifference(matmul(turned, P), identity(perm.length)) },
    { name: "composition", residual: largestDifference(matmul(matmul(A, P), Q), matmul(A, both)) },
  ];
}
