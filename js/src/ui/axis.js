/** Scales and axes of the small charts. */
import { nice, ticks, tickStep } from "d3-array";
import { svg } from "./dom.js";
import { number } from "./format.js";

/** A linear map from [a, b] to [from, to], with its inverse. */
export function linear([a, b], [from, to]) {
  const map = (v) => from + ((v - a) / (b - a || 1)) * (to - from);
  map.domain = [a, b];
  map.invert = (y) => a + ((y - from) / (to - from || 1)) * (b - a);
  return map;
}

/** A logarithmic map. */
export function logarithmic([a, b], range) {
  const map = linear([Math.log10(a), Math.log10(b)], range);
  return Object.assign((v) => map(Math.log10(v)), { domain: [a, b] });
}

/** Round numbers within [a, b], about `count`, as [value, text] pairs. */
export function roundTicks([a, b], count) {
  const decimals = Math.min(Math.max(0, -Math.floor(Math.log10(tickStep(a, b, count) || 1) + 1e-9)), 12);
  const text = (v) => (Math.abs(v) >= 1e5 || (v !== 0 && decimals > 5) ? number(v) : v.toFixed(decimals).replace("-", "−"));
  return ticks(a, b, count).map((v) => [v, text(v)]);
}

export { nice };

/**
 * Draw an axis into the group: below (`bottom`) or to the left of what it measures.
 * @param {SVGGElement} group @param {"bottom" | "left"} side @param {(v: number) => number} map @param {[number, string][]} marks @param {number} length
 */
export function drawAxis(group, side, map, marks, length) {
  const key = JSON.stringify([marks, length, marks.map(([v]) => Math.round(map(v)))]);
  if (group.dataset.key === key) return;
  group.dataset.key = key;
  const bottom = side === "bottom";
  group.replaceChildren(svg("path", { class: "permsym-axis", d: bottom ? `M0,0H${length}` : `M0,0V${length}` }), ...marks.map(([v, text]) => {
    const at = map(v).toFixed(1);
    return svg("g", { transform: bottom ? `translate(${at} 0)` : `translate(0 ${at})` }, svg("path", { class: "permsym-axis", d: bottom ? "M0,0V5" : "M0,0H-5" }),
      svg("text", bottom ? { y: 16, "text-anchor": "middle" } : { x: -8, dy: "0.32em", "text-anchor": "end" }, text));
  }));
}
