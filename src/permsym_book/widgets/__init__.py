"""The book's widgets; each lives in a notebook with a kernel and in the built page without one."""

from .elementwise_commutes import ElementwiseCommutes
from .flat_valley import FlatValley
from .gradient_relabel import GradientRelabel
from .loss_surface import LossSurface
from .orbit import Orbit
from .permutation_matrix import PermutationMatrix
from .permute_units import PermuteUnits
from .saddle_count import SaddleCount
from .saddle_path import SaddlePath
from .symmetry_lab import SymmetryLab
from .twin_training import TwinTraining

__all__ = ["ElementwiseCommutes", "FlatValley", "GradientRelabel", "LossSurface", "Orbit", "PermutationMatrix", "PermuteUnits", "SaddleCount", "SaddlePath", "SymmetryLab", "TwinTraining"]
