"""The draw of a round's arms: one for each worker, in permuted blocks, in the transaction of the worker's first HIT.

A block has each arm once, twice or three times. Its size and order follow from seed, round and block alone. So at any
time the numbers of workers in two arms differ by at most `MOST_IN_BLOCK`, and whoever knows the arms of all earlier
workers, but not the seed, seldom knows the next arm. With blocks of one size the last of each block would be known.
The position that an erased worker leaves in a block is the next to be drawn.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count, product

import sqlalchemy as sa

from beat_the_ai.databases import Database
from beat_the_ai.rules.ids import short_hash
from beat_the_ai.store.discards import discarded
from beat_the_ai.store.locks import lock_campaign
from beat_the_ai.store.tables import arm_draws, assignments, attempts

MOST_IN_BLOCK = 3

_MINE = sa.select(arm_draws.c.arm).where(
    arm_draws.c.campaign_id == sa.bindparam("campaign"),
    arm_draws.c.round == sa.bindparam("number"),
    arm_draws.c.worker == sa.bindparam("who"),
)
_POSITIONS = (
    sa.select(arm_draws.c.position, arm_draws.c.most_in_block)
    .where(arm_draws.c.campaign_id == sa.bindparam("campaign"), arm_draws.c.round == sa.bindparam("number"))
    .order_by(arm_draws.c.position)
)


@dataclass(frozen=True)
class ArmBlocks:
    """The arms of a round, and the seed by which blocks of them are permuted."""

    names: Sequence[str]
    seed: int

    def at(self, number: int, position: int, most_in_block: int = MOST_IN_BLOCK) -> str:
        """Return the arm of a position, from 0, in round `number`; a block has each arm `most_in_block` times at most.

        With 1 the order is that of campaigns that began when each block had each arm once.
        """
        for block in count():
            places = self._places(number, block, most_in_block)
            if position < len(places):
                return places[position]
            position -= len(places)
        raise AssertionError("there is always another block")

    def _places(self, number: int, block: int, most_in_block: int) -> Sequence[str]:
        times = 1 + int(short_hash(self.seed, "arms in a block", number, block), 16) % most_in_block
        places = product(self.names, range(times))

        def drawn(place: tuple[str, int]) -> str:
            name, again = place
            return short_hash(self.seed, "arm", number, block, name, *range(again))

        return [name for name, _ in sorted(places, key=drawn)]


@dataclass(frozen=True)
class ArmCounts:
    """The workers drawn into an arm; of those who are not discarded the HITs that count, and by writer wins and tries.

    What writers took back is no try, as in error rates.
    """

    workers: int
    hits: int = 0
    by_writer: Mapping[str, tuple[int, int]] = field(default_factory=dict)


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
        numbers = (tried.where(attempts.c.fooled.is_(True)), tried)
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
        hits, by_writer = Counter[str](), defaultdict[str, dict[str, tuple[int, int]]](dict)
        for name, worker, of_worker, wins, tries in rows:
            if worker not in without:
                hits[name] += of_worker
                by_writer[name][worker] = int(wins), int(tries)
        return {name: ArmCounts(drawn_into, hits[name], by_writer[name]) for name, drawn_into in workers.items()}


def draw(connection: sa.Connection, campaign_id: str, number: int, worker: str, blocks: ArmBlocks, at: datetime) -> str:
    """Return the worker's arm of a round, which is drawn if there is none yet."""
    of_round = {"campaign": campaign_id, "number": number}
    mine = {**of_round, "who": worker}
    if (known := connection.scalar(_MINE, mine)) is not None:
        return str(known)
    lock_campaign(connection, campaign_id)  # one draw at a time, on whatever machine
    if (known := connection.scalar(_MINE, mine)) is not None:
        return str(known)
    drawn = connection.execute(_POSITIONS, of_round).all()
    position = _first_free([row.position for row in drawn])
    most = drawn[0].most_in_block if drawn else MOST_IN_BLOCK  # a round that began with other blocks goes on with them
    arm = blocks.at(number, position, most)
    row = {"campaign_id": campaign_id, "round": number, "worker": worker, "position": position, "at": at}
    connection.execute(sa.insert(arm_draws).values(**row, arm=arm, most_in_block=most))
    return arm


def _first_free(taken: Sequence[int]) -> int:
    return next((free for free, position in enumerate(taken) if free != position), len(taken))
