"""Proposals to revoke a worker: they wait until a second person confirms them. Both tables are only added to."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

import sqlalchemy as sa

from beat_the_ai.databases import Database
from beat_the_ai.errors import Refused, UnknownName
from beat_the_ai.store.locks import lock_campaign
from beat_the_ai.store.tables import revocation_outcomes, revocation_proposals

REVOKED, WITHDRAWN = "revoked", "withdrawn"


@dataclass(frozen=True)
class Proposal:
    """`by` wants the worker revoked. While `outcome` is None it waits, and has no effect.

    `machine_user` is whose account on the machine it was made from; empty for one from the page.
    """

    id: int
    campaign_id: str
    worker: str
    by: str
    machine_user: str
    reason: str
    at: datetime
    outcome: str | None = None
    closed_by: str | None = None
    closed_at: datetime | None = None


class Proposals:
    """Queries on proposals. At most one waits for each worker."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, campaign_id: str, worker: str, by: str, machine_user: str, reason: str, at: datetime) -> Proposal:
        """Raises `Refused` while one waits for the worker."""
        values = {"campaign_id": campaign_id, "worker": worker, "by": by, "machine_user": machine_user}

        def add(connection: sa.Connection) -> int:
            lock_campaign(connection, campaign_id)
            for known in self._of_campaign(connection, campaign_id, worker):
                if known.outcome is None:
                    raise Refused(f"{known.by} has proposed to revoke worker {worker!r} already. Confirm or withdraw.")
            inserted = connection.execute(
                sa.insert(revocation_proposals).values(**values, reason=reason, at=at)
            ).inserted_primary_key
            assert inserted is not None
            return int(inserted[0])

        return Proposal(self._database.write(add), campaign_id, worker, by, machine_user, reason, at)

    def withdraw(self, proposal: Proposal, by: str, at: datetime) -> Proposal:
        """As it ended. Raises `Refused` when it waits no more."""
        self._database.write(lambda connection: close(connection, proposal.id, WITHDRAWN, by, at))
        return replace(proposal, outcome=WITHDRAWN, closed_by=by, closed_at=at)

    def of_campaign(self, campaign_id: str, worker: str | None = None) -> list[Proposal]:
        """All that were ever made, or those about one worker, oldest first."""
        with self._database.reading() as connection:
            return self._of_campaign(connection, campaign_id, worker)

    def waiting(self, campaign_id: str) -> dict[str, Proposal]:
        """Return the waiting proposals by worker."""
        return {one.worker: one for one in self.of_campaign(campaign_id) if one.outcome is None}

    @staticmethod
    def _of_campaign(connection: sa.Connection, campaign_id: str, worker: str | None) -> list[Proposal]:
        outcomes = revocation_outcomes.c
        query = (
            sa.select(revocation_proposals, outcomes.outcome, outcomes.closed_by, outcomes.closed_at)
            .join_from(revocation_proposals, revocation_outcomes, isouter=True)
            .where(revocation_proposals.c.campaign_id == campaign_id)
            .order_by(revocation_proposals.c.id)
        )
        if worker is not None:
            query = query.where(revocation_proposals.c.worker == worker)
        return [Proposal(**row._mapping) for row in connection.execute(query)]


def close(connection: sa.Connection, proposal_id: int, outcome: str, by: str, at: datetime) -> None:
    """Say what became of a proposal, once. Raises `Refused` when that was said before."""
    locked = sa.select(revocation_proposals.c.id).filter_by(id=proposal_id).with_for_update()
    if connection.scalar(locked) is None:
        raise UnknownName("proposal", str(proposal_id), [])
    earlier = connection.scalar(sa.select(revocation_outcomes.c.outcome).filter_by(proposal_id=proposal_id))
    if earlier is not None:
        raise Refused(f"This proposal waits no more: it was {earlier} meanwhile.")
    said = {"proposal_id": proposal_id, "outcome": outcome, "closed_by": by, "closed_at": at}
    connection.execute(sa.insert(revocation_outcomes).values(**said))
