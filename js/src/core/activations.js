/**
 * Element-wise activations with their derivatives and what the rounding bounds need: the largest slope of the function and of its
 * derivative on [-zAbs, zAbs], and the kinks, where the derivative jumps.
 *
 * @typedef {{f: (z: number) => number, df: (z: number) => number, slope: (zAbs: number) => number,
 *            derivativeSlope: (zAbs: number) => number, kinks: number[]}} Activation
 */

const logistic = (z) => (z >= 0 ? 1 / (1 + Math.exp(-z)) : Math.exp(z) / (1 + Math.exp(z)));

/** @type {Record<string, Activation>} */
export const activations = {
  identity: { f: (z) => z, df: () => 1, slope: () => 1, derivativeSlope: () => 0, kinks: [] },
  relu: { f: (z) => Math.max(z, 0), df: (z) => (z > 0 ? 1 : 0), slope: () => 1, derivativeSlope: () => 0, kinks: [0] },
  leaky_relu: {
    f: (z) => Math.max(z, 0) + Math.min(z, 0) / 128,
    df: (z) => (z > 0 ? 1 : 1 / 128),
    slope: () => 1,
    derivativeSlope: () => 0,
    kinks: [0],
  },
  tanh: { f: Math.tanh, df: (z) => 1 - Math.tanh(z) ** 2, slope: () => 1, derivativeSlope: () => 0.7699, kinks: [] },
  sigmoid: { f: logistic, df: (z) => logistic(z) * logistic(-z), slope: () => 0.25, derivativeSlope: () => 0.0963, kinks: [] },
  softplus: {
    f: (z) => Math.max(z, 0) + Math.log1p(Math.exp(-Math.abs(z))),
    df: logistic,
    slope: () => 1,
    derivativeSlope: () => 0.25,
    kinks: [],
  },
  sin: { f: Math.sin, df: Math.cos, slope: () => 1, derivativeSlope: () => 1, kinks: [] },
  square: { f: (z) => z * z, df: (z) => 2 * z, slope: (zAbs) => 2 * zAbs, derivativeSlope: () => 2, kinks: [] },
  hardtanh: {
    f: (z) => Math.min(Math.max(z, -1), 1),
    df: (z) => (Math.abs(z) < 1 ? 1 : 0),
    slope: () => 1,
    derivativeSlope: () => 0,
    kinks: [-1, 1],
  },
};

/** @param {string} name @returns {Activation} */
export function activation(name) {
  if (!(name in activations)) {
    throw new RangeError(`activation is "${name}"; one of ${Object.keys(activations).join(", ")} is required`);
  }
  return activations[name];
}
