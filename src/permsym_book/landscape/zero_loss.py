"""Students wider than their teacher that compute the same, and paths between them without loss."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..mlp import MLP
from ..parameters import Parameters
from ..validation import checked_count
from .connectivity import checked_words, common_rows, parts_of, shortest_chain
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
        and the others 0.

    Examples
    --------
    >>> net = MLP.from_arrays([[[1.0, 2.0]], [[3.0], [4.0]]], [None, None], "square")
    >>> expanded(net, 0, (0, 1, 1)).parameters.W2.T
    array([[3., 4., 0.]])
    """
    r = teacher.hidden_widths[layer]
    word = checked_words(word, word, r)[0]
    rows = common_rows(word, word, r) if rows is None else rows
    return _student(teacher, layer, [letter if letter < r else None for letter in word], rows)


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
    r = teacher.hidden_widths[checked_count("layer", layer, least=0)]
    chain = shortest_chain(start, goal, r)
    corners = [expanded(teacher, layer, chain[0])]
    corners += [_student(teacher, layer, parts_of(a, b, r), common_rows(a, b, r))
                for a, b in zip(chain, chain[1:], strict=False)]
    return straight([*corners, expanded(teacher, layer, chain[-1])], samples)
