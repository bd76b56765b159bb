"""What every widget of the book shares: one front end, four homes.

With a kernel (JupyterLab, Notebook 7, Binder) a widget is an anywidget whose traits sync both ways. Without one, in the
built page, it is the HTML of :meth:`BookWidget.static_html`: its traits as JSON, and a picture with a table and a sentence that stand
in its place until the page's host script has loaded the same front end.
"""

from __future__ import annotations

import json
from html import escape
from importlib.resources import files
from pathlib import Path

import anywidget
import numpy as np
import traitlets

from ..figures import Figure
from ..mlp import MLP
from ..permutation import Permutation
from ..validation import checked_array

STATIC = Path(str(files("permsym_book"))) / "widgets" / "static"


def bundled(name: str) -> str:
    """The text of a bundled file of the front end.

    Raises
    ------
    FileNotFoundError
        When the front end has not been bundled.
    """
    path = STATIC / name
    if not path.is_file():
        raise FileNotFoundError(f"{name} is missing: the front end is bundled when the package is installed"
                                " (pip install -e .), and again by `make widgets`")
    return path.read_text(encoding="utf-8")


class BookWidget(anywidget.AnyWidget):
    """Base of the book's widgets: traits are the whole API; an unknown keyword is refused.

    A subclass sets ``slug``, ``sentence``, its traits, and :meth:`picture` and :meth:`table`.
    """

    slug: str
    sentence: str

    @property
    def _esm(self):
        return bundled(f"{self.slug}.mjs")

    @property
    def _css(self):
        return bundled("widgets.css")

    @classmethod
    def own_traits(cls) -> list[str]:
        """The names of the widget's own traits: its parameters."""
        inherited = set(anywidget.AnyWidget.class_trait_names())
        return [name for name in sorted(cls.class_trait_names(sync=True)) if name not in inherited and not name.startswith("_")]

    def __init__(self, **traits):
        unknown = sorted(set(traits) - set(self.own_traits()) - {"layout"})
        if unknown:
            raise TypeError(f"{type(self).__name__} has no trait {', '.join(map(repr, unknown))};"
                            f" its traits are {', '.join(self.own_traits())}")
        super().__init__(**traits)

    def picture(self) -> Figure:
        """The widget as it starts, as a figure."""
        raise NotImplementedError

    def table(self) -> tuple[list[str], list[list[str]]]:
        """The widget's numbers as it starts: column heads and rows."""
        raise NotImplementedError

    def static_html(self) -> str:
        """The widget for a page without kernel: its state, and what stands there without JavaScript."""
        state = {name: self.trait_metadata(name, "to_json", lambda value, _: value)(getattr(self, name), self)
                 for name in self.own_traits()}
        heads, rows = self.table()
        head = "".join(f'<th scope="col">{escape(h)}</th>' for h in heads)
        body = "".join("<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows)
        text = json.dumps(state, allow_nan=False, separators=(",", ":")).replace("</", "<\\/")
        return (f'<div class="permsym-mount" data-permsym-mount="{self.slug}">'
                f'<script type="application/json">{text}</script>'
                f'<div class="permsym-fallback">{self.picture()._repr_html_()}'
                f'<div class="permsym-scroll" tabindex="0" role="region" aria-label="Numbers of the widget {self.slug}">'
                f'<table class="permsym-numbers"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
                f"<p>{escape(self.sentence)}</p></div></div>")

    def _repr_mimebundle_(self, **kwargs):
        bundle = super()._repr_mimebundle_(**kwargs)
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle or {}, {})
        return data | {"text/html": self.static_html()}, metadata


# ---- traits ------------------------------------------------------------------------------------


class Network(traitlets.TraitType):
    """A one-hidden-layer float64 network; its four arrays cross over as nested lists."""

    info_text = "an MLP with one hidden layer, float64 arrays and both biases"

    def validate(self, obj, value):
        """Accept an MLP of the right kind; TraitError says what was given."""
        if (isinstance(value, MLP) and len(value.hidden_widths) == 1 and value.parameters.W1.dtype == np.float64
                and all(b is not None for b in value.parameters.biases)):
            return value
        raise traitlets.TraitError(f"{self.name} is {value!r}; {self.info_text} is required")

    @staticmethod
    def to_json(net, _widget=None):
        """W1, b1, W2, b2 as lists."""
        return {letter: getattr(net.parameters, letter).tolist() for letter in ("W1", "b1", "W2", "b2")}

    @staticmethod
    def from_json(lists, widget):
        """The network with the widget's activation."""
        return MLP.from_arrays([np.array(lists["W1"], dtype=float), np.array(lists["W2"], dtype=float)],
                               [np.array(lists["b1"], dtype=float), np.array(lists["b2"], dtype=float)],
                               widget.network.activation)


class Matrix(traitlets.TraitType):
    """A float64 array with two axes; it crosses over as nested lists."""

    info_text = "a float64 array with two axes"

    def validate(self, obj, value):
        """Accept finite float64 arrays (rows, columns)."""
        try:
            array = checked_array(self.name, value, 2)
        except (TypeError, ValueError) as error:
            raise traitlets.TraitError(str(error)) from error
        if array.dtype != np.float64:
            raise traitlets.TraitError(f"{self.name} has dtype {array.dtype}; float64 is required")
        return array

    @staticmethod
    def to_json(array, _widget=None):
        return array.tolist()

    @staticmethod
    def from_json(lists, _widget):
        return np.array(lists, dtype=float)


class Perm(traitlets.TraitType):
    """A permutation; it crosses over as its index array."""

    info_text = "a permutation or its index array"

    def validate(self, obj, value):
        """Accept a Permutation or an index array."""
        try:
            return Permutation(value)
        except (TypeError, ValueError) as error:
            raise traitlets.TraitError(f"{self.name}: {error}") from error

    @staticmethod
    def to_json(perm, _widget=None):
        return perm.indices.tolist()

    @staticmethod
    def from_json(indices, _widget):
        return Permutation(indices)


def synced(trait):
    """Tag a trait as synced, with the serialisers of its class where it has them."""
    kind = type(trait)
    if hasattr(kind, "to_json"):
        trait.tag(to_json=kind.to_json, from_json=kind.from_json)
    return trait.tag(sync=True)
