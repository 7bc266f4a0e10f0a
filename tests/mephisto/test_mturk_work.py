"""Workers on a real marketplace: what they accept, return and submit, and what the requester decides."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import httpx
import pytest

from beat_the_ai.errors import Declined, InvalidInput, Refused
from beat_the_ai.marketplace.assignments import Assignment
from beat_the_ai.mephisto.mturk import CampaignProvider, final_data, survey
from beat_the_ai.mephisto.mturk.confirmation import NEVER_ARRIVED
from beat_the_ai.mephisto.mturk.unit import CampaignUnit
from beat_the_ai.mephisto.procedures import ProcedureRunner
from beat_the_ai.mephisto.shim import Agent, AgentState, AssignmentState, Unit
from beat_the_ai.requester import Requester
from beat_the_ai.rules.deadlines import HAND_IN_GRACE
from beat_the_ai.rules.stage import Stage
from beat_the_ai.simulation.page import PageClient
from beat_the_ai.writing import WritingDesk
from tests.marketplace.rehearsal import Rehearsal, store_in
from tests.mephisto.mturk_rig import accept, page, serving, signed, use
from tests.mephisto.rig import QUESTIONS, Serving, in_thread
from tests.mephisto.wire import PATIENCE_SECONDS, wait_until


@pytest.fixture(scope="module")
def rehearsal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rehearsal]:
    with Rehearsal.started(store_in(tmp_path_factory.mktemp("market"))) as running:
        yield running


@pytest.fixture
def marketplace(rehearsal: Rehearsal, monkeypatch: pytest.MonkeyPatch) -> Iterator[Requester]:
    requester = use(monkeypatch, rehearsal)
    yield requester
    rehearsal.control("faults", {"rules": []})
    requester.close()


def run(work: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(asyncio.wait_for(work, 2 * PATIENCE_SECONDS))


def client() -> httpx.AsyncClient:
    return httpx.AsyncClient(trust_env=False)


def open_hits(marketplace: Requester) -> list[str]:
    return [hit.id for hit in survey(marketplace, "pilot").hits if hit.state == "open"]


def agents(run: Serving) -> list[Agent]:
    assert run.operator._live_run is not None
    live_run = run.operator._live_run
    found = run.operator.db.find_agents(task_run_id=live_run.task_run.db_id)
    return [live_run.worker_pool.get_agent_for_id(agent.db_id) for agent in found]


async def registered(run: Serving, number: int) -> list[Agent]:
    """So many, the last of them at work: a page hears of its agent a moment before the pool and its thread do."""

    def is_at_work() -> bool:
        known = agents(run)
        return len(known) >= number and known[-1].get_status() == AgentState.STATUS_IN_TASK

    await until(is_at_work, f"the pool has {number} agents, and the last one is at work")
    return agents(run)


def reconcile(run: Serving) -> None:
    assert run.operator._live_run is not None
    run.operator._live_run.provider.reconcile(run.operator._live_run, run.url)


def submit(rehearsal: Rehearsal, assignment: Assignment, final: str) -> None:
    with rehearsal.workplace() as workplace:
        workplace.submit(assignment.worker_id, assignment.id, [("final", final)])


async def until(condition: Callable[[], object], what: str) -> None:
    await asyncio.to_thread(wait_until, condition, what)


async def work(run: Serving, rehearsal: Rehearsal, assignment: Assignment) -> None:
    """Ask a question, submit to the campaign and then to the marketplace."""
    async with client() as http, page(run.url, http, assignment) as worker:
        given = {"attempt_key": "k", "context_id": worker.init_data["context"]["id"], "work": QUESTIONS[0]}
        await worker.call("submit_attempt", given)
        await worker.submit({"feedback": "nice"})
        await until(lambda: any(a.get_status() == AgentState.STATUS_COMPLETED for a in agents(run)), "it is done")
    await asyncio.to_thread(submit, rehearsal, assignment, json.dumps({"feedback": "nice"}))


def submissions(marketplace: Requester) -> list[dict[str, Any]]:
    return [found for hit in marketplace.hits() for found in marketplace.assignments(hit["HITId"])]


def in_campaign(folder: Path, action: Callable[[Serving], Awaitable[None]], **options: Any) -> None:
    async def act() -> None:
        async with in_thread(serving(folder, **options)) as running:
            await action(running)

    run(act())


def test_a_worker_accepts_writes_and_submits_and_is_approved(
    marketplace: Requester, rehearsal: Rehearsal, tmp_path: Path
) -> None:
    async def action(running: Serving) -> None:
        assignment = accept(rehearsal, rehearsal.new_worker(), open_hits(marketplace)[1])
        await work(running, rehearsal, assignment)
        [(worker, _, _)] = running.attempts()
        assert worker == assignment.worker_id

        found = survey(marketplace, "pilot")
        assert found.counts() == {"open": 2, "accepted": 0, "submitted": 1, "decided": 0, "expired": 0}
        [submission] = submissions(marketplace)
        [row] = running.store.attempts.of_campaign("pilot")
        assert f"{submission['AssignmentId']}-{submission['WorkerId']}" == row.assignment.registration
        assert final_data(submission["Answer"]) == {"feedback": "nice"}

        [agent] = agents(running)
        unit = agent.get_unit()
        assert unit.get_mturk_assignment_id() == assignment.id
        assert unit.get_mturk_hit_id() == assignment.hit_id
        assert unit.get_status() == AssignmentState.COMPLETED
        await asyncio.to_thread(reconcile, running)
        assert len(survey(marketplace, "pilot").hits) == 3  # nothing was missing or too many
        assert len(open_hits(marketplace)) == 2

        rehearsal.control(
            "faults", {"rules": [{"kind": "lose_reply", "operations": ["ApproveAssignment"], "times": 1}]}
        )
        agent.approve_work()
        assert agent.get_status() == AgentState.STATUS_APPROVED
        marketplace.approve(assignment.id)
        assert survey(marketplace, "pilot").counts()["decided"] == 1
        assert [one["AssignmentStatus"] for one in submissions(marketplace)] == ["Approved"]
        with pytest.raises(Refused):
            agent.reject_work("no")

    in_campaign(tmp_path / "run", action)


def test_the_time_of_a_hit_begins_when_the_crowd_gives_it_and_goes_on_while_the_operator_is_away(
    marketplace: Requester, rehearsal: Rehearsal, tmp_path: Path
) -> None:
    """Some workers accept many HITs, and open the pages one after the other."""
    assignment = None
    late_seconds = 1800

    async def action(running: Serving) -> None:
        nonlocal assignment
        if assignment is None:
            assignment = accept(rehearsal, rehearsal.new_worker(), open_hits(marketplace)[0])
        whole = running.desk.terms.time_limit_seconds
        async with client() as http, page(running.url, http, assignment, **signed(assignment, late_seconds)) as worker:
            state = await worker.call("state", {})
            assert whole - late_seconds - 60 < state["hit"]["seconds_left"] <= whole - late_seconds + 1
            [agent] = await registered(running, 1)
        assert running.operator._live_run is not None
        left = running.operator._live_run.task_runner._seconds_left(agent) - HAND_IN_GRACE.total_seconds()
        assert left == pytest.approx(whole - late_seconds, abs=60)

    for _ in range(2):
        in_campaign(tmp_path / "run", action, hits=1)


def test_a_hit_that_is_accepted_before_this_side_has_heard_of_it_is_served(
    marketplace: Requester, rehearsal: Rehearsal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that is offered in the course of the run, while pages register."""
    created, is_served = SimpleQueue[str](), threading.Event()
    create = Requester.create_hit

    def create_slowly(self: Requester, *args: Any) -> str:
        hit_id = create(self, *args)
        created.put(hit_id)
        assert is_served.wait(PATIENCE_SECONDS)
        return hit_id

    async def action(running: Serving) -> None:
        monkeypatch.setattr(Requester, "create_hit", create_slowly)
        lost = accept(rehearsal, rehearsal.new_worker(), open_hits(marketplace)[0])
        async with client() as http:
            async with page(running.url, http, lost) as worker:
                await try_in_vain(worker)
                await worker.submit({"feedback": ""})
            await asyncio.to_thread(submit, rehearsal, lost, json.dumps({"feedback": ""}))
            again = accept(rehearsal, rehearsal.new_worker(), await asyncio.to_thread(created.get))
            try:
                async with page(running.url, http, again) as worker:
                    assert worker.init_data["context"]["id"] == "rome/0"
            finally:
                is_served.set()

    in_campaign(tmp_path / "run", action, hits=1, reoffers=1)


def test_an_approval_that_failed_changes_nothing_here(
    marketplace: Requester, rehearsal: Rehearsal, tmp_path: Path
) -> None:
    async def action(running: Serving) -> None:
        assignment = accept(rehearsal, rehearsal.new_worker(), open_hits(marketplace)[0])
        async with client() as http, page(running.url, http, assignment):
            [agent] = await registered(running, 1)
            with pytest.raises(Declined):  # it was not submitted
                agent.approve_work()
            with pytest.raises(Declined):
                agent.reject_work("too early")
            assert agent.get_status() == AgentState.STATUS_IN_TASK

    in_campaign(tmp_path / "run", action)


def test_a_rejection_can_be_taken_back(marketplace: Requester, rehearsal: Rehearsal, tmp_path: Path) -> None:
    async def action(running: Serving) -> None:
        assignment = accept(rehearsal, rehearsal.new_worker(), open_hits(marketplace)[0])
        await work(running, rehearsal, assignment)
        [agent] = agents(running)
        agent.reject_work("empty")
        assert [one["AssignmentStatus"] for one in submissions(marketplace)] == ["Rejected"]
        agent.approve_work()
        assert [one["AssignmentStatus"] for one in submissions(marketplace)] == ["Approved"]

    in_campaign(tmp_path / "run", action)


def test_after_a_restart_unit_hit_and_assignment_still_go_together(
    marketplace: Requester, rehearsal: Rehearsal, tmp_path: Path
) -> None:
    taken: list[Assignment] = []

    async def begin(running: Serving) -> None:
        taken.append(accept(rehearsal, rehearsal.new_worker(), open_hits(marketplace)[2]))
        async with (
            client() as http,
            page(running.url, http, taken[0]) as first,
            page(running.url, http, taken[0]) as again,
        ):
            assert first.init_data == again.init_data

    async def end(running: Serving) -> None:
        [agent] = agents(running)
        assert agent.get_unit().get_mturk_assignment_id() == taken[0].id
        assert len(survey(marketplace, "pilot").hits) == 3
        await work(running, rehearsal, taken[0])
        agent.approve_work()
        assert survey(marketplace, "pilot").counts()["decided"] == 1

    in_campaign(tmp_path / "run", begin)
    in_campaign(tmp_path / "run", end)


@pytest.mark.parametrize(
    "change",
    [
        {"hit_id": "3XXXXXXXXXXXXXXXXXXXXXXXXXXXXX"},
        {"hit_id": "../../etc"},
        {"assignment_id": "ASSIGNMENT_ID_NOT_AVAILABLE"},
        {"agent_registration_id": "somebody-else"},
    ],
)
def test_a_page_that_is_not_of_this_run_gets_nothing(
    marketplace: Requester, rehearsal: Rehearsal, tmp_path: Path, change: dict[str, str]
) -> None:
    async def action(running: Serving) -> None:
        assignment = accept(rehearsal, rehearsal.new_worker(), open_hits(marketplace)[0])
        async with client() as http:
            with pytest.raises(Refused):
                async with page(running.url, http, assignment, **change):
                    pass
            async with page(running.url, http, assignment):  # and has taken nothing from the others
                pass

    in_campaign(tmp_path / "run", action, hits=1)


def test_a_returned_hit_goes_to_somebody_else(marketplace: Requester, rehearsal: Rehearsal, tmp_path: Path) -> None:
    async def action(running: Serving) -> None:
        [hit] = open_hits(marketplace)
        first = accept(rehearsal, rehearsal.new_worker(), hit)
        async with client() as http:
            async with page(running.url, http, first):
                await registered(running, 1)
                await asyncio.to_thread(reconcile, running)
                assert agents(running)[0].get_status() == AgentState.STATUS_IN_TASK
            with rehearsal.workplace() as workplace:
                workplace.give_back(first.worker_id, first.id)
            await asyncio.to_thread(reconcile, running)
            unit = agents(running)[0].get_unit()
            await until(lambda: unit.get_db_status() == AssignmentState.LAUNCHED, "the unit is free")
        await work(running, rehearsal, accept(rehearsal, rehearsal.new_worker(), hit))
        assert survey(marketplace, "pilot").counts()["submitted"] == 1
        assert len(survey(marketplace, "pilot").hits) == 1

    in_campaign(tmp_path / "run", action, hits=1)


def test_whoever_accepts_a_hit_that_was_just_given_back_takes_it_over(
    marketplace: Requester, rehearsal: Rehearsal, tmp_path: Path
) -> None:
    async def action(running: Serving) -> None:
        [hit] = open_hits(marketplace)
        first = accept(rehearsal, rehearsal.new_worker(), hit)
        async with client() as http, page(running.url, http, first):
            with rehearsal.workplace() as workplace:
                workplace.give_back(first.worker_id, first.id)
            second = accept(rehearsal, rehearsal.new_worker(), hit)
            async with page(running.url, http, second):
                assert [agent.get_status() for agent in await registered(running, 2)] == [
                    AgentState.STATUS_RETURNED,
                    AgentState.STATUS_IN_TASK,
                ]

    in_campaign(tmp_path / "run", action, hits=1)


def test_a_hit_that_somebody_else_has_submitted_is_not_the_first_workers(
    marketplace: Requester, rehearsal: Rehearsal, tmp_path: Path
) -> None:
    async def action(running: Serving) -> None:
        hit = open_hits(marketplace)[0]
        first = accept(rehearsal, rehearsal.new_worker(), hit)
        async with client() as http, page(running.url, http, first):
            with rehearsal.workplace() as workplace:
                workplace.give_back(first.worker_id, first.id)
            second = accept(rehearsal, rehearsal.new_worker(), hit)
            await asyncio.to_thread(submit, rehearsal, second, "{}")  # whose page never came here
            fault = {"kind": "insufficient_funds", "operations": ["ListAssignmentsForHIT"]}
            rehearsal.control("faults", {"rules": [fault]})  # any refusal will do
            await registered(running, 1)
            with pytest.raises(Declined):
                await asyncio.to_thread(reconcile, running)
            rehearsal.control("faults", {"rules": []})
            assert agents(running)[0].get_status() == AgentState.STATUS_IN_TASK
            await asyncio.to_thread(reconcile, running)
            assert agents(running)[0].get_status() == AgentState.STATUS_RETURNED
        assert running.submitted() == set()

    in_campaign(tmp_path / "run", action, hits=2)


def test_time_that_ran_out_gives_the_unit_free(marketplace: Requester, rehearsal: Rehearsal, tmp_path: Path) -> None:
    async def action(running: Serving) -> None:
        first = accept(rehearsal, rehearsal.new_worker(), open_hits(marketplace)[0])
        async with client() as http, page(running.url, http, first):
            await registered(running, 1)
        rehearsal.advance(hours=3)
        await asyncio.to_thread(reconcile, running)
        unit = agents(running)[0].get_unit()
        await until(lambda: unit.get_db_status() == AssignmentState.LAUNCHED, "the unit is free")

    in_campaign(tmp_path / "run", action, hits=1)


def test_a_submission_that_the_campaign_missed_is_taken_from_the_marketplace(
    marketplace: Requester, rehearsal: Rehearsal, tmp_path: Path
) -> None:
    async def action(running: Serving) -> None:
        assignment = accept(rehearsal, rehearsal.new_worker(), open_hits(marketplace)[0])
        async with client() as http, page(running.url, http, assignment) as worker:
            [agent] = await registered(running, 1)
            await try_in_vain(worker)
            await asyncio.to_thread(submit, rehearsal, assignment, json.dumps({"feedback": "over there"}))
            await asyncio.to_thread(reconcile, running)
            await until(lambda: agent.get_status() == AgentState.STATUS_COMPLETED, "it is taken over")
        await until(lambda: len(running.submitted()) == 1, "the crowd has confirmed it")
        assert len(survey(marketplace, "pilot").hits) == 1

    in_campaign(tmp_path / "run", action, hits=1)


def test_a_hit_that_was_used_up_without_work_is_offered_again(
    marketplace: Requester, rehearsal: Rehearsal, tmp_path: Path
) -> None:
    async def action(running: Serving) -> None:
        [hit] = open_hits(marketplace)
        assignment = accept(rehearsal, rehearsal.new_worker(), hit)
        async with client() as http, page(running.url, http, assignment):
            [agent] = await registered(running, 1)
            await asyncio.to_thread(submit, rehearsal, assignment, "no JSON")
            await asyncio.to_thread(reconcile, running)
            await until(lambda: agent.get_status() == AgentState.STATUS_COMPLETED, "it is handed in, with nothing")
        await until(lambda: len(units(running)) == 2, "the HIT goes to somebody else")
        with running.operator._offering:
            [more] = open_hits(marketplace)
        assert more != hit
        await work(running, rehearsal, accept(rehearsal, rehearsal.new_worker(), more))
        await until(lambda: running.submitted() == set(running.hits), "the crowd has confirmed it")
        await asyncio.to_thread(reconcile, running)
        assert open_hits(marketplace) == []

    in_campaign(tmp_path / "run", action, hits=1)


def test_a_hit_too_many_expires_and_a_stopped_campaign_is_offered_again(
    marketplace: Requester, rehearsal: Rehearsal, tmp_path: Path
) -> None:
    async def begin(running: Serving) -> None:
        live_run = running.operator._live_run
        assert live_run is not None
        assert isinstance(live_run.provider, CampaignProvider)
        running.operator._stop_reconciling()  # the operator's own would be faster now and then
        live_run.provider.offer(live_run.task_run, "extra-9", running.url)
        assert len(open_hits(marketplace)) == 4
        await asyncio.to_thread(reconcile, running)
        assert len(open_hits(marketplace)) == 3

    async def again(running: Serving) -> None:
        await until(lambda: len(open_hits(marketplace)) == 3, "they are offered again")

    in_campaign(tmp_path / "run", begin)
    for hit in open_hits(marketplace):  # launch --stop
        marketplace.expire(hit)
    in_campaign(tmp_path / "run", again)


@pytest.mark.parametrize(
    "answer", ["", "<a/>", "<!DOCTYPE a><a/>", "<QuestionFormAnswers><Answer/></QuestionFormAnswers>"]
)
def test_an_answer_that_is_not_the_pages_is_said_to_be_so(answer: str) -> None:
    with pytest.raises(InvalidInput, match="page"):
        final_data(answer)


def test_mephistos_own_ways_to_pay_and_to_keep_keys_are_shut(
    marketplace: Requester, rehearsal: Rehearsal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def action(running: Serving) -> None:
        assignment = accept(rehearsal, rehearsal.new_worker(), open_hits(marketplace)[0])
        await work(running, rehearsal, assignment)
        [agent] = agents(running)
        worker, requester = agent.get_worker(), agent.get_unit().get_requester()
        assert worker.bonus_worker(1.0, "again", agent.get_unit())[0] is False
        assert marketplace.client.list_bonus_payments(AssignmentId=assignment.id)["BonusPayments"] == []

        for number in range(101):
            marketplace.client.create_worker_block(WorkerId=rehearsal.new_worker(), Reason=str(number))
        assert not worker.is_blocked(requester)
        worker.block_worker("test", requester=requester)
        assert worker.is_blocked(requester)

        assert requester.requester_name == "lab"
        assert requester.get_available_budget() == 1000 - 3 * 2.4
        requester.register()
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
            monkeypatch.delenv(name)
        monkeypatch.setenv("HOME", str(tmp_path))
        monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
        with pytest.raises(Refused, match="AWS_ACCESS_KEY_ID"):
            requester.register()

    in_campaign(tmp_path / "run", action)


def units(run: Serving) -> list[str]:
    assert run.operator._live_run is not None
    return [str(unit.get_db_status()) for unit in run.operator._live_run.task_run.get_units()]


def test_a_unit_whose_worker_has_left_is_free_when_the_operator_ended_in_the_middle_of_it(
    marketplace: Requester, rehearsal: Rehearsal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def leave(running: Serving) -> None:
        assignment = accept(rehearsal, rehearsal.new_worker(), open_hits(marketplace)[0])
        async with client() as http, page(running.url, http, assignment):
            await registered(running, 1)
            with rehearsal.workplace() as workplace:
                workplace.give_back(assignment.worker_id, assignment.id)
            await asyncio.to_thread(reconcile, running)
            await until(lambda: agents(running)[0].get_status() == AgentState.STATUS_RETURNED, "it is returned")

    with monkeypatch.context() as ending:
        ending.setattr(CampaignUnit, "clear_assigned_agent", lambda self: None)
        in_campaign(tmp_path / "run", leave, hits=1)

    async def go_on(running: Serving) -> None:
        await asyncio.to_thread(reconcile, running)
        assert units(running) == [AssignmentState.LAUNCHED]
        await work(running, rehearsal, accept(rehearsal, rehearsal.new_worker(), open_hits(marketplace)[0]))
        await until(lambda: running.submitted() == set(running.hits), "the crowd has confirmed it")

    in_campaign(tmp_path / "run", go_on, hits=1)


@pytest.mark.parametrize("is_closed", [False, True])
def test_what_is_handed_in_while_its_hit_is_found_returned_is_done_here(
    marketplace: Requester,
    rehearsal: Rehearsal,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    is_closed: bool,  # by the time that the list of HITs is there
) -> None:
    """The crowd does not have it, so that it is set aside and offered again."""

    async def action(running: Serving) -> None:
        loop = asyncio.get_running_loop()
        assignment = accept(rehearsal, rehearsal.new_worker(), open_hits(marketplace)[0])
        list_hits, finish = CampaignProvider._hits, WritingDesk.finish
        closing, go_on = threading.Event(), threading.Event()
        async with client() as http, page(running.url, http, assignment) as worker:
            given = {"attempt_key": "k", "context_id": worker.init_data["context"]["id"], "work": QUESTIONS[0]}
            await worker.call("submit_attempt", given)
            await registered(running, 1)
            with rehearsal.workplace() as workplace:
                workplace.give_back(assignment.worker_id, assignment.id)

            def finish_slowly(self: WritingDesk, *what: Any) -> Any:
                closing.set()
                assert is_closed or go_on.wait(PATIENCE_SECONDS)
                return finish(self, *what)

            def list_slowly(self: CampaignProvider, task_run: Any) -> Any:
                found = list_hits(self, task_run)
                monkeypatch.setattr(CampaignProvider, "_hits", list_hits)
                asyncio.run_coroutine_threadsafe(worker.submit({"feedback": ""}), loop).result(PATIENCE_SECONDS)
                assert closing.wait(PATIENCE_SECONDS)
                if is_closed:
                    wait_until(lambda: units(running) == [AssignmentState.COMPLETED], "it is closed")
                return found

            monkeypatch.setattr(WritingDesk, "finish", finish_slowly)
            monkeypatch.setattr(CampaignProvider, "_hits", list_slowly)
            await asyncio.to_thread(reconcile, running)
            go_on.set()
            await until(lambda: units(running)[0] == AssignmentState.COMPLETED, "the unit is done")
        for _ in range(2):
            await asyncio.to_thread(reconcile, running)
        [handed_in] = running.store.assignments.uncounted("pilot", Stage.WRITING)
        assert handed_in.set_aside_reason == NEVER_ARRIVED
        await until(lambda: units(running) == [AssignmentState.COMPLETED, AssignmentState.LAUNCHED], "it is on offer")
        with running.operator._offering:  # until the HIT is there, too
            await asyncio.to_thread(reconcile, running)
        assert len(open_hits(marketplace)) == 1

    async def look_again(running: Serving) -> None:
        assert units(running)[0] == AssignmentState.COMPLETED

    in_campaign(tmp_path / "run", action, hits=1)
    in_campaign(tmp_path / "run", look_again, hits=1)


def test_what_was_handed_in_by_somebody_who_seemed_gone_is_done_when_the_operator_ended_before(
    marketplace: Requester, rehearsal: Rehearsal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def hand_in(running: Serving) -> None:
        assignment = accept(rehearsal, rehearsal.new_worker(), open_hits(marketplace)[0])
        async with client() as http, page(running.url, http, assignment) as worker:
            given = {"attempt_key": "k", "context_id": worker.init_data["context"]["id"], "work": QUESTIONS[0]}
            await worker.call("submit_attempt", given)
            [agent] = await registered(running, 1)
            await worker.submit({"feedback": ""})
            await until(agent.state.saved.is_set, "it is saved")
            agent.update_status(AgentState.STATUS_DISCONNECT)
        await asyncio.to_thread(submit, rehearsal, assignment, json.dumps({"feedback": ""}))

    async def go_on(running: Serving) -> None:
        await until(lambda: running.submitted() == set(running.hits), "it counts")
        assert units(running) == [AssignmentState.COMPLETED]

    def end_before(self: ProcedureRunner, *_: Any) -> bool:
        self._paused.wait()
        return False

    with monkeypatch.context() as ending:
        ending.setattr(ProcedureRunner, "_close_unit", end_before)
        in_campaign(tmp_path / "run", hand_in, hits=1)
    in_campaign(tmp_path / "run", go_on, hits=1, check_seconds=0.3)


async def try_in_vain(worker: PageClient) -> None:
    given = {"attempt_key": "k", "context_id": worker.init_data["context"]["id"], "work": QUESTIONS[0]}
    reply = await worker.call("submit_attempt", given)
    await worker.call("retract", {"attempt_id": reply["attempt"]["attempt_id"]})


async def nobody_wins(running: Serving, rehearsal: Rehearsal, marketplace: Requester) -> None:
    hits = open_hits(marketplace)
    for hit in hits:
        assignment = accept(rehearsal, rehearsal.new_worker(), hit)
        async with client() as http, page(running.url, http, assignment) as worker:
            await try_in_vain(worker)
            await worker.submit({"feedback": ""})
        await asyncio.to_thread(submit, rehearsal, assignment, json.dumps({"feedback": ""}))
    await until(lambda: len(running.submitted()) == len(hits), "all count, and nobody has won")


def test_no_hit_is_left_open_when_the_run_ends_while_hits_are_offered(
    marketplace: Requester, rehearsal: Rehearsal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def action(running: Serving) -> None:
        offering, create = threading.Event(), Requester.create_hit

        def create_slowly(self: Requester, *what: Any) -> Any:
            offering.set()
            time.sleep(0.5)
            return create(self, *what)

        with running.operator._offering:
            await nobody_wins(running, rehearsal, marketplace)
            monkeypatch.setattr(Requester, "create_hit", create_slowly)
        await until(offering.is_set, "the first HIT is offered again")
        await asyncio.to_thread(running.operator.finish)
        assert not any(thread.name == "unit-feed" for thread in threading.enumerate())
        assert survey(marketplace, "pilot").counts()["open"] == 0

    in_campaign(tmp_path / "run", action, hits=3, reoffers=1)


def test_units_are_offered_after_the_crowd_has_refused_one_of_them(
    marketplace: Requester, rehearsal: Rehearsal, tmp_path: Path
) -> None:
    """Both HITs come back without a win, and are offered again in one look."""

    async def action(running: Serving) -> None:
        with running.operator._offering:
            await nobody_wins(running, rehearsal, marketplace)
            fault = {"kind": "insufficient_funds", "operations": ["CreateHITWithHITType"], "times": 1}
            rehearsal.control("faults", {"rules": [fault]})
        await until(lambda: units(running)[2:] == [AssignmentState.LAUNCHED] * 2, "both are on offer")
        rehearsal.control("faults", {"rules": []})

    in_campaign(tmp_path / "run", action, hits=2, reoffers=1)


def test_a_unit_that_is_given_back_is_not_taken_from_whoever_has_it_by_then(
    marketplace: Requester, rehearsal: Rehearsal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def action(running: Serving) -> None:
        mine, theirs = (accept(rehearsal, rehearsal.new_worker(), hit) for hit in open_hits(marketplace))
        async with client() as http, page(running.url, http, mine):
            [agent] = await registered(running, 1)
            unit = agent.get_unit()
            free = Unit.clear_assigned_agent

            def free_and_taken(self: Unit) -> None:
                free(self)
                unit.datastore.register_assignment_to_hit(theirs.hit_id, unit.db_id, theirs.id)

            monkeypatch.setattr(Unit, "clear_assigned_agent", free_and_taken)
            unit.clear_assigned_agent()
            assert unit.datastore.accepted_hit(theirs.id) == theirs.hit_id
            assert unit.datastore.accepted_hit(mine.id) is None

    in_campaign(tmp_path / "run", action, hits=2)
