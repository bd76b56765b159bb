/** A slider over the steps of what has run, with its label and the step shown. */
import { element, freshId } from "./dom.js";

/** The state holds `steps` and `at`, the step that is shown. @param {import("./widget.js").Api} api */
export function scrubber(api) {
  let scrubbing = false; // one undo takes a whole scrub back
  const id = freshId("at");
  const slider = element("input", {
    id, type: "range", min: 0, max: 0, step: 1, "data-option": "at",
    oninput: () => {
      api.change({ at: Math.min(Number(slider.value), api.state().steps) }, { keep: !scrubbing });
      scrubbing = true;
    },
    onchange: () => (scrubbing = false),
  });
  const shown = element("output", { for: id });
  return {
    row: element("div", { class: "permsym-row permsym-scrub" }, element("label", { for: id }, "shown step"), slider, shown),
    show({ steps, at, running }) {
      slider.max = String(steps);
      slider.value = String(at);
      slider.disabled = running || steps === 0;
      shown.textContent = `${at} of ${steps}`;
    },
  };
}
