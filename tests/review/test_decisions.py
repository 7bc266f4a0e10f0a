"""Who may work: decided by leads, by two of them where the reviews do not speak for it, newcomers included."""

from __future__ import annotations

from typing import Any

import pytest

from beat_the_ai.errors import Refused
from beat_the_ai.review import Decisions
from beat_the_ai.review import Reviewer as Person
from beat_the_ai.rules.roles import Role
from beat_the_ai.store import Store
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.workforce import Workforce
from tests.review.builders import FAILED, GOOD, NEWCOMER, SLOPPY, fail
from tests.review.conftest import Reviewer
from tests.review.test_desk import actions, worker
from tests.store.builders import NEW_YEAR


def standing(store: Store, name: str) -> str | None:
    last = store.standings.last("pilot", name)
    return None if last is None else last.standing


@pytest.mark.parametrize(
    ("name", "change"),
    [(NEWCOMER, "grant"), (NEWCOMER, "refuse"), (SLOPPY, "revoke"), (SLOPPY, "confirm"), (SLOPPY, "withdraw"),
     (SLOPPY, "reinstate")],
)  # fmt: skip
def test_a_reviewer_judges_and_decides_about_nobody(cal: Reviewer, store: Store, name: str, change: str) -> None:
    before = standing(store, name)
    assert cal.get("/api/session")["role"] == "reviewer"
    cal.judge(cal.sampled(SLOPPY)[0]["assignment"], "accept")
    told = cal.decide(name, change, status=403)
    assert told["error"]["code"] == "not_allowed"
    assert standing(store, name) == before
    assert store.proposals.of_campaign("pilot") == []
    assert actions(store)[-1] == ("cal", "not_allowed", "standings")


def test_a_role_is_given_and_taken_at_once(cal: Reviewer, store: Store) -> None:
    store.accounts.set_role("cal", Role.LEAD)
    cal.get("/api/overview", 401)
    cal.http.cookies.clear()
    cal.sign_in("cal")
    assert cal.decide(NEWCOMER, "grant")["standing"] == "qualified"


def test_a_newcomer_whom_the_grader_failed_is_let_in_by_a_person(ann: Reviewer, store: Store) -> None:
    fail(store)
    seen = {one["worker"]: one for one in ann.get("/api/candidates")["candidates"]}
    assert (seen[FAILED]["standing"], seen[FAILED]["decidable"]) == (None, True)
    assert seen[FAILED]["screening"]["outcome"] == "failed"
    assert ann.decide(FAILED, "grant", "a typing error of ours")["standing"] == "qualified"
    assert [one["decidable"] for one in ann.get("/api/candidates")["candidates"] if one["worker"] == FAILED] == [False]
    assert ("ann", "grant", FAILED) in actions(store)


def test_a_newcomer_whom_the_grader_failed_is_kept_out_by_a_person(ann: Reviewer, store: Store) -> None:
    fail(store)
    ann.decide(FAILED, "refuse", " ", status=400)
    assert ann.decide(FAILED, "refuse", "gibberish")["standing"] == "revoked"
    ann.decide(FAILED, "refuse", "again", status=409)
    ann.decide(FAILED, "grant", "after all", status=409)
    assert ann.decide(FAILED, "reinstate", "after all")["standing"] == "qualified"


def test_a_screening_that_goes_on_is_not_decided_about(ann: Reviewer, store: Store) -> None:
    [hit] = store.campaigns.hits("pilot-screening")
    made = store.attempts.accept(hit, "A6BUSY", "3XBUSY", NEW_YEAR)[0]
    store.screenings.open("pilot", "A6BUSY", made.id, "d" * 64, NEW_YEAR)
    assert [one["decidable"] for one in ann.get("/api/candidates")["candidates"]] == [True, False]
    assert "not handed in" in ann.decide("A6BUSY", "grant", status=409)["error"]["message"]
    ann.decide("A6BUSY", "refuse", status=409)
    assert standing(store, "A6BUSY") is None


def test_a_candidate_with_hits_is_not_refused_by_the_way(ann: Reviewer, store: Store) -> None:
    """It would discard their work without a second person."""
    Workforce(BoundCampaign.open(store, "pilot")).enter_screening(GOOD, "3XGOOD")
    assert "has handed in HITs" in ann.decide(GOOD, "refuse", status=409)["error"]["message"]
    assert store.standings.discarded("pilot") == set()


def test_without_a_recommendation_a_revocation_waits_for_a_second_person(
    ann: Reviewer, bob: Reviewer, store: Store
) -> None:
    assert ann.get("/api/overview")["second_person"] is True
    told = ann.decide(GOOD, "revoke", "two accounts")
    assert (told["standing"], told["proposal"]["by"], told["proposal"]["outcome"]) == (None, "ann", None)
    assert (standing(store, GOOD), store.standings.discarded("pilot")) == (None, set())
    assert Workforce(BoundCampaign.open(store, "pilot")).history(GOOD) == []
    for reviewer in (ann, bob):
        seen = worker(reviewer, GOOD)
        assert (seen["standing"], seen["proposal"]["reason"]) == (None, "two accounts")
    assert "second person" in ann.decide(GOOD, "confirm", status=409)["error"]["message"]
    ann.decide(GOOD, "revoke", "really", status=409)
    bob.post("/api/standings", {"worker": GOOD, "change": "confirm", "confirmation": "A1"}, 400)
    assert standing(store, GOOD) is None
    told = bob.decide(GOOD, "confirm", "")
    assert (told["standing"], told["by"], told["reason"]) == ("revoked", "bob", "two accounts")
    assert store.standings.discarded("pilot") == {GOOD}
    assert worker(ann, GOOD)["proposal"] is None
    [known] = ann.get(f"/api/worker?id={GOOD}")["proposals"]
    assert (known["by"], known["outcome"], known["closed_by"]) == ("ann", "revoked", "bob")
    assert [one for one in actions(store) if not one[1].endswith("_failed")] == [
        ("ann", "propose", GOOD),
        ("ann", "confirm", GOOD),
        ("ann", "propose", GOOD),
        ("bob", "confirm", GOOD),
    ]
    assert store.audit.entries(limit=1)[0].note == "proposed by ann: two accounts"


def test_a_proposal_is_withdrawn_by_whoever_made_it_or_by_another(ann: Reviewer, bob: Reviewer, store: Store) -> None:
    for reviewer in (ann, bob):
        ann.decide(GOOD, "revoke", "two accounts")
        reviewer.decide(GOOD, "withdraw", "")
        bob.decide(GOOD, "confirm", status=409)
        ann.decide(GOOD, "withdraw", status=409)
    assert standing(store, GOOD) is None
    known = ann.get(f"/api/worker?id={GOOD}")["proposals"]
    assert [(one["outcome"], one["closed_by"]) for one in known] == [("withdrawn", "ann"), ("withdrawn", "bob")]


def test_a_recommended_revocation_takes_one_person_and_ends_what_waited(ann: Reviewer, store: Store) -> None:
    ann.decide(SLOPPY, "revoke", "gibberish")
    ann.reject_all(SLOPPY)
    assert ann.decide(SLOPPY, "revoke", "six of six rejected")["standing"] == "revoked"
    assert store.proposals.waiting("pilot") == {}


def test_whoever_proposes_revokes_nobody_whatever_others_found(ann: Reviewer, bob: Reviewer, store: Store) -> None:
    """A blind lead cannot know that the reviews recommend it, and learns it from nothing."""
    ann.reject_all(SLOPPY)
    assert worker(bob, SLOPPY)["recommended"] is False
    assert bob.decide(SLOPPY, "propose", "two accounts")["standing"] is None
    assert standing(store, SLOPPY) is None
    assert ann.decide(SLOPPY, "confirm", "six of six rejected")["standing"] == "revoked"
    assert store.audit.entries(limit=1)[0].note == "proposed by bob: two accounts; six of six rejected"
    bob.decide(SLOPPY, "propose", "again", status=409)


def test_the_recommendation_is_that_of_all_reviewers_together(ann: Reviewer, bob: Reviewer) -> None:
    """One who rejects everything cannot revoke whom all together find good."""
    ann.reject_all(GOOD)
    assert worker(ann, GOOD)["recommended"] is True
    for hit in bob.sampled(GOOD):
        bob.judge(hit["assignment"], "accept")
    assert ann.decide(GOOD, "revoke")["proposal"]["by"] == "ann"


ANN, BOB = Person("ann", Role.LEAD), Person("bob", Role.LEAD)


def decide(store: Store, who: Person, change: Any, **rules: Any) -> Any:
    return Decisions(BoundCampaign.open(store, "pilot"), Workforce(BoundCampaign.open(store, "pilot")), **rules).decide(
        who, GOOD, change, "two accounts"
    )


def test_one_person_is_enough_where_the_campaign_says_so(store: Store) -> None:
    assert decide(store, ANN, "revoke", second_person=False).event.standing == "revoked"


def test_reviews_that_are_too_few_to_recommend_do_not_spare_the_second_person(ann: Reviewer, store: Store) -> None:
    ann.judge(ann.sampled(GOOD)[0]["assignment"], "reject", "no question")
    assert decide(store, ANN, "revoke", min_reviews=5).event is None
    assert decide(store, BOB, "revoke", min_reviews=1).event.standing == "revoked"


@pytest.mark.parametrize(
    ("one", "other", "is_another"),
    [
        (ANN, BOB, True),
        (ANN, ANN, False),
        (Person("x", Role.LEAD, "root"), Person("y", Role.LEAD, "root"), False),
        (Person("x", Role.LEAD, "root"), Person("ann", Role.LEAD, "root"), False),
        (Person("x", Role.LEAD, "root"), Person("y", Role.LEAD, "eve"), True),
        (Person("x", Role.LEAD, "root"), ANN, True),
        # Both gave their passwords on one machine.
        (Person("ann", Role.LEAD, "root"), Person("bob", Role.LEAD, "root"), True),
        (Person("ann", Role.LEAD, "root"), ANN, False),
    ],
)
def test_a_claimed_name_makes_nobody_a_second_person(
    store: Store, one: Person, other: Person, is_another: bool
) -> None:
    decide(store, one, "revoke")
    if is_another:
        assert decide(store, other, "confirm").event.standing == "revoked"
    else:
        with pytest.raises(Refused, match="a second person has to confirm"):
            decide(store, other, "confirm")
        assert standing(store, GOOD) is None
