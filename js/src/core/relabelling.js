/**
 * A network relabelled as the chapter says, or with a mistake: what the widget permute-units computes.
 *
 * @typedef {{b1: boolean, W2: boolean, transpose: boolean, cumulative: boolean}} Mistakes
 *   b1: b1 is not permuted; W2: W2 is not permuted; transpose: P in place of its transpose on W2;
 *   cumulative: sigma is followed by a running sum over the units, which is not element-wise.
 */
import { addRow, largestDifference, map, matmul, takeColumns, takeRows, zip } from "./matrix.js";
import { forward } from "./mlp.js";
import { inverse } from "./permutation.js";
import { forwardRadii, gamma } from "./rounding.js";

/** @type {Mistakes} */
export const NO_MISTAKES = { b1: false, W2: false, transpose: false, cumulative: false };

/** The row of W2 that each slot holds. @param {number[]} perm @param {Mistakes} mistakes */
export function rowsOfW2(perm, mistakes) {
  if (mistakes.W2) return perm.map((_, j) => j);
  return mistakes.transpose ? inverse(perm) : perm;
}

/** @param {import("./mlp.js").Parameters} p @param {number[]} perm @param {Mistakes} mistakes */
export const relabelled = (p, perm, mistakes) => ({
  W1: takeColumns(p.W1, perm),
  b1: mistakes.b1 ? p.b1 : takeColumns(p.b1, perm),
  W2: takeRows(p.W2, rowsOfW2(perm, mistakes)),
  b2: p.b2,
});

function pass(p, X, name, cumulative) {
  const plain = forward(p, X, name);
  if (!cumulative) return { ...plain, radius: forwardRadii(p, X, name, plain).O };
  const running = map(plain.H, (x) => x);
  for (let i = 0; i < running.data.length; i++) if (i % running.cols) running.data[i] += running.data[i - 1];
  const O = addRow(matmul(running, p.W2), p.b2);
  const bound = addRow(matmul(map(running, Math.abs), map(p.W2, Math.abs)), map(p.b2, Math.abs));
  return { Z: plain.Z, H: running, O, radius: map(bound, (x) => gamma(2 * running.cols + 40) * x) };
}

/**
 * Both networks' passes, the largest difference of their outputs, and what rounding would allow there.
 * @param {import("./mlp.js").Parameters} p @param {import("./matrix.js").Matrix} X @param {string} name
 * @param {number[]} perm @param {Mistakes} mistakes
 */
export function compare(p, X, name, perm, mistakes) {
  const parameters = relabelled(p, perm, mistakes);
  const before = pass(p, X, name, mistakes.cumulative);
  const after = pass(parameters, X, name, mistakes.cumulative);
  const allowed = zip(before.radius, after.radius, (a, b) => a + b);
  return {
    parameters,
    before,
    after,
    residual: largestDifference(after.O, before.O),
    bound: allowed.data.reduce((m, x) => Math.max(m, x), 0),
  };
}
