"""All zero-loss networks that are wider than their teacher: the affine subspaces, and which of them meet.

A teacher has r units of different incoming vectors w_1, ..., w_r and outgoing rows a_1, ..., a_r. In a student of m
units a zero-loss network has this form: some units copy teacher unit k, their outgoing rows adding up
to a_k; the others fall into groups, each with one common, free incoming vector and outgoing rows that add up to 0.
A word (for each unit the teacher unit 0..r-1 it copies, or r, r + 1, ... for its group) names an affine subspace;
all words together are the expansion manifold of 2105.12221 (``prop-overparameterised-connected``).
"""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from ..validation import checked_count, checked_sequence
from .counting import scientific
from .expansion_counts import expansion_count
from .words import expansion_words

MOST_SUBSPACES = 2_000  # to compare each with each


def subspaces(r: int, m: int) -> list[tuple[int, ...]]:
    """The words of all affine subspaces of the expansion manifold; T(r, m) of them.

    Examples
    --------
    >>> subspaces(1, 2)
    [(0, 0), (0, 1), (1, 0)]
    """
    return list(expansion_words(r, m))


def meet(one, other, r: int) -> bool:
    """Whether two affine subspaces have a network in common, for a teacher in general position.

    Draw a graph whose vertices are the blocks of both words (units with one letter) and whose edges are the units,
    each between its two blocks. In a connected part all units have one incoming vector, so at most one
    teacher unit may be copied there; and the outgoing rows of a part add up to the same by both words, so it must be
    copied there by both. That is enough: rows that do it can be written down (:func:`common_rows`).

    Parameters
    ----------
    one, other : words of m letters
    r : int
        Units of the teacher.

    Examples
    --------
    >>> meet((0, 1, 2), (0, 1, 1), 2), meet((0, 1, 1), (1, 0, 0), 2)
    (True, False)
    """
    return parts_of(*checked_words(one, other, r)) is not None


def parts_of(one, other, r):
    """For each unit the teacher unit (or None) of its part of the graph; None when the subspaces do not meet."""
    m = len(one)
    root = list(range(m))

    def find(unit):
        while root[unit] != unit:
            root[unit] = unit = root[root[unit]]
        return unit

    for word in (one, other):
        first: dict = {}
        for unit, letter in enumerate(word):
            root[find(unit)] = find(first.setdefault(letter, unit))
    copied = [({}, {}) for _ in range(m)]
    for side, word in enumerate((one, other)):
        for unit, letter in enumerate(word):
            if letter < r:
                copied[find(unit)][side][letter] = True
    parts = []
    for unit in range(m):
        by_one, by_other = (set(letters) for letters in copied[find(unit)])
        if by_one != by_other or len(by_one) > 1:
            return None
        parts.append(next(iter(by_one), None))
    return parts


def common_rows(one, other, r: int) -> list[dict[int, int]]:
    """Outgoing rows of a network in both subspaces, each an integer combination of the teacher's rows.

    Along the way from the block that copies k in one word to that in the other, the units have rows
    a_k, -a_k, a_k, ...; all other rows are 0.

    Returns
    -------
    list of dict
        For each unit {teacher unit: coefficient}.

    Raises
    ------
    ValueError
        If the subspaces do not meet.

    Examples
    --------
    >>> common_rows((0, 2, 2, 1), (2, 2, 0, 1), 2)
    [{0: 1}, {0: -1}, {0: 1}, {1: 1}]
    """
    one, other, r = checked_words(one, other, r)
    if parts_of(one, other, r) is None:
        raise ValueError(f"the subspaces {one} and {other} do not meet")
    rows: list[dict[int, int]] = [{} for _ in one]
    for k in range(r):
        for step, unit in enumerate(_way(one, other, k)):
            rows[unit] = {k: 1 - 2 * (step % 2)}
    return rows


def _way(one, other, k):
    """The units on the shortest way from the block k of one word to the block k of the other."""
    start, goal = (0, k), (1, k)
    came = {start: None}
    queue = deque([start])
    while queue:
        side, letter = block = queue.popleft()
        if block == goal:
            break
        for unit, ends in enumerate(zip(one, other, strict=True)):
            there = (1 - side, ends[1 - side])
            if ends[side] == letter and there not in came:
                came[there] = (block, unit)
                queue.append(there)
    units, block = [], goal
    while came[block] is not None:
        block, unit = came[block]
        units.append(unit)
    return units[::-1]


def _few_subspaces(r: int, m: int) -> list[tuple[int, ...]]:
    """The words, where few enough to be compared with one another."""
    if (count := expansion_count(r, m)) > MOST_SUBSPACES:
        raise ValueError(f"r = {r} and m = {m} have T(r, m) = {scientific(count)} subspaces, of which each would be compared"
                         f" with each; at most {MOST_SUBSPACES} are allowed")
    return subspaces(r, m)


class Components(NamedTuple):
    """``words`` of all subspaces, and for each the number of its connected component, from 0 on."""

    words: list[tuple[int, ...]]
    component: list[int]

    @property
    def count(self) -> int:
        """How many components the expansion manifold has."""
        return max(self.component) + 1


def components(r: int, m: int) -> Components:
    """The connected components of the expansion manifold: of m! points for m = r, one for m > r.

    ValueError where there are more than ``MOST_SUBSPACES`` subspaces.

    Examples
    --------
    >>> [(len(c.words), c.count) for c in (components(*rm) for rm in ((2, 2), (2, 3), (3, 3), (3, 4)))]
    [(2, 2), (12, 1), (6, 6), (60, 1)]
    """
    words = _few_subspaces(r, m)
    number = [-1] * len(words)
    found = 0
    for start in range(len(words)):
        if number[start] >= 0:
            continue
        number[start], stack = found, [start]
        while stack:
            here = stack.pop()
            for there in range(len(words)):
                if number[there] < 0 and parts_of(words[here], words[there], r) is not None:
                    number[there] = found
                    stack.append(there)
        found += 1
    return Components(words, number)


def shortest_chain(start, goal, r: int) -> list[tuple[int, ...]]:
    """The shortest chain of subspaces from one to another, each meeting the next.

    Raises
    ------
    ValueError
        If there is none: the two are in different components; or there are more than ``MOST_SUBSPACES`` subspaces.

    Examples
    --------
    >>> shortest_chain((0, 1, 1), (1, 0, 0), 2)
    [(0, 1, 1), (0, 1, 2), (0, 1, 0), (2, 1, 0), (1, 1, 0), (1, 2, 0), (1, 0, 0)]
    """
    start, goal, r = checked_words(start, goal, r, ("start", "goal"))
    words, came, queue = _few_subspaces(r, len(start)), {start: None}, deque([start])
    while queue and goal not in came:
        here = queue.popleft()
        for there in words:
            if there not in came and parts_of(here, there, r) is not None:
                came[there] = here
                queue.append(there)
    if goal not in came:
        raise ValueError(f"no chain leads from {start} to {goal}: they are in different components")
    chain = [goal]
    while came[chain[-1]] is not None:
        chain.append(came[chain[-1]])
    return chain[::-1]


def checked_words(one, other, r: int, names=("one", "other")):
    """Both words and r, or an error that names what is wrong; ``names`` are those of the arguments.

    The numbers of the groups of vanishing sum mean nothing; they become those of ``expansion_words``.
    """
    r = checked_count("r", r)
    words = []
    for name, word in zip(names, (one, other), strict=True):
        word = tuple(checked_count(name, letter, least=0) for letter in checked_sequence(name, word))
        if not set(range(r)) <= set(word):
            raise ValueError(f"{name} is {word}; every teacher unit 0..{r - 1} must be copied at least once")
        groups = {}
        words.append(tuple(k if k < r else groups.setdefault(k, r + len(groups)) for k in word))
    if len(words[0]) != len(words[1]):
        raise ValueError(f"{names[1]} has {len(words[1])} letters; {len(words[0])}, as many as {names[0]}, are required")
    return (*words, r)
