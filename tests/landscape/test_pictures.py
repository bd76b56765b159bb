"""Tests of the figures of counts and subspaces: what is drawn is what was given."""

import re

import pytest

from permsym_book.landscape.counting import (
    critical_subspace_count,
    critical_words,
    expansion_count,
    expansion_words,
)
from permsym_book.landscape.pictures import bars_figure, counts_table, meeting_figure


def texts(figure):
    return re.findall(r"<text[^>]*>([^<]+)</text>", figure.svg)


def test_bars_show_their_numbers_and_the_level_its_name():
    figure = bars_figure(
        {"one": {1: 36, 2: 6}, "two": {1: 1234567}},
        xlabel="K",
        ylabel="number",
        alt="Bars.",
        level=("minima", 24),
    )
    assert {"36", "6", "1,234,567", "one", "two", "minima", "K", "number", "1", "2"} <= set(texts(figure))


def heights(figure):
    """Of the bars, in the order drawn, as far as they are inside the axes."""
    y, height = (float(v) for v in re.search(
        r'<clipPath[^>]*>\s*<rect x="\S+" y="(\S+)" width="\S+" height="(\S+)"', figure.svg).groups())
    bars = re.findall(r'<path d="(M[^"]*z)[^"]*" clip-path', figure.svg)
    ends = [[min(float(v), y + height) for v in re.findall(r"[ML] \S+ (\S+)", bar)] for bar in bars]
    return [max(end) - min(end) for end in ends]


@pytest.mark.parametrize(("log", "ratio"), [(True, 2.0), (False, 36.0)])
def test_bars_compare_as_their_numbers_or_their_logarithms(log, ratio):
    high, low = heights(bars_figure({"one": {1: 36**2, 2: 36}}, xlabel="K", ylabel="number", alt="Bars.", log=log))
    assert high / low == pytest.approx(ratio, rel=1e-3)


def test_a_figure_needs_its_sentence():
    with pytest.raises(ValueError, match="alt is empty"):
        bars_figure({"one": {1: 36}}, xlabel="K", ylabel="number", alt=" ")


def test_the_table_lists_every_size():
    table = counts_table("T", expansion_count, expansion_words, 2, 4)
    assert table.head == ("m", "r = 1", "r = 2")
    assert [row[2] for row in table.rows] == ["0 ✓", "2 ✓", "12 ✓", "62 ✓"]


def test_the_table_says_where_formula_and_list_differ():
    table = counts_table("G", lambda r, m: critical_subspace_count(r, m) + (m == 3), critical_words, 1, 3)
    assert [row[1] for row in table.rows] == ["1 ✓", "1 ✓", "2 ≠ 1"]


def lines_drawn(figure):
    return len(re.findall(r"stroke-width: 0.7", figure.svg))


def test_every_subspace_is_named_and_those_that_meet_are_joined():
    apart = meeting_figure([(2, 2)], alt="Two words.")
    assert {"01", "10"} <= set(texts(apart)) and lines_drawn(apart) == 0
    joined = meeting_figure([(1, 2)], alt="Three words.")
    assert {"00", "01", "10"} <= set(texts(joined)) and lines_drawn(joined) == 2
