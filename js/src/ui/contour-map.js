/** The loss over the plane as a map: filled contours, the mirror line, both minima, two paths, and a cross to be moved. */
import { contours } from "d3-contour";
import { drawAxis, linear, roundTicks } from "./axis.js";
import { activationColour, unitColour } from "./colour.js";
import { element, svg } from "./dom.js";

const SIDE = 290;
const MARGIN = { top: 8, right: 10, bottom: 36, left: 40 };
const LEVELS = 13;

/**
 * @param {HTMLElement} parent
 * @param {{reach: number, step: number, put: (point: [number, number], first: boolean) => void, press: () => void}} options
 *   `put` is told where the cross is wanted, `first` false while the pointer is held down.
 */
export function contourMap(parent, { reach, step, put, press }) {
  const x = linear([-reach, reach], [0, SIDE]);
  const y = linear([-reach, reach], [SIDE, 0]);
  const fills = svg("g", {});
  const paths = ["", "6 4"].map((dash, i) => [
    svg("path", { fill: "none", stroke: "#ffffff", "stroke-width": 5 }),
    svg("path", { fill: "none", stroke: unitColour(i), "stroke-width": 2.4, "stroke-dasharray": dash || "none" })]);
  const ends = [0, 1].map((i) => svg("circle", { r: 4.5, fill: unitColour(i), stroke: "#ffffff", "stroke-width": 1.5 }));
  const named = (a, text) => svg("g", { transform: `translate(${x(a)} ${y(0)})` }, svg("circle", { r: 6, fill: "#ffffff", stroke: "#000000", "stroke-width": 2 }),
    svg("text", { y: -11, "text-anchor": "middle", class: "permsym-chip", fill: "#ffffff", stroke: "#000000", "stroke-width": 3, "paint-order": "stroke" }, text));
  const arms = (colour, width) => svg("path", { d: "M-11,0H11M0,-11V11", stroke: colour, "stroke-width": width });
  let at = [0, 0];
  const cross = svg("g", {
    class: "permsym-cross", role: "slider", tabindex: 0, "data-cross": "", "aria-label": "start of the descent", "aria-valuemin": -reach, "aria-valuemax": reach,
    onkeydown: (event) => {
      const far = event.shiftKey ? 5 * step : step;
      const move = { ArrowLeft: [-far, 0], ArrowRight: [far, 0], ArrowUp: [0, far], ArrowDown: [0, -far], Home: [-reach - at[0], 0], End: [reach - at[0], 0] }[event.key];
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        press();
      }
      if (!move) return;
      event.preventDefault();
      place([at[0] + move[0], at[1] + move[1]], true);
    },
  }, svg("circle", { r: 14, fill: "transparent" }), arms("#ffffff", 5), arms("#000000", 2));
  const near = (point) => point.map((v) => Math.min(Math.max(v, -20 * reach), 20 * reach)); // a descent that diverges goes anywhere
  const within = (v) => Math.min(Math.max(Math.round(v * 1000) / 1000, -reach), reach);
  const place = ([a, b], first) => put([within(a), within(b)], first);
  const inner = svg("svg", { x: MARGIN.left, y: MARGIN.top, width: SIDE, height: SIDE, style: "overflow: hidden" }, fills,
    svg("line", { x1: SIDE / 2, x2: SIDE / 2, y1: 0, y2: SIDE, stroke: "#000000", "stroke-width": 3 }),
    svg("line", { x1: SIDE / 2, x2: SIDE / 2, y1: 0, y2: SIDE, stroke: "#ffffff", "stroke-width": 1.6, "stroke-dasharray": "7 5" }),
    ...paths.flat(), named(-1, "θ"), named(1, "θπ"), ...ends, cross);
  const [width, height] = [SIDE + MARGIN.left + MARGIN.right, SIDE + MARGIN.top + MARGIN.bottom];
  const [xName, yName] = [svg("text", { x: MARGIN.left + SIDE / 2, y: height - 4, "text-anchor": "middle", class: "permsym-small" }, "from the network (−1) to its swap (1)"),
    svg("text", { transform: `translate(11 ${MARGIN.top + SIDE / 2}) rotate(-90)`, "text-anchor": "middle", class: "permsym-small" })];
  const picture = svg("svg", { class: "permsym-plot permsym-map", viewBox: `0 0 ${width} ${height}`, width: "100%", style: `max-width: ${width}px` }, inner, xName, yName);
  const [xAxis, yAxis] = [svg("g", { transform: `translate(${MARGIN.left} ${MARGIN.top + SIDE})` }), svg("g", { transform: `translate(${MARGIN.left} ${MARGIN.top})` })];
  drawAxis(xAxis, "bottom", x, roundTicks(x.domain, 5), SIDE);
  drawAxis(yAxis, "left", y, roundTicks(y.domain, 5), SIDE);
  picture.append(xAxis, yAxis);
  parent.append(element("div", { class: "permsym-map-panel" }, picture));

  let held = false;
  const fromPointer = (event, first) => {
    const box = picture.getBoundingClientRect();
    const scale = width / box.width;
    place([x.invert((event.clientX - box.left) * scale - MARGIN.left), y.invert((event.clientY - box.top) * scale - MARGIN.top)], first);
  };
  inner.addEventListener("pointerdown", (event) => {
    held = true;
    inner.setPointerCapture(event.pointerId);
    fromPointer(event, true);
    cross.focus({ preventScroll: true });
    event.preventDefault();
  });
  inner.addEventListener("pointermove", (event) => held && fromPointer(event, false));
  for (const name of ["pointerup", "pointercancel"]) inner.addEventListener(name, () => (held = false));

  return {
    /** The map itself. @param {Float64Array} heights from 0 to 1, (size, size), the lowest row first */
    ground(heights, size, name) {
      yName.textContent = name;
      const across = (i) => ((i - 0.5) / (size - 1)) * SIDE;
      const ring = (points) => `M${points.map(([i, j]) => `${across(i).toFixed(1)},${(SIDE - across(j)).toFixed(1)}`).join("L")}Z`;
      const levels = Array.from({ length: LEVELS }, (_, i) => i / LEVELS);
      const shapes = contours().size([size, size]).thresholds(levels.slice(1))(heights);
      fills.replaceChildren(svg("rect", { width: SIDE, height: SIDE, fill: activationColour(0, 0, 1) }), ...shapes.map(({ coordinates, value }) =>
        svg("path", { d: coordinates.flat().map(ring).join(""), "fill-rule": "evenodd", fill: activationColour(value + 0.5 / LEVELS, 0, 1), stroke: "#000000", "stroke-opacity": 0.25, "stroke-width": 0.6 })));
    },
    /** @param {{start: [number, number], paths: [number, number][][]}} shown */
    update({ start, paths: lines }) {
      at = start;
      cross.setAttribute("transform", `translate(${x(start[0])} ${y(start[1])})`);
      cross.setAttribute("aria-valuenow", String(start[0]));
      cross.setAttribute("aria-valuetext", `${start[0]} across, ${start[1]} up`);
      lines.forEach((line, i) => {
        const d = `M${line.map(near).map(([a, b]) => `${x(a).toFixed(1)},${y(b).toFixed(1)}`).join("L")}`;
        for (const path of paths[i]) path.setAttribute("d", d);
        const [a, b] = near(line[line.length - 1]);
        ends[i].setAttribute("cx", x(a).toFixed(1));
        ends[i].setAttribute("cy", y(b).toFixed(1));
      });
    },
  };
}
