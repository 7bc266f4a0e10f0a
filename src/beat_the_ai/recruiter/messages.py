"""Messages between the researcher and participants: one channel for each participant."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.recruiter.identifiers import new_id
from beat_the_ai.recruiter.tables import messages


@dataclass(frozen=True)
class Message:
    """A row of `messages`. The participant is who sent it or whom it is for; `is_read` is about the researcher."""

    number: int
    id: str
    participant_id: str
    from_participant: bool
    study_id: str | None
    category: str | None
    body: str
    sent_at: datetime
    is_read: bool


def send(moment: Moment, participant_id: str, body: str, study_id: str | None) -> None:
    """Send a message from the researcher to a participant, whose own messages are read by then."""
    here = sa.update(messages).filter_by(participant_id=participant_id, is_read=False)
    moment.connection.execute(here.values(is_read=True))
    _add(moment, participant_id, body, study_id, from_participant=False)


def write_to_researcher(moment: Moment, participant_id: str, body: str, study_id: str | None) -> None:
    """Send a message from a participant to the researcher."""
    _add(moment, participant_id, body, study_id, from_participant=True)


def with_participant(moment: Moment, participant_id: str) -> list[Message]:
    """Return the messages from and to a participant, the newest first."""
    query = sa.select(messages).filter_by(participant_id=participant_id).order_by(messages.c.number.desc())
    return _read(moment, query)


def since(moment: Moment, at: datetime) -> list[Message]:
    """Return all messages after a time, the newest first."""
    return _read(moment, sa.select(messages).where(messages.c.sent_at > at).order_by(messages.c.number.desc()))


def unread(moment: Moment) -> list[Message]:
    """Return the messages from participants that the researcher has not read, the newest first."""
    query = sa.select(messages).filter_by(from_participant=True, is_read=False)
    return _read(moment, query.order_by(messages.c.number.desc()))


def _add(moment: Moment, participant_id: str, body: str, study_id: str | None, *, from_participant: bool) -> None:
    row = {
        "id": new_id(),
        "participant_id": participant_id,
        "from_participant": from_participant,
        "study_id": study_id,
        "category": "other" if from_participant else None,
        "body": body,
        "sent_at": moment.now,
        "is_read": not from_participant,
    }
    moment.connection.execute(sa.insert(messages).values(row))


def _read(moment: Moment, query: sa.Select[tuple[object, ...]]) -> list[Message]:
    return [Message(**row._mapping) for row in moment.connection.execute(query)]
