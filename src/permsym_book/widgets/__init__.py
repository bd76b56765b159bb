"""The book's widgets; each lives in a notebook with a kernel and in the built page without one."""

from .elementwise_commutes import ElementwiseCommutes
from .gradient_relabel import GradientRelabel
from .orbit import Orbit
from .permutation_matrix import PermutationMatrix
from .permute_units import PermuteUnits

__all__ = ["ElementwiseCommutes", "GradientRelabel", "Orbit", "PermutationMatrix", "PermuteUnits"]
