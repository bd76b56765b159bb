"""Students wider than their teacher that compute the same, and paths between them without loss."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..mlp import MLP
from ..parameters import Parameters
from ..validation import checked_count, checked_number, checked_sequence
from .connectivity import checked_words, common_rows, parts_of, shortest_chain
from .splitting import checked_layer
from .valley import straight


def expanded(teacher: MLP, layer: int, word, rows=None) -> MLP:
    """A student in the subspace of a word: the teacher with a hidden layer of m units that computes the same.

    Parameters
    ----------
    teacher : MLP
        Float or exact.
    layer : int
        The hidden layer that is made wider.
    word : of m letters
    rows : list of dict, optional
        Outgoing rows as :func:`~permsym_book.landscape.connectivity.common_rows` gives them; when left out, the first copy of each teacher unit has its row
        and the others 0. Over the units of a letter they add up to that teacher unit's row, and over those of a group
        to 0.

    Raises
    ------
    TypeError, ValueError
        If there is no such layer, the word does not copy every teacher unit, or the rows do not add up.

    Examples
    --------
    >>> net = MLP.from_arrays([[[1.0, 2.0]], [[3.0], [4.0]]], [None, None], "square")
    >>> expanded(net, 0, (0, 1, 1)).parameters.W2.T
    array([[3., 4., 0.]])
    """
    layer = checked_layer("teacher", teacher, layer)
    r = teacher.hidden_widths[layer]
    word = checked_words(word, word, r, ("word", "word"))[0]
    rows = common_rows(word, word, r) if rows is None else _checked_rows(rows, word, r)
    return _student(teacher, layer, [letter if letter < r else None for letter in word], rows)


def _checked_rows(rows, word, r) -> tuple:
    """``rows``, if those of each letter's units add up to the teacher's row, and those of each group to 0."""
    rows = checked_sequence("rows", rows)
    if len(rows) != len(word):
        raise ValueError(f"rows has {len(rows)} entries; {len(word)}, one for each letter of the word, are required")
    totals, sizes = {}, {}
    for unit, (row, letter) in enumerate(zip(rows, word, strict=True)):
        if not isinstance(row, dict):
            raise TypeError(f"rows[{unit}] is {row!r} of type {type(row).__name__}; a dict from teacher units to coefficients is"
                            " required")
        for k, c in row.items():
            k = checked_count(f"rows[{unit}], a teacher unit,", k, least=0, most=r - 1)
            c = checked_number(f"rows[{unit}][{k}]", c, least=-np.inf)
            totals[letter, k] = totals.get((letter, k), 0) + c
            sizes[letter, k] = sizes.get((letter, k), 0) + abs(c)
    for letter in set(word):
        for k in range(r):
            total, goal = totals.get((letter, k), 0), int(letter == k)
            if abs(total - goal) > len(word) * np.finfo(float).eps * sizes.get((letter, k), 0):  # floats add up to rounding
                raise ValueError(f"rows have the coefficients of teacher unit {k} add up to {total} over the units of letter"
                                 f" {letter}; {goal} is required, or the student does not compute what the teacher does")
    return rows


def _student(teacher, layer, sources, rows):
    """Units with the incoming weights of teacher units (0 for None) and combinations of their outgoing rows."""
    p = teacher.parameters
    weights, biases = list(p.weights), list(p.biases)
    V = weights[layer + 1]
    zero = V[0] - V[0]
    incoming = [weights[layer][:, 0] - weights[layer][:, 0] if k is None else weights[layer][:, k] for k in sources]
    weights[layer] = np.stack(incoming, axis=1)
    if biases[layer] is not None:
        b = biases[layer]
        biases[layer] = np.array([b[0] - b[0] if k is None else b[k] for k in sources], dtype=b.dtype)
    weights[layer + 1] = np.stack([sum((V[k] * c for k, c in row.items()), zero) for row in rows])
    return teacher.with_parameters(Parameters(weights, biases))


def zero_loss_path(teacher: MLP, layer: int, start, goal, samples: int = 10) -> Iterator[MLP]:
    """Networks on a path from one zero-loss network to another, all computing what the teacher computes.

    It leads straight from a point that a subspace shares with the one before to a point that it shares with the next.

    Parameters
    ----------
    teacher : MLP
        Float or exact.
    layer : int
    start, goal : words of m letters
        m > r connects any two; the ends are those of :func:`expanded`.
    samples : int
        Networks on each straight piece.

    Raises
    ------
    ValueError
        If they are in different components (m = r); raised by the call.

    Examples
    --------
    >>> net = MLP.from_arrays([[[1.0, 2.0]], [[3.0], [4.0]]], [None, None], "square")
    >>> path = list(zero_loss_path(net, 0, (0, 1, 1), (1, 0, 0)))
    >>> len(path), {float(student(np.ones((1, 1)))[0, 0]) for student in path}
    (71, {19.0})
    """
    layer, samples = checked_layer("teacher", teacher, layer), checked_count("samples", samples)
    r = teacher.hidden_widths[layer]
    chain = shortest_chain(start, goal, r)
    corners = [expanded(teacher, layer, chain[0])]
    corners += [_student(teacher, layer, parts_of(a, b, r), common_rows(a, b, r))
                for a, b in zip(chain, chain[1:], strict=False)]
    return straight([*corners, expanded(teacher, layer, chain[-1])], samples)
