/** saddle-count: how many minima and permutation points a network has, exactly, and by enumeration where that is feasible. */
import { enumerate, logCounts, ratio, saddleCount, saddleCounts, scientific, wordCount } from "../core/counting.js";
import { requireInteger } from "../core/settings.js";
import { barChart } from "../ui/bar-chart.js";
import { button, choice, element, enable, numberField } from "../ui/dom.js";
import { number } from "../ui/format.js";
import { define } from "../ui/widget.js";

export const LIMITS = { layers: 3, width: 1000, listed: 7, digits: 24 };
const BUDGET = 8; // milliseconds of enumeration in a frame

/** Enumerations that are done, by "n,K". */
const done = new Map();

/** One layer's points by going through all words; at once when it is not known yet. */
function enumerated(n, K) {
  const key = `${n},${K}`;
  if (!done.has(key)) {
    const words = enumerate(n, K);
    let next = words.next();
    while (!next.done) next = words.next();
    done.set(key, next.value);
  }
  return done.get(key);
}

const feasible = (hidden) => hidden.filter((n) => n <= LIMITS.listed);
const highest = (hidden) => Math.max(1, Math.floor(Math.max(...hidden) / 2));

let kept = { key: "" };
function counted({ hidden, K }) {
  const key = JSON.stringify([hidden, K]);
  if (kept.key !== key) kept = { key, ...saddleCounts(hidden, K), logs: logCounts(hidden, highest(hidden)) };
  return kept;
}

function start({ hidden, K, linked }) {
  const given = { hidden, K, ...(linked ?? {}) };
  if (!Array.isArray(given.hidden) || given.hidden.length < 1 || given.hidden.length > LIMITS.layers) {
    throw new RangeError(`hidden is ${JSON.stringify(given.hidden)}; the widths of 1 to ${LIMITS.layers} hidden layers are required`);
  }
  const widths = given.hidden.map((n, k) => requireInteger(`the width of hidden layer ${k}`, n, 1, LIMITS.width));
  const checked = given.checked ?? false;
  if (typeof checked !== "boolean") throw new RangeError(`checked is ${JSON.stringify(checked)}; true or false is required`);
  return { hidden: widths, K: requireInteger("K", given.K, 1, highest(widths)), checked: checked && feasible(widths).length > 0, running: false };
}

const grouped = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, "\u202f");
const short = (count) => {
  const digits = String(count).length;
  return digits <= LIMITS.digits ? grouped(count) : `${scientific(count)} (${grouped(digits)} digits)`;
};
const brief = (count) => (String(count).length <= 12 ? grouped(count) : scientific(count));
const share = ({ top, bottom }) => `${short(top)}${bottom === 1n ? "" : `/${short(bottom)}`}`;
const about = (factor) => {
  const value = ratio(factor);
  return Number.isFinite(value) ? number(value) : scientific(factor.top / factor.bottom, 3);
};

function build(body, api) {
  let frame = 0;
  let job = null;
  const stop = () => {
    cancelAnimationFrame(frame);
    [frame, job] = [0, null];
  };
  const change = (hidden, K) => api.change({ hidden, K: Math.min(K, highest(hidden)), checked: false, running: false });
  const fields = Array.from({ length: LIMITS.layers }, (_, k) => numberField(`width-${k}`, `units of layer ${k}`, { min: 1, max: LIMITS.width }, (n) => {
    const { hidden, K } = api.state();
    change(hidden.map((old, at) => (at === k ? n : old)), K);
  }, api.reject));
  const layers = choice("layers", "hidden layers", ["1", "2", "3"].map((n) => [n, n]), (value) => {
    const { hidden, K } = api.state();
    change(Array.from({ length: Number(value) }, (_, k) => hidden[k] ?? hidden[hidden.length - 1]), K);
  });
  const choose = (K, keep) => api.change({ K, checked: false, running: false }, { keep });
  const order = numberField("K", "coinciding pairs K", { min: 1, max: 1 }, (K) => choose(K, true), api.reject);
  const run = button("run", "count one by one", () => api.change({ running: true, checked: false }));
  const pause = button("pause", "cancel", () => api.change({ running: false }, { keep: false }));
  const examples = { toy: [[3], 1], small: [[4, 3], 1], mnist: [[32, 16], 2], wide: [[512, 512], 2] };
  const progress = element("output", {});
  const verdictLine = element("output", { class: "permsym-residual", "data-residual": "" });
  const formula = element("p", { class: "permsym-formula" });
  const rows = element("tbody", {});
  const exact = element("div", {});
  const chart = element("div", {});
  body.append(
    element("div", { class: "permsym-row", role: "toolbar", "aria-label": "Examples and enumeration" },
      ...Object.entries(examples).map(([name, [hidden, K]]) => button(name, hidden.join(" and "), () => change(hidden, K), { "aria-label": `hidden layers of ${hidden.join(" and ")} units` })),
      run, pause, button("reset", "reset", api.reset)),
    element("div", { class: "permsym-row" }, layers.row, ...fields.map((f) => f.row), order.row),
    formula,
    element("div", { class: "permsym-scroll", tabindex: 0, role: "region", "aria-label": "Counts per layer" },
      element("table", { class: "permsym-checks" },
        element("thead", {}, element("tr", {}, ...["layer", "n", "n!", "n! C(n−K, K)/2ᴷ", "in the network", "one by one"].map((word) => element("th", { scope: "col" }, word)))), rows)),
    element("p", {}, "Formula against enumeration: ", verdictLine, " ", progress),
    element("p", { class: "permsym-hint" }, "A word tells which of the n − K different weight vectors each of the n units has. It counts when K of them occur twice and the others once."),
    chart, exact,
  );
  const bars = barChart(chart, {
    title: "Permutation points for each minimum", x: "K, the number of coinciding pairs", line: "as many as minima",
    bars: ["points of order K", "the chosen K"], pick: (K, first) => choose(K, first),
  });

  function tick() {
    const { hidden, K } = api.state();
    const begin = performance.now();
    while (performance.now() - begin < BUDGET) {
      if (!job.current) {
        const n = job.left.shift();
        if (n === undefined) {
          stop();
          api.change({ running: false, checked: true }, { keep: false });
          return;
        }
        job.current = { n, words: enumerate(n, K) };
      }
      const next = job.current.words.next();
      if (next.done) {
        done.set(`${job.current.n},${K}`, next.value);
        job.seen += next.value.words;
        job.current = null;
      } else job.now = next.value;
    }
    const all = feasible(hidden).reduce((sum, n) => sum + wordCount(n, K), 0);
    progress.textContent = `${grouped(job.seen + (job.current ? job.now : 0))} of ${grouped(all)} words`;
    frame = requestAnimationFrame(tick);
  }

  return {
    update(state) {
      const { hidden, K, checked, running } = state;
      const { minima, layers: within, perLayer, total, factor, logs } = counted(state);
      layers.input.value = String(hidden.length);
      fields.forEach((field, k) => {
        field.row.hidden = k >= hidden.length;
        field.input.disabled = k >= hidden.length;
        field.show(hidden[k] ?? 1);
      });
      order.input.max = String(highest(hidden));
      order.show(K);
      formula.textContent = `${short(total)} points of order ${K}; ${short(minima)} copies of a minimum; ratio ${share(factor)}${factor.bottom === 1n && String(factor.top).length <= 6 ? "" : `, about ${about(factor)}`}`;
      const cell = (text) => element("td", { class: "permsym-nowrap" }, text);
      const one = (n) => (n > LIMITS.listed ? "too many words" : checked ? `${grouped(enumerated(n, K).found)} of ${grouped(enumerated(n, K).words)} words` : "not yet");
      rows.replaceChildren(...hidden.map((n, k) => element("tr", {},
        element("th", { scope: "row" }, String(k)), cell(grouped(n)), cell(brief(saddleCount(n, 0))), cell(brief(within[k])), cell(brief(perLayer[k])), element("td", {}, one(n)))),
      element("tr", { class: "permsym-current" }, element("th", { scope: "row" }, "sum"), cell(""), cell(""), cell(""), cell(brief(total)), cell("")));
      const difference = checked ? feasible(hidden).reduce((sum, n) => sum + Math.abs(enumerated(n, K).found - Number(saddleCount(n, K))), 0) : null;
      verdictLine.dataset.residual = difference === null ? "" : String(difference);
      verdictLine.className = difference === null ? "" : difference === 0 ? "permsym-residual" : "permsym-residual permsym-broken";
      verdictLine.textContent = difference === null ? (feasible(hidden).length ? "not counted yet." : `no layer has ${LIMITS.listed} units or fewer.`)
        : difference === 0 ? "equal." : `not equal: they differ by ${difference}.`;
      if (!running) progress.textContent = "";
      bars.update(logs.totals.map((log) => log - logs.minima), K, `order ${K}: ${short(total)} permutation points, ${about(factor)} for each minimum`);
      showDigits([["copies of a minimum", minima], [`permutation points of order ${K}`, total]]);
      enable([[run, !running && feasible(hidden).length > 0], [pause, running]]);
      if (running && !frame) {
        job = { left: [...new Set(feasible(hidden))], seen: 0, now: 0, current: null };
        frame = requestAnimationFrame(tick);
      }
      if (!running && frame) stop();
    },
    destroy: stop,
  };

  /** Long numbers with all their digits, closed until one asks for them. */
  function showDigits(numbers) {
    const long = numbers.filter(([, count]) => String(count).length > LIMITS.digits);
    const key = long.map(([name, count]) => `${name} ${count}`).join();
    if (exact.dataset.key === key) return;
    exact.dataset.key = key;
    exact.replaceChildren(...long.map(([name, count]) => element("details", {}, element("summary", {}, `all ${grouped(String(count).length)} digits of the number of ${name}`),
      element("p", { class: "permsym-digits", tabindex: 0, role: "region", "aria-label": `Digits of the number of ${name}` }, String(count)))));
  }
}

function describe(state) {
  if (state.running) return "The points are counted one by one.";
  const { hidden, K, checked } = state;
  const { minima, perLayer, total, factor } = counted(state);
  const layer = hidden.length === 1 ? `One hidden layer of ${grouped(hidden[0])} ${hidden[0] === 1 ? "unit" : "units"}` : `Hidden layers of ${hidden.map(grouped).join(", ")} units`;
  const none = total === 0n ? ` None: no layer has ${2 * K} units, which ${K} disjoint ${K === 1 ? "pair needs" : "pairs need"}.` : "";
  const parts = hidden.length > 1 ? ` (${perLayer.map((count, k) => `${short(count)} with the pairs in layer ${k}`).join(", ")})` : "";
  const words = checked ? ` Counted one by one: ${feasible(hidden).map((n) => {
    const { found, words: seen } = enumerated(n, K);
    return `${grouped(found)} of ${grouped(seen)} words for ${n} units, ${BigInt(found) === saddleCount(n, K) ? "equal to" : "not equal to"} the formula`;
  }).join("; ")}.` : "";
  return `${layer}: ${short(minima)} copies of a minimum, and ${short(total)} permutation points of order ${K}${parts}, ${share(factor)}${factor.bottom === 1n ? "" : `, about ${about(factor)},`} times as many.${none}${words}`;
}

export default define({
  slug: "saddle-count",
  title: "How many permutation points there are",
  traits: ["hidden", "K"],
  start,
  toTraits: ({ hidden, K }) => ({ hidden, K }),
  link: ({ running, ...rest }) => rest,
  build,
  describe,
});
