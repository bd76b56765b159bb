/** permutation-matrix: a permutation matrix on either side of a matrix, its transpose, and two of them one after the other. */
import { fromRows, largest, toRows } from "../core/matrix.js";
import { compose, cyclesAsText, inverse, moved } from "../core/permutation.js";
import { checks, examplePermutations, originOf, placeIn, placesMatrix, products } from "../core/products.js";
import { requireInteger, requireMatrix, requirePermutation, requireSwitches, SEEDS, told } from "../core/settings.js";
import { cyclesField } from "../ui/cycles-field.js";
import { button, checkbox, element, numberField } from "../ui/dom.js";
import { number, verdict } from "../ui/format.js";
import { matrixView } from "../ui/matrix-view.js";
import { permutationGrid } from "../ui/permutation-grid.js";
import { relabelButtons } from "../ui/relabel-buttons.js";
import { residualLine } from "../ui/residual.js";
import { unitStrip } from "../ui/unit-strip.js";
import { define } from "../ui/widget.js";

export const LIMITS = { n: [2, 6], entry: 1000 };
const MISTAKES = { transpose: "P in place of its transpose", order: "Q P in place of P Q" };
const PRODUCTS = {
  AP: "A P: columns", APt: "A Pᵀ: columns, back", PtA: "Pᵀ A: rows", PA: "P A: rows, back",
  APQ: "(A P) Q: first P, then Q", AQP: "(A Q) P: first Q, then P",
};
const CHECKS = {
  columns: "A P has the columns of A in the order perm:",
  rows: "Pᵀ A has the rows of A in the order perm:",
  inverse: "Pᵀ P = I:",
  composition: "(A P) Q = A (P Q):",
};

function start({ A, perm, second, mistakes, linked }) {
  const given = { A, perm, second, mistakes, pinned: null, draws: 0, ...linked };
  const matrix = requireMatrix("A", given.A, { limit: LIMITS.entry });
  const n = requireInteger("the number of rows of A", matrix.rows, ...LIMITS.n);
  if (matrix.cols !== n) throw new RangeError(`A has ${n} rows and ${matrix.cols} columns; a square matrix is required`);
  const { pinned } = given;
  if (pinned !== null && !(Array.isArray(pinned) && pinned.length === 2 && pinned.every((k) => Number.isInteger(k) && k >= 0 && k < n))) {
    throw new RangeError(`pinned is ${told(pinned)}; null or a row and a column of A is required`);
  }
  return {
    A: toRows(matrix), perm: requirePermutation("perm", given.perm, n), second: requirePermutation("second", given.second, n),
    mistakes: requireSwitches("mistakes", given.mistakes, Object.keys(MISTAKES)), pinned,
    draws: requireInteger("draws", given.draws, 0, SEEDS),
  };
}

const words = (perm) => `[${perm.join(", ")}]`;

function build(body, api) {
  let drawn = null; // the parts that depend on n
  let hovered = null; // an entry of A
  const change = (perm) => api.change({ perm: perm(api.state().perm) });
  const stage = element("div", { class: "permsym-stage" });
  const results = element("div", { class: "permsym-products" });
  const readout = element("p", { class: "permsym-readout", "aria-live": "polite" });
  const size = () => api.state().perm.length;
  const cycles = {
    perm: cyclesField("cycles", "P as cycles", { size, change: (perm) => api.change({ perm }), reject: api.reject }),
    second: cyclesField("cycles-second", "Q as cycles", { size, change: (second) => api.change({ second }), reject: api.reject }),
  };
  const sizeField = numberField("n", "rows and columns n", { min: LIMITS.n[0], max: LIMITS.n[1] },
    (n) => api.change({ A: placesMatrix(n), ...examplePermutations(n), pinned: null }), api.reject);
  const boxes = Object.entries(MISTAKES).map(([key, label]) => [
    key, checkbox(key, label, (on) => api.change({ mistakes: { ...api.state().mistakes, [key]: on } })),
  ]);
  const overall = residualLine("largest difference in the four identities: ");
  const lines = Object.fromEntries(Object.entries(CHECKS).map(([key, label]) => [key, residualLine(label)]));
  const note = element("p", {});

  body.append(
    element("div", { class: "permsym-row", role: "toolbar", "aria-label": "Change P" },
      ...relabelButtons(api, {
        of: "S_n",
        more: [button("transpose", "P ← Pᵀ", () => change(inverse)), button("compose", "P ← P Q", () => change((p) => compose(p, api.state().second)))],
      })),
    stage,
    element("div", { class: "permsym-row" }, cycles.perm.row, cycles.second.row, sizeField.row),
    readout, results,
    element("div", { class: "permsym-row" }, overall.row),
    element("table", { class: "permsym-checks" }, element("tbody", {}, ...Object.values(lines).map((line) => element("tr", {}, element("td", {}, line.row))))),
    note,
    element("fieldset", { class: "permsym-row" }, element("legend", {}, "Break it"), ...boxes.map(([, box]) => box.row)),
  );

  function draw(n) {
    stage.replaceChildren();
    results.replaceChildren();
    const edit = (i, j, value) => {
      const A = api.state().A.map((row) => row.slice());
      A[i][j] = value;
      requireMatrix("A", A, { limit: LIMITS.entry });
      api.change({ A });
    };
    const parts = {
      strip: unitStrip(stage, n, { title: "What each slot of A P holds", move: (unit, slot) => change((p) => moved(p, p.indexOf(unit), slot)) }),
      first: permutationGrid(stage, n, (perm) => api.change({ perm }), "P"),
      second: permutationGrid(stage, n, (second) => api.change({ second }), "Q"),
      A: matrixView(stage, { title: "A (type numbers into it)", rows: n, cols: n, edit, reject: api.reject, point: (cell) => hover(cell) }),
    };
    parts.products = Object.fromEntries(Object.entries(PRODUCTS).map(([key, title]) => {
      const panel = element("div", { class: "permsym-product" });
      results.append(panel);
      const origin = (cell) => originOf(current()[key], cell);
      return [key, matrixView(panel, {
        title, rows: n, cols: n, point: (cell) => hover(cell && origin(cell)), pick: (cell) => pin(origin(cell)),
      })];
    }));
    return parts;
  }

  const current = () => {
    const { A, perm, second } = api.state();
    return products(fromRows(A), perm, second);
  };
  const pin = (entry) => api.change({ pinned: String(api.state().pinned) === String(entry) ? null : entry });
  function hover(entry) {
    hovered = entry;
    light(current());
  }

  /** Light the entry of A and the places it has gone to. */
  function light(made) {
    const { A, pinned } = api.state();
    const entry = hovered ?? pinned;
    const lit = (place) => (i, j) => (place && place[0] === i && place[1] === j ? "lit" : "");
    drawn.A.light(lit(entry));
    for (const [key, view] of Object.entries(drawn.products)) view.light(lit(entry && placeIn(made[key], entry)));
    const place = (key) => placeIn(made[key], entry).join(", ");
    readout.textContent = entry
      ? `The entry ${number(A[entry[0]][entry[1]])} of A, at row ${entry[0]}, column ${entry[1]}, stands at ${place("AP")} in A P, at ${place("APt")} in A Pᵀ, at ${place("PtA")} in Pᵀ A and at ${place("PA")} in P A.`
      : "Point at an entry to see where it goes; click it, or press Enter on it, to keep it lit.";
  }

  return {
    update(state) {
      const n = state.perm.length;
      if (drawn?.n !== n) {
        hovered = null;
        drawn = { n, ...draw(n) };
      }
      const A = fromRows(state.A);
      const made = products(A, state.perm, state.second);
      const limit = largest(A);
      drawn.strip.update(state.perm);
      drawn.first.update(state.perm);
      drawn.second.update(state.second);
      drawn.A.update(A, { limit });
      for (const [key, view] of Object.entries(drawn.products)) {
        const { product, axis, order } = made[key];
        view.update(product, { limit, units: order, unitAxis: axis });
      }
      light(made);
      const found = checks(A, state.perm, state.second, state.mistakes);
      for (const { name, residual } of found) lines[name].show(residual, 0);
      overall.show(Math.max(...found.map(({ residual }) => residual)), 0);
      const own = cyclesAsText(inverse(state.perm)) === cyclesAsText(state.perm);
      note.textContent = own
        ? "This P is its own transpose, so it cannot show a wrong direction: take a cycle of three or more."
        : `New slot j holds the column (row) perm[j] of A, with perm = ${words(state.perm)}. On the wrong side, or transposed, P moves things back: ${words(inverse(state.perm))}.`;
      cycles.perm.show(state.perm);
      cycles.second.show(state.second);
      sizeField.show(n);
      for (const [key, box] of boxes) box.input.checked = state.mistakes[key];
    },
  };
}

function describe(state) {
  const found = checks(fromRows(state.A), state.perm, state.second, state.mistakes);
  const largestOne = Math.max(...found.map(({ residual }) => residual));
  const broken = Object.keys(MISTAKES).filter((key) => state.mistakes[key]).map((key) => MISTAKES[key]);
  return `A P holds columns ${state.perm.join(", ")} of A, Pᵀ A its rows ${state.perm.join(", ")}.` +
    ` P is ${cyclesAsText(state.perm)}, Q ${cyclesAsText(state.second)}, P Q ${cyclesAsText(compose(state.perm, state.second))}` +
    ` and Q P ${cyclesAsText(compose(state.second, state.perm))}.` +
    ` The four identities: ${verdict(largestOne, 0)}.${broken.length ? ` Broken on purpose: ${broken.join("; ")}.` : ""}`;
}

export default define({
  slug: "permutation-matrix",
  title: "Permutation matrices on the left and on the right",
  traits: ["A", "perm", "second", "mistakes"],
  start,
  toTraits: ({ A, perm, second, mistakes }) => ({ A, perm, second, mistakes }),
  build,
  describe,
});
