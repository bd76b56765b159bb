/** P as a matrix of buttons: a click on (row k, column j) puts unit k into slot j, in exchange for the unit that was there. */
import { unitColour, unitInk } from "./colour.js";
import { element } from "./dom.js";

/** @param {HTMLElement} parent @param {number} n @param {(perm: number[]) => void} change @param {string} letter */
export function permutationGrid(parent, n, change, letter = "P") {
  let perm = [];
  let at = [0, 0];
  const cells = [];
  const put = (k, j) => {
    const next = perm.slice();
    const from = next.indexOf(k);
    [next[j], next[from]] = [next[from], next[j]];
    change(next);
  };
  const focus = (k, j) => {
    cells[at[0]][at[1]].tabIndex = -1;
    at = [Math.min(Math.max(k, 0), n - 1), Math.min(Math.max(j, 0), n - 1)];
    cells[at[0]][at[1]].tabIndex = 0;
    cells[at[0]][at[1]].focus();
  };
  const onKey = (event, k, j) => {
    const to = { ArrowUp: [k - 1, j], ArrowDown: [k + 1, j], ArrowLeft: [k, j - 1], ArrowRight: [k, j + 1], Home: [k, 0], End: [k, n - 1] }[event.key];
    if (!to) return;
    event.preventDefault();
    focus(...to);
  };
  const rows = Array.from({ length: n }, (_, k) => {
    cells.push(Array.from({ length: n }, (_, j) =>
      element("button", { type: "button", class: "permsym-p", tabindex: k + j ? -1 : 0, "data-p": `${k},${j}`, onclick: () => put(k, j), onkeydown: (e) => onKey(e, k, j) })));
    return element("div", { role: "row" }, ...cells[k].map((cell) => element("div", { role: "gridcell" }, cell)));
  });
  parent.append(element("div", { class: "permsym-grid-panel" }, element("p", { class: "permsym-label" }, letter),
    element("div", { role: "grid", class: "permsym-grid", "aria-label": `The permutation matrix ${letter}`, style: `--n: ${n}` }, ...rows)));
  return {
    update(next) {
      perm = next;
      cells.forEach((row, k) => row.forEach((cell, j) => {
        const one = perm[j] === k;
        if (cell.dataset.one === String(one)) return;
        cell.dataset.one = String(one);
        cell.textContent = one ? "1" : "0";
        cell.style.background = one ? unitColour(k) : "";
        cell.style.color = one ? unitInk(k) : "";
        cell.setAttribute("aria-label", `row ${k}, column ${j}: ${one ? 1 : 0}`);
      }));
    },
  };
}
