"""IDX files, the format in which MNIST is published."""

from __future__ import annotations

import gzip
import math
import zlib
from os import PathLike, fspath
from pathlib import Path

import numpy as np

IDX_TYPES = {0x08: ">u1", 0x09: ">i1", 0x0B: ">i2", 0x0C: ">i4", 0x0D: ">f4", 0x0E: ">f8"}


def read_idx(path: str | PathLike) -> np.ndarray:
    """Read one IDX file, plain or gzip-compressed (told by its first bytes, not by its name).

    An IDX file is: two zero bytes, a type byte, the number of axes, each axis as a big-endian
    32-bit count, then the values, big-endian, last axis fastest.

    Parameters
    ----------
    path : path

    Returns
    -------
    ndarray
        In the machine's byte order, writable.

    Raises
    ------
    ValueError
        When the magic number is wrong or the file is shorter or longer than its header says.
    """
    path = checked_path("path", path)
    raw = path.read_bytes()
    if raw[:2] == b"\x1f\x8b":
        try:
            raw = gzip.decompress(raw)
        except (EOFError, OSError, zlib.error) as error:
            raise ValueError(f"{path} is a damaged or truncated gzip file ({error}); "
                             "a whole one is required") from error
    if len(raw) < 4 or raw[:2] != b"\0\0" or raw[2] not in IDX_TYPES or raw[3] == 0:
        raise ValueError(f"{path} begins with bytes {raw[:4].hex(' ')!r}; an IDX magic number is required: "
                         "00 00, a type (08 09 0b 0c 0d 0e), the number of axes (not 00)")
    dtype, start = np.dtype(IDX_TYPES[raw[2]]), 4 + 4 * raw[3]
    if len(raw) < start:
        raise ValueError(f"{path} has {len(raw)} bytes; its header of {raw[3]} axes requires {start}")
    shape = tuple(int.from_bytes(raw[i : i + 4], "big") for i in range(4, start, 4))
    wanted = start + dtype.itemsize * math.prod(shape)
    if len(raw) != wanted:
        raise ValueError(f"{path} has {len(raw)} bytes; shape {shape} of {dtype.name} requires {wanted}")
    return np.frombuffer(raw, dtype, offset=start).reshape(shape).astype(dtype.newbyteorder("="))


def checked_path(name, value) -> Path:
    """``value`` as a Path; TypeError when it is neither a string nor a path."""
    if not isinstance(value, (str, PathLike)):
        raise TypeError(f"{name} is of type {type(value).__name__}; a path is required")
    return Path(fspath(value))
