"""The widget ``flat-valley``."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import traitlets

from ..claims.display import number
from ..figures import Figure, as_figure, style
from ..landscape.vector import to_vector
from ..mlp import MLP
from ..palette import unit_colour
from ..parameters import Parameters
from .problems import TrainingWidget
from .traits import Array, Network, Perm, Real, Whole, activation_trait, synced
from .valley import PER_LEG, Leg, Valley, across, along, moves_to, valley_problem


class FlatValley(TrainingWidget):
    """A unit split in two, the valley of equal loss, and the walk in it to every ordering of the units.

    Examples
    --------
    >>> w = FlatValley(share=0.4, perm=[1, 2, 0, 3])
    >>> bool(abs(w.split.loss(w.X, w.Y) - w.network.loss(w.X, w.Y)) < 1e-12)
    True
    >>> bool(w.losses.max() - w.losses.min() < 1e-12), len(w.legs)
    (True, 11)
    """

    slug = "flat-valley"
    limits = {"d": (1, 4), "h": (1, 4), "q": (1, 4), "n": (1, 64)}
    problem = staticmethod(valley_problem)
    sentence = (
        "With JavaScript you split the unit in any proportion, off the line too, and walk through the valley to any"
        " ordering of the units, while the page computes the loss."
    )

    network = synced(
        Network(
            help="The network before the split: at most 4 inputs, 4 hidden units and 4 outputs. The gradient vanishes"
            " after the split where it does before."
        )
    )
    X = synced(Array(2, help="Inputs (n, d), at most 64 samples."))
    Y = synced(Array(2, help="Targets (n, q)."))
    activation = activation_trait()
    unit = synced(Whole(1, min=0, help="The unit that is split; its copy becomes the last unit."))
    share = synced(
        Real(
            0.3, min=-1.0, max=2.0, help="lambda: the unit keeps lambda a, its copy has (1 - lambda) a."
        )
    )
    push = synced(
        Real(
            0.0,
            min=-1.0,
            max=1.0,
            help="mu: how far the split is off the line, along a vector as long as a at a right angle to it. 0 is"
            " required with one output.",
        )
    )
    perm = synced(Perm(help="The ordering to walk to: slot j is to hold unit perm[j] of the split network."))
    mistakes = synced(
        traitlets.Dict(
            key_trait=traitlets.Enum(["both", "together"]),
            value_trait=traitlets.Bool(),
            help="Broken on purpose. both: lambda and lambda in place of lambda and 1 - lambda; together: incoming and"
            " outgoing weights move at once.",
        )
    )

    def __init__(self, **traits):
        net = traits["network"] if "network" in traits else valley_problem()[0]
        if isinstance(net, MLP):
            n = net.hidden_widths[0] + 1
            traits.setdefault("unit", min(1, n - 2))
            traits.setdefault("perm", [2, 0, n - 1, *range(3, n - 1), 1] if n > 3 else range(n)[::-1])
        super().__init__(**traits)

    @traitlets.validate("unit")
    def _unit_fits(self, proposal):
        if self.network is not None and proposal["value"] >= self.network.hidden_widths[0]:
            raise traitlets.TraitError(
                f"unit is {proposal['value']}; a unit below {self.network.hidden_widths[0]} is required"
            )
        return proposal["value"]

    @traitlets.validate("perm")
    def _perm_fits(self, proposal):
        if self.network is not None and len(proposal["value"]) != self.network.hidden_widths[0] + 1:
            raise traitlets.TraitError(
                f"perm permutes {len(proposal['value'])} units; {self.network.hidden_widths[0] + 1}, one"
                " more than before the split, are required"
            )
        return proposal["value"]

    @traitlets.validate("push")
    def _push_fits(self, proposal):
        if proposal["value"] and self.network is not None and not self._plane():
            raise traitlets.TraitError(
                f"push is {proposal['value']}; 0 is required, since every vector is along the outgoing"
                f" weights of unit {self.unit}"
            )
        return proposal["value"]

    def _plane(self) -> bool:
        """Whether there is a split off the line."""
        return bool(across(self.network.parameters.W2[self.unit]).any())

    @property
    def valley(self) -> Valley:
        """The valley of the chosen unit."""
        return Valley(MLP(self.network.parameters, self.activation), self.unit)

    @property
    def split(self) -> MLP:
        """The network after the split."""
        return self.valley.split(self.share, self.push)

    @property
    def legs(self) -> list[Leg]:
        """The walk to the ordering, without the mistakes."""
        return self.valley.walk(self.perm, self.share, self.push)

    def _losses(self, points: list[Parameters]) -> np.ndarray:
        return np.array([float(MLP(p, self.activation).loss(self.X, self.Y)) for p in points])

    @property
    def losses(self) -> np.ndarray:
        """The losses (12 legs + 1,) along the walk."""
        return self._losses(along(self.legs))

    @property
    def straight_losses(self) -> np.ndarray:
        """As many losses on the straight line between the walk's ends."""
        legs = self.legs
        steps = PER_LEG * len(legs)
        return self._losses(
            [legs[0].start * (1 - i / steps) + legs[-1].end * (i / steps) for i in range(steps + 1)]
        )

    def picture(self) -> Figure:
        """The loss along the walk and along the straight line between its ends."""
        straight = self.straight_losses
        with style():
            fig, ax = plt.subplots(figsize=(6.0, 3.2))
            ax.plot(self.losses, color=unit_colour(0), lw=2.6, label="along the walk")
            ax.plot(straight, color=unit_colour(1), ls="--", label="straight to its end")
            ax.set(xlabel="position on the walk", ylabel="loss", ylim=(0, None))
            ax.legend()
        order = ", ".join(map(str, self.perm))
        level = np.ptp(straight) <= 1e-9 * straight.max()  # as for the two halves changing places
        if not moves_to(self.perm):
            return as_figure(
                fig,
                "The loss while the copy of the split unit falls silent and is restored, the units in their order:"
                " constant.",
            )
        return as_figure(
            fig,
            f"The loss from the split network to its relabelling {order}: constant along the walk through the valley,"
            f" {'and' if level else 'not'} along the straight line.",
        )

    def table(self):
        """Loss and gradient of splits on the line and off it, and along the walk."""
        pushes = [(0.0, "on the line")]
        if self._plane():
            pushes.append((self.push or 1.0, "off the line"))
        rows = []
        for push, words in pushes:
            for share in sorted({0.0, 0.5, self.share, 2.0}):
                net = self.valley.split(share, push)
                loss, gradients = net.loss_and_gradients(self.X, self.Y)
                rows.append(
                    [
                        f"{words}: lambda = {number(share)}, mu = {number(push)}",
                        number(float(loss)),
                        number(float(np.linalg.norm(to_vector(gradients)))),
                    ]
                )
        losses, moves = self.losses, len(moves_to(self.perm))
        walk = (
            f"the walk of {moves} {'move' if moves == 1 else 'moves'}"
            if moves
            else "no move is needed; the copy silenced and restored"
        )
        rows.append(
            [
                f"{walk}, largest change of the loss",
                number(float(abs(losses - losses[0]).max())),
                "",
            ]
        )
        rows.append(["the straight line, largest loss", number(float(self.straight_losses.max())), ""])
        return ["network", "loss", "length of the gradient"], rows
