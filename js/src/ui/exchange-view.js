/** Two units that approach, coincide and exchange: as arrows in a plane with the way of their tips, and as columns of numbers. */
import { linear } from "./axis.js";
import { inkOn, unitColour, unitInk, weightColour } from "./colour.js";
import { element, svg } from "./dom.js";
import { number } from "./format.js";

const SIDE = 230;
const EDGE = 28;

/** @param {HTMLElement} parent @param {{units: number[], names: string[]}} options */
export function exchangeView(parent, { units, names }) {
  const trails = units.map((unit, i) => svg("path", { fill: "none", stroke: unitColour(unit), "stroke-width": 1.4, "stroke-opacity": 0.75, "stroke-dasharray": i ? "2 3" : "none" }));
  const arrows = units.map((unit, i) => svg("path", { fill: "none", stroke: unitColour(unit), "stroke-width": i ? 3 : 5, "stroke-linecap": "round", "stroke-linejoin": "round" }));
  const tips = units.map((unit, i) => { // the numbers stand above and below, so that both are seen where the tips coincide
    const y = i ? 17 : -17;
    return svg("g", {}, svg("circle", { r: i ? 4 : 6, fill: unitColour(unit) }), svg("rect", { x: -10, y: y - 9, width: 20, height: 18, rx: 5, fill: unitColour(unit) }),
      svg("text", { y: y + 4, "text-anchor": "middle", class: "permsym-chip", fill: unitInk(unit) }, String(unit)));
  });
  const origin = svg("circle", { r: 3, fill: "currentColor" });
  const picture = svg("svg", { class: "permsym-plot", viewBox: `0 0 ${SIDE} ${SIDE}`, width: "100%", style: `max-width: ${SIDE}px`, role: "img" }, ...trails, origin, ...arrows, ...tips,
    svg("text", { x: SIDE / 2, y: SIDE - 2, "text-anchor": "middle", class: "permsym-small" }, "along their first difference"));
  parent.append(element("div", { class: "permsym-arrows" }, element("p", { class: "permsym-label" }, "The two units as arrows"), picture));
  const heads = units.map((unit) => element("th", { scope: "col", class: "permsym-unit-head", style: `background: ${unitColour(unit)}; color: ${unitInk(unit)}` }, String(unit)));
  const cells = names.map(() => units.map(() => element("td", {})));
  const rows = names.map((name, k) => element("tr", {}, element("th", { scope: "row", class: "permsym-index-head" }, name), ...cells[k]));
  parent.append(element("div", { class: "permsym-scroll permsym-vectors", tabindex: 0, role: "region", "aria-label": "The units' weights" },
    element("table", { class: "permsym-matrix" }, element("caption", {}, "Their weights"), element("thead", {}, element("tr", {}, element("td", {}), ...heads)), element("tbody", {}, ...rows))));
  let place = null;
  let drawn = null;

  return {
    /** @param {[number, number][][]} places of the tips (T, 2) @param {number[][][]} vectors (T, 2, m) @param {number} t @param {string} label */
    update(places, vectors, t, label) {
      picture.setAttribute("aria-label", label);
      if (drawn !== places) {
        drawn = places;
        const flat = [[0, 0], ...places.flat()];
        const spans = [0, 1].map((k) => flat.reduce(([a, b], p) => [Math.min(a, p[k]), Math.max(b, p[k])], [0, 0]));
        const reach = Math.max(...spans.map(([a, b]) => b - a), 1e-9) / 2;
        const centres = spans.map(([a, b]) => (a + b) / 2);
        const across = linear([centres[0] - reach, centres[0] + reach], [EDGE, SIDE - EDGE]);
        const up = linear([centres[1] - reach, centres[1] + reach], [SIDE - EDGE - 6, EDGE]);
        place = ([a, b]) => [across(a), up(b)];
        const [ox, oy] = place([0, 0]);
        origin.setAttribute("cx", ox.toFixed(1));
        origin.setAttribute("cy", oy.toFixed(1));
        trails.forEach((trail, i) => trail.setAttribute("d", `M${places.map((pair) => place(pair[i]).map((v) => v.toFixed(1)).join(",")).join("L")}`));
      }
      const [ox, oy] = place([0, 0]);
      places[t].forEach((tip, i) => {
        const [x, y] = place(tip);
        arrows[i].setAttribute("d", `M${ox.toFixed(1)},${oy.toFixed(1)}L${x.toFixed(1)},${y.toFixed(1)}`);
        tips[i].setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
      });
      const limit = vectors.reduce((m, pair) => Math.max(m, ...pair.flat().map(Math.abs)), 0);
      cells.forEach((row, k) => row.forEach((cell, i) => {
        const value = vectors[t][i][k];
        const colour = weightColour(value, limit);
        cell.style.background = colour;
        cell.style.color = inkOn(colour);
        cell.textContent = number(value);
      }));
    },
  };
}
