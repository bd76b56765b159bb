/** elementwise-commutes: relabel and then apply a function, or the other way round; the entries that differ light up. */
import { fromRows, largest, toRows } from "../core/matrix.js";
import { cyclesAsText, identityPermutation, moved } from "../core/permutation.js";
import { commutes, ROW_FUNCTIONS } from "../core/row-functions.js";
import { following, randomData, requireInteger, requireMatrix, requireOneOf, requirePermutation, SEEDS } from "../core/settings.js";
import { cyclesField } from "../ui/cycles-field.js";
import { button, element, numberField } from "../ui/dom.js";
import { number, verdict } from "../ui/format.js";
import { matrixView } from "../ui/matrix-view.js";
import { relabelButtons } from "../ui/relabel-buttons.js";
import { residualLine } from "../ui/residual.js";
import { unitStrip } from "../ui/unit-strip.js";
import { define } from "../ui/widget.js";

export const LIMITS = { n: [1, 5], h: [2, 6], entry: 100 };
const GROUPS = {
  entry: "each entry by itself, one function for all", alike: "all units of a sample, treated alike",
  unit: "each entry by itself, by its unit's slope", slot: "the slot matters",
};

function start({ Z, perm, function: name, linked }) {
  const given = { draws: 0, Z, perm, function: name, ...linked };
  const matrix = requireMatrix("Z", given.Z, { limit: LIMITS.entry });
  requireInteger("the number of samples", matrix.rows, ...LIMITS.n);
  requireInteger("the number of units", matrix.cols, ...LIMITS.h);
  return {
    Z: toRows(matrix), perm: requirePermutation("perm", given.perm, matrix.cols),
    function: requireOneOf("function", given.function, Object.keys(ROW_FUNCTIONS)),
    draws: requireInteger("draws", given.draws, 0, SEEDS),
  };
}

const find = (state) => commutes(state.function, fromRows(state.Z), state.perm);

function build(body, api) {
  let drawn = null;
  let hovered = null; // a row, and a column of Z
  const change = (perm) => api.change({ perm: perm(api.state().perm) });
  const redraw = ({ n, h }) => {
    const { Z, perm, draws } = api.state();
    const [rows, cols] = [n ?? Z.length, h ?? perm.length];
    const cycle = cols === 2 ? [1, 0] : [2, 0, 1, ...identityPermutation(cols).slice(3)];
    api.change({ Z: toRows(randomData(1992 + draws, rows, cols)), perm: cols === perm.length ? perm : cycle, draws: following(draws) });
  };
  const chosen = element("select", { "data-option": "function", onchange: () => api.change({ function: chosen.value }) },
    ...Object.entries(GROUPS).map(([group, label]) => element("optgroup", { label },
      ...Object.entries(ROW_FUNCTIONS).filter(([, f]) => f.group === group).map(([value, f]) => element("option", { value }, f.words)))));
  const cycles = cyclesField("cycles", "P as cycles", { size: () => api.state().perm.length, change: (perm) => api.change({ perm }), reject: api.reject });
  const fields = {
    n: numberField("n", "samples n", { min: LIMITS.n[0], max: LIMITS.n[1] }, (n) => redraw({ n }), api.reject),
    h: numberField("h", "units h", { min: LIMITS.h[0], max: LIMITS.h[1] }, (h) => redraw({ h }), api.reject),
  };
  const residual = residualLine("max |f(Z P) − f(Z) P| =");
  const place = element("div", {});
  const square = element("div", { class: "permsym-square" });
  const readout = element("p", { class: "permsym-readout", "aria-live": "polite" });
  const rows = Object.fromEntries(Object.entries(ROW_FUNCTIONS).map(([name, f]) => {
    const words = element("td", {});
    return [name, { words, row: element("tr", {}, element("th", { scope: "row" }, f.words), words) }];
  }));
  const all = element("div", {}, element("p", { class: "permsym-label" }, "All functions: max |f(Z P) − f(Z) P|"),
    ...Object.entries(GROUPS).map(([group, label]) => element("table", { class: "permsym-checks" }, element("caption", {}, label),
      element("tbody", {}, ...Object.keys(ROW_FUNCTIONS).filter((name) => ROW_FUNCTIONS[name].group === group).map((name) => rows[name].row)))));

  body.append(
    element("div", { class: "permsym-row", role: "toolbar", "aria-label": "Function and relabelling" },
      element("label", { class: "permsym-field" }, element("span", {}, "f ="), chosen),
      ...relabelButtons(api)),
    element("div", { class: "permsym-panels" }, element("div", {}, place, square, element("p", {}, residual.row), readout), all),
    element("div", { class: "permsym-row" }, cycles.row, fields.n.row, fields.h.row, button("redraw", "other numbers", () => redraw({}))),
  );

  function draw(n, h) {
    place.replaceChildren();
    square.replaceChildren();
    const edit = (i, j, value) => {
      const Z = api.state().Z.map((row) => row.slice());
      Z[i][j] = value;
      requireMatrix("Z", Z, { limit: LIMITS.entry });
      api.change({ Z });
    };
    const cell = () => element("div", { class: "permsym-product" });
    const corners = { Z: cell(), ZP: cell(), fZ: cell(), both: cell() };
    const arrow = (text) => element("p", { class: "permsym-arrow" }, text);
    square.append(
      corners.Z, arrow("relabel →"), corners.ZP,
      arrow("↓ f"), element("span", {}), arrow("↓ f"),
      corners.fZ, arrow("relabel →"), corners.both);
    const view = (parent, title, moves, options = {}) => matrixView(parent, {
      title, rows: n, cols: h, point: (at) => hover(at && [at[0], moves ? api.state().perm[at[1]] : at[1]]), ...options,
    });
    return {
      n, h,
      strip: unitStrip(place, h, { title: "What each slot of Z P holds", move: (unit, slot) => change((p) => moved(p, p.indexOf(unit), slot)) }),
      Z: view(corners.Z, "Z (type numbers into it)", false, { edit, reject: api.reject }),
      ZP: view(corners.ZP, "Z P", true),
      fZ: view(corners.fZ, "f(Z)", false),
      last: view(corners.both, "f(Z) P: f, then relabel", true),
      first: view(corners.both, "f(Z P): relabel, then f", true),
    };
  }

  function hover(entry) {
    hovered = entry;
    light(find(api.state()));
  }

  function light(found) {
    const { perm, Z } = api.state();
    const lit = (moves) => (i, j) => (hovered && hovered[0] === i && hovered[1] === (moves ? perm[j] : j) ? "lit" : "");
    const differs = (i, j) => `${lit(true)(i, j)} ${found.differs(i, j) ? "differs" : ""}`;
    drawn.Z.light(lit(false));
    drawn.fZ.light(lit(false));
    drawn.ZP.light(lit(true));
    drawn.first.light(differs);
    drawn.last.light(differs);
    if (!hovered) {
      readout.textContent = "Point at an entry, or walk to it with the arrow keys, to follow it round the square.";
      return;
    }
    const [i, unit] = hovered;
    const at = (A, j) => number(A.data[i * perm.length + j]);
    const slot = perm.indexOf(unit);
    readout.textContent = `Sample ${i}, unit ${unit}: ${number(Z[i][unit])}; f makes ${at(found.fZ, unit)} of it before the` +
      ` relabelling and, in slot ${slot}, ${at(found.fZP, slot)} after it: ${found.differs(i, slot) ? "they differ" : "the same"}.`;
  }

  return {
    update(state) {
      const [n, h] = [state.Z.length, state.perm.length];
      if (drawn?.n !== n || drawn?.h !== h) {
        hovered = null;
        drawn = draw(n, h);
      }
      const Z = fromRows(state.Z);
      const found = find(state);
      const before = { limit: largest(Z) };
      const after = { limit: Math.max(largest(found.fZ), largest(found.fZP)) };
      const identity = identityPermutation(h);
      drawn.strip.update(state.perm);
      drawn.Z.update(Z, { ...before, units: identity });
      drawn.ZP.update(found.ZP, { ...before, units: state.perm });
      drawn.fZ.update(found.fZ, { ...after, units: identity });
      drawn.last.update(found.fZthenP, { ...after, units: state.perm });
      drawn.first.update(found.fZP, { ...after, units: state.perm });
      light(found);
      residual.show(found.residual, found.bound);
      chosen.value = state.function;
      cycles.show(state.perm);
      fields.n.show(n);
      fields.h.show(h);
      for (const [name, { words, row }] of Object.entries(rows)) {
        const { residual: r, bound, holds } = commutes(name, Z, state.perm);
        words.textContent = r !== 0 && holds ? `${number(r)}, rounding` : verdict(r, bound);
        row.classList.toggle("permsym-current", name === state.function);
      }
    },
  };
}

function describe(state) {
  const found = find(state);
  const f = ROW_FUNCTIONS[state.function];
  const entries = state.Z.length * state.perm.length;
  const outcome = found.holds
    ? `commutes with this relabelling: ${verdict(found.residual, found.bound)}`
    : `does not commute: ${found.differing} of ${entries} entries differ, by up to ${number(found.residual)}`;
  return `The relabelling is ${cyclesAsText(state.perm)}. ${f.words} (${GROUPS[f.group]}) ${outcome}.`;
}

export default define({
  slug: "elementwise-commutes",
  title: "Which functions commute with a relabelling",
  traits: ["Z", "perm", "function"],
  start,
  toTraits: ({ Z, perm, function: name }) => ({ Z, perm, function: name }),
  build,
  describe,
});
