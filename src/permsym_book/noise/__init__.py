"""Noises of training, each at the point where it acts: the batch, the units' masks, the gradients, the
parameters.

A noise is drawn from a given generator and never modifies what it is given. Whatever happens to the batch
cannot tell hidden units apart; a draw for each unit or each weight can.
"""

from __future__ import annotations

from ..lookup import made
from . import batch, units
from .base import Noise, Relabelled, is_labels

_ORDER = ("minibatch", "input_noise", "flips", "mixup", "label_noise", "dropout_input",
          "gradient_noise_shared", "dropout_shared", "dropout", "gradient_noise", "weight_noise", "nudge")
_BY_NAME = {kind.name: kind for kind in (*batch.NOISES, *units.NOISES)}
NOISES: dict[str, type[Noise]] = {name: _BY_NAME[name] for name in _ORDER}


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
    return made("noise", name, options, NOISES, (Noise, Relabelled))


__all__ = ["NOISES", "Noise", "Relabelled", "get", "is_labels"]
