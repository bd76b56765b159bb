"""What the pages of the training laboratory measure and show."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

import numpy as np

from .arithmetic import get as get_arithmetic
from .claims.display import number
from .gaps import distances, unit_gaps
from .loop import loss_function, train
from .mlp import MLP
from .optimizers.base import flat, unflat
from .optimizers.quasi_newton import hessian_product

_NARROW, _SHORT = ' style="white-space: nowrap"', 12  # numbers are not broken at their minus sign


class Table(NamedTuple):
    """A table that shows itself as text and, in a notebook, as HTML; a line break in a cell begins a remark.

    >>> Table("Two rows", ("name", "gap"), (("sgd", "0"), ("adam", "0")))
    name  gap
    sgd   0
    adam  0
    """

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def __repr__(self) -> str:
        lines = [[cell.replace("\n", ": ") for cell in row] for row in (self.head, *self.rows)]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        return "\n".join("  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip()
                         for row in lines)

    def _repr_html_(self) -> str:
        head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in self.head)

        def words(cell):
            first, _, remark = cell.partition("\n")
            return escape(first) + (f'<br><span style="font-weight: 400">{escape(remark)}</span>' if remark
                                    else "")

        def data(cell):
            return f"<td{_NARROW if len(cell) < _SHORT else ''}>{words(cell)}</td>"

        wide = "min-width: 7rem; " if any(len(first) > _SHORT for first, *_ in self.rows) else ""
        rows = "".join(
            f'<tr><th scope="row" style="{wide}white-space: normal">{words(first)}</th>'
            f'{"".join(map(data, rest))}</tr>'
            for first, *rest in self.rows)
        return (f'<div class="permsym-scroll" tabindex="0" role="region"'
                f' aria-label="{escape(self.caption)}"><table>'
                f"<caption>{escape(self.caption)}</caption><thead><tr>{head}</tr></thead>"
                f"<tbody>{rows}</tbody></table></div>")


def verdicts(rows, caption: str, law: bool = False) -> Table:
    """The rows of :func:`permsym_book.lab.optimizer_table` or :func:`~permsym_book.lab.noise_table` as a
    table.

    Parameters
    ----------
    rows : sequence of permsym_book.lab.Row
    caption : str
    law : bool
        With a column for the twin under relabelled draws.

    Examples
    --------
    >>> from permsym_book.lab import optimizer_table
    >>> verdicts(optimizer_table(range(2), 3, ["sgd"]), "SGD").rows[0][:3]
    ('sgd\\nacts on every weight alike', 'equivariant and exact', '0')
    """
    head = ("name, and why", "verdict", "largest gap of equal units", "twins, first step",
            *(("twins, draws relabelled",) if law else ()))
    return Table(caption, head, tuple(
        (f"{r.name}\n{r.reason}", r.verdict, number(r.largest_gap), number(r.twin_first),
         *((number(r.law_first),) if law else ())) for r in rows))


class Course(NamedTuple):
    """What was seen of a training: the steps looked at, the gap and the loss per sample there."""

    times: np.ndarray
    gaps: np.ndarray
    losses: np.ndarray


def watched(net: MLP, X, Y, optimizer, steps: int, *, noises=(), arithmetic="fixed", every: int = 1,
            units=None) -> Course:
    """Train and look at every ``every``-th step at the gap between hidden units.

    Parameters
    ----------
    net : MLP
    X, Y : arrays (n, d), (n, q)
    optimizer : str or Optimizer
    steps : int
    noises : sequence of str or Noise
        Drawn from seed 0.
    arithmetic : str
    every : int
    units : sequence of int, optional
        The units compared with the first of them; all when left out.

    Examples
    --------
    >>> from permsym_book import identical_units
    >>> rng = np.random.default_rng(0)
    >>> net, X = identical_units(MLP.random((2, 4, 1), rng), 0, range(4)), rng.standard_normal((6, 2))
    >>> watched(net, X, X[:, :1], "adam", 10, every=5).gaps.tolist()
    [0.0, 0.0, 0.0]
    """
    arithmetic, seen = get_arithmetic(arithmetic), []
    units = range(net.hidden_widths[0]) if units is None else units
    x, y = arithmetic.array(X), arithmetic.array(Y)

    def callback(t, net):
        if t % every == 0:
            value = loss_function(net, x, y)(net.parameters)[0]
            seen.append((t, float(unit_gaps(net.parameters, units)), float(value) / len(X)))
    train(net, X, Y, optimizer, steps, np.random.default_rng(0), noises, callback=callback,
          arithmetic=arithmetic)
    return Course(*map(np.array, zip(*seen, strict=True)))


def twin_course(net: MLP, perm, X, Y, optimizer, steps: int, *, arithmetic="fixed", every: int = 1) -> Course:
    """Train a network and its relabelled copy side by side (``prop-exact-twins``).

    Returns
    -------
    Course
        ``gaps`` holds the distance of the copy from the relabelled network; modulo p, where numbers have no
        size, ``losses`` holds NaN.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> net, X = MLP.random((2, 4, 1), rng), rng.standard_normal((6, 2))
    >>> twin_course(net, [2, 0, 1, 3], X, X[:, :1], "sgd", 20, arithmetic="int64", every=10).gaps.tolist()
    [0.0, 0.0, 0.0]
    """
    arithmetic, seen = get_arithmetic(arithmetic), []
    pair = MLP.stack([net, net.permuted(perm)])
    x, y = arithmetic.array(X), arithmetic.array(Y)

    def callback(t, pair):
        if t % every == 0:
            p = pair.parameters
            first, second = p.map(lambda A: A[:1]), p.map(lambda A: A[1:])
            value = loss_function(pair, x, y)(p)[0]
            size = np.nan if arithmetic.name == "modp" else np.asarray(value, dtype=float).flat[0] / len(X)
            seen.append((t, float(distances(second, first.permuted([perm]))[0]), float(size)))
    train(pair, X, Y, optimizer, steps, callback=callback, arithmetic=arithmetic)
    return Course(*map(np.array, zip(*seen, strict=True)))


def steepest_split(net: MLP, X, Y, units: Sequence[int] = (0, 1)) -> tuple[float, object]:
    """The least curvature of the loss among the directions that move two identical units oppositely.

    Parameters
    ----------
    net : MLP
        One hidden layer, float64; the two units are identical.
    X, Y : arrays (n, d), (n, q)
    units : pair of int

    Returns
    -------
    curvature : float
        The least v^T H v over directions v of length 1 with opposite parts in the two units and 0 elsewhere.
    direction : Parameters
        Such a v.

    Examples
    --------
    >>> from permsym_book import identical_units
    >>> rng = np.random.default_rng(0)
    >>> net, X = identical_units(MLP.random((2, 4, 1), rng), 0, (0, 1)), rng.standard_normal((6, 2))
    >>> curvature, v = steepest_split(net, X, X[:, :1])
    >>> bool((v.W1[:, 0] == -v.W1[:, 1]).all())
    True
    """
    p, (i, k) = net.parameters, units
    numbers = np.arange(flat(p).size)
    places = unflat(numbers, p)
    first = np.concatenate([places.W1[:, i], places.b1[[i]], places.W2[i]])
    second = np.concatenate([places.W1[:, k], places.b1[[k]], places.W2[k]])
    basis = np.zeros((len(first), len(numbers)))
    rows = np.arange(len(first))
    basis[rows, first], basis[rows, second] = 0.5**0.5, -(0.5**0.5)
    H = hessian_product(loss_function(net, X, Y), p, basis) @ basis.T
    values, vectors = np.linalg.eigh((H + H.T) / 2)
    return float(values[0]), unflat(vectors[:, 0] @ basis, p)
