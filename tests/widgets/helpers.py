"""What the tests of every widget's Python class ask."""

from __future__ import annotations

import json
import re

import pytest
import traitlets


def state_of(widget) -> dict:
    """The state that the page gets, read back from its JSON."""
    return json.loads(widget.as_json())


def check_fallback(widget) -> None:
    """Without JavaScript a picture with its alternative text, a table and the sentence stand there."""
    html = widget.static_html()
    text = re.search(r'<script type="application/json">(.*?)</script>', html, re.S)[1]
    assert json.loads(text.replace("<\\/", "</")) == state_of(widget)
    assert f'data-permsym-mount="{widget.slug}"' in html
    assert re.search(r'<svg role="img" aria-label="[^"]{30,}"', html), "a picture with alternative text"
    heads, rows = widget.table()
    table = html[html.index('<table class="permsym-numbers">'):]
    assert table.count("<tr>") == 1 + len(rows) and all(len(row) == len(heads) for row in rows)
    assert len(rows) >= 3 and len(widget.sentence) > 40
    assert f"<p>{widget.sentence}</p>" in html


def check_round_trip(widget, names) -> None:
    """Every trait crosses over as JSON and comes back the same."""
    state = state_of(widget)
    for name in names:
        read = widget.trait_metadata(name, "from_json", lambda value, _: value)
        widget.set_trait(name, read(state[name], widget))
        assert state_of(widget)[name] == state[name], name


def check_refused(make, words, **traits) -> None:
    """``make(**traits)`` raises TraitError with the words in its message."""
    with pytest.raises(traitlets.TraitError) as caught:
        make(**traits)
    for word in words:
        assert word in str(caught.value), f"{word!r} in {caught.value}"
