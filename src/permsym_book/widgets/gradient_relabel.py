"""The widget ``gradient-relabel``."""

from __future__ import annotations

import numpy as np
import traitlets

from ..claims.display import number
from ..examples import small_network
from ..figures import Figure, matrices
from ..mlp import MLP
from ..parameters import Parameters
from .base import NetworkWidget
from .traits import Array, Network, Perm, activation_trait, first_cycle, synced

MISTAKES = ("b1", "W2", "transpose")


class GradientRelabel(NetworkWidget):
    """The gradient of a network and of its relabelled twin, each entry beside its partner.

    Examples
    --------
    >>> w = GradientRelabel(perm=[2, 0, 1])
    >>> here, there = w.gradients
    >>> bool(np.allclose(there.W1, here.W1[:, [2, 0, 1]])), bool(np.allclose(there.W1, here.W1))
    (True, False)
    """

    slug = "gradient-relabel"
    limits = {"d": (1, 4), "h": (1, 6), "q": (1, 3), "n": (1, 6)}
    sentence = ("With JavaScript you can relabel the units, point at an entry of either gradient to see its partner and the sums"
                " they both come from, and break the relabelling on purpose.")

    network = synced(Network(help="The network: one hidden layer of at most 6 units, at most 4 inputs and 3 outputs."))
    X = synced(Array(2, help="Inputs (n, d), at most 6 samples."))
    Y = synced(Array(2, help="Targets (n, q); the loss is 1/2 ||O - Y||^2 summed over the samples."))
    perm = synced(Perm(help="Slot j of the twin holds unit perm[j]."))
    mistakes = synced(traitlets.Dict(value_trait=traitlets.Bool(), key_trait=traitlets.Enum(MISTAKES),
                                     help="What is done wrong on purpose: b1 or W2 not permuted, P in place of its transpose on W2."))
    activation = activation_trait()

    def __init__(self, **traits):
        net, X, Y = small_network(np.random.default_rng(31), widths=(2, 3, 2), n=3)
        if "network" not in traits:
            h = len(traits.get("perm", range(3)))
            traits["network"] = net if h == 3 else MLP.random((2, h, 2), np.random.default_rng(31), scheme="normal")
        net = traits["network"]
        if isinstance(net, MLP):
            d, h, q = net.widths[0], net.hidden_widths[0], net.widths[-1]
            traits.setdefault("activation", net.activation.name)
            traits.setdefault("perm", first_cycle(h))
            traits.setdefault("X", X if d == 2 else np.random.default_rng(32).standard_normal((3, d)))
            n = min(len(traits["X"]), self.limits["n"][1])
            traits.setdefault("Y", Y if (n, q) == Y.shape else np.random.default_rng(33).standard_normal((n, q)))
        super().__init__(**traits)

    @property
    def gradients(self) -> tuple[Parameters, Parameters]:
        """The gradients at theta and at theta_pi, each by its own backward pass (without the mistakes)."""
        net = MLP(self.network.parameters, self.activation)
        return tuple(one.loss_and_gradients(self.X, self.Y)[1] for one in (net, net.permuted(self.perm)))

    def picture(self) -> Figure:
        """The gradient of W1 at theta and at theta_pi."""
        here, there = self.gradients
        names = r"gradient of W1 at $\theta$", r"at $\theta_\pi$"
        return matrices(dict(zip(names, (here.W1, there.W1), strict=True)), units={names[0]: range(len(self.perm)), names[1]: list(self.perm)},
                        alt="The gradient of W1 at theta and at the relabelled theta: the same columns in the order of the relabelling.")

    def table(self):
        """Per array: the largest difference to the relabelled gradient, and to the gradient as it stands."""
        here, there = self.gradients
        wanted = here.permuted(self.perm)
        rows = [[letter, *(number(float(abs(getattr(there, letter) - getattr(g, letter)).max())) for g in (wanted, here))]
                for letter in ("W1", "b1", "W2", "b2")]
        return ["array", "distance to the relabelled gradient", "distance without relabelling"], rows
