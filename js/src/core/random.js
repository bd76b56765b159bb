/**
 * Philox4x32-10 (Salmon et al. 2011): random numbers as a function of (seed, stream, index), the same in
 * src/permsym_book/counter.py. Nothing is stored, so any step of a run can be drawn again.
 */
const M0 = 0xd2511f53;
const M1 = 0xcd9e8d57;
const W0 = 0x9e3779b9;
const W1 = 0xbb67ae85;

/** The high 32 bits of a product of two 32-bit numbers. */
function high(a, b) {
  const ah = a >>> 16, al = a & 0xffff, bh = b >>> 16, bl = b & 0xffff;
  const middle = ah * bl + ((al * bl) >>> 16);
  const carry = (middle & 0xffff) + al * bh;
  return (ah * bh + Math.floor(middle / 65536) + Math.floor(carry / 65536)) >>> 0;
}

/**
 * Ten rounds of Philox: four 32-bit words from a counter of four words and a key of two.
 * @param {number[]} counter @param {number[]} key @returns {number[]}
 */
export function philox(counter, key) {
  let [c0, c1, c2, c3] = counter.map((c) => c >>> 0);
  let [k0, k1] = key.map((k) => k >>> 0);
  for (let round = 0; round < 10; round++) {
    const h0 = high(M0, c0), l0 = Math.imul(M0, c0) >>> 0;
    const h1 = high(M1, c2), l1 = Math.imul(M1, c2) >>> 0;
    [c0, c1, c2, c3] = [(h1 ^ c1 ^ k0) >>> 0, l1, (h0 ^ c3 ^ k1) >>> 0, l0];
    k0 = (k0 + W0) >>> 0;
    k1 = (k1 + W1) >>> 0;
  }
  return [c0, c1, c2, c3];
}

/**
 * `count` uniform numbers in [0, 1) with 53 random bits, numbers `index * 2^0 ...` of the stream.
 * @param {number} seed @param {number} stream @param {number} count @returns {Float64Array}
 */
export function uniforms(seed, stream, count) {
  const out = new Float64Array(count);
  for (let block = 0; 2 * block < count; block++) {
    const w = philox([block, 0, stream, 0], [seed, 0]);
    out[2 * block] = ((w[0] >>> 5) * 67108864 + (w[1] >>> 6)) / 9007199254740992;
    if (2 * block + 1 < count) out[2 * block + 1] = ((w[2] >>> 5) * 67108864 + (w[3] >>> 6)) / 9007199254740992;
  }
  return out;
}

/**
 * Standard normal numbers by Box and Muller, two from each pair of uniforms.
 * @param {number} count @param {(count: number) => Float64Array} draw gives that many uniform numbers
 */
export function normalsFrom(count, draw) {
  const u = draw(count + (count % 2));
  const out = new Float64Array(count);
  for (let i = 0; i < count; i += 2) {
    const radius = Math.sqrt(-2 * Math.log(1 - u[i]));
    out[i] = radius * Math.cos(2 * Math.PI * u[i + 1]);
    if (i + 1 < count) out[i + 1] = radius * Math.sin(2 * Math.PI * u[i + 1]);
  }
  return out;
}

/** Standard normal numbers of a stream. @param {number} seed @param {number} stream @param {number} count */
export const normals = (seed, stream, count) => normalsFrom(count, (n) => uniforms(seed, stream, n));

/** A source of uniform numbers, one at a time. @param {number} seed @param {number} stream @returns {() => number} */
export function source(seed, stream) {
  let block = 0;
  let kept = [];
  return () => {
    if (!kept.length) {
      const w = philox([block++, 0, stream, 0], [seed, 0]);
      kept = [
        ((w[0] >>> 5) * 67108864 + (w[1] >>> 6)) / 9007199254740992,
        ((w[2] >>> 5) * 67108864 + (w[3] >>> 6)) / 9007199254740992,
      ];
    }
    return kept.shift();
  };
}
