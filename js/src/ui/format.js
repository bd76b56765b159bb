/** Numbers as the pages write them: three significant digits, scientific where long, 0 only when exactly 0. */

/** @param {number} x @returns {string} */
export function number(x) {
  if (x === 0) return "0";
  if (!Number.isFinite(x)) return Number.isNaN(x) ? "not a number" : x > 0 ? "∞" : "−∞";
  const size = Math.abs(x);
  const text = size >= 1e-3 && size < 1e4 ? String(Number(x.toPrecision(3))) : x.toExponential(1);
  return text.replace("-", "−").replace("e+", "e");
}

/** The verdict on a residual in words. @param {number} residual @param {number} bound */
export function verdict(residual, bound) {
  if (residual === 0) return "exactly 0";
  return residual <= bound ? `${number(residual)}, below the rounding bound ${number(bound)}` : `broken: ${number(residual)}`;
}
