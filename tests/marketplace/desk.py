"""A requester at a marketplace in this process: operations by name, checked like those that come over the network."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from beat_the_ai.marketplace import requesters
from beat_the_ai.marketplace.api.operations import OPERATIONS, Call
from beat_the_ai.marketplace.api.service_model import operation_model
from beat_the_ai.marketplace.api.validation import read_members, read_request
from beat_the_ai.marketplace.market import Market
from beat_the_ai.marketplace.notifications import NO_ENDPOINTS
from beat_the_ai.marketplace.tables import metadata
from beat_the_ai.marketplace.workers import Worker, add_worker
from tests.marketplace.rehearsal import HIT


@dataclass
class Desk:
    market: Market
    requester_id: str

    @classmethod
    def opened(cls, market: Market, name: str = "lab", cents: int = 10_000) -> Desk:
        with market.writing() as moment:
            requester, _ = requesters.add_requester(moment, name, cents)
        return cls(market, requester.id)

    def ask(self, name: str, **members: Any) -> Any:
        """The reply's members. Raises as the marketplace does."""
        model = operation_model(name)
        written = {key: value.timestamp() if isinstance(value, datetime) else value for key, value in members.items()}
        given, operation = read_request(model, json.dumps(written).encode()), OPERATIONS[name]
        with self.market.writing() if operation.writes else self.market.reading() as moment:
            reply = json.loads(json.dumps(operation.answer(Call(moment, self.requester_id, NO_ENDPOINTS), given)))
        if model.output_shape is not None:
            read_members(model.output_shape, reply, name)
        return reply

    def new_hit(self, **changes: Any) -> str:
        return str(self.ask("CreateHIT", **{**HIT, **changes})["HIT"]["HITId"])

    def hit(self, hit_id: str) -> Any:
        return self.ask("GetHIT", HITId=hit_id)["HIT"]

    @property
    def balance(self) -> tuple[str, str]:
        found = self.ask("GetAccountBalance")
        return found["AvailableBalance"], found["OnHoldBalance"]


def new_worker(market: Market, worker_id: str = "AWORKER") -> str:
    with market.writing() as moment:
        return add_worker(moment, Worker(worker_id, "US")).id


def rows(market: Market, table: str, **where: Any) -> list[Any]:
    with market.reading() as moment:
        return list(moment.connection.execute(sa.select(metadata.tables[table]).filter_by(**where)))


def check_ledger(market: Market) -> None:
    """Every balance is what came in less what went out; together they are nothing; none but `outside` is below zero."""
    accounts = {account.name: account.cents for account in rows(market, "accounts")}
    expected = dict.fromkeys(accounts, 0)
    for entry in rows(market, "transfers"):
        expected[entry.source] -= entry.cents
        expected[entry.target] += entry.cents
    assert accounts == expected
    assert sum(accounts.values()) == 0
    assert all(cents >= 0 for name, cents in accounts.items() if name != "outside")


def check_hits(market: Market) -> None:
    """Counts, states and held money of every HIT follow from its assignments."""
    now, held = market.clock.now(), dict[str, int]()
    for hit in rows(market, "hits"):
        of_hit = [one.status for one in rows(market, "assignments", hit_id=hit.id)]
        pending, submitted = of_hit.count("Accepted"), of_hit.count("Submitted")
        completed = of_hit.count("Approved") + of_hit.count("Rejected")
        assert (hit.pending, hit.submitted, hit.completed) == (pending, submitted, completed)
        free = hit.max_assignments - pending - submitted - completed
        assert free >= 0
        expired = hit.expires_at <= now
        if hit.status == "Disposed":
            assert pending == submitted == hit.held_cents == 0
            continue
        allowed = (
            {"Assignable"} if free and not expired else {"Unassignable"} if pending else {"Reviewable", "Reviewing"}
        )
        assert hit.status in allowed
        payable = pending + submitted + (0 if expired else free)
        assert hit.held_cents == payable * (hit.reward_cents + hit.fee_cents)
        held[hit.requester_id] = held.get(hit.requester_id, 0) + hit.held_cents
    for account in rows(market, "accounts"):
        if account.name.endswith(":held"):
            assert account.cents == held.get(account.name.split(":")[1], 0)
    for hit_type in rows(market, "hit_types"):
        assert hit_type.assignable_hits == len(rows(market, "hits", hit_type_id=hit_type.id, status="Assignable"))
        assert hit_type.offered == (hit_type.assignable_hits > 0)
