/** The state of each widget in the URL's hash, `#permute-units=<JSON>&orbit=<JSON>`: a link reproduces the view. */

function entries() {
  const hash = location.hash.slice(1);
  if (!hash.includes("=")) return [];
  return hash.split("&").map((part) => {
    const at = part.indexOf("=");
    return [part.slice(0, at), part.slice(at + 1)];
  });
}

/** The state that the link gives the widget, or null. @param {string} slug */
export function readLink(slug) {
  const found = entries().find(([name]) => name === slug);
  if (!found) return null;
  try {
    return JSON.parse(decodeURIComponent(found[1]));
  } catch {
    return null;
  }
}

/** Put the state of a widget into the URL without a new entry in the history; null takes it out. */
export function writeLink(slug, state) {
  const others = entries().filter(([name]) => name !== slug);
  if (state !== null) others.push([slug, encodeURIComponent(JSON.stringify(state))]);
  if (state === null && !entries().length) return; // an anchor of the page stays
  const hash = others.map(([name, text]) => `${name}=${text}`).join("&");
  try {
    history.replaceState(history.state, "", hash ? `#${hash}` : location.pathname + location.search);
  } catch {
    // too many updates a second: the next one carries this state too
  }
}
