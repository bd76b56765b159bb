"""The registry of statements: which slug is checked by which function and stands on which page."""

from __future__ import annotations

import importlib
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePosixPath

import numpy as np

from ..validation import checked_count
from .display import Statements, Verdict
from .evidence import Evidence, merged

PAGES = (  # the modules of this package, in the book's order
    "hidden_units", "permutation_matrices", "permuting_weights", "forward_invariance", "backward_invariance",
    "optimizer", "identical_units", "what_can_break_it", "any_depth", "exact_redundancy",
    "equivariant_optimizers", "shared_noise", "rounding_trains", "exact_twins", "which_units_coincide",
    "creating_symmetry",
    "permutation_points",
    "flat_valley", "counting_saddles", "splitting_neurons", "one_manifold",
)
KINDS = ("definition", "lemma", "theorem", "corollary", "proposition", "remark")
DEFAULT_TRIALS = 20
DEFAULT_SEED = 1992


@dataclass(frozen=True)
class Claim:
    """A statement of the book and its check.

    Attributes
    ----------
    slug : str
        Its one name: the label on the page, the argument of ``permsym verify``, the word in test and proof.
    kind : str
        One of :data:`KINDS`.
    title : str
    page : str
        Path of the notebook from the project's root.
    function : callable
        ``function(rng) -> Evidence``: one trial.
    proof : str or None
        ``proofs/<file>.v#<theorem>`` of the machine-checked proof, where there is one.
    """

    slug: str
    kind: str
    title: str
    page: str
    function: Callable[[np.random.Generator], Evidence]
    proof: str | None = None


CLAIMS: dict[str, Claim] = {}


def claim(slug: str, *, kind: str, title: str, proof: str | None = None):
    """Register the decorated check under its slug; the page is the module's name.

    Raises
    ------
    ValueError
        If the slug is taken, or the kind unknown.
    """
    def register(function):
        if slug in CLAIMS:
            raise ValueError(f"slug {slug!r} is registered twice; one check per statement is required")
        if kind not in KINDS:
            raise ValueError(f"kind is {kind!r}; one of {', '.join(KINDS)} is required")
        stem = function.__module__.rpartition(".")[2]
        page = str(PurePosixPath("notebooks") / f"{stem}.md")
        CLAIMS[slug] = Claim(slug, kind, title, page, function, proof)
        return function
    return register


def load_all() -> dict[str, Claim]:
    """Import the module of every page, which registers its statements, and return the registry in the book's
    order."""
    for page in PAGES:
        importlib.import_module(f"{__package__}.{page}")
    return dict(sorted(CLAIMS.items(), key=lambda item: PAGES.index(PurePosixPath(item[1].page).stem)))


def find(slug: str) -> Claim:
    """The claim of a slug; ValueError lists the known slugs when there is none."""
    claims = load_all()
    if slug not in claims:
        raise ValueError(f"slug is {slug!r}; one of {', '.join(sorted(claims))} is required")
    return claims[slug]


def statements(pages: str = ".") -> Statements:
    """All statements as a table; ``pages`` is the way from the table's own page to the project's root."""
    return Statements(tuple(load_all().values()), pages)


def verify(slug: str, *, seed: int = DEFAULT_SEED, trials: int = DEFAULT_TRIALS) -> Verdict:
    """Run the check of one statement on independent random networks.

    Parameters
    ----------
    slug : str
    seed : int
        With the slug it determines every random number.
    trials : int
        Number of independent trials; the worst is reported.

    Returns
    -------
    Verdict
        The evidence with the claim and the seconds it took; shows itself as badges in a notebook.

    Examples
    --------
    >>> verify("thm-forward-invariance", trials=2).evidence.exact.residual
    0.0
    """
    found = find(slug)
    seed, trials = checked_count("seed", seed, least=0), checked_count("trials", trials)
    streams = np.random.SeedSequence([zlib.crc32(slug.encode()), seed]).spawn(trials)
    start = time.perf_counter()
    evidence = merged([found.function(np.random.default_rng(stream)) for stream in streams])
    return Verdict(found, evidence, time.perf_counter() - start)


def check(slug: str, **options) -> Verdict:
    """What the pages call: :func:`verify`, and an error when the statement fails, so that the build stops.

    Raises
    ------
    AssertionError
        With each failure in words.
    """
    verdict = verify(slug, **options)
    if not verdict.evidence.passed:
        raise AssertionError(f"{slug} fails: " + "; ".join(verdict.evidence.failures))
    return verdict
