/** symmetry-lab: some hidden units start identical; which optimizers and noises keep them so? */
import { activations } from "../core/activations.js";
import { fromRows } from "../core/matrix.js";
import { parametersFromLists } from "../core/mlp.js";
import { NOISE_NAMES, NOISES } from "../core/noise.js";
import { OPTIMIZERS } from "../core/optimizers.js";
import { namesOfUnit, pack, placesOfUnit, sizesOf } from "../core/packed.js";
import { identityPermutation } from "../core/permutation.js";
import { requireInteger, requireList, requireNumber, requireOneOf, SEEDS, told } from "../core/settings.js";
import { initial, INITS, requireProblem, requireProgress, scaleOf, STEP_SIZES } from "../core/training-settings.js";
import { Trajectories, Trajectory, unitSpread } from "../core/trajectory.js";
import { unitColour } from "../ui/colour.js";
import { checkbox, choice, element, numberField } from "../ui/dom.js";
import { number } from "../ui/format.js";
import { linePlot } from "../ui/plot.js";
import { stripView } from "../ui/strip-view.js";
import { MAX_PER_CLICK, MAX_STEPS, trainingControls } from "../ui/training-controls.js";
import { define } from "../ui/widget.js";

const LIMITS = { d: [1, 8], h: [2, 10], q: [1, 4], n: 64 };
const DASHES = [undefined, "7 5", "2 3", "9 3 2 3", "4 2", "1 3", "12 4", "6 2 2 2", "3 6", "10 6"];
const STATEMENTS = {
  plain: ["identical_units.html#prop-identical-units-stay-identical", "Identical units stay identical"],
  shared: ["what_can_break_it.html#prop-noise-does-not-break", "Batch noise and augmentation do not break it"],
  dropout: ["what_can_break_it.html#prop-dropout-breaks", "Dropout breaks it along a path, not in law"],
  other: ["what_can_break_it.html", "What can break it"],
};

/** All that a run depends on. */
const SETTINGS = ["network", "X", "Y", "group", "init", "optimizer", "step_size", "noises", "activation", "seed"];

/** The parameters that the training starts from: drawn or given, the group's units copies of its first. */
function startOf({ network, init, seed, group }) {
  const given = parametersFromLists(network);
  const sizes = sizesOf(given);
  const theta = pack(init === "given" ? given : initial(init, seed, sizes));
  const units = group.map((unit) => placesOfUnit(sizes, unit));
  for (const unit of units) unit.forEach((place, i) => (theta[place] = theta[units[0][i]]));
  return { theta, sizes, units };
}

const runs = new Trajectories((key) => {
  const given = Object.fromEntries(JSON.parse(key).map((value, i) => [SETTINGS[i], value]));
  const { theta, sizes, units } = startOf(given);
  return new Trajectory({
    starts: [theta], sizes, X: fromRows(given.X), Y: fromRows(given.Y), activation: given.activation, optimizer: given.optimizer, options: { stepSize: given.step_size },
    noises: given.noises.map((name) => ({ name, amounts: name === "nudge" ? { unit: given.group[0] } : {} })), seed: given.seed, measure: unitSpread(units),
  });
});
const runOf = (state, steps = state.steps) => runs.get(JSON.stringify(SETTINGS.map((name) => state[name])), steps);

function start({ linked, ...traits }) {
  const given = { ...traits, ...linked };
  const problem = requireProblem(given, LIMITS);
  const [h, d, q] = [problem.network.b1.length, problem.X[0].length, problem.network.b2.length];
  requireList("group", given.group, "a list of units");
  if (given.group.length < 2 || new Set(given.group).size < given.group.length) {
    throw new RangeError(`group is ${told(given.group)}; at least two different units are required`);
  }
  const group = given.group.map((unit) => requireInteger("a unit of the group", unit, 0, h - 1)).sort((a, b) => a - b);
  requireList("noises", given.noises, "a list of names").forEach((name) => requireOneOf("noise", name, NOISE_NAMES));
  const state = {
    ...problem, group, init: requireOneOf("init", given.init, Object.keys(INITS)),
    optimizer: requireOneOf("optimizer", given.optimizer, OPTIMIZERS),
    step_size: requireNumber("step_size", given.step_size, 1e-6, 10),
    noises: NOISE_NAMES.filter((name) => given.noises.includes(name)),
    activation: requireOneOf("activation", given.activation, Object.keys(activations)),
    seed: requireInteger("seed", given.seed, 0, SEEDS),
    coordinate: requireInteger("the number shown", given.coordinate === undefined ? d + 1 : given.coordinate, 0, d + q),
    ...requireProgress(given, MAX_STEPS, MAX_PER_CLICK),
  };
  const reached = runOf(state).steps;
  return reached < state.steps ? { ...state, steps: reached, at: Math.min(state.at, reached) } : state;
}

const breaking = (state) => state.noises.filter((name) => NOISES[name].breaks);

function statement(state) {
  const names = breaking(state);
  if (names.includes("dropout")) return STATEMENTS.dropout;
  if (names.length) return STATEMENTS.other;
  return state.noises.length ? STATEMENTS.shared : STATEMENTS.plain;
}

const listed = (units) => units.join(", ").replace(/, (\d+)$/, " and $1");

/** Why the gap is what it is. */
function reasonOf(state) {
  const run = runOf(state);
  const why = (names) => names.map((name) => NOISES[name].words).join("; ");
  const breaks = breaking(state);
  if (state.at === 0) return "so they start";
  const grown = breaks.length === 1 && breaks[0] === "nudge" && run.gaps[state.at] > 1e-12;
  if (run.gaps[state.at] > 0) return `${why(breaks)}${grown ? ", and training made of it what you see" : ""}`;
  if (breaks.length) return `although ${why(breaks)}, nothing that they compute differs yet`;
  return `${state.noises.length ? why(state.noises) : "every unit sees the same data"}, and ${state.optimizer} treats every weight alike`;
}

function build(body, api) {
  let drawn = null;
  const anew = (patch) => api.change({ ...patch, steps: 0, at: 0, running: false });
  const residual = element("output", { class: "permsym-residual", "data-residual": "" });
  const words = element("span", {});
  const link = element("a", {});
  const controls = trainingControls(api, { label: "Train the network", reach: (state, steps) => runOf(state, steps), draw: (state) => paint(state) });
  const fields = {
    init: choice("init", "start", Object.entries(INITS), (value) => anew({ init: value })),
    optimizer: choice("optimizer", "optimizer", OPTIMIZERS.map((name) => [name, name]), (value) => anew({ optimizer: value, step_size: STEP_SIZES[value] })),
    step_size: numberField("step_size", "step size", { min: 0.000001, max: 10, step: 0.0001 }, (value) => anew({ step_size: value }), api.reject),
    activation: choice("activation", "σ", Object.keys(activations).map((a) => [a, a]), (value) => anew({ activation: value })),
    seed: numberField("seed", "seed", { min: 0, max: 999999 }, (value) => anew({ seed: value }), api.reject),
  };
  const boxes = NOISE_NAMES.map((name) => [name, checkbox(name, NOISES[name].label, (on) =>
    anew({ noises: NOISE_NAMES.filter((other) => (other === name ? on : api.state().noises.includes(other))) }))]);
  const box = (breaks) => boxes.filter(([name]) => NOISES[name].breaks === breaks).map(([, { row }]) => row);
  const stripPlace = element("div", {});
  const stage = element("div", { class: "permsym-stage" });
  const shownPlace = element("div", { class: "permsym-row" });
  body.append(
    stripPlace,
    element("div", { class: "permsym-row" }, ...Object.values(fields).map((f) => f.row)),
    element("fieldset", { class: "permsym-row" }, element("legend", {}, "Noise that all units share"), ...box(false)),
    element("fieldset", { class: "permsym-row" }, element("legend", {}, "Noise for each unit or weight"), ...box(true)),
    controls.panel,
    element("p", { class: "permsym-verdict" }, element("span", {}, "gap of the identical units: "), residual, ": ", words, ". ", link),
    stage, shownPlace,
  );

  function toggle(unit) {
    const { group } = api.state();
    const next = group.includes(unit) ? group.filter((other) => other !== unit) : [...group, unit].sort((a, b) => a - b);
    if (next.length < 2) api.reject(`only unit ${next[0]} would be left; at least two identical units are required`);
    else anew({ group: next });
  }

  function make(state) {
    for (const place of [stripPlace, stage, shownPlace]) place.replaceChildren();
    const { sizes } = startOf(state);
    const names = namesOfUnit(sizes);
    const strip = stripView(stripPlace, {
      title: "The units; press one to make it identical to the others that are filled, or free", sizes,
      handles: { pick: () => {}, press: toggle, label: (unit) => `unit ${unit} identical` },
    });
    const shown = choice("coordinate", "number shown", names.map((name, i) => [String(i), name]), (value) => api.change({ coordinate: Number(value) }));
    shownPlace.append(shown.row);
    return {
      sizes, names, strip, shown,
      gap: linePlot(stage, { title: "Gap of the identical units", x: "step", log: true }),
      loss: linePlot(stage, { title: "Loss per sample, without noise", x: "step", log: true }),
      units: linePlot(stage, { title: "One number of each identical unit", x: "step" }),
    };
  }

  function paint(state) {
    const run = runOf(state);
    const { at, steps, group } = state;
    const until = (list) => list.slice(0, steps + 1);
    const theta = run.paths[0][at];
    drawn.strip.update(theta, { units: identityPermutation(drawn.sizes.h), limit: Math.min(scaleOf(theta), 1e300), on: (unit) => group.includes(unit) });
    drawn.gap.update([{ name: `largest difference of units ${listed(group)}`, colour: unitColour(group[0]), values: until(run.gaps) }], { at, steps: 11 });
    drawn.loss.update([{ name: "loss", colour: unitColour(0), values: until(run.losses[0]) }], { at, steps: 11 });
    drawn.units.update(group.map((unit, i) => {
      const place = placesOfUnit(drawn.sizes, unit)[state.coordinate];
      return { name: `unit ${unit}`, colour: unitColour(unit), dash: DASHES[i], width: i === 0 ? 4.5 : 1.8, values: until(run.paths[0]).map((point) => point[place]) };
    }), { at, steps: 11 });
    const gap = run.gaps[at];
    residual.dataset.residual = String(gap);
    residual.textContent = gap === 0 ? "exactly 0" : number(gap);
    residual.classList.toggle("permsym-broken", gap !== 0);
    controls.show(state);
  }

  return {
    update(state, before) {
      if (!drawn || before?.network !== state.network || before?.X !== state.X) drawn = make(state);
      paint(state);
      if (!state.running) {
        const [address, title] = statement(state);
        words.textContent = reasonOf(state);
        link.textContent = title;
        link.setAttribute("href", address);
      }
      for (const [name, field] of Object.entries(fields)) {
        if (field.show) field.show(state[name]);
        else field.input.value = state[name];
      }
      for (const [name, { input }] of boxes) input.checked = state.noises.includes(name);
      drawn.shown.input.value = String(state.coordinate);
      controls.follow(state);
    },
    destroy: () => controls.destroy(),
  };
}

function describe(state) {
  const who = `Units ${listed(state.group)}`;
  if (state.running) return `${who} are being trained; pause to read their gap.`;
  const run = runOf(state);
  if (state.at === 0) return `${who} start identical. Train, and see whether they stay so.`;
  if (run.diverged !== null && run.diverged <= state.at) return `The training has diverged at step ${run.diverged}; take a smaller step size.`;
  const always = run.gaps.slice(0, state.at + 1).every((gap) => gap === 0);
  const gap = run.gaps[state.at] > 0 ? number(run.gaps[state.at]) : always ? "exactly 0, as at every step before" : "exactly 0";
  return `${who} after ${state.at} steps of ${state.optimizer}: their gap is ${gap}; ${reasonOf(state)}. Loss per sample ${number(run.losses[0][state.at])}.`;
}

export default define({
  slug: "symmetry-lab",
  title: "A laboratory for identical units",
  traits: ["network", "X", "Y", "group", "init", "optimizer", "step_size", "noises", "activation", "seed", "steps"],
  start,
  toTraits: ({ X, Y, network, running, at, per_click: clicks, coordinate, ...rest }) => rest,
  link: ({ X, Y, network, running, ...rest }) => rest,
  build,
  describe,
});
