/**
 * Give a widget states of which one part is of another kind or size, through setState and through the link. What it cannot use it must
 * refuse with a sentence that names what is required, in the page too, and keep its state; what it takes it must be able to give back.
 */
async (slug) => {
  const root = document.querySelector(`.permsym-widget[data-widget="${slug}"]`);
  const message = root.querySelector(".permsym-message");
  const { getState, setState } = root.permsym;
  const start = getState();
  const kept = JSON.stringify(start);
  const odd = [null, 7, -1, 0.5, 1e300, "no", "", true, [], {}, [1, 2], [[1, 2], [3]], [null], [[null]], [["1"]], { a: 1 }, [{}], [[1e300]]];
  const inside = [null, "no", [], {}, 1e7, [[]]];
  const internal = /undefined|cannot read|not a function|iterable|\[object|is not defined|invalid array|unexpected|call stack|infinity/i;
  const isObject = (value) => value !== null && typeof value === "object";

  /** Every copy of a value with one of its parts replaced, down to two levels. */
  function* spoiled(value, depth = 0) {
    if (!isObject(value) || depth > 2) return;
    for (const key of Object.keys(value).slice(0, 5)) {
      const spoil = (other) => Object.assign(Array.isArray(value) ? [] : {}, value, { [key]: other });
      for (const wrong of inside) yield spoil(wrong);
      for (const part of spoiled(value[key], depth + 1)) yield spoil(part);
    }
  }
  function* patches() {
    for (const wrong of odd) yield wrong;
    yield { nothing: 1 };
    for (const key of Object.keys(start)) {
      for (const wrong of odd) yield { [key]: wrong };
      for (const wrong of spoiled(start[key])) yield { [key]: wrong };
    }
  }
  const told = { tried: 0, refused: 0, wrong: [] };
  const check = (patch, refusal) => {
    told.tried += 1;
    const name = JSON.stringify(patch)?.slice(0, 90);
    const now = JSON.stringify(getState());
    if (refusal === null) {
      try {
        setState(getState());
      } catch (error) {
        told.wrong.push(`${name} is taken and then refused: ${error.message}`);
      }
    } else {
      told.refused += 1;
      if (message.hidden) told.wrong.push(`${name} is refused without a word in the page`);
      if (now !== kept) told.wrong.push(`${name} is refused and changes the state`);
      const words = message.textContent;
      if (!/required|parts are|do not meet|can be read/.test(words) || internal.test(words) || words.length > 400) told.wrong.push(`${name}: ${words}`);
    }
    if (now !== kept) setState(start);
  };
  for (const patch of patches()) {
    try {
      setState(patch);
      check(patch, null);
    } catch (error) {
      if (!(error instanceof RangeError)) told.wrong.push(`${JSON.stringify(patch)?.slice(0, 90)}: ${error.name}`);
      check(patch, error.message);
    }
  }
  const follow = (entry) => new Promise((done) => {
    addEventListener("hashchange", () => done(undefined), { once: true });
    location.hash = `${slug}=${entry}`;
  });
  const links = [...odd, { nothing: 1 }, ...Object.keys(start).flatMap((key) => odd.slice(0, 6).map((wrong) => ({ [key]: wrong })))];
  for (const [i, patch] of links.entries()) {
    message.hidden = true;
    await follow(encodeURIComponent(JSON.stringify(patch)) + "%20".repeat(i % 2)); // never the same twice in a row
    check(patch, message.hidden ? null : message.textContent);
  }
  message.hidden = true;
  await follow("%7Bbroken");
  check("a broken link", message.hidden ? null : message.textContent);
  if (told.wrong.length > 12) told.wrong.length = 12;
  root.querySelector('[data-action="reset"]').click();
  return told;
}
