/** The state of each widget in the URL's hash, `#permute-units=<JSON>&orbit=<JSON>`: a link reproduces the view. */

const PAUSE = 300; // milliseconds: writing the address makes the browser lay the page out, so it waits until the motion has ended

function entries() {
  const hash = location.hash.slice(1);
  if (!hash.includes("=")) return [];
  return hash.split("&").map((part) => {
    const at = part.indexOf("=");
    return [part.slice(0, at), part.slice(at + 1)];
  });
}

/** The state that the link gives the widget, or undefined when it gives none. @param {string} slug @throws {RangeError} */
export function readLink(slug) {
  const found = entries().find(([name]) => name === slug);
  if (!found) return undefined;
  try {
    return JSON.parse(decodeURIComponent(found[1]));
  } catch {
    throw new RangeError("the link holds no state that can be read");
  }
}

/** @type {Map<string, any>} what each widget's entry will be */
const waiting = new Map();
let timer = 0;

/** Put the state of a widget into the URL, without a new entry in the history, soon; null takes it out. */
export function writeLink(slug, state) {
  waiting.set(slug, state);
  clearTimeout(timer);
  timer = setTimeout(writeLinks, PAUSE);
}

/** Write what waits, at once. */
function writeLinks() {
  clearTimeout(timer);
  if (!waiting.size) return;
  const before = entries();
  const after = before.filter(([name]) => !waiting.has(name));
  for (const [slug, state] of waiting) if (state !== null) after.push([slug, encodeURIComponent(JSON.stringify(state))]);
  waiting.clear();
  if (!after.length && !before.length) return; // an anchor of the page stays
  const hash = after.map(([name, text]) => `${name}=${text}`).join("&");
  history.replaceState(history.state, "", hash ? `#${hash}` : location.pathname + location.search);
}

window.addEventListener("pagehide", writeLinks);
