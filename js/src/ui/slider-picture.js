/** A drawing with two axes on which one of a row of things is chosen: by pointer or touch, or by the arrow keys while it has the focus. */
import { svg } from "./dom.js";

/**
 * @param {{kind: string, name: string, size: [number, number], margin: {top: number, right: number, bottom: number, left: number}, shown: number,
 *   title: string, x: string, least: number, far: number, nearest: (along: number) => number, pick: (index: number, first: boolean) => void}} options
 *   `kind` is the drawing's class and `name` its data attribute; `shown` is its width in pixels at most; `least` is the number of the first thing, and
 *   `far` how many the arrow keys go with Shift; `nearest` gives the number of the thing at `along` within the axes; `pick` is told which one is wanted,
 *   `first` is false while the pointer is held down
 * @param {...SVGElement} drawn what stands between the axes
 */
export function sliderPicture({ kind, name, size: [width, height], margin, shown, title, x, least, far, nearest, pick }, ...drawn) {
  const inner = { width: width - margin.left - margin.right, height: height - margin.top - margin.bottom };
  const at = `translate(${margin.left} ${margin.top})`;
  const [xAxis, yAxis] = [svg("g", { transform: `translate(${margin.left} ${margin.top + inner.height})` }), svg("g", { transform: at })];
  let now = least, last = least, held = false;
  const choose = (index, first) => {
    const within = Math.min(Math.max(index, least), last);
    if (within !== now) pick(within, first);
  };
  const picture = svg("svg", {
    class: `permsym-plot ${kind}`, viewBox: `0 0 ${width} ${height}`, width: "100%", style: `max-width: ${shown}px`,
    role: "slider", tabindex: 0, "aria-label": title, "aria-valuemin": least, [name]: "",
    onkeydown: (event) => {
      const step = event.shiftKey ? far : 1;
      const to = { ArrowLeft: now - step, ArrowDown: now - step, ArrowRight: now + step, ArrowUp: now + step, Home: least, End: last }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      choose(to, true);
    },
  }, svg("rect", { x: margin.left, y: margin.top, width: inner.width, height: inner.height, fill: "transparent" }), svg("g", { transform: at }, ...drawn), xAxis, yAxis,
  svg("text", { x: margin.left + inner.width / 2, y: height - 4, "text-anchor": "middle", class: "permsym-small" }, x));
  const fromPointer = (event, first) => {
    const box = picture.getBoundingClientRect();
    choose(nearest(((event.clientX - box.left) * width) / box.width - margin.left), first);
  };
  picture.addEventListener("pointerdown", (event) => {
    held = true;
    picture.setPointerCapture(event.pointerId);
    fromPointer(event, true);
    picture.focus({ preventScroll: true });
  });
  picture.addEventListener("pointermove", (event) => held && fromPointer(event, false));
  for (const end of ["pointerup", "pointercancel"]) picture.addEventListener(end, () => (held = false));
  return {
    picture, inner, xAxis, yAxis,
    /** @param {number} index which is chosen @param {number} end the number of the last @param {string} words */
    show(index, end, words) {
      [now, last] = [index, end];
      picture.setAttribute("aria-valuemax", String(last));
      picture.setAttribute("aria-valuenow", String(now));
      picture.setAttribute("aria-valuetext", words);
    },
  };
}
