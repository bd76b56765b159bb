/** permute-units: pick up a hidden unit, and everything that belongs to it moves with it. */
import { isPermutation, identityPermutation, cyclesAsText, moved, nextPermutation, parseCycles, randomPermutation } from "../core/permutation.js";
import { compare, NO_MISTAKES } from "../core/relabelling.js";
import { parametersFromLists, parametersToLists } from "../core/mlp.js";
import { fromRows, toRows } from "../core/matrix.js";
import { randomData, randomParameters, requireInteger, requireOneOf } from "../core/settings.js";
import { activation, activations } from "../core/activations.js";
import { source } from "../core/random.js";
import { button, checkbox, choice, element, freshId, numberField } from "../ui/dom.js";
import { verdict } from "../ui/format.js";
import { define } from "../ui/widget.js";
import { permutationGrid } from "../ui/permutation-grid.js";
import { ribbonView } from "../ui/ribbon-view.js";
import { networkGraph } from "../ui/network-graph.js";

export const LIMITS = { d: 6, h: 10, q: 4, n: 8 };
const MISTAKES = {
  b1: "do not permute b1",
  W2: "do not permute W2",
  transpose: "P in place of its transpose on W2",
  cumulative: "a σ that is not element-wise (running sum)",
};

/** The state from traits, or from a link; every part is checked. */
function start({ network, X, perm, mistakes, activation: name, linked }) {
  const given = { ...{ network, X, perm, mistakes, activation: name }, ...(linked ?? {}) };
  requireOneOf("activation", given.activation, Object.keys(activations));
  activation(given.activation);
  const p = parametersFromLists(given.network);
  const images = p.W1.rows === 784;
  requireInteger("the number of hidden units", p.W1.cols, 1, LIMITS.h);
  requireInteger("the number of outputs", p.W2.cols, 1, images ? 10 : LIMITS.q);
  if (!images) requireInteger("the number of inputs", p.W1.rows, 1, LIMITS.d);
  const inputs = fromRows(given.X);
  requireInteger("the number of samples", inputs.rows, 1, LIMITS.n);
  if (inputs.cols !== p.W1.rows) throw new RangeError(`X has ${inputs.cols} columns; ${p.W1.rows}, one per input, are required`);
  const order = given.perm?.length ? given.perm : identityPermutation(p.W1.cols);
  if (!isPermutation(order) || order.length !== p.W1.cols) {
    throw new RangeError(`perm is ${JSON.stringify(order)}; every number from 0 to ${p.W1.cols - 1} once is required`);
  }
  const flags = { ...NO_MISTAKES, ...given.mistakes };
  return {
    network: parametersToLists(p), X: toRows(inputs), perm: order, mistakes: flags, activation: given.activation,
    seed: requireInteger("seed", given.seed ?? 1, 0, 1e9), focus: given.focus ?? order[0],
  };
}

function build(body, api) {
  let drawn = null; // the parts that depend on the network's sizes
  const stage = element("div", { class: "permsym-stage" });
  const residual = element("output", { class: "permsym-residual", "data-residual": "" });
  const cyclesId = freshId("cycles");
  const cyclesField = element("input", {
    id: cyclesId, type: "text", "data-option": "cycles", autocomplete: "off", spellcheck: "false",
    onchange: () => {
      try {
        api.change({ perm: parseCycles(cyclesField.value, api.state().perm.length) });
      } catch (error) {
        api.reject(error.message);
      }
    },
  });

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
      key, numberField(key, label, { min: key === "h" ? 2 : 1, max: LIMITS[key] }, (value) => redraw({ [key]: value }), api.reject),
    ]));
  const sigma = choice("activation", "σ", Object.keys(activations).map((a) => [a, a]), (value) => api.change({ activation: value }));
  const boxes = Object.entries(MISTAKES).map(([key, label]) => [
    key, checkbox(key, label, (on) => api.change({ mistakes: { ...api.state().mistakes, [key]: on } })),
  ]);
  const order = (perm) => () => api.change({ perm: perm(api.state().perm) });
  let draws = 0;
  const sizeRow = element("div", { class: "permsym-row" }, ...Object.values(sizeFields).map((f) => f.row), sigma.row,
    button("redraw", "other weights", () => redraw({ seed: api.state().seed + 1 })));

  body.append(
    element("div", { class: "permsym-row", role: "toolbar", "aria-label": "Relabel the units" },
      button("random", "random", () => api.change({ perm: randomPermutation(api.state().perm.length, source(api.state().seed, 100 + draws++)) })),
      button("reverse", "reverse", order((p) => p.slice().reverse())),
      button("identity", "identity", order((p) => identityPermutation(p.length))),
      button("step", "next of S_h", order(nextPermutation)),
      button("reset", "reset", api.reset)),
    stage,
    element("div", { class: "permsym-row" }, element("label", { for: cyclesId }, "cycles"), cyclesField,
      element("span", { class: "permsym-residual-line" }, "max |O", element("sub", {}, "π"), " − O| = ", residual)),
    element("fieldset", { class: "permsym-row" }, element("legend", {}, "Break it"), ...boxes.map(([, box]) => box.row)),
    sizeRow,
  );

  return {
    update(state, before) {
      const p = parametersFromLists(state.network);
      const X = fromRows(state.X);
      const found = compare(p, X, state.activation, state.perm, state.mistakes);
      if (!drawn || before?.network !== state.network || before?.X !== state.X) {
        drawn?.ribbons.destroy();
        stage.replaceChildren();
        const move = (unit, slot) => {
          const perm = api.state().perm;
          api.change({ perm: moved(perm, perm.indexOf(unit), slot), focus: unit });
        };
        drawn = {
          graph: networkGraph(stage, p),
          ribbons: ribbonView(stage, p, X, { move, focus: (unit) => api.change({ focus: unit }, { keep: false }) }),
          grid: permutationGrid(stage, state.perm.length, (perm) => api.change({ perm })),
        };
        sizeRow.hidden = p.W1.rows === 784;
      }
      drawn.graph.update(state, found);
      drawn.ribbons.update(state, found);
      drawn.grid.update(state.perm);
      residual.dataset.residual = String(found.residual);
      residual.textContent = verdict(found.residual, found.bound);
      residual.classList.toggle("permsym-broken", found.residual > found.bound);
      if (document.activeElement !== cyclesField) cyclesField.value = cyclesAsText(state.perm);
      sizeFields.d.show(X.cols);
      sizeFields.h.show(state.perm.length);
      sizeFields.q.show(p.b2.cols);
      sizeFields.n.show(X.rows);
      sigma.input.value = state.activation;
      for (const [key, box] of boxes) box.input.checked = state.mistakes[key];
    },
    destroy: () => drawn?.ribbons.destroy(),
  };
}

function describe(state) {
  const found = compare(parametersFromLists(state.network), fromRows(state.X), state.activation, state.perm, state.mistakes);
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
