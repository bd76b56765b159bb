"""Tests of the figures: alternative text, unique ids, the page's colour, a unit's colour in every slot."""

from __future__ import annotations

import re

import matplotlib.pyplot as plt
import numpy as np
import pytest

from permsym_book import MLP, figures
from permsym_book.figures import as_figure, lines, matrices, ribbons, style, twin_images, unit_images
from permsym_book.palette import unit_colour


@pytest.fixture
def net(rng):
    return MLP.random((4, 5, 2), rng)


def ids(html):
    return re.findall(r' id="([^"]+)"', html)


def test_alternative_text_is_required_and_escaped():
    with style():
        fig, _ = plt.subplots()
    with pytest.raises(ValueError, match="alt is empty"):
        as_figure(fig, "  ")
    html = as_figure(fig, 'a "b" < c')._repr_html_()
    assert 'aria-label="a &quot;b&quot; &lt; c"' in html and 'role="img"' in html


def test_two_figures_on_one_page_share_no_id(net, rng):
    X = rng.standard_normal((3, 4))
    pictures = [ribbons(net, X, alt="one"), ribbons(net, X, alt="two"),
                lines({"a": [1, 0.1, 0]}, xlabel="x", ylabel="y", alt="three", log=True)]
    found = [name for p in pictures for name in ids(p._repr_html_())]
    assert len(found) == len(set(found))
    for p in pictures:
        used = set(re.findall(r'(?:url\(#|href="#)([^)"]+)', p.svg))
        assert used <= set(ids(p.svg)), "every reference has its target"


def test_text_takes_the_colour_of_the_page(net, rng):
    svg = ribbons(net, rng.standard_normal((3, 4)), alt="a").svg
    assert "currentColor" in svg and "#010203" not in svg


def test_the_slots_after_a_relabelling_carry_the_units_numbers(net, rng):
    svg = ribbons(net, rng.standard_normal((3, 4)), [2, 0, 1, 3, 4], alt="a").svg
    numbers = re.findall(r"<text[^>]*>(\d)</text>", svg)
    assert numbers[:10] == list("0123420134")
    assert all(unit_colour(u) in svg for u in range(5))


def test_images_of_units_follow_them(rng):
    net = MLP.random((784, 4, 2), rng)
    svg = unit_images(net, 3, [3, 0, 1, 2], alt="a").svg
    assert re.findall(r">(unit \d)<", svg) == [f"unit {u}" for u in (0, 1, 2, 3, 0, 1)]
    p = net.parameters
    assert twin_images(p, p.permuted([3, 0, 1, 2]), [3, 0, 1, 2], 3, names=("theta", "twin"),
                       alt="a").svg.count("<image") == 6


def test_the_legend_stands_above_the_axes(monkeypatch):
    """For curves that fill the axes from edge to edge there is no place for it inside."""
    kept = []
    monkeypatch.setattr(figures, "as_figure", lambda fig, alt, caption: kept.append(fig))
    x = np.arange(100)
    lines({f"curve {k} with a long name": (x, 50 + 49 * np.sin(x + k)) for k in range(4)}, xlabel="x",
          ylabel="y", alt="a")
    fig = kept[0]
    fig.draw_without_rendering()
    legend, axes = fig.legends[0].get_window_extent(), fig.axes[0].get_window_extent()
    assert legend.y0 >= axes.y1 and legend.x0 >= 0 and legend.x1 <= fig.bbox.x1
    plt.close(fig)


def test_an_exact_zero_is_drawn_on_a_logarithmic_axis():
    def zeros_written(y):
        values = (np.arange(1.0, len(y) + 1), y)
        return re.findall(r"<text[^>]*>0</text>",
                          lines({"a": values}, xlabel="step", ylabel="gap", alt="a", log=True).svg)
    assert len(zeros_written([100.0, 10.0, 0.0])) == 1
    assert zeros_written([1000.0, 100.0, 20.0]) == []


def test_the_same_figure_is_written_the_same_way_twice():
    def draw():
        return matrices({"A": np.eye(3)}, alt="the identity").svg
    assert draw() == draw()
