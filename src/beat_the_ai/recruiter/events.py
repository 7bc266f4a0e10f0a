"""Events for the researcher's hooks: written with the change that they are about, in the same transaction.

An event belongs to a subscription that was confirmed and enabled when the change happened. The courier delivers it.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.recruiter.identifiers import new_id
from beat_the_ai.recruiter.tables import events, subscriptions

STUDY, SUBMISSION = "study.status.change", "submission.status.change"
EVENT_TYPES = {
    STUDY: "The status of a study has changed.",
    SUBMISSION: "The status of a submission has changed.",
}


def study_changed(moment: Moment, study_id: str, status: str) -> None:
    """Write the events of a study's new state."""
    _write(moment, STUDY, study_id, {"status": status})


def submission_changed(moment: Moment, submission_id: str, status: str, study_id: str, participant_id: str) -> None:
    """Write the events of a submission's new state."""
    content = {"status": status, "study_id": study_id, "participant_id": participant_id}
    _write(moment, SUBMISSION, submission_id, content)


def _write(moment: Moment, event_type: str, resource_id: str, content: dict[str, Any]) -> None:
    awaited = sa.select(subscriptions).filter_by(
        event_type=event_type, is_enabled=True, is_confirmed=True, is_deleted=False
    )
    for subscription in moment.connection.execute(awaited).all():
        row = {
            "id": new_id(),
            "subscription_id": subscription.id,
            "event_type": event_type,
            "resource_id": resource_id,
            "target_url": subscription.target_url,
            "payload": {"event_type": event_type, "resource_id": resource_id, **content},
            "status": "PENDING",
            "tries": 0,
            "due_at": moment.now,
            "created_at": moment.now,
            "updated_at": moment.now,
        }
        moment.connection.execute(sa.insert(events).values(row))
