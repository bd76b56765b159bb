/** flat-valley: a unit split in two, the valley of equal loss, and the walk in it to every ordering of the units. */
import { activations } from "../core/activations.js";
import { fromRows } from "../core/matrix.js";
import { parametersFromLists } from "../core/mlp.js";
import { identityPermutation, moved, randomPermutation } from "../core/permutation.js";
import { source } from "../core/random.js";
import { requireInteger, requireNumber, requireOneOf, requirePermutation, requireSwitches } from "../core/settings.js";
import { requireProblem, scaleOf } from "../core/training-settings.js";
import { across, legAt, movesTo, PER_LEG, slotsAt, splitSlots, valley, walk } from "../core/valley.js";
import { unitColour } from "../ui/colour.js";
import { button, checkbox, choice, element, enable, freshId } from "../ui/dom.js";
import { number, verdict } from "../ui/format.js";
import { linePlot } from "../ui/plot.js";
import { residualLine } from "../ui/residual.js";
import { motionless } from "../ui/slide.js";
import { unitStrip } from "../ui/unit-strip.js";
import { valleyView } from "../ui/valley-view.js";
import { define } from "../ui/widget.js";

const LIMITS = { d: [1, 4], h: [1, 4], q: [1, 4], n: 64 };
const MISTAKES = { both: "λ and λ in place of λ and 1 − λ", together: "incoming and outgoing weights at once" };
const LAMBDAS = Array.from({ length: 31 }, (_, i) => -1 + i / 10);
const ENTRY = 1e6;
const FRAMES_PER_LEG = 24;

/** What was computed last: the valley, the walks to all orderings, the walk that is shown. */
let kept = { key: "", trees: {}, walks: {} };
function found(state) {
  const key = JSON.stringify([state.network, state.unit, state.X, state.Y, state.activation]);
  if (kept.key !== key) {
    const V = valley(parametersFromLists(state.network), state.unit, fromRows(state.X), fromRows(state.Y), state.activation);
    kept = { key, V, trees: {}, walks: { key: "" } };
  }
  const { V, trees } = kept;
  const mistakes = JSON.stringify(state.mistakes);
  trees[mistakes] ??= V.everywhere(state.mistakes);
  const wanted = JSON.stringify([state.perm, state.share, state.push, mistakes]);
  if (kept.walks.key !== wanted) {
    const legs = walk(state.perm, state.unit, state.share, state.push, state.mistakes);
    const along = V.along(legs);
    const line = V.line(LAMBDAS, state.push, state.mistakes);
    const parts = [along.worst, line, trees[mistakes].worst];
    const broken = parts.filter(({ residual, bound }) => !(residual <= bound));
    const worst = (broken.length ? broken : parts).reduce((a, b) => (b.residual > a.residual ? b : a));
    kept.walks = { key: wanted, legs, ...along, worst, low: Math.min(...parts.map((p) => p.low)), high: Math.max(...parts.map((p) => p.high)) };
  }
  return { V, tree: trees[mistakes], ...kept.walks };
}

function start({ linked, ...traits }) {
  const given = { ...traits, ...(linked ?? {}) };
  requireOneOf("activation", given.activation, Object.keys(activations));
  const problem = requireProblem(given, LIMITS);
  for (const name of ["X", "Y"]) requireSize(name, problem[name].flat());
  for (const [name, list] of Object.entries(problem.network)) requireSize(name, list.flat());
  const r = problem.network.b1.length;
  const state = {
    ...problem, activation: given.activation, unit: requireInteger("unit", given.unit, 0, r - 1),
    share: requireNumber("share", given.share, -1, 2), push: requireNumber("push", given.push, -1, 1),
    perm: requirePermutation("perm", given.perm, r + 1), mistakes: requireSwitches("mistakes", given.mistakes, Object.keys(MISTAKES)),
    at: 0, running: false, draws: requireInteger("draws", given.draws ?? 0, 0, 1e9),
  };
  if (state.push !== 0 && !across(state.network.W2[state.unit])) {
    throw new RangeError(`push is ${state.push}; 0 is required, since every vector is along the outgoing weights ${JSON.stringify(state.network.W2[state.unit])} of unit ${state.unit}`);
  }
  state.at = requireInteger("at", given.at ?? 0, 0, walk(state.perm, state.unit, 0, 0, state.mistakes).length * PER_LEG);
  return state;
}

function requireSize(name, numbers) {
  const large = numbers.find((x) => Math.abs(x) > ENTRY);
  if (large !== undefined) throw new RangeError(`${name} has ${large}; numbers from ${-ENTRY} to ${ENTRY} are required`);
}

/** What a leg does, in words. */
function legWords({ kind, unit, slot, from }, silent, state) {
  if (kind === "silence") return `unit ${silent}, the copy of unit ${unit}, falls silent`;
  if (kind === "incoming") return `the silent unit in slot ${slot} takes over the incoming weights of unit ${unit} in slot ${from}`;
  if (kind === "outgoing") return `unit ${unit} hands its outgoing weights over from slot ${from} to slot ${slot}${state.mistakes.together ? ", while the incoming weights there still change" : ""}`;
  return `units ${unit} and ${silent} share the outgoing weights again`;
}

/** Which unit each slot holds at a position, and whether the last one is silent. */
function holding({ kind, order, slot, from }, t) {
  const units = order.slice();
  if (kind === "outgoing" && t >= 0.5) [units[slot], units[from]] = [units[from], units[slot]];
  return { units, quiet: kind === "incoming" || kind === "outgoing" || (kind === "silence" ? t === 1 : t === 0) };
}

function build(body, api) {
  let drawn = null;
  let frame = 0;
  let live = 0;
  let scrubbing = false;
  const stop = () => {
    cancelAnimationFrame(frame);
    frame = 0;
  };
  const length = () => found(api.state()).legs.length * PER_LEG;
  const tick = () => {
    const state = api.state();
    const steps = length();
    live = Math.min(live + PER_LEG / FRAMES_PER_LEG, steps);
    if (live >= steps) {
      frame = 0;
      api.change({ at: steps, running: false }, { keep: false });
    } else {
      paint({ ...state, at: live });
      frame = requestAnimationFrame(tick);
    }
  };
  const play = () => {
    const steps = length();
    if (motionless()) return api.change({ at: steps });
    live = api.state().at < steps ? api.state().at : 0;
    return api.change({ at: live, running: true });
  };
  const run = button("run", "play", play);
  const pause = button("pause", "pause", () => api.change({ running: false, at: Math.floor(live) }, { keep: false }));
  const step = button("step", "next leg", () => {
    const { at } = api.state();
    api.change({ at: at < length() ? (Math.floor(at / PER_LEG) + 1) * PER_LEG : 0 });
  });
  const order = (perm) => api.change({ perm, at: 0, running: false });
  const range = (name, label, { min, max, step: size }, change) => {
    const id = freshId(name);
    const input = element("input", {
      id, type: "range", min, max, step: size, "data-option": name,
      oninput: () => {
        change(Number(input.value), !scrubbing);
        scrubbing = true;
      },
      onchange: () => (scrubbing = false),
    });
    const output = element("output", { for: id });
    return { row: element("div", { class: "permsym-row permsym-scrub" }, element("label", { for: id }, label), input, output), input, output };
  };
  const lambda = range("share", "λ", { min: -1, max: 2, step: 0.01 }, (value, keep) => api.change({ share: value, at: 0, running: false }, { keep }));
  const mu = range("push", "off the line, μ", { min: -1, max: 1, step: 0.05 }, (value, keep) => api.change({ push: value, at: 0, running: false }, { keep }));
  const at = range("at", "walk", { min: 0, max: 1, step: 1 }, (value, keep) => api.change({ at: Math.min(value, length()) }, { keep }));
  const unit = choice("unit", "unit that is split", [], (value) => api.change({ unit: Number(value), push: across(api.state().network.W2[Number(value)]) ? api.state().push : 0, at: 0, running: false }));
  const boxes = Object.entries(MISTAKES).map(([key, label]) => [
    key, checkbox(key, label, (on) => api.change({ mistakes: { ...api.state().mistakes, [key]: on }, at: 0, running: false })),
  ]);
  const residual = residualLine("largest |L − L", element("sub", {}, "0"), "| / L", element("sub", {}, "0"), " on the valley and on the walks to all orderings:");
  const readout = element("p", { class: "permsym-readout" });
  const everywhere = element("p", {});
  const slopes = element("tbody", {});
  const place = element("div", {});
  const slots = element("div", {});
  const plots = element("div", {});
  body.append(
    element("div", { class: "permsym-row", role: "toolbar", "aria-label": "Walk to the ordering" }, run, pause, step,
      button("random", "random ordering", () => {
        const { draws, perm } = api.state();
        api.change({ perm: randomPermutation(perm.length, source(1992, draws)), draws: draws + 1, at: 0, running: false });
      }),
      button("reverse", "reverse", () => order(api.state().perm.slice().reverse())),
      button("identity", "identity", () => order(identityPermutation(api.state().perm.length))),
      button("reset", "reset", api.reset)),
    lambda.row, mu.row,
    element("div", { class: "permsym-stage" }, slots, plots),
    at.row, readout, place,
    element("div", { class: "permsym-row" }, residual.row), everywhere,
    element("div", { class: "permsym-scroll", tabindex: 0, role: "region", "aria-label": "Loss and gradient on the line and off it" },
      element("table", { class: "permsym-checks" }, element("caption", {}, "The split before the walk"),
        element("thead", {}, element("tr", {}, ...["outgoing weights", "loss", "length of the gradient"].map((word) => element("th", { scope: "col" }, word)))), slopes)),
    element("div", { class: "permsym-row" }, unit.row),
    element("fieldset", { class: "permsym-row" }, element("legend", {}, "Break it"), ...boxes.map(([, box]) => box.row)),
  );
  const plot = linePlot(plots, { title: "Loss", x: "position on the walk", height: 190 });

  function draw(h, sizes) {
    place.replaceChildren();
    slots.replaceChildren(element("p", { class: "permsym-label" }, "What the slots hold"));
    return {
      shape: JSON.stringify(sizes), view: valleyView(slots, sizes),
      strip: unitStrip(place, h, { title: "The ordering to walk to", move: (who, slot) => order(moved(api.state().perm, api.state().perm.indexOf(who), slot)) }),
    };
  }

  /** What changes with the position: it may lie between the state's positions while the walk is played. */
  function paint(state) {
    const { V, legs, losses, straight } = found(state);
    const { index, leg, t } = legAt(legs, state.at);
    const here = slotsAt(legs, state.at);
    const theta = V.theta(here);
    const { units, quiet } = holding(leg, t);
    const words = `Leg ${index + 1} of ${legs.length}: ${legWords(leg, state.perm.length - 1, state)}.`;
    drawn.view.update(theta, { units, quiet, shares: here.map((slot) => slot.share), of: here.map((slot) => slot.of), limit: scaleOf(V.theta(splitSlots(legs[0].order, state.unit, 1, 0))), label: `Slots hold units ${units.join(", ")}. ${words}` });
    plot.update([
      { name: "along the walk", colour: unitColour(0), values: losses, width: 2.6 },
      { name: "straight to its end", colour: unitColour(1), dash: "6 4", values: straight },
    ], { at: state.at });
    at.input.max = String(losses.length - 1);
    at.input.value = String(Math.floor(state.at));
    at.output.textContent = `${Math.floor(state.at)} of ${losses.length - 1}`;
    readout.textContent = `${words} Loss ${number(V.lossOf(here).loss)}, length of the gradient ${number(V.slope(here))}.`;
  }

  return {
    update(state) {
      const { V, tree, worst, low, high } = found(state);
      const [r, n] = [state.network.b1.length, state.perm.length];
      if (drawn?.shape !== JSON.stringify(V.sizes)) drawn = draw(n, V.sizes);
      drawn.strip.update(state.perm);
      if (unit.input.options.length !== r) unit.input.replaceChildren(...identityPermutation(r).map((u) => element("option", { value: u }, `unit ${u}`)));
      unit.input.value = String(state.unit);
      paint(state);
      lambda.input.value = String(state.share);
      lambda.output.textContent = `unit ${state.unit} keeps ${number(state.share)} a, its copy, unit ${r}, has ${number(state.mistakes.both ? state.share : 1 - state.share)} a`;
      const plane = Boolean(across(state.network.W2[state.unit]));
      mu.row.hidden = !plane;
      mu.input.disabled = !plane;
      mu.input.value = String(state.push);
      mu.output.textContent = number(state.push);
      const scale = V.base.loss || 1;
      residual.show(worst.residual / scale, worst.bound / scale);
      everywhere.textContent = `All ${tree.orderings} orderings of the ${n} units are reached, each in at most ${tree.most} moves. All losses lie ${low === high ? `at ${number(low)}` : `from ${number(low)} to ${number(high)}, ${number(high - low)} apart`}; before the split the loss is ${number(V.base.loss)}.`;
      const rows = [["on the line", state.share, 0], ...(plane ? [["off the line", state.share, state.push || 1]] : [])];
      slopes.replaceChildren(...rows.map(([words, l, m]) => {
        const split = splitSlots(identityPermutation(n), state.unit, l, m, state.mistakes);
        return element("tr", {}, element("th", { scope: "row" }, `${words}: λ = ${number(l)}, μ = ${number(m)}`),
          element("td", {}, number(V.lossOf(split).loss)), element("td", {}, number(V.slope(split))));
      }));
      for (const [key, box] of boxes) box.input.checked = state.mistakes[key];
      enable([[run, !state.running], [pause, state.running], [step, !state.running], [at.input, !state.running]]);
      if (state.running && !frame) frame = requestAnimationFrame(tick);
      if (!state.running && frame) stop();
    },
    destroy: stop,
  };
}

function describe(state) {
  if (state.running) return "The walk is played.";
  const { V, legs, straight, worst, tree } = found(state);
  const n = state.perm.length;
  const { index, leg } = legAt(legs, state.at);
  const moves = movesTo(state.perm).length;
  const order = state.perm.join(", ");
  const scale = V.base.loss || 1;
  const broken = Object.keys(MISTAKES).filter((key) => state.mistakes[key]).map((key) => MISTAKES[key]);
  const slope = V.slope(slotsAt(legs, state.at));
  return `Unit ${state.unit} is split and keeps the share λ = ${number(state.share)}${state.push ? `, off the line by μ = ${number(state.push)}` : ""}; its copy is unit ${n - 1}.` +
    ` ${moves ? `The walk to the ordering ${order} has ${moves} ${moves === 1 ? "move" : "moves"}` : `The ordering ${order} needs no move: the walk silences the copy and restores it`}; at ${state.at} of ${legs.length * PER_LEG}, leg ${index + 1} of ${legs.length}: ${legWords(leg, n - 1, state)}.` +
    ` Loss ${number(V.lossOf(slotsAt(legs, state.at)).loss)}, length of the gradient ${number(slope)}. On the straight line to its end it lies between ${number(straight.reduce((a, b) => Math.min(a, b)))} and ${number(straight.reduce((a, b) => Math.max(a, b)))}.` +
    ` Relative change of the loss on the valley and on the walks to all ${tree.orderings} orderings: ${verdict(worst.residual / scale, worst.bound / scale)}.` +
    `${broken.length ? ` Broken on purpose: ${broken.join("; ")}.` : ""}`;
}

export default define({
  slug: "flat-valley",
  title: "The flat valley of a split unit, and the walk to every ordering",
  traits: ["network", "X", "Y", "activation", "unit", "share", "push", "perm", "mistakes"],
  start,
  toTraits: ({ unit, share, push, perm, mistakes }) => ({ unit, share, push, perm, mistakes }),
  link: ({ network, X, Y, activation: name, running, ...rest }) => rest,
  build,
  describe,
});
