/** A residual beside what it measures, with its verdict in words. */
import { attribute, element, write } from "./dom.js";
import { verdict } from "./format.js";

/** @param {...(Node | string)} label what is measured */
export function residualLine(...label) {
  const output = element("output", { class: "permsym-residual", "data-residual": "" });
  return {
    row: element("span", { class: "permsym-residual-line" }, ...label, " ", output),
    /** @param {number} residual @param {number} bound */
    show(residual, bound) {
      attribute(output, "data-residual", residual);
      write(output, verdict(residual, bound));
      output.classList.toggle("permsym-broken", !(residual <= bound));
    },
  };
}
