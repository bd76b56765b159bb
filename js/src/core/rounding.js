/**
 * The rounding bound of the forward pass, by the rules of src/permsym_book/rounding.py: a sum of k products errs
 * by at most gamma_k |A||B|; an activation passes an error on times its largest slope.
 */
import { activation } from "./activations.js";
import { map, matmul, zeros, zip } from "./matrix.js";

const U = 2 ** -53;
const SMALLEST = 2 ** -1022;
const FUNCTION_ERROR = 32 * U;
const INFLATION = 1 + 2 ** -20;

/** @param {number} k @returns {number} */
export const gamma = (k) => (k * U) / (1 - k * U);

const abs = (A) => map(A, Math.abs);
const sum = (...matrices) => matrices.reduce((A, B) => zip(A, B, (a, b) => a + b));

/** The radius of A B when A has the radius rA and B is exact. */
function productRadius(A, rA, B) {
  const own = map(matmul(abs(A), abs(B)), (x) => gamma(A.cols) * x + A.cols * SMALLEST);
  return map(sum(own, matmul(rA, abs(B))), (x) => x * INFLATION);
}

/** The radius after adding an exact row: one more rounding of the result. */
const sumRadius = (result, r) => zip(result, r, (x, e) => (e + gamma(1) * Math.abs(x) + SMALLEST) * INFLATION);

/**
 * How far each computed entry of Z, H and O can be from its exact value.
 * @param {import("./mlp.js").Parameters} p @param {import("./matrix.js").Matrix} X @param {string} name
 * @param {import("./mlp.js").Pass} pass the computed pass
 */
export function forwardRadii(p, X, name, pass) {
  const { slope } = activation(name);
  const rXW = productRadius(X, zeros(X.rows, X.cols), p.W1);
  const rZ = sumRadius(pass.Z, rXW);
  const rH = zip(pass.Z, rZ, (z, r) => slope(Math.abs(z) + r) * r);
  for (let i = 0; i < rH.data.length; i++) {
    rH.data[i] = (rH.data[i] + FUNCTION_ERROR * Math.max(1, Math.abs(pass.H.data[i])) + SMALLEST) * INFLATION;
  }
  const rO = sumRadius(pass.O, productRadius(pass.H, rH, p.W2));
  return { Z: rZ, H: rH, O: rO };
}
