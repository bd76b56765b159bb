"""permsym_book: numerics, claims and widgets of the textbook on permutation symmetry in neural networks."""

from .mlp import MLP, identical_units
from .parameters import Parameters
from .permutation import Permutation

__all__ = ["MLP", "Parameters", "Permutation", "identical_units"]
__version__ = "0.1.0"
