/**
 * Run, pause, step and scrub a training. While it runs, it trains for a part of every frame and draws; the state, and with it the
 * link and the status line, follow twice a second, and when it pauses.
 */
import { button, element, enable, numberField } from "./dom.js";
import { scrubber } from "./scrubber.js";

const BUDGET = 10; // milliseconds of training in a frame
const CHUNK = 4; // steps between looks at the clock
const COMMIT = 500; // milliseconds

export const MAX_STEPS = 10_000;
export const MAX_PER_CLICK = 500;

/**
 * The state holds `steps`, how far the training went; `at`, the step that is shown; `per_click`; `running`.
 * @param {import("./widget.js").Api} api
 * @param {{label: string, max?: number, reach: (state: any, steps: number) => {steps: number, diverged: number | null}, draw: (state: any) => void}} options
 *   `reach` trains to a step or as far as it goes; `draw` shows a state that is not the widget's yet.
 */
export function trainingControls(api, { label, max = MAX_STEPS, reach, draw }) {
  let frame = 0;
  let live = 0;
  let committed = 0;
  const scrub = scrubber(api);

  const commit = (patch = {}) => {
    committed = performance.now();
    api.change({ steps: live, at: live, ...patch }, { keep: false });
  };
  const tick = () => {
    frame = 0;
    const state = api.state();
    const begin = performance.now();
    let ended = false;
    do {
      const wanted = Math.min(live + CHUNK, max);
      live = Math.min(reach(state, wanted).steps, wanted);
      ended = live < wanted || live >= max;
    } while (!ended && performance.now() - begin < BUDGET);
    if (ended) return commit({ running: false });
    if (performance.now() - committed > COMMIT) commit();
    else draw({ ...state, steps: live, at: live });
    if (api.state().running && !frame) frame = requestAnimationFrame(tick);
  };
  const run = button("run", "run", () => {
    const { steps } = api.state();
    if (steps >= max) return api.reject(`the training has made ${max} steps, which is as far as it goes; reset it to begin anew`);
    live = steps;
    committed = performance.now();
    api.change({ running: true, at: steps });
  });
  const pause = button("pause", "pause", () => commit({ running: false }));
  const step = button("step", "step", () => {
    const state = api.state();
    const steps = reach(state, Math.min(state.steps + state.per_click, max)).steps;
    api.change({ steps: Math.min(steps, state.steps + state.per_click), at: Math.min(steps, state.steps + state.per_click) });
  });
  const perClick = numberField("per_click", "steps per click", { min: 1, max: MAX_PER_CLICK }, (value) => api.change({ per_click: value }), api.reject);
  const panel = element("div", {},
    element("div", { class: "permsym-row", role: "toolbar", "aria-label": label }, run, pause, step, button("reset", "reset", api.reset), perClick.row),
    scrub.row);

  return {
    panel,
    /** Whatever is shown, also a state that is not the widget's yet. */
    show({ steps, at, per_click: clicks, running }) {
      scrub.show({ steps, at, running });
      perClick.show(clicks);
      enable([[run, !running], [pause, running], [step, !running]]);
    },
    /** The widget's state has changed: go on, or stop. */
    follow({ running }) {
      if (running && !frame) frame = requestAnimationFrame(tick);
      if (!running && frame) {
        cancelAnimationFrame(frame);
        frame = 0;
      }
    },
    destroy() {
      if (frame) cancelAnimationFrame(frame);
      frame = 0;
    },
  };
}
