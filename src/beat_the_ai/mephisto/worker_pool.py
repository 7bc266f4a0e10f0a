"""Registration of workers' pages: one at a time for each worker and each HIT, and answered whatever happens.

In Mephisto two pages of one worker that register side by side may fail on each other or be told "already completed",
and an exception leaves the page without an answer for ever. It goes through all units of the run for every worker, and
lets a registration wait for all others at each of its steps.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any
from weakref import WeakValueDictionary

from beat_the_ai.errors import DiskFull, InvalidInput, Refused, StoreError
from beat_the_ai.files.disk_full import is_full
from beat_the_ai.mephisto.database import MephistoDatabase
from beat_the_ai.mephisto.mturk import CampaignProvider
from beat_the_ai.mephisto.packets import SUBMITTED_STATUSES, failure
from beat_the_ai.mephisto.page_keys import PageKeys
from beat_the_ai.mephisto.procedures import patiently
from beat_the_ai.mephisto.sessions import listen_for_news
from beat_the_ai.mephisto.shim import (
    Agent,
    AgentState,
    Unit,
    Worker,
    WorkerFailureReasons,
    WorkerPool,
    worker_is_qualified,
)
from beat_the_ai.messages import message_of, said

FAILED = "refusals.went_wrong.waits"
FAILED_CODE = "internal"  # for the page: it asks again
FOREIGN = "refusals.other_assignment"
AT_A_TIME = 8  # registrations; they share the fsyncs of the store

log = logging.getLogger(__name__)


class CampaignWorkerPool(WorkerPool):  # type: ignore[misc]  # Mephisto is untyped
    """`agents` are those at work. One that is done is read back from the database when its page comes again."""

    def __init__(self, db: MephistoDatabase) -> None:
        super().__init__(db)
        self.page_keys = PageKeys()
        self._desks = ThreadPoolExecutor(AT_A_TIME, thread_name_prefix="registration")
        self._locks: WeakValueDictionary[tuple[str, str], asyncio.Lock] = WeakValueDictionary()

    def _lock(self, kind: str, name: object) -> asyncio.Lock:
        return self._locks.setdefault((kind, str(name)), asyncio.Lock())

    async def register_worker(self, crowd_data: Mapping[str, Any], request_id: str) -> None:
        registrations = self.get_live_run().client_io.agents_by_registration_id
        registration = crowd_data["agent_registration_id"]
        hit = crowd_data.get("hit_id", registration)
        async with self._lock("worker", crowd_data["worker_name"]), self._lock("HIT", hit):
            is_known = registration in registrations  # the same request, which came again while this one waited
            try:
                if is_known:
                    await self._at_a_desk(partial(self._admit, crowd_data, is_known=True))
                    await super().reconnect_agent(registrations[registration], request_id)
                else:
                    await self._at_a_desk(partial(self._register, crowd_data, request_id))
            except (InvalidInput, Refused) as error:  # there is no unit for this worker
                self._give_up(registration, is_known=is_known)
                self._refuse(request_id, message_of(error), error.code)
            except Exception as error:  # noqa: BLE001 - the boundary to the page, which must get an answer
                self._give_up(registration, is_known=is_known)
                self._refuse(request_id, _failure(error, "the registration of a worker failed"), FAILED_CODE)

    async def _at_a_desk(self, step: Callable[[], None]) -> None:
        """The next operator is asked again for what comes after the shutdown."""
        if self.is_shutdown:
            raise asyncio.CancelledError
        await asyncio.get_running_loop().run_in_executor(self._desks, step)

    def _admit(self, page: Mapping[str, Any], *, is_known: bool) -> None:
        """Raises `InvalidInput` or `Refused` for a page that does not speak for that worker."""
        live_run = self.get_live_run()
        if isinstance(live_run.provider, CampaignProvider):
            patiently(lambda: live_run.provider.admit(live_run, page, is_known=is_known))
        else:
            self.page_keys.check(page)

    def _register(self, page: Mapping[str, Any], request_id: str) -> None:
        """Give a worker a unit and answer the page, from the first to the last step. Raises as `_admit`."""
        live_run = self.get_live_run()
        self._admit(page, is_known=False)
        worker = self._worker(page)
        if not worker_is_qualified(worker, live_run.qualifications):
            self._refuse(request_id, said("refusals.not_qualified"))
            return
        free = self.db.free_units(live_run.task_run.db_id)
        with live_run.task_runner.choosing(worker, free) as unit:
            if unit is None:
                self._refuse(request_id, WorkerFailureReasons.NO_AVAILABLE_UNITS)
            else:
                self._begin(worker, unit, page, request_id)

    def _begin(self, worker: Worker, unit: Unit, page: Mapping[str, Any], request_id: str) -> None:
        live_run = self.get_live_run()
        agent = live_run.provider.AgentClass.new_from_provider_data(self.db, worker, unit, page)
        agent._worker = worker  # it would be read again
        agent_id = agent.get_agent_id()
        agent.set_live_run(live_run)
        live_run.client_io.associate_agent_with_registration(agent_id, request_id, page["agent_registration_id"])
        shown = live_run.task_runner.get_init_data_for_agent(agent)
        details = {"worker_id": worker.db_id, "agent_id": agent_id, "init_task_data": shown, "failure_reason": None}
        listen_for_news(agent)
        self.agents[agent_id] = agent  # in Mephisto after the page has heard of it, and may have called
        live_run.client_io.enqueue_agent_details(request_id, details)
        live_run.task_runner.execute_unit(unit, agent)

    def _worker(self, page: Mapping[str, Any]) -> Worker:
        """As Mephisto knows it; made when it comes for the first time."""
        provider = self.get_live_run().provider
        name = f"{page['worker_name']}{'_sandbox' if provider.is_sandbox() else ''}"
        known = self.db.find_workers(worker_name=name)
        return known[0] if known else provider.WorkerClass.new_from_provider_data(self.db, page)

    def shutdown(self) -> None:
        """Register nobody any more."""
        super().shutdown()
        self._desks.shutdown(wait=False, cancel_futures=True)

    def get_agent_for_id(self, agent_id: str) -> Agent | None:
        agent = self.agents.get(agent_id)
        if agent is None:
            live_run = self.get_live_run()
            agent = self.db.agent_of_run(agent_id, live_run.task_run.db_id)
            if agent is not None:
                agent.set_live_run(live_run)
        return agent

    def serve_afterwards(self, agent_id: str, call: Mapping[str, Any]) -> None:
        """Serve a call of a page whose HIT is submitted. After the shutdown the next operator gets it."""
        with contextlib.suppress(RuntimeError):
            self._desks.submit(self._serve_afterwards, agent_id, call)

    def _serve_afterwards(self, agent_id: str, call: Mapping[str, Any]) -> None:
        try:
            agent = self.get_agent_for_id(agent_id)
            if agent is not None and agent.get_status() in SUBMITTED_STATUSES:
                self.get_live_run().task_runner.serve_afterwards(agent, call)
        except Exception:  # the boundary of a thread
            log.exception("a call of agent %s, whose HIT is submitted, is not served", agent_id[:40])

    def handle_updated_agent_status(self, status_map: Mapping[str, str]) -> None:
        """Take over the router's statuses of pages. A final status stays, even if the router does not know it yet."""
        for agent_id, status in status_map.items():
            agent = self.get_agent_for_id(agent_id)
            if agent is None or agent.get_status() not in AgentState.complete():
                super().handle_updated_agent_status({agent_id: status})
            elif status != agent.get_status():
                self.get_live_run().loop_wrap.execute_coro(self.push_status_update(agent))

    def put_away(self, agent: Agent) -> None:
        """It is done, and its session has ended."""
        self.agents.pop(agent.get_agent_id(), None)
        self.get_live_run().client_io.put_away(agent.get_agent_id())

    def disconnect_active_agents(self) -> None:
        """Disconnect the active agents. Agents that leave are put away meanwhile."""
        for agent in list(self.agents.values()):
            if agent.get_status() not in AgentState.complete():
                agent.update_status(AgentState.STATUS_DISCONNECT)

    def let_go(self, agent: Agent) -> None:
        """Let go of an agent with which the run was to resume. Its page never heard of it, and may register anew."""
        registrations = self.get_live_run().client_io.agents_by_registration_id
        registrations.pop(agent.state.registration, None)
        self.agents.pop(agent.get_agent_id(), None)
        release(agent)

    async def reconnect_agent(self, agent_id: str, request_id: str) -> None:
        page = self._page(request_id)
        worker_name = page["worker_name"]
        async with self._lock("worker", worker_name):
            try:
                await self._at_a_desk(partial(self._admit, page, is_known=True))
                agent = self.get_agent_for_id(agent_id)
                if agent is not None and agent.get_worker().worker_name not in (worker_name, f"{worker_name}_sandbox"):
                    self._refuse(request_id, said(FOREIGN))
                else:
                    await super().reconnect_agent(agent_id, request_id)
            except (InvalidInput, Refused) as error:
                self._refuse(request_id, message_of(error), error.code)
            except Exception as error:  # noqa: BLE001 - as above
                self._refuse(request_id, _failure(error, f"agent {agent_id} cannot be found again"), FAILED_CODE)

    def _page(self, request_id: str) -> Mapping[str, Any]:
        """Return what the page says about itself."""
        page: Mapping[str, Any] = self.get_live_run().client_io.request_id_to_packet[request_id].data["provider_data"]
        return page

    def _refuse(self, request_id: str, reason: str, code: str = Refused.code) -> None:
        client_io = self.get_live_run().client_io
        if request_id in client_io.request_id_to_channel_id:  # not answered yet
            details = {"agent_id": None, **failure(reason), "failure_code": code}
            client_io.enqueue_agent_details(request_id, details)

    def _give_up(self, registration: str, *, is_known: bool) -> None:
        """Give back the unit of an agent whose page will never hear of it; one that was there before is left alone."""
        if is_known:
            return
        self.page_keys.forget(registration)
        agent_id = self.get_live_run().client_io.agents_by_registration_id.pop(registration, None)
        if agent_id is not None and agent_id not in self.agents:
            release(Agent.get(self.db, agent_id))


def _failure(error: Exception, what: str) -> str:
    """Log a failure and return its message for the worker. For a full disk, the log says what to do."""
    if isinstance(error, DiskFull) or is_full(error):
        log.error("%s: the disk is full. Free some space; workers try again.", what)
        return message_of(DiskFull())
    if isinstance(error, StoreError):
        log.error("%s: %s", what, error)
        return message_of(error)
    log.error(what, exc_info=error)
    return said(FAILED)


def release(agent: Agent) -> None:
    """Let go of an agent that no page has, so that somebody else gets its unit."""
    unit = agent.get_unit()
    agent.update_status(AgentState.STATUS_DISCONNECT)
    unit.clear_assigned_agent()
