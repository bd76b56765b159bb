/**
 * The one-hidden-layer network of the chapter: forward pass, squared error, gradients, relabelling.
 *
 * @typedef {import("./matrix.js").Matrix} Matrix
 * @typedef {{W1: Matrix, b1: Matrix, W2: Matrix, b2: Matrix}} Parameters  b1 (1, h) and b2 (1, q) are rows
 * @typedef {{Z: Matrix, H: Matrix, O: Matrix}} Pass
 */
import { activation } from "./activations.js";
import { addRow, columnSums, float64, fromRows, map, matmul, takeColumns, takeRows, toRows, transpose, zip } from "./matrix.js";

export const PARTS = /** @type {const} */ (["W1", "b1", "W2", "b2"]);

/** Parameters from nested arrays, the biases as flat lists. */
export function parametersFromLists({ W1, b1, W2, b2 }) {
  const p = { W1: fromRows(W1), b1: fromRows([b1]), W2: fromRows(W2), b2: fromRows([b2]) };
  if (p.b1.cols !== p.W1.cols || p.W2.rows !== p.W1.cols || p.b2.cols !== p.W2.cols) {
    throw new RangeError(
      `W1 is (${p.W1.rows}, ${p.W1.cols}), b1 (${p.b1.cols}), W2 (${p.W2.rows}, ${p.W2.cols}), b2 (${p.b2.cols}):` +
        " the widths do not meet",
    );
  }
  return p;
}

/** The inverse of parametersFromLists. @param {Parameters} p */
export const parametersToLists = (p) => ({
  W1: toRows(p.W1),
  b1: toRows(p.b1)[0],
  W2: toRows(p.W2),
  b2: toRows(p.b2)[0],
});

/** Apply f to the four arrays. @param {Parameters} p @param {(A: Matrix, part: string) => Matrix} f @returns {Parameters} */
export const mapParts = (p, f) => ({ W1: f(p.W1, "W1"), b1: f(p.b1, "b1"), W2: f(p.W2, "W2"), b2: f(p.b2, "b2") });

/** W1 P, b1 P, P^T W2. @param {Parameters} p @param {number[]} perm @returns {Parameters} */
export const permuted = (p, perm) => ({
  W1: takeColumns(p.W1, perm),
  b1: takeColumns(p.b1, perm),
  W2: takeRows(p.W2, perm),
  b2: p.b2,
});

/**
 * H = sigma(X W1 + b1), O = H W2 + b2. A mask (n, h) is multiplied into H.
 * @param {Parameters} p @param {Matrix} X @param {string} name @param {{round?: (x: number) => number, mask?: Matrix | null}} options
 * @returns {Pass}
 */
export function forward(p, X, name, { round = float64, mask = null } = {}) {
  const { f } = activation(name);
  const Z = addRow(matmul(X, p.W1, round), p.b1, round);
  let H = map(Z, (z) => round(f(z)));
  if (mask) H = zip(H, mask, (a, b) => round(a * b));
  return { Z, H, O: addRow(matmul(H, p.W2, round), p.b2, round) };
}

/**
 * 1/2 ||O - Y||^2 summed over the batch, and its gradient shaped as the parameters.
 * @param {Parameters} p @param {Matrix} X @param {Matrix} Y @param {string} name
 * @param {{round?: (x: number) => number, mask?: Matrix | null}} options
 * @returns {{loss: number, gradients: Parameters, pass: Pass}}
 */
export function lossAndGradients(p, X, Y, name, { round = float64, mask = null } = {}) {
  const { df } = activation(name);
  const pass = forward(p, X, name, { round, mask });
  const deltaO = zip(pass.O, Y, (o, y) => round(o - y));
  let loss = 0;
  for (const d of deltaO.data) loss = round(loss + round(d * d));
  let deltaH = matmul(deltaO, transpose(p.W2), round);
  if (mask) deltaH = zip(deltaH, mask, (a, b) => round(a * b));
  deltaH = zip(deltaH, pass.Z, (d, z) => round(d * round(df(z))));
  const gradients = {
    W1: matmul(transpose(X), deltaH, round),
    b1: columnSums(deltaH, round),
    W2: matmul(transpose(pass.H), deltaO, round),
    b2: columnSums(deltaO, round),
  };
  return { loss: round(0.5 * loss), gradients, pass };
}

/** Incoming column, bias and outgoing row of a unit, one list. @param {Parameters} p @param {number} j */
export function unitVector(p, j) {
  const v = [];
  for (let i = 0; i < p.W1.rows; i++) v.push(p.W1.data[i * p.W1.cols + j]);
  v.push(p.b1.data[j]);
  for (let k = 0; k < p.W2.cols; k++) v.push(p.W2.data[j * p.W2.cols + k]);
  return v;
}

/** The largest difference between the units of a group, 0 exactly when they are identical. */
export function spread(p, units) {
  const vectors = units.map((j) => unitVector(p, j));
  let widest = 0;
  for (const v of vectors) v.forEach((x, i) => (widest = Math.max(widest, Math.abs(x - vectors[0][i]))));
  return widest;
}
