"""Places at Prolific follow what is on offer here, whatever participants do meanwhile."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from beat_the_ai.crowds.prolific.documents import FREE_AGAIN, UNDER_WAY, ListedSubmission, StudyRecord
from beat_the_ai.crowds.prolific.external_study import STOPPED_AFTER, allowed_minutes, next_change
from beat_the_ai.crowds.prolific.offers import Offer, Work
from beat_the_ai.marketplace.hit_types import HitType, Properties

NOW = datetime(2026, 1, 1, tzinfo=timezone.utc)
TYPE = HitType("type", "requester", Properties("Title", "Text", None, 200, 86_400, 3600, ()))
COUNTED = ("RESERVED", "ACTIVE", "AWAITING REVIEW", "APPROVED", *FREE_AGAIN)
RESULT = {"PUBLISH": "ACTIVE", "START": "ACTIVE", "PAUSE": "PAUSED", "STOP": "COMPLETED"}


def submissions_of(statuses: list[str]) -> list[ListedSubmission]:
    listed = [{"id": str(number), "participant_id": "p", "status": status} for number, status in enumerate(statuses)]
    return [ListedSubmission.model_validate(one) for one in listed]


def arrived(statuses: list[str], arrivals: int) -> dict[str, Work]:
    """The first of those under way have arrived."""
    under_way = [str(number) for number, status in enumerate(statuses) if status in UNDER_WAY]
    return {one: Work(one, "W", "p", True, None, None, None, None, 0, False) for one in under_way[:arrivals]}


@given(
    statuses=st.lists(st.sampled_from(COUNTED), max_size=12),
    arrivals=st.integers(0, 12),
    spare=st.integers(0, 4),
    open_here=st.integers(0, 8),
    status=st.sampled_from(["UNPUBLISHED", "ACTIVE", "PAUSED", "COMPLETED", "AWAITING REVIEW"]),
)
def test_after_a_few_changes_everybody_who_can_come_gets_a_hit(
    statuses: list[str], arrivals: int, spare: int, open_here: int, status: str
) -> None:
    submissions, works = submissions_of(statuses), arrived(statuses, arrivals)
    taken = sum(one.status not in FREE_AGAIN for one in submissions)
    places = max(1, taken + spare)
    offer = Offer(TYPE, open_here, 0)
    for _ in range(4):
        record = StudyRecord.model_validate({"id": "x", "status": status, "total_available_places": places})
        change = next_change(record, submissions, works, offer, None, NOW)
        if change is None:
            break
        if change.places is not None:
            assert change.places > places  # Prolific takes no fewer
            places, status = change.places, "PAUSED" if status == "PAUSED" else "ACTIVE"
        if change.action is not None:
            status = RESULT[change.action]
    assert change is None
    coming = sum(one.status in UNDER_WAY and one.id not in works for one in submissions)
    wanted = max(0, open_here - coming)
    if status == "ACTIVE":
        assert places - taken >= wanted  # nobody waits for a place that could be there
        assert wanted or places == taken
    elif wanted:
        raise AssertionError(f"{status}, and {wanted} HITs could be done")


def test_a_paused_study_is_stopped_after_a_day_without_anything() -> None:
    record = StudyRecord.model_validate({"id": "x", "status": "PAUSED", "total_available_places": 3})
    for since, action in (
        (None, None),
        (NOW - STOPPED_AFTER + timedelta(seconds=1), None),
        (NOW - STOPPED_AFTER, "STOP"),
    ):
        change = next_change(record, [], {}, Offer(TYPE, 0, 0), since, NOW)
        assert (None if change is None else change.action) == action


@given(st.integers(1, 600), st.integers(30, 31_536_000))
def test_the_time_allowed_is_what_prolific_takes_and_the_hit_lasts(minutes: int, seconds: int) -> None:
    allowed = allowed_minutes(minutes, seconds)
    assert allowed >= 2 + 2 * minutes + 2 * minutes**0.5
    assert allowed * 60 >= seconds + 600
