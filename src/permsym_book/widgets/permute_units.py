"""The widget ``permute-units``."""

from __future__ import annotations

import numpy as np
import traitlets

from ..claims.display import number
from ..figures import Figure, ribbons, unit_images
from ..mlp import MLP
from ..permutation import Permutation
from .base import NetworkWidget
from .traits import Array, Network, Perm, activation_trait, synced

MISTAKES = ("b1", "W2", "transpose", "cumulative")


class PermuteUnits(NetworkWidget):
    """Pick up a hidden unit, and its column of W1, its bias, its column of H and its row of W2 move with it.

    Examples
    --------
    >>> w = PermuteUnits(perm=[2, 0, 1, 3, 4])
    >>> w.perm
    Permutation([2, 0, 1, 3, 4])
    >>> w.relabelled.widths
    (3, 5, 2)
    """

    slug = "permute-units"
    limits = {"d": (1, 6), "h": (1, 10), "q": (1, 4), "n": (1, 8)}
    sentence = ("With JavaScript you can pick up a unit by mouse, finger or arrow keys, see everything that belongs to it"
                " move with it, and break the equality on purpose.")

    network = synced(Network(help="The network: one hidden layer of at most 10 units, at most 6 inputs and 4 outputs;"
                                  " or 784 inputs and at most 10 outputs, whose columns of W1 are shown as images."))
    X = synced(Array(2, help="Inputs (n, d), at most 8 samples."))
    perm = synced(Perm(help="Slot j holds unit perm[j]."))
    mistakes = synced(traitlets.Dict(value_trait=traitlets.Bool(), key_trait=traitlets.Enum(MISTAKES),
                                     help="What is done wrong on purpose: b1 or W2 not permuted, P in place of its transpose on"
                                          " W2, a running sum over the units (cumulative)."))
    activation = activation_trait()

    def __init__(self, **traits):
        if "network" not in traits:
            traits["network"] = MLP.random((3, 5, 2), np.random.default_rng(1992), scheme="normal")
        net = traits["network"]
        if isinstance(net, MLP):
            traits.setdefault("activation", net.activation.name)
            traits.setdefault("perm", Permutation.identity(net.hidden_widths[0]))
            traits.setdefault("X", np.random.default_rng(3).standard_normal((4, net.widths[0])))
        super().__init__(**traits)

    def limits_for(self, net):
        """A network on images of 28 x 28 pixels has 784 inputs and up to 10 outputs."""
        return self.limits | ({"d": (784, 784), "q": (1, 10)} if net.widths[0] == 784 else {})

    @property
    def relabelled(self) -> MLP:
        """The network as it is shown, with ``perm`` applied (without the mistakes)."""
        return self.network.permuted(self.perm)

    def picture(self) -> Figure:
        """The ribbons of the network, or the images of its first columns."""
        alt = "The hidden units of a network before and after a relabelling."
        if self.network.widths[0] == 784:
            return unit_images(self.network, self.network.hidden_widths[0], self.perm, alt=alt)
        return ribbons(self.network, self.X, self.perm, alt=alt)

    def table(self):
        """Per slot: the unit it holds, its bias and its outgoing weights; and the residual of the outputs."""
        p = self.network.parameters
        rows = [[slot, unit, number(p.b1[unit]), ", ".join(map(number, p.W2[unit]))]
                for slot, unit in enumerate(self.perm)]
        residual = abs(self.relabelled(self.X) - self.network(self.X)).max()
        return ["slot", "unit", "bias", "outgoing weights"], [*rows, ["", "", "max |O_pi - O|", number(residual)]]
