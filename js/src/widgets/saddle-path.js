/** saddle-path: along a computed path between two minima that differ by the exchange of two units. */
import { inertia, middleOf, mirrorGap, projected } from "../core/saddle-path.js";
import { requireInteger } from "../core/settings.js";
import { unitColour } from "../ui/colour.js";
import { button, element, enable, freshId } from "../ui/dom.js";
import { exchangeView } from "../ui/exchange-view.js";
import { number } from "../ui/format.js";
import { linePlot } from "../ui/plot.js";
import { motionless } from "../ui/slide.js";
import { spectrumPlot } from "../ui/spectrum-plot.js";
import { define } from "../ui/widget.js";

const LIMITS = { points: [3, 201], entries: [1, 40], eigenvalues: [1, 120], size: 1e12 };
const FRAMES = 3; // for each point, when the path is played
const ARRAYS = ["distances", "losses", "slopes", "vectors", "spectra", "zeros"];

const shapeOf = (nested) => (Array.isArray(nested) ? [nested.length, ...(nested.length ? shapeOf(nested[0]) : [])] : []);
const fits = (nested, [length, ...rest]) => (length === undefined ? Number.isFinite(nested) && Math.abs(nested) <= LIMITS.size
  : Array.isArray(nested) && nested.length === length && nested.every((part) => fits(part, rest)));

function start({ linked, ...traits }) {
  const given = { ...traits, ...(linked ?? {}) };
  const [T] = shapeOf(given.losses);
  requireInteger("the number of points", T ?? 0, ...LIMITS.points);
  const m = requireInteger("the number of entries of a unit", shapeOf(given.vectors)[2] ?? 0, ...LIMITS.entries);
  const N = requireInteger("the number of eigenvalues", shapeOf(given.spectra)[1] ?? 0, ...LIMITS.eigenvalues);
  for (const [name, shape] of Object.entries({ distances: [T], losses: [T], slopes: [T], vectors: [T, 2, m], spectra: [T, N], zeros: [T] })) {
    if (!fits(given[name], shape)) {
      throw new RangeError(`${name} has shape (${shapeOf(given[name]).join(", ")}); numbers up to ${LIMITS.size} in size, of shape (${shape.join(", ")}), are required`);
    }
  }
  for (const name of ["zeros", "slopes"]) if (given[name].some((x) => x < 0)) throw new RangeError(`${name} has a number below 0; numbers from 0 on are required`);
  const { names, units } = given;
  if (!Array.isArray(names) || names.length !== m || names.some((name) => typeof name !== "string")) throw new RangeError(`names is ${JSON.stringify(names)}; ${m} words are required`);
  if (!Array.isArray(units) || units.length !== 2 || units[0] === units[1]) throw new RangeError(`units is ${JSON.stringify(units)}; two different units are required`);
  units.forEach((unit) => requireInteger("a unit", unit, 0, 1e6));
  return {
    ...Object.fromEntries(ARRAYS.map((name) => [name, given[name]])), names, units,
    at: requireInteger("at", given.at, 0, T - 1), running: false,
  };
}

/** The plane of the path last shown, and the words on it. */
let kept = { vectors: null, places: null };
function placesOf({ vectors }) {
  if (kept.vectors !== vectors) kept = { vectors, places: projected(vectors) };
  return kept.places;
}

const counted = (n, word) => `${n} ${word} ${n === 1 ? "eigenvalue" : "eigenvalues"}`;

/** Where on the path a point lies. */
function whereabouts({ distances, units, at }) {
  const [i, j] = units;
  const middle = middleOf(distances);
  if (at === middle) return distances[at] === 0 ? `the permutation point: units ${i} and ${j} coincide` : `units ${i} and ${j} are closest, ${number(Math.abs(distances[at]))} apart`;
  if (at === 0) return `the one minimum: units ${i} and ${j} are ${number(Math.abs(distances[0]))} apart`;
  if (at === distances.length - 1 && distances[at] < 0) return `the other minimum: units ${i} and ${j} are exchanged, ${number(Math.abs(distances[at]))} apart`;
  return at < middle ? `units ${i} and ${j} approach, ${number(Math.abs(distances[at]))} apart` : `units ${i} and ${j} part, exchanged, ${number(Math.abs(distances[at]))} apart`;
}

function build(body, api) {
  let frame = 0;
  let live = 0;
  let scrubbing = false;
  let drawn = null;
  const stop = () => {
    cancelAnimationFrame(frame);
    frame = 0;
  };
  const last = () => api.state().losses.length - 1;
  const go = (at, keep = true) => api.change({ at, running: false }, { keep });
  const tick = () => {
    live = Math.min(live + 1 / FRAMES, last());
    if (live >= last()) {
      frame = 0;
      api.change({ at: last(), running: false }, { keep: false });
    } else {
      paint({ ...api.state(), at: Math.floor(live) });
      frame = requestAnimationFrame(tick);
    }
  };
  const run = button("run", "play", () => {
    if (motionless()) return go(last());
    live = api.state().at < last() ? api.state().at : 0;
    return api.change({ at: live, running: true });
  });
  const pause = button("pause", "pause", () => api.change({ at: Math.floor(live), running: false }, { keep: false }));
  const step = button("step", "next point", () => go(api.state().at < last() ? api.state().at + 1 : 0));
  const id = freshId("point");
  const slider = element("input", {
    id, type: "range", min: 0, max: 1, step: 1, "data-option": "at",
    oninput: () => {
      go(Math.min(Number(slider.value), last()), !scrubbing);
      scrubbing = true;
    },
    onchange: () => (scrubbing = false),
  });
  const shown = element("output", { for: id });
  const readout = element("p", { class: "permsym-readout" });
  const residual = element("output", { class: "permsym-residual", "data-residual": "" });
  const units = element("div", { class: "permsym-panels" });
  const plots = element("div", { class: "permsym-panels" });
  body.append(
    element("div", { class: "permsym-row", role: "toolbar", "aria-label": "Move along the path" }, run, pause, step,
      button("start", "first minimum", () => go(0)),
      button("middle", "permutation point", () => go(middleOf(api.state().distances))),
      button("end", "other minimum", () => go(last())),
      button("reset", "reset", api.reset)),
    element("div", { class: "permsym-row permsym-scrub" }, element("label", { for: id }, "point"), slider, shown),
    readout, units, plots,
    element("p", { class: "permsym-residual-line" }, "largest difference of the losses at points equally far from both ends: ", residual),
    element("p", { class: "permsym-hint" }, "Click the eigenvalues, or give them the focus and press arrow keys, to move along the path. An index is the number of negative eigenvalues, a nullity that of zero ones. The gradient vanishes at the minima and at the permutation point, not between them."),
  );
  const loss = linePlot(plots, { title: "Loss", x: "point of the path", height: 260 });
  const spectrum = spectrumPlot(plots, { pick: (at, first) => go(at, first) });

  function paint(state) {
    const { losses, slopes, spectra, zeros, vectors, at } = state;
    const words = `${whereabouts(state)}. Loss ${number(losses[at])}, length of the gradient ${number(slopes[at])}.`;
    const { index, nullity, positive } = inertia(spectra[at], zeros[at]);
    drawn.view.update(placesOf(state), vectors, at, `At point ${at}: ${words}`);
    loss.update([{ name: "along the path", colour: unitColour(0), values: losses, width: 2.4 }], { at });
    spectrum.update(spectra, zeros, at, `point ${at}: ${counted(index, "negative")}, ${nullity} zero, ${positive} positive`);
    readout.textContent = `Point ${at}, ${words} Index ${index}, nullity ${nullity}; least eigenvalue ${number(Math.min(...spectra[at]))}, zero up to ${number(zeros[at])} in size.`;
    slider.max = String(losses.length - 1);
    slider.value = String(at);
    shown.textContent = `${at} of ${losses.length - 1}`;
  }

  return {
    update(state) {
      const key = JSON.stringify([state.units, state.names]);
      if (drawn?.key !== key) {
        units.replaceChildren();
        drawn = { key, view: exchangeView(units, state) };
      }
      paint(state);
      const gap = mirrorGap(state.losses);
      residual.dataset.residual = String(gap);
      residual.textContent = gap === 0 ? "exactly 0" : number(gap);
      enable([[run, !state.running], [pause, state.running], [step, !state.running], [slider, !state.running]]);
      if (state.running && !frame) frame = requestAnimationFrame(tick);
      if (!state.running && frame) stop();
    },
    destroy: stop,
  };
}

function describe(state) {
  if (state.running) return "The path is played.";
  const { losses, slopes, spectra, zeros, at } = state;
  const { index, nullity, positive } = inertia(spectra[at], zeros[at]);
  return `Point ${at} of ${losses.length - 1}, ${whereabouts(state)}. Loss ${number(losses[at])}, length of the gradient ${number(slopes[at])}.` +
    ` The Hessian has ${counted(index, "negative")}, ${nullity} zero and ${positive} positive: index ${index}, nullity ${nullity}.`;
}

export default define({
  slug: "saddle-path",
  title: "The path between two minima that differ by the exchange of two units",
  traits: [...ARRAYS, "names", "units", "at"],
  start,
  toTraits: ({ at }) => ({ at }),
  link: ({ at }) => ({ at }),
  build,
  describe,
});
