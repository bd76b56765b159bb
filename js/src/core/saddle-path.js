/** What saddle-path computes from a path that is given: signs of eigenvalues, a plane to see the two units in, a symmetric logarithm. */

/**
 * How many eigenvalues are negative, count as zero, and are positive.
 * @param {number[]} spectrum @param {number} zero the size up to which one counts as zero
 */
export function inertia(spectrum, zero) {
  const nullity = spectrum.filter((x) => Math.abs(x) <= zero).length;
  const index = spectrum.filter((x) => x < -zero).length;
  return { index, nullity, positive: spectrum.length - index - nullity };
}

const dot = (a, b) => a.reduce((sum, x, k) => sum + x * b[k], 0);
const size = (a) => Math.sqrt(dot(a, a));

function unit(v, scale) {
  const length = size(v);
  return v.map((x) => (length > 1e-12 * scale ? x / length : 0));
}

/**
 * The two units' vectors seen in a plane: along their difference at the first point, and along what their mean there has across it.
 * @param {number[][][]} vectors (T, 2, m) @returns {[number, number][][]} (T, 2) places
 */
export function projected(vectors) {
  const [first, second] = vectors[0];
  const difference = first.map((x, k) => x - second[k]);
  const along = unit(difference, size(difference));
  const mean = first.map((x, k) => (x + second[k]) / 2);
  const part = dot(mean, along);
  const across = unit(mean.map((x, k) => x - part * along[k]), size(mean));
  return vectors.map((pair) => pair.map((v) => [dot(v, along), dot(v, across)]));
}

/** Where the units are closest. @param {number[]} distances */
export const middleOf = (distances) => distances.reduce((best, d, t) => (Math.abs(d) < Math.abs(distances[best]) ? t : best), 0);

/** The largest difference of the losses of a point and of the one as far from the other end. @param {number[]} losses */
export const mirrorGap = (losses) => losses.reduce((gap, x, t) => Math.max(gap, Math.abs(x - losses[losses.length - 1 - t])), 0);

/** A power of ten at or below the smallest eigenvalue that is not zero. @param {number[][]} spectra @param {number[]} zeros */
export function linearUpTo(spectra, zeros) {
  let least = Infinity;
  spectra.forEach((spectrum, t) => spectrum.forEach((x) => {
    if (Math.abs(x) > zeros[t]) least = Math.min(least, Math.abs(x));
  }));
  return Number.isFinite(least) ? 10 ** Math.max(Math.floor(Math.log10(least)), -12) : 1;
}

/** sign(x) log10(1 + |x| / c): linear below c, logarithmic above. @param {number} x @param {number} c */
export const symlog = (x, c) => Math.sign(x) * Math.log10(1 + Math.abs(x) / c);

/** 0 and powers of ten on both sides up to the largest numbers, not closer than `every` decades. @param {number} low @param {number} high @param {number} c */
export function symlogTicks(low, high, c, most = 8) {
  const decades = (x) => (Math.abs(x) >= c ? Math.floor(Math.log10(Math.abs(x) / c) + 1e-9) : -1);
  const [up, down] = [high > 0 ? decades(high) : -1, low < 0 ? decades(low) : -1];
  const every = Math.max(1, Math.ceil((up + down + 2) / most));
  const side = (n, sign) => Array.from({ length: n + 1 }, (_, k) => k).filter((k) => (n - k) % every === 0).map((k) => sign * c * 10 ** k);
  return [...side(down, -1).reverse(), 0, ...side(up, 1)];
}
