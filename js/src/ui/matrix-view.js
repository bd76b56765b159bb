/** A matrix as a table of coloured cells with its numbers, editable or not, whose cells can be lit up together with others. */
import { inkOn, unitColour, weightColour } from "./colour.js";
import { element } from "./dom.js";
import { number } from "./format.js";

/**
 * @param {HTMLElement} parent
 * @param {{title: string, rows: number, cols: number, edit?: (i: number, j: number, value: number) => void,
 *          reject?: (message: string) => void, point?: (cell: [number, number] | null) => void}} options
 *   `edit` makes cells editable; `point` is told the cell under the pointer or the focus, and null when it leaves.
 */
export function matrixView(parent, { title, rows, cols, edit, reject, point }) {
  const heads = Array.from({ length: cols }, () => element("th", { scope: "col" }));
  const sides = Array.from({ length: rows }, () => element("th", { scope: "row" }));
  const caption = element("caption", {}, title);
  let at = [0, 0];
  const cells = Array.from({ length: rows }, (_, i) => Array.from({ length: cols }, (_, j) => {
    const inside = edit
      ? element("input", { type: "text", inputmode: "decimal", class: "permsym-cell-input", "aria-label": `${title}, row ${i + 1}, column ${j + 1}`, onchange: (event) => typed(event.target, i, j) })
      : element("span", { class: "permsym-cell-value" });
    const cell = element("td", {
      "data-cell": `${i},${j}`, onpointerenter: () => point?.([i, j]), onpointerleave: () => point?.(null),
      onfocusin: () => point?.([i, j]), onfocusout: () => point?.(null), onkeydown: (event) => onKey(event, i, j),
    }, inside);
    if (!edit && point) cell.tabIndex = i + j ? -1 : 0;
    return cell;
  }));
  const table = element("table", { class: "permsym-matrix" }, caption,
    element("thead", {}, element("tr", {}, element("td", {}), ...heads)),
    element("tbody", {}, ...cells.map((row, i) => element("tr", {}, sides[i], ...row))));
  parent.append(element("div", { class: "permsym-scroll" }, table));

  function typed(input, i, j) {
    const value = Number(input.value.replace("−", "-").replace(",", "."));
    if (input.value.trim() === "" || !Number.isFinite(value)) {
      reject?.(`"${input.value}" is not a number`);
      input.value = input.dataset.last;
    } else edit(i, j, value);
  }

  function onKey(event, i, j) {
    if (edit || !point) return;
    const to = { ArrowUp: [i - 1, j], ArrowDown: [i + 1, j], ArrowLeft: [i, j - 1], ArrowRight: [i, j + 1], Home: [i, 0], End: [i, cols - 1] }[event.key];
    if (!to) return;
    event.preventDefault();
    cells[at[0]][at[1]].tabIndex = -1;
    at = [Math.min(Math.max(to[0], 0), rows - 1), Math.min(Math.max(to[1], 0), cols - 1)];
    cells[at[0]][at[1]].tabIndex = 0;
    cells[at[0]][at[1]].focus();
  }

  return {
    table,
    /**
     * @param {import("../core/matrix.js").Matrix} A
     * @param {{limit: number, units?: number[], unitAxis?: "rows" | "cols", lit?: (i: number, j: number) => string, title?: string}} options
     *   `lit` gives a cell's class: "", "lit" or "differs"; `units` are the units in the slots along `unitAxis`.
     */
    update(A, { limit, units, unitAxis = "cols", lit = () => "", title: newTitle }) {
      if (newTitle) caption.textContent = newTitle;
      (unitAxis === "cols" ? heads : sides).forEach((head, slot) => {
        head.textContent = units ? String(units[slot] + 1) : "";
        head.style.color = units ? unitColour(units[slot]) : "";
      });
      cells.forEach((row, i) => row.forEach((cell, j) => {
        const value = A.data[i * cols + j];
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
        const word = lit(i, j);
        cell.classList.toggle("permsym-lit", word === "lit");
        cell.classList.toggle("permsym-differs", word === "differs");
      }));
    },
  };
}
