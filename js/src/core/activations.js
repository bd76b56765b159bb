/**
 * Element-wise activations with their derivatives and the largest slopes that the rounding bounds need.
 *
 * @typedef {{f: (z: number) => number, df: (z: number) => number,
 *            slope: (zAbs: number) => number}} Activation
 */

const logistic = (z) => (z >= 0 ? 1 / (1 + Math.exp(-z)) : Math.exp(z) / (1 + Math.exp(z)));

/** @type {Record<string, Activation>} */
export const activations = {
  identity: { f: (z) => z, df: () => 1, slope: () => 1 },
  relu: { f: (z) => Math.max(z, 0), df: (z) => (z > 0 ? 1 : 0), slope: () => 1 },
  leaky_relu: {
    f: (z) => Math.max(z, 0) + Math.min(z, 0) / 128,
    df: (z) => (z > 0 ? 1 : 1 / 128),
    slope: () => 1,
  },
  tanh: { f: Math.tanh, df: (z) => 1 - Math.tanh(z) ** 2, slope: () => 1 },
  sigmoid: { f: logistic, df: (z) => logistic(z) * logistic(-z), slope: () => 0.25 },
  softplus: { f: (z) => Math.max(z, 0) + Math.log1p(Math.exp(-Math.abs(z))), df: logistic, slope: () => 1 },
  sin: { f: Math.sin, df: Math.cos, slope: () => 1 },
  square: { f: (z) => z * z, df: (z) => 2 * z, slope: (zAbs) => 2 * zAbs },
  hardtanh: { f: (z) => Math.min(Math.max(z, -1), 1), df: (z) => (Math.abs(z) < 1 ? 1 : 0), slope: () => 1 },
};

/** @param {string} name @returns {Activation} */
export function activation(name) {
  if (!(name in activations)) {
    throw new RangeError(`activation is "${name}"; one of ${Object.keys(activations).join(", ")} is required`);
  }
  return activations[name];
}
