/** twin-training: a network and its relabelled copy trained in lockstep; rounding is all that comes between them. */
import { activations } from "../core/activations.js";
import { fromRows } from "../core/matrix.js";
import { parametersFromLists, parametersToLists } from "../core/mlp.js";
import { namesOfUnit, pack, placesOfUnit, relabelling, sizesOf } from "../core/packed.js";
import { identityPermutation, inverse, moved, randomPermutation } from "../core/permutation.js";
import { source } from "../core/random.js";
import { following, requireInteger, requireList, requireNumber, requireOneOf, requirePermutation, SEEDS } from "../core/settings.js";
import { initial, requireProblem, requireProgress, scaleOf, STEP_SIZES } from "../core/training-settings.js";
import { Trajectories, Trajectory, twinGap } from "../core/trajectory.js";
import { unitColour } from "../ui/colour.js";
import { button, choice, element, numberField } from "../ui/dom.js";
import { number } from "../ui/format.js";
import { pathPlane } from "../ui/path-plane.js";
import { linePlot } from "../ui/plot.js";
import { stripView } from "../ui/strip-view.js";
import { MAX_PER_CLICK, MAX_STEPS, trainingControls } from "../ui/training-controls.js";
import { define } from "../ui/widget.js";

const LIMITS = { d: [1, 4], h: [2, 16], q: [1, 3], n: 128 };
const OFFERED = ["sgd", "momentum", "adam"];
const ROUNDINGS = { float64: "float64", float32: "float32" };
const [FIRST, SECOND] = [unitColour(0), unitColour(1)];

/** All that a run depends on. */
const SETTINGS = ["network", "X", "Y", "perm", "optimizer", "step_size", "batch_size", "activation", "rounding", "seed"];

const runs = new Trajectories((key) => {
  const given = Object.fromEntries(JSON.parse(key).map((value, i) => [SETTINGS[i], value]));
  const p = parametersFromLists(given.network);
  const sizes = sizesOf(p);
  const from = relabelling(sizes, given.perm);
  const theta = pack(p);
  return new Trajectory({
    starts: [theta, theta.map((_, k) => theta[from[k]])], sizes, X: fromRows(given.X), Y: fromRows(given.Y), activation: given.activation,
    optimizer: given.optimizer, options: { stepSize: given.step_size }, seed: given.seed, single: given.rounding === "float32", measure: twinGap(from),
    noises: given.batch_size < given.X.length ? [{ name: "minibatch", amounts: { size: given.batch_size } }] : [],
  });
});
const runOf = (state, steps = state.steps) => runs.get(JSON.stringify(SETTINGS.map((name) => state[name])), steps);

function start({ linked, ...traits }) {
  const given = { ...traits, ...linked };
  const problem = requireProblem(given, LIMITS);
  const [h, d, n] = [problem.network.b1.length, problem.X[0].length, problem.X.length];
  const perm = requirePermutation("perm", given.perm, h);
  const numbers = d + 1 + problem.network.b2.length;
  const plane = requireList("plane", given.plane === undefined ? [0, 1] : given.plane, "a list of two numbers of a unit", 2);
  plane.forEach((axis) => requireInteger("an axis of the plane", axis, 0, numbers - 1));
  requireOneOf("optimizer", given.optimizer, OFFERED);
  const state = {
    ...problem, perm, optimizer: given.optimizer,
    step_size: requireNumber("step_size", given.step_size, 1e-6, 10),
    batch_size: requireInteger("batch_size", given.batch_size === 0 ? n : given.batch_size, 1, n),
    activation: requireOneOf("activation", given.activation, Object.keys(activations)),
    rounding: requireOneOf("rounding", given.rounding, Object.keys(ROUNDINGS)),
    seed: requireInteger("seed", given.seed, 0, SEEDS), plane,
    ...requireProgress(given, MAX_STEPS, MAX_PER_CLICK),
  };
  const reached = runOf(state).steps; // one that diverges does not go as far
  return reached < state.steps ? { ...state, steps: reached, at: Math.min(state.at, reached) } : state;
}

function build(body, api) {
  let drawn = null;
  let picked = null;
  /** Other settings: the training begins anew. */
  const anew = (patch) => api.change({ ...patch, steps: 0, at: 0, running: false });
  const residual = element("output", { class: "permsym-residual", "data-residual": "" });
  const readout = element("p", { class: "permsym-readout" }, "Point at a unit of the twin, or focus it, and its path is lifted out.");
  const relabelled = (kind) => anew({ perm: kind });
  const controls = trainingControls(api, {
    label: "Train both copies",
    reach: (state, steps) => runOf(state, steps),
    draw: (state) => paint(state),
  });
  let draws = 0;
  const fields = {
    optimizer: choice("optimizer", "optimizer", OFFERED.map((name) => [name, name === "sgd" ? "SGD" : name]), (value) => anew({ optimizer: value, step_size: STEP_SIZES[value] })),
    step_size: numberField("step_size", "step size", { min: 0.000001, max: 10, step: 0.0001 }, (value) => anew({ step_size: value }), api.reject),
    activation: choice("activation", "σ", Object.keys(activations).map((a) => [a, a]), (value) => anew({ activation: value })),
    rounding: choice("rounding", "rounding", Object.entries(ROUNDINGS), (value) => anew({ rounding: value })),
  };
  const batchPlace = element("span", {});
  const planePlace = element("div", { class: "permsym-row" });
  const stage = element("div", { class: "permsym-stage" });
  body.append(
    controls.panel,
    element("div", { class: "permsym-row" }, ...Object.values(fields).map((f) => f.row), batchPlace),
    element("div", { class: "permsym-row", role: "toolbar", "aria-label": "Relabel the twin" }, "the twin is relabelled by:",
      button("random", "random", () => relabelled(randomPermutation(api.state().perm.length, source(api.state().seed, 100 + draws++)))),
      button("reverse", "reverse", () => relabelled(api.state().perm.slice().reverse())),
      button("identity", "identity", () => relabelled(identityPermutation(api.state().perm.length))),
      button("redraw", "other weights", () => {
        const { network, X, seed } = api.state();
        const sizes = { d: X[0].length, h: network.b1.length, q: network.b2.length };
        anew({ network: parametersToLists(initial("normal", following(seed), sizes)), seed: following(seed) });
      })),
    element("p", { class: "permsym-residual-line" }, "distance of the twin from the relabelled network: ", residual),
    stage, planePlace, readout,
  );

  function make(state) {
    const sizes = sizesOf(parametersFromLists(state.network));
    stage.replaceChildren();
    planePlace.replaceChildren();
    batchPlace.replaceChildren();
    const names = namesOfUnit(sizes);
    const axis = (index, label) => choice(index ? "plane_y" : "plane_x", label, names.map((name, i) => [String(i), name]), (value) => {
      const plane = api.state().plane.slice();
      plane[index] = Number(value);
      api.change({ plane });
    });
    const axes = [axis(0, "plane of"), axis(1, "and")];
    planePlace.append(...axes.map((a) => a.row));
    const batch = numberField("batch_size", "batch size", { min: 1, max: state.X.length }, (value) => anew({ batch_size: value }), api.reject);
    batchPlace.append(batch.row, element("span", { class: "permsym-hint" }, ` of ${state.X.length}`));
    const pick = (unit) => {
      picked = unit;
      paint(current);
    };
    const strips = element("div", {});
    const network = stripView(strips, { title: "the network", sizes });
    const twin = stripView(strips, {
      title: "its twin: drag a unit to another slot", sizes,
      handles: {
        pick, label: (unit, slot) => `unit ${unit} in slot ${slot} of the twin`,
        move: (unit, slot) => anew({ perm: moved(api.state().perm, api.state().perm.indexOf(unit), slot) }),
      },
    });
    const charts = {
      loss: linePlot(stage, { title: "Loss per sample", x: "step", log: true }),
      gap: linePlot(stage, { title: "Distance of the twin", x: "step", log: true }),
      plane: pathPlane(stage, { title: "Paths of the units; a ring: the twin", units: sizes.h }),
    };
    stage.append(strips);
    return { sizes, names, axes, batch, network, twin, charts, places: Array.from({ length: sizes.h }, (_, unit) => placesOfUnit(sizes, unit)) };
  }

  let current = null;

  /** Draw a state. */
  function paint(state) {
    current = state;
    const run = runOf(state);
    const { at } = state;
    const { charts, places, names } = drawn;
    const [theta, other] = [run.paths[0][at], run.paths[1][at]];
    const until = (list) => list.slice(0, state.steps + 1);
    const slots = inverse(state.perm);
    charts.loss.update([
      { name: "network", colour: FIRST, values: until(run.losses[0]) }, { name: "twin", colour: SECOND, dash: "5 5", values: until(run.losses[1]) },
    ], { at, steps: 11 });
    charts.gap.update([{ name: "max |twin − relabelled network|", colour: FIRST, values: until(run.gaps) }], { at, steps: 11 });
    charts.plane.update({
      path: run.paths[0], at, places, ends: other, endPlaces: places.map((_, unit) => places[slots[unit]]),
      names: state.plane.map((axis) => names[axis]), axes: state.plane, picked,
    });
    const limit = Math.min(scaleOf(theta), 1e300);
    drawn.network.update(theta, { units: identityPermutation(places.length), limit, picked });
    drawn.twin.update(other, { units: state.perm, limit, picked });
    const gap = run.gaps[at];
    residual.dataset.residual = String(gap);
    residual.textContent = gap === 0 ? "exactly 0" : `${number(gap)}, against weights of up to ${number(limit)}`;
    if (picked !== null) {
      const list = (numbers, where) => where.map((place) => number(numbers[place])).join(", ");
      readout.textContent = `Unit ${picked}: ${list(theta, places[picked])} (${names.join(", ")}). It sits in slot ${slots[picked]} of the twin.`;
    }
    controls.show(state);
  }

  return {
    update(state, before) {
      if (!drawn || before?.network.b1.length !== state.network.b1.length || before?.X !== state.X || before?.network.b2.length !== state.network.b2.length) {
        drawn = make(state);
        picked = null;
      }
      paint(state);
      fields.optimizer.input.value = state.optimizer;
      fields.step_size.show(state.step_size);
      fields.activation.input.value = state.activation;
      fields.rounding.input.value = state.rounding;
      drawn.batch.show(state.batch_size);
      drawn.axes.forEach(({ input }, i) => (input.value = String(state.plane[i])));
      controls.follow(state);
    },
    destroy: () => controls.destroy(),
  };
}

function describe(state) {
  if (state.running) return "Both copies are training; pause to read the numbers.";
  const run = runOf(state);
  const [gap, loss] = [run.gaps[state.at], run.losses[0][state.at]];
  const moving = state.perm.filter((unit, slot) => unit !== slot).length;
  const twin = moving ? `the twin has ${moving} of ${state.perm.length} units in other slots` : "the twin is labelled as the network";
  if (state.at === 0) return `Before the first step ${twin}. Both copies compute the same function. Train them.`;
  if (run.diverged !== null && run.diverged <= state.at) return `The training has diverged at step ${run.diverged}; take a smaller step size.`;
  const verdict = gap === 0 ? "exactly 0" : number(gap);
  const size = gap === 0 ? "no rounding came between them" : gap < 1e-3 ? "rounding, and nothing else, came between them" : "rounding was amplified until the copies parted";
  return `After ${state.at} steps ${twin}; loss per sample ${number(loss)}; distance of the twin from the relabelled network ${verdict}: ${size}.`;
}

export default define({
  slug: "twin-training",
  title: "Twins trained in lockstep",
  traits: ["network", "X", "Y", "perm", "optimizer", "step_size", "batch_size", "activation", "rounding", "seed", "steps"],
  start,
  toTraits: ({ X, Y, running, at, per_click: clicks, plane, ...rest }) => rest,
  link: ({ X, Y, running, ...rest }) => rest,
  build,
  describe,
});
