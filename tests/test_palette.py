"""The ten unit colours: enough contrast on both pages, told apart by every kind of colour vision."""

import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from permsym_book.palette import (
    DARK_PAGE,
    EVIDENCE_COLOURS,
    LIGHT_PAGE,
    UNIT_COLOURS,
    contrast,
    css,
    luminance,
    unit_colour,
)

# Full colour-vision deficiency in linear RGB (Machado, Oliveira and Fernandes 2009, severity 1).
VISION = {
    "normal": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881],
    ],
    "protanopia": [
        [0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900],
    ],
}  # fmt: skip
# Oklab distance of the closest pair. A just noticeable difference is about 0.02.
LEAST = {"normal": 0.09, "deuteranopia": 0.09, "protanopia": 0.08, "tritanopia": 0.07}

LMS = np.array([[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
                [0.0883024619, 0.2817188376, 0.6299787005]])  # fmt: skip
LAB = np.array([[0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
                [0.0259040371, 0.7827717662, -0.8086757660]])  # fmt: skip


def oklab(colours, vision):
    """Oklab coordinates, one row a colour, as seen with the given vision."""
    srgb = np.array([[int(c[i : i + 2], 16) / 255 for i in (1, 3, 5)] for c in colours])
    linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    seen = np.clip(linear @ np.transpose(VISION[vision]), 0, 1)
    return np.cbrt(seen @ LMS.T) @ LAB.T


def closest_pair(colours, vision):
    return min(np.linalg.norm(a - b) for a, b in combinations(oklab(colours, vision), 2))


@pytest.mark.parametrize("vision", VISION)
def test_units_are_told_apart(vision):
    assert closest_pair(UNIT_COLOURS, vision) >= LEAST[vision]


def test_the_measure_would_notice_red_and_green():
    assert closest_pair(["#c62828", "#6b6b00"], "deuteranopia") < LEAST["deuteranopia"]


@pytest.mark.parametrize("page", [LIGHT_PAGE, DARK_PAGE])
@pytest.mark.parametrize("colour", UNIT_COLOURS)
def test_units_stand_out_on_both_pages(colour, page):
    assert contrast(colour, page) >= 3


@pytest.mark.parametrize("rung", EVIDENCE_COLOURS)
def test_badges_are_legible(rung):
    light, dark = EVIDENCE_COLOURS[rung]
    assert contrast(light, LIGHT_PAGE) >= 4.5
    assert contrast(dark, DARK_PAGE) >= 4.5


def test_css_has_every_colour():
    text = css()
    for unit in range(10):
        assert f"--permsym-unit-{unit}: {unit_colour(unit)};" in text
    for name, (light, dark) in EVIDENCE_COLOURS.items():
        before, after = text.split('html[data-theme="dark"]')
        assert f"--permsym-{name}: {light};" in before
        assert f"--permsym-{name}: {dark};" in after


@pytest.mark.parametrize("wrong", ["red", "#fff", "112233"])
def test_other_forms_are_refused(wrong):
    with pytest.raises(ValueError, match="colour must have the form"):
        luminance(wrong)


def test_captions_are_as_dark_as_the_text_on_both_pages():
    """The theme's grey is set aside; its text colours, read from its style sheet, have contrast."""
    pydata = pytest.importorskip("pydata_sphinx_theme")
    ours = (Path(__file__).parent.parent / "book/_static/permsym.css").read_text(encoding="utf-8")
    assert "figure figcaption { color: var(--pst-color-text-base); }" in ours
    sheet = Path(pydata.__file__).parent / "theme/pydata_sphinx_theme/static/styles/pydata-sphinx-theme.css"
    found = re.findall(r"--pst-color-text-base:(#[0-9a-f]{6})", sheet.read_text(encoding="utf-8"))
    assert len(set(found)) == 2
    assert contrast(found[-1], DARK_PAGE) >= 4.5 and contrast(found[0], LIGHT_PAGE) >= 4.5
