/**
 * Orbits and stabilizers of one hidden layer under relabelling, listed and counted: src/permsym_book/orbits.py for one layer.
 * Counts are BigInt.
 *
 * @typedef {import("./mlp.js").Parameters} Parameters
 */
import { takeColumns, takeRows } from "./matrix.js";
import { unitVector } from "./mlp.js";

/** The network in which unit u has the weights of unit groups[u]. @param {Parameters} p @param {number[]} groups @returns {Parameters} */
export const withCopies = (p, groups) => ({
  W1: takeColumns(p.W1, groups), b1: takeColumns(p.b1, groups), W2: takeRows(p.W2, groups), b2: p.b2,
});

/**
 * The first unit that each unit is identical with: incoming column, bias and outgoing row, without tolerance.
 * @param {Parameters} p @returns {number[]}
 */
export function twinClasses(p) {
  const vectors = p.b1.data.length ? Array.from(p.b1.data, (_, u) => unitVector(p, u)) : [];
  const same = (u, v) => vectors[u].every((x, i) => x === vectors[v][i]);
  return vectors.map((_, u) => vectors.findIndex((_, v) => same(u, v)));
}

/** How many units each class has, in the order of the first units. @param {number[]} classes @returns {number[]} */
export const multiplicities = (classes) => [...new Set(classes)].map((c) => classes.filter((other) => other === c).length);

/** @param {number} n @returns {bigint} */
export const factorial = (n) => (n < 2 ? 1n : BigInt(n) * factorial(n - 1));

/** prod m_i! @param {number[]} classes @returns {bigint} */
export const stabilizerSize = (classes) => multiplicities(classes).reduce((k, m) => k * factorial(m), 1n);

/** h! / prod m_i! @param {number[]} classes @returns {bigint} */
export const orbitSize = (classes) => factorial(classes.length) / stabilizerSize(classes);

/** The distinct arrangements of the classes in the slots, in lexicographic order. @param {number[]} classes @returns {Generator<number[]>} */
export function* arrangements(classes) {
  const items = classes.slice().sort((a, b) => a - b);
  for (;;) {
    yield items.slice();
    let rise = items.length - 2;
    while (rise >= 0 && items[rise] >= items[rise + 1]) rise--;
    if (rise < 0) return;
    let swap = items.length - 1;
    while (items[swap] <= items[rise]) swap--;
    [items[rise], items[swap]] = [items[swap], items[rise]];
    items.push(...items.splice(rise + 1).reverse());
  }
}

/** What stands in each slot after a relabelling. @param {number[]} perm @param {number[]} classes */
export const arrangementOf = (perm, classes) => perm.map((unit) => classes[unit]);

/** A relabelling that makes the arrangement; units of one class keep their order. @param {number[]} arrangement @param {number[]} classes */
export function representative(arrangement, classes) {
  const left = new Map();
  classes.forEach((c, unit) => left.set(c, [...(left.get(c) ?? []), unit]));
  return arrangement.map((c) => left.get(c).shift());
}

/** The relabellings that leave every array as it was, the identity first. @param {number[]} classes @returns {Generator<number[]>} */
export function* stabilizer(classes) {
  const perm = new Array(classes.length);
  function* place(slot, left) {
    if (slot === classes.length) {
      yield perm.slice();
      return;
    }
    for (const unit of left.filter((u) => classes[u] === classes[slot])) {
      perm[slot] = unit;
      yield* place(slot + 1, left.filter((u) => u !== unit));
    }
  }
  yield* place(0, classes.map((_, unit) => unit));
}
