/**
 * The flat valley: a network in which one unit was split in two, and the walk at one loss from it to any ordering of its units.
 * src/permsym_book/widgets/valley.py computes the same.
 *
 * The network before the split has the units 0, ..., r - 1. The split gives unit s a copy, which has the number r. A unit without
 * outgoing weights is silent: its incoming weights move freely. It takes those of another unit, then that unit's outgoing weights
 * are handed over to it, and the other unit is the silent one: a move. Moves of the silent unit make every ordering, as each of them
 * is the exchange of two slots.
 *
 * @typedef {{before: number, after: number, t: number, of: number, share: number, off: number}} Slot
 *   incoming weights (1 - t) of unit `before` + t of unit `after`; outgoing weights `share` times those of unit `of` + `off` times the
 *   vector across them
 * @typedef {{kind: "silence" | "incoming" | "outgoing" | "share", slot: number, unit: number, from?: number, order: number[], make: (t: number) => Slot[]}} Leg
 *   `order` is which unit each slot holds at the leg's beginning
 * @typedef {{both: boolean, together: boolean}} Mistakes
 */
import { activation } from "./activations.js";
import { identityPermutation } from "./permutation.js";
import { kernel, places } from "./packed.js";
import { functionError, gamma, inflated } from "./rounding.js";

export const PER_LEG = 12;
export const CORRECT = { both: false, together: false };
const U = gamma(1);
const TINY = 2 ** -1022;

/** A vector as long as `a` and at a right angle to it; null when there is none. @param {number[]} a @returns {number[] | null} */
export function across(a) {
  const square = a.reduce((s, x) => s + x * x, 0);
  if (a.length < 2 || !(square > 0)) return null;
  const least = a.reduce((k, x, i) => (Math.abs(x) < Math.abs(a[k]) ? i : k), 0);
  const v = a.map((x, i) => (i === least ? 1 : 0) - (a[least] * x) / square);
  const scale = Math.sqrt(square / v.reduce((s, x) => s + x * x, 0));
  return v.map((x) => x * scale);
}

/**
 * The fewest moves of the silent unit from the order 0, 1, ..., n - 1 to `perm`; it is unit n - 1.
 * @param {number[]} perm slot j is to hold unit perm[j] @returns {{unit: number, from: number, to: number}[]}
 */
export function movesTo(perm) {
  const n = perm.length;
  const order = identityPermutation(n);
  const moves = [];
  for (;;) {
    const to = order.indexOf(n - 1);
    const wanted = perm[to] === n - 1 ? order.find((unit, slot) => unit !== perm[slot]) : perm[to];
    if (wanted === undefined) return moves;
    const from = order.indexOf(wanted);
    moves.push({ unit: wanted, from, to });
    [order[to], order[from]] = [wanted, n - 1];
  }
}

const speaking = (unit) => ({ before: unit, after: unit, t: 0, of: unit, share: 1, off: 0 });
const silent = (before, after, t) => ({ before, after, t, of: after, share: 0, off: 0 });

/**
 * The two halves of unit s: it keeps lambda a + mu v, and its copy has (1 - lambda) a - mu v; on the way to the copy's silence, a part
 * `quiet` of it done. @param {number[]} order @returns {Slot[]}
 */
export function splitSlots(order, s, lambda, mu, mistakes = CORRECT, quiet = 0) {
  const copy = order.length - 1;
  const left = 1 - quiet;
  const mine = { ...speaking(s), share: left * lambda + quiet, off: left * mu };
  const its = { ...speaking(s), share: left * (mistakes.both ? lambda : 1 - lambda), off: -left * mu };
  return order.map((unit) => (unit === s ? mine : unit === copy ? its : speaking(unit)));
}

/** Order and what the silent unit's incoming weights are, for a slot's content. */
const resting = (order, incoming) => order.map((unit) => (unit === order.length - 1 ? silent(incoming, incoming, 0) : speaking(unit)));

/** The two legs of a move, one when the incoming weights are there already. @returns {Leg[]} */
export function moveLegs(order, incoming, { unit, from, to }, mistakes = CORRECT) {
  const rest = resting(order, incoming);
  const put = (slots, changes) => slots.map((slot, j) => changes[j] ?? slot);
  const legs = [];
  if (incoming !== unit && !mistakes.together) {
    legs.push({ kind: "incoming", slot: to, unit, from, order, make: (t) => put(rest, { [to]: silent(incoming, unit, t) }) });
  }
  legs.push({
    kind: "outgoing", slot: to, unit, from, order,
    make: (t) => put(rest, {
      [to]: { before: mistakes.together ? incoming : unit, after: unit, t, of: unit, share: t, off: 0 },
      [from]: { ...speaking(unit), share: mistakes.both ? t : 1 - t },
    }),
  });
  return legs;
}

/** The walk from the split network to the one with its units in the order `perm`. @param {number[]} perm @returns {Leg[]} */
export function walk(perm, s, lambda, mu, mistakes = CORRECT) {
  let order = identityPermutation(perm.length);
  let incoming = s;
  const copy = perm.length - 1;
  const first = order;
  const legs = [{ kind: "silence", slot: copy, unit: s, order: first, make: (t) => splitSlots(first, s, lambda, mu, mistakes, t) }];
  for (const move of movesTo(perm)) {
    legs.push(...moveLegs(order, incoming, move, mistakes));
    order = order.map((unit, j) => (j === move.to ? move.unit : j === move.from ? copy : unit));
    incoming = move.unit;
  }
  const [last, hole, held] = [order, order.indexOf(copy), incoming];
  const rest = resting(last, held);
  if (held !== s) {
    legs.push({ kind: "incoming", slot: hole, unit: s, from: last.indexOf(s), order: last, make: (t) => rest.map((slot, j) => (j === hole ? silent(held, s, t) : slot)) });
  }
  legs.push({ kind: "share", slot: hole, unit: s, order: last, make: (t) => splitSlots(last, s, lambda, mu, mistakes, 1 - t) });
  return legs;
}

/** Which leg the position is in, and how far. A position is PER_LEG times the legs done and a rest. @param {Leg[]} legs */
export function legAt(legs, at) {
  const index = Math.min(Math.floor(at / PER_LEG), legs.length - 1);
  return { index, leg: legs[index], t: (at - index * PER_LEG) / PER_LEG };
}

/** @param {Leg[]} legs @param {number} at @returns {Slot[]} */
export function slotsAt(legs, at) {
  const { leg, t } = legAt(legs, at);
  return leg.make(t);
}

/**
 * The numbers of a valley: parameters, losses with bounds, gradients.
 * @param {import("./mlp.js").Parameters} p before the split @param {number} s the unit that is split
 * @param {import("./matrix.js").Matrix} X @param {import("./matrix.js").Matrix} Y @param {string} name of the activation
 */
export function valley(p, s, X, Y, name) {
  const [d, r, q] = [p.W1.rows, p.W1.cols, p.W2.cols];
  const n = r + 1;
  const sizes = { d, h: n, q };
  const at = places(sizes);
  const outgoing = (k) => Array.from(p.W2.data.subarray(k * q, (k + 1) * q));
  const aside = across(outgoing(s)) ?? new Array(q).fill(0);
  const { gradient, loss } = kernel(sizes, name);
  const { f, slope } = activation(name);
  const g = new Float64Array(at.count);

  /** @param {Slot[]} slots @returns {Float64Array} */
  function theta(slots) {
    const v = new Float64Array(at.count);
    slots.forEach(({ before, after, t, of, share, off }, j) => {
      const mix = (a, b) => (t === 0 ? a : t === 1 ? b : (1 - t) * a + t * b);
      for (let i = 0; i < d; i++) v[i * n + j] = mix(p.W1.data[i * r + before], p.W1.data[i * r + after]);
      v[at.b1 + j] = mix(p.b1.data[before], p.b1.data[after]);
      for (let k = 0; k < q; k++) v[at.W2 + j * q + k] = share * p.W2.data[of * q + k] + (off === 0 ? 0 : off * aside[k]);
    });
    v.set(p.b2.data, at.b2);
    return v;
  }

  /**
   * The loss of parameters in the layout of `sizes`, and how far from it the exact loss lies when each outgoing weight may itself be off
   * by `slack` rounding errors of its size.
   */
  function bounded(v, { h }, slack) {
    const [b1, W2, b2] = [d * h, d * h + h, d * h + h + h * q];
    const O = new Float64Array(q), size = new Float64Array(q), error = new Float64Array(q);
    const [before, after] = [gamma(d + 1), gamma(h + 2)];
    let total = 0, radius = 0;
    for (let i = 0; i < X.rows; i++) {
      for (let k = 0; k < q; k++) O[k] = size[k] = error[k] = 0;
      for (let j = 0; j < h; j++) {
        let z = 0, absolute = 0;
        for (let k = 0; k < d; k++) {
          const term = X.data[i * d + k] * v[k * h + j];
          z += term;
          absolute += Math.abs(term);
        }
        const bias = v[b1 + j];
        z += bias;
        const rz = inflated(before * (absolute + Math.abs(bias)) + (d + 1) * TINY);
        const value = f(z);
        const rh = inflated(slope(Math.abs(z) + rz) * rz + functionError(value));
        for (let k = 0; k < q; k++) {
          const weight = v[W2 + j * q + k];
          O[k] += value * weight;
          size[k] += Math.abs(value * weight);
          error[k] += rh * Math.abs(weight) + slack[j * q + k] * (Math.abs(value) + rh);
        }
      }
      for (let k = 0; k < q; k++) {
        const out = O[k] + v[b2 + k];
        const delta = out - Y.data[i * q + k];
        const e = inflated(error[k] + after * (size[k] + Math.abs(v[b2 + k]) + Math.abs(Y.data[i * q + k])) + (h + 2) * TINY);
        total += delta * delta;
        radius += 2 * Math.abs(delta) * e + e * e;
      }
    }
    return { loss: 0.5 * total, radius: inflated(0.5 * (radius + gamma(X.rows * q + 1) * total) + TINY) };
  }

  /** What rounding may have done to the outgoing weights: three operations each, on shares that carry two errors themselves. */
  function slack(slots) {
    const errors = new Float64Array(n * q);
    slots.forEach(({ of, share, off }, j) => {
      const exact = share === 0 || share === 1;
      for (let k = 0; k < q; k++) {
        errors[j * q + k] = (exact && off === 0 ? 0 : 5 * U * ((1 + Math.abs(share)) * Math.abs(p.W2.data[of * q + k]) + Math.abs(off * aside[k])));
      }
    });
    return errors;
  }

  const before = new Float64Array([...p.W1.data, ...p.b1.data, ...p.W2.data, ...p.b2.data]);
  const base = bounded(before, { h: r }, new Float64Array(r * q));
  const lossOf = (slots) => bounded(theta(slots), sizes, slack(slots));
  const furthest = () => ({ residual: 0, bound: 0, low: base.loss, high: base.loss });

  /** Take a loss into account: its distance from the loss before the split, beside the bound on it. */
  function add(worst, { loss, radius }) {
    const [residual, bound] = [Math.abs(loss - base.loss), radius + base.radius];
    worst.low = Math.min(worst.low, loss);
    worst.high = Math.max(worst.high, loss);
    const holds = residual <= bound;
    const held = worst.residual <= worst.bound;
    if (holds === held ? !(residual <= worst.residual) || worst.bound === 0 : !holds) Object.assign(worst, { residual, bound });
    return worst;
  }

  return {
    sizes, base, theta, aside, lossOf,

    /** How long the gradient of the loss is. @param {Slot[]} slots */
    slope(slots) {
      gradient(theta(slots), X, Y, null, g);
      return Math.sqrt(g.reduce((sum, x) => sum + x * x, 0));
    },

    /** The losses of the split network for the lambdas, and their furthest from the loss before the split. */
    line(lambdas, mu, mistakes) {
      const order = identityPermutation(n);
      return lambdas.reduce((worst, lambda) => add(worst, lossOf(splitSlots(order, s, lambda, mu, mistakes))), furthest());
    },

    /** The losses at all positions of the walk, and along the straight line between its ends. @param {Leg[]} legs */
    along(legs) {
      const steps = legs.length * PER_LEG;
      const worst = furthest();
      const losses = new Float64Array(steps + 1), straight = new Float64Array(steps + 1);
      const [from, to] = [theta(slotsAt(legs, 0)), theta(slotsAt(legs, steps))];
      for (let i = 0; i <= steps; i++) {
        const found = lossOf(slotsAt(legs, i));
        losses[i] = found.loss;
        add(worst, found);
        const t = i / steps;
        straight[i] = loss(from.map((x, k) => (1 - t) * x + t * to[k]), X, Y);
      }
      return { losses, straight, worst };
    },

    /** Walks to all n! orderings, along a tree of shortest walks: how many, the most moves, and the losses at three points of each leg. */
    everywhere(mistakes) {
      const worst = furthest();
      const start = identityPermutation(n);
      const seen = new Map([[String(start), 0]]);
      let front = [{ order: start, incoming: s }];
      let most = 0;
      while (front.length) {
        const next = [];
        for (const { order, incoming } of front) {
          const to = order.indexOf(r);
          for (let from = 0; from < n; from++) {
            if (from === to) continue;
            const unit = order[from];
            const after = order.map((u, j) => (j === to ? unit : j === from ? r : u));
            if (seen.has(String(after))) continue;
            most = seen.get(String(order)) + 1;
            seen.set(String(after), most);
            for (const leg of moveLegs(order, incoming, { unit, from, to }, mistakes)) for (const t of [0.25, 0.5, 1]) add(worst, lossOf(leg.make(t)));
            next.push({ order: after, incoming: unit });
          }
        }
        front = next;
      }
      return { orderings: seen.size, most, worst };
    },
  };
}
