/**
 * Numbers that carry a bound on their own error, by the rules of core/rounding.js: {v, r}, the exact number within r of v.
 *
 * @typedef {{v: number, r: number}} BallNumber
 */
import { functionError, gamma, inflated } from "./rounding.js";

const SMALLEST = 2 ** -1022;
const rounded = (v, r) => ({ v, r: inflated(r + gamma(1) * Math.abs(v) + SMALLEST) });

/** @param {number} v @returns {BallNumber} */
export const exactly = (v) => ({ v, r: 0 });

/** @param {BallNumber} a @param {BallNumber} b @returns {BallNumber} */
export const add = (a, b) => rounded(a.v + b.v, a.r + b.r);

/** @param {BallNumber} a @param {BallNumber} b @returns {BallNumber} */
export const subtract = (a, b) => rounded(a.v - b.v, a.r + b.r);

/** @param {BallNumber} a @param {BallNumber} b @returns {BallNumber} */
export const multiply = (a, b) => rounded(a.v * b.v, Math.abs(a.v) * b.r + a.r * Math.abs(b.v) + a.r * b.r);

/** |a/b - x/y| = |a y - x b| / |b y| with |y| at least |b| - r; infinite when 0 is inside. @param {BallNumber} a @param {BallNumber} b */
export function divide(a, b) {
  const size = Math.abs(b.v);
  const r = size > b.r ? (Math.abs(a.v) * b.r + a.r * size) / (size * (size - b.r)) : Infinity;
  return rounded(a.v / b.v, r);
}

/** The root of a number that is not below 0: |sqrt a - sqrt x| = |a - x| / (sqrt a + sqrt x). @param {BallNumber} a @returns {BallNumber} */
export const squareRoot = (a) => rounded(Math.sqrt(a.v), a.v > a.r ? a.r / (Math.sqrt(a.v) + Math.sqrt(a.v - a.r)) : Math.sqrt(a.r));

/** A function with its largest slope on the ball. @param {BallNumber} a @param {(z: number) => number} f @param {number} slope */
export function apply(a, f, slope) {
  const v = f(a.v);
  return { v, r: inflated(slope * a.r + functionError(v)) };
}

/** @param {BallNumber} a @returns {BallNumber} */
export const exponential = (a) => apply(a, Math.exp, Math.exp(a.v + a.r));

/** From the first to the last. @param {BallNumber[]} numbers @returns {BallNumber} */
export const total = (numbers) => numbers.reduce(add);
