"""The widget ``symmetry-lab``."""

from __future__ import annotations

import traitlets

from .. import noise, optimizers
from ..claims.display import number
from ..examples import plain_sums
from ..figures import Figure, lines
from ..lab import unit_gaps
from ..mlp import MLP, identical_units
from ..parameters import Parameters
from .lockstep import INITS, OPTIMIZERS, PURPOSES, STEP_SIZES, initial, trained
from .problems import TrainingWidget, lab_problem
from .traits import Array, Network, Real, Several, Whole, activation_trait, synced

SHOWN = 200  # steps in the picture


class SymmetryLab(TrainingWidget):
    """Some hidden units start identical; a chosen optimizer under chosen noises keeps them so, or does not.

    Examples
    --------
    >>> SymmetryLab(noises=["minibatch", "flips"], steps=50).gap
    0.0
    >>> SymmetryLab(noises=["dropout"], steps=50).gap > 1e-3
    True
    """

    slug = "symmetry-lab"
    problem = staticmethod(lab_problem)
    limits = {"d": (1, 8), "h": (2, 10), "q": (1, 4), "n": (1, 64)}
    sentence = (
        "With JavaScript you choose which units start identical, the start, the optimizer and the noise, train"
        " the network, and see whether the gap between the units stays exactly 0, and why."
    )

    network = synced(
        Network(
            help='The network whose widths, and with init "given" whose weights, are used: 1 to 8 inputs,'
            " 2 to 10 hidden units, 1 to 4 outputs."
        )
    )
    X = synced(Array(2, help="Inputs (n, d), at most 64 samples."))
    Y = synced(Array(2, help="Targets (n, q)."))
    group = synced(
        Several(
            Whole(min=0),
            [1, 3, 4],
            minlen=2,
            help="The hidden units that start as copies of the first of them.",
        )
    )
    init = synced(
        traitlets.Enum(
            INITS, default_value="given", help="How the start is drawn, before the copies are made."
        )
    )
    optimizer = synced(traitlets.Enum(OPTIMIZERS, default_value="adam", help="The name of the optimizer."))
    step_size = synced(
        Real(
            STEP_SIZES["adam"], min=1e-6, max=10.0, help="The step size; the loss sums over the batch."
        )
    )
    noises = synced(
        traitlets.List(
            traitlets.Enum(PURPOSES),
            [],
            help="Names of noises of permsym_book.noise, with their default amounts.",
        )
    )
    activation = activation_trait()
    seed = synced(Whole(1, min=0, max=10**9, help="Start and noise are a function of it."))
    steps = synced(
        Whole(0, min=0, max=10_000, help="How many steps have been made; set it to train further.")
    )

    @traitlets.validate("group")
    def _group_fits(self, proposal):
        group, h = proposal["value"], self.network.hidden_widths[0]
        if len(set(group)) < len(group) or max(group) >= h:
            raise traitlets.TraitError(f"group is {group}; different units from 0 to {h - 1} are required")
        return sorted(group)

    @property
    def start(self) -> MLP:
        """The network before the first step: drawn or given, with the units of ``group`` made identical."""
        p = (
            self.network.parameters
            if self.init == "given"
            else initial(self.init, self.seed, self.network.widths)
        )
        return identical_units(MLP(Parameters(p.weights, p.biases), self.activation), 0, self.group)

    def _path(self, steps: int, noises=None) -> list[MLP]:
        names = self.noises if noises is None else noises
        made = [
            noise.get(name, **({"unit": self.group[0]} if name == "nudge" else {}))
            for name in PURPOSES
            if name in names
        ]
        rule = optimizers.get(self.optimizer, step_size=self.step_size)
        return [
            net for net, _ in trained(plain_sums(self.start), self.X, self.Y, rule, steps, self.seed, made)
        ]

    @property
    def trained(self) -> MLP:
        """The network after ``steps`` steps, trained here with the page's noise."""
        return self._path(self.steps)[-1]

    @property
    def gap(self) -> float:
        """The largest difference between the units of ``group`` after ``steps`` steps; 0.0 when identical."""
        return self._gaps(self._path(self.steps)[-1:])[0]

    def _gaps(self, path) -> list[float]:
        return [float(unit_gaps(Parameters.stacked([net.parameters]), self.group)[0]) for net in path]

    def picture(self) -> Figure:
        """The gap over the first steps: with the chosen noise, and with a dropout mask for each unit."""
        series = {
            ", ".join(self.noises) or "no noise": self._gaps(self._path(SHOWN)),
            "dropout, a mask for each unit": self._gaps(self._path(SHOWN, ["dropout"])),
        }
        return lines(
            series,
            log=True,
            xlabel="step",
            ylabel="gap of the identical units",
            alt=f"The gap between identical units over {SHOWN} steps, on a logarithmic axis: under"
            f" {next(iter(series))}"
            f" {number(next(iter(series.values()))[-1])} at the end; under dropout with a mask"
            " for each unit it opens.",
        )

    def table(self):
        """The gap after some steps under each noise."""
        rows = []
        for name in ([], *([name] for name in PURPOSES)):
            gaps = self._gaps(self._path(50, name))
            rows.append([name[0] if name else "none", number(gaps[1]), number(gaps[-1])])
        return ["noise", "gap after 1 step", "gap after 50 steps"], rows
