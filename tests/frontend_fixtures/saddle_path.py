"""Signs of eigenvalues and the plane in which the units are seen, of a path and of random arrays."""

from __future__ import annotations

import numpy as np

from permsym_book.widgets import SaddlePath


def fixture() -> dict:
    """``saddle_path``: a list of cases."""
    rng, widgets = np.random.default_rng(11), [SaddlePath()]
    for T, m, N in ((3, 1, 1), (7, 5, 12)):
        spectra = rng.standard_normal((T, N)) * 10.0 ** rng.integers(-12, 4, (T, N))
        vectors = rng.standard_normal((T, 2, m))
        if m == 1:
            vectors[0, 1] = vectors[0, 0]  # the same at the first point: no difference to look along
        widgets.append(
            SaddlePath(
                distances=np.linspace(1, -1, T),
                losses=rng.random(T),
                slopes=rng.random(T),
                vectors=vectors,
                spectra=spectra,
                zeros=np.full(T, 1e-6),
            )
        )
    return {
        "saddle_path": [
            {
                "vectors": w.vectors.tolist(),
                "spectra": w.spectra.tolist(),
                "zeros": w.zeros.tolist(),
                "distances": w.distances.tolist(),
                "index": w.index,
                "nullity": w.nullity,
                "middle": w.middle,
                "projected": w.projected.tolist(),
            }
            for w in widgets
        ]
    }
