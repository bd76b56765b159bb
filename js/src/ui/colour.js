/** The colours of units, weights and activations; the numbers come from src/permsym_book/palette.py by the build. */
import palette from "virtual:palette";

/** @param {number} unit */
export const unitColour = (unit) => palette.units[unit % palette.units.length];

const mix = (table, t) => {
  const x = Math.min(Math.max(t, 0), 1) * (table.length - 1);
  const i = Math.min(Math.floor(x), table.length - 2);
  const part = x - i;
  const [a, b] = [table[i], table[i + 1]];
  return `rgb(${a.map((c, k) => Math.round(c + (b[k] - c) * part)).join(" ")})`;
};

/** A weight's colour: diverging, centred on 0, `limit` at both ends. @param {number} value @param {number} limit */
export const weightColour = (value, limit) => mix(palette.diverging, 0.5 + (0.5 * value) / (limit || 1));

/** An activation's colour on [low, high]. */
export const activationColour = (value, low, high) => mix(palette.sequential, high > low ? (value - low) / (high - low) : 0.5);

/** Whether black or white is easier to read on the colour. @param {string} rgb */
export function inkOn(rgb) {
  const [r, g, b] = rgb.match(/\d+/g).map((c) => {
    const s = Number(c) / 255;
    return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  return (luminance + 0.05) / 0.05 >= 1.05 / (luminance + 0.05) ? "#000000" : "#ffffff";
}

/** Black or white, whichever is easier to read on the unit's colour. @param {number} unit */
export const unitInk = (unit) => inkOn(`rgb(${unitColour(unit).match(/[0-9a-f]{2}/gi).map((c) => parseInt(c, 16)).join(" ")})`);
