/** Motion that shows what moved where: elements start at their old places and slide to the new ones. */

/** Whether the reader asks for no motion. */
export const motionless = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** @param {Iterable<HTMLElement>} nodes @param {number} dx @param {number} dy how far their old place lies from the new one */
export function slide(nodes, dx, dy) {
  if ((!dx && !dy) || motionless()) return;
  for (const node of nodes) node.animate?.([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }], { duration: 240, easing: "ease" });
}
