"""Noises of training, each at the point where it acts: the batch, the units' masks, the gradients, the parameters.

A noise is drawn from a given generator and never modifies what it is given. Whatever happens to the batch cannot
tell hidden units apart; a draw for each unit or each weight can.
"""

from __future__ import annotations

import dataclasses

from . import batch, units
from .base import Noise, Relabelled, is_labels

_ORDER = ("minibatch", "input_noise", "flips", "mixup", "label_noise", "dropout_input", "gradient_noise_shared",
          "dropout_shared", "dropout", "gradient_noise", "weight_noise", "nudge")
NOISES: dict[str, type[Noise]] = {kind.name: kind for kind in sorted((*batch.NOISES, *units.NOISES),
                                                                     key=lambda kind: _ORDER.index(kind.name))}


def get(name: str | Noise, **options) -> Noise:
    """The noise of that name with the given options; a noise passes through.

    Raises
    ------
    ValueError
        For an unknown name (the message lists the known ones) or an option out of range.
    TypeError
        For an option that the noise does not have, or of another type.

    Examples
    --------
    >>> get("minibatch", size=4)
    Minibatch(size=4)
    """
    if isinstance(name, (Noise, Relabelled)) and not options:
        return name
    if not isinstance(name, str):
        raise TypeError(f"name is {name!r} of type {type(name).__name__}; a name or a Noise is required")
    if name not in NOISES:
        raise ValueError(f"noise is {name!r}; one of {', '.join(NOISES)} is required")
    known = [field.name for field in dataclasses.fields(NOISES[name])]
    for option in options:
        if option not in known:
            raise TypeError(f"{name} has no option {option!r}; {', '.join(known)} can be given")
    return NOISES[name](**options)


__all__ = ["NOISES", "Noise", "Relabelled", "get", "is_labels"]
