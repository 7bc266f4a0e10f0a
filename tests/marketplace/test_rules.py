"""Requesters, workers, time and lost replies in any order: money is conserved, nothing paid twice, states legal."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule

from beat_the_ai.errors import Refused
from beat_the_ai.marketplace.clock import FrozenClock
from beat_the_ai.marketplace.errors import RequestFailed
from beat_the_ai.marketplace.market import open_market
from beat_the_ai.marketplace.workplace import Workplace
from tests.examples import examples
from tests.marketplace.desk import Desk, check_hits, check_ledger, new_worker, rows

START = datetime(2026, 1, 1, tzinfo=timezone.utc)
LEGAL = {
    "Accepted": {"Accepted", "Submitted", "Approved", "Rejected", "Returned", "Abandoned"},
    "Submitted": {"Submitted", "Approved", "Rejected"},
    "Rejected": {"Rejected", "Approved"},
    "Approved": {"Approved"},
    "Returned": {"Returned"},
    "Abandoned": {"Abandoned"},
}


class MarketRules(RuleBasedStateMachine):
    hits = Bundle("hits")
    assignments = Bundle("assignments")
    bonus_calls = Bundle("bonus_calls")

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.clock = FrozenClock(START)
        self.market = open_market(f"sqlite:///{self.folder.name}/market.db", self.clock)
        self.workplace = Workplace(self.market)
        self.seen: dict[str, str] = {}
        self.tokens: dict[str, datetime] = {}

    def teardown(self) -> None:
        self.market.close()
        self.folder.cleanup()

    @initialize()
    def people(self) -> None:
        self.desk = Desk.opened(self.market, "lab", cents=3_000)
        self.workers = [new_worker(self.market, f"AWORKER{number}") for number in range(3)]

    def ask(self, name: str, **members: Any) -> Any:
        """A refusal is an answer like any other."""
        return self.attempt(lambda: self.desk.ask(name, **members))

    @staticmethod
    def attempt(act: Callable[[], Any]) -> Any:
        try:
            return act()
        except (Refused, RequestFailed):
            return None

    @rule(
        target=hits,
        slots=st.sampled_from([1, 2, 10]),
        cents=st.integers(0, 120),
        lifetime=st.sampled_from([30, 7200, 40 * 86_400]),
        delay=st.sampled_from([0, 600, 2_592_000]),
    )
    def offer(self, slots: int, cents: int, lifetime: int, delay: int) -> str:
        changes = {"MaxAssignments": slots, "Reward": f"{cents / 100:.2f}", "LifetimeInSeconds": lifetime}
        made = self.attempt(lambda: self.desk.new_hit(**changes, AutoApprovalDelayInSeconds=delay))
        return made or "3NOTHING"

    @rule(target=assignments, hit_id=hits, worker=st.integers(0, 2))
    def accept(self, hit_id: str, worker: int) -> tuple[str, str]:
        worker_id = self.workers[worker]
        made = self.attempt(lambda: self.workplace.accept(worker_id, hit_id))
        return (made.id if made else "3NOTHING"), worker_id

    @rule(target=assignments, hit_id=hits, worker=st.integers(0, 2))
    def accept_and_submit(self, hit_id: str, worker: int) -> tuple[str, str]:
        assignment_id, worker_id = self.accept(hit_id, worker)
        self.attempt(lambda: self.workplace.submit(worker_id, assignment_id, [("q", "a")]))
        return assignment_id, worker_id

    @rule(taken=assignments)
    def submit(self, taken: tuple[str, str]) -> None:
        self.attempt(lambda: self.workplace.submit(taken[1], taken[0], [("q", "a")]))

    @rule(taken=assignments)
    def give_back(self, taken: tuple[str, str]) -> None:
        self.attempt(lambda: self.workplace.give_back(taken[1], taken[0]))

    @rule(taken=assignments, override=st.booleans())
    def approve(self, taken: tuple[str, str], override: bool) -> None:
        """Sent twice, as after a lost reply."""
        for _ in range(2):
            self.ask("ApproveAssignment", AssignmentId=taken[0], OverrideRejection=override)

    @rule(taken=assignments)
    def reject(self, taken: tuple[str, str]) -> None:
        self.ask("RejectAssignment", AssignmentId=taken[0], RequesterFeedback="no")

    @rule(target=bonus_calls, taken=assignments, cents=st.integers(1, 200), token=st.uuids())
    def send_bonus(self, taken: tuple[str, str], cents: int, token: Any) -> dict[str, str]:
        call = {"WorkerId": taken[1], "AssignmentId": taken[0], "BonusAmount": f"{cents / 100:.2f}"}
        call |= {"Reason": str(token), "UniqueRequestToken": str(token)}
        self.repeat_bonus(call)
        return call

    @rule(call=bonus_calls)
    def repeat_bonus(self, call: dict[str, str]) -> None:
        """The reply was lost; within a day the same token pays nothing more."""
        if self.ask("SendBonus", **call) is not None:
            token = call["UniqueRequestToken"]
            last = self.tokens.get(token)
            assert last is None or self.clock.now() - last >= timedelta(hours=24)
            self.tokens[token] = self.clock.now()

    @rule(hit_id=hits, more=st.sampled_from([1, 8]))
    def add_assignments(self, hit_id: str, more: int) -> None:
        self.ask("CreateAdditionalAssignmentsForHIT", HITId=hit_id, NumberOfAdditionalAssignments=more)

    @rule(hit_id=hits, seconds=st.sampled_from([-86_400, 0, 60, 86_400]))
    def move_expiry(self, hit_id: str, seconds: int) -> None:
        self.ask("UpdateExpirationForHIT", HITId=hit_id, ExpireAt=self.clock.now() + timedelta(seconds=seconds))

    @rule(hit_id=hits, revert=st.booleans())
    def review(self, hit_id: str, revert: bool) -> None:
        self.ask("UpdateHITReviewStatus", HITId=hit_id, Revert=revert)

    @rule(hit_id=hits, other=hits)
    def move_type(self, hit_id: str, other: str) -> None:
        found = self.ask("GetHIT", HITId=other)
        if found:
            self.ask("UpdateHITTypeOfHIT", HITId=hit_id, HITTypeId=found["HIT"]["HITTypeId"])

    @rule(hit_id=hits)
    def delete(self, hit_id: str) -> None:
        self.ask("DeleteHIT", HITId=hit_id)

    @rule(seconds=st.sampled_from([1, 60, 3_600, 86_400, 40 * 86_400, 130 * 86_400]))
    def time_passes(self, seconds: int) -> None:
        self.clock.advance(timedelta(seconds=seconds))

    @invariant()
    def money_is_conserved(self) -> None:
        with self.market.writing():
            pass  # everything due has happened
        check_ledger(self.market)
        check_hits(self.market)

    @invariant()
    def work_is_paid_once(self) -> None:
        paid = [entry.subject for entry in rows(self.market, "transfers", kind="reward")]
        assert len(paid) == len(set(paid))
        worked = rows(self.market, "assignments")
        fees = {entry.subject for entry in rows(self.market, "transfers", kind="reward_fee")}
        assert fees == {one.id for one in worked if one.status == "Approved"}  # a reward of nothing has its fee too
        assert set(paid) <= fees
        for one in worked:
            assert one.status in LEGAL[self.seen.get(one.id, one.status)]
            self.seen[one.id] = one.status


MarketRules.TestCase.settings = settings(
    max_examples=examples(15),
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
TestMarketRules = MarketRules.TestCase
