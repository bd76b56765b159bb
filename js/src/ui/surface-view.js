/** The same surface in three dimensions on a canvas, turned by drag or by the arrow keys. */
import { projection, quadrilaterals } from "../core/projection.js";
import { activationColour, unitColour } from "./colour.js";
import { element } from "./dom.js";

const [WIDTH, HEIGHT] = [340, 310];
const SCALE = 104; // the corners stay inside from every side
const MESH = 6;
const UP = 0.55; // height of the surface against half its side

/** @param {HTMLElement} parent @param {{turned: (turn: number, tilt: number, first: boolean) => void}} options */
export function surfaceView(parent, { turned }) {
  const canvas = element("canvas", {
    class: "permsym-surface", tabindex: 0, role: "application", "aria-roledescription": "surface", "aria-label": "The loss as a surface; arrow keys turn and tilt it",
    style: `width: 100%; max-width: ${WIDTH}px; aspect-ratio: ${WIDTH} / ${HEIGHT}; touch-action: pan-y`,
  });
  const pen = canvas.getContext("2d");
  parent.append(element("div", { class: "permsym-map-panel" }, canvas));
  let [turn, tilt] = [0, 0];
  const to = (a, b, first) => turned(((Math.round(a) % 360) + 360) % 360, Math.min(Math.max(Math.round(b), 10), 90), first);
  canvas.addEventListener("keydown", (event) => {
    const move = { ArrowLeft: [-10, 0], ArrowRight: [10, 0], ArrowUp: [0, 5], ArrowDown: [0, -5], Home: [-turn, 0], End: [180 - turn, 0] }[event.key];
    if (!move) return;
    event.preventDefault();
    to(turn + move[0], tilt + move[1], true);
  });
  let held = null;
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    held = { x: event.clientX, y: event.clientY, turn, tilt, first: true };
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!held) return;
    const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
    if (held.first && Math.hypot(dx, dy) < 3) return;
    to(held.turn + dx / 2, held.tilt + dy / 2, held.first);
    held.first = false;
  });
  for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, () => (held = null));

  let frame = 0;
  let wanted = null;

  /** Draw what is wanted. */
  function draw() {
    frame = 0;
    const { heights, size, reach, paths, minima, mirror } = wanted;
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    if (canvas.width !== WIDTH * ratio) [canvas.width, canvas.height] = [WIDTH * ratio, HEIGHT * ratio];
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, WIDTH, HEIGHT);
    const see = projection(turn, tilt);
    const onCanvas = ({ x, y }) => [WIDTH / 2 + SCALE * x, HEIGHT / 2 + 8 - SCALE * y];
    const raised = heights.map((z) => UP * (2 * z - 1));
    for (const { corners, height, row, col } of quadrilaterals(raised, size, see)) {
      const colour = activationColour((height / UP + 1) / 2, 0, 1);
      pen.beginPath();
      corners.forEach((corner, i) => pen[i ? "lineTo" : "moveTo"](...onCanvas(corner)));
      pen.closePath();
      pen.fillStyle = colour;
      pen.strokeStyle = colour;
      pen.lineWidth = 0.7;
      pen.fill();
      pen.stroke();
      pen.strokeStyle = "rgb(0 0 0 / 0.35)"; // every sixth line of the grid shows the shape
      for (const [on, end] of [[row % MESH === 0, 1], [col % MESH === 0, 3]]) {
        if (!on) continue;
        pen.beginPath();
        pen.moveTo(...onCanvas(corners[0]));
        pen.lineTo(...onCanvas(corners[end]));
        pen.stroke();
      }
    }
    const point = ([a, b, z]) => onCanvas(see(a / reach, b / reach, UP * (2 * z - 1) + 0.02));
    const inside = ([a, b]) => Math.abs(a) <= reach && Math.abs(b) <= reach;
    const line = (points, colour, width, dash = []) => {
      pen.setLineDash(dash);
      pen.strokeStyle = colour;
      pen.lineWidth = width;
      pen.beginPath();
      let drawing = false;
      for (const p of points) {
        if (inside(p)) pen[drawing ? "lineTo" : "moveTo"](...point(p));
        drawing = inside(p);
      }
      pen.stroke();
      pen.setLineDash([]);
    };
    const along = mirror.map((z, i) => [0, reach * ((2 * i) / (mirror.length - 1) - 1), z]);
    line(along, "#000000", 3);
    line(along, "#ffffff", 1.6, [7, 5]);
    paths.forEach((path, i) => {
      line(path, "#ffffff", 4.5);
      line(path, unitColour(i), 2.4, i ? [6, 4] : []);
    });
    const dot = (p, colour, rim, radius) => {
      if (!inside(p)) return;
      pen.beginPath();
      pen.arc(...point(p), radius, 0, 2 * Math.PI);
      pen.fillStyle = colour;
      pen.strokeStyle = rim;
      pen.lineWidth = 2;
      pen.fill();
      pen.stroke();
    };
    minima.forEach((p) => dot(p, "#ffffff", "#000000", 5));
    paths.forEach((path, i) => dot(path[path.length - 1], unitColour(i), "#ffffff", 4));
  }

  return {
    /**
     * Draws in the next frame, once for however many changes.
     * @param {{heights: Float64Array, size: number, turn: number, tilt: number, reach: number, paths: [number, number, number][][], minima: [number, number, number][], mirror: number[]}} shown
     *   points are (a, b, height); heights from 0 to 1; `mirror` the heights along a = 0
     */
    update(shown) {
      wanted = shown;
      [turn, tilt] = [shown.turn, shown.tilt];
      frame ||= requestAnimationFrame(draw);
    },
    destroy: () => cancelAnimationFrame(frame),
  };
}
