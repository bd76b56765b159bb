/** loss-surface: a two-unit network's loss over a plane through two permuted minima, and descents in it with their mirror images. */
import { activations } from "../core/activations.js";
import { fromRows } from "../core/matrix.js";
import { parametersFromLists } from "../core/mlp.js";
import { DIRECTIONS, mirrorGap, plane } from "../core/plane.js";
import { source } from "../core/random.js";
import { requireInteger, requireList, requireNumber, requireOneOf, requireSwitch } from "../core/settings.js";
import { requireProblem } from "../core/training-settings.js";
import { unitColour } from "../ui/colour.js";
import { contourMap } from "../ui/contour-map.js";
import { button, choice, element, enable, numberField, svg } from "../ui/dom.js";
import { number } from "../ui/format.js";
import { scrubber } from "../ui/scrubber.js";
import { surfaceView } from "../ui/surface-view.js";
import { define } from "../ui/widget.js";

const LIMITS = { d: [1, 2], h: [2, 2], q: [1, 2], n: 64 };
const REACH = 2; // the minima are at -1 and 1
const SIZE = 49;
const MAX_STEPS = 1000;
const FRAMES = 120; // of a descent that is played

/** The last plane made: it depends on the network, the data and the direction. */
let kept = { key: "" };
function landscape(state) {
  const key = JSON.stringify([state.network, state.X, state.Y, state.activation, state.direction]);
  if (kept.key === key) return kept;
  const P = plane(parametersFromLists(state.network), fromRows(state.X), fromRows(state.Y), state.activation, state.direction);
  const losses = P.grid(REACH * P.halfWidth, SIZE);
  const [least, most] = [losses.reduce((a, b) => Math.min(a, b)), losses.reduce((a, b) => Math.max(a, b))];
  const floor = most / 1000 || 1;
  const scaled = (loss) => Math.min(Math.max(Math.log((loss + floor) / (least + floor)) / Math.log((most + floor) / (least + floor)) || 0, 0), 1);
  kept = { key, P, heights: losses.map(scaled), scaled, descents: { key: "" } };
  return kept;
}

/** Both descents, in the units of the map. */
function descents(state) {
  const land = landscape(state);
  const key = JSON.stringify([state.start, state.step_size, state.steps]);
  if (land.descents.key !== key) {
    const { P } = land;
    const made = (a) => P.descent([a * P.halfWidth, state.start[1] * P.halfWidth], state.step_size, state.steps);
    const [one, other] = [made(state.start[0]), made(-state.start[0])];
    const onMap = (path) => path.map(([a, b]) => [a / P.halfWidth, b / P.halfWidth]);
    land.descents = { key, paths: [onMap(one), onMap(other)], losses: one.map(([a, b]) => P.loss(a, b)), otherLosses: other.map(([a, b]) => P.loss(a, b)), gap: mirrorGap(one, other) };
  }
  return land.descents;
}

function start({ linked, ...traits }) {
  const given = { turn: 20, tilt: 55, running: false, ...traits, ...linked };
  const problem = requireProblem(given, LIMITS);
  requireList("start", given.start, "a list of two numbers", 2);
  const steps = requireInteger("steps", given.steps, 0, MAX_STEPS);
  const state = {
    ...problem, direction: requireOneOf("direction", given.direction, Object.keys(DIRECTIONS)),
    start: given.start.map((x) => requireNumber("a coordinate of start", x, -REACH, REACH)),
    step_size: requireNumber("step_size", given.step_size, 1e-6, 10), steps,
    activation: requireOneOf("activation", given.activation, Object.keys(activations)),
    at: requireInteger("the shown step", given.at === undefined ? steps : given.at, 0, steps),
    turn: requireInteger("turn", given.turn, 0, 359), tilt: requireInteger("tilt", given.tilt, 10, 90), running: false,
  };
  requireSwitch("running", given.running);
  landscape(state);
  return state;
}

function build(body, api) {
  const residual = element("output", { class: "permsym-residual", "data-residual": "" });
  const readout = element("p", { class: "permsym-hint" });
  let frame = 0;
  const stop = () => {
    cancelAnimationFrame(frame);
    frame = 0;
  };
  let live = 0;
  const tick = () => {
    const state = api.state();
    live = Math.min(live + Math.max(1, Math.round(state.steps / FRAMES)), state.steps);
    if (live >= state.steps) {
      frame = 0;
      api.change({ at: live, running: false }, { keep: false });
    } else {
      paint({ ...state, at: live });
      frame = requestAnimationFrame(tick);
    }
  };
  const play = () => {
    const { steps } = api.state();
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      api.change({ at: steps });
      return;
    }
    live = 0;
    api.change({ at: 0, running: true });
  };
  const run = button("run", "run", play);
  const pause = button("pause", "pause", () => api.change({ running: false, at: live }, { keep: false }));
  const step = button("step", "step", () => {
    const { at, steps } = api.state();
    api.change({ at: at < steps ? at + 1 : 0, running: false });
  });
  let draws = 0;
  const random = button("random", "random start", () => {
    const next = source(1, 100 + draws++);
    const coordinate = () => Math.round(2000 * REACH * next()) / 1000 - REACH;
    put([coordinate(), coordinate()], true);
  });
  const scrub = scrubber(api);
  const changed = (patch) => api.change({ ...patch, at: patch.steps ?? api.state().steps, running: false });
  const put = (point, first) => api.change({ start: point, at: api.state().steps, running: false }, { keep: first });
  const fields = {
    direction: choice("direction", "second direction", Object.entries(DIRECTIONS), (value) => changed({ direction: value })),
    step_size: numberField("step_size", "step size", { min: 0.000001, max: 10, step: 0.0001 }, (value) => changed({ step_size: value }), api.reject),
    steps: numberField("steps", "steps", { min: 0, max: MAX_STEPS }, (value) => changed({ steps: value }), api.reject),
    activation: choice("activation", "σ", Object.keys(activations).map((a) => [a, a]), (value) => changed({ activation: value })),
  };
  const stage = element("div", { class: "permsym-stage" });
  const swatch = (i, words) => element("li", {}, svg("svg", { width: 30, height: 10, "aria-hidden": "true" }, svg("line", { x1: 0, x2: 30, y1: 5, y2: 5, stroke: unitColour(i), "stroke-width": 3, "stroke-dasharray": i ? "6 4" : "none" })), words);
  body.append(
    element("div", { class: "permsym-row", role: "toolbar", "aria-label": "The descent" }, run, pause, step, random, button("reset", "reset", api.reset)),
    element("div", { class: "permsym-row" }, ...Object.values(fields).map((f) => f.row)),
    scrub.row,
    stage,
    element("ul", { class: "permsym-legend" }, swatch(0, "descent from the cross"), swatch(1, "descent from its mirror image"),
      element("li", {}, svg("svg", { width: 30, height: 14, "aria-hidden": "true" }, svg("circle", { cx: 15, cy: 7, r: 5, fill: "#ffffff", stroke: "#000000", "stroke-width": 2 })), "the network θ and its swap θπ"),
      element("li", {}, "dark: low loss; the scale is logarithmic")),
    element("p", { class: "permsym-residual-line" }, "distance of the second descent from the mirror image of the first: ", residual),
    readout,
    element("p", { class: "permsym-hint" }, "Click the map, or move the cross by arrow keys (Shift for larger steps; Enter plays). Drag the surface, or use its arrow keys, to turn it. The descent stays in this plane: at each step it follows the gradient's projection onto it. In the space of all parameters it would leave the plane."),
  );
  const map = contourMap(stage, { reach: REACH, step: 0.05, put, press: play });
  const surface = surfaceView(stage, { turned: (turn, tilt, first) => api.change({ turn, tilt }, { keep: first }) });
  let ground = "";

  function paint(state) {
    const land = landscape(state);
    const { P, heights, scaled } = land;
    const { paths, losses, gap } = descents(state);
    if (ground !== land.key) {
      ground = land.key;
      map.ground(heights, SIZE, `along the ${DIRECTIONS[state.direction]}`);
    }
    const until = paths.map((path) => path.slice(0, state.at + 1));
    map.update({ start: state.start, paths: until });
    const height = ([a, b]) => scaled(P.loss(a * P.halfWidth, b * P.halfWidth));
    const raised = until.map((path, i) => path.map((point, t) => [...point, scaled((i ? land.descents.otherLosses : losses)[t])]));
    surface.update({
      heights, size: SIZE, turn: state.turn, tilt: state.tilt, reach: REACH, paths: raised, minima: [-1, 1].map((a) => [a, 0, height([a, 0])]),
      mirror: Array.from({ length: SIZE }, (_, row) => heights[row * SIZE + (SIZE - 1) / 2]),
    });
    residual.dataset.residual = String(gap);
    residual.textContent = gap === 0 ? "exactly 0" : number(gap);
    residual.classList.toggle("permsym-broken", gap !== 0);
    const last = Math.min(state.at, losses.length - 1);
    const [a, b] = paths[0][last];
    readout.textContent = `Step ${last}: (${number(a)}, ${number(b)}), loss ${number(losses[last])}; its mirror image: (${number(paths[1][last][0])}, ${number(paths[1][last][1])}), loss ${number(land.descents.otherLosses[last])}.`;
    scrub.show(state);
    enable([[run, !state.running], [pause, state.running], [step, !state.running]]);
  }

  return {
    update(state) {
      paint(state);
      fields.direction.input.value = state.direction;
      fields.step_size.show(state.step_size);
      fields.steps.show(state.steps);
      fields.activation.input.value = state.activation;
      if (state.running && !frame) frame = requestAnimationFrame(tick);
      if (!state.running && frame) stop();
    },
    destroy() {
      stop();
      surface.destroy();
    },
  };
}

function describe(state) {
  if (state.running) return "The descent is played.";
  const { P } = landscape(state);
  const { paths, losses, gap } = descents(state);
  const last = Math.min(state.at, losses.length - 1);
  const [a, b] = paths[0][last];
  const minima = P.slope(-P.halfWidth, 0) < 1e-6 ? "" : ` θ is no minimum: the gradient there has length ${number(P.slope(-P.halfWidth, 0))}.`;
  const near = (x) => Math.hypot(a - x, b) < 0.1;
  const where = near(-1) ? "near θ, and the mirror image near θπ" : near(1) ? "near θπ, and the mirror image near θ" : a === 0 ? "on the mirror line, which it cannot leave" : `at (${number(a)}, ${number(b)})`;
  const same = gap === 0 ? "The descent from the mirrored start is its mirror image exactly." : `The descent from the mirrored start leaves its mirror image by ${number(gap)}.`;
  if (losses.length <= state.at) return `The descent has diverged after ${losses.length - 1} steps; take a smaller step size.${minima}`;
  return `From (${number(state.start[0])}, ${number(state.start[1])}) with loss ${number(losses[0])}, after ${state.at} steps in the plane: ${where}, with loss ${number(losses[last])}. ${same}${minima}`;
}

export default define({
  slug: "loss-surface",
  title: "The loss over a plane through two permuted minima",
  traits: ["network", "X", "Y", "direction", "start", "step_size", "steps", "activation"],
  start,
  toTraits: ({ direction, start: point, step_size: size, steps, activation: name }) => ({ direction, start: point, step_size: size, steps, activation: name }),
  link: ({ X, Y, network, running, ...rest }) => rest,
  build,
  describe,
});
