"""Messages to participants: what the portal would show them goes through Prolific, whose pages they read."""

from __future__ import annotations

import logging
from dataclasses import dataclass

import sqlalchemy as sa

from beat_the_ai.crowds.prolific.client import ProlificClient
from beat_the_ai.errors import Declined, Unanswered
from beat_the_ai.marketplace.market import Market
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.people.studies import Study
from beat_the_ai.marketplace.tables import forwarded, outbox, recruited, visits

AT_ONCE = 50
NEVER_TAKEN = ("400", "404", "422")  # the status of an answer that is about the message itself

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Waiting:
    """A message that was not forwarded yet."""

    number: int
    participant: str
    body: str


def forward(client: ProlificClient, market: Market, study: Study, external_id: str) -> None:
    """Send what waits for participants of a study.

    A message is noted first, and never sent again but after a refusal: twice would be worse than never. One that
    Prolific can never take is logged. Raises `Declined`.
    """
    with market.reading() as moment:
        messages = _waiting(moment, study)
    for message in messages:
        if not _note(market, message):
            continue
        try:
            client.send_message(message.participant, external_id, message.body)
        except Unanswered as error:
            log.warning("message %s may not have arrived: %s", message.number, error)
        except Declined as error:
            if error.crowd_code not in NEVER_TAKEN:
                with market.writing() as moment:
                    moment.connection.execute(sa.delete(forwarded).filter_by(number=message.number))
                raise
            log.warning("message %s was not sent: %s", message.number, error)


def _note(market: Market, message: Waiting) -> bool:
    """Note that a message is forwarded, unless somebody else was faster."""
    with market.writing() as moment:
        is_noted = sa.select(forwarded.c.number).filter_by(number=message.number)
        if moment.connection.scalar(is_noted) is not None:
            return False
        moment.connection.execute(sa.insert(forwarded).values(number=message.number))
        return True


def _waiting(moment: Moment, study: Study) -> list[Waiting]:
    """Return messages to people whose last visit was one of this study, the oldest first."""
    last = sa.select(visits.c.study).where(visits.c.worker_id == outbox.c.recipient)
    last = last.order_by(visits.c.started_at.desc()).limit(1)
    query = sa.select(outbox.c.number, recruited.c.external_id, outbox.c.subject, outbox.c.body)
    query = query.join(recruited, recruited.c.worker_id == outbox.c.recipient)
    query = query.outerjoin(forwarded, forwarded.c.number == outbox.c.number)
    query = query.where(forwarded.c.number.is_(None), last.scalar_subquery() == study.key)
    rows = moment.connection.execute(query.order_by(outbox.c.number).limit(AT_ONCE))
    return [Waiting(row.number, row.external_id, f"{row.subject}\n\n{row.body}") for row in rows]
