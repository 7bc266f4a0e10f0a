"""The actions that move a study from state to state, where money is set aside for it."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa

from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.recruiter import payments, studies
from beat_the_ai.recruiter.errors import NotEnoughMoney, WrongState
from beat_the_ai.recruiter.studies import Study
from beat_the_ai.recruiter.tables import studies as table

# The document's table: what leads where.
TRANSITIONS = {
    ("UNPUBLISHED", "PUBLISH"): "ACTIVE",
    ("UNPUBLISHED", "SCHEDULE_PUBLISH"): "SCHEDULED",
    ("SCHEDULED", "CANCEL_PUBLISH"): "UNPUBLISHED",
    ("ACTIVE", "PAUSE"): "PAUSED",
    ("ACTIVE", "STOP"): "COMPLETED",
    ("PAUSED", "START"): "ACTIVE",
    ("PAUSED", "STOP"): "COMPLETED",
}
ACTIONS = sorted({action for _, action in TRANSITIONS})


def transition(moment: Moment, study: Study, action: str, publish_at: datetime | None) -> Study:
    """Carry out an action. Raises `WrongState`, `Invalid` and `NotEnoughMoney`."""
    reached = TRANSITIONS.get((study.status, action))
    if reached is None:
        allowed = ", ".join(act for status, act in TRANSITIONS if status == study.status) or "none"
        raise WrongState(f"The study is {study.status}; {action} cannot be done there. Available: {allowed}.")
    if action == "PUBLISH":
        studies.publish(moment, study)
    elif action == "SCHEDULE_PUBLISH":
        studies.schedule(moment, study, publish_at or study.publish_at)
    elif action == "CANCEL_PUBLISH":
        studies.unschedule(moment, study)
    else:
        studies.move(moment, study, reached)
    payments.check_covered(moment)
    return studies.get(moment, study.id)


def publish_scheduled(moment: Moment, study_id: str) -> None:
    """Publish a study whose time has come; one that the balance does not cover is a draft again."""
    study = studies.get(moment, study_id)
    studies.publish(moment, study)
    try:
        payments.check_covered(moment)
    except NotEnoughMoney:
        studies.unschedule(moment, study)


def due(moment: Moment) -> tuple[datetime, str] | None:
    """Return when the next scheduled study is to be published, and its id."""
    query = sa.select(table.c.publish_at, table.c.id).where(table.c.publish_at <= moment.now)
    row = moment.connection.execute(query.order_by(table.c.publish_at, table.c.number).limit(1)).one_or_none()
    return None if row is None else (row.publish_at, row.id)
