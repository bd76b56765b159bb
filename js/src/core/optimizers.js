/**
 * Optimizers as update rules on one list of numbers (core/packed.js): the formulas and defaults of
 * src/permsym_book/optimizers/elementwise.py. Each does the same to every number, so it commutes with every relabelling.
 *
 * `rule(name, options).init(count)` is the state before the first step; `update(theta, g, state)` changes theta and the state.
 *
 * @typedef {{t: number, first: Float64Array, second: Float64Array}} State  first and second moments; not every rule uses them
 */
import { rounding } from "./packed.js";

/** @type {Record<string, {options: Record<string, number>, entry: (o: any, s: State, r: (x: number) => number) => (w: number, g: number, k: number) => number}>} */
const RULES = {
  sgd: { options: { stepSize: 1e-3 }, entry: (o, s, r) => (w, g) => r(w - r(g * o.stepSize)) },
  momentum: {
    options: { stepSize: 1e-3, momentum: 0.9 },
    entry: (o, s, r) => (w, g, k) => r(w - r((s.first[k] = r(r(s.first[k] * o.momentum) + g)) * o.stepSize)),
  },
  nesterov: {
    options: { stepSize: 1e-3, momentum: 0.9 },
    entry: (o, s, r) => (w, g, k) => {
      const v = (s.first[k] = r(r(s.first[k] * o.momentum) + g));
      return r(w - r(r(g + r(v * o.momentum)) * o.stepSize));
    },
  },
  adagrad: {
    options: { stepSize: 1e-2, eps: 1e-10 },
    entry: (o, s, r) => (w, g, k) => {
      const sum = (s.second[k] = r(s.second[k] + r(g * g)));
      return r(w - r(o.stepSize * r(g / r(r(Math.sqrt(sum)) + o.eps))));
    },
  },
  rmsprop: {
    options: { stepSize: 1e-2, alpha: 0.99, eps: 1e-8 },
    entry: (o, s, r) => (w, g, k) => {
      const mean = (s.second[k] = r(r(o.alpha * s.second[k]) + r((1 - o.alpha) * r(g * g))));
      return r(w - r(o.stepSize * r(g / r(r(Math.sqrt(mean)) + o.eps))));
    },
  },
  adam: {
    options: { stepSize: 1e-3, beta1: 0.9, beta2: 0.999, eps: 1e-8 },
    entry: (o, s, r) => {
      const rate = o.stepSize / (1 - o.beta1 ** s.t), root = Math.sqrt(1 - o.beta2 ** s.t);
      return (w, g, k) => {
        const m = (s.first[k] = r(r(o.beta1 * s.first[k]) + r((1 - o.beta1) * g)));
        const v = (s.second[k] = r(r(o.beta2 * s.second[k]) + r((1 - o.beta2) * r(g * g))));
        return r(w - r(rate * r(m / r(r(r(Math.sqrt(v)) / root) + o.eps))));
      };
    },
  },
  lion: {
    options: { stepSize: 1e-4, beta1: 0.9, beta2: 0.99 },
    entry: (o, s, r) => (w, g, k) => {
      const u = Math.sign(r(r(o.beta1 * s.first[k]) + r((1 - o.beta1) * g)));
      s.first[k] = r(r(o.beta2 * s.first[k]) + r((1 - o.beta2) * g));
      return r(w - r(o.stepSize * u));
    },
  },
  sign: { options: { stepSize: 1e-3 }, entry: (o, s, r) => (w, g) => r(w - r(o.stepSize * Math.sign(g))) },
};

export const OPTIMIZERS = Object.keys(RULES);

/** @param {string} name @param {Record<string, number>} options those left out have their defaults
 * @param {boolean} single every operation rounded to float32 */
export function rule(name, options = {}, single = false) {
  if (!(name in RULES)) throw new RangeError(`optimizer is ${JSON.stringify(name)}; one of ${OPTIMIZERS.join(", ")} is required`);
  const { options: defaults, entry } = RULES[name];
  const unknown = Object.keys(options).find((key) => !(key in defaults));
  if (unknown) throw new RangeError(`${name} has no option ${JSON.stringify(unknown)}; ${Object.keys(defaults).join(", ")} can be given`);
  const chosen = { ...defaults, ...options };
  const round = rounding(single);
  return {
    name,
    options: chosen,
    /** @param {number} count @returns {State} */
    init: (count) => ({ t: 0, first: new Float64Array(count), second: new Float64Array(count) }),
    /** @param {Float64Array} theta @param {Float64Array} g @param {State} state */
    update(theta, g, state) {
      state.t += 1;
      const next = entry(chosen, state, round);
      for (let k = 0; k < theta.length; k++) theta[k] = next(theta[k], g[k], k);
    },
  };
}
