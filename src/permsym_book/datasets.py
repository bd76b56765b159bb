"""MNIST: the embedded subset, and the full set from files that the user names. Samples are rows.

Synthetic sets are in :mod:`permsym_book.synthetic`.
"""

from __future__ import annotations

import lzma
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from os import PathLike

import numpy as np

from .idx import checked_path, read_idx
from .validation import FLOATS, as_array, checked_count

__all__ = ["Dataset", "mnist_subset", "one_hot", "read_mnist", "read_mnist_pixels"]

MNIST_FILES = ("train-images-idx3-ubyte", "train-labels-idx1-ubyte",
               "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte")
SUBSET_FILE, SUBSET_TRAIN, SUBSET_TEST = "mnist_subset.xz", 6000, 2000


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
    labels, classes, dtype = as_array("labels", labels), checked_count("classes", classes), _floating(dtype)
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
    folder = checked_path("folder", folder)
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
