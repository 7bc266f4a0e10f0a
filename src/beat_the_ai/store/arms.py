"""The draw of a round's arms: one for each worker, in permuted blocks, in the transaction of the worker's first HIT.

A block has each arm once, in an order that seed, round and block decide alone. So at any time the numbers of workers in
two arms differ by at most one. The position that an erased worker leaves in a block is the next to be drawn.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from beat_the_ai.databases import Database
from beat_the_ai.rules.ids import short_hash
from beat_the_ai.store.discards import discarded
from beat_the_ai.store.locks import lock_campaign
from beat_the_ai.store.tables import arm_draws, assignments, attempts

_MINE = sa.select(arm_draws.c.arm).where(
    arm_draws.c.campaign_id == sa.bindparam("campaign"),
    arm_draws.c.round == sa.bindparam("number"),
    arm_draws.c.worker == sa.bindparam("who"),
)
_POSITIONS = (
    sa.select(arm_draws.c.position)
    .where(arm_draws.c.campaign_id == sa.bindparam("campaign"), arm_draws.c.round == sa.bindparam("number"))
    .order_by(arm_draws.c.position)
)


@dataclass(frozen=True)
class ArmBlocks:
    """The arms of a round, and the seed by which blocks of them are permuted."""

    names: Sequence[str]
    seed: int

    def at(self, number: int, position: int) -> str:
        """Return the arm of a position, from 0, in round `number`."""
        block, place = divmod(position, len(self.names))
        return sorted(self.names, key=lambda name: short_hash(self.seed, "arm", number, block, name))[place]


@dataclass(frozen=True)
class ArmCounts:
    """The workers drawn into an arm; of those who are not discarded the HITs that count, their tries, and the wins.

    What writers took back is no try, as in error rates.
    """

    workers: int
    hits: int
    tries: int
    wins: int


class Arms:
    """Queries on the draws of arms."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def drawn(self, campaign_id: str) -> Mapping[tuple[int, str], str]:
        """Return the arm of each worker by round and worker, in the order of the draws."""
        table = arm_draws
        query = sa.select(table.c.round, table.c.worker, table.c.arm).where(table.c.campaign_id == campaign_id)
        with self._database.reading() as connection:
            rows = connection.execute(query.order_by(table.c.round, table.c.position)).all()
        return {(row.round, row.worker): row.arm for row in rows}

    def counts(self, campaign_id: str, number: int, without: Collection[str] = ()) -> dict[str, ArmCounts]:
        """Return the counts of a round by arm, without the work of the revoked, and of those who are named."""
        kept = sa.and_(attempts.c.assignment_id == assignments.c.id, attempts.c.retracted_at.is_(None))
        tried = sa.select(sa.func.count()).where(kept).correlate(assignments)
        numbers = (tried, tried.where(attempts.c.fooled.is_(True)))
        sums = (sa.func.sum(each.scalar_subquery()) for each in numbers)
        counting = sa.select(assignments.c.arm, assignments.c.worker, sa.func.count(), *sums).where(
            assignments.c.campaign_id == campaign_id,
            assignments.c.round == number,
            assignments.c.arm.is_not(None),
            assignments.c.confirmed_at.is_not(None),
            assignments.c.worker.not_in(discarded(campaign_id)),
        )
        drawn = sa.select(arm_draws.c.arm, sa.func.count()).filter_by(campaign_id=campaign_id, round=number)
        with self._database.reading() as connection:
            workers = {row[0]: row[1] for row in connection.execute(drawn.group_by(arm_draws.c.arm))}
            rows = connection.execute(counting.group_by(assignments.c.arm, assignments.c.worker)).all()
        found: dict[str, list[int]] = {name: [0, 0, 0] for name in workers}
        for name, worker, *more in rows:
            if worker not in without:
                found[name] = [one + int(other) for one, other in zip(found[name], more, strict=True)]
        return {name: ArmCounts(workers[name], *of_arm) for name, of_arm in found.items()}


def draw(connection: sa.Connection, campaign_id: str, number: int, worker: str, blocks: ArmBlocks, at: datetime) -> str:
    """Return the worker's arm of a round, which is drawn if there is none yet."""
    of_round = {"campaign": campaign_id, "number": number}
    mine = {**of_round, "who": worker}
    if (known := connection.scalar(_MINE, mine)) is not None:
        return str(known)
    lock_campaign(connection, campaign_id)  # one draw at a time, on whatever machine
    if (known := connection.scalar(_MINE, mine)) is not None:
        return str(known)
    position = _first_free(connection.scalars(_POSITIONS, of_round).all())
    row = {"campaign_id": campaign_id, "round": number, "worker": worker, "position": position, "at": at}
    arm = blocks.at(number, position)
    connection.execute(sa.insert(arm_draws).values(**row, arm=arm))
    return arm


def _first_free(taken: Sequence[int]) -> int:
    return next((free for free, position in enumerate(taken) if free != position), len(taken))
