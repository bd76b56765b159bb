/** A list box of many small things of which one is chosen: arrow keys move the focus, Enter, Space or a click choose. */
import { element, roving } from "./dom.js";

/** @param {HTMLElement} parent @param {{title: string, pick: (key: string) => void}} options */
export function elementList(parent, { title, pick }) {
  const box = element("div", { class: "permsym-elements", role: "listbox", "aria-label": title });
  const heading = element("p", { class: "permsym-label" }, title);
  parent.append(element("div", { class: "permsym-list" }, heading, box));
  let keys = [];
  let items = [];
  let chosen = -1;

  function onKey(event, at) {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      pick(keys[at]);
      return;
    }
    const to = { ArrowLeft: at - 1, ArrowUp: at - 1, ArrowRight: at + 1, ArrowDown: at + 1, Home: 0, End: keys.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = Math.min(Math.max(to, 0), keys.length - 1);
    roving(items, next);
    items[next].focus();
  }

  return {
    /**
     * @param {string} words the heading
     * @param {string[] | null} next keys of the things in their order; null when there are too many to list
     * @param {(key: string) => (Node | string)[]} show
     * @param {string} selected
     */
    update(words, next, show, selected) {
      heading.textContent = words;
      box.setAttribute("aria-label", words);
      box.hidden = !next;
      const wanted = next ?? [];
      if (wanted.length !== keys.length || wanted.some((key, i) => key !== keys[i])) {
        keys = wanted;
        items = keys.map((key, at) => {
          const nodes = show(key).flatMap((node, i) => (i ? [" ", node] : [node])); // the spaces are read out
          return element("div", {
            class: "permsym-element", role: "option", "aria-selected": "false", "data-element": key,
            onclick: () => pick(key), onkeydown: (event) => onKey(event, at),
          }, ...nodes);
        });
        box.replaceChildren(...items);
        chosen = -1;
      }
      const at = keys.indexOf(selected);
      items[chosen]?.setAttribute("aria-selected", "false");
      items[at]?.setAttribute("aria-selected", "true");
      if (at !== chosen || at < 0) roving(items, Math.max(at, 0));
      if (at >= 0 && at !== chosen) inView(items[at]);
      chosen = at;
    },
  };

  /** Scroll the list, not the page. */
  function inView(item) {
    const [top, bottom] = [item.offsetTop - box.offsetTop, item.offsetTop - box.offsetTop + item.offsetHeight];
    if (top < box.scrollTop) box.scrollTop = top;
    else if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight;
  }
}
