"""The widget ``loss-surface``."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import traitlets

from ..claims.display import number
from ..figures import Figure, as_figure, style
from ..mlp import MLP
from ..palette import unit_colour
from .plane import DIRECTIONS, Plane
from .problems import TrainingWidget, surface_problem
from .traits import Array, Network, Real, Several, Whole, activation_trait, synced


class LossSurface(TrainingWidget):
    """The loss of a two-unit network over a plane through the network and its swap, with its mirror line.

    Examples
    --------
    >>> w = LossSurface()
    >>> a = w.plane.half_width
    >>> w.at(-a, 0.0) == w.network.permuted([1, 0])
    False
    >>> bool(abs(w.at(a, 0.0).loss(w.X, w.Y) - w.at(-a, 0.0).loss(w.X, w.Y)) < 1e-12)
    True
    """

    slug = "loss-surface"
    problem = staticmethod(surface_problem)
    limits = {"d": (1, 2), "h": (2, 2), "q": (1, 2), "n": (1, 64)}
    sentence = (
        "With JavaScript you set a start by a click or by the arrow keys, and see the descent in this"
        " plane and its mirror image, as a map and in three dimensions."
    )

    network = synced(
        Network(
            help="The network in the one minimum: 1 or 2 inputs, 2 hidden units, 1 or 2 outputs."
            " Its swap is the other minimum."
        )
    )
    X = synced(Array(2, help="Inputs (n, d), at most 64 samples."))
    Y = synced(Array(2, help="Targets (n, q)."))
    direction = synced(
        traitlets.Enum(
            DIRECTIONS,
            default_value="outgoing",
            help="The second direction of the plane, the same for both units: their outgoing weights,"
            " incoming weights, biases, or the output's bias.",
        )
    )
    start = synced(
        Several(
            Real(min=-2.0, max=2.0),
            [-0.35, 0.6],
            minlen=2,
            maxlen=2,
            help="Where the descent begins: from -2 to 2 along both directions, the minima at -1 and 1.",
        )
    )
    step_size = synced(
        Real(0.02, min=1e-6, max=10.0, help="The step size; the loss sums over the samples.")
    )
    steps = synced(Whole(200, min=0, max=1000, help="How many steps of the descent are made."))
    activation = activation_trait()

    def check_together(self):
        """The two minima must be two."""
        if self.network.permuted([1, 0]) == self.network:
            raise traitlets.TraitError(
                "network has two identical units, so its swap is itself; different units are required"
            )

    @property
    def plane(self) -> Plane:
        """The plane with its origin half way between the two minima."""
        net = MLP(self.network.parameters, self.activation)
        return Plane(net, self.X, self.Y, self.direction)

    def at(self, a: float, b: float) -> MLP:
        """The network at (a, b) of the plane; (-half_width, 0) and (half_width, 0) are the two minima."""
        return self.plane.network(a, b)

    @property
    def descent(self) -> np.ndarray:
        """The points (steps + 1, 2) of the descent in the plane, in the units of ``start``."""
        plane = self.plane
        return (
            plane.descent(np.array(self.start) * plane.half_width, self.step_size, self.steps)
            / plane.half_width
        )

    def picture(self) -> Figure:
        """Contours of the loss with both minima, the mirror line, the descent and its mirror image."""
        plane, path = self.plane, self.descent
        xs = np.linspace(-2, 2, 61)
        losses = np.array([[plane.loss(a * plane.half_width, b * plane.half_width) for a in xs] for b in xs])
        with style():
            fig, ax = plt.subplots(figsize=(5.2, 4.6))
            ax.contourf(xs, xs, np.log10(losses + 1e-3), levels=14, cmap="cividis")
            ax.axvline(0, color="white", ls="--", lw=1.5)
            for sign, colour, name in (
                (1, unit_colour(0), "descent"),
                (-1, unit_colour(1), "its mirror image"),
            ):
                ax.plot(sign * path[:, 0], path[:, 1], color="white", lw=3.6)
                ax.plot(sign * path[:, 0], path[:, 1], color=colour, lw=2, label=name)
            ax.plot([-1, 1], [0, 0], "o", color="white", mec="black", label="the minima", ls="none")
            ax.set(
                xlabel="from the network (-1) to its swap (1)",
                ylabel=f"along the {DIRECTIONS[self.direction]}",
                xlim=(-2, 2),
                ylim=(-2, 2),
            )
            ax.legend()
        return as_figure(
            fig,
            "The loss of a two-unit network over a plane through two permuted minima: it is symmetric about"
            " the vertical line half way between them, and so are the two descents.",
            "",
        )

    def table(self):
        """Loss at the two minima, half way between them, and at both ends of the descent."""
        plane, path = self.plane, self.descent
        points = [
            ("the network", (-1.0, 0.0)),
            ("its swap", (1.0, 0.0)),
            ("half way", (0.0, 0.0)),
            ("start of the descent", path[0]),
            ("its end", path[-1]),
            ("end of the mirror image", path[-1] * [-1, 1]),
        ]
        return ["point", "along the first direction", "along the second", "loss"], [
            [
                name,
                number(float(a)),
                number(float(b)),
                number(plane.loss(a * plane.half_width, b * plane.half_width)),
            ]
            for name, (a, b) in points
        ]
