"""UniqueRequestToken: a request that was carried out is not carried out again.

A token is kept with the change it belongs to, in the same transaction, so it is known exactly when that change is.
It counts per requester and operation for 24 hours [doc]; then the same token starts something new.
"""

from __future__ import annotations

from datetime import timedelta

import sqlalchemy as sa

from beat_the_ai.marketplace.errors import RequestFailed
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.tables import tokens

LIFETIME = timedelta(hours=24)


def refuse_repeat(moment: Moment, requester_id: str, operation: str, token: str | None) -> None:
    """Raises the protocol's "already processed" when the token was used; its message names what it made.

    The sentence is MTurk's own [seen: Dallinger #3109]; HITAlreadyExists is documented for CreateHIT only, the other
    code is [assumed].
    """
    moment.connection.execute(sa.delete(tokens).where(tokens.c.used_at <= moment.now - LIFETIME))
    query = sa.select(tokens.c.subject).filter_by(requester_id=requester_id, operation=operation, token=token)
    subject = None if token is None else moment.connection.scalar(query)
    if subject is None:
        return
    name = "HITAlreadyExists" if operation == "CreateHIT" else "RequestAlreadyProcessed"
    raise RequestFailed(name, f'The idempotency token "{token}" has already been processed: {subject}.')


def remember(moment: Moment, requester_id: str, operation: str, token: str | None, subject: str) -> None:
    """`subject` is the id of what the request made."""
    if token is not None:
        row = {"requester_id": requester_id, "operation": operation, "token": token, "subject": subject}
        moment.connection.execute(sa.insert(tokens).values(**row, used_at=moment.now))
