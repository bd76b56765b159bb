/** gradient-relabel: the gradients at theta and at theta_pi, each entry beside its partner, and the sums they come from. */
import { activations } from "../core/activations.js";
import { compareGradients, factors, partnerHere, partnerThere } from "../core/gradient-relabel.js";
import { fromRows, largest, largestDifference, toRows } from "../core/matrix.js";
import { parametersFromLists, parametersToLists, PARTS } from "../core/mlp.js";
import { cyclesAsText, identityPermutation, moved } from "../core/permutation.js";
import { NO_MISTAKES } from "../core/relabelling.js";
import {
  following, randomData, randomParameters, requireInputs, requireInteger, requireNetwork, requireOneOf, requirePermutation, requireSwitches, requireTargets, SEEDS, told,
} from "../core/settings.js";
import { unitColour, unitInk } from "../ui/colour.js";
import { cyclesField } from "../ui/cycles-field.js";
import { button, checkbox, choice, element, numberField } from "../ui/dom.js";
import { number, verdict } from "../ui/format.js";
import { matrixView } from "../ui/matrix-view.js";
import { relabelButtons } from "../ui/relabel-buttons.js";
import { residualLine } from "../ui/residual.js";
import { unitStrip } from "../ui/unit-strip.js";
import { define } from "../ui/widget.js";

export const LIMITS = { d: [1, 4], h: [1, 6], q: [1, 3], n: [1, 6] };
const MISTAKES = { b1: "do not permute b1", W2: "do not permute W2", transpose: "P in place of its transpose on W2" };

function start({ network, X, Y, perm, mistakes, activation: name, linked }) {
  const given = { network, X, Y, perm, mistakes, activation: name, pinned: null, seed: 1, draws: 0, ...linked };
  requireOneOf("activation", given.activation, Object.keys(activations));
  const p = requireNetwork(given.network, LIMITS);
  const inputs = requireInputs(given.X, p.W1.rows, LIMITS.n[1]);
  const targets = requireTargets(given.Y, inputs.rows, p.W2.cols);
  const { pinned } = given;
  const shape = pinned && PARTS.includes(pinned.part) ? p[pinned.part] : null;
  const within = (k, below) => Number.isInteger(k) && k >= 0 && k < below;
  if (pinned !== null && !(shape && within(pinned.i, shape.rows) && within(pinned.j, shape.cols))) {
    throw new RangeError(`pinned is ${told(pinned)}; null or part, i and j of an entry is required`);
  }
  return {
    network: parametersToLists(p), X: toRows(inputs), Y: toRows(targets), perm: requirePermutation("perm", given.perm, p.W1.cols),
    mistakes: requireSwitches("mistakes", given.mistakes, Object.keys(MISTAKES)), activation: given.activation, pinned,
    seed: requireInteger("seed", given.seed, 0, SEEDS), draws: requireInteger("draws", given.draws, 0, SEEDS),
  };
}

const find = (s) => compareGradients(parametersFromLists(s.network), fromRows(s.X), fromRows(s.Y), s.activation, s.perm, { ...NO_MISTAKES, ...s.mistakes });

const derivative = (part, twin) => {
  const letter = element("span", {}, "∂L/∂", part[0], element("sup", {}, `(${part[1]})`));
  if (twin) letter.append(element("sub", {}, "π"));
  return letter;
};
const chip = (unit) => element("span", { class: "permsym-tied", style: `background: ${unitColour(unit)}; color: ${unitInk(unit)}` }, String(unit));
const factor = (x) => (x < 0 ? `(${number(x)})` : number(x));

function build(body, api) {
  let drawn = null;
  let hovered = null; // an entry of the gradient at theta
  let found = null;
  const change = (perm) => api.change({ perm: perm(api.state().perm) });
  const redraw = (patch) => {
    const s = api.state();
    const { d, h, q, n, seed } = { d: s.X[0].length, h: s.perm.length, q: s.Y[0].length, n: s.X.length, seed: s.seed, ...patch };
    const cycle = h < 3 ? identityPermutation(h).reverse() : [2, 0, 1, ...identityPermutation(h).slice(3)];
    api.change({
      network: parametersToLists(randomParameters(seed, d, h, q)), X: toRows(randomData(seed, n, d)), Y: toRows(randomData(seed, n, q, 6)),
      perm: h === s.perm.length ? s.perm : cycle, seed, pinned: null,
    });
  };
  const cycles = cyclesField("cycles", "relabelling as cycles", { size: () => api.state().perm.length, change: (perm) => api.change({ perm }), reject: api.reject });
  const fields = Object.fromEntries([["d", "inputs d"], ["h", "hidden units h"], ["q", "outputs q"], ["n", "samples n"]].map(([key, label]) => [
    key, numberField(key, label, { min: key === "h" ? 2 : 1, max: LIMITS[key][1] }, (value) => redraw({ [key]: value }), api.reject)]));
  const sigma = choice("activation", "σ", Object.keys(activations).map((a) => [a, a]), (value) => api.change({ activation: value }));
  const boxes = Object.entries(MISTAKES).map(([key, label]) => [
    key, checkbox(key, label, (on) => api.change({ mistakes: { ...api.state().mistakes, [key]: on } }))]);
  const residual = residualLine("max |∇L(θ", element("sub", {}, "π"), ") − (∇L(θ))", element("sub", {}, "π"), "| =");
  const plain = element("span", {});
  const place = element("div", {});
  const panels = element("div", { class: "permsym-panels" });
  const equations = element("div", { class: "permsym-equations", "aria-live": "polite" });

  body.append(
    element("div", { class: "permsym-row", role: "toolbar", "aria-label": "Relabel the units" },
      ...relabelButtons(api)),
    place, element("div", { class: "permsym-panels" }, panels, equations),
    element("div", { class: "permsym-row" }, residual.row, plain),
    element("fieldset", { class: "permsym-row" }, element("legend", {}, "Break it"), ...boxes.map(([, box]) => box.row)),
    element("div", { class: "permsym-row" }, cycles.row, sigma.row, ...Object.values(fields).map((f) => f.row),
      button("redraw", "other weights", () => redraw({ seed: following(api.state().seed) }))),
  );

  function draw(p) {
    place.replaceChildren();
    panels.replaceChildren();
    const side = (twin) => {
      const head = element("p", { class: "permsym-label" });
      const panel = element("div", {}, head);
      panels.append(panel);
      const here = (part, [i, j]) => (twin ? partnerHere({ part, i, j }, api.state().perm) : { part, i, j });
      const views = Object.fromEntries(PARTS.map((part) => [part, matrixView(panel, {
        title: `gradient of ${part}`, rows: p[part].rows, cols: p[part].cols,
        point: (cell) => hover(cell && here(part, cell)), pick: (cell) => pin(here(part, cell)),
      })]));
      return { head, views };
    };
    return {
      shape: JSON.stringify(PARTS.map((part) => [p[part].rows, p[part].cols])),
      strip: unitStrip(place, p.W1.cols, { title: "What each slot of the relabelled network holds", move: (unit, slot) => change((q) => moved(q, q.indexOf(unit), slot)) }),
      here: side(false), there: side(true),
    };
  }

  const pin = (entry) => api.change({ pinned: JSON.stringify(api.state().pinned) === JSON.stringify(entry) ? null : entry });
  function hover(entry) {
    hovered = entry;
    light();
  }

  /** Light an entry and its partner, and write their sums. */
  function light() {
    const { perm, pinned } = api.state();
    const entry = hovered ?? pinned;
    const partner = entry && partnerThere(entry, perm);
    const is = (wanted, part, i, j) => (wanted && wanted.part === part && wanted.i === i && wanted.j === j ? "lit" : "");
    for (const part of PARTS) {
      drawn.here.views[part].light((i, j) => is(entry, part, i, j));
      drawn.there.views[part].light((i, j) => `${is(partner, part, i, j)} ${found.differs({ part, i, j }) ? "differs" : ""}`);
    }
    const unit = !entry || entry.part === "b2" ? perm[0] : entry.part === "W2" ? entry.i : entry.j;
    const shown = (part) => {
      if (entry?.part === part) return entry;
      return part === "W2" ? { part, i: unit, j: 0 } : { part, i: 0, j: unit };
    };
    const lines = [equation("(9)", shown("W2")), equation("(10)", shown("W1"))];
    if (entry && entry.part.startsWith("b")) lines.push(equation(entry.part === "b1" ? "as (10), with 1 for X" : "of no unit", entry));
    equations.replaceChildren(...lines);
  }

  /** The entry at theta_pi as a sum over the samples, and its partner at theta. */
  function equation(name, entry) {
    const { X, perm } = api.state();
    const partner = partnerThere(entry, perm);
    const side = (run, at, twin) => {
      const value = run.gradients[at.part].data[at.i * run.gradients[at.part].cols + at.j];
      const sum = factors(run, fromRows(X), at).map(([a, b]) => (at.part.startsWith("b") ? factor(b) : `${factor(a)}·${factor(b)}`)).join(" + ");
      const slot = at.part === "W2" ? at.i : at.j;
      const owner = at.part === "b2" ? [] : [twin ? ` slot ${slot}, unit ` : " unit ", chip(twin ? perm[slot] : slot)];
      const other = { W1: `, input ${at.i}`, W2: `, output ${at.j}`, b1: "", b2: ` output ${at.j}` }[at.part];
      return element("span", {}, derivative(at.part, twin), ...owner, `${other}: ${sum} = `, element("strong", {}, number(value)));
    };
    const same = !found.differs(partner);
    return element("div", { class: "permsym-equation" },
      element("p", { class: "permsym-label" }, name),
      element("p", {}, side(found.there, partner, true)),
      element("p", {}, side(found.here, entry, false), element("span", { class: same ? "permsym-residual" : "permsym-residual permsym-broken" }, same ? " ✓ the same" : " ✗ not the same")));
  }

  return {
    update(state) {
      const p = parametersFromLists(state.network);
      if (drawn?.shape !== JSON.stringify(PARTS.map((part) => [p[part].rows, p[part].cols]))) {
        hovered = null;
        drawn = draw(p);
      }
      found = find(state);
      const { here, there } = found;
      const identity = identityPermutation(state.perm.length);
      for (const [side, run, units] of [[drawn.here, here, identity], [drawn.there, there, state.perm]]) {
        for (const part of PARTS) {
          const limit = Math.max(largest(here.gradients[part]), largest(there.gradients[part]));
          side.views[part].update(run.gradients[part], { limit, units: part === "b2" ? undefined : units, unitAxis: part === "W2" ? "rows" : "cols" });
        }
      }
      drawn.here.head.replaceChildren(`at θ: L = ${number(here.loss)}`);
      drawn.there.head.replaceChildren("at θ", element("sub", {}, "π"), `: L = ${number(there.loss)}`);
      light();
      residual.show(found.residual, found.bound);
      const unmoved = Math.max(...PARTS.map((part) => largestDifference(here.gradients[part], there.gradients[part])));
      plain.textContent = `Without relabelling, the two gradients differ by ${number(unmoved)}.`;
      drawn.strip.update(state.perm);
      cycles.show(state.perm);
      fields.d.show(p.W1.rows);
      fields.h.show(p.W1.cols);
      fields.q.show(p.W2.cols);
      fields.n.show(state.X.length);
      sigma.input.value = state.activation;
      for (const [key, box] of boxes) box.input.checked = state.mistakes[key];
    },
  };
}

function describe(state) {
  const found = find(state);
  const broken = Object.keys(MISTAKES).filter((key) => state.mistakes[key]).map((key) => MISTAKES[key]);
  const { pinned, perm } = state;
  const at = pinned && partnerThere(pinned, perm);
  return `Slots hold units ${perm.join(", ")}: ${cyclesAsText(perm)}.` +
    ` Gradient of the relabelled network against the relabelled gradient: ${verdict(found.residual, found.bound)}.` +
    (pinned ? ` Kept lit: ${pinned.part}, row ${pinned.i}, column ${pinned.j} at θ, and row ${at.i}, column ${at.j} after the relabelling.` : "") +
    (broken.length ? ` Broken on purpose: ${broken.join("; ")}.` : "");
}

export default define({
  slug: "gradient-relabel",
  title: "The gradient is relabelled with the network",
  traits: ["network", "X", "Y", "perm", "mistakes", "activation"],
  start,
  toTraits: ({ network, X, Y, perm, mistakes, activation: name }) => ({ network, X, Y, perm, mistakes, activation: name }),
  build,
  describe,
});
