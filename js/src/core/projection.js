/** A surface over a square, seen from outside: rotation and parallel projection, without any drawing. */

/**
 * Where (x, y, z), each from -1 to 1, is seen on the picture, and how near it is.
 * @param {number} turn degrees about the upright axis @param {number} tilt degrees from the side (0) to the top (90)
 * @returns {(x: number, y: number, z: number) => {x: number, y: number, near: number}} x to the right and y up, within [-1.5, 1.5]
 */
export function projection(turn, tilt) {
  const [a, b] = [(turn * Math.PI) / 180, (tilt * Math.PI) / 180];
  const [cosA, sinA, cosB, sinB] = [Math.cos(a), Math.sin(a), Math.cos(b), Math.sin(b)];
  return (x, y, z) => {
    const right = cosA * x - sinA * y;
    const deep = sinA * x + cosA * y;
    return { x: right, y: sinB * deep + cosB * z, near: -cosB * deep + sinB * z };
  };
}

/** The quadrilaterals of a grid, the farthest first. @param {Float64Array} heights (size, size), row by row */
export function quadrilaterals(heights, size, see) {
  const place = (i) => (2 * i) / (size - 1) - 1;
  const points = Array.from(heights, (z, k) => see(place(k % size), place(Math.floor(k / size)), z));
  const found = [];
  for (let row = 0; row < size - 1; row++) {
    for (let col = 0; col < size - 1; col++) {
      const k = row * size + col;
      const corners = [points[k], points[k + 1], points[k + size + 1], points[k + size]];
      found.push({ row, col, corners, height: (heights[k] + heights[k + 1] + heights[k + size] + heights[k + size + 1]) / 4, near: corners.reduce((s, c) => s + c.near, 0) });
    }
  }
  return found.sort((p, q) => p.near - q.near);
}
