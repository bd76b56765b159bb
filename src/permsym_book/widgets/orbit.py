"""The widget ``orbit``."""

from __future__ import annotations

from itertools import islice
from math import factorial

import matplotlib.pyplot as plt
import numpy as np
import traitlets
from matplotlib.patches import Rectangle

from .. import orbits
from ..claims.display import number
from ..mlp import MLP
from ..palette import contrast, unit_colour
from ..parameters import Parameters
from ..svg import Figure, as_figure, style
from .base import NetworkWidget
from .traits import Array, Network, Perm, Several, Whole, activation_trait, first_cycle, synced

DRAWN = 24


def arrangements(units):
    """The distinct arrangements of units with repetitions, in lexicographic order.

    >>> list(arrangements([0, 2, 0]))
    [(0, 0, 2), (0, 2, 0), (2, 0, 0)]
    """
    if not units:
        yield ()
    for unit in sorted(set(units)):
        rest = list(units)
        rest.remove(unit)
        for others in arrangements(rest):
            yield (unit, *others)


class Orbit(NetworkWidget):
    """All the networks that relabelling makes of one, with chosen coincidences between its units.

    Examples
    --------
    >>> w = Orbit(groups=[0, 0, 2, 3])
    >>> w.orbit_size, w.stabilizer_size
    (12, 2)
    """

    slug = "orbit"
    limits = {"d": (1, 4), "h": (1, 10), "q": (1, 3), "n": (1, 4)}
    sentence = ("With JavaScript you can make units identical, see the orbit and the stabilizer grow and shrink, and choose any"
                " element of the orbit to see that network compute the same outputs.")

    network = synced(Network(help="The network before any coincidence: one hidden layer of at most 10 units, at most 4 inputs and 3"
                                  " outputs."))
    X = synced(Array(2, help="Inputs (n, d), at most 4 samples."))
    groups = synced(Several(Whole(), help="Unit u has the weights of unit groups[u], which is u itself or an earlier"
                                                         " unit that keeps its own."))
    perm = synced(Perm(help="The chosen element of the orbit: slot j holds unit perm[j]."))
    activation = activation_trait()

    def __init__(self, **traits):
        if "network" not in traits:
            h = len(traits.get("groups", traits.get("perm", range(4))))
            drawn = MLP.random((2, h, 1), np.random.default_rng(1992), scheme="normal")
            traits["network"] = drawn.with_parameters(drawn.parameters.map(lambda A: A.round(2)))
            traits.setdefault("groups", [0, 0, 2, 3] if h == 4 else list(range(h)))
        net = traits["network"]
        if isinstance(net, MLP):
            h = net.hidden_widths[0]
            traits.setdefault("activation", net.activation.name)
            traits.setdefault("groups", list(range(h)))
            traits.setdefault("perm", first_cycle(h))
            traits.setdefault("X", np.random.default_rng(3).standard_normal((3, net.widths[0])).round(2))
        super().__init__(**traits)

    @traitlets.validate("groups")
    def _groups_fit(self, proposal):
        groups = proposal["value"]
        if self.network is not None and len(groups) != self.network.hidden_widths[0]:
            raise traitlets.TraitError(f"groups has {len(groups)} entries; {self.network.hidden_widths[0]}, one per unit, are required")
        for u, k in enumerate(groups):
            if not 0 <= k <= u or groups[k] != k:
                raise traitlets.TraitError(f"groups[{u}] is {k}; {u} itself, or an earlier unit that stands for its group, is required")
        return groups

    @property
    def coinciding(self) -> MLP:
        """The network with its coincidences."""
        p = self.network.parameters
        return MLP(Parameters([p.W1[:, self.groups], p.W2[self.groups, :]], [p.b1[self.groups], p.b2]), self.activation)

    @property
    def chosen(self) -> MLP:
        """The chosen element of the orbit."""
        return self.coinciding.permuted(self.perm)

    @property
    def orbit_size(self) -> int:
        """h! / prod(multiplicity!) (``prop-orbit-size``)."""
        return orbits.orbit_size(self.coinciding)

    @property
    def stabilizer_size(self) -> int:
        """prod(multiplicity!)."""
        return orbits.stabilizer_size(self.coinciding)

    def picture(self) -> Figure:
        """The first elements of the orbit, each a row of units; identical units wear one colour and number."""
        classes = orbits.unit_classes(self.coinciding)[0]
        first = [int(np.flatnonzero(classes == c)[0]) for c in classes]
        elements = list(islice(arrangements(first), DRAWN))
        with style():
            fig, ax = plt.subplots(figsize=(7.0, 0.42 * -(-len(elements) // 4) + 0.3))
            for place, units in enumerate(elements):
                row, column = divmod(place, 4)
                for slot, unit in enumerate(units):
                    x = column * (len(units) + 1) + slot
                    ax.add_patch(Rectangle((x, -row), 0.94, 0.8, color=unit_colour(unit)))
                    ink = max("#000000", "#ffffff", key=lambda c, unit=unit: contrast(c, unit_colour(unit)))
                    ax.text(x + 0.47, 0.4 - row, str(unit), ha="center", va="center", color=ink, fontweight="bold", fontsize=9)
            ax.set(xlim=(0, 4 * (len(first) + 1)), ylim=(-(len(elements) - 1) // 4 - 1.2, 1))
            ax.axis("off")
        shown = "all" if len(elements) == self.orbit_size else f"the first {len(elements)} of the"
        return as_figure(fig, f"The orbit of a network with {len(first)} hidden units, {shown} {self.orbit_size} elements: which unit stands in"
                              " which slot. Identical units wear the same number and colour.")

    def table(self):
        """The counts, and the residual of the chosen element's outputs."""
        counts = orbits.multiplicities(self.coinciding)[0]
        h = len(self.groups)
        residual = abs(self.chosen(self.X) - self.coinciding(self.X)).max()
        return ["quantity", "value"], [
            ["multiplicities of the distinct units", ", ".join(map(str, counts))],
            ["h!", str(factorial(h))],
            ["stabilizer, prod m_i!", str(self.stabilizer_size)],
            ["orbit, h!/prod m_i!", str(self.orbit_size)],
            ["chosen: slots hold units", ", ".join(str(u) for u in self.perm)],
            ["max |O_pi - O|", number(residual)],
        ]
