/** What no relabelling moves: X, b2 and the output O. */
import { largest } from "../core/matrix.js";
import { inkOn, weightColour } from "./colour.js";
import { element, write } from "./dom.js";
import { number } from "./format.js";

/**
 * @param {import("../core/mlp.js").Parameters} p @param {import("../core/matrix.js").Matrix} X
 * @param {{b2: number}} limits the largest weight of b2
 */
export function still(p, X, limits) {
  const q = p.W2.cols;
  const tables = [];
  if (X.cols !== 784) tables.push(matrixTable("X", X, (v) => weightColour(v, largest(X))));
  tables.push(matrixTable("b2", p.b2, (v) => weightColour(v, limits.b2)));
  const before = matrixTable("O", { rows: X.rows, cols: q, data: new Float64Array(X.rows * q) }, () => "rgb(200 200 200)");
  tables.push(before);
  const shown = [];
  return {
    panel: element("div", { class: "permsym-still" }, ...tables.map((t) => t.figure)),
    update({ before: plain, after, residual, bound }) {
      const limit = largest(plain.O);
      before.cells.forEach((cell, i) => {
        const colour = weightColour(after.O.data[i], limit);
        if (shown[i] !== colour) {
          shown[i] = colour;
          cell.style.background = colour;
          cell.style.color = inkOn(colour);
        }
        write(cell, number(after.O.data[i]));
        cell.classList.toggle("permsym-differs", residual > bound && Math.abs(after.O.data[i] - plain.O.data[i]) > bound);
      });
    },
  };
}

function matrixTable(name, A, colour) {
  const cells = [];
  const table = element("table", { class: "permsym-matrix" }, element("caption", {}, name));
  const tbody = element("tbody", {});
  for (let i = 0; i < A.rows; i++) {
    const row = element("tr", {});
    for (let j = 0; j < A.cols; j++) {
      const value = A.data[i * A.cols + j];
      const background = colour(value);
      const cell = element("td", { style: `background: ${background}; color: ${inkOn(background)}` }, number(value));
      cells.push(cell);
      row.append(cell);
    }
    tbody.append(row);
  }
  table.append(tbody);
  const wide = A.cols > 6; // wider than a narrow page
  return { figure: wide ? element("div", { class: "permsym-scroll", tabindex: 0, role: "region", "aria-label": name }, table) : table, cells };
}
