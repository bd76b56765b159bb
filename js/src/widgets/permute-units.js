/** permute-units: pick up a hidden unit, and everything that belongs to it moves with it. */
import { cyclesAsText, identityPermutation, moved, nextPermutation, randomPermutation } from "../core/permutation.js";
import { compare } from "../core/relabelling.js";
import { parametersFromLists, parametersToLists } from "../core/mlp.js";
import { fromRows, toRows } from "../core/matrix.js";
import {
  following, randomData, randomParameters, requireInputs, requireInteger, requireNetwork, requireOneOf, requirePermutation, requireSwitches, SEEDS,
} from "../core/settings.js";
import { activations } from "../core/activations.js";
import { source } from "../core/random.js";
import { cyclesField } from "../ui/cycles-field.js";
import { button, checkbox, choice, element, numberField } from "../ui/dom.js";
import { verdict } from "../ui/format.js";
import { residualLine } from "../ui/residual.js";
import { define } from "../ui/widget.js";
import { permutationGrid } from "../ui/permutation-grid.js";
import { ribbonView, slotWidth } from "../ui/ribbon-view.js";
import { networkGraph } from "../ui/network-graph.js";

export const LIMITS = { d: [1, 6], h: [1, 10], q: [1, 4], n: [1, 8] };
const IMAGES = { ...LIMITS, d: [784, 784], q: [1, 10] };
const MISTAKES = {
  b1: "do not permute b1",
  W2: "do not permute W2",
  transpose: "P in place of its transpose on W2",
  cumulative: "a σ that is not element-wise (running sum)",
};

/** The state from traits, or from a link; every part is checked. */
function start({ network, X, perm, mistakes, activation: name, linked }) {
  const given = { seed: 1, network, X, perm, mistakes, activation: name, ...linked };
  const p = requireNetwork(given.network, given.network?.W1?.length === 784 ? IMAGES : LIMITS);
  const order = requirePermutation("perm", given.perm, p.W1.cols);
  return {
    network: parametersToLists(p), X: toRows(requireInputs(given.X, p.W1.rows, LIMITS.n[1])), perm: order,
    mistakes: requireSwitches("mistakes", given.mistakes, Object.keys(MISTAKES)),
    activation: requireOneOf("activation", given.activation, Object.keys(activations)),
    seed: requireInteger("seed", given.seed, 0, SEEDS),
    focus: requireInteger("focus", given.focus === undefined ? order[0] : given.focus, 0, order.length - 1),
  };
}

/** @type {WeakMap<object, ReturnType<typeof compare>>} */
const compared = new WeakMap();

/** Both networks of a state and what lies between them, computed once. */
function find(state) {
  if (!compared.has(state)) {
    compared.set(state, compare(parametersFromLists(state.network), fromRows(state.X), state.activation, state.perm, state.mistakes));
  }
  return compared.get(state);
}

function build(body, api) {
  let drawn = null; // the parts that depend on the network's sizes
  const stage = element("div", { class: "permsym-stage" });
  const residual = residualLine("max |O", element("sub", {}, "π"), " − O| =");
  const cycles = cyclesField("cycles", "cycles", { size: () => api.state().perm.length, change: (perm) => api.change({ perm }), reject: api.reject });

  const redraw = (patch) => {
    const s = api.state();
    const sizes = { d: s.X[0].length, h: s.perm.length, q: s.network.b2.length, n: s.X.length, seed: s.seed, ...patch };
    api.change({
      network: parametersToLists(randomParameters(sizes.seed, sizes.d, sizes.h, sizes.q)),
      X: toRows(randomData(sizes.seed, sizes.n, sizes.d)),
      perm: identityPermutation(sizes.h), seed: sizes.seed, focus: 0,
    });
  };
  const sizeFields = Object.fromEntries(
    [["d", "inputs d"], ["h", "hidden units h"], ["q", "outputs q"], ["n", "samples n"]].map(([key, label]) => [
      key, numberField(key, label, { min: key === "h" ? 2 : 1, max: LIMITS[key][1] }, (value) => redraw({ [key]: value }), api.reject),
    ]));
  const sigma = choice("activation", "σ", Object.keys(activations).map((a) => [a, a]), (value) => api.change({ activation: value }));
  const boxes = Object.entries(MISTAKES).map(([key, label]) => [
    key, checkbox(key, label, (on) => api.change({ mistakes: { ...api.state().mistakes, [key]: on } })),
  ]);
  const order = (perm) => () => api.change({ perm: perm(api.state().perm) });
  let draws = 0;
  const sizeRow = element("div", { class: "permsym-row" }, ...Object.values(sizeFields).map((f) => f.row), sigma.row,
    button("redraw", "other weights", () => redraw({ seed: following(api.state().seed) })));

  body.append(
    element("div", { class: "permsym-row", role: "toolbar", "aria-label": "Relabel the units" },
      button("random", "random", () => api.change({ perm: randomPermutation(api.state().perm.length, source(api.state().seed, 100 + draws++)) })),
      button("reverse", "reverse", order((p) => p.slice().reverse())),
      button("identity", "identity", order((p) => identityPermutation(p.length))),
      button("step", "next of S_h", order(nextPermutation)),
      button("reset", "reset", api.reset)),
    stage,
    element("div", { class: "permsym-row" }, cycles.row, residual.row),
    element("fieldset", { class: "permsym-row" }, element("legend", {}, "Break it"), ...boxes.map(([, box]) => box.row)),
    sizeRow,
  );

  const fitting = ({ perm, X }) => slotWidth(perm.length, X[0].length === 784, stage.clientWidth);
  const move = (unit, slot) => {
    const perm = api.state().perm;
    api.change({ perm: moved(perm, perm.indexOf(unit), slot), focus: unit });
  };

  function draw(state) {
    drawn?.ribbons.destroy();
    stage.replaceChildren();
    const p = parametersFromLists(state.network);
    const X = fromRows(state.X);
    drawn = {
      graph: networkGraph(stage, p),
      ribbons: ribbonView(stage, p, X, { move, focus: (unit) => api.change({ focus: unit }, { keep: false }) }, fitting(state)),
      grid: permutationGrid(stage, state.perm.length, (perm) => api.change({ perm })),
    };
    sizeRow.hidden = p.W1.rows === 784;
    for (const [key, value] of [["d", X.cols], ["h", p.W1.cols], ["q", p.W2.cols], ["n", X.rows]]) sizeFields[key].show(value);
  }

  function paint(state) {
    const found = find(state);
    drawn.graph.update(state, found);
    drawn.ribbons.update(state, found);
    drawn.grid.update(state.perm);
  }

  /** A screen that is turned, or a widget that was made before it had its place: draw anew, with the focus where it was. */
  const watch = new ResizeObserver(() => {
    const state = api.state();
    if (!drawn || drawn.ribbons.busy() || drawn.ribbons.width === fitting(state)) return;
    const { unit, p: entry } = stage.contains(document.activeElement) ? document.activeElement.dataset : {};
    draw(state);
    paint(state);
    if (unit ?? entry) stage.querySelector(unit ? `[data-unit="${unit}"]` : `[data-p="${entry}"]`)?.focus({ preventScroll: true });
  });
  watch.observe(stage);

  return {
    update(state, before) {
      const found = find(state);
      if (!drawn || before?.network !== state.network || before?.X !== state.X) draw(state);
      paint(state);
      residual.show(found.residual, found.bound);
      cycles.show(state.perm);
      sigma.input.value = state.activation;
      for (const [key, box] of boxes) box.input.checked = state.mistakes[key];
    },
    destroy: () => {
      watch.disconnect();
      drawn?.ribbons.destroy();
    },
  };
}

function describe(state) {
  const found = find(state);
  const where = `Slots hold units ${state.perm.join(", ")}: ${cyclesAsText(state.perm)}.`;
  const broken = Object.keys(MISTAKES).filter((key) => state.mistakes[key]).map((key) => MISTAKES[key]);
  return `${where} Outputs differ by ${verdict(found.residual, found.bound)}.${broken.length ? ` Broken on purpose: ${broken.join("; ")}.` : ""}`;
}

export default define({
  slug: "permute-units",
  title: "Permute the hidden units",
  traits: ["network", "X", "perm", "mistakes", "activation"],
  start,
  toTraits: ({ network, X, perm, mistakes, activation: name }) => ({ network, X, perm, mistakes, activation: name }),
  link: ({ network, X, perm, mistakes, activation: name, seed, focus }) =>
    X[0].length === 784 ? { perm, mistakes, activation: name, focus } : { network, X, perm, mistakes, activation: name, seed, focus },
  build,
  describe,
});
