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
import traitlets
from traitlets.utils.bunch import Bunch

from ..figures import Figure
from ..mlp import MLP
from .traits import fitting

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
    follows: frozenset[str] = frozenset()  # traits that the widget itself adjusts when another changes

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
        self.check_together()
        self._one_by_one = dict(self._trait_validators)
        for name in self.own_traits():
            self._trait_validators[name] = self._fits

    def check_together(self) -> None:
        """Raise TraitError where the traits do not fit one another in a way that no trait's own validator looks at."""

    def _fits(self, owner, proposal):
        """The value of a trait, when it and all others fit one another with it; a change of one may be what others refuse."""
        name = proposal["trait"].name
        value = self._one_by_one[name](self, proposal) if name in self._one_by_one else proposal["value"]
        before, self._trait_values[name] = self._trait_values[name], value
        try:
            for other in set(self._one_by_one) & set(self.own_traits()) - {name, *self.follows}:
                self._one_by_one[other](self, Bunch(trait=self.traits()[other], value=getattr(self, other), owner=self))
            self.check_together()
        finally:
            self._trait_values[name] = before
        return value

    def picture(self) -> Figure:
        """The widget as it starts, as a figure."""
        raise NotImplementedError

    def table(self) -> tuple[list[str], list[list[str]]]:
        """The widget's numbers as it starts: column heads and rows."""
        raise NotImplementedError

    def as_json(self) -> str:
        """The values of all own traits, as the page gets them."""
        state = {name: self.trait_metadata(name, "to_json", lambda value, _: value)(getattr(self, name), self)
                 for name in self.own_traits()}
        return json.dumps(state, allow_nan=False, separators=(",", ":"))

    def static_html(self) -> str:
        """The widget for a page without kernel: its state, and what stands there without JavaScript."""
        heads, rows = self.table()
        head = "".join(f'<th scope="col">{escape(h)}</th>' for h in heads)
        body = "".join("<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows)
        text = self.as_json().replace("</", "<\\/")
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


class NetworkWidget(BookWidget):
    """Base of the widgets with a trait ``network``, and perhaps ``X``, ``Y`` and ``perm`` that fit it.

    ``limits`` gives the smallest and the largest d, h, q, and n for the samples.
    """

    limits: dict[str, tuple[int, int]]

    def limits_for(self, net: MLP) -> dict[str, tuple[int, int]]:
        """The limits of a network."""
        return self.limits

    @traitlets.validate("network")
    def _network_fits(self, proposal):
        net = proposal["value"]
        limits = self.limits_for(net)
        for letter, width in zip("dhq", net.widths, strict=True):
            least, most = limits[letter]
            if not least <= width <= most:
                raise traitlets.TraitError(f"network has {letter} = {width}; {least} to {most} is required")
        return net

    @traitlets.validate("X", "Y")
    def _data_fits(self, proposal):
        name, value = proposal["trait"].name, proposal["value"]
        data = {name: value} | {other: getattr(self, other) for other in ("X", "Y")
                                if other != name and self.has_trait(other) and self.trait_has_value(other)}
        for letter in sorted(data):  # the order in which traits come in is not fixed
            if len(data[letter]) > self.limits["n"][1]:
                raise traitlets.TraitError(f"{letter} has shape {data[letter].shape}; at most {self.limits['n'][1]} samples are required")
        if self.network is not None:
            columns = self.network.widths[0 if name == "X" else -1]
            if value.shape[1] != columns:
                raise traitlets.TraitError(f"{name} has shape {value.shape}; {columns} columns, as the network has, are required")
        if len({len(array) for array in data.values()}) > 1:
            raise traitlets.TraitError(f"X has shape {data['X'].shape} and Y {data['Y'].shape}; as many samples in both are required"
                                       " (to change both, set them inside `with w.hold_trait_notifications():`)")
        return value

    @traitlets.validate("perm")
    def _perm_fits(self, proposal):
        h = None if self.network is None else self.network.hidden_widths[0]
        return fitting("perm", proposal["value"], h, "units")
