"""How many minima and permutation points there are: exact integers and logarithms.

The abstract of 1907.02911 says that the number of K-th order permutation points is at least the number of
equivalent global minima, h_1! ... h_k!, times the sum over the hidden layers of C(h - K, K) / 2^K. What is
counted: in one layer, K disjoint pairs of units have equal full weight vectors, which leaves h - K distinct
vectors. Given one such set of vectors, K of them are chosen to be doubled, and all h are put in order, in
h! C(h - K, K) / 2^K ways; the other layers are put in order freely. It is a lower bound: there may be several sets
of vectors, and pairs in several layers. The counts of 2105.12221 are in ``expansion_counts``, the enumerations of
both in ``words``.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb, exp, factorial, lgamma, log, log10, prod
from typing import NamedTuple

from ..validation import checked_count, checked_sequence
from .expansion_counts import critical_subspace_count, expansion_count
from .words import critical_words, expansion_words, saddle_words

__all__ = ["SaddleCounts", "critical_subspace_count", "critical_words", "expansion_count", "expansion_words",
           "log10_minima_copies", "log10_saddle_counts", "minima_copies", "saddle_count", "saddle_counts",
           "saddle_words", "scientific"]


MOST_DIGITS = 1_000_000
_WIDEST = 2**1000


class SaddleCounts(NamedTuple):
    """K-th order permutation points of a network: ``total = sum(per_layer) = factor * minima``.

    ``per_layer[k]`` counts those with the pairs in hidden layer k, and every order of the units in the others.
    """

    minima: int
    per_layer: tuple[int, ...]
    total: int
    factor: Fraction


def minima_copies(widths) -> int:
    """The number of relabellings of a network, hence of copies of a minimum without twins: h_1! ... h_k!.

    Parameters
    ----------
    widths : sequence of int
        (d, h_1, ..., h_k, q), as ``MLP.widths``.

    Examples
    --------
    >>> minima_copies((2, 3, 4, 1)), scientific(minima_copies((784, 512, 512, 10)))
    (144, '1.209e2333')
    """
    hidden = _hidden(widths)
    _check_digits("widths", widths, sum(map(_log_factorial, hidden)), "log10_minima_copies has no such limit")
    return prod(map(factorial, hidden))


def log10_minima_copies(widths) -> float:
    """The decimal logarithm of :func:`minima_copies`, without the integer.

    Examples
    --------
    >>> round(log10_minima_copies((784, 512, 512, 10)), 3)
    2333.082
    """
    return sum(map(_log_factorial, _hidden(widths))) / log(10)


def saddle_count(n: int, K: int) -> int:
    """The number of K-th order permutation points of one layer of n units: n! C(n-K, K) / 2^K.

    Parameters
    ----------
    n : int
        Units of the layer.
    K : int
        Coinciding pairs. There are none when n < 2K; K = 0 gives the n! orders of n distinct units.

    Returns
    -------
    int

    Examples
    --------
    >>> [saddle_count(4, K) for K in range(4)], [saddle_count(7, K) for K in (1, 2, 3)]
    ([24, 36, 6, 0], [15120, 12600, 2520])
    """
    n, K = checked_count("n", n), checked_count("K", K, least=0)
    if n < 2 * K:
        return 0
    _check_digits("n", n, _log_factorial(n), "log10_saddle_counts((1, n, 1), K) has no such limit")
    return factorial(n) * comb(n - K, K) // 2**K


def saddle_counts(widths, K: int) -> SaddleCounts:
    """The number of K-th order permutation points of a network, as the abstract of 1907.02911 has it.

    The number of minima h_1! ... h_k! times the sum over the hidden layers of C(h - K, K) / 2^K.

    Parameters
    ----------
    widths : sequence of int
        (d, h_1, ..., h_k, q).
    K : int
        At least 1.

    Returns
    -------
    SaddleCounts

    Examples
    --------
    >>> saddle_counts((2, 3, 4, 1), 1)
    SaddleCounts(minima=144, per_layer=(144, 216), total=360, factor=Fraction(5, 2))
    """
    hidden, K = _hidden(widths), checked_count("K", K)
    _check_digits("widths", widths, sum(map(_log_factorial, hidden)), "log10_saddle_counts has no such limit")
    minima = minima_copies(widths)
    per_layer = tuple(minima // factorial(n) * saddle_count(n, K) for n in hidden)
    return SaddleCounts(minima, per_layer, sum(per_layer), Fraction(sum(per_layer), minima))


def log10_saddle_counts(widths, K: int) -> float:
    """The decimal logarithm of the total of :func:`saddle_counts`, without the integers; -inf if there are none.

    Examples
    --------
    >>> round(log10_saddle_counts((784, 512, 512, 10), 2) - log10_minima_copies((784, 512, 512, 10)), 3)
    4.812
    """
    K = checked_count("K", K)
    terms = [_log_factorial(n - K) - _log_factorial(K) - _log_factorial(n - 2 * K)
             for n in _hidden(widths) if n >= 2 * K]
    if not terms:
        return float("-inf")
    largest = max(terms)
    factor = largest + log(sum(exp(term - largest) for term in terms)) - K * log(2)
    return log10_minima_copies(widths) + factor / log(10)


def scientific(number: int, figures: int = 4) -> str:
    """A positive integer of any size as a decimal number with an exponent, correctly rounded.

    Parameters
    ----------
    number : int
    figures : int
        Significant figures, at most 1000.

    Examples
    --------
    >>> scientific(factorial(1000)), scientific(99996), scientific(7, figures=1)
    ('4.024e2567', '1.000e5', '7e0')
    """
    number, figures = checked_count("number", number), checked_count("figures", figures)
    if figures > 1000:
        raise ValueError(f"figures is {figures}; at most 1000 are allowed")
    exponent = int(log10(number))
    exponent += (10**(exponent + 1) <= number) - (number < 10**exponent)  # log10 is rounded
    shift = exponent + 1 - figures
    leading = round(Fraction(number, 10**shift) if shift > 0 else number * 10**-shift)
    if leading == 10**figures:
        leading, exponent = leading // 10, exponent + 1
    digits = str(leading)
    return f"{digits[0]}{'.' if figures > 1 else ''}{digits[1:]}e{exponent}"


def _hidden(widths) -> tuple[int, ...]:
    widths = tuple(checked_count(f"widths[{i}]", w) for i, w in enumerate(checked_sequence("widths", widths)))
    if len(widths) < 2:
        raise ValueError(f"widths is {widths}; at least the numbers of inputs and outputs are required")
    return widths[1:-1]


def _check_digits(name: str, value, logarithm: float, instead: str) -> None:
    """ValueError where an exact count, whose factorials have this natural logarithm, would take too long."""
    if logarithm > MOST_DIGITS * log(10):
        raise ValueError(f"{name} is {value}: the count has more than {MOST_DIGITS} digits, which are the most that an exact"
                         f" one may have ({instead})")


def _log_factorial(n: int) -> float:
    if n > _WIDEST:
        raise ValueError(f"a hidden width has {n.bit_length()} binary digits; at most {_WIDEST.bit_length() - 1} are allowed, where"
                         " the logarithm of its factorial is a float")
    return lgamma(n + 1)
