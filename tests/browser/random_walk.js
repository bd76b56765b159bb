/**
 * Random actions on one widget: its buttons, fields and handles, chosen by a seeded generator. Returns the first thing that went
 * wrong in words, or null. `invariant` is the source of a function (root, state) => null | string.
 */
async ({ slug, steps, seed, invariant, skip }) => {
  const root = document.querySelector(`.permsym-widget[data-widget="${slug}"]`);
  const holds = invariant ? new Function("root", "state", invariant) : () => null;
  let x = seed >>> 0 || 1;
  const random = () => {
    x ^= x << 13; x >>>= 0; x ^= x >>> 17; x ^= x << 5; x >>>= 0;
    return x / 4294967296;
  };
  const pick = (list) => list[Math.floor(random() * list.length)];
  const keys = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "Escape", "Enter", " "];
  const errors = [];
  const onError = (event) => errors.push(String(event.message ?? event.reason));
  window.addEventListener("error", onError);
  window.addEventListener("unhandledrejection", onError);
  const seen = new Set();
  for (let step = 0; step < steps; step++) {
    const buttons = [...root.querySelectorAll("button[data-action]:not([disabled])")].filter((b) => !skip.includes(b.dataset.action));
    const fields = [...root.querySelectorAll("[data-option]:not([disabled])")].filter((f) => f.closest("[hidden]") === null);
    const handles = [...root.querySelectorAll("[data-unit], [role=gridcell] button, [data-cell], [tabindex='0']")];
    const kind = random();
    let what;
    if (kind < 0.35 && buttons.length) {
      const button = pick(buttons);
      what = `press ${button.dataset.action}`;
      button.click();
    } else if (kind < 0.65 && fields.length) {
      const field = pick(fields);
      if (field.type === "checkbox") field.click();
      else {
        if (field.tagName === "SELECT") field.value = pick([...field.options]).value;
        else if (field.type === "number" || field.type === "range") {
          const low = Number(field.min), high = Number(field.max || 10);
          field.value = random() < 0.15 ? pick(["", "-3", "999999", "0.37"]) : String(Math.round((low + random() * (high - low)) * 100) / 100);
          if (Number.isInteger(Number(field.step || 1)) && random() < 0.9) field.value = String(Math.round(Number(field.value)));
        } else field.value = pick(["(0 2 1)", "", "(0 1)", "(9 8)", "nonsense", "identity", "0.5", "(1 2)(2 3)"]);
        field.dispatchEvent(new Event("input", { bubbles: true }));
        field.dispatchEvent(new Event("change", { bubbles: true }));
      }
      what = `set ${field.dataset.option} to ${field.value}`;
    } else if (handles.length) {
      const handle = pick(handles);
      const key = pick(keys);
      handle.focus?.();
      handle.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey: random() < 0.2, bubbles: true, cancelable: true }));
      what = `key ${key} on ${handle.dataset.unit ?? handle.className.baseVal ?? handle.className}`;
    } else continue;
    seen.add(what.split(" ")[0]);
    const state = root.permsym.getState();
    const status = root.querySelector("[role=status]").textContent;
    if (errors.length) return `step ${step} (${what}): ${errors[0]}`;
    if (!status.trim()) return `step ${step} (${what}): the status line is empty`;
    for (const element of root.querySelectorAll("[data-residual]")) {
      if (element.dataset.residual !== "" && Number.isNaN(Number(element.dataset.residual))) return `step ${step} (${what}): the residual is ${element.dataset.residual}`;
    }
    const wrong = holds(root, state);
    if (wrong) return `step ${step} (${what}): ${wrong}`;
    if (step % 200 === 199) await new Promise((done) => setTimeout(done, 0));
  }
  window.removeEventListener("error", onError);
  window.removeEventListener("unhandledrejection", onError);
  return seen.size ? null : "no action was possible";
}
