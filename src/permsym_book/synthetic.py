"""Small sets made from a generator: regression on a teacher network, a noisy sine, and spirals to classify.

The draws do not depend on the noise level, so two sets that differ only in ``noise`` share their inputs and
targets.
"""

from __future__ import annotations

import math
from numbers import Real

import numpy as np

from .datasets import Dataset, one_hot
from .validation import checked_count, checked_rng


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


def _sizes(n, n_test, noise) -> tuple[int, int, float]:
    n = checked_count("n", n)
    if isinstance(noise, bool) or not isinstance(noise, Real):
        raise TypeError(f"noise is {noise!r}; a real number is required")
    if not 0 <= noise < math.inf:
        raise ValueError(f"noise is {noise}; a finite number >= 0 is required")
    return n, n if n_test is None else checked_count("n_test", n_test), float(noise)
