/**
 * The host of the static page: puts a widget in the place of its picture when it comes into view. There is no
 * kernel; the traits are in the page as JSON, and all arithmetic runs in the widget.
 */

/** @type {Map<string, Promise<{render: Function}>>} */
const loading = new Map();
/** @type {Map<string, (widget: any) => void>} */
const waiting = new Map();
const base = new URL(".", /** @type {HTMLScriptElement} */ (document.currentScript).src).href;

window.permsymHost = {
  ready(slug, widget) {
    waiting.get(slug)?.(widget);
  },
};

function load(slug) {
  if (!loading.has(slug)) {
    loading.set(slug, new Promise((resolve, reject) => {
      waiting.set(slug, resolve);
      const script = document.createElement("script");
      script.src = `${base}${slug}.js`;
      script.onerror = () => reject(new Error(`the widget ${slug} could not be loaded`));
      document.head.append(script);
    }));
  }
  return loading.get(slug);
}

/** What a widget needs of anywidget's model, over a plain object. */
function model(traits) {
  const listeners = new Map();
  const changed = new Set();
  return {
    isStatic: true,
    get: (name) => traits[name],
    set(name, value) {
      traits[name] = value;
      changed.add(name);
    },
    save_changes() {
      const names = [...changed];
      changed.clear();
      for (const name of names) for (const f of listeners.get(`change:${name}`) ?? []) f();
    },
    on(event, f) {
      if (!listeners.has(event)) listeners.set(event, new Set());
      listeners.get(event).add(f);
    },
    off: (event, f) => listeners.get(event)?.delete(f),
  };
}

async function show(place) {
  const slug = place.dataset.permsymMount;
  const traits = JSON.parse(place.querySelector("script[type='application/json']").textContent);
  const el = document.createElement("div");
  try {
    const widget = await load(slug);
    widget.render({ model: model(traits), el });
    place.querySelector(".permsym-fallback").replaceWith(el);
    place.dataset.mounted = "";
  } catch (error) {
    const note = document.createElement("p");
    note.className = "permsym-message";
    note.setAttribute("role", "alert");
    note.textContent = `This widget did not start: ${error.message}. Its picture and numbers stand in its place.`;
    place.prepend(note);
  }
}

const seen = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    seen.unobserve(target);
    show(target);
  }
}, { rootMargin: "200px" });

for (const place of document.querySelectorAll("[data-permsym-mount]")) seen.observe(place);
