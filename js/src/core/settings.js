/** Random networks and data from a seed, the same numbers on every machine (core/random.js). */
import { normals } from "./random.js";
import { zeros } from "./matrix.js";

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
