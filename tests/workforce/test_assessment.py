"""The 80% rule, and what a revocation would discard."""

from __future__ import annotations

from itertools import product
from math import prod

import pytest

from beat_the_ai.errors import InvalidInput
from beat_the_ai.payments import Ledger, owed_by
from beat_the_ai.statistics.intervals import wilson
from beat_the_ai.store import Store
from beat_the_ai.terms.bonuses import BonusRules
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.fees import Fees
from beat_the_ai.terms.tariff import Tariff
from beat_the_ai.terms.writing import Terms
from beat_the_ai.workforce import Reviewing, Standing, Workforce, assess, consequences, sample_size
from beat_the_ai.workforce.verdicts import tally_of
from tests.payments.paid import Paid
from tests.workforce.builders import submit


@pytest.mark.parametrize(
    ("outcomes", "min_reviews", "below"),
    [
        ("", 1, False),
        ("0", 1, True),
        ("0", 2, False),
        ("1", 1, False),
        ("01111", 1, True),  # below at one point is below
        ("01111", 5, False),
        ("011111", 2, True),
        ("11110", 1, False),  # exactly 80%
        ("111100", 1, True),
        ("1111111100", 1, False),
        ("11111111000", 1, True),
    ],
)
def test_below_80_percent_at_any_point(outcomes: str, min_reviews: int, below: bool) -> None:
    assert (tally_of([letter == "1" for letter in outcomes]).below_at >= min_reviews) is below


@pytest.mark.parametrize(("pass_rate", "caught"), [(0.5, 0.96875), (0.2, 0.9998336)])
def test_bad_workers_are_recommended_within_15_hits_under_the_papers_rule(pass_rate: float, caught: float) -> None:
    """Over all outcomes of the seven reviews that 15 HITs ask for; at least 95% are wanted."""
    outcomes = product([True, False], repeat=sample_size(15))
    chances = [
        (tally_of(one).below_at > 0, prod(pass_rate if good else 1 - pass_rate for good in one)) for one in outcomes
    ]
    assert sum(rng for below, rng in chances if below) == pytest.approx(caught)
    assert caught >= 0.95


def judge(store: Store, verdicts: str, worker: str = "a") -> None:
    """One letter per sampled HIT: + accepted, - rejected, anything else left alone."""
    reviewing = Reviewing(BoundCampaign.open(store, "pilot"))
    reviewing.draw()
    for letter, sampled in zip(verdicts, reviewing.queue("ann", worker), strict=False):
        if letter == "+":
            reviewing.accept(sampled.assignment.id, "ann")
        elif letter == "-":
            reviewing.reject(sampled.assignment.id, "ann", "asks nothing")


def test_an_assessment_counts_what_was_done_sampled_reviewed_and_accepted(store: Store) -> None:
    submit(store, "a" * 10 + "b")
    judge(store, "+++++-")
    one, two = assess(BoundCampaign.open(store, "pilot"))
    assert (one.worker, one.completed, one.sampled, one.reviewed, one.accepted) == ("a", 10, 6, 6, 5)
    assert (one.low, one.high) == wilson(5, 6)
    assert (one.accuracy, one.recommended, one.standing) == (5 / 6, False, None)
    assert (two.worker, two.reviewed, two.accuracy, two.recommended) == ("b", 0, None, False)
    assert (two.low, two.high) == (0, 1)


def test_ten_hits_with_three_of_six_rejected_are_a_case_for_revocation(store: Store) -> None:
    submit(store, "a" * 10)
    judge(store, "+-+-+-")
    [found] = assess(BoundCampaign.open(store, "pilot"))
    assert found.recommended
    assert [one.recommended for one in assess(BoundCampaign.open(store, "pilot"), min_reviews=7)] == [False]
    with pytest.raises(InvalidInput, match="at least 1"):
        assess(BoundCampaign.open(store, "pilot"), min_reviews=0)


def test_a_verdict_that_is_taken_back_never_was(store: Store) -> None:
    [made] = submit(store, "a")
    judge(store, "-")
    assert assess(BoundCampaign.open(store, "pilot"))[0].recommended
    Reviewing(BoundCampaign.open(store, "pilot")).undo(made.id, "ann")
    assert not assess(BoundCampaign.open(store, "pilot"))[0].recommended
    assert assess(BoundCampaign.open(store, "pilot"))[0].reviewed == 0


def test_a_second_reviewer_can_turn_a_recommendation(store: Store) -> None:
    [made] = submit(store, "a")
    judge(store, "-")
    Reviewing(BoundCampaign.open(store, "pilot")).accept(made.id, "bob")
    [found] = assess(BoundCampaign.open(store, "pilot"))
    assert (found.reviewed, found.accepted, found.recommended) == (1, 1, False)


def test_nothing_is_revoked_by_itself(store: Store) -> None:
    submit(store, "aaa")
    judge(store, "---")
    assert assess(BoundCampaign.open(store, "pilot"))[0].standing is None
    assert len(list(store.attempts.kept("pilot"))) == 6
    Workforce(BoundCampaign.open(store, "pilot")).revoke("a", "ann", "asks nothing")
    assert assess(BoundCampaign.open(store, "pilot"))[0].standing is Standing.REVOKED
    assert list(store.attempts.kept("pilot")) == []


def test_candidates_without_work_are_listed_too(store: Store) -> None:
    submit(store, "b")
    Workforce(BoundCampaign.open(store, "pilot")).enter_screening("a", "r1")
    assert [(one.worker, one.completed, one.standing) for one in assess(BoundCampaign.open(store, "pilot"))] == [
        ("a", 0, Standing.CANDIDATE),
        ("b", 1, None),
    ]


def test_consequences_say_what_goes_and_that_pay_stays(store: Store) -> None:
    submit(store, "aab")
    tariffs = {1: Tariff(Terms(reward_cents=200), BonusRules(cents_per_win=25), Fees())}
    owed = owed_by(Paid(store, "pilot", tariffs))
    ledger = Ledger(store.database, "pilot")
    ledger.intend(owed[:1], lambda wanted, _: wanted)
    [payment] = ledger.payments()
    claimed = ledger.claim(payment, 10_000)
    assert claimed is not None
    ledger.confirm(claimed)
    found = consequences(BoundCampaign.open(store, "pilot"), "a", owed)
    assert (found.hits, found.attempts, found.wins) == (2, 4, 2)
    assert (found.paid_cents, found.owed_cents) == (200, 250)
    Workforce(BoundCampaign.open(store, "pilot")).revoke("a", "ann", "asks nothing")
    assert consequences(BoundCampaign.open(store, "pilot"), "a", owed) == found
    assert owed_by(Paid(store, "pilot", tariffs)) == owed
