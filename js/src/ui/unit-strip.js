/** A row of handles, one for each unit, in the order of the slots: by drag, touch or arrow keys a unit moves to another slot. */
import { unitColour, unitInk } from "./colour.js";
import { arrange, element, roving } from "./dom.js";

const WIDTH = 38;

/**
 * @param {HTMLElement} parent @param {number} h
 * @param {{title: string, move: (unit: number, slot: number) => void, look?: (unit: number) => number}} options
 *   `look` gives the unit whose number and colour the handle wears: for identical units, the first of them.
 */
export function unitStrip(parent, h, { title, move, look = (unit) => unit }) {
  let perm = Array.from({ length: h }, (_, j) => j);
  let current = 0;
  let held = null;
  const slotOf = (unit) => perm.indexOf(unit);
  const within = (slot) => Math.min(Math.max(slot, 0), h - 1);

  const handles = perm.map((unit) => element("button", {
    type: "button", class: "permsym-unit permsym-column", "data-unit": unit,
    onkeydown: (event) => onKey(event, unit), onfocus: () => focused(unit),
    onpointerdown: (event) => take(event, unit), onpointermove: (event) => drag(event, unit),
    onpointerup: drop, onpointercancel: drop,
  }));
  const row = element("div", { class: "permsym-strip-row", style: `width: ${h * WIDTH}px` }, ...handles);
  const slots = element("div", { class: "permsym-strip-slots", "aria-hidden": "true" },
    ...perm.map((j) => element("span", { style: `width: ${WIDTH}px` }, String(j))));
  parent.append(element("div", { class: "permsym-strip", role: "group", "aria-label": title },
    element("p", { class: "permsym-label" }, title),
    element("div", { class: "permsym-scroll" }, slots, row),
    element("p", { class: "permsym-hint" }, "Drag a unit, or focus it and press an arrow key; with Shift the focus moves instead.")));

  function focused(unit) {
    current = unit;
    roving(perm.map((u) => handles[u]), slotOf(unit));
  }

  function onKey(event, unit) {
    const slot = slotOf(unit);
    const wanted = { ArrowLeft: slot - 1, ArrowRight: slot + 1, ArrowUp: slot - 1, ArrowDown: slot + 1, Home: 0, End: h - 1 }[event.key];
    if (wanted === undefined) return;
    event.preventDefault();
    const to = within(wanted);
    if (event.shiftKey || event.altKey) handles[perm[to]].focus();
    else if (to !== slot) move(unit, to);
  }

  function take(event, unit) {
    if (event.button) return;
    held = { unit, x: event.clientX, slot: slotOf(unit) };
    handles[unit].setPointerCapture?.(event.pointerId);
  }

  function drag(event, unit) {
    if (held?.unit !== unit) return;
    const to = within(Math.round(held.slot + (event.clientX - held.x) / WIDTH));
    if (to !== slotOf(unit)) move(unit, to);
  }

  function drop() {
    held = null;
    arrange(perm.map((unit) => handles[unit]));
  }

  return {
    /** @param {number[]} next */
    update(next) {
      perm = next;
      perm.forEach((unit, j) => {
        const [handle, shown] = [handles[unit], look(unit)];
        handle.style.transform = `translateX(${j * WIDTH}px)`;
        handle.style.background = unitColour(shown);
        handle.style.color = unitInk(shown);
        handle.textContent = String(shown);
        handle.setAttribute("aria-label", `unit ${unit}${shown === unit ? "" : `, the same as unit ${shown}`}, slot ${j} of ${h}`);
      });
      roving(perm.map((u) => handles[u]), slotOf(current));
      if (!held) arrange(perm.map((unit) => handles[unit])); // a handle under the finger stays where it is in the document
    },
  };
}
