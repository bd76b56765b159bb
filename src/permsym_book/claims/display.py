"""How evidence shows itself: a line of text, a dictionary for JSON, badges and the chain's table in a
notebook."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from ..proofs import checked_with, theorem_of
from .evidence import Comparison, Evidence, Exact, Link

if TYPE_CHECKING:
    from .registry import Claim


@dataclass(frozen=True)
class Verdict:
    """A claim, the evidence for it, and the seconds the check took."""

    claim: Claim
    evidence: Evidence
    seconds: float

    def as_dict(self) -> dict:
        """The record that ``permsym verify --json`` prints."""
        e = self.evidence
        return {
            "slug": self.claim.slug,
            "kind": self.claim.kind,
            "title": self.claim.title,
            "page": self.claim.page,
            "float": {"residual": e.float64.residual, "bound": e.float64.bound},
            "exact": None if e.exact is None else {"residual": e.exact.residual, "ring": e.exact.ring},
            "controls": [{"name": c.name, "residual": c.residual} for c in e.controls],
            "proof": self.claim.proof,
            "seconds": round(self.seconds, 4),
        }

    def __repr__(self) -> str:
        e = self.evidence
        exact = "no exact rung" if e.exact is None else f"exact {number(e.exact.residual)} in {e.exact.ring}"
        return (f"{self.claim.slug}: {'passed' if e.passed else 'FAILED'}; float64 {in_words(e.float64)};"
                f" {exact};"
                f" {sum(c.broken for c in e.controls)} of {len(e.controls)} controls break; {e.trials}"
                " trials")

    def _repr_html_(self) -> str:
        e = self.evidence
        badges = [_badge("float", "float64", in_words(e.float64), e.float64.holds)]
        if e.exact is not None:
            badges.append(_badge("exact", "exact", in_words(e.exact), e.exact.holds))
        broken = sum(c.broken for c in e.controls)
        badges.append(_badge("control", "controls", f"{broken} of {len(e.controls)} break",
                             broken == len(e.controls)))
        if self.claim.proof:
            badges.append(_proof_badge(self.claim.slug, self.claim.proof))
        return (f'<div class="permsym-evidence mathjax_process tex2jax_process"'
                f' data-slug="{self.claim.slug}">'
                f'<ul class="permsym-badges" aria-label="Evidence for'
                f' {escape(self.claim.title)}">{"".join(badges)}</ul>'
                f"{_chain_table(e.chain)}{_control_table(e)}"
                f'<p class="permsym-trials">{e.trials} random trials; the worst agreement and the smallest'
                f' break are'
                " shown.</p></div>")


@dataclass(frozen=True)
class Statements:
    """A table of claims that shows itself as Markdown, so that the book's build resolves its links.

    Attributes
    ----------
    claims : tuple of Claim
    pages : str
        The way from the table's own page to the project's root.
    """

    claims: tuple[Claim, ...]
    pages: str

    def _repr_markdown_(self) -> str:
        rows = [f"| [{c.title}]({self.pages}/{c.page}) | {c.kind} | `{c.slug}` |"
                f" {f'`{c.proof}`' if c.proof else '–'} |" for c in self.claims]
        return "\n".join(["| statement | kind | name | formal proof |", "|---|---|---|---|", *rows])

    def __repr__(self) -> str:
        return "\n".join(f"{c.slug}: {c.title}" for c in self.claims)


def number(value: float) -> str:
    """0 as "0", other numbers with three significant digits, very large and small ones in scientific
    notation.

    >>> number(0.0), number(0.31234), number(4.4e-16)
    ('0', '0.312', '4.4e-16')
    """
    return "0" if value == 0 else f"{value:.3g}"


def in_words(found: Comparison | Exact) -> str:
    """The verdict on a comparison: "exactly 0", "2.2e-16, below the rounding bound 3e-15", "broken: 0.31"."""
    if found.residual == 0:
        return f"exactly 0 in {found.ring}" if isinstance(found, Exact) else "exactly 0"
    if found.holds:
        return f"{number(found.residual)}, below the rounding bound {number(found.bound)}"
    return f"broken: {number(found.residual)}"


def _badge(kind: str, rung: str, text: str, good: bool) -> str:
    mark = "✓" if good else "✗"
    state = "" if good else " permsym-badge-failed"
    return (f'<li class="permsym-badge permsym-badge-{kind}{state}"><span class="permsym-rung">{mark}'
            f' {rung}</span>'
            f" {escape(text)}</li>")


def _proof_badge(slug: str, proof: str) -> str:
    """A badge that opens the Coq statement, and says whether the proof was rechecked for these very
    sources."""
    coq, theorem = checked_with(slug), theorem_of(slug)
    words = f"checked with Coq {coq}" if coq else "not rechecked in this build"
    mark = "✓" if coq else "○"
    summary = f'<summary><span class="permsym-rung">{mark} formal proof</span> {words}</summary>'
    stated = escape(f"{theorem.context}\n\n{theorem.statement}".strip()) if theorem else ""
    return (f'<li class="permsym-badge'
            f' permsym-badge-proof"><details>{summary}<p><code>{escape(proof)}</code></p>'
            f'<pre tabindex="0" aria-label="The statement in Coq">{stated}</pre></details></li>')


def _chain_table(chain: tuple[Link, ...]) -> str:
    if not chain:
        return ""
    rows = "".join(
        f"<tr><th scope='row'>{escape(link.equation)}</th><td>\\( {escape(link.tex)}"
        f" \\)</td><td>{escape(link.reason)}</td>"
        f"<td class='permsym-number'>{number(link.float64.residual)}</td>"
        f"<td class='permsym-number'>{number(link.float64.bound)}</td>"
        "<td class='permsym-number'>"
        f"{'–' if link.exact_residual is None else number(link.exact_residual)}</td></tr>"
        for link in chain)
    return ('<div class="permsym-scroll" tabindex="0" role="region" aria-label="The proof, link by link">'
            '<table class="permsym-chain"><caption>The proof, link by link</caption><thead><tr>'
            '<th scope="col">line</th><th scope="col">expression</th><th scope="col">equals the one before'
            ' because</th>'
            '<th scope="col">float64</th><th scope="col">bound</th><th scope="col">exact</th></tr></thead>'
            f"<tbody>{rows}</tbody></table></div>")


def _control_table(e: Evidence) -> str:
    rows = "".join(
        f"<tr><th scope='row'>{escape(c.name)}</th><td class='permsym-number'>{number(c.residual)}</td>"
        f"<td class='permsym-number'>{number(c.bound)}</td></tr>" for c in e.controls)
    return ('<div class="permsym-scroll" tabindex="0" role="region" aria-label="Hypotheses dropped">'
            '<table class="permsym-controls"><caption>Drop a hypothesis and it breaks</caption><thead><tr>'
            '<th scope="col">what was changed</th><th scope="col">distance</th>'
            '<th scope="col">rounding would allow</th></tr></thead>'
            f"<tbody>{rows}</tbody></table></div>")
