/** Small helpers that make DOM and SVG elements and the controls all widgets share. */

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children);
  return node;
}

/** @param {string} tag @param {Record<string, any>} attributes @param {...(Node | string)} children @returns {any} */
export const element = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);

/** @param {string} tag @param {Record<string, any>} attributes @param {...(Node | string)} children @returns {any} */
export const svg = (tag, attributes = {}, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

/** A button with its contract's name. @param {string} action @param {string} label @param {() => void} act */
export const button = (action, label, act, attributes = {}) =>
  element("button", { type: "button", class: "permsym-button", "data-action": action, onclick: act, ...attributes }, label);

let ids = 0;

/** A fresh id, for labels; widgets appear many times on a page. */
export const freshId = (word) => `permsym-${word}-${++ids}`;

/** A check box with its label. @returns {{row: HTMLElement, input: HTMLInputElement}} */
export function checkbox(name, label, change) {
  const input = element("input", { type: "checkbox", "data-option": name, onchange: () => change(input.checked) });
  return { row: element("label", { class: "permsym-check" }, input, label), input };
}

/** A number field with its label; a value outside its bounds, which are those that the field has at that moment, is refused with a sentence. */
export function numberField(name, label, { min, max, step = 1 }, change, reject) {
  const input = element("input", {
    type: "number", "data-option": name, min, max, step, inputmode: Number.isInteger(step) ? "numeric" : "decimal",
    onchange: () => {
      const [value, least, most] = [input.value, input.min, input.max].map(Number); // a widget may have moved the bounds
      const whole = !Number.isInteger(step) || Number.isInteger(value);
      if (input.value === "" || !Number.isFinite(value) || value < least || value > most || !whole) {
        reject(`${label} is ${input.value || "empty"}; ${Number.isInteger(step) ? "a whole number" : "a number"} from ${least} to ${most} is required`);
        input.value = input.dataset.last;
      } else change(value);
    },
  });
  return {
    row: element("label", { class: "permsym-field" }, element("span", {}, label), input),
    input,
    show(value) {
      input.value = input.dataset.last = String(value);
    },
  };
}

/** A choice from a list with its label. @param {[string, string][]} options pairs of value and words */
export function choice(name, label, options, change) {
  const input = element("select", { "data-option": name, onchange: () => change(input.value) },
    ...options.map(([value, words]) => element("option", { value }, words)));
  return { row: element("label", { class: "permsym-field" }, element("span", {}, label), input), input };
}

/** Write an attribute only where it changes: what is written is drawn anew. */
export function attribute(node, name, value) {
  const text = String(value);
  if (node.getAttribute(name) !== text) node.setAttribute(name, text);
}

/** Write an element's words only where they change. */
export function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/**
 * Enable what is possible. The focus goes on from a control that has just become impossible to the first one that is possible; otherwise
 * the keyboard would be back at the top of the page.
 * @param {[HTMLButtonElement | HTMLInputElement, boolean][]} controls each with whether it is possible
 */
export function enable(controls) {
  const left = controls.some(([control, possible]) => !possible && control === document.activeElement);
  for (const [control, possible] of controls) control.disabled = !possible;
  if (left) controls.find(([, possible]) => possible)?.[0].focus({ preventScroll: true });
}

/** Move the keyboard's focus within a row of handles: one of them is in the tab order. */
export function roving(handles, current) {
  handles.forEach((handle, i) => attribute(handle, "tabindex", i === current ? 0 : -1));
}

/**
 * Let handles that stand side by side stand in this order, so that one reads and tabs in the order of the slots. The one that has
 * the focus is not moved, the others around it; where the browser can, they are moved in the middle of their motion.
 * @param {Element[]} ordered
 */
export function arrange(ordered) {
  const parent = ordered[0].parentNode;
  const put = parent.moveBefore ? (node, place) => parent.moveBefore(node, place) : (node, place) => parent.insertBefore(node, place);
  const fixed = Math.max(ordered.indexOf(document.activeElement), 0);
  for (let k = fixed - 1; k >= 0; k--) {
    if (ordered[k + 1].previousElementSibling !== ordered[k]) put(ordered[k], ordered[k + 1]);
  }
  for (let k = fixed + 1; k < ordered.length; k++) {
    if (ordered[k - 1].nextElementSibling !== ordered[k]) put(ordered[k], ordered[k - 1].nextSibling);
  }
}
