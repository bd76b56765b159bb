/** A field in which a permutation is written as cycles, such as (0 2 1). */
import { cyclesAsText, parseCycles } from "../core/permutation.js";
import { element } from "./dom.js";

/**
 * @param {string} name the field's name in the contract @param {string} label
 * @param {{size: () => number, change: (perm: number[]) => void, reject: (message: string) => void}} options
 */
export function cyclesField(name, label, { size, change, reject }) {
  let shown = "";
  const input = element("input", {
    type: "text", "data-option": name, autocomplete: "off", spellcheck: "false",
    onchange: () => {
      try {
        change(parseCycles(input.value, size()));
      } catch (error) {
        reject(error.message);
      }
    },
    onblur: () => (input.value = shown),
  });
  return {
    row: element("label", { class: "permsym-field" }, element("span", {}, label), input),
    /** @param {number[]} perm */
    show(perm) {
      shown = cyclesAsText(perm);
      if (document.activeElement !== input) input.value = shown;
    },
  };
}
