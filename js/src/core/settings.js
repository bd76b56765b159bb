/** Random networks and data from a seed, the same numbers on every machine (core/random.js). */
import { normals } from "./random.js";
import { fromRows, zeros } from "./matrix.js";
import { isPermutation } from "./permutation.js";

/** A matrix of standard normal numbers from one stream, rounded to 2 decimals so that readers can follow them. */
function drawn(rows, cols, seed, stream) {
  const A = zeros(rows, cols);
  normals(seed, stream, rows * cols).forEach((x, i) => (A.data[i] = Math.round(100 * x) / 100));
  return A;
}

/** @param {number} seed @returns {import("./mlp.js").Parameters} */
export const randomParameters = (seed, d, h, q) => ({
  W1: drawn(d, h, seed, 1),
  b1: drawn(1, h, seed, 2),
  W2: drawn(h, q, seed, 3),
  b2: drawn(1, q, seed, 4),
});

export const randomData = (seed, n, d, stream = 5) => drawn(n, d, seed, stream);

/** An integer from a link or a trait, or a sentence that says what was required. */
export function requireInteger(name, value, min, max) {
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new RangeError(`${name} is ${JSON.stringify(value)}; a whole number from ${min} to ${max} is required`);
  }
  return value;
}

/** One of a list of words. */
export function requireOneOf(name, value, words) {
  if (!words.includes(value)) throw new RangeError(`${name} is ${JSON.stringify(value)}; one of ${words.join(", ")} is required`);
  return value;
}

/** A permutation of n things as a list. @param {string} name @param {unknown} perm @param {number} n @returns {number[]} */
export function requirePermutation(name, perm, n) {
  if (!isPermutation(perm) || perm.length !== n) {
    throw new RangeError(`${name} is ${JSON.stringify(perm)}; every number from 0 to ${n - 1} once is required`);
  }
  return perm;
}

/** A matrix from nested lists of numbers of at most `limit` in size. @returns {import("./matrix.js").Matrix} */
export function requireMatrix(name, nested, { limit = Infinity } = {}) {
  if (!Array.isArray(nested) || !nested.every(Array.isArray)) {
    throw new RangeError(`${name} is ${JSON.stringify(nested)}; a list of rows of numbers is required`);
  }
  const A = fromRows(nested);
  nested.flat().forEach((x, at) => {
    if (!Number.isFinite(x) || Math.abs(x) > limit) {
      const size = Number.isFinite(limit) ? ` from ${-limit} to ${limit}` : "";
      throw new RangeError(`${name} has ${JSON.stringify(x)} in row ${Math.floor(at / A.cols) + 1}; a number${size} is required`);
    }
  });
  return A;
}

/** Switches by name: what is not given is off, and a name that is not there is refused. */
export function requireSwitches(name, given, names) {
  const wrong = Object.entries(given ?? {}).find(([key, on]) => !names.includes(key) || typeof on !== "boolean");
  if (wrong) throw new RangeError(`${name} has ${JSON.stringify(wrong[0])}: ${JSON.stringify(wrong[1])}; true or false for ${names.join(", ")} is required`);
  return Object.fromEntries(names.map((key) => [key, given?.[key] ?? false]));
}
