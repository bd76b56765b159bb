/**
 * A one-hidden-layer network as one list of numbers, W1, b1, W2, b2 row by row, and its gradient computed without making anything
 * new: what the training widgets run many times a second. mlp.js is the plain version that the tests compare it with.
 *
 * @typedef {{d: number, h: number, q: number}} Sizes
 * @typedef {import("./matrix.js").Matrix} Matrix
 */
import { activation } from "./activations.js";

/** Where each part begins, and the count of all numbers. @param {Sizes} sizes */
export function places({ d, h, q }) {
  const b1 = d * h, W2 = b1 + h, b2 = W2 + h * q;
  return { W1: 0, b1, W2, b2, count: b2 + q };
}

/** @param {import("./mlp.js").Parameters} p @returns {Sizes} */
export const sizesOf = (p) => ({ d: p.W1.rows, h: p.W1.cols, q: p.W2.cols });

/** @param {import("./mlp.js").Parameters} p @returns {Float64Array} */
export function pack(p) {
  const at = places(sizesOf(p));
  const theta = new Float64Array(at.count);
  for (const part of ["W1", "b1", "W2", "b2"]) theta.set(p[part].data, at[part]);
  return theta;
}

/** @param {ArrayLike<number>} theta @param {Sizes} sizes @returns {import("./mlp.js").Parameters} */
export function unpack(theta, { d, h, q }) {
  const at = places({ d, h, q });
  const part = (from, rows, cols) => ({ rows, cols, data: Float64Array.from({ length: rows * cols }, (_, i) => theta[from + i]) });
  return { W1: part(at.W1, d, h), b1: part(at.b1, 1, h), W2: part(at.W2, h, q), b2: part(at.b2, 1, q) };
}

/** Entry k of the relabelled network is entry `relabelling[k]` of the network. @param {Sizes} sizes @param {number[]} perm */
export function relabelling({ d, h, q }, perm) {
  const at = places({ d, h, q });
  const from = Int32Array.from({ length: at.count }, (_, k) => k);
  perm.forEach((unit, slot) => {
    for (let i = 0; i < d; i++) from[i * h + slot] = i * h + unit;
    from[at.b1 + slot] = at.b1 + unit;
    for (let k = 0; k < q; k++) from[at.W2 + slot * q + k] = at.W2 + unit * q + k;
  });
  return from;
}

/** Where the numbers of a unit are: incoming column, bias, outgoing row. @param {Sizes} sizes @param {number} unit */
export function placesOfUnit({ d, h, q }, unit) {
  const at = places({ d, h, q });
  return [
    ...Array.from({ length: d }, (_, i) => i * h + unit), at.b1 + unit,
    ...Array.from({ length: q }, (_, k) => at.W2 + unit * q + k),
  ];
}

/** The names of a unit's numbers in that order. @param {Sizes} sizes */
export const namesOfUnit = ({ d, q }) => [
  ...Array.from({ length: d }, (_, i) => (d > 1 ? `weight from input ${i}` : "incoming weight")), "bias",
  ...Array.from({ length: q }, (_, k) => (q > 1 ? `weight to output ${k}` : "outgoing weight")),
];

/** Derivatives that follow from the value, where that saves a second evaluation. */
const FROM_VALUE = { tanh: (value) => 1 - value * value };

/**
 * Rounds to float32 if `single`, else leaves numbers as they are. Unlike a choice between two functions, this is compiled into its
 * callers, which makes training four times as fast.
 */
export const rounding = (single) => (x) => (single ? Math.fround(x) : x);

/**
 * The loss of a batch, 1/2 ||O - Y||^2 summed over it, with its gradient.
 * @param {Sizes} sizes @param {string} name @param {boolean} single every operation rounded to float32
 */
export function kernel({ d, h, q }, name, single = false) {
  const round = rounding(single);
  const at = places({ d, h, q });
  const { f, df } = activation(name);
  const fromValue = FROM_VALUE[name];
  let capacity = 0;
  let H, slopes, deltas;
  const make = (n) => {
    capacity = n;
    H = new Float64Array(n * h);
    slopes = new Float64Array(n * h);
    deltas = new Float64Array(n * q);
  };

  /** Fills H (masked), slopes and deltas; every sum runs from its first index to its last. */
  function pass(theta, X, Y, mask, wanted) {
    const n = X.rows;
    if (n > capacity) make(n);
    let total = 0;
    for (let s = 0; s < n; s++) {
      for (let j = 0; j < h; j++) {
        let z = 0;
        for (let i = 0; i < d; i++) z = round(z + round(X.data[s * d + i] * theta[i * h + j]));
        z = round(z + theta[at.b1 + j]);
        const value = round(f(z));
        const where = s * h + j;
        if (wanted) slopes[where] = round(fromValue ? fromValue(value) : df(z));
        H[where] = mask ? round(value * mask.data[where]) : value;
      }
      for (let k = 0; k < q; k++) {
        let o = 0;
        for (let j = 0; j < h; j++) o = round(o + round(H[s * h + j] * theta[at.W2 + j * q + k]));
        const delta = round(round(o + theta[at.b2 + k]) - Y.data[s * q + k]);
        deltas[s * q + k] = delta;
        total = round(total + round(delta * delta));
      }
    }
    return round(0.5 * total);
  }

  return {
    /** @param {Float64Array} theta @param {Matrix} X @param {Matrix} Y */
    loss: (theta, X, Y) => pass(theta, X, Y, null, false),

    /** The loss; the gradient goes into `g`. @param {Float64Array} theta @param {Matrix} X @param {Matrix} Y @param {Matrix | null} mask @param {Float64Array} g */
    gradient(theta, X, Y, mask, g) {
      const loss = pass(theta, X, Y, mask, true);
      g.fill(0);
      for (let s = 0; s < X.rows; s++) {
        for (let j = 0; j < h; j++) {
          const where = s * h + j;
          let delta = 0;
          for (let k = 0; k < q; k++) {
            const out = deltas[s * q + k];
            const place = at.W2 + j * q + k;
            delta = round(delta + round(out * theta[place]));
            g[place] = round(g[place] + round(H[where] * out));
          }
          if (mask) delta = round(delta * mask.data[where]);
          delta = round(delta * slopes[where]);
          for (let i = 0; i < d; i++) g[i * h + j] = round(g[i * h + j] + round(X.data[s * d + i] * delta));
          g[at.b1 + j] = round(g[at.b1 + j] + delta);
        }
        for (let k = 0; k < q; k++) g[at.b2 + k] = round(g[at.b2 + k] + deltas[s * q + k]);
      }
      return loss;
    },
  };
}
