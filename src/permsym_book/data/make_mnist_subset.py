"""Make mnist_subset.xz, the embedded part of MNIST, from the four IDX files.

    python make_mnist_subset.py FOLDER [TARGET]

Of each digit 600 training and 200 test images are taken. Every image gets a 64-bit key from PCG64 with a
fixed seed (training set first, then test set), and the images of a digit with the smallest keys are taken.
NumPy promises that PCG64's raw stream stays the same in every version; it does not promise so for
``Generator.choice``. The images keep the order of the IDX files, so every stretch mixes the digits.

The payload is, byte after byte: 6,000 training images of 784 pixels (rows from the top), 2,000 test images,
6,000 training labels, 2,000 test labels. It is compressed with xz; no pixel is changed.
"""

from __future__ import annotations

import hashlib
import lzma
import sys
from pathlib import Path

import numpy as np

from permsym_book.datasets import SUBSET_FILE, read_mnist_pixels

SEED = 1992
TRAIN_PER_DIGIT, TEST_PER_DIGIT = 600, 200


def pick(labels: np.ndarray, per_digit: int, keys: np.ndarray) -> np.ndarray:
    """Return, in increasing order, the indices of the ``per_digit`` smallest keys of each digit.

    Parameters
    ----------
    labels : ndarray of int, shape (n,)
    per_digit : int
    keys : ndarray, shape (n,)

    Raises
    ------
    ValueError
        When a digit occurs fewer than ``per_digit`` times.

    Examples
    --------
    >>> pick(np.repeat(np.arange(10), 2), 1, np.tile([5, 3], 10))
    array([ 1,  3,  5,  7,  9, 11, 13, 15, 17, 19])
    """
    taken = []
    for digit in range(10):
        places = np.flatnonzero(labels == digit)
        if len(places) < per_digit:
            raise ValueError(f"labels has digit {digit} {len(places)} times; {per_digit} are required")
        taken.append(places[np.argsort(keys[places], kind="stable")[:per_digit]])
    return np.sort(np.concatenate(taken))


def payload(folder) -> bytes:
    """Return the uncompressed bytes of the subset, picked from the IDX files in ``folder``."""
    A, a, B, b = read_mnist_pixels(folder)
    keys = np.random.PCG64(SEED).random_raw(len(a) + len(b))
    train, test = pick(a, TRAIN_PER_DIGIT, keys[: len(a)]), pick(b, TEST_PER_DIGIT, keys[len(a) :])
    return b"".join(part.tobytes() for part in (A[train], B[test], a[train], b[test]))


def pack(raw: bytes) -> bytes:
    """Compress with xz; the settings are fixed, and the format stores no time and no name."""
    return lzma.compress(raw, check=lzma.CHECK_CRC64, preset=6 | lzma.PRESET_EXTREME)


def main(arguments: list[str]) -> int:
    """Write the file and print its size and the two sha256 sums that README.md states."""
    if not 1 <= len(arguments) <= 2:
        print(__doc__, file=sys.stderr)
        return 2
    target = Path(arguments[1]) if len(arguments) == 2 else Path(__file__).with_name(SUBSET_FILE)
    raw = payload(arguments[0])
    packed = pack(raw)
    target.write_bytes(packed)
    print(f"{target}: {len(packed)} bytes")
    print(f"sha256 of the file:    {hashlib.sha256(packed).hexdigest()}")
    print(f"sha256 of the payload: {hashlib.sha256(raw).hexdigest()}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
