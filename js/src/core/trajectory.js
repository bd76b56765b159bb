/** One or several networks trained in lockstep on the same batches, every step recorded. */
import { drawStep } from "./noise.js";
import { rule } from "./optimizers.js";
import { kernel, places, rounding } from "./packed.js";

/**
 * @typedef {import("./matrix.js").Matrix} Matrix
 * @typedef {{starts: Float64Array[], sizes: import("./packed.js").Sizes, X: Matrix, Y: Matrix, activation: string, optimizer: string,
 *            options: Record<string, number>, noises: {name: string, amounts?: any}[], seed: number, single?: boolean,
 *            measure: (thetas: Float64Array[]) => number}} Setting
 */
export class Trajectory {
  /** @param {Setting} setting `single` rounds every operation to float32; `measure` makes the recorded gap from the networks */
  constructor({ starts, sizes, X, Y, activation, optimizer, options, noises, seed, single = false, measure }) {
    const round = rounding(single);
    const rounded = (A) => ({ ...A, data: A.data.map(round) });
    Object.assign(this, { sizes, noises, seed, single, measure, X: rounded(X), Y: rounded(Y) });
    this.kernel = kernel(sizes, activation, single);
    this.rule = rule(optimizer, options, single);
    const { count } = places(sizes);
    this.now = starts.map((theta) => theta.map(round));
    this.states = starts.map(() => this.rule.init(count));
    this.gradients = starts.map(() => new Float64Array(count));
    /** paths[network][t] are the parameters after t steps. @type {Float64Array[][]} */
    this.paths = starts.map(() => []);
    /** losses[network][t], per sample of all data, without noise. @type {number[][]} */
    this.losses = starts.map(() => []);
    /** @type {number[]} */
    this.gaps = [];
    /** The first step with a number that is not finite, or null. @type {number | null} */
    this.diverged = null;
    this.record();
  }

  /** How many steps have been made. */
  get steps() {
    return this.gaps.length - 1;
  }

  record() {
    const plain = this.noises.length === 0;
    this.now.forEach((theta, i) => {
      const loss = plain
        ? this.kernel.gradient(theta, this.X, this.Y, null, this.gradients[i])
        : this.kernel.loss(theta, this.X, this.Y);
      this.paths[i].push(theta.slice());
      this.losses[i].push(loss / this.X.rows);
    });
    this.gaps.push(this.measure(this.now));
    if (!this.losses.every((l) => Number.isFinite(l[l.length - 1])) || this.now.some((theta) => !theta.every(Number.isFinite))) this.diverged = this.steps;
  }

  /** Up to `steps` more steps; a run that has diverged does not go on. @param {number} steps */
  advance(steps) {
    for (let s = 0; s < steps && this.diverged === null; s++) {
      if (this.noises.length) {
        const batch = drawStep(this.noises, { seed: this.seed, t: this.steps, X: this.X, Y: this.Y, theta: this.now, sizes: this.sizes });
        if (this.single) this.settle(batch);
        this.now.forEach((theta, i) => this.kernel.gradient(theta, batch.X, batch.Y, batch.mask, this.gradients[i]));
      }
      this.now.forEach((theta, i) => this.rule.update(theta, this.gradients[i], this.states[i]));
      this.record();
    }
  }

  /** Round what the noises made. */
  settle(batch) {
    for (const list of [batch.X.data, batch.Y.data, ...this.now]) for (let i = 0; i < list.length; i++) list[i] = Math.fround(list[i]);
  }

  /** To step `t`, or as far as it goes. */
  reach(t) {
    this.advance(t - this.steps);
    return this;
  }
}

/** The largest distance of a twin from the relabelled network. @param {Int32Array} from see packed.js, relabelling */
export const twinGap = (from) => ([theta, twin]) => {
  let widest = 0;
  for (let k = 0; k < from.length; k++) {
    const gap = Math.abs(twin[k] - theta[from[k]]);
    if (!(gap <= widest)) widest = gap;
  }
  return widest;
};

/** The largest difference between units of a group, 0 exactly when they are identical. @param {number[][]} units see placesOfUnit */
export const unitSpread = (units) => ([theta]) => {
  let widest = 0;
  for (const unit of units) {
    for (let i = 0; i < unit.length; i++) {
      const gap = Math.abs(theta[unit[i]] - theta[units[0][i]]);
      if (!(gap <= widest)) widest = gap;
    }
  }
  return widest;
};

/** Trajectories by what determines them, the last few kept: undo and links come back to them. */
export class Trajectories {
  /** @param {(key: string) => Trajectory} make */
  constructor(make, kept = 3) {
    Object.assign(this, { make, kept, known: new Map() });
  }

  /** @param {string} key @param {number} steps @returns {Trajectory} */
  get(key, steps) {
    const found = this.known.get(key) ?? this.make(key);
    this.known.delete(key);
    this.known.set(key, found);
    if (this.known.size > this.kept) this.known.delete(this.known.keys().next().value);
    return found.reach(steps);
  }
}
