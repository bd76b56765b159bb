/**
 * Motion that shows what moved where: elements start at their old places and slide to the new ones.
 * All places are measured before the first element moves, so that the browser lays the page out once.
 */

/** Whether the reader asks for no motion. */
export const motionless = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** @type {(() => () => void)[]} */
let waiting = [];

/** Run `measure` after all drawing of this turn, and then the motion that it gives. @param {() => () => void} measure */
export function afterDrawing(measure) {
  if (motionless()) return;
  if (!waiting.length) {
    queueMicrotask(() => {
      const motions = waiting.map((look) => look());
      waiting = [];
      motions.forEach((go) => go());
    });
  }
  waiting.push(measure);
}

/** @param {Iterable<HTMLElement>} nodes @param {number} dx @param {number} dy how far their old place lies from the new one */
export function slide(nodes, dx, dy) {
  if (!dx && !dy) return;
  for (const node of nodes) node.animate?.([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }], { duration: 240, easing: "ease" });
}
