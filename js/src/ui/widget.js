/**
 * The frame that every widget stands in: state with undo, traits, the URL hash, the status line, the message for bad input.
 *
 * A widget gives `start(traits)`, which makes its state or throws a RangeError with a sentence for the reader;
 * `build(body, api)`, which makes its DOM once and returns `{ update(state), destroy?() }`; and `describe(state)`,
 * the status line's words. Whatever a state holds must survive JSON.
 *
 * @typedef {{get(name: string): any, set(name: string, value: any): void, save_changes(): void,
 *            on(event: string, f: () => void): void, off(event: string, f: () => void): void}} Model
 * @typedef {{
 *   slug: string, title: string,
 *   start: (traits: Record<string, any>) => any,
 *   traits: string[],
 *   toTraits: (state: any) => Record<string, any>,
 *   link?: (state: any) => any,
 *   build: (body: HTMLElement, api: Api) => {update: (state: any, before: any) => void, destroy?: () => void},
 *   describe: (state: any) => string,
 * }} Widget
 * @typedef {{state: () => any, change: (patch: any, options?: {keep?: boolean}) => void, reset: () => void, undo: () => void,
 *            reject: (message: string) => void}} Api
 */
import { readLink, writeLink } from "./hash.js";
import { requireObject } from "../core/settings.js";
import { element, write } from "./dom.js";

/**
 * Turn a widget into the module that anywidget and the static page's host load.
 * @param {Widget} widget
 */
export function define(widget) {
  return { render: (/** @type {{model: Model, el: HTMLElement}} */ context) => mount(widget, context) };
}

/** @param {Widget} widget @param {{model: Model, el: HTMLElement}} context */
function mount(widget, { model, el }) {
  const body = element("div", { class: "permsym-body" });
  const status = element("p", { class: "permsym-status", role: "status", "aria-live": "polite" });
  const message = element("p", { class: "permsym-message", role: "alert", hidden: "" });
  const root = element("div", { class: "permsym-widget", "data-widget": widget.slug, role: "group", "aria-label": widget.title },
    body, message, status);
  el.append(root);

  const traits = () => Object.fromEntries(widget.traits.map((name) => [name, model.get(name)]));
  let first, state;
  try {
    first = widget.start(traits());
  } catch (error) {
    say(message, sentence(error));
    return () => root.remove();
  }
  state = first;
  const past = [];
  let view = null;
  let writing = false;

  /** For undo; what was running does not start again by itself. */
  const remember = (before) => {
    past.push(before.running ? { ...before, running: false } : before);
    if (past.length > 500) past.shift();
  };

  const show = (before) => {
    message.hidden = true;
    view.update(state, before);
    write(status, widget.describe(state));
  };

  const publish = () => {
    writing = true;
    for (const [name, value] of Object.entries(widget.toTraits(state))) {
      if (JSON.stringify(model.get(name)) !== JSON.stringify(value)) model.set(name, value);
    }
    model.save_changes();
    writing = false;
    if (isStatic(model)) writeLink(widget.slug, state === first ? null : (widget.link ?? ((s) => s))(state));
  };

  /** @type {Api} */
  const api = {
    state: () => state,
    change(patch, { keep = true } = {}) {
      const before = state;
      const next = { ...state, ...patch };
      if (Object.keys(patch).every((key) => Object.is(next[key], before[key]))) return;
      state = next;
      try {
        show(before);
      } catch (error) {
        state = before; // nothing is lost
        show(next);
        say(message, sentence(error));
        return;
      }
      if (keep) remember(before);
      publish();
    },
    undo() {
      if (!past.length) return;
      const before = state;
      state = past.pop();
      show(before);
      publish();
    },
    reset() {
      if (state === first) return;
      remember(state);
      const before = state;
      state = first;
      show(before);
      publish();
    },
    reject: (text) => say(message, text),
  };

  view = widget.build(body, api);
  show(state);
  /** The state that a link or a script gives, on top of another; a RangeError says what is wrong with it. */
  const stateFrom = (wanted, base = {}) => {
    requireObject("the state", wanted, "an object such as getState() gives");
    const unknown = Object.keys(wanted).filter((key) => !Object.hasOwn(first, key));
    if (unknown.length) throw new RangeError(`the state has no ${unknown.join(", ")}; its parts are ${Object.keys(first).join(", ")}`);
    return widget.start({ ...traits(), linked: { ...base, ...wanted } });
  };
  /** The view of the link; a broken link changes nothing and is told. */
  const follow = () => {
    try {
      const wanted = readLink(widget.slug);
      return wanted === undefined ? null : stateFrom(wanted);
    } catch (error) {
      say(message, `The link is not followed: ${sentence(error)}.`);
      return null;
    }
  };
  const linked = isStatic(model) ? follow() : null;
  if (linked) {
    state = linked;
    show(first);
    publish();
  }

  const fromPython = () => {
    if (writing) return;
    try {
      const before = state;
      state = first = widget.start(traits());
      past.length = 0;
      show(before);
    } catch (error) {
      say(message, sentence(error));
    }
  };
  const onHash = () => {
    const wanted = follow();
    if (wanted) api.change(wanted);
  };
  const onKey = (event) => {
    if (event.key === "Escape" && !event.defaultPrevented) {
      event.preventDefault();
      api.undo();
    }
  };
  widget.traits.forEach((name) => model.on(`change:${name}`, fromPython));
  root.addEventListener("keydown", onKey);
  if (isStatic(model)) window.addEventListener("hashchange", onHash);
  const handle = {
    getState: () => JSON.parse(JSON.stringify(state)),
    setState(wanted) {
      try {
        api.change(stateFrom(wanted, state));
      } catch (error) {
        say(message, `The state is not taken over: ${sentence(error)}.`);
        throw error;
      }
    },
  };
  root.permsym = el.permsym = handle;

  return () => {
    widget.traits.forEach((name) => model.off(`change:${name}`, fromPython));
    window.removeEventListener("hashchange", onHash);
    view.destroy?.();
    delete el.permsym;
    root.remove();
  };
}

const isStatic = (model) => Boolean(model.isStatic);
/** A RangeError's message is written for the reader; any other is the program's own. */
const sentence = (error) => (error instanceof RangeError ? error.message : "it has a part that this widget cannot use");

const SAID = 400; // characters of a message; what somebody has typed may be longer

function say(message, text) {
  message.textContent = text.length > SAID ? `${text.slice(0, SAID)}…` : text;
  message.hidden = false;
}
