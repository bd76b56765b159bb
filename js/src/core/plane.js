/**
 * A plane of parameters that the swap of two units maps onto itself, as a mirror: centre + a u + b v, with u from the network to its
 * swap and v unchanged by the swap. The formulas of src/permsym_book/widgets/plane.py.
 *
 * All sums over numbers of both units add the two units' terms first, and a sum of two does not depend on their order. So the
 * mirror image of a descent is the descent from the mirrored start to the last bit.
 */
import { kernel, pack, places, placesOfUnit, relabelling, sizesOf } from "./packed.js";

export const DIRECTIONS = { outgoing: "outgoing weights", incoming: "incoming weights", biases: "biases", output: "output's bias" };

/**
 * @param {import("./mlp.js").Parameters} p two hidden units @param {import("./matrix.js").Matrix} X @param {import("./matrix.js").Matrix} Y
 * @param {string} activation @param {string} direction
 */
export function plane(p, X, Y, activation, direction) {
  const sizes = sizesOf(p);
  const at = places(sizes);
  const theta = pack(p);
  const swap = relabelling(sizes, [1, 0]);
  const [first, second] = [0, 1].map((unit) => placesOfUnit(sizes, unit));
  const dot = (x, y) => {
    let sum = 0;
    first.forEach((k, i) => (sum += x[k] * y[k] + x[second[i]] * y[second[i]]));
    for (let k = at.b2; k < at.count; k++) sum += x[k] * y[k];
    return sum;
  };
  const difference = theta.map((x, k) => theta[swap[k]] - x);
  const length = Math.sqrt(dot(difference, difference));
  if (!(length > 0)) throw new RangeError("the two units are identical, so the swap changes nothing; different units are required");
  const centre = theta.map((x, k) => (x + theta[swap[k]]) * 0.5);
  const u = difference.map((x) => x / length);
  const [from, to] = { incoming: [at.W1, at.b1], biases: [at.b1, at.W2], outgoing: [at.W2, at.b2], output: [at.b2, at.count] }[direction];
  const v = theta.map((_, k) => (k >= from && k < to ? 1 / Math.sqrt(to - from) : 0));
  const { loss, gradient } = kernel(sizes, activation);
  const g = new Float64Array(at.count);
  const point = (a, b) => centre.map((c, k) => c + u[k] * a + v[k] * b);

  return {
    halfWidth: length / 2,
    point,
    loss: (a, b) => loss(point(a, b), X, Y),
    /** The gradient of the loss, projected onto the plane. @returns {[number, number]} */
    gradient(a, b) {
      gradient(point(a, b), X, Y, null, g);
      return [dot(g, u), dot(g, v)];
    },
    /** How long the whole gradient is, of which the plane sees a part. */
    slope(a, b) {
      gradient(point(a, b), X, Y, null, g);
      return Math.sqrt(dot(g, g));
    },
    /** Gradient descent within the plane. @param {[number, number]} start @returns {[number, number][]} steps + 1 points, fewer if it diverges */
    descent(start, stepSize, steps) {
      const path = [start];
      for (let t = 0; t < steps; t++) {
        const [a, b] = path[t];
        const [ga, gb] = this.gradient(a, b);
        const next = /** @type {[number, number]} */ ([a - stepSize * ga, b - stepSize * gb]);
        if (!next.every(Number.isFinite)) break;
        path.push(next);
      }
      return path;
    },
    /** The loss on a square grid of (size, size) points from -reach to reach, row by row from the lowest b. */
    grid(reach, size) {
      const values = new Float64Array(size * size);
      const place = (i) => (reach * (2 * i - (size - 1))) / (size - 1); // place(size - 1 - i) is -place(i), bit for bit
      for (let row = 0; row < size; row++) for (let col = 0; col < size; col++) values[row * size + col] = this.loss(place(col), place(row));
      return values;
    },
  };
}

/** How far a path is from the mirror image of another. @param {[number, number][]} path @param {[number, number][]} other */
export function mirrorGap(path, other) {
  if (path.length !== other.length) return Infinity;
  return path.reduce((widest, [a, b], t) => Math.max(widest, Math.abs(a + other[t][0]), Math.abs(b - other[t][1])), 0);
}
