"""The widget ``saddle-count``."""

from __future__ import annotations

from math import factorial

import matplotlib.pyplot as plt
import traitlets
from matplotlib.ticker import MaxNLocator

from ..figures import Figure, as_figure, style
from ..landscape.counting import (
    SaddleCounts,
    log10_minima_copies,
    log10_saddle_counts,
    saddle_count,
    saddle_counts,
    saddle_words,
    scientific,
)
from ..palette import unit_colour
from .base import BookWidget
from .traits import Several, Whole, synced

LIMITS = {"layers": 3, "width": 1000, "listed": 7}
DIGITS = 24
DRAWN = 200


def _grouped(number: int) -> str:
    """With a narrow no-break space between thousands, as the page's module writes it."""
    return f"{number:,}".replace(",", "\u202f")


def _short(number: int) -> str:
    """In full, or with four figures and the number of digits."""
    if number < 10**DIGITS:
        return _grouped(number)
    return f"{scientific(number)} ({_grouped(int(scientific(number, 30).split('e')[1]) + 1)} digits)"


class SaddleCount(BookWidget):
    """How many minima and permutation points a network has, exactly, and counted one by one where that is feasible.

    Examples
    --------
    >>> w = SaddleCount(hidden=[4, 3], K=1)
    >>> w.counts.total, w.counts.minima, w.enumerated
    (360, 144, [36, 6])
    """

    slug = "saddle-count"
    sentence = (
        "With JavaScript you choose the widths and the number of coinciding pairs, see all numbers with all their digits, and"
        " have the points of layers of up to 7 units counted one by one."
    )

    hidden = synced(
        Several(
            Whole(min=1, max=LIMITS["width"]),
            [4, 6],
            minlen=1,
            maxlen=LIMITS["layers"],
            help="The widths of 1 to 3 hidden layers, each of at most 1000 units.",
        )
    )
    K = synced(
        Whole(
            1,
            min=1,
            help="How many disjoint pairs of units of one layer coincide; at most half of the widest"
            " layer's width.",
        )
    )

    follows = frozenset({"K"})

    @traitlets.observe("hidden")
    def _layers_changed(self, change):
        self.K = min(self.K, _highest(self.hidden))  # as the page does when a layer is made narrower

    @traitlets.validate("K")
    def _order_fits(self, proposal):
        K = proposal["value"]
        if K > _highest(self.hidden):
            raise traitlets.TraitError(
                f"K is {K}; at most {_highest(self.hidden)} is required, half of the units of the widest of the"
                f" layers {list(self.hidden)}"
            )
        return K

    @property
    def counts(self) -> SaddleCounts:
        """The numbers of minima and of permutation points (``prop-saddle-count``)."""
        return saddle_counts((1, *self.hidden, 1), self.K)

    @property
    def enumerated(self) -> list[int | None]:
        """The points within each layer, counted one by one; None for layers of more than 7 units."""
        return [
            sum(1 for _ in saddle_words(n, self.K)) if n <= LIMITS["listed"] else None for n in self.hidden
        ]

    def picture(self) -> Figure:
        """Permutation points for each minimum, on a logarithmic axis over K."""
        widths = (1, *self.hidden, 1)
        orders = range(1, min(_highest(self.hidden), DRAWN) + 1)
        minima = log10_minima_copies(widths)
        ratios = [10.0 ** (log10_saddle_counts(widths, K) - minima) for K in orders]
        with style():
            fig, ax = plt.subplots(figsize=(6.0, 3.2))
            ax.bar(
                orders,
                [ratio - 1.0 if ratio else 0.0 for ratio in ratios],
                bottom=1.0,
                color=[unit_colour(1 if K == self.K else 0) for K in orders],
            )
            ax.xaxis.set_major_locator(MaxNLocator(integer=True))
            ax.axhline(1.0, ls="--", color=unit_colour(2), label="as many as minima")
            ax.set(xlabel="K, the number of coinciding pairs", ylabel="points for each minimum", yscale="log")
            ax.legend()
        layers = " and ".join(map(_grouped, self.hidden))
        return as_figure(
            fig,
            f"Hidden layers of {layers} units have {_short(self.counts.minima)} copies of a minimum, and"
            f" {_short(self.counts.total)} permutation points of order {self.K}.",
        )

    def table(self):
        """Per layer and in sum; narrow layers also counted one by one."""
        counts = self.counts
        rows = [
            [
                f"layer {k} of {_grouped(n)} units",
                _short(factorial(n)),
                _short(saddle_count(n, self.K)),
                _short(inside),
                "" if found is None else _grouped(found),
            ]
            for k, (n, inside, found) in enumerate(
                zip(self.hidden, counts.per_layer, self.enumerated, strict=True)
            )
        ]
        factor = counts.factor
        ratio = (
            _grouped(factor.numerator) + (f"/{_grouped(factor.denominator)}" if factor.denominator > 1 else "")
            if max(factor.numerator, factor.denominator) < 10**DIGITS
            else f"about {scientific(max(int(factor), 1))}"
        )
        return (
            ["", "n!", f"n! C(n-K, K)/2^K, K = {self.K}", "in the network", "one by one"],
            [
                *rows,
                ["sum", "", "", _short(counts.total), ""],
                ["copies of a minimum", "", "", _short(counts.minima), ""],
                ["their ratio", "", "", ratio, ""],
            ],
        )


def _highest(hidden) -> int:
    return max(1, max(hidden, default=1) // 2)
