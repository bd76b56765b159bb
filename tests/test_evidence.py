"""Tests of how evidence is merged over the trials: nothing that fails in one of them may hide."""

from __future__ import annotations

import pytest

from permsym_book.claims import registry
from permsym_book.claims.evidence import Comparison, Control, Evidence, Exact, merged


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_what_is_not_a_number_cannot_hide_among_the_trials(bad):
    control = Control("dropped", 1.0, 1e-15, 1.0)
    good = Evidence(Comparison(1e-17, 1e-15), Exact(0.0, "Q"), (control,))
    for wrong in (Evidence(Comparison(bad, 1e-15), Exact(0.0, "Q"), (control,)),
                  Evidence(Comparison(0.0, bad), Exact(0.0, "Q"), (control,)),
                  Evidence(Comparison(0.0, 1e-15), Exact(bad, "Q"), (control,))):
        assert not wrong.passed
        assert not merged([good, wrong]).passed and not merged([wrong, good]).passed
    assert merged([good, good]).passed


@pytest.mark.parametrize("weak", [Control("dropped", 1e-16, 1e-15, 1.0), Control("dropped", 1.0, 1e-15, 0.0),
                                  Control("dropped", float("nan"), 1e-15, 1.0),
                                  Control("dropped", 1.0, 1e-15, float("nan")),
                                  Control("dropped", 1.0, float("inf"), 1.0),
                                  Control("dropped", 0.0, 0.0, None)])
def test_one_trial_in_which_a_control_does_not_break_fails_the_check(weak):
    good = Evidence(Comparison(1e-17, 1e-15), Exact(0.0, "Q"), (Control("dropped", 1.0, 1e-15, 1.0),))
    wrong = Evidence(Comparison(1e-17, 1e-15), Exact(0.0, "Q"), (weak,))
    assert not weak.broken and not wrong.passed
    for trials in ([wrong, *[good] * 19], [*[good] * 19, wrong]):
        assert not merged(trials).passed
    assert merged([good] * 20).passed


def test_of_many_trials_the_worst_agreement_and_the_smallest_break_are_kept():
    parts = [Evidence(Comparison(r * 1e-17, 1e-15), None, (Control("dropped", r, 1e-15, 4 - r),))
             for r in (1.0, 3.0, 2.0)]
    found = merged(parts)
    assert found.float64.residual == 3e-17 and found.trials == 3
    assert (found.controls[0].residual, found.controls[0].exact_residual) == (1.0, 1.0)


def test_a_page_stops_where_its_statement_fails(monkeypatch):
    wrong = Evidence(Comparison(0.31, 1e-15), None, (Control("dropped", 1.0, 1e-15, 1.0),))
    claim = registry.Claim("a-slug", "lemma", "A lemma", "notebooks/a.md", lambda rng: wrong)
    monkeypatch.setattr(registry, "find", lambda slug: claim)
    assert not registry.verify("a-slug", trials=2).evidence.passed
    with pytest.raises(AssertionError, match="a-slug fails: float64 residual 0.31"):
        registry.check("a-slug", trials=2)


def test_a_check_without_a_control_fails():
    nothing_dropped = Evidence(Comparison(0.0, 0.0), None, ())
    assert not nothing_dropped.passed and "no negative control" in nothing_dropped.failures[0]
