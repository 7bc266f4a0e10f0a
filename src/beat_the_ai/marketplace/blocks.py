"""Workers whom a requester has blocked from its HITs."""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa

from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.pages import Page, PageRequest, fetch, page_of
from beat_the_ai.marketplace.tables import blocks
from beat_the_ai.marketplace.workers import get_worker


@dataclass(frozen=True)
class Block:
    worker_id: str
    reason: str


def block(moment: Moment, requester_id: str, worker_id: str, reason: str) -> None:
    """A second block replaces the reason of the first. The worker never sees it [doc]."""
    get_worker(moment, worker_id)
    unblock(moment, requester_id, worker_id)
    row = {"requester_id": requester_id, "worker_id": worker_id, "reason": reason}
    moment.connection.execute(sa.insert(blocks).values(row))


def unblock(moment: Moment, requester_id: str, worker_id: str) -> None:
    """Unblock a worker; nothing happens if the worker is not blocked [doc]."""
    moment.connection.execute(sa.delete(blocks).filter_by(requester_id=requester_id, worker_id=worker_id))


def is_blocked(moment: Moment, requester_id: str, worker_id: str) -> bool:
    query = sa.select(blocks.c.worker_id).filter_by(requester_id=requester_id, worker_id=worker_id)
    return moment.connection.scalar(query) is not None


def list_blocks(moment: Moment, requester_id: str, asked: PageRequest) -> Page[Block]:
    query = sa.select(blocks.c.worker_id, blocks.c.reason).filter_by(requester_id=requester_id)
    rows = fetch(moment, query, blocks.c.worker_id, asked, newest_first=False)
    return page_of([Block(row.worker_id, row.reason) for row in rows], [row.worker_id for row in rows])
