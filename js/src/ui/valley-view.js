/** The slots of a network whose units move at one loss: which unit each holds, its share of the outgoing weights, and its weights. */
import { unitColour, unitInk, weightColour } from "./colour.js";
import { element, svg } from "./dom.js";
import { placesOfUnit } from "../core/packed.js";

const WIDTH = 46;
const LABEL = 40;
const HEAD = 26;
const BARS = { top: 34, zero: 76, unit: 21 }; // shares from -1 to 2
const CELLS = 120;
const ROW = 16;

/** @param {HTMLElement} parent @param {import("../core/packed.js").Sizes} sizes */
export function valleyView(parent, sizes) {
  const { d, h, q } = sizes;
  const words = [...Array.from({ length: d }, (_, i) => (i ? "" : "W1")), "b1", ...Array.from({ length: q }, (_, k) => (k ? "" : "W2ᵀ"))];
  const at = Array.from({ length: h }, (_, slot) => placesOfUnit(sizes, slot));
  const y = (row) => CELLS + row * ROW + (row >= d ? 4 : 0) + (row > d ? 4 : 0);
  const [width, height] = [LABEL + h * WIDTH + 6, y(d + q) + ROW + 16];
  const picture = svg("svg", { class: "permsym-valley", width, height, viewBox: `0 0 ${width} ${height}`, role: "img" });
  words.forEach((word, row) => picture.append(svg("text", { x: LABEL - 6, y: y(row) + 12, "text-anchor": "end", class: "permsym-small" }, word)));
  picture.append(svg("text", { x: LABEL - 6, y: height - 3, "text-anchor": "end", class: "permsym-small" }, "slot"));
  picture.append(svg("text", { x: LABEL - 6, y: 17, "text-anchor": "end", class: "permsym-small" }, "unit"));
  picture.append(svg("text", { x: LABEL - 6, y: BARS.zero + 4, "text-anchor": "end", class: "permsym-small" }, "share"));
  const columns = at.map((_, slot) => {
    const left = LABEL + slot * WIDTH;
    const bar = svg("rect", { x: left + 12, width: WIDTH - 24, rx: 1 });
    const share = svg("text", { x: left + WIDTH / 2, y: CELLS - 7, "text-anchor": "middle", class: "permsym-small" });
    const cells = words.map((_, row) => svg("rect", { x: left + 4, y: y(row), width: WIDTH - 8, height: ROW - 1 }));
    const number = svg("text", { x: left + WIDTH / 2, y: height - 3, "text-anchor": "middle", class: "permsym-small" }, String(slot));
    picture.append(bar, share, ...cells, number);
    return { bar, share, cells };
  });
  picture.append(svg("path", { class: "permsym-axis", d: `M${LABEL},${BARS.zero}H${width - 4}` }));
  const chips = Array.from({ length: h }, (_, unit) => {
    const box = svg("rect", { x: 6, y: 1, width: WIDTH - 12, height: HEAD - 4, rx: 5, "stroke-width": 2, stroke: unitColour(unit) });
    const text = svg("text", { x: WIDTH / 2, y: 17, "text-anchor": "middle", class: "permsym-chip" }, String(unit));
    const chip = svg("g", { class: "permsym-column" }, box, text);
    picture.append(chip);
    return { chip, box, text };
  });
  parent.append(element("div", { class: "permsym-scroll", tabindex: 0, role: "region", "aria-label": "The network's slots" }, picture));

  return {
    /**
     * @param {ArrayLike<number>} theta
     * @param {{units: number[], quiet: boolean, shares: number[], of: number[], limit: number, label: string}} shown
     *   which unit each slot holds; whether the last unit is silent; each slot's share of the outgoing weights of which unit
     */
    update(theta, { units, quiet, shares, of, limit, label }) {
      picture.setAttribute("aria-label", label);
      units.forEach((unit, slot) => {
        const { bar, share, cells } = columns[slot];
        const top = BARS.zero - Math.max(shares[slot], 0) * BARS.unit;
        bar.setAttribute("y", top.toFixed(1));
        bar.setAttribute("height", (Math.abs(shares[slot]) * BARS.unit).toFixed(1));
        bar.setAttribute("fill", unitColour(of[slot]));
        share.textContent = String(Math.round(shares[slot] * 100) / 100).replace("-", "−");
        at[slot].forEach((place, row) => cells[row].setAttribute("fill", weightColour(theta[place], limit)));
        const { chip, box, text } = chips[unit];
        const empty = quiet && unit === h - 1;
        chip.style.transform = `translate(${LABEL + slot * WIDTH}px, 2px)`;
        box.setAttribute("fill", empty ? "transparent" : unitColour(unit));
        box.setAttribute("stroke-dasharray", empty ? "4 3" : "none");
        text.setAttribute("fill", empty ? "currentColor" : unitInk(unit));
      });
    },
  };
}
