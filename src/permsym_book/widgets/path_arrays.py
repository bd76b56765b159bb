"""The arrays that the widget ``saddle-path`` shows, of a path."""

from __future__ import annotations

import numpy as np

from ..landscape.hessian import hessian
from ..landscape.inertia import inertia
from ..landscape.path import Path
from ..landscape.vector import to_vector, unit_slots


def seen_in(vectors: np.ndarray) -> np.ndarray:
    """Two orthonormal vectors (2, m), or zeros where there is none.

    The first is along the difference of the units at the first point, the second along what their mean has across it.
    """
    first, second = vectors[0]
    along = _unit(first - second)
    mean = (first + second) / 2
    return np.array([along, _unit(mean - (mean @ along) * along, np.linalg.norm(mean))])


def _unit(v, scale: float | None = None):
    size = np.linalg.norm(v)
    return v / size if size > 1e-12 * (size if scale is None else scale) else np.zeros_like(v)


def _names(net, layer: int) -> list[str]:
    p = net.parameters
    fan_in, fan_out = p.weights[layer].shape[0], p.weights[layer + 1].shape[1]
    bias = [] if p.biases[layer] is None else ["bias"]
    return [*(f"from {i}" for i in range(fan_in)), *bias, *(f"to {k}" for k in range(fan_out))]


def arrays_of(path: Path, X, Y, loss: str) -> dict:
    """The traits that are computed from a path, its Hessians included."""
    slots = np.array([unit_slots(path.net, path.layer, unit) for unit in path.units])
    networks = path.networks
    found = [inertia(hessian(net, X, Y, loss)) for net in networks]
    return {
        "distances": path.signed_distances,
        "losses": path.losses,
        "vectors": _short(path.vectors[:, slots]),
        "slopes": np.array(
            [np.linalg.norm(to_vector(net.loss_and_gradients(X, Y, loss)[1])) for net in networks]
        ),
        "spectra": _short(np.array([f.eigenvalues for f in found])),
        "zeros": np.array([f.threshold for f in found]),
        "names": _names(path.net, path.layer),
        "units": list(path.units),
    }


def _short(A) -> np.ndarray:
    """Ten significant digits are enough for the page, and half as long."""
    return np.array([float(f"{x:.10g}") for x in A.ravel()]).reshape(A.shape)
