/** orbit: all the networks that relabelling makes of one, and the relabellings that leave it as it is. */
import { activations } from "../core/activations.js";
import { fromRows, largest, takeColumns, toRows, transpose } from "../core/matrix.js";
import { parametersFromLists, parametersToLists } from "../core/mlp.js";
import { arrangementOf, arrangements, factorial, multiplicities, orbitSize, representative, stabilizer, stabilizerSize, twinClasses, withCopies } from "../core/orbit.js";
import { cyclesAsText, identityPermutation, moved } from "../core/permutation.js";
import { compare, NO_MISTAKES } from "../core/relabelling.js";
import {
  following, randomData, randomParameters, requireInputs, requireInteger, requireList, requireNetwork, requireOneOf, requirePermutation, SEEDS, told,
} from "../core/settings.js";
import { unitColour, unitInk } from "../ui/colour.js";
import { button, choice, element, numberField } from "../ui/dom.js";
import { elementList } from "../ui/element-list.js";
import { verdict } from "../ui/format.js";
import { matrixView } from "../ui/matrix-view.js";
import { randomButton } from "../ui/relabel-buttons.js";
import { residualLine } from "../ui/residual.js";
import { unitStrip } from "../ui/unit-strip.js";
import { define } from "../ui/widget.js";

export const LIMITS = { d: [1, 4], h: [1, 10], q: [1, 3], n: [1, 4] };
export const LISTED = 720n; // more are only counted

function start({ network, X, groups, perm, activation: name, linked }) {
  const given = { network, X, groups, perm, activation: name, seed: 1, draws: 0, ...linked };
  requireOneOf("activation", given.activation, Object.keys(activations));
  const p = requireNetwork(given.network, LIMITS);
  const inputs = requireInputs(given.X, p.W1.rows, LIMITS.n[1]);
  const h = p.W1.cols;
  const heads = requireList("groups", given.groups, `a list of ${h} units`, h);
  heads.forEach((k, u) => {
    if (!Number.isInteger(k) || k < 0 || k > u || heads[k] !== k) {
      throw new RangeError(`groups[${u}] is ${told(k)}; ${u} itself, or an earlier unit that stands for its group, is required`);
    }
  });
  return {
    network: parametersToLists(p), X: toRows(inputs), groups: heads, perm: requirePermutation("perm", given.perm, h),
    activation: given.activation, seed: requireInteger("seed", given.seed, 0, SEEDS), draws: requireInteger("draws", given.draws, 0, SEEDS),
  };
}

const withCoincidences = (state) => withCopies(parametersFromLists(state.network), state.groups);

/** The state's counts, and the lists where they are short. */
function count(state) {
  const classes = twinClasses(withCoincidences(state));
  const sizes = { orbit: orbitSize(classes), stabilizer: stabilizerSize(classes) };
  return {
    classes, sizes,
    orbit: sizes.orbit <= LISTED ? [...arrangements(classes)].map(String) : null,
    stabilizer: sizes.stabilizer <= LISTED ? [...stabilizer(classes)].map(String) : null,
  };
}

const numbers = (key) => key.split(",").map(Number);
const chip = (unit) => element("span", { style: `background: ${unitColour(unit)}; color: ${unitInk(unit)}` }, String(unit));

/** "4!/(2! 1! 1!) = 24/2 = 12" */
function quotient(classes, sizes) {
  const h = classes.length;
  return `${h}!/(${multiplicities(classes).map((m) => `${m}!`).join(" ")}) = ${factorial(h)}/${sizes.stabilizer} = ${sizes.orbit}`;
}

function build(body, api) {
  let drawn = null;
  let counted = { key: "", value: null };
  const counts = (state) => {
    const key = JSON.stringify([state.network, state.groups]);
    if (counted.key !== key) counted = { key, value: count(state) };
    return counted.value;
  };
  const redraw = (patch) => {
    const s = api.state();
    const { h, seed } = { h: s.perm.length, seed: s.seed, ...patch };
    const [d, q] = [s.X[0].length, s.network.b2.length];
    const groups = h === s.perm.length ? s.groups : identityPermutation(h).map((u) => (u < s.groups.length ? s.groups[u] : u));
    api.change({
      network: parametersToLists(randomParameters(seed, d, h, q)), X: toRows(randomData(seed, s.X.length, d)), groups, seed,
      perm: h === s.perm.length ? s.perm : identityPermutation(h),
    });
  };
  const regroup = (unit, head) => {
    const { groups } = api.state();
    const followers = groups[unit] === unit && head !== unit ? groups.map((k) => (k === unit ? head : k)) : groups.slice();
    followers[unit] = head;
    api.change({ groups: followers });
  };
  const step = () => {
    const { perm } = api.state();
    const { orbit, classes } = counts(api.state());
    if (!orbit) return api.reject(`the orbit has more than ${LISTED} elements and is not listed; make units identical, or fewer`);
    const at = orbit.indexOf(String(arrangementOf(perm, classes)));
    return api.change({ perm: representative(numbers(orbit[(at + 1) % orbit.length]), classes) });
  };
  const sizeField = numberField("h", "hidden units h", { min: 1, max: LIMITS.h[1] }, (h) => redraw({ h }), api.reject);
  const sigma = choice("activation", "σ", Object.keys(activations).map((a) => [a, a]), (value) => api.change({ activation: value }));
  const choosers = element("fieldset", { class: "permsym-row" });
  const formula = element("p", { class: "permsym-formula" });
  const residual = residualLine("max |O", element("sub", {}, "π"), " − O| =");
  const same = element("span", {});
  const lists = element("div", {});
  const orbitList = elementList(lists, {
    title: "orbit",
    pick: (key) => api.change({ perm: representative(numbers(key), counts(api.state()).classes) }),
  });
  const stabilizerList = elementList(lists, { title: "stabilizer", pick: (key) => api.change({ perm: numbers(key) }) });
  const place = element("div", {});
  const panels = element("div", { class: "permsym-panels" });

  body.append(
    element("div", { class: "permsym-row", role: "toolbar", "aria-label": "Walk through the orbit" },
      button("step", "next network", step),
      randomButton(api),
      button("identity", "identity", () => api.change({ perm: identityPermutation(api.state().perm.length) })),
      button("distinct", "all different", () => api.change({ groups: identityPermutation(api.state().perm.length) })),
      button("alike", "all identical", () => api.change({ groups: api.state().groups.map(() => 0) })),
      button("reset", "reset", api.reset)),
    choosers, formula, lists, place, panels,
    element("div", { class: "permsym-row" }, residual.row, same),
    element("div", { class: "permsym-row" }, sizeField.row, sigma.row, button("redraw", "other weights", () => redraw({ seed: following(api.state().seed) }))),
  );

  function draw(p, n) {
    place.replaceChildren();
    panels.replaceChildren();
    const [d, h, q] = [p.W1.rows, p.W1.cols, p.W2.cols];
    const view = (title, rows, cols) => {
      const panel = element("div", {});
      panels.append(panel);
      return matrixView(panel, { title, rows, cols });
    };
    return {
      shape: String([d, h, q, n]),
      strip: unitStrip(place, h, {
        title: "The network chosen: what each slot holds", look: (unit) => counts(api.state()).classes[unit],
        move: (unit, slot) => {
          const { perm } = api.state();
          api.change({ perm: moved(perm, perm.indexOf(unit), slot) });
        },
      }),
      W1: view("W1", d, h), b1: view("b1", 1, h), W2: view("W2 transposed", q, h), before: view("O", n, q), after: view("O of the chosen", n, q),
    };
  }

  /** For each unit but the first, whose weights it has. */
  function drawChoosers({ groups }) {
    const active = document.activeElement?.dataset?.option;
    choosers.replaceChildren(element("legend", {}, "Coincidences"), ...groups.map((head, unit) => {
      const badge = element("span", { class: "permsym-tied", style: `background: ${unitColour(head)}; color: ${unitInk(head)}` }, String(unit));
      if (unit === 0) return element("span", { class: "permsym-field" }, badge, " its own weights");
      const options = [unit, ...groups.slice(0, unit).filter((k, u) => k === u)];
      const select = element("select", { "data-option": `group-${unit}`, "aria-label": `the weights of unit ${unit}`, onchange: () => regroup(unit, Number(select.value)) },
        ...options.map((k) => element("option", { value: k }, k === unit ? "its own" : `those of ${k}`)));
      select.value = String(head);
      return element("span", { class: "permsym-field" }, badge, select);
    }));
    if (active?.startsWith("group-")) choosers.querySelector(`[data-option="${active}"]`)?.focus();
  }

  return {
    update(state, before) {
      const p = withCoincidences(state);
      const [h, q, n] = [p.W1.cols, p.W2.cols, state.X.length];
      if (drawn?.shape !== String([p.W1.rows, h, q, n])) drawn = draw(p, n);
      if (!before || before.groups !== state.groups || !choosers.childNodes.length) drawChoosers(state);
      const { classes, sizes, orbit, stabilizer: fixing } = counts(state);
      const arrangement = arrangementOf(state.perm, classes);
      const found = compare(p, fromRows(state.X), state.activation, state.perm, NO_MISTAKES);
      formula.textContent = `orbit: ${quotient(classes, sizes)}`;
      orbitList.update(
        orbit ? `The orbit: ${sizes.orbit} ${sizes.orbit === 1n ? "network" : "networks"}` : `The orbit: ${sizes.orbit} networks, too many to list`,
        orbit, (key) => numbers(key).map(chip), String(arrangement));
      stabilizerList.update(
        `The stabilizer: ${sizes.stabilizer} ${sizes.stabilizer === 1n ? "relabelling" : "relabellings"} that ${sizes.stabilizer === 1n ? "changes" : "change"} no array${fixing ? "" : ", too many to list"}`,
        fixing, (key) => [cyclesAsText(numbers(key))], String(state.perm));
      drawn.strip.update(state.perm);
      const options = { units: arrangement, order: state.perm };
      drawn.W1.update(takeColumns(p.W1, state.perm), { limit: largest(p.W1), ...options });
      drawn.b1.update(takeColumns(p.b1, state.perm), { limit: largest(p.b1), ...options });
      drawn.W2.update(takeColumns(transpose(p.W2), state.perm), { limit: largest(p.W2), ...options });
      const limit = largest(found.before.O);
      drawn.before.update(found.before.O, { limit });
      drawn.after.update(found.after.O, { limit });
      residual.show(found.residual, found.bound);
      same.textContent = String(arrangement) === String(classes)
        ? "No array has changed: this relabelling is in the stabilizer."
        : `${sizes.stabilizer} of the ${factorial(h)} relabellings ${sizes.stabilizer === 1n ? "makes" : "make"} this network.`;
      sizeField.show(h);
      sigma.input.value = state.activation;
    },
  };
}

function describe(state) {
  const { classes, sizes, orbit } = count(state);
  const arrangement = arrangementOf(state.perm, classes);
  const at = orbit ? orbit.indexOf(String(arrangement)) + 1 : 0;
  const twins = [...new Set(classes)].map((c) => classes.map((k, u) => (k === c ? u : -1)).filter((u) => u >= 0)).filter((members) => members.length > 1);
  const alike = twins.length ? `Identical units: ${twins.map((members) => members.join(" = ")).join("; ")}` : "All units differ";
  const { residual, bound } = compare(withCoincidences(state), fromRows(state.X), state.activation, state.perm, NO_MISTAKES);
  return `${alike}. The orbit has ${quotient(classes, sizes)} elements, the stabilizer ${sizes.stabilizer}.` +
    ` Slots hold units ${state.perm.join(", ")}${at ? `, element ${at} of the orbit` : ""}${String(arrangement) === String(classes) ? ", the network itself" : ""}.` +
    ` Outputs against those of the network itself: ${verdict(residual, bound)}.`;
}

export default define({
  slug: "orbit",
  title: "The orbit of a network",
  traits: ["network", "X", "groups", "perm", "activation"],
  start,
  toTraits: ({ network, X, groups, perm, activation: name }) => ({ network, X, groups, perm, activation: name }),
  build,
  describe,
});
