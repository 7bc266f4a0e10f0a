"""HITs on hold on the review page: leads decide, and give what the crowd asks for to reject work."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from beat_the_ai.review import Door, ReviewDesk, build_app, new_account
from beat_the_ai.rules.roles import Role
from beat_the_ai.store import Store, open_store
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.workforce import Workforce
from tests.review.builders import HELD, PASSWORD, PROLIFIC, REASON, fill, hold
from tests.review.conftest import Reviewer
from tests.review.test_desk import actions


@pytest.fixture
def on_hold(store: Store) -> str:
    return hold(store)


def decide(
    reviewer: Reviewer,
    assignment: str,
    pays: bool,
    reason: str = "Looked.",
    category: str | None = None,
    status: int = 200,
) -> Any:
    content = {"assignment": assignment, "pays": pays, "reason": reason, "category": category}
    return reviewer.post("/api/pay-decisions", content, status)


def test_a_lead_decides_and_may_think_again(ann: Reviewer, store: Store, on_hold: str) -> None:
    listed = ann.get("/api/held")
    [hit] = [one for one in listed["held"] if one["assignment"] == on_hold]
    assert (hit["worker"], hit["decision"], listed["rejections"]) == (HELD, None, None)
    decide(ann, on_hold, pays=False)
    assert store.pay_decisions.last()[on_hold].pays is False
    refused = decide(ann, on_hold, pays=True, status=409)["error"]["message"]
    assert "Paying it would approve that other work" in refused
    assert actions(store)[-3:] == [("ann", name, on_hold) for name in ("withhold", "release", "release_failed")]


def test_a_reviewer_sees_it_and_decides_nothing(cal: Reviewer, store: Store, on_hold: str) -> None:
    assert on_hold in [one["assignment"] for one in cal.get("/api/held")["held"]]
    assert decide(cal, on_hold, pays=False, status=403)["error"]["code"] == "not_allowed"
    assert store.pay_decisions.last() == {}


def test_nobody_decides_without_a_reason_or_about_another_hit(ann: Reviewer, store: Store, on_hold: str) -> None:
    assert decide(ann, on_hold, pays=False, reason=" ", status=400)["error"]["field"] == "reason"
    decide(ann, "none", pays=False, status=404)
    assert store.pay_decisions.last() == {}


@pytest.fixture
def empty_store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(str(tmp_path / "prolific.db"))
    yield opened
    opened.close()


@pytest.fixture
def at_prolific(tmp_path: Path, empty_store: Store) -> Reviewer:
    fill(empty_store, **PROLIFIC)
    new_account(empty_store, "ann", PASSWORD, role=Role.LEAD)
    campaign = BoundCampaign.open(empty_store, "pilot")
    app = build_app(ReviewDesk(campaign, Workforce(campaign)), Door(empty_store), tmp_path)
    browser = Reviewer(TestClient(app))
    assert browser.sign_in("ann") == 200
    return browser


@pytest.mark.parametrize(
    ("reason", "category", "status", "told"),
    [
        ("Nothing there.", "NO_DATA", 400, "has 14 characters, and this crowd takes at least 100"),
        (REASON, None, 400, "Name one: "),
        (REASON, "LAZY", 404, "Unknown category 'LAZY'. Available: "),
    ],
)
def test_a_rejection_without_what_the_crowd_asks_for_is_refused(
    at_prolific: Reviewer, empty_store: Store, reason: str, category: str | None, status: int, told: str
) -> None:
    on_hold = hold(empty_store)
    asked = at_prolific.get("/api/held")["rejections"]
    assert (asked["min_chars"], asked["most_chars"], len(asked["categories"])) == (100, 900, 12)
    refused = decide(at_prolific, on_hold, pays=False, reason=reason, category=category, status=status)
    assert told in refused["error"]["message"]
    assert empty_store.pay_decisions.last() == {}


def test_a_rejection_is_kept_with_its_category(at_prolific: Reviewer, empty_store: Store) -> None:
    on_hold = hold(empty_store)
    listed = decide(at_prolific, on_hold, pays=False, reason=REASON, category="NO_DATA")["held"]
    [shown] = [one["decision"] for one in listed if one["assignment"] == on_hold]
    assert shown == {"pays": False, "by": "ann", "reason": REASON, "category": "NO_DATA"}
    assert empty_store.audit.entries()[0].note == f"NO_DATA: {REASON}"
