"""The multilayer perceptron of the book: parameters and an activation; forward, loss, gradients,
relabelling."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from . import formulas
from .activations import Activation, get_activation
from .formulas import Forward
from .initialization import initialized
from .losses import get_loss
from .parameters import Parameters
from .validation import checked_array, checked_count, checked_sequence, kind_of


@dataclass(frozen=True, eq=False, repr=False)
class MLP:
    """A fully connected network: any depth, one element-wise activation for all hidden units, linear output.

    Parameters
    ----------
    parameters : Parameters
        Widths (d, h_1, ..., h_k, q).
    activation : str or Activation, default "tanh"
        The same function for every unit of every hidden layer.

    Raises
    ------
    TypeError, ValueError
        If the activation is unknown, or cannot be computed in the parameters' arithmetic.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> net = MLP.random((4, 3, 2), rng)
    >>> X = rng.standard_normal((5, 4))
    >>> net(X).shape
    (5, 2)
    >>> relabelled = net.permuted([2, 0, 1])
    >>> bool(np.allclose(relabelled(X), net(X)))
    True
    """

    parameters: Parameters
    activation: Activation | str = "tanh"

    def __post_init__(self):
        if not isinstance(self.parameters, Parameters):
            raise TypeError(f"parameters is of type {type(self.parameters).__name__}; Parameters(weights,"
                            " biases) is required")
        object.__setattr__(self, "activation", get_activation(self.activation))
        if self.parameters.weights[0].dtype == object and not self.activation.exact:
            raise TypeError(f"activation {self.activation.name!r} leaves the rationals; with object arrays a"
                            " piecewise linear or polynomial one is required (identity, relu, leaky_relu,"
                            " square, hardtanh)")
        kind = kind_of(self.parameters.weights[0])
        numpy_arrays = isinstance(self.parameters.weights[0], np.ndarray)
        if self.activation.arithmetic != (None if numpy_arrays else kind):
            made_for = self.activation.arithmetic or "NumPy arrays"
            raise TypeError(f"activation {self.activation.name!r} is made for {made_for}; one for {kind}, the"
                            " parameters' arithmetic, is required")

    @classmethod
    def from_arrays(cls, weights, biases, activation: str | Activation = "tanh") -> MLP:
        """Make a network from lists of weights (in, out) and biases (out,) or None; the arrays are copied."""
        return cls(Parameters(weights, biases), activation)

    @classmethod
    def random(cls, widths, rng: np.random.Generator, *, activation: str | Activation = "tanh",
               scheme: str = "xavier", bias=True, dtype=np.float64) -> MLP:
        """A random network; the arguments are those of :func:`~permsym_book.initialization.initialized`."""
        return cls(initialized(widths, rng, scheme=scheme, bias=bias, dtype=dtype), activation)

    # ---- structure ----------------------------------------------------------------------------

    @property
    def widths(self) -> tuple[int, ...]:
        """(d, h_1, ..., h_k, q)."""
        return self.parameters.widths

    @property
    def hidden_widths(self) -> tuple[int, ...]:
        """(h_1, ..., h_k)."""
        return self.parameters.hidden_widths

    def permuted(self, perms) -> MLP:
        """The same network with its hidden units relabelled (``def-permutation-symmetry``).

        See :meth:`~permsym_book.parameters.Parameters.permuted`.
        """
        return MLP(self.parameters.permuted(perms), self.activation)

    @staticmethod
    def stack(nets) -> MLP:
        """E networks of one shape and activation as one, which computes (E, n, q) from X (n, d) or (E, n, d).

        See :meth:`permsym_book.parameters.Parameters.stacked`; ``net.parameters[e]`` is network e.

        Examples
        --------
        >>> rng = np.random.default_rng(0)
        >>> nets = MLP.stack([MLP.random((4, 3, 2), rng) for _ in range(6)])
        >>> nets(rng.standard_normal((5, 4))).shape
        (6, 5, 2)
        """
        nets = checked_sequence("nets", nets)
        for i, net in enumerate(nets):
            if not isinstance(net, MLP):
                raise TypeError(f"nets[{i}] is of type {type(net).__name__}; MLP is required")
            if net.activation != nets[0].activation:
                raise ValueError(f"nets[{i}] has activation {net.activation.name!r};"
                                 f" {nets[0].activation.name!r}, that of"
                                 " nets[0], is required")
        stacked = Parameters.stacked([net.parameters for net in nets])
        return nets[0].with_parameters(stacked)

    def with_parameters(self, parameters: Parameters) -> MLP:
        """A network with the same activation and other parameters."""
        return MLP(parameters, self.activation)

    # ---- what it computes ---------------------------------------------------------------------

    def forward(self, X) -> Forward:
        """Every pre-activation, activation and the output (eq-forward).

        Parameters
        ----------
        X : array, shape (n, d)

        Returns
        -------
        Forward
            ``Z[l]`` and ``H[l]`` of shape (n, h_l) for each hidden layer, and ``O`` of shape (n, q).

        Raises
        ------
        TypeError, ValueError
            If X has another dtype than the parameters, another number of features, or is not finite.
        """
        return self._forward(self._checked_input(X))

    def _forward(self, X) -> Forward:
        p = self.parameters
        return formulas.forward(p.weights, p.biases, [self.activation] * len(self.hidden_widths), X)

    def __call__(self, X):
        """The output ``O`` (n, q) alone."""
        return self.forward(X).O

    def loss(self, X, Y, loss: str = "squared_error"):
        """The loss of the batch, a number; see :meth:`loss_and_gradients`."""
        O = self(X)
        return get_loss(loss).value(O, get_loss(loss).checked_target(Y, O))

    def loss_and_gradients(self, X, Y, loss: str = "squared_error") -> tuple:
        """The loss of the batch and its gradient, shaped as the parameters (eq-delta-h, eq-gradients).

        Parameters
        ----------
        X : array, shape (n, d)
        Y : array
            Targets (n, q) for "squared_error", 1/2 ||O - Y||^2 summed over the batch; integer
            labels (n,) in 0..q-1 for "cross_entropy", summed over the batch, of softmax(O).
        loss : {"squared_error", "cross_entropy"}

        Returns
        -------
        (number, Parameters)
        """
        chosen = get_loss(loss)
        X = self._checked_input(X)
        passed = self._forward(X)
        Y = chosen.checked_target(Y, passed.O)
        p = self.parameters
        value, delta_O = chosen.value_and_derivative(passed.O, Y)
        dsigmas = [self.activation.derivative] * len(self.hidden_widths)
        gradients = formulas.backward(p.weights, p.biases, dsigmas, X, passed, delta_O)
        return value, Parameters._trusted(*gradients)

    def _checked_input(self, X):
        W1 = self.parameters.weights[0]
        X = checked_array("X", X, 3 if W1.ndim == 3 and getattr(X, "ndim", 2) == 3 else 2)
        if kind_of(X) != kind_of(W1):
            raise TypeError(f"X has dtype {kind_of(X)}; {kind_of(W1)}, the parameters' dtype, is required")
        if X.shape[-1] != W1.shape[-2]:
            raise ValueError(f"X has shape {tuple(X.shape)}; {W1.shape[-2]} columns, one per input, are"
                             " required")
        if X.ndim == 3 and X.shape[0] != W1.shape[0]:
            raise ValueError(f"X has shape {tuple(X.shape)}; {W1.shape[0]} sets of samples, one per network,"
                             " are required")
        return X

    def __eq__(self, other) -> bool:
        """The same activation and the same parameters, without tolerance."""
        return (isinstance(other, MLP) and self.activation == other.activation
                and self.parameters == other.parameters)

    __hash__ = None

    def __repr__(self) -> str:
        dtype = self.parameters.weights[0].dtype
        return f"MLP(widths={self.widths}, activation={self.activation.name!r}, dtype={dtype})"


def identical_units(net: MLP, layer: int, units) -> MLP:
    """A copy of ``net`` in which some units of a hidden layer equal the first of them, incoming and outgoing.

    Parameters
    ----------
    net : MLP
    layer : int
        Hidden layer, counted from 0.
    units : sequence of int
        At least one unit; the first is copied over the others.

    Raises
    ------
    ValueError, TypeError
        If ``net`` is no MLP or a stack of them, the layer or a unit does not exist, or a unit is named twice.
    """
    if not isinstance(net, MLP):
        raise TypeError(f"net is of type {type(net).__name__}; an MLP is required")
    if net.parameters.count is not None:
        raise ValueError(f"net is a stack of {net.parameters.count} networks; one network is required")
    layer = checked_count("layer", layer, least=0)
    if layer >= len(net.hidden_widths):
        raise ValueError(f"layer is {layer}; a hidden layer below {len(net.hidden_widths)} is required")
    units = [checked_count("units", u, least=0) for u in checked_sequence("units", units)]
    if not units or max(units) >= net.hidden_widths[layer] or len(set(units)) < len(units):
        raise ValueError(f"units is {units}; distinct units below {net.hidden_widths[layer]}, at least one,"
                         " are required")
    source = np.arange(net.hidden_widths[layer])
    source[units] = units[0]
    weights, biases = list(net.parameters.weights), list(net.parameters.biases)
    weights[layer] = weights[layer][:, source]
    if biases[layer] is not None:
        biases[layer] = biases[layer][source]
    weights[layer + 1] = weights[layer + 1][source, :]
    return net.with_parameters(Parameters(weights, biases))
