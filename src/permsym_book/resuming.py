"""What a training can go on from: a network of the same shape, and a state that the same optimizer has
left."""

from __future__ import annotations

from .mlp import MLP
from .optimizers import Rule
from .parameters import Parameters


def check_same_shape(net, resumed) -> None:
    """Raise ValueError unless both networks, or stacks, have the same widths, biases and activation."""
    if not isinstance(resumed, MLP):
        raise TypeError(f"resume has net of type {type(resumed).__name__}; an MLP is required")
    facts = [("widths", lambda n: n.widths), ("number of networks", lambda n: n.parameters.count or 1),
             ("biases in its layers", lambda n: [b is not None for b in n.parameters.biases]),
             ("activation", lambda n: n.activation.name)]
    for what, fact in facts:
        if fact(net) != fact(resumed):
            raise ValueError(f"net has {what} {fact(net)}; {fact(resumed)}, as in resume.net, is required")


def check_generator(rng, state) -> None:
    """Raise ValueError unless ``state`` is one of a generator of this kind."""
    was, needed = state.get("bit_generator"), type(rng.bit_generator).__name__
    if was != needed:
        raise ValueError(f"rng is a generator over {needed}; one over {was}, whose state resume holds, is required")


def check_state(state, optimizer, params) -> None:
    """Raise ValueError unless ``state`` has the parts and shapes of a state of ``optimizer`` for
    ``params``."""
    fresh = optimizer.init(params) if isinstance(optimizer, Rule) else None
    if _form(state) != _form(fresh):
        was, needed = (type(s).__name__ if s is not None else "none" for s in (state, fresh))
        raise ValueError(f"resume has the optimizer state {was} of shapes {_form(state)}; {needed} of shapes"
                         f" {_form(fresh)}, the state of {optimizer.name}, is required")


def _form(state):
    """The types and shapes in an optimizer's state."""
    if isinstance(state, Parameters):
        return tuple(tuple(A.shape) for A in state.arrays())
    if isinstance(state, tuple):
        return (type(state).__name__,
                *map(_form, state)) if type(state) is not tuple else tuple(map(_form, state))
    return tuple(state.shape) if hasattr(state, "shape") and state.shape else None
