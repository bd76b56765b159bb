/**
 * How many minima and permutation points there are, exactly and by enumeration: the formulas of
 * src/permsym_book/landscape/counting.py. Counts are BigInt.
 */

/** n! @param {number} n @returns {bigint} */
export function factorial(n) {
  let product = 1n;
  for (let k = 2; k <= n; k++) product *= BigInt(k);
  return product;
}

/** n over k, 0 outside 0 <= k <= n. @param {number} n @param {number} k @returns {bigint} */
export function binomial(n, k) {
  if (k < 0 || k > n) return 0n;
  let product = 1n;
  for (let i = 1; i <= Math.min(k, n - k); i++) product = (product * BigInt(n - i + 1)) / BigInt(i);
  return product;
}

/** n! C(n - K, K) / 2^K: the points of one layer of n units in which K disjoint pairs coincide. @param {number} n @param {number} K */
export const saddleCount = (n, K) => (n >= 2 * K ? (factorial(n) * binomial(n - K, K)) >> BigInt(K) : 0n);

/**
 * The K-th order permutation points of a network: with the pairs in one layer, and every order of the units of the others.
 * @param {number[]} hidden widths of the hidden layers @param {number} K
 * @returns {{minima: bigint, layers: bigint[], perLayer: bigint[], total: bigint, factor: {top: bigint, bottom: bigint}}}
 *   `layers` counts within each layer; total = factor * minima
 */
export function saddleCounts(hidden, K) {
  const orders = hidden.map(factorial);
  const minima = orders.reduce((a, b) => a * b, 1n);
  const layers = hidden.map((n) => saddleCount(n, K));
  const perLayer = layers.map((count, k) => (minima / orders[k]) * count);
  let [top, bottom] = [hidden.reduce((sum, n) => sum + (n >= 2 * K ? binomial(n - K, K) : 0n), 0n), 1n << BigInt(K)];
  while (bottom > 1n && top % 2n === 0n) [top, bottom] = [top / 2n, bottom / 2n];
  if (top === 0n) bottom = 1n;
  return { minima, layers, perLayer, total: perLayer.reduce((a, b) => a + b, 0n), factor: { top, bottom } };
}

/** log10 of 0!, 1!, ..., n! @param {number} n */
function logFactorials(n) {
  const logs = [0];
  for (let k = 1; k <= n; k++) logs.push(logs[k - 1] + Math.log10(k));
  return logs;
}

/**
 * log10 of the numbers of minima and of permutation points of the orders 1 to `most`; -Infinity where there are none.
 * @param {number[]} hidden @param {number} most
 */
export function logCounts(hidden, most) {
  const logs = logFactorials(Math.max(...hidden));
  const minima = hidden.reduce((sum, n) => sum + logs[n], 0);
  const totals = Array.from({ length: most }, (_, i) => {
    const K = i + 1;
    const terms = hidden.filter((n) => n >= 2 * K).map((n) => logs[n - K] - logs[K] - logs[n - 2 * K] - K * Math.log10(2));
    const largest = Math.max(...terms);
    return terms.length ? minima + largest + Math.log10(terms.reduce((sum, t) => sum + 10 ** (t - largest), 0)) : -Infinity;
  });
  return { minima, totals };
}

/**
 * Go through all words of n letters from n - K, and count those in which every letter occurs once or twice: each is one point, the
 * word telling which of n - K different weight vectors each unit has. A generator: it pauses every `chunk` words.
 * @param {number} n @param {number} K @param {number} chunk
 * @returns {Generator<number, {words: number, found: number}>} yields how many words it has seen
 */
export function* enumerate(n, K, chunk = 20000) {
  const letters = n - K;
  if (letters < 1) return { words: 0, found: 0 };
  const word = new Uint8Array(n);
  const times = new Uint8Array(letters);
  times[0] = n;
  let [words, found] = [0, 0];
  for (;;) {
    words++;
    if (times.every((count) => count === 1 || count === 2)) found++;
    let place = n - 1;
    while (place >= 0 && word[place] === letters - 1) {
      times[letters - 1]--;
      times[0]++;
      word[place--] = 0;
    }
    if (place < 0) return { words, found };
    times[word[place]]--;
    times[++word[place]]++;
    if (words % chunk === 0) yield words;
  }
}

/** How many words the enumeration goes through. */
export const wordCount = (n, K) => (n > K ? (n - K) ** n : 0);

/** A positive integer of any size as "1.234e56", correctly rounded, ties to even. @param {bigint} count @param {number} figures */
export function scientific(count, figures = 4) {
  const digits = String(count);
  let exponent = digits.length - 1;
  const cut = digits.length - figures;
  let leading = count;
  if (cut > 0) {
    const unit = 10n ** BigInt(cut);
    const rest = count % unit;
    leading = count / unit;
    if (2n * rest > unit || (2n * rest === unit && leading % 2n === 1n)) leading += 1n;
    if (String(leading).length > figures) {
      leading /= 10n;
      exponent++;
    }
  } else leading = count * 10n ** BigInt(-cut);
  const text = String(leading);
  return `${text[0]}${figures > 1 ? "." : ""}${text.slice(1)}e${exponent}`;
}

/** top / bottom as a number, also where neither fits a double. @param {{top: bigint, bottom: bigint}} fraction bottom a power of 2 */
export function ratio({ top, bottom }) {
  const scaled = (top << 64n) / bottom;
  return Number(scaled) / 2 ** 64;
}
