"""Counting relabellings: orbits and stabilizers, per layer and for the whole network, in exact integers.

The hidden units of all layers are relabelled by the product of S_{h_1}, ..., S_{h_k}. By the orbit-stabilizer theorem,
``orbit_size * stabilizer_size`` is h_1! ... h_k!. Relabelling one layer alone, only twins can trade places, and the
stabilizer has prod(multiplicity!) elements. For the whole network the stabilizer is the automorphism group
of the network, which can be larger: two layers may be permuted together so that the matrix between them stays as it was.
"""

from __future__ import annotations

from math import factorial, prod

from .mlp import MLP
from .parameters import Parameters
from .symmetries import symmetries
from .twins import multiplicities, unit_classes
from .validation import checked_count

__all__ = ["multiplicities", "orbit_size", "stabilizer_size", "unit_classes"]


def stabilizer_size(net: MLP | Parameters, layer: int | None = None) -> int:
    """The number of relabellings that leave every array of the network as it was.

    Parameters
    ----------
    net : MLP or Parameters
    layer : int, optional
        Relabel this hidden layer alone, counted from 0: prod(multiplicity!). Without it all hidden layers
        are relabelled together: the number of automorphisms of the network.

    Returns
    -------
    int
    """
    counts = multiplicities(net)
    if layer is not None:
        return prod(map(factorial, counts[_checked_layer(layer, counts)]))
    return symmetries(net).size


def orbit_size(net: MLP | Parameters, layer: int | None = None) -> int:
    """The number of distinct networks among the relabellings: h!/prod(multiplicity!) for one hidden layer.

    Parameters
    ----------
    net : MLP or Parameters
    layer : int, optional
        Relabel this hidden layer alone, counted from 0. Without it all hidden layers are relabelled together.

    Returns
    -------
    int

    Examples
    --------
    >>> net = MLP.from_arrays([[[1.0, 2.0, 1.0]], [[3.0], [5.0], [3.0]]], [None, None])
    >>> orbit_size(net), stabilizer_size(net)
    (3, 2)
    """
    widths = net.hidden_widths if layer is None else (net.hidden_widths[_checked_layer(layer, net.hidden_widths)],)
    return prod(map(factorial, widths)) // stabilizer_size(net, layer)


def _checked_layer(layer, layers) -> int:
    layer = checked_count("layer", layer, least=0)
    if layer >= len(layers):
        raise ValueError(f"layer is {layer}; a hidden layer below {len(layers)} is required")
    return layer
