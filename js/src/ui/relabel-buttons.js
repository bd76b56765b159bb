/** The buttons that relabel the units of a widget whose state has `perm` and `draws`. */
import { identityPermutation, nextPermutation, randomPermutation } from "../core/permutation.js";
import { source } from "../core/random.js";
import { following } from "../core/settings.js";
import { button } from "./dom.js";

/** Another random order; how many were drawn is part of the state. @param {import("./widget.js").Api} api */
export const randomButton = (api) => button("random", "random", () => {
  const { draws, perm } = api.state();
  api.change({ perm: randomPermutation(perm.length, source(1992, draws)), draws: following(draws) });
});

/**
 * Random, reverse, identity, the next in lexicographic order, and reset.
 * @param {import("./widget.js").Api} api @param {{of?: string, more?: HTMLElement[]}} options the name of the group, and further buttons
 */
export function relabelButtons(api, { of = "S_h", more = [] } = {}) {
  const relabel = (action, label, perm) => button(action, label, () => api.change({ perm: perm(api.state().perm) }));
  return [
    randomButton(api),
    relabel("reverse", "reverse", (p) => p.slice().reverse()),
    relabel("identity", "identity", (p) => identityPermutation(p.length)),
    ...more,
    relabel("step", `next of ${of}`, nextPermutation),
    button("reset", "reset", api.reset),
  ];
}
