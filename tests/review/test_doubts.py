"""Works that a check doubts: on the review page, and settled by leads alone. And how a work came to be."""

from __future__ import annotations

from typing import Any

import pytest

from beat_the_ai.rules.protocol import Context
from beat_the_ai.store import Store
from tests.review.builders import DOUBTED, PASSAGE, SCRIPT, WHY, doubt, draft_often
from tests.review.conftest import Reviewer
from tests.review.test_desk import actions
from tests.store.builders import NEW_YEAR, campaign


@pytest.fixture
def doubted(store: Store) -> str:
    return doubt(store)


def settle(reviewer: Reviewer, attempt: str, admitted: bool, reason: str = "It is new.", status: int = 200) -> Any:
    content = {"attempt": attempt, "admitted": admitted, "reason": reason}
    return reviewer.post("/api/admissions", content, status)


def test_a_lead_settles_what_is_doubted_and_may_think_again(ann: Reviewer, store: Store, doubted: str) -> None:
    assert ann.get("/api/overview")["doubtful"] == {"all": 1, "waiting": 1}
    [work] = ann.get("/api/doubtful")["doubtful"]
    assert (work["worker"], work["doubts"], work["appeal"], work["admitted"]) == (DOUBTED, [WHY], SCRIPT, None)
    [work] = settle(ann, doubted, admitted=True)["doubtful"]
    assert work["admitted"] is True
    assert ann.get("/api/overview")["doubtful"] == {"all": 1, "waiting": 0}
    [work] = settle(ann, doubted, admitted=False, reason="It is in the collection.")["doubtful"]
    assert work["admitted"] is False
    [row] = store.attempts.doubtful("pilot")
    assert row.attempt.admitted is False
    assert actions(store)[-2:] == [("ann", "admit", doubted), ("ann", "not_admit", doubted)]


def test_a_reviewer_sees_it_and_settles_nothing(cal: Reviewer, store: Store, doubted: str) -> None:
    assert cal.get("/api/doubtful")["doubtful"][0]["attempt"] == doubted
    assert settle(cal, doubted, admitted=True, status=403)["error"]["code"] == "not_allowed"
    [row] = store.attempts.doubtful("pilot")
    assert row.attempt.admitted is None


@pytest.mark.parametrize(("reason", "attempt"), [("", None), ("a\u202eb", None), ("fine", "no-such")])
def test_without_a_reason_or_an_attempt_nothing_is_settled(
    ann: Reviewer, store: Store, doubted: str, reason: str, attempt: str | None
) -> None:
    settle(ann, attempt or doubted, admitted=True, reason=reason, status=400 if attempt is None else 404)
    [row] = store.attempts.doubtful("pilot")
    assert row.attempt.admitted is None


def test_drafts_are_replayed_in_parts_and_only_those_of_the_campaign(ann: Reviewer, store: Store, doubted: str) -> None:
    [row] = store.attempts.doubtful("pilot")
    draft_often(store, row.assignment.id, 102)
    first = ann.get(f"/api/edits?assignment={row.assignment.id}")
    rest = ann.get(f"/api/edits?assignment={row.assignment.id}&after={first['edits'][-1]['ordinal']}")
    assert [edit["ordinal"] for edit in first["edits"] + rest["edits"]] == list(range(1, 103))
    assert (first["more"], rest["more"]) == (True, False)
    first_said, overtaken = (edit["prediction"] for edit in first["edits"][:2])
    assert (first_said["rank"], overtaken) == (2, None)
    ann.get("/api/edits?assignment=no-such", 404)
    ann.get(f"/api/edits?assignment={row.assignment.id}&after=-1", 400)
    store.campaigns.create(campaign("other"))
    [hit] = store.campaigns.offer("other", [Context("else", PASSAGE)], round_number=1, slots=1)
    elsewhere = store.attempts.accept(hit, DOUBTED, "3Xelse", NEW_YEAR)[0]
    ann.get(f"/api/edits?assignment={elsewhere.id}", 404)
