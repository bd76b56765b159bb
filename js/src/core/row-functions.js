/**
 * Functions of a layer: what each makes of the pre-activations of one sample, a row with one number per slot. The same functions
 * are in src/permsym_book/widgets/row_functions.py.
 *
 * Some act on each entry by itself, some look at all units and treat them alike, some know the slot. A sum over the units
 * is rounded in another order after a relabelling, so the rows are computed with bounds on their own error (core/ball.js).
 *
 * @typedef {import("./ball.js").BallNumber} BallNumber
 * @typedef {import("./matrix.js").Matrix} Matrix
 */
import { activations } from "./activations.js";
import { add, apply, divide, exactly, exponential, multiply, squareRoot, subtract, total } from "./ball.js";
import { takeColumns, zeros, zip } from "./matrix.js";
import { sum, worstOf } from "./rounding.js";

/** The slopes and gains of the functions that have one per slot. @param {number} h */
export const slotNumbers = (h) => Array.from({ length: h }, (_, j) => (j + 1) / 8);

const each = (f) => (row, slots) => row.map((z, j) => f(z, slots[j], j));
const mean = (row) => divide(total(row), exactly(row.length));

function softmax(row) {
  const top = exactly(Math.max(...row.map((z) => z.v)));
  const powers = row.map((z) => exponential(subtract(z, top)));
  const sum = total(powers);
  return powers.map((power) => divide(power, sum));
}

function layerNorm(row) {
  const centred = row.map((z) => subtract(z, mean(row)));
  const variance = mean(centred.map((z) => multiply(z, z)));
  const width = squareRoot(add(variance, exactly(2 ** -10)));
  return centred.map((z) => divide(z, width));
}

function runningSum(row) {
  const out = [row[0]];
  for (const z of row.slice(1)) out.push(add(out[out.length - 1], z));
  return out;
}

const prelu = each((z, slope) => (z.v > 0 ? z : multiply(exactly(slope), z)));

/**
 * Per function: its words; `row(row, slots)`, the row it makes; whether its numbers belong to the unit and move with it.
 * @type {Record<string, {words: string, group: "entry" | "alike" | "unit" | "slot", row: (row: BallNumber[], slots: number[]) => BallNumber[], moves?: boolean}>}
 */
export const ROW_FUNCTIONS = {
  ...Object.fromEntries(Object.entries(activations).map(([name, { f, slope }]) => [name, {
    words: name, group: "entry", row: each((z) => apply(z, f, slope(Math.abs(z.v) + z.r))),
  }])),
  softmax: { words: "softmax over the units", group: "alike", row: softmax },
  layer_norm: { words: "LayerNorm without gain", group: "alike", row: layerNorm },
  add_mean: { words: "add the units' mean", group: "alike", row: (row) => row.map((z) => add(z, mean(row))) },
  prelu_moving: { words: "PReLU, slopes of the units", group: "unit", row: prelu, moves: true },
  prelu: { words: "PReLU, slopes of the slots", group: "slot", row: prelu },
  cumulative: { words: "cumulative sum", group: "slot", row: runningSum },
  layer_norm_gain: {
    words: "LayerNorm, gains of the slots", group: "slot",
    row: (row, slots) => layerNorm(row).map((z, j) => multiply(exactly(slots[j]), z)),
  },
  alternate: { words: "sign (−1)^slot", group: "slot", row: each((z, _, j) => (j % 2 ? { v: -z.v, r: z.r } : z)) },
  sort: { words: "sort each sample", group: "slot", row: (row) => row.slice().sort((a, b) => a.v - b.v) },
};

/** The function on every row of Z. @param {string} name @param {Matrix} Z @param {number[]} slots @returns {{value: Matrix, radius: Matrix}} */
export function applied(name, Z, slots) {
  const value = zeros(Z.rows, Z.cols);
  const radius = zeros(Z.rows, Z.cols);
  for (let i = 0; i < Z.rows; i++) {
    const row = Array.from(Z.data.subarray(i * Z.cols, (i + 1) * Z.cols), exactly);
    ROW_FUNCTIONS[name].row(row, slots).forEach(({ v, r }, j) => {
      value.data[i * Z.cols + j] = v;
      radius.data[i * Z.cols + j] = r;
    });
  }
  return { value, radius };
}

/**
 * Both ways round the square: f(Z P) and f(Z) P, and which entries differ by more than rounding.
 * @param {string} name @param {Matrix} Z @param {number[]} perm
 */
export function commutes(name, Z, perm) {
  const slots = slotNumbers(Z.cols);
  const ZP = takeColumns(Z, perm);
  const plain = applied(name, Z, slots);
  const first = applied(name, ZP, ROW_FUNCTIONS[name].moves ? perm.map((u) => slots[u]) : slots);
  const last = takeColumns(plain.value, perm);
  const radius = sum(first.radius, takeColumns(plain.radius, perm));
  const apart = zip(zip(first.value, last, (a, b) => Math.abs(a - b)), radius, (d, r) => (d <= r ? 0 : 1));
  return {
    ZP, fZ: plain.value, fZP: first.value, fZthenP: last, differs: (i, j) => apart.data[i * Z.cols + j] === 1,
    differing: apart.data.reduce((n, x) => n + x, 0), ...worstOf([{ A: first.value, B: last, radius }]),
  };
}
