/** The eigenvalues at every point of a path on a symmetric logarithmic axis: zero and negative ones have marks of their own. */
import { linearUpTo, symlog, symlogTicks } from "../core/saddle-path.js";
import { drawAxis, linear, roundTicks } from "./axis.js";
import { unitColour } from "./colour.js";
import { element, svg } from "./dom.js";
import { number } from "./format.js";
import { sliderPicture } from "./slider-picture.js";

const MARGIN = { top: 8, right: 12, bottom: 34, left: 52 };
const [WIDTH, HEIGHT] = [340, 260];

/** A mark's outline around (x, y). */
const MARKS = {
  positive: (x, y, r) => `M${x - r},${y}a${r},${r} 0 1,0 ${2 * r},0a${r},${r} 0 1,0 ${-2 * r},0Z`,
  negative: (x, y, r) => `M${x - 1.4 * r},${y - r}h${2.8 * r}l${-1.4 * r},${2.4 * r}Z`,
  zero: (x, y, r) => `M${x - r},${y - r}h${2 * r}v${2 * r}h${-2 * r}Z`,
};
const LOOKS = {
  positive: { fill: unitColour(2) },
  negative: { fill: unitColour(1) },
  zero: { fill: "var(--pw-page)", stroke: unitColour(0), "stroke-width": 1.6 },
};

/**
 * @param {HTMLElement} parent
 * @param {{pick: (point: number, first: boolean) => void}} options told which point is wanted; `first` is false while the pointer is held down
 */
export function spectrumPlot(parent, { pick }) {
  const level = svg("line", { x1: 0, stroke: "currentColor", "stroke-opacity": 0.4 });
  const cursor = svg("line", { y1: 0, stroke: "currentColor", "stroke-dasharray": "3 3" });
  const all = Object.keys(MARKS).map((kind) => svg("path", LOOKS[kind]));
  const here = Object.keys(MARKS).map((kind) => svg("path", { ...LOOKS[kind], "data-spectrum": kind }));
  let x = linear([0, 1], [0, 1]);
  const { picture, inner, xAxis, yAxis, show } = sliderPicture({
    kind: "permsym-spectrum", name: "data-scrub", size: [WIDTH, HEIGHT], margin: MARGIN, shown: WIDTH, title: "Eigenvalues of the Hessian, by the point of the path",
    x: "point of the path", least: 0, far: 5, pick, nearest: (along) => Math.round(x.invert(along)),
  }, level, cursor, ...all, ...here);
  level.setAttribute("x2", String(inner.width));
  cursor.setAttribute("y2", String(inner.height));
  parent.append(element("figure", { class: "permsym-plot-panel" }, element("figcaption", { class: "permsym-label" }, "Eigenvalues of the Hessian"), picture,
    element("ul", { class: "permsym-legend" }, ...Object.keys(MARKS).map((kind) =>
      element("li", {}, svg("svg", { width: 14, height: 14, "aria-hidden": "true" }, svg("path", { ...LOOKS[kind], d: MARKS[kind](7, 7, 4) })), kind)))));

  let y = null;
  let drawn = "";
  const kindOf = (value, zero) => (Math.abs(value) <= zero ? "zero" : value < 0 ? "negative" : "positive");
  /** The outlines of the marks, by kind. */
  function outlines(points, r, zeroRadius = r) {
    const d = { positive: "", negative: "", zero: "" };
    for (const [t, spectrum, zero] of points) {
      for (const value of spectrum) {
        const kind = kindOf(value, zero);
        d[kind] += MARKS[kind](Number(x(t).toFixed(1)), Number(y(kind === "zero" ? 0 : value).toFixed(1)), kind === "zero" ? zeroRadius : r);
      }
    }
    return d;
  }

  return {
    /** @param {number[][]} spectra @param {number[]} zeros @param {number} t @param {string} words */
    update(spectra, zeros, t, words) {
      const last = spectra.length - 1;
      const c = linearUpTo(spectra, zeros);
      const key = JSON.stringify([spectra.length, c, spectra[0], zeros[0], spectra[last]]);
      if (key !== drawn) {
        drawn = key;
        x = linear([0, last], [0, inner.width]);
        let [low, high] = [0, 0];
        for (const spectrum of spectra) for (const value of spectrum) [low, high] = [Math.min(low, value), Math.max(high, value)];
        const scale = linear([symlog(low, c) - 0.3, symlog(high, c) + 0.3], [inner.height, 0]);
        y = (value) => scale(symlog(value, c));
        drawAxis(xAxis, "bottom", x, roundTicks(x.domain, 4).filter(([v]) => Number.isInteger(v)), inner.width);
        drawAxis(yAxis, "left", y, symlogTicks(low, high, c).filter((value) => value === 0 || Math.abs(y(value) - y(0)) > 12).map((value) => [value, number(value)]), inner.height);
        for (const name of ["y1", "y2"]) level.setAttribute(name, y(0).toFixed(1));
        const d = outlines(spectra.map((spectrum, i) => [i, spectrum, zeros[i]]), 1.5, 2.5);
        Object.keys(MARKS).forEach((kind, i) => all[i].setAttribute("d", d[kind]));
      }
      const d = outlines([[t, spectra[t], zeros[t]]], 4);
      Object.keys(MARKS).forEach((kind, i) => here[i].setAttribute("d", d[kind]));
      for (const name of ["x1", "x2"]) cursor.setAttribute(name, x(t).toFixed(1));
      show(t, last, words);
    },
  };
}
