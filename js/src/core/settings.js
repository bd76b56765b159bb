/** Random networks and data from a seed, the same numbers on every machine (core/random.js), and the checks of what traits and links bring. */
import { normals } from "./random.js";
import { fromRows, zeros } from "./matrix.js";
import { parametersFromLists } from "./mlp.js";
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

/** Weights and data up to this size: no sum of products of them overflows. */
export const LARGEST = 1e6;
export const SEEDS = 1e9;

/** The seed after this one; the first follows the last. @param {number} seed */
export const following = (seed) => (seed >= SEEDS ? 0 : seed + 1);

/** A value as a sentence names it: its JSON, and of a long one the beginning. @param {unknown} value */
export function told(value) {
  const text = typeof value === "number" ? String(value) : JSON.stringify(value) ?? "missing";
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

/** An integer from a link or a trait, or a sentence that says what was required. */
export function requireInteger(name, value, min, max) {
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new RangeError(`${name} is ${told(value)}; a whole number from ${min} to ${max} is required`);
  }
  return value;
}

/** A number between two others from a link or a trait. */
export function requireNumber(name, value, min, max) {
  if (typeof value !== "number" || !(value >= min && value <= max)) {
    throw new RangeError(`${name} is ${told(value)}; a number from ${min} to ${max} is required`);
  }
  return value;
}

/** One of a list of words. */
export function requireOneOf(name, value, words) {
  if (!words.includes(value)) throw new RangeError(`${name} is ${told(value)}; one of ${words.join(", ")} is required`);
  return value;
}

/** true or false. */
export function requireSwitch(name, value) {
  if (typeof value !== "boolean") throw new RangeError(`${name} is ${told(value)}; true or false is required`);
  return value;
}

/** A permutation of n things as a list. @param {string} name @param {unknown} perm @param {number} n @returns {number[]} */
export function requirePermutation(name, perm, n) {
  if (!isPermutation(perm) || perm.length !== n) {
    throw new RangeError(`${name} is ${told(perm)}; every number from 0 to ${n - 1} once is required`);
  }
  return perm;
}

/** A list, of a given length or of any. @param {string} name @param {unknown} list @param {string} what it must be, in words @returns {any[]} */
export function requireList(name, list, what, length = undefined) {
  if (!Array.isArray(list) || (length !== undefined && list.length !== length)) {
    throw new RangeError(`${name} is ${told(list)}; ${what} is required`);
  }
  return list;
}

/** An object with named parts. @param {string} name @param {unknown} value @param {string} what it must be, in words @returns {Record<string, any>} */
export function requireObject(name, value, what) {
  if (value === null || typeof value !== "object" || ![Object.prototype, null].includes(Object.getPrototypeOf(value))) throw new RangeError(`${name} is ${told(value)}; ${what} is required`);
  return value;
}

/** A matrix from nested lists of numbers of at most `limit` in size. @returns {import("./matrix.js").Matrix} */
export function requireMatrix(name, nested, { limit = LARGEST } = {}) {
  if (!Array.isArray(nested) || !nested.length || !nested.every((row) => Array.isArray(row) && row.length)) {
    throw new RangeError(`${name} is ${told(nested)}; a list of rows of numbers is required`);
  }
  const cols = nested[0].length;
  nested.forEach((row, i) => {
    if (row.length !== cols) throw new RangeError(`${name} has ${row.length} numbers in row ${i} and ${cols} in row 0; rows of one length are required`);
    const wrong = row.find((x) => typeof x !== "number" || !(Math.abs(x) <= limit));
    if (wrong !== undefined || row.includes(undefined)) throw new RangeError(`${name} has ${told(wrong)} in row ${i}; a number from ${-limit} to ${limit} is required`);
  });
  return fromRows(nested);
}

/**
 * A network from lists, with every number and every size checked.
 * @param {unknown} lists @param {{d: [number, number], h: [number, number], q: [number, number]}} limits smallest and largest
 * @returns {import("./mlp.js").Parameters}
 */
export function requireNetwork(lists, limits) {
  const { W1, b1, W2, b2 } = requireObject("network", lists, "an object with the lists W1, b1, W2 and b2");
  requireMatrix("W1", W1);
  requireMatrix("b1", [requireList("b1", b1, "a list of numbers")]);
  requireMatrix("W2", W2);
  requireMatrix("b2", [requireList("b2", b2, "a list of numbers")]);
  const p = parametersFromLists({ W1, b1, W2, b2 });
  requireInteger("the number of inputs", p.W1.rows, ...limits.d);
  requireInteger("the number of hidden units", p.W1.cols, ...limits.h);
  requireInteger("the number of outputs", p.W2.cols, ...limits.q);
  return p;
}

/** Inputs of a network: a row per sample, at most n of them. @param {unknown} X @param {number} d @param {number} n */
export function requireInputs(X, d, n) {
  const inputs = requireMatrix("X", X);
  requireInteger("the number of samples", inputs.rows, 1, n);
  if (inputs.cols !== d) throw new RangeError(`X has ${inputs.cols} columns; ${d}, one per input, are required`);
  return inputs;
}

/** Targets of a network, one row for each of n inputs. @param {unknown} Y @param {number} n @param {number} q */
export function requireTargets(Y, n, q) {
  const targets = requireMatrix("Y", Y);
  if (targets.rows !== n || targets.cols !== q) {
    throw new RangeError(`Y has shape (${targets.rows}, ${targets.cols}); (${n}, ${q}) is required`);
  }
  return targets;
}

/** Switches by name: what is not given is off, and a name that is not there is refused. */
export function requireSwitches(name, given, names) {
  const wanted = `true or false for ${names.join(", ")}`;
  const wrong = Object.entries(requireObject(name, given, wanted)).find(([key, on]) => !names.includes(key) || typeof on !== "boolean");
  if (wrong) throw new RangeError(`${name} has ${told(wrong[0])}: ${told(wrong[1])}; ${wanted} is required`);
  return Object.fromEntries(names.map((key) => [key, given[key] ?? false]));
}
