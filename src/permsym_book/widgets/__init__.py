"""The book's widgets; each lives in a notebook with a kernel and in the built page without one."""

from .permute_units import PermuteUnits

__all__ = ["PermuteUnits"]
