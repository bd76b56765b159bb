"""The widget ``saddle-path``."""

from __future__ import annotations

from functools import cache

import matplotlib.pyplot as plt
import numpy as np
import traitlets

from ..claims.display import number
from ..figures import Figure, as_figure, style
from ..landscape.path import Path
from ..landscape.problems import example_path
from ..palette import unit_colour
from .base import BookWidget
from .path_arrays import arrays_of, seen_in
from .traits import Array, Several, Whole, synced

LIMITS = {"points": (3, 201), "entries": (1, 40), "eigenvalues": (1, 120)}
LARGEST = 1e12


@cache
def _example() -> dict:
    return arrays_of(*example_path(), "squared_error")


class SaddlePath(BookWidget):
    """Loss, units and spectrum along a path between two minima that differ by the exchange of two units.

    The page computes nothing but signs and projections: the arrays are given, or :meth:`from_path` makes them.

    Examples
    --------
    >>> w = SaddlePath()
    >>> w.middle == len(w.losses) // 2, w.index[w.middle], w.nullity[w.middle], w.index[0], w.nullity[0]
    (True, 1, 1, 0, 0)
    """

    slug = "saddle-path"
    sentence = (
        "With JavaScript you move along the path, and see the two units approach, coincide and exchange while the eigenvalues of"
        " the Hessian pass through zero."
    )

    distances = synced(Array(1, largest=LARGEST, help="The distance of the two units at each of the T points, with a minus"
                                                      " sign once they are exchanged."))
    losses = synced(Array(1, largest=LARGEST, help="The loss at each point."))
    slopes = synced(Array(1, largest=LARGEST, help="The length of the gradient by all parameters at each point."))
    vectors = synced(Array(3, largest=LARGEST, help="The full vectors of the two units, (T, 2, m) with m up to 40: incoming"
                                                    " weights, bias, outgoing weights."))
    spectra = synced(Array(2, largest=LARGEST, help="The eigenvalues of the Hessian, (T, N) with N up to 120."))
    zeros = synced(Array(1, largest=LARGEST, help="The size up to which an eigenvalue counts as zero at each point."))
    names = synced(traitlets.List(traitlets.Unicode(), help="The names of the m entries of a unit's vector."))
    units = synced(
        Several(Whole(min=0), minlen=2, maxlen=2, help="The numbers of the two units.")
    )
    at = synced(Whole(0, min=0, help="The point that is shown."))

    def __init__(self, **traits):
        arrays = {"distances", "losses", "slopes", "vectors", "spectra", "zeros"}
        if not arrays & set(traits):
            traits = _example() | traits
        missing = sorted(arrays - set(traits))
        if missing:
            raise TypeError(
                f"{', '.join(missing)} missing; all of {', '.join(sorted(arrays))} are required, or none, or"
                " SaddlePath.from_path(path, X, Y)"
            )
        shape = np.shape(traits["vectors"])
        if "names" not in traits:
            traits["names"] = [f"entry {k}" for k in range(shape[2] if len(shape) == 3 else 0)]
        super().__init__(**{"units": [0, 1]} | traits)

    @classmethod
    def from_path(cls, path: Path, X, Y, loss: str = "squared_error", **traits) -> SaddlePath:
        """The widget of a path: its Hessians are computed here.

        Parameters
        ----------
        path : Path
            From :func:`~permsym_book.landscape.paths.permutation_path`; the network is small enough for dense
            Hessians.
        X, Y, loss
            As the path was made with.
        **traits
            Others, such as ``at``.

        Examples
        --------
        >>> from permsym_book.landscape.problems import example_path
        >>> path, X, Y = example_path(5)
        >>> SaddlePath.from_path(path, X, Y, at=path.middle).distances[path.middle] == 0
        np.True_
        """
        if not isinstance(path, Path):
            raise TypeError(
                f"path is of type {type(path).__name__}; Path is required, or the arrays themselves as traits"
            )
        return cls(**arrays_of(path, X, Y, loss) | traits)

    def check_together(self):
        """All arrays have an entry for each point."""
        T, N, m = len(self.losses), self.spectra.shape[1], self.vectors.shape[2]
        for word, size in (("points", T), ("entries", m), ("eigenvalues", N)):
            if not LIMITS[word][0] <= size <= LIMITS[word][1]:
                raise traitlets.TraitError(
                    f"the path has {size} {word}; {LIMITS[word][0]} to {LIMITS[word][1]} are required"
                )
        for name, wanted in {
            "distances": (T,),
            "slopes": (T,),
            "zeros": (T,),
            "spectra": (T, N),
            "vectors": (T, 2, m),
        }.items():
            if getattr(self, name).shape != wanted:
                raise traitlets.TraitError(
                    f"{name} has shape {getattr(self, name).shape}; {wanted} is required, with one entry per point"
                )
        if (self.zeros < 0).any() or (self.slopes < 0).any():
            raise traitlets.TraitError("zeros or slopes has a number below 0; numbers from 0 on are required")
        if len(self.names) != m or self.units[0] == self.units[1] or self.at >= T:
            raise traitlets.TraitError(
                f"names has {len(self.names)} entries, units is {list(self.units)} and at is {self.at}; {m} names, two"
                f" different units and a point below {T} are required"
            )

    @traitlets.validate("at")
    def _at_fits(self, proposal):
        if self.losses is not None and proposal["value"] >= len(self.losses):
            raise traitlets.TraitError(
                f"at is {proposal['value']}; a point below {len(self.losses)} is required"
            )
        return proposal["value"]

    @property
    def middle(self) -> int:
        """Where the two units are closest."""
        return int(np.argmin(abs(self.distances)))

    @property
    def index(self) -> list[int]:
        """The number of negative eigenvalues at each point."""
        return (self.spectra < -self.zeros[:, None]).sum(1).tolist()

    @property
    def nullity(self) -> list[int]:
        """The number of eigenvalues that count as zero at each point."""
        return (abs(self.spectra) <= self.zeros[:, None]).sum(1).tolist()

    @property
    def projected(self) -> np.ndarray:
        """The units' vectors seen in a plane (T, 2, 2): along their difference at the first point, and across."""
        return self.vectors @ seen_in(self.vectors).T

    def picture(self) -> Figure:
        """The loss and the spectrum along the path."""
        points = np.arange(len(self.losses))
        with style():
            fig, (above, below) = plt.subplots(2, 1, figsize=(6.0, 5.0), sharex=True)
            above.plot(points, self.losses, color=unit_colour(0))
            above.axvline(self.middle, ls="--", color=unit_colour(2), lw=1)
            above.set(ylabel="loss")
            T, N = self.spectra.shape
            x, values = np.repeat(points, N), self.spectra.ravel()
            zero = np.repeat(self.zeros, N)
            for chosen, marker, colour, name in (
                (values > zero, ".", unit_colour(2), "positive"),
                (values < -zero, "v", unit_colour(1), "negative"),
                (abs(values) <= zero, "s", unit_colour(0), "zero"),
            ):
                below.plot(x[chosen], values[chosen], marker, color=colour, ms=4, label=name)
            sizes = abs(values)[abs(values) > zero]
            below.set_yscale(
                "symlog", linthresh=10.0 ** np.floor(np.log10(sizes.min())) if sizes.size else 1.0
            )
            below.set(xlabel="point of the path", ylabel="eigenvalues")
            below.legend()
        return as_figure(
            fig,
            f"Along the path the loss goes from {number(float(self.losses[0]))} over"
            f" {number(float(self.losses[self.middle]))}, where the two units coincide, to {number(float(self.losses[-1]))};"
            f" there the Hessian has {self.index[self.middle]} negative and {self.nullity[self.middle]} zero eigenvalues.",
        )

    def table(self):
        """The ends, the middle and two points between."""
        middle = self.middle
        chosen = sorted({0, middle // 2, middle, (middle + len(self.losses)) // 2, len(self.losses) - 1})
        return [
            "point",
            "distance of the units",
            "loss",
            "length of the gradient",
            "index",
            "nullity",
            "least eigenvalue",
        ], [
            [
                str(t),
                number(float(abs(self.distances[t]))),
                number(float(self.losses[t])),
                number(float(self.slopes[t])),
                str(self.index[t]),
                str(self.nullity[t]),
                number(float(self.spectra[t].min())),
            ]
            for t in chosen
        ]
