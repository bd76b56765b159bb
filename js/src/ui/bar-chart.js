/** Bars on a logarithmic axis, up and down from 1, one of them chosen. */
import { drawAxis, linear, roundTicks } from "./axis.js";
import { unitColour } from "./colour.js";
import { element, svg } from "./dom.js";
import { number } from "./format.js";
import { sliderPicture } from "./slider-picture.js";

const MARGIN = { top: 12, right: 14, bottom: 36, left: 50 };
const WIDTH = 360;
const HEIGHT = 200;
const SHOWN = 460; // pixels at most

/**
 * @param {HTMLElement} parent
 * @param {{title: string, x: string, line: string, bars: [string, string], pick: (index: number, first: boolean) => void}} options
 *   what the line at 1, the bars and the chosen bar are; `pick` is told which bar is wanted, counted from 1; `first` is false while the pointer is held down
 */
export function barChart(parent, { title, x: xLabel, line: lineLabel, bars: [barLabel, chosenLabel], pick }) {
  const bars = svg("g", { fill: unitColour(0) });
  const mark = svg("rect", { fill: unitColour(1) });
  const level = svg("line", { x1: 0, stroke: "currentColor", "stroke-width": 1.6, "stroke-dasharray": "6 4" });
  let count = 1;
  const { picture, inner, xAxis, yAxis, show } = sliderPicture({
    kind: "permsym-bars", name: "data-bars", size: [WIDTH, HEIGHT], margin: MARGIN, shown: SHOWN, title, x: xLabel, least: 1, far: 10, pick,
    nearest: (along) => Math.floor((along / inner.width) * count) + 1,
  }, bars, mark, level);
  level.setAttribute("x2", String(inner.width));
  const swatch = (...shape) => svg("svg", { width: 26, height: 12, "aria-hidden": "true" }, ...shape);
  parent.append(element("figure", { class: "permsym-plot-panel permsym-bars-panel" }, element("figcaption", { class: "permsym-label" }, title), picture,
    element("ul", { class: "permsym-legend" },
      element("li", {}, swatch(svg("rect", { x: 4, width: 18, height: 12, fill: unitColour(0) })), barLabel),
      element("li", {}, swatch(svg("rect", { x: 4, width: 18, height: 12, fill: unitColour(1) })), chosenLabel),
      element("li", {}, swatch(svg("line", { x1: 0, x2: 26, y1: 6, y2: 6, stroke: "currentColor", "stroke-width": 1.6, "stroke-dasharray": "6 4" })), lineLabel))));

  const power = (e) => (Math.abs(e) < 5 ? number(10 ** e) : `1e${e}`.replace("-", "−"));
  let drawn = "";
  let y = null;
  const shape = (log, i, least) => {
    const slot = inner.width / count;
    const wide = Math.max(slot > 4 ? slot * 0.76 : slot, least);
    const [from, to] = Number.isFinite(log) ? [y(Math.max(log, 0)), y(Math.min(log, 0))] : [y(0), y(0)];
    return { x: ((i + 0.5) * slot - wide / 2).toFixed(2), width: wide.toFixed(2), y: from.toFixed(1), height: (to - from).toFixed(1) };
  };
  return {
    /** @param {number[]} logs decimal logarithms, -Infinity for none @param {number} which from 1 @param {string} words */
    update(logs, which, words) {
      count = logs.length;
      const key = JSON.stringify(logs);
      if (key !== drawn) {
        drawn = key;
        const finite = [0, ...logs.filter(Number.isFinite)];
        const [low, high] = [Math.min(...finite), Math.max(...finite)];
        const room = Math.max((high - low) * 0.06, 0.1);
        y = linear([low - (low < 0 ? room : 0), high + room], [inner.height, 0]);
        bars.replaceChildren(...logs.map((log, i) => svg("rect", shape(log, i, 0))));
        const every = Math.max(1, Math.ceil(count / 8));
        const marks = Array.from({ length: count }, (_, i) => i + 1).filter((k) => k === 1 || k % every === 0);
        const place = (k) => (k - 0.5) * (inner.width / count);
        drawAxis(xAxis, "bottom", place, marks.map((k) => [k, String(k)]), inner.width);
        const powers = roundTicks(y.domain, 5).filter(([e]) => Number.isInteger(e)).map(([e]) => [e, power(e)]);
        drawAxis(yAxis, "left", y, powers.length > 1 ? powers : [low, 0, high].filter((e, i, all) => all.indexOf(e) === i).map((e) => [e, number(10 ** e)]), inner.height);
        for (const name of ["y1", "y2"]) level.setAttribute(name, y(0).toFixed(1));
      }
      for (const [name, value] of Object.entries(shape(logs[which - 1], which - 1, 4))) mark.setAttribute(name, value);
      show(which, count, words);
    },
  };
}
