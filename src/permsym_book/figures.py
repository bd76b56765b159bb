"""The book's figures: one style, and a unit keeps its colour wherever it goes."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.patches import Rectangle

from .mlp import MLP
from .palette import DIVERGING_STOPS, SEQUENTIAL_STOPS, unit_colour
from .parameters import checked_permutations
from .permutation import Permutation
from .svg import INK, Figure, as_figure, style

__all__ = ["Figure", "as_figure", "heatmap", "lines", "matrices", "ribbons", "style", "twin_images",
           "unit_images"]

_WEIGHTS = LinearSegmentedColormap.from_list("permsym_weights", DIVERGING_STOPS)
_ACTIVATIONS = LinearSegmentedColormap.from_list("permsym_activations", SEQUENTIAL_STOPS)


def heatmap(ax, A, title="", *, limit=None, units=None, unit_axis=1, sequential=False):
    """Draw a matrix: diverging colours centred on 0 (or sequential ones), its units named along one axis.

    Parameters
    ----------
    A : array (rows, columns)
    limit : float, optional
        The largest absolute value of the colour scale; give the same before and after a relabelling.
    units : sequence of int, optional
        The unit held by each slot along ``unit_axis`` (1: columns, 0: rows), marked by number and colour.
    """
    A = np.asarray(A, dtype=float)
    limit = limit or float(abs(A).max()) or 1.0
    scale = {"cmap": _ACTIVATIONS} if sequential else {"cmap": _WEIGHTS, "vmin": -limit, "vmax": limit}
    ax.imshow(A, aspect="auto", **scale)
    ax.set_title(title)
    ax.set_xticks([])
    ax.set_yticks([])
    if units is not None:
        set_ticks = ax.set_xticks if unit_axis else ax.set_yticks
        set_ticks(range(len(units)), [str(u) for u in units])
        axis = ax.xaxis if unit_axis else ax.yaxis
        axis.set_tick_params(length=0)
        for label, u in zip(axis.get_ticklabels(), units, strict=True):
            label.set(color=unit_colour(u), fontweight="bold")
    for spine in ax.spines.values():
        spine.set_visible(True)


def ribbons(net: MLP, X, perm=None, *, alt: str, caption: str = "") -> Figure:
    """W1, b1, H and W2 transposed above one another with their units' columns aligned, before and after.

    Parameters
    ----------
    net : MLP with one hidden layer of h units
    X : array (n, d)
    perm : permutation of the h units, optional
        With it a second column of matrices shows the relabelled network.
    """
    orders = [Permutation.identity(net.hidden_widths[0])]
    if perm is not None:
        orders += checked_permutations("perm", perm, net.hidden_widths)
    p = net.parameters
    parts = [("W1", p.W1), ("b1", p.b1[None, :]), ("H", net.forward(X).H[0]), ("W2 transposed", p.W2.T)]
    with style():
        fig, axes = plt.subplots(len(parts), len(orders), squeeze=False, figsize=(3.3 * len(orders), 5.0),
                                 height_ratios=[max(1.2, len(A)) for _, A in parts])
        for column, order in enumerate(orders):
            for row, (name, A) in enumerate(parts):
                ax = axes[row, column]
                heatmap(ax, A[:, order.indices], limit=float(abs(A).max()), units=list(order),
                        sequential=name == "H")
                ax.set_ylabel(name, rotation=0, ha="right", va="center")
                for slot, unit in enumerate(order):
                    ax.add_patch(Rectangle((slot - 0.46, -0.46), 0.92, len(A) - 0.08, fill=False, lw=2.2,
                                           ec=unit_colour(unit)))
            if perm is not None:
                axes[0, column].set_title("before" if column == 0 else "after")
    return as_figure(fig, alt, caption)


def unit_images(net: MLP, units, perm=None, *, alt: str, caption: str = "") -> Figure:
    """Columns of W1 of an MNIST network as 28 x 28 images, in slots 0, 1, ... before and after a relabelling.

    Parameters
    ----------
    net : MLP with 784 inputs
    units : int
        How many slots to show.
    perm : permutation of the hidden units, optional
    """
    W1 = net.parameters.W1
    rows = [("before", W1, Permutation.identity(W1.shape[1]))]
    if perm is not None:
        order = checked_permutations("perm", perm, net.hidden_widths)[0]
        rows.append(("after", W1[:, order.indices], order))
    return _image_rows(rows, units, alt, caption)


def twin_images(parameters, twin, perm, units, *, names, alt: str, caption: str = "") -> Figure:
    """Columns of W1, or of its gradient, of an MNIST network and of its twin, each as computed, in slots 0,
    1, ...

    Parameters
    ----------
    parameters, twin : Parameters with 784 inputs
        Weights or gradients at theta and at theta_pi.
    perm : permutation of the hidden units
        Slot j of ``twin`` belongs to unit ``perm[j]``.
    units : int
        How many slots to show.
    names : pair of str
        What stands beside the two rows.
    """
    order = checked_permutations("perm", perm, parameters.hidden_widths)[0]
    orders = Permutation.identity(len(order)), order
    return _image_rows(list(zip(names, (parameters.W1, twin.W1), orders, strict=True)), units, alt, caption)


def _image_rows(rows, units, alt, caption) -> Figure:
    limit = float(np.quantile(abs(rows[0][1]), 0.995))
    with style():
        fig, axes = plt.subplots(len(rows), units, squeeze=False, figsize=(0.95 * units, 1.3 * len(rows)))
        for row, (name, W1, order) in enumerate(rows):
            for slot in range(units):
                unit, ax = int(order[slot]), axes[row, slot]
                heatmap(ax, W1[:, slot].reshape(28, 28), limit=limit)
                ax.set_aspect("equal")
                ax.set_title(f"unit {unit}", color=unit_colour(unit), fontweight="bold")
                ax.set_xlabel(f"slot {slot}", fontsize=8)
                for spine in ax.spines.values():
                    spine.set(color=unit_colour(unit), linewidth=2.5)
            axes[row, 0].set_ylabel(name)
    return as_figure(fig, alt, caption)


def lines(series: dict, *, xlabel: str, ylabel: str, alt: str, log: bool = False, caption: str = "",
          bound=None) -> Figure:
    """Named curves over steps, their names above; on a log axis exact zeros are drawn at the bottom and
    labelled "0".

    Parameters
    ----------
    series : dict of name to sequence of numbers, or to a pair (x, y)
    bound : sequence of numbers, optional
        A dashed curve named "rounding bound".
    """
    with style():
        fig, ax = plt.subplots(figsize=(6.4, 3.4))
        curves = {name: _xy(values) for name, values in series.items()}
        positive = np.concatenate([y[y > 0] for _, y in curves.values()] or [[]])
        floor = (positive.min() if positive.size else 1e-16) / 30
        for number, (name, (x, y)) in enumerate(curves.items()):
            ax.plot(x, np.where(y > 0, y, floor) if log else y, label=name, color=unit_colour(number),
                    ls=["-", "--", "-.", ":"][number % 4])
        if bound is not None:
            ax.plot(*_xy(bound), label="rounding bound", color=INK, ls=(0, (1, 1)), lw=1.2)
        if log:
            ax.set_yscale("log")
            ax.minorticks_off()
            if any((y <= 0).any() for _, y in curves.values()):
                ax.set_yticks([floor, *(t for t in ax.get_yticks() if t > 3 * floor)])
                ax.set_yticklabels(["0" if t == floor else f"$10^{{{round(np.log10(t))}}}$"
                                    for t in ax.get_yticks()])
                ax.set_ylim(bottom=floor / 3)
        ax.set(xlabel=xlabel, ylabel=ylabel)
        # of about 600 pixels
        columns = int(600 // (7 * max(map(len, ax.get_legend_handles_labels()[1])) + 50))
        fig.legend(loc="outside upper left", ncols=max(1, columns))  # above the axes, where no curve can run
    return as_figure(fig, alt, caption)


def _xy(values):
    if isinstance(values, tuple):
        x, y = values
        return np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    y = np.asarray(values, dtype=float)
    return np.arange(len(y)), y


def matrices(named: dict, *, alt: str, caption: str = "", units=None, unit_axis: int = 1) -> Figure:
    """Matrices side by side on one colour scale, their entries written in when they are small enough to read.

    Parameters
    ----------
    named : dict of title to array (rows, columns)
    units : dict of title to sequence of int, optional
        The unit in each slot of that matrix, along ``unit_axis``.
    """
    arrays = {title: np.atleast_2d(np.asarray(A, dtype=float)) for title, A in named.items()}
    limit = max(float(abs(A).max()) for A in arrays.values()) or 1.0
    with style():
        fig, axes = plt.subplots(1, len(arrays), squeeze=False, figsize=(2.3 * len(arrays), 2.4))
        for ax, (title, A) in zip(axes[0], arrays.items(), strict=True):
            heatmap(ax, A, title, limit=limit, units=(units or {}).get(title), unit_axis=unit_axis)
            if A.size <= 36:
                for (i, j), value in np.ndenumerate(A):
                    ax.text(j, i, f"{value:.3g}", ha="center", va="center", fontsize=8,
                            color="white" if abs(value) > 0.6 * limit else "#202020")
    return as_figure(fig, alt, caption)
