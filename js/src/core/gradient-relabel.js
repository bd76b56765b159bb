/**
 * The gradients of a network and of its relabelled twin, each by its own backward pass, and which entry is which one's partner.
 *
 * @typedef {import("./mlp.js").Parameters} Parameters
 * @typedef {import("./matrix.js").Matrix} Matrix
 * @typedef {{part: "W1" | "b1" | "W2" | "b2", i: number, j: number}} Entry  row and column; biases are rows
 */
import { map, matmul, transpose, zip } from "./matrix.js";
import { activation } from "./activations.js";
import { lossAndGradients, mapParts, PARTS, permuted } from "./mlp.js";
import { relabelled } from "./relabelling.js";
import { gradientRadii, sum, worstOf } from "./rounding.js";

/** The backward pass with its deltas. @param {Parameters} p @param {Matrix} X @param {Matrix} Y @param {string} name */
function backward(p, X, Y, name) {
  const { loss, gradients, pass } = lossAndGradients(p, X, Y, name);
  const deltaO = zip(pass.O, Y, (o, y) => o - y);
  const deltaH = zip(matmul(deltaO, transpose(p.W2)), map(pass.Z, activation(name).df), (a, b) => a * b);
  return { loss, gradients, pass, deltaO, deltaH, radii: gradientRadii(p, X, Y, name) };
}

/**
 * @param {Parameters} p @param {Matrix} X @param {Matrix} Y @param {string} name @param {number[]} perm
 * @param {import("./relabelling.js").Mistakes} mistakes
 */
export function compareGradients(p, X, Y, name, perm, mistakes) {
  const here = backward(p, X, Y, name);
  const there = backward(relabelled(p, perm, mistakes), X, Y, name);
  const wanted = permuted(here.gradients, perm);
  const allowed = permuted(here.radii, perm);
  const radii = mapParts(there.radii, (R, part) => sum(R, allowed[part]));
  const pair = (part) => ({ A: there.gradients[part], B: wanted[part], radius: radii[part] });
  return {
    here, there,
    byPart: Object.fromEntries(PARTS.map((part) => [part, worstOf([pair(part)])])),
    ...worstOf(PARTS.map(pair)),
    /** Whether the entry at theta_pi is not its partner at theta. @param {Entry} entry */
    differs({ part, i, j }) {
      const at = i * wanted[part].cols + j;
      return !(Math.abs(there.gradients[part].data[at] - wanted[part].data[at]) <= radii[part].data[at]);
    },
  };
}

/** Where an entry of the gradient at theta stands at theta_pi. @param {Entry} entry @param {number[]} perm @returns {Entry} */
export const partnerThere = ({ part, i, j }, perm) => moveEntry(part, i, j, (unit) => perm.indexOf(unit));

/** Which entry at theta an entry at theta_pi comes from. @param {Entry} entry @param {number[]} perm @returns {Entry} */
export const partnerHere = ({ part, i, j }, perm) => moveEntry(part, i, j, (slot) => perm[slot]);

function moveEntry(part, i, j, to) {
  if (part === "W1" || part === "b1") return { part, i, j: to(j) };
  return part === "W2" ? { part, i: to(i), j } : { part, i, j };
}

/**
 * The products over the samples that add up to an entry of a gradient: X^T delta_H, 1^T delta_H, H^T delta_O or 1^T delta_O.
 * @param {{pass: import("./mlp.js").Pass, deltaO: Matrix, deltaH: Matrix}} run @param {Matrix} X @param {Entry} entry
 * @returns {[number, number][]} pairs of factors; the first is 1 for a bias
 */
export function factors({ pass, deltaO, deltaH }, X, { part, i, j }) {
  const left = { W1: X, W2: pass.H }[part];
  const delta = part === "W1" || part === "b1" ? deltaH : deltaO;
  return Array.from({ length: X.rows }, (_, n) => [left ? left.data[n * left.cols + i] : 1, delta.data[n * delta.cols + j]]);
}
