"""The one workspace: its ids, token and keys, and its money.

The total balance is what was put in less what was paid. The available balance is less than that by what is set aside
for the places of published studies and for bonuses that are about to be paid.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.recruiter import signing
from beat_the_ai.recruiter.identifiers import new_id
from beat_the_ai.recruiter.money import SIGNS
from beat_the_ai.recruiter.tables import workspace as table

TITLE = "Local workspace"
PROJECT_TITLE = "Local project"


@dataclass(frozen=True)
class Workspace:
    """The row of `recruiter_workspace`."""

    id: str
    project_id: str
    researcher_id: str
    currency: str
    cents: int
    token: str
    page_secret: str
    key_id: str
    signing_key: str
    seconds_ahead: float
    created_at: datetime


def find_workspace(moment: Moment) -> Workspace | None:
    """Return the workspace, None in a new store."""
    row = moment.connection.execute(sa.select(table)).one_or_none()
    return None if row is None else Workspace(**row._mapping)


def get_workspace(moment: Moment) -> Workspace:
    """Return the workspace of an opened store."""
    found = find_workspace(moment)
    assert found is not None, "a store is opened with its workspace"
    return found


def add_workspace(moment: Moment, currency: str, cents: int) -> None:
    """Make the workspace of a new store, with a token and keys of its own."""
    assert currency in SIGNS, "the command line offers no other"
    key_id, pem = signing.new_key()
    made = Workspace(
        id=new_id(),
        project_id=new_id(),
        researcher_id=new_id(),
        currency=currency,
        cents=cents,
        token=secrets.token_urlsafe(32),
        page_secret=secrets.token_urlsafe(32),
        key_id=key_id,
        signing_key=pem,
        seconds_ahead=0.0,
        created_at=moment.now,
    )
    moment.connection.execute(sa.insert(table).values(made.__dict__))


def pay_out(moment: Moment, cents: int) -> None:
    """Take what was paid from the total balance."""
    moment.connection.execute(sa.update(table).values(cents=table.c.cents - cents))
