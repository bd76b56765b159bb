/**
 * Noises of training, each at the point where it acts: the batch, the units' masks, the parameters; the formulas of
 * src/permsym_book/noise.py. Their random numbers are a function of (seed, step, purpose), so any step can be drawn again, here and in Python
 * (src/permsym_book/widgets/lockstep.py).
 *
 * @typedef {import("./matrix.js").Matrix} Matrix
 * @typedef {import("./packed.js").Sizes} Sizes
 * @typedef {{size: number, sigma: number, probability: number, keep: number, unit: number}} Amounts
 */
import { normalsFrom, source } from "./random.js";
import { places } from "./packed.js";

const PURPOSES = 16; // streams below 16 belong to initial weights and data (core/settings.js)

/** The numbers of one purpose in one step, in the order in which they are asked for. */
export function draws(seed, step, purpose) {
  const next = source(seed, (step + 1) * PURPOSES + purpose);
  const uniforms = (count) => Float64Array.from({ length: count }, next);
  return {
    uniforms,
    /** @param {number} count */
    normals: (count) => normalsFrom(count, uniforms),
    /** All of 0..n-1 in random order (Fisher and Yates from the front). */
    order(n) {
      const rows = Array.from({ length: n }, (_, i) => i);
      const u = uniforms(n);
      for (let i = 0; i < n; i++) {
        const j = i + Math.floor(u[i] * (n - i));
        [rows[i], rows[j]] = [rows[j], rows[i]];
      }
      return rows;
    },
  };
}

const rowsOf = (A, rows) => {
  const B = { rows: rows.length, cols: A.cols, data: new Float64Array(rows.length * A.cols) };
  rows.forEach((row, i) => B.data.set(A.data.subarray(row * A.cols, (row + 1) * A.cols), i * A.cols));
  return B;
};
const shaken = (A, sigma, d) => {
  const noise = d.normals(A.data.length);
  return { ...A, data: A.data.map((x, i) => x + sigma * noise[i]) };
};

/** The next larger number. @param {number} x */
export function nextUp(x) {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, x === 0 ? 0 : x);
  bits.setBigInt64(0, bits.getBigInt64(0) + (x >= 0 ? 1n : -1n));
  return bits.getFloat64(0);
}

/**
 * `breaks`: whether a draw can tell two units apart. `words` go into the verdict, `label` to the switch.
 * @type {Record<string, {label: string, words: string, breaks: boolean, amounts: Partial<Amounts>,
 *   batch?: (X: Matrix, Y: Matrix, d: any, o: Amounts) => [Matrix, Matrix], mask?: (n: number, h: number, d: any, o: Amounts) => Float64Array,
 *   parameters?: (theta: Float64Array, sizes: Sizes, t: number, d: any, o: Amounts) => void}>}
 */
export const NOISES = {
  minibatch: {
    label: "minibatches of 8", words: "every unit sees the same batch", breaks: false, amounts: { size: 8 },
    batch(X, Y, d, { size }) {
      const rows = d.order(X.rows).slice(0, size);
      return [rowsOf(X, rows), rowsOf(Y, rows)];
    },
  },
  input_noise: {
    label: "noise on the inputs", words: "every unit sees the same noisy inputs", breaks: false, amounts: { sigma: 0.1 },
    batch: (X, Y, d, { sigma }) => [shaken(X, sigma, d), Y],
  },
  flips: {
    label: "flipped inputs", words: "every unit sees the same flips", breaks: false, amounts: { probability: 0.5 },
    batch(X, Y, d, { probability }) {
      const u = d.uniforms(X.rows);
      return [{ ...X, data: X.data.map((x, i) => (u[Math.floor(i / X.cols)] < probability ? X.data[i + X.cols - 1 - 2 * (i % X.cols)] : x)) }, Y];
    },
  },
  label_noise: {
    label: "noise on the targets", words: "every unit sees the same noisy targets", breaks: false, amounts: { sigma: 0.1 },
    batch: (X, Y, d, { sigma }) => [X, shaken(Y, sigma, d)],
  },
  dropout_shared: {
    label: "dropout, one mask for all units", words: "all units share one dropout mask", breaks: false, amounts: { keep: 0.5 },
    mask(n, h, d, { keep }) {
      const u = d.uniforms(n);
      return Float64Array.from({ length: n * h }, (_, i) => (u[Math.floor(i / h)] < keep ? 1 / keep : 0));
    },
  },
  dropout: {
    label: "dropout, a mask for each unit", words: "dropout gives each unit a mask of its own", breaks: true, amounts: { keep: 0.5 },
    mask: (n, h, d, { keep }) => d.uniforms(n * h).map((u) => (u < keep ? 1 / keep : 0)),
  },
  weight_noise: {
    label: "noise on each weight", words: "each weight gets noise of its own", breaks: true, amounts: { sigma: 1e-3 },
    parameters(theta, sizes, t, d, { sigma }) {
      const at = places(sizes);
      for (const [from, to] of [[at.W1, at.b1], [at.W2, at.b2], [at.b1, at.W2], [at.b2, at.count]]) {
        const noise = d.normals(to - from);
        for (let k = from; k < to; k++) theta[k] += sigma * noise[k - from];
      }
    },
  },
  nudge: {
    label: "1e-16 added to one weight", words: "one weight was moved by about 1e-16 before the first step", breaks: true, amounts: { size: 1e-16, unit: 0 },
    parameters(theta, sizes, t, d, { size, unit }) {
      if (t > 0) return;
      const moved = theta[unit] + size; // the weight from the first input
      theta[unit] = moved === theta[unit] ? nextUp(theta[unit]) : moved;
    },
  },
};

export const NOISE_NAMES = Object.keys(NOISES);

/**
 * What step t = 0, 1, ... sees: the batch, the mask or null; `theta` gets the noise of the parameters.
 * @param {{name: string, amounts?: Partial<Amounts>}[]} noises they act in this order
 * @param {{seed: number, t: number, X: Matrix, Y: Matrix, theta: Float64Array[], sizes: Sizes}} step
 */
export function drawStep(noises, { seed, t, X, Y, theta, sizes }) {
  const found = noises.map(({ name, amounts }) => ({ ...NOISES[name], purpose: NOISE_NAMES.indexOf(name), chosen: { ...NOISES[name].amounts, ...amounts } }));
  for (const { batch, parameters, purpose, chosen } of found) {
    if (parameters) for (const one of theta) parameters(one, sizes, t, draws(seed, t, purpose), chosen);
    if (batch) [X, Y] = batch(X, Y, draws(seed, t, purpose), chosen);
  }
  let mask = null;
  for (const { mask: drawMask, purpose, chosen } of found) {
    if (!drawMask) continue;
    const data = drawMask(X.rows, sizes.h, draws(seed, t, purpose), chosen);
    mask = { rows: X.rows, cols: sizes.h, data: mask ? mask.data.map((m, i) => m * data[i]) : data };
  }
  return { X, Y, mask };
}
