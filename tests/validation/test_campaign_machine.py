"""Random campaigns: whatever writers and validators do, and in whatever order, the invariants hold."""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from beat_the_ai.errors import Refused
from beat_the_ai.kinds.nli.labels import LABELS
from beat_the_ai.kinds.nli.verification import Verification
from beat_the_ai.kinds.reading_comprehension.answerability import Answerability
from beat_the_ai.rules.adjudication import Outcome, Validity
from beat_the_ai.rules.checking import Checking
from beat_the_ai.rules.protocol import Context
from beat_the_ai.store import now, open_store, tables
from beat_the_ai.validation import ValidationDesk, results
from tests.examples import examples
from tests.reading_comprehension import RULINGS
from tests.validation.recount import adjudicated, recounted
from tests.validation.written import ANSWERS, items, new_campaign, new_desk, passages, span, write

WORKERS = ["ann", "ben", "cleo", "dan", "eve"]
worker_names = st.sampled_from(WORKERS)


def hypothesis(name: str, target: str) -> dict[str, Any]:
    return {"hypothesis": f"Hypothesis {name}.", "target": target}


def premises(number: int) -> list[Context]:
    gold = [{"text": f"Gold {label}.", "label": label, "gold": True} for label in LABELS]
    return [Context(f"mill/{index}", "Mora built a mill.", "The mill", {"hypotheses": gold}) for index in range(number)]


def says(worker: str, attempt: str | None) -> dict[str, Any]:
    """What this worker would answer to that question, whenever asked."""
    rng = random.Random(f"{worker}/{attempt}")
    return {"answer": None if rng.random() < 0.3 else span(rng.choice(ANSWERS))}


class CampaignMachine(RuleBasedStateMachine):
    """Reading comprehension: the full number of votes is asked for at once."""

    adaptive = False
    asks_at_once = True
    checking: Checking = Answerability()

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.store = open_store(str(Path(self.folder.name) / "store.db"))
        self.campaign = new_campaign(self.store, self.contexts())
        self.desk: ValidationDesk = new_desk(
            self.store,
            self.campaign,
            self.checking,
            desk={"without": self.revoked},
            works_per_hit=3,
            gold_per_hit=1,
            adaptive=self.adaptive,
        )
        self.reinstated: set[str] = set()
        self.slots = [(f"mill/{index}", slot) for slot in range(4) for index in range(3)]
        self.open: list[tuple[str, str]] = []
        self.hits = 0

    def teardown(self) -> None:
        self.store.close()
        self.folder.cleanup()

    def contexts(self) -> list[Context]:
        return passages(3)

    def writes(self, context: str, writer: str, number: int, slot: int) -> None:
        write(self.store, context, writer, ANSWERS[:number], slot=slot)

    def votes(self, worker: str, attempt: str | None) -> dict[str, Any]:
        return says(worker, attempt)

    def revoked(self) -> set[str]:
        return self.store.standings.discarded("pilot")

    def outcomes(self) -> dict[str, Outcome]:
        """Return what exports and reports read."""
        snapshot = adjudicated(self.store, "pilot", {1: self.checking}, adaptive=self.adaptive)
        kept = {work.attempt_id: work.adjudication for work in snapshot.outcomes}
        assert kept == recounted(self.store, "pilot", {1: self.checking})
        return results(snapshot, {1: self.checking}, self.revoked())

    @rule(writer=worker_names, questions=st.integers(1, 4))
    def write(self, writer: str, questions: int) -> None:
        if self.slots:
            context, slot = self.slots.pop(0)
            self.writes(context, writer, questions, slot)

    @rule(worker=worker_names)
    def accept(self, worker: str) -> None:
        self.hits += 1
        could = self.desk.has_work(worker)
        try:
            made = self.desk.accept(f"h{self.hits}", worker, "r")
        except Refused:
            assert not could
        else:
            assert could
            self.open.append((worker, made.id))

    @rule(data=st.data())
    def answer_some(self, data: st.DataObject) -> None:
        if self.open:
            worker, assignment = data.draw(st.sampled_from(self.open))
            for item in items(self.desk, assignment):
                if data.draw(st.booleans()):
                    self.desk.vote(assignment, item.id, "k", self.votes(worker, item.attempt_id))

    @rule(worker=worker_names)
    def revoke_or_reinstate(self, worker: str) -> None:
        standing = "qualified" if worker in self.revoked() else "revoked"
        if standing == "qualified":
            self.reinstated.add(worker)
        self.store.standings.add("pilot", worker, standing, by="ann", reason="seen", at=now())

    @rule(data=st.data(), submitted=st.booleans())
    def leave(self, data: st.DataObject, submitted: bool) -> None:
        if self.open:
            one = data.draw(st.sampled_from(self.open))
            self.open.remove(one)
            (self.desk.finish if submitted else self.desk.release)(one[1])

    @invariant()
    def the_leader_board_counts_verified_wins(self) -> None:
        self.outcomes()
        counted = Counter(one for each in self.store.board.results("pilot", WORKERS).values() for one in each)
        with self.store.database.reading() as connection:
            final = connection.scalar(sa.select(sa.func.count()).select_from(tables.works).filter_by(settled=True))
        assert counted[True] == len(self.store.works.confirmed("pilot"))
        assert counted[True] + counted[False] == final

    @invariant()
    def validators_are_others_and_distinct_and_not_too_many(self) -> None:
        for each in self.outcomes().values():
            workers = Counter(vote.worker for vote in each.votes)
            assert each.writer not in workers
            assert set(workers.values()) <= {1}
            assert len(workers.keys() - self.reinstated) <= self.checking.most_votes
        for placed in self.store.validations.snapshot("pilot").placed:
            assert (placed.item.gold is None) != (placed.item.attempt_id is None)

    @invariant()
    def what_is_kept_of_works_is_what_all_votes_say(self) -> None:
        self.desk.needs()
        found = self.outcomes()
        of_others = tables.works.c.writer.not_in(self.revoked())
        with self.store.database.reading() as connection:
            rows = {row.attempt_id: row for row in connection.execute(sa.select(tables.works).where(of_others))}
        assert {name: (row.status, row.kept, row.settled, row.votes) for name, row in rows.items()} == {
            name: (each.adjudication.status, each.adjudication.kept, each.adjudication.settled, len(each.votes))
            for name, each in found.items()
        }

    @invariant()
    def what_is_wanted_pending_and_there_makes_up_the_number(self) -> None:
        for need in self.desk.needs():
            total = need.votes + len(need.holders) + need.missing
            assert total == self.checking.most_votes or need.missing == 0 or not self.asks_at_once

    @invariant()
    def the_desk_wants_a_vote_exactly_when_the_export_says_undecided(self) -> None:
        needs, outcomes = self.desk.needs(), self.outcomes()
        undecided = {name for name, each in outcomes.items() if each.validity is Validity.UNDECIDED}
        wanted = {need.attempt_id for need in needs if need.wanted}
        assert undecided <= wanted
        assert all(outcomes[name].adjudication.votes_needed and not self.adaptive for name in wanted - undecided)
        nobody_is_at_it = {need.attempt_id for need in needs if need.missing}
        assert self.desk.has_work("anew") == bool(nobody_is_at_it)
        assert bool(self.desk.hits_wanted()) == bool(nobody_is_at_it)
        assert not (undecided and self.desk.complete())


class AdaptiveCampaignMachine(CampaignMachine):
    adaptive = True
    asks_at_once = False


class VerifiedCampaignMachine(CampaignMachine):
    """Natural language inference: two verifiers, and a third where they disagree."""

    checking = Verification()
    asks_at_once = False

    def contexts(self) -> list[Context]:
        return premises(3)

    def writes(self, context: str, writer: str, number: int, slot: int) -> None:
        targets, prediction = [LABELS[each % 3] for each in range(number)], {"label": LABELS[(number + 1) % 3]}
        write(self.store, context, writer, targets, slot=slot, work=hypothesis, prediction=prediction)

    def votes(self, worker: str, attempt: str | None) -> dict[str, Any]:
        label = random.Random(f"{worker}/{attempt}").choice([*LABELS, None])
        return {"label": label, "flag": "other" if label is None else None}


machine_settings = settings(
    max_examples=examples(4, 700), stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
)
TestCampaign = CampaignMachine.TestCase
TestCampaign.settings = machine_settings
TestAdaptiveCampaign = AdaptiveCampaignMachine.TestCase
TestAdaptiveCampaign.settings = machine_settings
TestVerifiedCampaign = VerifiedCampaignMachine.TestCase
TestVerifiedCampaign.settings = machine_settings


def validated(tmp: Path, order: list[str], *, adaptive: bool) -> dict[str, tuple[str, int]]:
    """Statuses and numbers of votes when the validators come one after the other in this order."""
    store = open_store(str(tmp / "store.db"))
    try:
        campaign = new_campaign(store)
        for place, writer in enumerate(WORKERS[:3]):
            write(store, f"mill/{place}", writer, ANSWERS[:4])
        desk = new_desk(store, campaign, works_per_hit=12, adaptive=adaptive)
        for worker in order:
            if desk.has_work(worker):
                assignment = desk.accept(f"h {worker}", worker, "r")
                for item in items(desk, assignment.id):
                    desk.vote(assignment.id, item.id, "k", says(worker, item.attempt_id))
                desk.finish(assignment.id)
        assert desk.complete()
        return {
            name: (each.adjudication.status, len(each.votes))
            for name, each in results(adjudicated(store, campaign.id, RULINGS), RULINGS).items()
        }
    finally:
        store.close()


@settings(max_examples=examples(3, 50), deadline=None)
@given(order=st.permutations([*WORKERS, "fay"]))
def test_an_adaptive_stop_saves_votes_and_changes_no_status(order: list[str]) -> None:
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        full = validated(Path(one), order, adaptive=False)
        stopped = validated(Path(other), order, adaptive=True)
    assert {name: status for name, (status, _) in stopped.items()} == {
        name: status for name, (status, _) in full.items()
    }
    assert {votes for _, votes in full.values()} == {3}
    for name, (status, votes) in stopped.items():
        assert votes <= 3
        assert votes == 3 or status == "answerable", name


def test_an_answer_depends_on_worker_and_question_alone() -> None:
    assert says("ann", "a") == says("ann", "a")
    with pytest.raises(ValueError, match="substring"):
        span("not there")
