/** A network as columns: a unit's incoming weights, bias and outgoing weights below its number. */
import { unitColour, unitInk, weightColour } from "./colour.js";
import { arrange, element, svg } from "./dom.js";
import { placesOfUnit } from "../core/packed.js";

const ROW = 15;
const HEAD = 24;
const LABEL = 30;

/**
 * @param {HTMLElement} parent
 * @param {{title: string, sizes: import("../core/packed.js").Sizes, handles?: {label: (unit: number, slot: number) => string,
 *          pick: (unit: number | null) => void, key?: (event: KeyboardEvent, unit: number, slot: number) => void, move?: (unit: number, slot: number) => void,
 *          press?: (unit: number) => void, pressed?: boolean}}} options
 *   With `handles` the numbers are buttons: told when they are pointed at, dragged to another slot, pressed.
 */
export function stripView(parent, { title, sizes, handles }) {
  const { d, h, q } = sizes;
  const width = Math.max(16, Math.min(30, Math.floor(256 / h)));
  const letters = [...Array.from({ length: d }, (_, i) => (i ? "" : "W1")), "b1", ...Array.from({ length: q }, (_, k) => (k ? "" : "W2ᵀ"))];
  const at = Array.from({ length: h }, (_, slot) => placesOfUnit(sizes, slot));
  const y = (row) => HEAD + row * ROW + (row >= d ? 4 : 0) + (row > d ? 4 : 0);
  const height = y(d + q) + ROW + 4;
  const picture = svg("svg", { class: "permsym-strip", width: LABEL + h * width + 4, height, viewBox: `0 0 ${LABEL + h * width + 4} ${height}` });
  letters.forEach((word, row) => picture.append(svg("text", { x: LABEL - 5, y: y(row) + 12, "text-anchor": "end", class: "permsym-small" }, word)));
  const columns = Array.from({ length: h }, (_, slot) => {
    const cells = letters.map((_, row) => svg("rect", { x: LABEL + slot * width + 1, y: y(row), width: width - 2, height: ROW - 1 }, svg("title")));
    const frame = svg("rect", { x: LABEL + slot * width, y: HEAD - 2, width, height: height - HEAD, fill: "none", "stroke-width": 2, visibility: "hidden" });
    picture.append(...cells, frame);
    return { cells, frame };
  });
  const chips = Array.from({ length: h }, (_, unit) => {
    const text = svg("text", { x: width / 2, y: 15, "text-anchor": "middle", class: "permsym-chip", fill: unitInk(unit) }, String(unit));
    const chip = svg("g", { class: handles ? "permsym-handle" : "permsym-column" }, svg("rect", { x: 1, y: 0, width: width - 2, height: HEAD - 4, rx: 4, fill: unitColour(unit) }), text);
    if (width < 20) text.style.fontSize = "10px";
    picture.append(chip);
    return chip;
  });
  let order = [];
  let dragging = null;
  const slotOf = (unit) => order.indexOf(unit);
  if (handles) {
    chips.forEach((chip, unit) => {
      chip.setAttribute("data-unit", String(unit));
      chip.setAttribute("role", "button");
      const listen = (name, f) => chip.addEventListener(name, f);
      listen("focus", () => {
        chips.forEach((other) => other.setAttribute("tabindex", other === chip ? "0" : "-1"));
        handles.pick(unit);
      });
      listen("pointerenter", () => handles.pick(unit));
      listen("keydown", (event) => {
        if ((event.key === "Enter" || event.key === " ") && handles.press) {
          event.preventDefault();
          handles.press(unit);
          return;
        }
        const slot = slotOf(unit);
        const wanted = { ArrowLeft: slot - 1, ArrowUp: slot - 1, ArrowRight: slot + 1, ArrowDown: slot + 1, Home: 0, End: h - 1 }[event.key];
        if (wanted === undefined) return;
        event.preventDefault();
        const to = Math.min(Math.max(wanted, 0), h - 1);
        if (handles.move && !event.shiftKey && !event.altKey) {
          if (to !== slot) handles.move(unit, to);
        } else chips[order[to]].focus();
      });
      listen("click", () => {
        chip.focus();
        handles.press?.(unit);
      });
      if (handles.move) {
        listen("pointerdown", (event) => {
          chip.setPointerCapture(event.pointerId);
          dragging = { unit, from: event.clientX, slot: slotOf(unit) };
          chip.focus({ preventScroll: true });
        });
        listen("pointermove", (event) => {
          if (dragging?.unit !== unit) return;
          const slot = Math.min(Math.max(Math.round(dragging.slot + (event.clientX - dragging.from) / width), 0), h - 1);
          if (slot !== slotOf(unit)) handles.move(unit, slot);
        });
        chip.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false }); // a finger drags, the page stays
        const end = () => {
          dragging = null;
          reorder();
        };
        listen("pointerup", end);
        listen("pointercancel", end);
      } else chip.style.touchAction = "auto";
    });
  }

  /** The handles stand in the document in visual order; not while one is dragged, which would end the capture. */
  function reorder() {
    if (!handles || dragging) return;
    arrange(order.map((unit) => chips[unit]));
  }

  parent.append(element("div", { class: "permsym-strip-panel" }, element("p", { class: "permsym-label" }, title),
    element("div", { class: "permsym-scroll" }, picture)));

  return {
    /** @param {ArrayLike<number>} theta @param {{units: number[], limit: number, picked?: number | null, on?: (unit: number) => boolean}} options */
    update(theta, { units, limit, picked = null, on }) {
      order = units;
      units.forEach((unit, slot) => {
        const { cells, frame } = columns[slot];
        at[slot].forEach((place, row) => {
          const colour = weightColour(theta[place], limit);
          if (cells[row].getAttribute("fill") !== colour) cells[row].setAttribute("fill", colour);
        });
        const marked = unit === picked || on?.(unit);
        frame.setAttribute("visibility", marked ? "visible" : "hidden");
        if (marked) {
          frame.setAttribute("stroke", on?.(unit) || unit === picked ? unitColour(unit) : "none");
          frame.setAttribute("stroke-dasharray", on && !on(unit) ? "3 3" : "none");
        }
        chips[unit].style.transform = `translate(${LABEL + slot * width}px, 2px)`;
        if (handles) {
          chips[unit].setAttribute("aria-label", handles.label(unit, slot));
          if (on) {
            chips[unit].setAttribute("aria-pressed", String(on(unit)));
            chips[unit].style.opacity = "1";
            chips[unit].firstChild.setAttribute("fill", on(unit) ? unitColour(unit) : "transparent");
            chips[unit].firstChild.setAttribute("stroke", unitColour(unit));
            chips[unit].lastChild.setAttribute("fill", on(unit) ? unitInk(unit) : "currentColor");
          }
        }
      });
      if (handles && !chips.some((chip) => chip.getAttribute("tabindex") === "0")) chips.forEach((chip, unit) => chip.setAttribute("tabindex", unit === units[0] ? "0" : "-1"));
      reorder();
    },
  };
}
