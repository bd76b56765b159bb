/** A matrix as a table of coloured cells with its numbers, editable or not, whose cells can be lit up together with others. */
import { inkOn, unitColour, unitInk, weightColour } from "./colour.js";
import { element } from "./dom.js";
import { number } from "./format.js";
import { afterDrawing, slide } from "./slide.js";

/**
 * @param {HTMLElement} parent
 * @param {{title: string, rows: number, cols: number, edit?: (i: number, j: number, value: number) => void,
 *          reject?: (message: string) => void, point?: (cell: [number, number] | null) => void,
 *          pick?: (cell: [number, number]) => void}} options
 *   `edit` makes cells editable and throws a RangeError for a number it refuses; `point` is told the cell under the pointer or the focus, and null when it leaves; `pick` is told the
 *   cell that is clicked, or chosen with Enter or Space.
 */
export function matrixView(parent, { title, rows, cols, edit, reject, point, pick }) {
  const heads = Array.from({ length: cols }, () => element("th", { scope: "col" }));
  const sides = Array.from({ length: rows }, () => element("th", { scope: "row" }));
  const caption = element("caption", {}, title);
  const walked = !edit && (point || pick);
  let at = [0, 0];
  const cells = Array.from({ length: rows }, (_, i) => Array.from({ length: cols }, (_, j) => {
    const inside = edit
      ? element("input", { type: "text", inputmode: "decimal", class: "permsym-cell-input", "aria-label": `${title}, row ${i}, column ${j}`, onchange: (event) => typed(event.target, i, j) })
      : element("span", { class: "permsym-cell-value" });
    const cell = element("td", {
      "data-cell": `${i},${j}`, onpointerenter: () => point?.([i, j]), onpointerleave: () => point?.(null),
      onfocusin: () => point?.([i, j]), onfocusout: () => point?.(null), onkeydown: (event) => onKey(event, i, j),
      onclick: () => !edit && pick?.([i, j]),
    }, inside);
    if (walked) cell.tabIndex = i + j ? -1 : 0;
    return cell;
  }));
  const table = element("table", { class: `permsym-matrix${pick && !edit ? " permsym-picked-from" : ""}`, role: walked ? "grid" : null }, caption,
    element("thead", {}, element("tr", {}, element("td", {}), ...heads)),
    element("tbody", {}, ...cells.map((row, i) => element("tr", {}, sides[i], ...row))));
  // a table that may have to be scrolled needs a place for the focus: a cell, a field, or the panel itself
  const panel = element("div", { class: "permsym-scroll", ...(walked || edit ? {} : { tabindex: 0, role: "region", "aria-label": title }) }, table);
  parent.append(panel);
  const drawn = []; // the numbers that the cells show
  let held = null; // what stood in the slots

  function typed(input, i, j) {
    const value = Number(input.value.replace("−", "-").replace(",", "."));
    try {
      if (input.value.trim() === "" || !Number.isFinite(value)) throw new RangeError(`"${input.value}" is not a number`);
      edit(i, j, value);
    } catch (error) {
      reject?.(error.message);
      input.value = input.dataset.last;
    }
  }

  function onKey(event, i, j) {
    if (!walked) return;
    if (pick && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      pick([i, j]);
      return;
    }
    const to = { ArrowUp: [i - 1, j], ArrowDown: [i + 1, j], ArrowLeft: [i, j - 1], ArrowRight: [i, j + 1], Home: [i, 0], End: [i, cols - 1] }[event.key];
    if (!to) return;
    event.preventDefault();
    cells[at[0]][at[1]].tabIndex = -1;
    at = [Math.min(Math.max(to[0], 0), rows - 1), Math.min(Math.max(to[1], 0), cols - 1)];
    cells[at[0]][at[1]].tabIndex = 0;
    cells[at[0]][at[1]].focus();
  }

  function label(axis, units) {
    axis.forEach((head, slot) => {
      const shown = units ? units[slot] : slot;
      head.textContent = String(shown);
      head.className = units ? "permsym-unit-head" : "permsym-index-head";
      head.style.background = units ? unitColour(shown) : "";
      head.style.color = units ? unitInk(shown) : "";
    });
  }

  /** Let every column or row slide from where it stood. */
  function move(order, axis) {
    const before = held;
    held = { order, axis };
    if (!before || before.axis !== axis || before.order.length !== order.length || before.order.every((u, j) => u === order[j])) return;
    const along = axis === "cols" ? heads : sides;
    afterDrawing(() => {
      const places = along.map((head) => (axis === "cols" ? head.offsetLeft : head.offsetTop));
      return () => order.forEach((thing, slot) => {
        const away = places[before.order.indexOf(thing)] - places[slot];
        const group = axis === "cols" ? [heads[slot], ...cells.map((row) => row[slot])] : [sides[slot], ...cells[slot]];
        slide(group, axis === "cols" ? away : 0, axis === "cols" ? 0 : away);
      });
    });
  }

  const light = (lit) => cells.forEach((row, i) => row.forEach((cell, j) => {
    const word = lit(i, j);
    cell.classList.toggle("permsym-lit", word.includes("lit"));
    cell.classList.toggle("permsym-differs", word.includes("differs"));
  }));

  return {
    table,
    panel,
    /**
     * @param {import("../core/matrix.js").Matrix} A
     * @param {{limit: number, units?: number[], order?: number[], unitAxis?: "rows" | "cols",
     *          lit?: (i: number, j: number) => string, title?: string}} options
     *   `lit` gives a cell's words, see `light`; `units` are the units in the slots along `unitAxis`, and `order` tells
     *   which thing each slot holds where units repeat.
     */
    update(A, { limit, units, order = units, unitAxis = "cols", lit = () => "", title: newTitle }) {
      if (newTitle) caption.textContent = newTitle;
      label(heads, unitAxis === "cols" ? units : undefined);
      label(sides, unitAxis === "rows" ? units : undefined);
      cells.forEach((row, i) => row.forEach((cell, j) => {
        const value = A.data[i * cols + j];
        if (!edit && drawn[i * cols + j] === value && drawn.limit === limit) return;
        drawn[i * cols + j] = value;
        const colour = weightColour(value, limit);
        cell.style.background = colour;
        cell.style.color = inkOn(colour);
        const text = number(value);
        const inside = cell.firstChild;
        if (edit) {
          inside.dataset.last = text;
          if (document.activeElement !== inside) inside.value = text;
          inside.style.color = cell.style.color;
        } else if (inside.textContent !== text) inside.textContent = text;
      }));
      drawn.limit = limit;
      light(lit);
      if (order) move(order, unitAxis);
    },
    /** Light cells up, without touching their numbers: a cell's words are "", "lit", "differs" or both. */
    light,
  };
}
