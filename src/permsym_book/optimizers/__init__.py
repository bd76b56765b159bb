"""Optimisers as small pure update rules over :class:`~permsym_book.parameters.Parameters`.

``rule = get("adam", step_size=0.01)``; ``state = rule.init(params)``; ``params, state = rule.update(params, gradients,
state)``. Those with line searches or Hessians have ``minimize`` instead of ``update``. Any rule built from
equivariant operations is equivariant; :mod:`permsym_book.lab` measures it on each.
"""

from __future__ import annotations

import dataclasses

from . import broken, elementwise, gram, norms, quasi_newton
from .base import Minimizer, NoState, Optimizer, Rule

OPTIMIZERS: dict[str, type[Optimizer]] = {
    kind.name: kind for kind in (*elementwise.RULES, *norms.RULES, *gram.RULES, *quasi_newton.MINIMIZERS,
                                 *broken.RULES)}


def get(name: str | Optimizer, **options) -> Optimizer:
    """The optimiser of that name with the given options; an optimiser passes through.

    Parameters
    ----------
    name : str or Optimizer
    **options
        The fields of its class, such as ``step_size``; the defaults are torch.optim's where it has the optimiser.

    Raises
    ------
    ValueError
        For an unknown name (the message lists the known ones) or an option out of range.
    TypeError
        For an option that the optimiser does not have, or of another type.

    Examples
    --------
    >>> get("adam", step_size=0.01)
    Adam(step_size=0.01, beta1=0.9, beta2=0.999, eps=1e-08)
    """
    if isinstance(name, Optimizer):
        if options:
            raise TypeError(f"options are {', '.join(options)}; with an Optimizer none may be given")
        return name
    if not isinstance(name, str):
        raise TypeError(f"name is {name!r} of type {type(name).__name__}; a name or an Optimizer is required")
    if name not in OPTIMIZERS:
        raise ValueError(f"optimizer is {name!r}; one of {', '.join(OPTIMIZERS)} is required")
    known = [field.name for field in dataclasses.fields(OPTIMIZERS[name])]
    for option in options:
        if option not in known:
            raise TypeError(f"{name} has no option {option!r}; {', '.join(known) or 'none'} can be given")
    return OPTIMIZERS[name](**options)


__all__ = ["OPTIMIZERS", "Minimizer", "NoState", "Optimizer", "Rule", "get"]
