/** The paths of the units in the plane of two of their numbers: a dot is where a unit is, a ring where its twin is. */
import { drawAxis, linear, roundTicks } from "./axis.js";
import { unitColour } from "./colour.js";
import { element, svg } from "./dom.js";

const [WIDTH, HEIGHT] = [340, 270];
const MARGIN = { top: 8, right: 12, bottom: 34, left: 54 };
const SHOWN = 250; // points per path

/** @param {HTMLElement} parent @param {{title: string, units: number}} options */
export function pathPlane(parent, { title, units }) {
  const inner = { width: WIDTH - MARGIN.left - MARGIN.right, height: HEIGHT - MARGIN.top - MARGIN.bottom };
  const xAxis = svg("g", { transform: `translate(${MARGIN.left} ${MARGIN.top + inner.height})` });
  const yAxis = svg("g", { transform: `translate(${MARGIN.left} ${MARGIN.top})` });
  const [xName, yName] = [svg("text", { x: MARGIN.left + inner.width / 2, y: HEIGHT - 4, "text-anchor": "middle", class: "permsym-small" }),
    svg("text", { transform: `translate(10 ${MARGIN.top + inner.height / 2}) rotate(-90)`, "text-anchor": "middle", class: "permsym-small" })];
  const marks = Array.from({ length: units }, (_, unit) => {
    const colour = unitColour(unit);
    return {
      path: svg("path", { stroke: colour, fill: "none" }), dot: svg("circle", { r: 3.5, fill: colour }),
      ring: svg("circle", { r: 6.5, fill: "none", stroke: colour, "stroke-width": 1.6 }),
      name: svg("text", { class: "permsym-small" }, String(unit)),
    };
  });
  const drawing = svg("g", { transform: `translate(${MARGIN.left} ${MARGIN.top})` }, ...marks.map((m) => m.path), ...marks.flatMap((m) => [m.ring, m.dot, m.name]));
  parent.append(element("figure", { class: "permsym-plot-panel" }, element("figcaption", { class: "permsym-label" }, title),
    svg("svg", { class: "permsym-plot", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: "100%", style: `max-width: ${WIDTH}px`, "aria-hidden": "true" }, xAxis, yAxis, xName, yName, drawing)));

  return {
    /**
     * @param {{path: Float64Array[], at: number, places: number[][], ends: Float64Array, endPlaces: number[][], names: [string, string], axes: [number, number], picked: number | null}} shown
     *   `places[unit]` is where the unit's numbers are in a point of the path, `endPlaces[unit]` where they are in the twin.
     */
    update({ path, at, places, ends, endPlaces, names, axes, picked }) {
      const every = Math.max(1, Math.ceil(at / SHOWN));
      const times = [];
      for (let t = 0; t < at; t += every) times.push(t);
      times.push(at);
      const range = (axis) => {
        let [low, high] = [Infinity, -Infinity];
        for (const t of times) for (const unit of places) {
          const v = path[t][unit[axis]];
          if (!(Math.abs(v) < 1e100)) continue; // a run that diverges leaves the plane
          if (v < low) low = v;
          if (v > high) high = v;
        }
        const room = (high - low || 1) * 0.06;
        return Number.isFinite(high - low) ? [low - room, high + room] : [-1, 1];
      };
      const x = linear(range(axes[0]), [0, inner.width]);
      const y = linear(range(axes[1]), [inner.height, 0]);
      drawAxis(xAxis, "bottom", x, roundTicks(x.domain, 5), inner.width);
      drawAxis(yAxis, "left", y, roundTicks(y.domain, 5), inner.height);
      [xName.textContent, yName.textContent] = names;
      marks.forEach((mark, unit) => {
        const point = (theta, where) => [x(theta[where[unit][axes[0]]]), y(theta[where[unit][axes[1]]])];
        const points = times.map((t) => point(path[t], places)).filter(([a, b]) => Math.abs(a) + Math.abs(b) < 1e6);
        mark.path.setAttribute("d", points.length ? `M${points.map(([a, b]) => `${a.toFixed(1)},${b.toFixed(1)}`).join("L")}` : "");
        mark.path.setAttribute("stroke-width", unit === picked ? "3.5" : "1.4");
        mark.path.setAttribute("stroke-opacity", picked === null || unit === picked ? "1" : "0.45");
        const put = (node, [a, b], [nameX, nameY] = ["cx", "cy"]) => {
          const seen = Math.abs(a) + Math.abs(b) < 1e6;
          node.setAttribute("visibility", seen ? "visible" : "hidden");
          if (!seen) return;
          node.setAttribute(nameX, a.toFixed(1));
          node.setAttribute(nameY, b.toFixed(1));
        };
        const here = point(path[at], places);
        put(mark.dot, here);
        put(mark.ring, point(ends, endPlaces));
        put(mark.name, [here[0] + 8, here[1] - 5], ["x", "y"]);
      });
    },
  };
}
