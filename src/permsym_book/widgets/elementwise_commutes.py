"""The widget ``elementwise-commutes``."""

from __future__ import annotations

import numpy as np
import traitlets

from ..claims.display import number
from ..figures import Figure, matrices
from .base import BookWidget
from .row_functions import ROW_FUNCTIONS, both_ways
from .traits import Array, Perm, first_cycle, fitting, synced

LIMITS = {"n": (1, 5), "h": (2, 6)}


class ElementwiseCommutes(BookWidget):
    """Relabel and apply a function, or apply it and relabel: where do the results differ?

    Examples
    --------
    >>> w = ElementwiseCommutes(Z=np.array([[1.0, 2.0, 4.0]]), function="cumulative")
    >>> first, last = w.both_ways
    >>> first
    array([[4., 5., 7.]])
    >>> last
    array([[7., 1., 3.]])
    """

    slug = "elementwise-commutes"
    sentence = ("With JavaScript you can choose the function and the relabelling, type other numbers, and see the entries light up in"
                " which the two ways round the square differ.")

    Z = synced(Array(2, largest=100, help="Pre-activations (n, h), at most 5 samples of 2 to 6 units, float64 entries from -100 to 100."))
    perm = synced(Perm(help="Slot j holds unit perm[j]."))
    function = synced(traitlets.Enum(list(ROW_FUNCTIONS), default_value="tanh", help="The function's name, see row_functions.py."))

    def __init__(self, **traits):
        if "Z" not in traits:
            h = len(traits.get("perm", range(3)))
            traits["Z"] = np.random.default_rng(1992).standard_normal((4, h)).round(2)
        h = np.shape(traits["Z"])[-1]
        traits.setdefault("perm", first_cycle(h))
        super().__init__(**traits)

    @traitlets.validate("Z")
    def _matrix_fits(self, proposal):
        Z = proposal["value"]
        for letter, size in zip("nh", Z.shape, strict=True):
            low, high = LIMITS[letter]
            if not low <= size <= high:
                raise traitlets.TraitError(f"Z has {letter} = {size}; {low} to {high} is required")
        return Z

    @traitlets.validate("perm")
    def _perm_fits(self, proposal):
        return fitting("perm", proposal["value"], None if self.Z is None else self.Z.shape[1], "units")

    @property
    def both_ways(self) -> tuple[np.ndarray, np.ndarray]:
        """f(Z P) and f(Z) P, shapes (n, h)."""
        return both_ways(self.function, self.Z, self.perm)

    def picture(self) -> Figure:
        """Z and both ways round the square."""
        first, last = self.both_ways
        units = {"Z": range(len(self.perm)), "f(Z P)": list(self.perm), "f(Z) P": list(self.perm)}
        verdict = "are alike" if np.allclose(first, last) else "differ"
        return matrices({"Z": self.Z, "f(Z P)": first, "f(Z) P": last}, units=units,
                        alt=f"Pre-activations Z, and f(Z P) beside f(Z) P for f = {ROW_FUNCTIONS[self.function].words}: the last two {verdict}.")

    def table(self):
        """Per function: its kind and the largest difference of the two ways."""
        kinds = {"entry": "each entry by itself, one function for all", "alike": "all units of a sample, treated alike",
                 "unit": "each entry by itself, by its unit's slope", "slot": "the slot matters"}
        rows = []
        for name, f in ROW_FUNCTIONS.items():
            first, last = both_ways(name, self.Z, self.perm)
            rows.append([f.words, kinds[f.group], number(abs(first - last).max())])
        return ["f", "acts on", "max |f(Z P) - f(Z) P|"], rows
