/**
 * Rounding bounds derived from the data, by the rules of src/permsym_book/rounding.py: a Ball is a computed matrix with, for each
 * entry, a radius within which the exact result lies. A sum of k products errs by at most gamma_k |A||B|; an activation passes an
 * error on times its largest slope. Two Balls around one exact matrix differ by at most the sum of their radii.
 *
 * @typedef {import("./matrix.js").Matrix} Matrix
 * @typedef {{value: Matrix, radius: Matrix}} Ball
 */
import { activation } from "./activations.js";
import { addRow, columnSums, map, matmul, transpose, zeros, zip } from "./matrix.js";

const U = 2 ** -53;
const SMALLEST = 2 ** -1022;
const FUNCTION_ERROR = 32 * U;
const INFLATION = 1 + 2 ** -20;

/** @param {number} k @returns {number} */
export const gamma = (k) => (k * U) / (1 - k * U);

/** The error of a library function at a computed value. @param {number} value */
export const functionError = (value) => FUNCTION_ERROR * Math.max(1, Math.abs(value)) + SMALLEST;

/** A radius enlarged by what computing it in floating point may have lost. @param {number} r */
export const inflated = (r) => r * INFLATION;

const abs = (A) => map(A, Math.abs);
const notExact = (A) => A.radius.data.some((r) => r > 0);

/** Radii entry by entry added up. @param {...Matrix} matrices @returns {Matrix} */
export const sum = (...matrices) => matrices.reduce((A, B) => zip(A, B, (a, b) => a + b));

/** Numbers that are exact as they stand. @param {Matrix} value @returns {Ball} */
export const exact = (value) => ({ value, radius: zeros(value.rows, value.cols) });

const rounded = (value, propagated) =>
  ({ value, radius: zip(value, propagated, (x, e) => inflated(e + gamma(1) * Math.abs(x) + SMALLEST)) });

/** A B. @param {Ball} A @param {Ball} B @returns {Ball} */
function product(A, B) {
  const [a, b] = [abs(A.value), abs(B.value)];
  const k = A.value.cols;
  const parts = [map(matmul(a, b), (x) => gamma(k) * x + k * SMALLEST)];
  if (notExact(B)) parts.push(matmul(a, B.radius));
  if (notExact(A)) parts.push(matmul(A.radius, b), matmul(A.radius, B.radius));
  return { value: matmul(A.value, B.value), radius: map(sum(...parts), inflated) };
}

/** A plus a row in every row. @param {Ball} A @param {Ball} b @returns {Ball} */
const plusRow = (A, b) => rounded(addRow(A.value, b.value), addRow(A.radius, b.radius));

const minus = (A, B) => rounded(zip(A.value, B.value, (a, b) => a - b), sum(A.radius, B.radius));

/** Entry by entry. @param {Ball} A @param {Ball} B @returns {Ball} */
function times(A, B) {
  const [a, b] = [abs(A.value), abs(B.value)];
  const multiply = (C, D) => zip(C, D, (c, d) => c * d);
  return rounded(multiply(A.value, B.value), sum(multiply(a, B.radius), multiply(A.radius, b), multiply(A.radius, B.radius)));
}

const turned = (A) => ({ value: transpose(A.value), radius: transpose(A.radius) });

/** The sums of the columns, in any order. @param {Ball} A @returns {Ball} */
function sumOfColumns(A) {
  const own = map(columnSums(abs(A.value)), (x) => gamma(A.value.rows) * x + SMALLEST);
  return { value: columnSums(A.value), radius: map(sum(own, columnSums(A.radius)), inflated) };
}

/** The activation of a Ball: the mean value theorem with its largest slope. @param {Ball} Z @param {string} name @returns {Ball} */
function activated(Z, name) {
  const { f, slope } = activation(name);
  const value = map(Z.value, f);
  const radius = zip(Z.value, Z.radius, (z, r) => slope(Math.abs(z) + r) * r);
  return { value, radius: zip(radius, value, (r, x) => inflated(r + functionError(x))) };
}

/** The derivative of the activation; a kink inside the ball adds the jump, at most 1. @param {Ball} Z @param {string} name @returns {Ball} */
function derived(Z, name) {
  const { df, derivativeSlope, kinks } = activation(name);
  const value = map(Z.value, df);
  const radius = zip(Z.value, Z.radius, (z, r) =>
    derivativeSlope(Math.abs(z) + r) * r + (r > 0 ? kinks.filter((k) => Math.abs(z - k) <= r).length : 0));
  return { value, radius: zip(radius, value, (r, x) => inflated(r + functionError(x))) };
}

const forwardBalls = (p, X, name) => {
  const Z = plusRow(product(exact(X), exact(p.W1)), exact(p.b1));
  const H = activated(Z, name);
  return { Z, H, O: plusRow(product(H, exact(p.W2)), exact(p.b2)) };
};

/**
 * How far each computed entry of Z, H and O can be from its exact value.
 * @param {import("./mlp.js").Parameters} p @param {Matrix} X @param {string} name
 * @returns {{Z: Matrix, H: Matrix, O: Matrix}}
 */
export function forwardRadii(p, X, name) {
  const { Z, H, O } = forwardBalls(p, X, name);
  return { Z: Z.radius, H: H.radius, O: O.radius };
}

/**
 * How far each computed entry of the gradient of 1/2 ||O - Y||^2 can be from its exact value.
 * @param {import("./mlp.js").Parameters} p @param {Matrix} X @param {Matrix} Y @param {string} name
 * @returns {import("./mlp.js").Parameters}
 */
export function gradientRadii(p, X, Y, name) {
  const { Z, H, O } = forwardBalls(p, X, name);
  const deltaO = minus(O, exact(Y));
  const deltaH = times(product(deltaO, turned(exact(p.W2))), derived(Z, name));
  return {
    W1: product(turned(exact(X)), deltaH).radius,
    b1: sumOfColumns(deltaH).radius,
    W2: product(turned(H), deltaO).radius,
    b2: sumOfColumns(deltaO).radius,
  };
}

/**
 * The verdict on two matrices that enclose the same exact one, over several pairs: the largest difference and the bound at that
 * entry. An entry beyond its own bound goes before all that keep to theirs.
 * @param {{A: Matrix, B: Matrix, radius: Matrix}[]} pairs `radius` is the sum of both radii
 * @returns {{residual: number, bound: number, holds: boolean}}
 */
export function worstOf(pairs) {
  let worst = { residual: 0, bound: 0, holds: true };
  for (const { A, B, radius } of pairs) {
    for (let i = 0; i < A.data.length; i++) {
      const residual = Math.abs(A.data[i] - B.data[i]);
      const bound = radius.data[i];
      const holds = residual <= bound; // false for NaN
      const before = worst.residual === residual ? bound > worst.bound : !(residual <= worst.residual);
      if (holds === worst.holds ? before : !holds) worst = { residual, bound, holds };
    }
  }
  return worst;
}
