"""The literal definitions, one number at a time: the oracles that the array code is compared with.

Everything is nested Python lists; a number may be a float, an int or a Fraction. ``reduce`` is applied to
every number computed (the identity, or the remainder modulo p).
"""

import math

from permsym_book.activations import LEAK


def same(number):
    return number


def forward(weights, biases, sigma, X, reduce=same):
    """Z and H of every hidden layer, and O: sample by sample, unit by unit."""
    Z, H, inputs = [], [], X
    for layer, (W, b) in enumerate(zip(weights, biases, strict=True)):
        out = [[reduce(sum(sample[i] * W[i][j] for i in range(len(W))) + (0 if b is None else b[j]))
                for j in range(len(W[0]))] for sample in inputs]
        if layer == len(weights) - 1:
            return Z, H, out
        Z.append(out)
        inputs = [[sigma(z) for z in row] for row in out]
        H.append(inputs)


def backward(weights, biases, dsigma, X, Z, H, delta_O, reduce=same):
    """The gradients of every weight and bias, each the sum over samples that the chain rule gives."""
    samples, deltas = range(len(X)), [delta_O]
    for layer in reversed(range(1, len(weights))):
        W, after = weights[layer], deltas[0]
        deltas.insert(0, [[reduce(sum(after[s][k] * W[j][k]
                                      for k in range(len(W[0]))) * dsigma(Z[layer - 1][s][j]))
                           for j in range(len(W))] for s in samples])
    inputs = [X, *H]
    grad_W = [[[reduce(sum(inputs[layer][s][i] * deltas[layer][s][j] for s in samples))
                for j in range(len(W[0]))] for i in range(len(W))] for layer, W in enumerate(weights)]
    grad_b = [None if b is None
              else [reduce(sum(deltas[layer][s][j] for s in samples)) for j in range(len(b))]
              for layer, b in enumerate(biases)]
    return grad_W, grad_b


def squared_error(O, Y):
    """Half the sum of squares, and its derivative by O."""
    delta = [[o - y for o, y in zip(*rows, strict=True)] for rows in zip(O, Y, strict=True)]
    return sum(d * d for row in delta for d in row) / 2, delta


def cross_entropy(O, labels):
    """Minus the log-probability of each label, summed, and its derivative by O; for outputs of moderate
    size."""
    value, delta = 0.0, []
    for row, label in zip(O, labels, strict=True):
        weights = [math.exp(o) for o in row]
        value -= math.log(weights[label] / sum(weights))
        delta.append([w / sum(weights) - (k == label) for k, w in enumerate(weights)])
    return value, delta


def _sigmoid(z):
    return 1 / (1 + math.exp(-z)) if z > 0 else math.exp(z) / (1 + math.exp(z))


def _phi(z):
    return math.erfc(-z / math.sqrt(2)) / 2


ACTIVATIONS = {  # name: (function, derivative) of one number
    "identity": (lambda z: z, lambda z: 1),
    "relu": (lambda z: z if z > 0 else 0, lambda z: 1 if z > 0 else 0),
    "leaky_relu": (lambda z: z if z > 0 else z * LEAK, lambda z: 1 if z > 0 else LEAK),
    "tanh": (math.tanh, lambda z: (1 / math.cosh(z)) ** 2),
    "sigmoid": (_sigmoid, lambda z: _sigmoid(z) * _sigmoid(-z)),
    "gelu": (lambda z: z * _phi(z),
             lambda z: _phi(z) + z * math.exp(-z * z / 2) / math.sqrt(2 * math.pi)),
    "softplus": (lambda z: z + math.log1p(math.exp(-z)) if z > 0 else math.log1p(math.exp(z)), _sigmoid),
    "sin": (math.sin, math.cos),
    "square": (lambda z: z * z, lambda z: 2 * z),
    "hardtanh": (lambda z: max(-1, min(1, z)), lambda z: 1 if -1 < z < 1 else 0),
}
