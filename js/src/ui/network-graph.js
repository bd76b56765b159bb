/** The network as a graph: inputs, hidden slots with the units they hold, outputs; edges by sign and size of the weight. */
import { scalePoint } from "d3-scale";
import { largest } from "../core/matrix.js";
import { unitColour, weightColour } from "./colour.js";
import { attribute, element, svg } from "./dom.js";

const WIDTH = 250;
const HEIGHT = 240;

/** @param {HTMLElement} parent @param {import("../core/mlp.js").Parameters} p */
export function networkGraph(parent, p) {
  const [d, h, q] = [Math.min(p.W1.rows, 6), p.W1.cols, p.W2.cols];
  const place = (n) => scalePoint().domain(Array.from({ length: n }, (_, i) => i)).range([18, HEIGHT - 18]).padding(n > 1 ? 0 : 0.5);
  const [inputs, hidden, outputs] = [place(d), place(h), place(q)];
  const edges = svg("g", { fill: "none" });
  const unitEdges = Array.from({ length: h }, () => svg("g", { class: "permsym-column" }));
  const nodes = Array.from({ length: h }, (_, u) =>
    svg("g", { class: "permsym-column" }, svg("circle", { cx: WIDTH / 2, cy: 0, r: 10, fill: unitColour(u) }),
      svg("text", { x: WIDTH / 2, y: 4, "text-anchor": "middle", class: "permsym-chip", fill: "#ffffff" }, String(u))));
  const dots = (scale, n, x) => Array.from({ length: n }, (_, i) => svg("circle", { cx: x, cy: scale(i), r: 6, class: "permsym-still-node" }));
  const picture = svg("svg", { class: "permsym-graph", width: WIDTH, height: HEIGHT, viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" },
    edges, ...dots(inputs, d, 16), ...dots(outputs, q, WIDTH - 16), ...nodes);
  edges.append(...unitEdges);
  const images = p.W1.rows > d;
  parent.append(element("div", { class: "permsym-graph-panel" }, picture,
    ...(images ? [element("p", { class: "permsym-hint" }, `${p.W1.rows} inputs: ${d} stand for them, and their edges are not drawn.`)] : [])));

  const limits = [largest(p.W1), largest(p.W2)];
  const line = (unit) => {
    const made = svg("line", {});
    unitEdges[unit].append(made);
    return made;
  };
  const lines = unitEdges.map((_, unit) => ({
    into: images ? [] : Array.from({ length: d }, () => line(unit)), out: Array.from({ length: q }, () => line(unit)),
  }));

  return {
    update(state, found) {
      const { W1, W2 } = found.parameters;
      state.perm.forEach((unit, slot) => {
        const to = `translate(0px, ${hidden(slot)}px)`;
        if (nodes[unit].style.transform !== to) nodes[unit].style.transform = to;
        lines[unit].into.forEach((line, i) => edge(line, 16, inputs(i), WIDTH / 2, hidden(slot), W1.data[i * h + slot], limits[0]));
        lines[unit].out.forEach((line, k) => edge(line, WIDTH / 2, hidden(slot), WIDTH - 16, outputs(k), W2.data[slot * q + k], limits[1]));
      });
    },
  };
}

function edge(line, x1, y1, x2, y2, value, limit) {
  const width = 0.5 + (3 * Math.abs(value)) / (limit || 1);
  for (const [name, shown] of Object.entries({ x1, y1, x2, y2, stroke: weightColour(value, limit), "stroke-width": width })) attribute(line, name, shown);
}
