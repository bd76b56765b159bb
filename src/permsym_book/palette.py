"""The book's colours, typed once: figures, style sheets and widgets all read them here.

A unit's colour has to do on a light and on a dark page and for readers with any colour vision. The
ten colours were found by a search for the set whose closest pair is as far apart as possible, over
all colours with enough contrast on both pages, seen with normal, deuteranopic, protanopic and
tritanopic vision; ``tests/test_palette.py`` measures them.
"""

from __future__ import annotations

LIGHT_PAGE = "#ffffff"
DARK_PAGE = "#14181e"

# blue, red, slate, pink, ochre, purple, green, teal, lavender, sage: the first few are the furthest apart
UNIT_COLOURS = [
    "#3651fc", "#d80012", "#63637e", "#fc3fc6", "#c68700",
    "#9936bd", "#007536", "#2490ab", "#ab75fc", "#6c876c",
]  # fmt: skip

# Eleven stops of ColorBrewer's RdBu for weights, blue below 0 and red above it; of cividis for activations.
DIVERGING_STOPS = [
    "#053061", "#2065ab", "#4393c3", "#90c4dd", "#d1e5f0", "#f7f6f6",
    "#fddbc7", "#f3a481", "#d6604d", "#b1182b", "#67001f",
]  # fmt: skip
SEQUENTIAL_STOPS = [
    "#00224e", "#083370", "#35456c", "#4f576c", "#666970", "#7d7c78",
    "#948e77", "#aea371", "#c8b866", "#e5cf52", "#fee838",
]  # fmt: skip

# A badge's text on the light and on the dark page, for each rung of the ladder of evidence.
EVIDENCE_COLOURS = {
    "float": ("#0b5cad", "#7fb8f5"),
    "exact": ("#1b6e3c", "#7fd49b"),
    "control": ("#9c3f0a", "#f0a574"),
    "proof": ("#6b3fa0", "#c7a6f2"),
}


def luminance(colour: str) -> float:
    """Relative luminance of an sRGB colour, as WCAG 2 defines it.

    Parameters
    ----------
    colour : str
        ``#rrggbb``.

    Raises
    ------
    ValueError
        When ``colour`` has another form.

    Examples
    --------
    >>> luminance("#000000"), round(luminance("#ffffff"), 12)
    (0.0, 1.0)
    """
    if len(colour) != 7 or not colour.startswith("#"):
        raise ValueError(f"colour must have the form '#rrggbb', not {colour!r}")
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours, from 1 (the same) to 21 (black on white).

    Examples
    --------
    >>> round(contrast("#000000", "#ffffff"), 6)
    21.0
    """
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def unit_colour(unit: int) -> str:
    """The colour of a hidden unit; from unit 10 on the colours come round again.

    Examples
    --------
    >>> unit_colour(0) == unit_colour(10) == UNIT_COLOURS[0]
    True
    """
    return UNIT_COLOURS[unit % len(UNIT_COLOURS)]


def as_json() -> dict:
    """The colours as the widgets' bundle takes them: hex colours of units, stops of both maps as [r, g, b].

    Examples
    --------
    >>> as_json()["diverging"][5]
    [247, 246, 246]
    """
    def rgb(colour):
        return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]

    return {"units": UNIT_COLOURS, "diverging": [rgb(c) for c in DIVERGING_STOPS],
            "sequential": [rgb(c) for c in SEQUENTIAL_STOPS]}


def css() -> str:
    """The colours as CSS custom properties, with their values for the dark page.

    Examples
    --------
    >>> print(css().splitlines()[1].strip())
    --permsym-unit-0: #3651fc;
    """
    units = [f"  --permsym-unit-{i}: {colour};" for i, colour in enumerate(UNIT_COLOURS)]
    light = [f"  --permsym-{name}: {pair[0]};" for name, pair in EVIDENCE_COLOURS.items()]
    dark = [f"  --permsym-{name}: {pair[1]};" for name, pair in EVIDENCE_COLOURS.items()]
    lines = [":root {", *units, *light, "}", 'html[data-theme="dark"] {', *dark, "}"]
    return "\n".join(lines) + "\n"
