"""The book's widgets; each lives in a notebook with a kernel and in the built page without one."""

from .elementwise_commutes import ElementwiseCommutes
from .gradient_relabel import GradientRelabel
from .loss_surface import LossSurface
from .orbit import Orbit
from .permutation_matrix import PermutationMatrix
from .permute_units import PermuteUnits
from .symmetry_lab import SymmetryLab
from .twin_training import TwinTraining

__all__ = ["ElementwiseCommutes", "GradientRelabel", "LossSurface", "Orbit", "PermutationMatrix", "PermuteUnits", "SymmetryLab", "TwinTraining"]
