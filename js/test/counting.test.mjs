/** Counts of permutation points against Python's, and against enumeration and a literal search through all words. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { binomial, enumerate, factorial, logCounts, ratio, saddleCount, saddleCounts, scientific, wordCount } from "../src/core/counting.js";

const path = process.env.PERMSYM_FIXTURE;
const fixture = path ? JSON.parse(readFileSync(path, "utf8")).counting : null;
const options = { skip: fixture ? false : "PERMSYM_FIXTURE names no file; run through pytest" };

function run(words) {
  const seen = [];
  let next = words.next();
  for (; !next.done; next = words.next()) seen.push(next.value);
  return { ...next.value, seen };
}

/** The definition: n units have n - K different vectors, K of them twice. */
function literally(n, K) {
  let count = 0;
  for (let code = 0; code < (n - K) ** n; code++) {
    const times = new Array(n - K).fill(0);
    for (let place = 0, rest = code; place < n; place++, rest = Math.floor(rest / (n - K))) times[rest % (n - K)]++;
    if (times.every((t) => t > 0) && times.filter((t) => t === 2).length === K) count++;
  }
  return count;
}

test("factorials and binomials", () => {
  assert.deepEqual([0, 1, 5, 20].map(factorial), [1n, 1n, 120n, 2432902008176640000n]);
  for (let n = 1; n < 30; n++) for (let k = 0; k <= n; k++) assert.equal(binomial(n, k), (binomial(n - 1, k - 1)) + binomial(n - 1, k));
  assert.deepEqual([binomial(3, 4), binomial(3, -1), binomial(-1, 0)], [0n, 0n, 0n]);
});

test("the enumeration is the literal one and the formula's, and tells how far it is", () => {
  for (let n = 1; n <= 6; n++) {
    for (let K = 1; K <= 4; K++) {
      const { words, found, seen } = run(enumerate(n, K, 100));
      assert.equal(words, wordCount(n, K));
      assert.equal(BigInt(found), saddleCount(n, K), `${n} ${K}`);
      if (n > K) assert.equal(found, literally(n, K));
      assert.deepEqual(seen, Array.from({ length: Math.max(0, Math.floor((words - 1) / 100)) }, (_, i) => 100 * (i + 1)));
    }
  }
  assert.deepEqual([1, 2, 3].map((K) => run(enumerate(7, K)).found), [15120, 12600, 2520]);
});

test("ratios beyond doubles' range", () => {
  assert.equal(ratio({ top: 219n, bottom: 2n }), 109.5);
  assert.equal(ratio({ top: 3n ** 700n, bottom: 2n ** 1000n }), Number((3n ** 700n << 64n) / 2n ** 1000n) / 2 ** 64);
  assert.equal(ratio({ top: 0n, bottom: 1n }), 0);
});

test("counts are Python's", options, () => {
  const same = (count, text) => assert.equal(text.includes("e") ? scientific(count, 20) : String(count), text);
  for (const c of fixture.networks) {
    const { minima, perLayer, total, factor } = saddleCounts(c.hidden, c.K);
    same(minima, c.minima);
    same(total, c.total);
    perLayer.forEach((count, k) => same(count, c.per_layer[k]));
    assert.deepEqual([String(factor.top), String(factor.bottom)], c.factor);
    assert.equal(total * factor.bottom, minima * factor.top);
    const logs = logCounts(c.hidden, c.K);
    const near = (x, y) => assert.ok(Math.abs(x - y) <= 1e-12 * Math.max(1, Math.abs(y)) * 10, `${x} ${y}`);
    near(logs.minima, c.log_minima);
    if (c.log_total === null) assert.equal(logs.totals[c.K - 1], -Infinity);
    else near(logs.totals[c.K - 1], c.log_total);
  }
  for (const { n, K, count, enumerated } of fixture.layers) {
    assert.equal(saddleCount(n, K), BigInt(count));
    if (enumerated !== null) assert.equal(run(enumerate(n, K)).found, enumerated);
  }
  for (const [number, figures, text] of fixture.texts) assert.equal(scientific(BigInt(number), figures), text);
});
