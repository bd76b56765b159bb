"""Philox4x32-10: random numbers as a function of (seed, stream, index), identical here and in the widgets.

NumPy's own Philox works on 64-bit words, which a browser computes slowly; this is the 32-bit
member of the family (Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3"). The widgets' module
is ``js/src/core/random.js``, and a test compares the two.
"""

from __future__ import annotations

import numpy as np

from .validation import checked_count

_M0, _M1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_W0, _W1 = 0x9E3779B9, 0xBB67AE85
_LOW, _32 = np.uint64(0xFFFFFFFF), np.uint64(32)


def philox(counter, key) -> np.ndarray:
    """Ten rounds of Philox4x32.

    Parameters
    ----------
    counter : array_like of int, shape (..., 4)
        Words below 2^32.
    key : pair of int
        Words below 2^32.

    Returns
    -------
    ndarray of uint64, shape (..., 4)
        Words below 2^32.

    Examples
    --------
    >>> [hex(w) for w in philox([0, 0, 0, 0], (0, 0))]
    ['0x6627e8d5', '0xe169c58d', '0xbc57ac4c', '0x9b00dbd8']
    """
    c0, c1, c2, c3 = np.moveaxis(np.asarray(counter, dtype=np.uint64), -1, 0)
    k0, k1 = key
    for _ in range(10):
        p0, p1 = _M0 * c0, _M1 * c2
        c0, c2 = (p1 >> _32) ^ c1 ^ np.uint64(k0), (p0 >> _32) ^ c3 ^ np.uint64(k1)
        c1, c3 = p1 & _LOW, p0 & _LOW
        k0, k1 = (k0 + _W0) & 0xFFFFFFFF, (k1 + _W1) & 0xFFFFFFFF
    return np.stack([c0, c1, c2, c3], axis=-1)


def uniforms(seed: int, stream: int, count: int) -> np.ndarray:
    """The first ``count`` uniform numbers in [0, 1) of a stream, each with 53 random bits.

    Parameters
    ----------
    seed, stream : int
        Below 2^32.
    count : int

    Examples
    --------
    >>> uniforms(1992, 0, 5)[:2].tolist() == uniforms(1992, 0, 2).tolist()
    True
    """
    count = checked_count("count", count, least=0)
    blocks = np.zeros(((count + 1) // 2, 4), dtype=np.uint64)
    blocks[:, 0], blocks[:, 2] = np.arange(len(blocks)), checked_count("stream", stream, least=0)
    w = philox(blocks, (checked_count("seed", seed, least=0), 0)).astype(np.float64)
    pairs = [(np.floor(w[:, i] / 32) * 67108864 + np.floor(w[:, i + 1] / 64)) / 2.0**53 for i in (0, 2)]
    return np.stack(pairs, axis=1).ravel()[:count]


def normals(seed: int, stream: int, count: int) -> np.ndarray:
    """Standard normal numbers by Box and Muller, two from each pair of :func:`uniforms`."""
    u = uniforms(seed, stream, count + count % 2).reshape(-1, 2)
    radius = np.sqrt(-2 * np.log(1 - u[:, 0]))
    angle = 2 * np.pi * u[:, 1]
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1).ravel()[:count]
