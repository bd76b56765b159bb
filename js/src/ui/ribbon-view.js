/**
 * W1, b1, H and W2 transposed above one another with their columns aligned: a unit is one ribbon, and its handle moves it.
 * X, b2 and O stand beside it and stay where they are.
 */
import { drag } from "d3-drag";
import { select } from "d3-selection";
import { rowsOfW2 } from "../core/relabelling.js";
import { inverse } from "../core/permutation.js";
import { largest } from "../core/matrix.js";
import { activationColour, unitColour, unitInk, weightColour } from "./colour.js";
import { arrange, attribute, element, roving, svg } from "./dom.js";
import { number } from "./format.js";
import { still } from "./still-view.js";

const CELL = 26;
const GAP = 10;
const LABEL = 34;
const HANDLE = 30;
const HEAD = HANDLE + GAP + 14; // the slots' numbers and the handles
const IMAGE = 44;
const LEAST = 22; // a slot that a finger still hits
const [RIGHT, PADDING] = [8, 8]; // beside the last slot; of the box around the picture

/** How wide a slot is, so that all h fit into the room if they can. @param {number} room in pixels; 0 when it is not known yet */
export function slotWidth(h, images, room) {
  const most = images ? IMAGE : CELL;
  return room ? Math.max(LEAST, Math.min(most, Math.floor((room - LABEL - RIGHT - PADDING) / h))) : most;
}

/**
 * @param {HTMLElement} parent @param {import("../core/mlp.js").Parameters} p @param {import("../core/matrix.js").Matrix} X
 * @param {{move: (unit: number, slot: number) => void, focus: (unit: number) => void}} act
 * @param {number} width of a slot, as slotWidth gives it
 */
export function ribbonView(parent, p, X, act, width) {
  const h = p.W1.cols;
  const images = p.W1.rows === 784;
  const parts = [
    { name: "W1", title: "W1", rows: images ? 1 : p.W1.rows, height: images ? width : CELL * p.W1.rows },
    { name: "b1", title: "b1", rows: 1, height: CELL },
    { name: "H", title: "H", rows: X.rows, height: CELL * X.rows },
    { name: "W2", title: "W2ᵀ", rows: p.W2.cols, height: CELL * p.W2.cols },
  ];
  let y = 0;
  for (const part of parts) {
    part.y = y;
    y += part.height + GAP;
  }
  const limits = { W1: largest(p.W1), b1: largest(p.b1), W2: largest(p.W2), b2: largest(p.b2) };
  const readout = element("p", { class: "permsym-readout" }, "Point at a unit, or focus it, to read its numbers.");
  const drawing = (kind, height) => svg("svg", { class: kind, width: LABEL + h * width + RIGHT, height, viewBox: `0 0 ${LABEL + h * width + RIGHT} ${height}` });
  // The handles change their order in the document at every move, and the browser then lays all out that is in their picture.
  const top = drawing("permsym-handles", HEAD);
  const picture = drawing("permsym-ribbons", y);
  for (let j = 0; j < h; j++) {
    top.append(svg("text", { x: LABEL + (j + 0.5) * width, y: 11, "text-anchor": "middle", class: "permsym-small" }, String(j)));
  }
  for (const part of parts) {
    picture.append(svg("text", { x: LABEL - 5, y: part.y + part.height / 2 + 4, "text-anchor": "end", class: "permsym-label" }, part.title));
  }
  top.prepend(svg("text", { x: LABEL - 5, y: 11, "text-anchor": "end", class: "permsym-small" }, "slot"));

  /** The colours that a unit has for good; those of H come with each pass. */
  const fillOf = {
    W1: images ? undefined : (unit, i) => weightColour(p.W1.data[i * h + unit], limits.W1),
    b1: (unit) => weightColour(p.b1.data[unit], limits.b1),
    W2: (unit, k) => weightColour(p.W2.data[unit * p.W2.cols + k], limits.W2),
  };
  const columns = Array.from({ length: h }, (_, unit) => {
    const made = { unit, whole: svg("g", { class: "permsym-column" }), groups: {}, rects: {} };
    picture.append(made.whole);
    for (const part of parts) {
      const group = svg("g", { class: "permsym-column" });
      made.rects[part.name] = Array.from({ length: part.rows }, (_, i) => {
        const rect = svg("rect", { fill: fillOf[part.name]?.(unit, i) ?? "none", x: 1, y: part.y + (i * part.height) / part.rows + 1, width: width - 2, height: part.height / part.rows - 2 });
        group.append(rect);
        return rect;
      });
      if (images && part.name === "W1") group.append(digitImage(p.W1, unit, limits.W1, part.y, width));
      group.append(svg("rect", {
        class: "permsym-frame", x: 1, y: part.y, width: width - 2, height: part.height, fill: "none", stroke: unitColour(unit), "stroke-width": 2,
      }));
      made.groups[part.name] = group;
      made.whole.append(group);
    }
    const handle = svg("g", {
      class: "permsym-handle", "data-unit": unit, role: "button", tabindex: -1,
      onkeydown: (event) => onKey(event, unit), onfocus: () => describeUnit(unit), onpointerenter: () => describeUnit(unit),
      onclick: () => handle.focus(),
    }, svg("rect", { x: 2, y: 16, width: width - 4, height: HANDLE - 4, rx: 6, fill: unitColour(unit) }),
    svg("text", { x: width / 2, y: 16 + HANDLE / 2 + 2, "text-anchor": "middle", fill: unitInk(unit), class: "permsym-chip" }, String(unit)));
    made.handle = handle;
    return made;
  });

  let state = null;
  let found = null;
  let dragging = null;
  const slotOf = (unit) => state.perm.indexOf(unit);
  const places = new Map();
  const place = (node, slots, from = 0) => {
    if (places.get(node) === slots) return;
    places.set(node, slots);
    node.style.transform = `translate(${from + slots * width}px, 0px)`;
  };
  const shades = new Map();
  const shade = (rect, colour) => {
    if (shades.get(rect) === colour) return;
    shades.set(rect, colour);
    rect.setAttribute("fill", colour);
  };

  function onKey(event, unit) {
    const slot = slotOf(unit);
    const wanted = { ArrowLeft: slot - 1, ArrowRight: slot + 1, ArrowUp: slot - 1, ArrowDown: slot + 1, Home: 0, End: h - 1 }[event.key];
    if (wanted === undefined) return;
    event.preventDefault();
    const to = Math.min(Math.max(wanted, 0), h - 1);
    if (event.shiftKey || event.altKey) focusSlot(to);
    else if (to !== slot) act.move(unit, to);
  }

  function focusSlot(slot) {
    const unit = state.perm[slot];
    act.focus(unit);
    columns[unit].handle.focus();
  }

  function describeUnit(unit) {
    const slot = slotOf(unit);
    const incoming = images ? "its image" : Array.from({ length: p.W1.rows }, (_, i) => number(p.W1.data[i * h + unit])).join(", ");
    const outgoing = Array.from({ length: p.W2.cols }, (_, k) => number(p.W2.data[unit * p.W2.cols + k])).join(", ");
    readout.textContent = `Unit ${unit} in slot ${slot}: incoming ${incoming}; bias ${number(p.b1.data[unit])}; outgoing ${outgoing}.`;
    readout.style.setProperty("--unit", unitColour(unit));
  }

  const dragged = drag()
    .container(top)
    .on("start", function (event, unit) {
      dragging = { unit, from: event.x, slot: slotOf(unit) };
      columns[unit].handle.focus({ preventScroll: true });
      top.classList.add("permsym-dragging");
    })
    .on("drag", (event, unit) => {
      const slot = Math.min(Math.max(Math.round(dragging.slot + (event.x - dragging.from) / width), 0), h - 1);
      if (slot !== slotOf(unit)) act.move(unit, slot);
    })
    .on("end", () => {
      dragging = null;
      top.classList.remove("permsym-dragging");
      arrange(state.perm.map((unit) => columns[unit].handle));
    });

  const stillParts = still(p, X, limits);
  const scroll = element("div", { class: "permsym-scroll", tabindex: 0, role: "region", "aria-label": "W1, b1, H and W2 transposed" }, top, picture);
  const figure = element("div", { class: "permsym-ribbon-panel" },
    element("p", { class: "permsym-hint" }, "Drag a unit, or focus it and press an arrow key; with Shift the focus moves instead."),
    scroll, readout);
  parent.append(figure, stillParts.panel);
  columns.forEach(({ unit, handle }) => {
    top.append(handle);
    select(handle).datum(unit).call(dragged);
  });

  return {
    width,
    busy: () => dragging !== null,
    update(next, result) {
      state = next;
      found = result;
      const slots = inverse(next.perm);
      const apart = { b1: next.mistakes.b1 ? null : slots, W2: inverse(rowsOfW2(next.perm, next.mistakes)) }; // these can be left behind
      let low = Infinity, high = -Infinity;
      for (const v of found.before.H.data) {
        low = Math.min(low, v);
        high = Math.max(high, v);
      }
      for (const { unit, whole, groups, rects, handle } of columns) {
        place(whole, slots[unit], LABEL);
        place(groups.b1, (apart.b1 ? apart.b1[unit] : unit) - slots[unit]);
        place(groups.W2, apart.W2[unit] - slots[unit]);
        rects.H.forEach((rect, i) => shade(rect, activationColour(found.after.H.data[i * h + slots[unit]], low, high)));
        place(handle, slots[unit], LABEL);
        attribute(handle, "aria-label", `unit ${unit}, slot ${slots[unit]} of ${h}`);
      }
      const ordered = next.perm.map((unit) => columns[unit].handle);
      roving(ordered, Math.max(next.perm.indexOf(next.focus), 0));
      if (!dragging) arrange(ordered); // a handle under the finger stays where it is in the document
      stillParts.update(found);
      const focused = columns.find(({ handle }) => handle === document.activeElement);
      if (focused) describeUnit(focused.unit);
    },
    destroy: () => select(top).selectAll("*").on(".drag", null),
  };
}

/** A column of W1 as a 28 x 28 picture. */
function digitImage(W1, unit, limit, y, size) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 28;
  const pen = canvas.getContext("2d");
  const pixels = pen.createImageData(28, 28);
  for (let i = 0; i < 784; i++) {
    const [r, g, b] = weightColour(W1.data[i * W1.cols + unit], limit * 0.7).match(/\d+/g).map(Number);
    pixels.data.set([r, g, b, 255], 4 * i);
  }
  pen.putImageData(pixels, 0, 0);
  return svg("image", { href: canvas.toDataURL(), x: 1, y: y + 1, width: size - 2, height: size - 2, style: "image-rendering: pixelated" });
}
