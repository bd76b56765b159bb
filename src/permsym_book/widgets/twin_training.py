"""The widget ``twin-training``."""

from __future__ import annotations

import numpy as np
import traitlets

from .. import noise, optimizers
from ..claims.display import number
from ..figures import Figure, lines
from ..mlp import MLP
from ..permutation import Permutation
from ..training import largest_gap
from .lockstep import STEP_SIZES, trained
from .problems import TrainingWidget, twin_problem
from .traits import Array, Network, Perm, Real, Whole, activation_trait, synced

OPTIMIZERS = ("sgd", "momentum", "adam")
SHOWN = 200  # steps in the picture


class TwinTraining(TrainingWidget):
    """A network and its relabelled twin trained in lockstep: equal but for rounding, at every step.

    Examples
    --------
    >>> w = TwinTraining(optimizer="momentum", step_size=0.001, steps=20)
    >>> network, twin = w.trained
    >>> w.gap < 1e-12
    True
    """

    slug = "twin-training"
    problem = staticmethod(twin_problem)
    limits = {"d": (1, 4), "h": (2, 16), "q": (1, 3), "n": (1, 128)}
    sentence = (
        "With JavaScript both copies train here, step by step or many steps a second; you see the path of"
        " each unit, the two loss curves, and the distance that rounding puts between the copies, and can go back to any step."
    )

    network = synced(
        Network(help="The network before training: 1 to 4 inputs, 2 to 16 hidden units, 1 to 3 outputs.")
    )
    X = synced(Array(2, help="Inputs (n, d), at most 128 samples."))
    Y = synced(Array(2, help="Targets (n, q)."))
    perm = synced(Perm(help="The twin holds unit perm[j] in slot j."))
    optimizer = synced(traitlets.Enum(OPTIMIZERS, default_value="sgd", help="sgd, momentum (0.9) or adam."))
    step_size = synced(
        Real(
            STEP_SIZES["sgd"], min=1e-6, max=10.0, help="The step size; the loss sums over the batch."
        )
    )
    batch_size = synced(
        Whole(0, min=0, max=128, help="Samples in a batch, the same for both copies; 0 for all.")
    )
    activation = activation_trait()
    rounding = synced(
        traitlets.Enum(
            ("float64", "float32"), default_value="float64", help="What every operation is rounded to."
        )
    )
    seed = synced(Whole(1, min=0, max=10**9, help="Batches are a function of it and of the step."))
    steps = synced(
        Whole(0, min=0, max=10_000, help="How many steps have been made; set it to train further.")
    )

    def __init__(self, **traits):
        net = traits.get("network", type(self).problem()[0])
        if isinstance(net, MLP):
            traits.setdefault("perm", Permutation(np.roll(np.arange(net.hidden_widths[0]), -1)))
        super().__init__(**traits)

    def check_together(self):
        """A batch has no more samples than there are."""
        if self.batch_size > len(self.X):
            raise traitlets.TraitError(
                f"batch_size is {self.batch_size}; at most {len(self.X)}, the number of samples, is required"
            )

    def _path(self, net: MLP, steps: int) -> list[MLP]:
        dtype = np.dtype(self.rounding)
        p = net.parameters.map(lambda A: A.astype(dtype))
        net = MLP.from_arrays(p.weights, p.biases, self.activation)
        noises = [noise.get("minibatch", size=self.batch_size)] if 0 < self.batch_size < len(self.X) else []
        rule = optimizers.get(self.optimizer, step_size=self.step_size)
        X, Y = self.X.astype(dtype), self.Y.astype(dtype)
        return [reached for reached, _ in trained(net, X, Y, rule, steps, self.seed, noises)]

    def _paths(self, steps: int) -> tuple[list[MLP], list[MLP]]:
        return self._path(self.network, steps), self._path(self.network.permuted(self.perm), steps)

    @property
    def trained(self) -> tuple[MLP, MLP]:
        """The network and its twin after ``steps`` steps, trained here with the page's batches."""
        network, twin = self._paths(self.steps)
        return network[-1], twin[-1]

    @property
    def gap(self) -> float:
        """The distance of the twin from the relabelled network after ``steps`` steps, as computed here."""
        network, twin = self.trained
        return largest_gap(twin.parameters, network.permuted(self.perm).parameters)

    def picture(self) -> Figure:
        """The distance of the twin from the relabelled network over the first steps."""
        gaps = [
            largest_gap(b.parameters, a.permuted(self.perm).parameters)
            for a, b in zip(*self._paths(SHOWN), strict=True)
        ]
        return lines(
            {"max |twin - relabelled network|": gaps},
            log=True,
            xlabel="step",
            ylabel="distance",
            alt=f"The distance between two relabelled copies over {SHOWN} steps of training: it stays at the"
            f" level of rounding, {number(gaps[-1])} at the end.",
        )

    def table(self):
        """Loss per sample of both copies and their distance at some steps."""
        pairs = list(zip(*self._paths(SHOWN), strict=True))
        X, Y = self.X.astype(self.rounding), self.Y.astype(self.rounding)
        rows = []
        for t in (0, 1, 10, 100, SHOWN):
            a, b = pairs[t]
            rows.append(
                [
                    t,
                    *(number(float(net.loss(X, Y)) / len(X)) for net in (a, b)),
                    number(largest_gap(b.parameters, a.permuted(self.perm).parameters)),
                ]
            )
        return ["step", "loss of the network", "loss of the twin", "distance"], rows
