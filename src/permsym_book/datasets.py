"""Data to train small networks on: MNIST (embedded subset or full set) and synthetic sets.

Samples are rows. Every set is a `Dataset`. A random generator is an argument, and the draws do not
depend on the noise level, so two sets that differ only in ``noise`` share their inputs and targets.
"""

from __future__ import annotations

import gzip
import lzma
import math
import zlib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from numbers import Real
from os import PathLike, fspath
from pathlib import Path

import numpy as np

from permsym_book.validation import FLOATS, checked_count, checked_rng

__all__ = ["Dataset", "mnist_subset", "one_hot", "read_idx", "read_mnist", "read_mnist_pixels",
           "sine_regression", "spirals", "teacher_regression", "teacher_weights"]

MNIST_FILES = ("train-images-idx3-ubyte", "train-labels-idx1-ubyte",
               "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte")
SUBSET_FILE, SUBSET_TRAIN, SUBSET_TEST = "mnist_subset.xz", 6000, 2000
IDX_TYPES = {0x08: ">u1", 0x09: ">i1", 0x0B: ">i2", 0x0C: ">i4", 0x0D: ">f4", 0x0E: ">f8"}


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """A training and a test set; the label arrays are None unless the task is classification.

    Attributes
    ----------
    name : str
    X_train, X_test : ndarray, shapes (n, d) and (m, d)
    Y_train, Y_test : ndarray, shapes (n, q) and (m, q)
        Regression targets, or the labels one-hot.
    labels_train, labels_test : ndarray of int64, shapes (n,) and (m,), or None
    """

    name: str
    X_train: np.ndarray
    Y_train: np.ndarray
    X_test: np.ndarray
    Y_test: np.ndarray
    labels_train: np.ndarray | None = None
    labels_test: np.ndarray | None = None

    def __repr__(self) -> str:
        shapes = [f"{k} {v.shape}" for k, v in vars(self).items() if isinstance(v, np.ndarray)]
        return f"Dataset({self.name!r}: {', '.join(shapes)})"


def one_hot(labels: np.ndarray, classes: int, dtype=np.float64) -> np.ndarray:
    """Write label c as row c of the identity matrix.

    Parameters
    ----------
    labels : array of int, shape (n,), each in 0 .. classes - 1
    classes : int
    dtype : float64 or float32, of the result (n, classes)

    Raises
    ------
    TypeError, ValueError
        When the labels are not integers, not one-dimensional or out of range.

    Examples
    --------
    >>> one_hot([2, 0], 3)
    array([[0., 0., 1.],
           [1., 0., 0.]])
    """
    labels, classes, dtype = np.asarray(labels), checked_count("classes", classes), _floating(dtype)
    if labels.dtype.kind not in "iu":
        raise TypeError(f"labels has dtype {labels.dtype}; integers are required")
    if labels.ndim != 1:
        raise ValueError(f"labels has shape {labels.shape}; (n,) is required")
    if labels.size and not 0 <= labels.min() <= labels.max() < classes:
        raise ValueError(f"labels run from {labels.min()} to {labels.max()}; 0 .. {classes - 1} is required")
    Y = np.zeros((len(labels), classes), dtype)
    Y[np.arange(len(labels)), labels] = 1
    return Y


def mnist_subset(dtype=np.float64) -> Dataset:
    """Return the embedded MNIST subset: 600 training and 200 test images of each digit.

    The pixels are exact: ``np.rint(255 * X)`` is the original byte. The arrays are shared between
    calls (one copy per dtype) and locked read-only: copy before changing.

    Parameters
    ----------
    dtype : float64 or float32, of X (values in [0, 1]) and of the one-hot Y

    Raises
    ------
    TypeError
        When dtype is neither float64 nor float32.

    Examples
    --------
    >>> mnist_subset().X_train.shape, mnist_subset().Y_test.shape
    ((6000, 784), (2000, 10))
    """
    return _subset(_floating(dtype))


@lru_cache(maxsize=2)
def _subset(dtype: np.dtype) -> Dataset:
    packed = (files("permsym_book") / "data" / SUBSET_FILE).read_bytes()
    raw = np.frombuffer(lzma.decompress(packed), np.uint8)
    n, m = SUBSET_TRAIN, SUBSET_TEST
    pixels, labels = raw[: 784 * (n + m)].reshape(n + m, 784), raw[784 * (n + m) :]
    return _digits("mnist-subset", pixels[:n], labels[:n], pixels[n:], labels[n:], dtype, locked=True)


def read_mnist(folder: str | PathLike, dtype=np.float64) -> Dataset:
    """Read the full MNIST set from a folder with its four IDX files, plain or ``.gz``.

    In float64 the full set takes 440 MB, in float32 half of it. The arrays are the caller's own.

    Parameters
    ----------
    folder : path
    dtype : float64 or float32, of X (values in [0, 1]) and of the one-hot Y

    Raises
    ------
    FileNotFoundError
        When files are missing; the message names them.
    ValueError
        When a file is damaged or holds something else; see `read_mnist_pixels`.
    """
    dtype = _floating(dtype)
    return _digits("mnist", *read_mnist_pixels(folder), dtype, locked=False)


def read_mnist_pixels(folder: str | PathLike) -> tuple[np.ndarray, ...]:
    """Read the four IDX files of MNIST as they are: uint8, images as rows of 784 pixels.

    Parameters
    ----------
    folder : path
        A file is looked for under its plain name first, then with ``.gz`` added.

    Returns
    -------
    tuple of ndarray of uint8
        Training pixels (n, 784), training labels (n,), test pixels (m, 784), test labels (m,).

    Raises
    ------
    FileNotFoundError
        When files are missing; the message names them.
    ValueError
        When a magic number, a size, a count or a label is not MNIST's, or a file is cut off.
    """
    folder = _path("folder", folder)
    found = [next((p for p in (folder / f, folder / f"{f}.gz") if p.is_file()), None) for f in MNIST_FILES]
    missing = [f for f, p in zip(MNIST_FILES, found) if p is None]
    if missing:
        raise FileNotFoundError(f"folder {str(folder)!r} lacks {', '.join(missing)} (each plain or .gz)")
    parts = []
    for images, labels in (found[:2], found[2:]):
        A, y = _unsigned_bytes(images, 3), _unsigned_bytes(labels, 1)
        if len(A) == 0 or A.shape[1:] != (28, 28):
            raise ValueError(f"{images} has shape {A.shape}; (n, 28, 28) with n >= 1 is required")
        if len(A) != len(y):
            raise ValueError(f"{labels} has {len(y)} labels; {images.name} requires {len(A)}, one per image")
        if y.max() > 9:
            raise ValueError(f"{labels} has label {y.max()} at position {y.argmax()}; 0 .. 9 is required")
        parts += [A.reshape(-1, 784), y]
    return tuple(parts)


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
    path = _path("path", path)
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


def teacher_weights(d: int, h: int, q: int, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    """Draw a teacher network W1 (d, h), b1 (h,), W2 (h, q), b2 (q,), in this order.

    Entries are normal with mean 0 and variance 1/d in W1, 1/h in W2, and 1 in b1 and b2.

    Examples
    --------
    >>> [A.shape for A in teacher_weights(3, 5, 2, np.random.default_rng(0))]
    [(3, 5), (5,), (5, 2), (2,)]
    """
    d, h, q, rng = checked_count("d", d), checked_count("h", h), checked_count("q", q), checked_rng(rng)
    W1, b1 = rng.standard_normal((d, h)) / np.sqrt(d), rng.standard_normal(h)
    return W1, b1, rng.standard_normal((h, q)) / np.sqrt(h), rng.standard_normal(q)


def teacher_regression(n: int, d: int, h: int, q: int, rng: np.random.Generator, noise: float = 0.0,
                       *, n_test: int | None = None) -> Dataset:
    """Sample Y = tanh(X W1 + b1) W2 + b2 + noise * E from a random teacher with h hidden units.

    The teacher is drawn first, so `teacher_weights` with a generator in the same state returns it.
    X and E are standard normal; the noise is on the training and on the test targets alike.

    Parameters
    ----------
    n, d, h, q : int
        Training samples, inputs, hidden units, outputs.
    rng : numpy.random.Generator
    noise : float, at least 0
    n_test : int, optional
        Test samples; n when not given.

    Raises
    ------
    TypeError, ValueError
        When a size is not a positive integer, noise is negative or not finite, or rng is no Generator.

    Examples
    --------
    >>> teacher_regression(40, 3, 5, 2, np.random.default_rng(0), n_test=10)
    Dataset('teacher-regression': X_train (40, 3), Y_train (40, 2), X_test (10, 3), Y_test (10, 2))
    """
    n, m, noise = _sizes(n, n_test, noise)
    W1, b1, W2, b2 = teacher_weights(d, h, q, rng)
    X = rng.standard_normal((n + m, d))
    Y = np.tanh(X @ W1 + b1) @ W2 + b2
    Y += noise * rng.standard_normal(Y.shape)
    return Dataset("teacher-regression", X[:n], Y[:n], X[n:], Y[n:])


def sine_regression(n: int, rng: np.random.Generator, noise: float = 0.0,
                    *, n_test: int | None = None) -> Dataset:
    """Sample Y = sin(pi X) + noise * E, X uniform on [-1, 1), E standard normal; d = q = 1.

    Parameters, errors: as in `teacher_regression`.

    Examples
    --------
    >>> sine_regression(50, np.random.default_rng(0), n_test=20)
    Dataset('sine-regression': X_train (50, 1), Y_train (50, 1), X_test (20, 1), Y_test (20, 1))
    """
    n, m, noise = _sizes(n, n_test, noise)
    X = checked_rng(rng).uniform(-1.0, 1.0, (n + m, 1))
    Y = np.sin(np.pi * X) + noise * rng.standard_normal(X.shape)
    return Dataset("sine-regression", X[:n], Y[:n], X[n:], Y[n:])


def spirals(n: int, rng: np.random.Generator, noise: float = 0.02, *, classes: int = 2,
            n_test: int | None = None) -> Dataset:
    """Sample points on interleaved spiral arms, one arm per class (d = 2, q = classes).

    A point of class c has radius r, uniform on [0.1, 1), and angle 3 pi r + 2 pi c / classes; noise * E is
    added to both coordinates. The training classes, and the test classes, differ in size by at most one.

    Parameters, errors: as in `teacher_regression`; classes is an int.

    Examples
    --------
    >>> spirals(60, np.random.default_rng(0)).labels_train.shape
    (60,)
    """
    n, m, noise = _sizes(n, n_test, noise)
    classes, rng = checked_count("classes", classes), checked_rng(rng)
    labels = np.concatenate([rng.permutation(np.arange(k) % classes) for k in (n, m)])
    r = rng.uniform(0.1, 1.0, n + m)
    angle = 3 * np.pi * r + 2 * np.pi * labels / classes
    X = np.stack([r * np.cos(angle), r * np.sin(angle)], axis=1) + noise * rng.standard_normal((n + m, 2))
    Y = one_hot(labels, classes)
    return Dataset("spirals", X[:n], Y[:n], X[n:], Y[n:], labels[:n], labels[n:])


def _digits(name, A, a, B, b, dtype, locked):
    arrays = []
    for pixels, labels in ((A, a), (B, b)):
        X = np.divide(pixels, dtype.type(255), dtype=dtype)
        arrays.append([X, one_hot(labels, 10, dtype), labels.astype(np.int64)])
    if locked:  # a view of a locked array cannot be unlocked by setflags
        for part in arrays:
            for i, array in enumerate(part):
                array.setflags(write=False)
                part[i] = array[:]
    (X, Y, y), (X_test, Y_test, y_test) = arrays
    return Dataset(name, X, Y, X_test, Y_test, y, y_test)


def _unsigned_bytes(path, axes):
    array = read_idx(path)
    if array.dtype != np.uint8 or array.ndim != axes:
        raise ValueError(f"{path} holds {array.dtype} with {array.ndim} axes; magic number {0x0800 + axes} "
                         f"is required (uint8, {axes} axes)")
    return array


def _floating(dtype) -> np.dtype:
    for known in FLOATS:
        if dtype is not None and known == dtype:  # NumPy holds float64 and None to be equal
            return known
    raise TypeError(f"dtype is {dtype!r}; numpy.float64 or numpy.float32 is required")


def _path(name, value) -> Path:
    if not isinstance(value, (str, PathLike)):
        raise TypeError(f"{name} is of type {type(value).__name__}; a path is required")
    return Path(fspath(value))


def _sizes(n, n_test, noise) -> tuple[int, int, float]:
    n = checked_count("n", n)
    if isinstance(noise, bool) or not isinstance(noise, Real):
        raise TypeError(f"noise is {noise!r}; a real number is required")
    if not 0 <= noise < math.inf:
        raise ValueError(f"noise is {noise}; a finite number >= 0 is required")
    return n, n if n_test is None else checked_count("n_test", n_test), float(noise)
