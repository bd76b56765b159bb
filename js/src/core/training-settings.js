/** What the training widgets check in traits and links, and how their starts are drawn. */
import { fromRows, largest, toRows, zeros } from "./matrix.js";
import { parametersToLists } from "./mlp.js";
import { normals, uniforms } from "./random.js";
import { requireInputs, requireInteger, requireNetwork, requireOneOf, requireSwitch, requireTargets } from "./settings.js";

/** A step size that learns with sums over a few dozen samples. */
export const STEP_SIZES = { sgd: 0.005, momentum: 0.001, nesterov: 0.001, adagrad: 0.05, rmsprop: 0.005, adam: 0.01, lion: 0.002, sign: 0.002 };

/** The network and its data, of sizes within the limits; as plain lists. */
export function requireProblem({ network, X, Y }, limits) {
  const p = requireNetwork(network, limits);
  const inputs = requireInputs(X, p.W1.rows, limits.n);
  const targets = requireTargets(Y, inputs.rows, p.W2.cols);
  return { network: parametersToLists(p), X: toRows(inputs), Y: toRows(targets) };
}

/** How far a training went and which step is shown; nothing runs by itself. */
export function requireProgress({ steps, at = steps, per_click: perClick = 10, running = false }, max, maxPerClick) {
  requireInteger("steps", steps, 0, max);
  requireSwitch("running", running);
  return { steps, at: requireInteger("the shown step", at, 0, steps), per_click: requireInteger("steps per click", perClick, 1, maxPerClick), running: false };
}

export const INITS = { given: "as given", normal: "normal", xavier: "Xavier", kaiming: "Kaiming", constant: "constant 0.1", zeros: "all zeros" };

/** Initial parameters by a scheme of src/permsym_book/initialization.py, drawn from a seed and rounded to 3 decimals; biases 0 but for "normal". */
export function initial(scheme, seed, { d, h, q }) {
  requireOneOf("init", scheme, Object.keys(INITS).filter((name) => name !== "given"));
  const filled = (rows, cols, numbers, scale) => {
    const A = zeros(rows, cols);
    for (let i = 0; i < A.data.length; i++) A.data[i] = Math.round(1000 * scale * numbers(i)) / 1000;
    return A;
  };
  if (scheme === "constant" || scheme === "zeros") {
    const value = () => (scheme === "zeros" ? 0 : 0.1);
    return { W1: filled(d, h, value, 1), b1: filled(1, h, value, 1), W2: filled(h, q, value, 1), b2: filled(1, q, value, 1) };
  }
  const layer = (rows, cols, stream) => {
    if (scheme === "xavier") {
      const u = uniforms(seed, stream, rows * cols);
      return filled(rows, cols, (i) => 2 * u[i] - 1, Math.sqrt(6 / (rows + cols)));
    }
    const z = normals(seed, stream, rows * cols);
    return filled(rows, cols, (i) => z[i], scheme === "kaiming" ? Math.sqrt(2 / rows) : 1);
  };
  const bias = (cols, stream) => (scheme === "normal" ? layer(1, cols, stream) : zeros(1, cols));
  return { W1: layer(d, h, 1), b1: bias(h, 2), W2: layer(h, q, 3), b2: bias(q, 4) };
}

/** The largest weight, for a colour scale. */
export const scaleOf = (...lists) => Math.max(1e-12, ...lists.map((list) => largest(fromRows([Array.from(list)]))));
