"""Checks of what comes in through the public boundary: each error names the argument, what it was, what was
required."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral, Rational, Real

import numpy as np

FLOATS = (np.dtype(np.float64), np.dtype(np.float32))


def as_array(name: str, values) -> np.ndarray:
    """``values`` as a NumPy array, or an error that names them where NumPy finds no array in them."""
    if isinstance(values, np.ma.MaskedArray):
        raise TypeError(f"{name} is a masked array; a plain array is required")
    try:
        return np.asarray(values)
    except (ValueError, TypeError) as error:
        raise ValueError(f"{name} is {values!r}; a rectangular array of numbers is required") from error


def checked_sequence(name: str, values) -> tuple:
    """``values`` as a tuple."""
    if isinstance(values, (str, set, frozenset, dict)) or not isinstance(values, Iterable):  # the order matters
        raise TypeError(f"{name} is {values!r} of type {type(values).__name__}; a sequence is required")
    return tuple(values)


def checked_array(name: str, array, ndim: int):
    """``array`` as an array of float64, float32 or exact objects, of the given number of axes, finite.

    Arrays that are not NumPy's (:class:`~permsym_book.modular.ModArray`,
    :class:`~permsym_book.rounding.Ball`) pass when their number of axes is right.

    Raises
    ------
    TypeError
        Another dtype; an object array with an entry that is not an ``int`` or ``Fraction``.
    ValueError
        Another number of axes, an axis of length 0, NaN or infinity.
    """
    if not getattr(array, "is_number_array", False):
        array = as_array(name, array)
        if array.dtype == object:
            for entry in array.flat:
                if not isinstance(entry, Rational) or isinstance(entry, (bool, np.generic)):
                    raise TypeError(f"{name} is an object array with an entry {entry!r} of type"
                                    f" {type(entry).__name__}; int or Fraction is required")
        elif array.dtype not in FLOATS:
            raise TypeError(f"{name} has dtype {array.dtype}; float64, float32 or object (of int or Fraction)"
                            " is required")
    if array.ndim != ndim:
        raise ValueError(f"{name} has shape {tuple(array.shape)}; {ndim} axes are required")
    if 0 in array.shape:
        raise ValueError(f"{name} has shape {tuple(array.shape)}; no axis may be empty")
    if isinstance(array, np.ndarray) and array.dtype != object and not np.isfinite(array).all():
        where = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        raise ValueError(f"{name}{list(where)} is {array[where]}; finite numbers are required")
    return array


def frozen_copy(A):
    """A copy of a NumPy array that cannot be written to, so that nothing changes behind its owner's back."""
    if not isinstance(A, np.ndarray):
        return A
    A = A.copy()
    A.flags.writeable = False
    return A


def kind_of(array) -> str:
    """What arithmetic an array belongs to, for comparing two: its dtype's name or, for other arrays, their
    own word."""
    return str(array.dtype)


def checked_same_kind(named_arrays) -> None:
    """Raise TypeError unless all ``(name, array)`` share one dtype: nothing is promoted silently."""
    named_arrays = list(named_arrays)
    first_name, first = named_arrays[0]
    for name, array in named_arrays[1:]:
        if kind_of(array) != kind_of(first):
            raise TypeError(f"{name} has dtype {kind_of(array)}; {kind_of(first)}, the dtype of {first_name},"
                            " is required")


def checked_count(name: str, value, least: int = 1, most: int | None = None) -> int:
    """``value`` as an int, at least ``least`` and at most ``most``."""
    if not isinstance(value, Integral) or isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} is {value!r} of type {type(value).__name__}; an integer is required")
    if value < least:
        raise ValueError(f"{name} is {value}; at least {least} is required")
    if most is not None and value > most:
        raise ValueError(f"{name} is {value}; at most {most} is required")
    return int(value)


def checked_number(name: str, value, *, least=0, above=None, most=None):
    """``value`` itself, a finite real number from ``least`` on, or larger than ``above``, and at most ``most``.

    Raises
    ------
    ValueError
        For anything else, a bool included.

    Examples
    --------
    >>> checked_number("tolerance", 0.5)
    0.5
    >>> checked_number("tolerance", float("nan"))
    Traceback (most recent call last):
        ...
    ValueError: tolerance is nan; a number from 0 on is required
    """
    fits = isinstance(value, Real) and not isinstance(value, (bool, np.bool_)) and abs(value) <= float(np.finfo(np.float64).max)
    if not fits or not (value >= least if above is None else value > above) or (most is not None and value > most):
        words = (f"number above {above:g}" if above else "positive number" if above == 0
                 else "finite number" if least == -np.inf else f"number from {least:g} on")
        raise ValueError(f"{name} is {value!r}; a {words}{'' if most is None else f', at most {most:g},'} is required")
    return value


def checked_decay(decay):
    """``decay`` itself, a real number from 0 on."""
    return checked_number("decay", decay)


def checked_rng(rng) -> np.random.Generator:
    """``rng`` itself, if it is a NumPy generator."""
    if not isinstance(rng, np.random.Generator):
        raise TypeError(f"rng is {rng!r} of type {type(rng).__name__}; a numpy.random.Generator is required,"
                        " as numpy.random.default_rng(0) makes")
    return rng
