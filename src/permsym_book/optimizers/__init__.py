"""Optimizers as small pure update rules over :class:`~permsym_book.parameters.Parameters`.

``rule = get("adam", step_size=0.01)``; ``state = rule.init(params)``; ``params, state = rule.update(params,
gradients, state)``. Those with line searches or Hessians have ``minimize`` instead of ``update``. Any rule
built from equivariant operations is equivariant; :mod:`permsym_book.lab` measures it on each.
"""

from __future__ import annotations

from ..lookup import made
from . import broken, elementwise, gram, norms, quasi_newton
from .base import Minimizer, NoState, Optimizer, Rule

OPTIMIZERS: dict[str, type[Optimizer]] = {
    kind.name: kind for kind in (*elementwise.RULES, *norms.RULES, *gram.RULES, *quasi_newton.MINIMIZERS,
                                 *broken.RULES)}


def get(name: str | Optimizer, **options) -> Optimizer:
    """The optimizer of that name with the given options; an optimizer passes through.

    Parameters
    ----------
    name : str or Optimizer
    **options
        The fields of its class, such as ``step_size``; the defaults are torch.optim's where it has the
        optimizer.

    Raises
    ------
    ValueError
        For an unknown name (the message lists the known ones) or an option out of range.
    TypeError
        For an option that the optimizer does not have, or of another type.

    Examples
    --------
    >>> get("adam", step_size=0.01)
    Adam(step_size=0.01, beta1=0.9, beta2=0.999, eps=1e-08)
    """
    return made("optimizer", name, options, OPTIMIZERS, Optimizer)


__all__ = ["OPTIMIZERS", "Minimizer", "NoState", "Optimizer", "Rule", "get"]
