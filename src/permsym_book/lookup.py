"""Things that are known by name: an unknown name is an error that lists what there is."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping


def looked_up(what: str, name, known: Mapping, kind: type | tuple[type, ...] = ()):
    """``known[name]``; what is already of ``kind`` passes through.

    Parameters
    ----------
    what : str
        What errors call the argument.
    name : str, or an instance of ``kind``
    known : mapping of str
    kind : type or tuple of types, optional

    Raises
    ------
    TypeError
        If ``name`` is neither a name nor of ``kind``.
    ValueError
        If the name is unknown; the message lists the known ones.

    Examples
    --------
    >>> looked_up("loss", "absolute", {"squared_error": 1, "cross_entropy": 2})
    Traceback (most recent call last):
    ValueError: loss is 'absolute'; one of squared_error, cross_entropy is required
    """
    kinds = kind if isinstance(kind, tuple) else (kind,)
    if isinstance(name, kinds):
        return name
    if not isinstance(name, str):
        first = kinds[0].__name__ if kinds else ""
        words = f"a name or {'an' if first[0] in 'AEIOU' else 'a'} {first}" if first else "a name"
        raise TypeError(f"{what} is {name!r} of type {type(name).__name__}; {words} is required")
    if name not in known:
        raise ValueError(f"{what} is {name!r}; one of {', '.join(known)} is required")
    return known[name]


def made(what: str, name, options: dict, kinds: Mapping[str, type], base: type | tuple[type, ...]):
    """A frozen dataclass by name with the given options as its fields; an instance of ``base`` passes
    through.

    Raises
    ------
    ValueError
        For an unknown name (the message lists the known ones) or an option out of range.
    TypeError
        For an option that the class does not have or of another type, or for options beside an instance.
    """
    kind = looked_up(what, name, kinds, base)
    if kind is name:
        if options:
            raise TypeError(f"options are {', '.join(options)}; none are possible beside a {what} that is"
                            " already made")
        return name
    fields = [field.name for field in dataclasses.fields(kind)]
    for option in options:
        if option not in fields:
            raise TypeError(f"{name} has no option {option!r}; {', '.join(fields) or 'none'} can be given")
    return kind(**options)
