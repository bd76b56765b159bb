/**
 * Permutations as index arrays, as in the Python package: slot j holds unit perm[j]; W1[:, perm] is W1 P with
 * P[perm[j], j] = 1, and W2[perm, :] is P^T W2.
 */
import { zeros } from "./matrix.js";

/** @param {number} n @returns {number[]} */
export const identityPermutation = (n) => Array.from({ length: n }, (_, j) => j);

/** Whether every number 0..n-1 stands in it once. @param {unknown} perm @returns {perm is number[]} */
export function isPermutation(perm) {
  if (!Array.isArray(perm) || perm.length === 0) return false;
  const seen = new Set(perm);
  return seen.size === perm.length && perm.every((j) => Number.isInteger(j) && j >= 0 && j < perm.length);
}

/** @param {number[]} perm @returns {number[]} */
export function inverse(perm) {
  const inv = new Array(perm.length);
  perm.forEach((k, j) => (inv[k] = j));
  return inv;
}

/** First p, then q: the matrix of the result is P_p P_q. @param {number[]} p @param {number[]} q @returns {number[]} */
export const compose = (p, q) => q.map((j) => p[j]);

/** The element in slot `from` moved to slot `to`, the others pushed along. @param {number[]} perm */
export function moved(perm, from, to) {
  const next = perm.slice();
  next.splice(to, 0, next.splice(from, 1)[0]);
  return next;
}

/** The matrix P with P[perm[j], j] = 1. @param {number[]} perm */
export function permutationMatrix(perm) {
  const P = zeros(perm.length, perm.length);
  perm.forEach((k, j) => (P.data[k * perm.length + j] = 1));
  return P;
}

/** Cycles of length at least 2, each from its smallest element. @param {number[]} perm @returns {number[][]} */
export function cycles(perm) {
  const seen = new Set();
  const found = [];
  for (let start = 0; start < perm.length; start++) {
    const cycle = [];
    for (let j = start; !seen.has(j); j = perm[j]) {
      seen.add(j);
      cycle.push(j);
    }
    if (cycle.length > 1) found.push(cycle);
  }
  return found;
}

/** "(0 2 1)", units counted from 0 as in Python, "identity" for the identity. @param {number[]} perm @returns {string} */
export function cyclesAsText(perm) {
  const found = cycles(perm);
  return found.length ? found.map((c) => `(${c.join(" ")})`).join(" ") : "identity";
}

/**
 * Read cycles such as "(0 2 1)(3 4)"; "", "()" and "identity" are the identity.
 * @param {string} text @param {number} n @returns {number[]}
 * @throws {RangeError} with a sentence for the reader
 */
export function parseCycles(text, n) {
  const perm = identityPermutation(n);
  const trimmed = text.trim().toLowerCase();
  if (trimmed === "" || trimmed === "identity" || trimmed === "e") return perm;
  if (!/^(\(\s*(\d+([\s,]+\d+)*)?\s*\)\s*)+$/.test(trimmed)) {
    throw new RangeError(`"${text.trim()}" is not a list of cycles; write for example (0 2 1)`);
  }
  const seen = new Set();
  for (const [, inside] of trimmed.matchAll(/\(([^)]*)\)/g)) {
    const cycle = (inside.match(/\d+/g) ?? []).map(Number);
    cycle.forEach((j, i) => {
      if (j >= n) throw new RangeError(`${j} is not a unit; units are 0 to ${n - 1}`);
      if (seen.has(j)) throw new RangeError(`unit ${j} occurs twice; the cycles must be disjoint`);
      seen.add(j);
      perm[j] = cycle[(i + 1) % cycle.length];
    });
  }
  return perm;
}

/** The smallest k >= 1 for which k repetitions move nothing. @param {number[]} perm @returns {number} */
export function order(perm) {
  const gcd = (a, b) => (b ? gcd(b, a % b) : a);
  return cycles(perm).reduce((k, c) => (k * c.length) / gcd(k, c.length), 1);
}

/** +1 for an even permutation, -1 for an odd one. @param {number[]} perm @returns {1 | -1} */
export const sign = (perm) => (cycles(perm).reduce((s, c) => s + c.length - 1, 0) % 2 ? -1 : 1);

/** The next permutation in lexicographic order; the identity follows the last. @param {number[]} perm */
export function nextPermutation(perm) {
  const next = perm.slice();
  let i = next.length - 2;
  while (i >= 0 && next[i] > next[i + 1]) i--;
  if (i < 0) return next.reverse();
  let k = next.length - 1;
  while (next[k] < next[i]) k--;
  [next[i], next[k]] = [next[k], next[i]];
  return [...next.slice(0, i + 1), ...next.slice(i + 1).reverse()];
}

/** A uniform permutation from a source of uniform numbers. @param {number} n @param {() => number} uniform */
export function randomPermutation(n, uniform) {
  const perm = identityPermutation(n);
  for (let i = n - 1; i > 0; i--) {
    const k = Math.floor(uniform() * (i + 1));
    [perm[i], perm[k]] = [perm[k], perm[i]];
  }
  return perm;
}
