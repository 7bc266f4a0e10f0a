"""The members of a pool whose servers do not answer, since when, and how often nothing came back from each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from beat_the_ai.databases import Database
from beat_the_ai.store.tables import model_servers


@dataclass(frozen=True)
class Trouble:
    """The number of questions to a member that got no answer, and since when its server is away; None: it answers."""

    failures: int = 0
    away_since: datetime | None = None


class ModelServers:
    """Queries on the servers of models."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def keep(self, campaign_id: str, asked_by: str, member: str, of: Trouble) -> None:
        """Add failures to a member's, and keep since when its server is away; the first moment stands."""
        key = {"campaign_id": campaign_id, "member": member, "asked_by": asked_by}
        row = sa.select(model_servers.c.failures, model_servers.c.away_since).filter_by(**key).with_for_update()

        def keep(connection: sa.Connection) -> None:
            known = connection.execute(row).one_or_none()
            if known is None:
                connection.execute(sa.insert(model_servers).values(**key, **vars(of)))
                return
            away_since = of.away_since and (known.away_since or of.away_since)
            values = {"failures": known.failures + of.failures, "away_since": away_since}
            connection.execute(sa.update(model_servers).filter_by(**key).values(values))

        self._database.write(keep)

    def forget_absences(self, campaign_id: str, asked_by: str) -> None:
        """Keep no more that servers are away: the process that asks them begins, or ends."""
        away = sa.update(model_servers).filter_by(campaign_id=campaign_id, asked_by=asked_by)
        away = away.where(model_servers.c.away_since.is_not(None)).values(away_since=None)
        self._database.write(lambda connection: connection.execute(away).rowcount)

    def of_campaign(self, campaign_id: str) -> Mapping[str, Trouble]:
        """Return by member what went wrong in all processes together: away since the first one has lost it."""
        query = sa.select(model_servers.c.member, model_servers.c.failures, model_servers.c.away_since)
        found: defaultdict[str, list[Trouble]] = defaultdict(list)
        with self._database.reading() as connection:
            for member, *trouble in connection.execute(query.filter_by(campaign_id=campaign_id)):
                found[member].append(Trouble(*trouble))
        return {
            member: Trouble(
                sum(each.failures for each in of),
                min((each.away_since for each in of if each.away_since is not None), default=None),
            )
            for member, of in found.items()
        }
