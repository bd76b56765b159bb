/** A line chart that grows: linear or logarithmic y, exact zeros drawn on a floor line marked "0", no text redrawn without need. */
import { drawAxis, linear, logarithmic, nice, roundTicks } from "./axis.js";
import { element, svg } from "./dom.js";
import { number } from "./format.js";

const MARGIN = { top: 8, right: 12, bottom: 34, left: 52 };
const drawable = (v) => Math.abs(v) < 1e100; // neither NaN nor what a diverging run leaves
const SHOWN = 600; // points per curve: more cannot be told apart

/**
 * @typedef {{name: string, colour: string, dash?: string, width?: number, values: ArrayLike<number>}} Curve
 * @param {HTMLElement} parent
 * @param {{title: string, x: string, log?: boolean, width?: number, height?: number, floor?: number}} options
 */
export function linePlot(parent, { title, x: xLabel, log = false, width = 340, height = 200, floor = 1e-18 }) {
  const inner = { width: width - MARGIN.left - MARGIN.right, height: height - MARGIN.top - MARGIN.bottom };
  const xAxis = svg("g", { transform: `translate(${MARGIN.left} ${MARGIN.top + inner.height})` });
  const yAxis = svg("g", { transform: `translate(${MARGIN.left} ${MARGIN.top})` });
  const paths = svg("g", { transform: `translate(${MARGIN.left} ${MARGIN.top})`, fill: "none" });
  const cursor = svg("line", { y1: 0, y2: inner.height, stroke: "currentColor", "stroke-dasharray": "3 3", visibility: "hidden" });
  const picture = svg("svg", { class: "permsym-plot", viewBox: `0 0 ${width} ${height}`, width: "100%", style: `max-width: ${width}px`, "aria-hidden": "true" },
    xAxis, yAxis, paths,
    svg("text", { x: MARGIN.left + inner.width / 2, y: height - 4, "text-anchor": "middle", class: "permsym-small" }, xLabel));
  const legend = element("ul", { class: "permsym-legend" });
  parent.append(element("figure", { class: "permsym-plot-panel" }, element("figcaption", { class: "permsym-label" }, title), picture, legend));
  let named = "";

  return {
    /** @param {Curve[]} curves @param {{at?: number, steps?: number}} options */
    update(curves, { at, steps } = {}) {
      const longest = Math.max(2, steps ?? 0, ...curves.map((c) => c.values.length));
      const x = linear([0, longest - 1], [0, inner.width]);
      let low = Infinity, high = -Infinity, zero = false;
      for (const { values } of curves) {
        for (let i = 0; i < values.length; i++) {
          const v = values[i];
          if (!drawable(v)) continue;
          if (log && v <= 0) {
            zero = true;
            continue;
          }
          if (v < low) low = v;
          if (v > high) high = v;
        }
      }
      if (low > high) [low, high] = log ? [floor, 1] : [0, 1];
      let y, bottom;
      if (log) {
        low = Math.max(low, floor);
        bottom = zero ? Math.max(low / 100, floor / 100) : low / 2;
        y = logarithmic([bottom, Math.max(high * 2, bottom * 100)], [inner.height, 0]);
      } else {
        const room = (high - low || Math.abs(high) || 1) * 0.05;
        y = linear(nice(low >= 0 ? Math.max(low - room, 0) : low - room, high + room, 4), [inner.height, 0]);
      }
      drawAxis(xAxis, "bottom", x, roundTicks(x.domain, 4).filter(([v]) => Number.isInteger(v)), inner.width);
      let marks = log ? [] : roundTicks(y.domain, 4);
      if (log) {
        const [from, to] = [Math.ceil(Math.log10(bottom * (zero ? 30 : 1))), Math.floor(Math.log10(y.domain[1]))];
        const every = Math.max(1, Math.ceil((to - from) / 5));
        for (let e = from; e <= to; e += every) marks.push([10 ** e, e > -4 && e < 5 ? String(Number(`1e${e}`)) : `1e${e}`.replace("-", "−")]);
        if (marks.length < 2) marks = [low, high].filter((v, i) => i === 0 || v > 1.2 * low).map((v) => [v, number(v)]);
        if (zero) marks.unshift([bottom, "0"]);
      }
      drawAxis(yAxis, "left", y, marks, inner.height);
      const place = (v) => y(log && v < bottom ? bottom : v);
      const names = curves.map((c) => `${c.name}|${c.colour}|${c.dash ?? ""}|${c.width ?? ""}`).join();
      if (names !== named) {
        named = names;
        paths.replaceChildren(...curves.map((c) => svg("path", { stroke: c.colour, "stroke-width": c.width ?? 1.8, "stroke-dasharray": c.dash })), cursor);
        legend.replaceChildren(...curves.map((c) => element("li", {},
          svg("svg", { width: 26, height: 10, "aria-hidden": "true" }, svg("line", { x1: 0, x2: 26, y1: 5, y2: 5, stroke: c.colour, "stroke-width": 2.5, "stroke-dasharray": c.dash })), c.name)));
      }
      curves.forEach(({ values }, index) => {
        const every = Math.max(1, Math.ceil(values.length / SHOWN));
        let d = "", drawing = false;
        const add = (i) => {
          if (drawable(values[i])) d += `${drawing ? "L" : "M"}${x(i).toFixed(1)},${place(values[i]).toFixed(1)}`;
          drawing = drawable(values[i]);
        };
        for (let i = 0; i < values.length; i += every) add(i);
        if (values.length && (values.length - 1) % every) add(values.length - 1);
        paths.childNodes[index].setAttribute("d", d);
      });
      cursor.setAttribute("visibility", at === undefined ? "hidden" : "visible");
      if (at !== undefined) {
        cursor.setAttribute("x1", String(x(at)));
        cursor.setAttribute("x2", String(x(at)));
      }
    },
  };
}
