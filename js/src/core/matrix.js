/**
 * Dense matrices as {rows, cols, data}, data row by row. Every sum runs from the first index to the last, so two runs
 * of one program agree to the last bit. `round` is the identity for float64 and Math.fround for float32.
 *
 * @typedef {{rows: number, cols: number, data: Float64Array}} Matrix
 * @typedef {(x: number) => number} Rounding
 */

/** @type {Rounding} */
export const float64 = (x) => x;
/** @type {Rounding} */
export const float32 = Math.fround;

/** @param {number} rows @param {number} cols @returns {Matrix} */
export const zeros = (rows, cols) => ({ rows, cols, data: new Float64Array(rows * cols) });

/** A matrix from nested arrays. @param {number[][]} nested @returns {Matrix} */
export function fromRows(nested) {
  const rows = nested.length;
  const cols = rows ? nested[0].length : 0;
  if (!rows || !cols || nested.some((row) => row.length !== cols)) {
    throw new RangeError(`rows have lengths ${nested.map((r) => r.length)}; equal lengths of at least 1 are required`);
  }
  return { rows, cols, data: Float64Array.from(nested.flat()) };
}

/** @param {Matrix} A @returns {number[][]} */
export const toRows = (A) =>
  Array.from({ length: A.rows }, (_, i) => Array.from(A.data.subarray(i * A.cols, (i + 1) * A.cols)));

/** @param {Matrix} A @returns {Matrix} */
export const copy = (A) => ({ rows: A.rows, cols: A.cols, data: A.data.slice() });

/** @param {number} n @returns {Matrix} */
export function identity(n) {
  const I = zeros(n, n);
  for (let i = 0; i < n; i++) I.data[i * n + i] = 1;
  return I;
}

/** @param {Matrix} A @returns {Matrix} */
export function transpose(A) {
  const T = zeros(A.cols, A.rows);
  for (let i = 0; i < A.rows; i++) for (let j = 0; j < A.cols; j++) T.data[j * A.rows + i] = A.data[i * A.cols + j];
  return T;
}

/** A B. @param {Matrix} A @param {Matrix} B @param {Rounding} round @returns {Matrix} */
export function matmul(A, B, round = float64) {
  requireShape("B", B, A.cols, B.cols);
  const C = zeros(A.rows, B.cols);
  for (let i = 0; i < A.rows; i++) {
    for (let j = 0; j < B.cols; j++) {
      let sum = 0;
      for (let k = 0; k < A.cols; k++) sum = round(sum + round(A.data[i * A.cols + k] * B.data[k * B.cols + j]));
      C.data[i * B.cols + j] = sum;
    }
  }
  return C;
}

/** A plus the row b in every row. @param {Matrix} A @param {Matrix} b @param {Rounding} round @returns {Matrix} */
export function addRow(A, b, round = float64) {
  requireShape("b", b, 1, A.cols);
  const C = zeros(A.rows, A.cols);
  for (let i = 0; i < C.data.length; i++) C.data[i] = round(A.data[i] + b.data[i % A.cols]);
  return C;
}

/** Entry by entry. @param {Matrix} A @param {Matrix} B @param {(a: number, b: number) => number} f @returns {Matrix} */
export function zip(A, B, f) {
  requireShape("B", B, A.rows, A.cols);
  const C = zeros(A.rows, A.cols);
  for (let i = 0; i < C.data.length; i++) C.data[i] = f(A.data[i], B.data[i]);
  return C;
}

/** @param {Matrix} A @param {(a: number, i: number) => number} f @returns {Matrix} */
export function map(A, f) {
  const C = zeros(A.rows, A.cols);
  for (let i = 0; i < C.data.length; i++) C.data[i] = f(A.data[i], i);
  return C;
}

/** The sums of the columns, as one row. @param {Matrix} A @param {Rounding} round @returns {Matrix} */
export function columnSums(A, round = float64) {
  const s = zeros(1, A.cols);
  for (let i = 0; i < A.rows; i++) {
    for (let j = 0; j < A.cols; j++) s.data[j] = round(s.data[j] + A.data[i * A.cols + j]);
  }
  return s;
}

/** Column j of the result is column perm[j] of A: A P. @param {Matrix} A @param {number[]} perm @returns {Matrix} */
export function takeColumns(A, perm) {
  const C = zeros(A.rows, perm.length);
  for (let i = 0; i < A.rows; i++) {
    for (let j = 0; j < perm.length; j++) C.data[i * perm.length + j] = A.data[i * A.cols + perm[j]];
  }
  return C;
}

/** Row i of the result is row perm[i] of A: P^T A. @param {Matrix} A @param {number[]} perm @returns {Matrix} */
export function takeRows(A, perm) {
  const C = zeros(perm.length, A.cols);
  perm.forEach((k, i) => C.data.set(A.data.subarray(k * A.cols, (k + 1) * A.cols), i * A.cols));
  return C;
}

/** The largest absolute value of A - B. @param {Matrix} A @param {Matrix} B @returns {number} */
export function largestDifference(A, B) {
  requireShape("B", B, A.rows, A.cols);
  let largest = 0;
  for (let i = 0; i < A.data.length; i++) {
    const d = Math.abs(A.data[i] - B.data[i]);
    if (!(d <= largest)) largest = d; // lets NaN through
  }
  return largest;
}

/** The largest absolute entry. @param {Matrix} A @returns {number} */
export const largest = (A) => A.data.reduce((m, x) => Math.max(m, Math.abs(x)), 0);

/** @param {string} name @param {Matrix} A @param {number} rows @param {number} cols */
export function requireShape(name, A, rows, cols) {
  if (A.rows !== rows || A.cols !== cols) {
    throw new RangeError(`${name} has shape (${A.rows}, ${A.cols}); (${rows}, ${cols}) is required`);
  }
}
