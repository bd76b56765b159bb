"""Optimizers that act on a weight matrix through its Gram matrices or its singular vectors.

For a relabelled gradient P^T G Q the Gram matrices are P^T G G^T P and Q^T G^T G Q, so that every function of
them is relabelled with it: in exact arithmetic these rules keep the symmetry. An eigenvalue solver
works with rotations that mix all units, rounds each differently, and has to choose a basis where eigenvalues
coincide.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..parameters import Parameters
from .base import Rule, by_kind, zeros
from .elementwise import Velocity

NS_COEFFICIENTS = (3.4445, -4.7750, 2.0315)  # Jordan et al. 2024


class Grams(NamedTuple):
    left: tuple
    right: tuple
    bias: tuple


def _eye(n, A, number):
    return np.broadcast_to(number * np.eye(n, dtype=A.dtype), (*A.shape[:-2], n, n)).copy().view(type(A))


def _power(A, exponent):
    """A symmetric positive definite matrix (..., n, n) to a power, by its eigenvectors."""
    values, vectors = np.linalg.eigh(np.asarray(A))
    made = (vectors * np.maximum(values, np.finfo(A.dtype).tiny)[..., None,
                                                                 :] ** exponent) @ vectors.swapaxes(-1, -2)
    return made.view(type(A))


@dataclass(frozen=True)
class Shampoo(Rule):
    """L <- L + G G^T; R <- R + G^T G; W <- W - eta L^(-1/4) G R^(-1/4), with L = R = start I before the first
    step.

    A bias is a tensor of one axis: H <- H + g g^T; b <- b - eta H^(-1/2) g (Gupta, Koren and Singer 2018).
    """

    name = "shampoo"
    reason = "acts through Gram matrices; the eigenvalue solver rounds equal units differently"
    step_size: float = 1e-2
    start: float = 1e-4

    def init(self, params):
        Ws, bs = params.weights, params.biases
        return Grams(tuple(_eye(W.shape[-2], W, self.start) for W in Ws),
                     tuple(_eye(W.shape[-1], W, self.start) for W in Ws),
                     tuple(None if b is None else _eye(b.shape[-1], b[..., None], self.start) for b in bs))

    def update(self, params, gradients, state):
        lefts, rights, grams, weights, biases = [], [], [], [], []
        for W, G, L, R in zip(params.weights, gradients.weights, state.left, state.right, strict=True):
            Gt = G.swapaxes(-1, -2)
            lefts.append(L + G @ Gt)
            rights.append(R + Gt @ G)
            weights.append(W - self.step_size * (_power(lefts[-1], -0.25) @ G @ _power(rights[-1], -0.25)))
        for b, g, H in zip(params.biases, gradients.biases, state.bias, strict=True):
            grams.append(None if b is None else H + g[..., :, None] * g[..., None, :])
            biases.append(None if b is None else
                          b - self.step_size * (_power(grams[-1], -0.5) @ g[..., :, None])[..., 0])
        return Parameters._trusted(weights, biases), Grams(tuple(lefts), tuple(rights), tuple(grams))


def newton_schulz(G, steps: int = 5, eps: float = 1e-7):
    """Push the singular values of G (..., m, n) towards 1: X <- a X + (b A + c A^2) X with A = X X^T.

    It starts from X = G / max(||G||, eps) and works on the transpose when m > n. Only products of matrices
    are taken, so equal columns of G stay equal, bit for bit, where sums are taken in a fixed order.
    """
    a, b, c = NS_COEFFICIENTS
    tall = G.shape[-2] > G.shape[-1]
    X = G.swapaxes(-1, -2) if tall else G
    X = X / np.maximum(np.sqrt((X * X).sum(axis=(-2, -1), keepdims=True)), eps)
    for _ in range(steps):
        A = X @ X.swapaxes(-1, -2)
        X = a * X + (b * A + c * (A @ A)) @ X
    return X.swapaxes(-1, -2) if tall else X


@dataclass(frozen=True)
class Muon(Rule):
    """v <- mu v + (1 - mu) g; u = (1 - mu) g + mu v; W <- W (1 - eta wd) - eta sqrt(max(1, out / in)) O(u).

    O is :func:`newton_schulz`. That is torch.optim.Muon, which computes O in bfloat16; here it is computed in
    the parameters' own arithmetic. A bias takes the step b <- b (1 - eta wd) - eta u.
    """

    name, reason = "muon", "acts through products of matrices; sums in a fixed order keep equal units equal"
    step_size: float = 1e-3
    momentum: float = 0.95
    weight_decay: float = 0.1
    ns_steps: int = 5
    eps: float = 1e-7

    def init(self, params):
        return Velocity(zeros(params))

    def orthogonal(self, U):
        return newton_schulz(U, self.ns_steps, self.eps)

    def update(self, params, gradients, state):
        mu, decay = self.momentum, 1 - self.step_size * self.weight_decay
        v = state.velocity * mu + gradients * (1 - mu)
        u = gradients * (1 - mu) + v * mu

        def step(W, U):
            rate = self.step_size * max(1.0, W.shape[-1] / W.shape[-2]) ** 0.5
            return W * decay - rate * self.orthogonal(U)
        return by_kind(step, lambda b, u: b * decay - self.step_size * u, params, u), Velocity(v)


@dataclass(frozen=True)
class MuonSVD(Muon):
    """Muon with O(u) = U V^T from the singular value decomposition u = U S V^T, all singular vectors kept.

    Equal units make u singular; the vectors of the singular value 0 are then whatever the solver picks.
    """

    name = "muon_svd"
    reason = "equal units make the matrix singular, and its null vectors depend on the index"

    def orthogonal(self, U):
        left, values, right = np.linalg.svd(np.asarray(U), full_matrices=False)
        return ((left * self.kept(values)[..., None, :]) @ right).view(type(U))

    def kept(self, values):
        """A weight for each singular vector."""
        return np.ones_like(values)


@dataclass(frozen=True)
class MuonSVDTruncated(MuonSVD):
    """:class:`MuonSVD` without the singular vectors of values up to ``tolerance`` times the largest."""

    name = "muon_svd_truncated"
    reason = "acts on the singular vectors with a value above 0; the solver rounds equal units differently"
    tolerance: float = 1e-8

    def kept(self, values):
        return (values > self.tolerance * values.max(axis=-1, keepdims=True)).astype(values.dtype)


RULES = (Shampoo, Muon, MuonSVD, MuonSVDTruncated)
