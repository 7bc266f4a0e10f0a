"""Running one task run, and taking it up again after the operator died.

Mephisto 1.1.1 has no resume. Here the run, its units and its agents are read back from Mephisto's database: whoever was
at work goes on with the same agent id, and units that nobody holds are offered again. The router may have lived on.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import fcntl
import json
import logging
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import IO, Any

from omegaconf import DictConfig, OmegaConf

from beat_the_ai.errors import Declined, InvalidInput, PaymentError, Refused, StoreError, Unanswered
from beat_the_ai.files.permissions import OPERATOR_LOCK
from beat_the_ai.mephisto.architect import RouterError
from beat_the_ai.mephisto.client_io import CampaignClientIO
from beat_the_ai.mephisto.database import MephistoDatabase
from beat_the_ai.mephisto.feed import UnitFeed
from beat_the_ai.mephisto.mturk import CampaignProvider
from beat_the_ai.mephisto.mturk.confirmation import Confirmation
from beat_the_ai.mephisto.mturk.provider import NOT_YET_OFFERED
from beat_the_ai.mephisto.procedures import ProcedureState
from beat_the_ai.mephisto.sessions import listen_for_news
from beat_the_ai.mephisto.shim import (
    Agent,
    AgentState,
    AssignmentState,
    LiveTaskRun,
    LoopWrapper,
    Operator,
    TaskRun,
    Unit,
    get_architect_from_type,
    get_blueprint_from_type,
    get_crowd_provider_from_type,
    set_mephisto_log_level,
)
from beat_the_ai.mephisto.worker_pool import CampaignWorkerPool, release
from beat_the_ai.process.malloc import share_one_heap
from beat_the_ai.process.signals import noted

STOP_SECONDS, FEED_STOP_SECONDS = 5, 30
CONNECT_SECONDS, KEEP_SECONDS = 60, 0.2
LOCK_TRIES, LOCK_SECONDS = 5, 0.1
GONE = (AgentState.STATUS_RETURNED, AgentState.STATUS_TIMEOUT, AgentState.STATUS_DISCONNECT)

log = logging.getLogger(__name__)


class AlreadyServed(Refused):
    """Another process serves the same campaign."""


def check_not_served(folder: Path) -> None:
    """Raise `AlreadyServed` when a process of this machine serves the Mephisto database of that folder."""
    if (folder / OPERATOR_LOCK).exists():
        _locked(folder).close()


def _locked(folder: Path) -> IO[str]:
    """Lock a Mephisto database's folder until the file is closed, or raise `AlreadyServed`.

    Two operators of one database would take each other's workers. The lock ends with the process.
    """
    lock = (folder / OPERATOR_LOCK).open("w")
    for _ in range(LOCK_TRIES):  # `status` takes it for a moment, to see whether it is taken
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return lock
        except BlockingIOError:
            time.sleep(LOCK_SECONDS)
    lock.close()
    raise AlreadyServed("Another process serves this campaign already. Stop that one first.")


class CampaignOperator(Operator):  # type: ignore[misc]  # Mephisto is untyped
    """Mephisto's operator for exactly one run, without its metrics server on a fixed port.

    Every `check_seconds` units are compared with the HITs that the marketplace has, if there is one.
    """

    def __init__(self, db: MephistoDatabase, check_seconds: float = 60, stopped: threading.Event | None = None) -> None:
        """`stopped` is set by whoever wants it to serve no longer."""
        self._check_seconds = check_seconds
        self._stopped = stopped or threading.Event()
        share_one_heap()
        set_mephisto_log_level(level="warning")
        self.db = db
        self.is_shutdown = False
        self._task_runs_tracked: dict[str, LiveTaskRun] = {}
        self._event_loop = asyncio.new_event_loop()
        self._loop_wrapper = LoopWrapper(self._event_loop)
        self._live_run: LiveTaskRun | None = None
        self._thread: threading.Thread | None = None
        self._lock: IO[str] | None = None
        self._reconciler: threading.Thread | None = None
        self._confirmation: Confirmation | None = None
        self._ending = threading.Event()
        self._offering = threading.Lock()  # while units come, they have fewer HITs than they need
        self._feed: UnitFeed | None = None
        self.has_offered = False  # something to the crowd, in this process

    def launch(self, config: DictConfig, state: ProcedureState) -> str:
        """Start a new run, or take up the newest unfinished one of this task. Returns the router's URL."""
        self._lock = _locked(Path(self.db.db_root))
        self.db.start_writing_behind()
        self._start_loop()
        task_run = self._unfinished_run(config) or self._new_run(config)
        provider = get_crowd_provider_from_type(config.provider._provider_type)
        live_run = self._create_live_task_run(
            config,
            state,
            task_run,
            get_architect_from_type(config.architect._architect_type),
            get_blueprint_from_type(config.blueprint._blueprint_type),
            provider,
        )
        live_run.worker_pool = CampaignWorkerPool(self.db)
        live_run.worker_pool.register_run(live_run)
        live_run.client_io = CampaignClientIO(self.db)
        live_run.client_io.register_run(live_run)
        self._live_run = live_run
        live_run.architect.prepare()
        url: str = live_run.architect.deploy()
        self.has_offered = True
        live_run.provider.setup_resources_for_task_run(task_run, config, state, url)
        self._restore(live_run)
        if not state.is_closed():
            live_run.task_launcher.create_assignments()
            refusal = self._launch_units(live_run.task_launcher, state, url)
            if isinstance(refusal, Declined) and live_run.provider.has_offered_nothing(task_run):
                self.has_offered = False
                raise refusal
        self._open_channels(live_run.client_io)
        self._resume_agents(live_run)
        self._start_feed(live_run, state, url)
        task_run.update_completion_progress(status=False)
        if isinstance(live_run.provider, CampaignProvider):
            self._reconciler = threading.Thread(
                target=self._keep_reconciling, args=(live_run, url), name="reconciler", daemon=True
            )
            self._reconciler.start()
            self._confirmation = live_run.provider.start_confirming(live_run, self._check_seconds)
        return url

    def _open_channels(self, client_io: CampaignClientIO) -> None:
        """Returns when the router was there once. It may die at this very moment, and is started again."""
        client_io.launch_channels()
        deadline = time.monotonic() + CONNECT_SECONDS
        for channel in client_io.channels.values():
            while not channel.settle(KEEP_SECONDS) and time.monotonic() < deadline:
                self._keep_router()
            if channel.is_closed() or not channel.settle(0):
                raise RouterError("The operator cannot connect to its router; the log above says why.")

    def _start_loop(self) -> None:
        def run() -> None:
            asyncio.set_event_loop(self._event_loop)
            self._loop_wrapper.set_active_thread()
            self._event_loop.run_forever()

        self._thread = threading.Thread(target=run, name="operator-loop", daemon=True)
        self._thread.start()

    def _new_run(self, config: DictConfig) -> TaskRun:
        self._add_requester(config.provider.requester_name, config.provider._provider_type)
        requester, provider_type = self._get_requester_and_provider_from_config(config)
        tasks = self.db.find_tasks(task_name=config.task.task_name)
        task_id = tasks[0].db_id if tasks else self.db.new_task(config.task.task_name, config.blueprint._blueprint_type)
        run_id = self.db.new_task_run(
            task_id,
            requester.db_id,
            json.dumps(OmegaConf.to_yaml(config, resolve=True)),
            provider_type,
            config.blueprint._blueprint_type,
            requester.is_sandbox(),
        )
        return TaskRun.get(self.db, run_id)

    def _add_requester(self, name: str, provider_type: str) -> None:
        if not self.db.find_requesters(requester_name=name):
            get_crowd_provider_from_type(provider_type).RequesterClass.new(self.db, name)

    def _unfinished_run(self, config: DictConfig) -> TaskRun | None:
        tasks = self.db.find_tasks(task_name=config.task.task_name)
        runs = self.db.find_task_runs(task_id=tasks[0].db_id, is_completed=False) if tasks else []
        return max(runs, key=lambda run: run.start_time, default=None)

    def _restore(self, live_run: LiveTaskRun) -> None:
        """Give the launcher and the worker pool what the database holds of this run."""
        agents = self.db.find_agents(task_run_id=live_run.task_run.db_id)
        for agent in agents:
            _end_leaving(agent)
        units: list[Unit] = live_run.task_run.get_units()
        live_run.task_launcher.assignments = live_run.task_run.get_assignments()
        live_run.task_launcher.units = units
        for unit in units:
            if unit.db_status in (AssignmentState.CREATED, AssignmentState.LAUNCHED):  # a HIT that is there stays one
                live_run.task_launcher.unlaunched_units[unit.db_id] = unit
        for agent in agents:
            registration = agent.state.registration
            if registration is None:  # the operator died before the page heard of this agent
                if agent.get_status() not in AgentState.complete():
                    release(agent)
                continue
            agent.set_live_run(live_run)
            listen_for_news(agent)
            live_run.worker_pool.agents[agent.get_agent_id()] = agent
            live_run.client_io.agents_by_registration_id[registration] = agent.get_agent_id()
            live_run.worker_pool.page_keys.restore(registration, agent.state.page_key)

    def _launch_units(self, launcher: Any, state: ProcedureState, url: str) -> PaymentError | None:
        """Offer each unit once, and return why the crowd did not take all of them.

        Mephisto's own launching thread sleeps ten seconds before it finds that it is done. Workers may have a HIT from
        then on. When the crowd stops answering, or refuses a HIT, those who have one are served nevertheless, and the
        HITs that are missing are offered in reconciling. Once this ends, nothing is.
        """
        launcher.launch_url = url
        failure: PaymentError | None = None
        missing = 0
        for unit_id in list(launcher.unlaunched_units):
            state.check_lease()
            unit = launcher.unlaunched_units.pop(unit_id)
            if failure is None and not self._ending.is_set():
                try:
                    unit.launch(url)
                except (Declined, Unanswered) as error:
                    failure = error
            else:
                unit.set_db_status(AssignmentState.LAUNCHED)
            missing += failure is not None
        launcher.finished_generators = True
        if failure is not None:
            log.warning(NOT_YET_OFFERED, missing, failure)
        return failure

    def _start_feed(self, live_run: LiveTaskRun, state: ProcedureState, url: str) -> None:
        """For blueprints whose units come in the course of the run."""
        if state.work_wanted is not None:
            launch = partial(self._launch_units, live_run.task_launcher, state, url)
            self._feed = UnitFeed(live_run.task_launcher, state, launch, self._offering)
            self._feed.start()

    def _resume_agents(self, live_run: LiveTaskRun) -> None:
        for agent in list(live_run.worker_pool.agents.values()):
            if agent.get_status() in AgentState.complete():
                agent.get_unit().sync_status()
                live_run.client_io.send_status_update(agent.get_agent_id(), agent.get_status())
                live_run.worker_pool.put_away(agent)
            else:
                try:
                    self._resume_agent(live_run, agent)
                except (InvalidInput, Refused) as error:  # what this worker was about to get went to somebody else
                    log.info("%s cannot go on: %s", agent, error)
                    live_run.worker_pool.let_go(agent)

    def _resume_agent(self, live_run: LiveTaskRun, agent: Agent) -> None:
        live_run.task_runner.get_init_data_for_agent(agent)  # the operator may have died in the middle of it
        unit = agent.get_unit()
        live_run.task_runner.execute_unit(unit, agent)
        live_run.client_io.send_status_update(agent.get_agent_id(), agent.get_status())
        log.info("%s goes on with %s", agent, unit)

    def _keep_reconciling(self, live_run: LiveTaskRun, url: str) -> None:
        while not self._ending.is_set():
            self._reconcile(live_run, url)
            self._ending.wait(self._check_seconds)

    def _stop_reconciling(self, seconds: float | None = None) -> None:
        self._ending.set()
        if self._reconciler is not None:
            self._reconciler.join(seconds)
        if self._confirmation is not None:
            self._confirmation.stop(seconds)

    def _reconcile(self, live_run: LiveTaskRun, url: str) -> None:
        """Bring units and HITs together. What fails now is tried again in a while: workers are served meanwhile."""
        try:
            with self._offering:
                live_run.task_runner.shared_state.check_lease()
                live_run.provider.reconcile(live_run, url)
        except PaymentError as error:
            log.warning("the marketplace cannot be asked where the HITs stand: %s", error)
        except StoreError as error:
            log.warning("units and HITs are not brought together: %s", error)
        except Exception:  # the boundary of a thread
            if not self._ending.is_set():
                log.exception("units and HITs cannot be brought together")

    def is_idle(self) -> bool:
        """Return whether no unit is in progress or has yet to be submitted to the crowd. Raises `PaymentError`."""
        assert self._live_run is not None, "nothing was launched"
        if self._live_run.task_runner.running_units:
            return False
        provider = self._live_run.provider
        return not (isinstance(provider, CampaignProvider) and provider.is_held(self._live_run))

    def wait(self, finished: Callable[[], bool], poll_seconds: float = KEEP_SECONDS) -> bool:
        """Serve until `finished()` says so, or until SIGTERM or Ctrl-C. True: it is finished."""
        with noted(self._stopped):
            while not (over := _is_over(finished)) and not self._stopped.wait(poll_seconds):
                self._keep_router()
            return over

    def _keep_router(self) -> None:
        """Start the router again if it died. Pages find it at its old port, with the secrets that they have."""
        assert self._live_run is not None, "nothing was launched"
        if all(channel.is_alive() for channel in self._live_run.client_io.channels.values()):
            return
        try:
            self._live_run.architect.deploy()
        except (RouterError, OSError) as error:
            log.error("the router died and cannot be started again yet: %s", error)

    def pause(self) -> None:
        """Stop serving and leave the run as it is, to be taken up again. Does nothing a second time."""
        if self.is_shutdown:
            return
        self.is_shutdown = True
        self._stop_reconciling(STOP_SECONDS)
        self._stop_feed(FEED_STOP_SECONDS)
        if self._live_run is not None:
            self._live_run.task_launcher.shutdown()
            self._live_run.worker_pool.shutdown()
            self._live_run.task_runner.pause()
            self._live_run.client_io.shutdown()
            self._live_run.architect.shutdown()
        self._stop_loop()
        self.db.close()
        if self._lock is not None:
            self._lock.close()

    def finish(self) -> None:
        """End the run for good: open units and HITs expire, the router stops."""
        assert self._live_run is not None, "nothing was launched"
        live_run = self._live_run
        self._stop_reconciling()
        self._stop_feed(None)
        live_run.task_launcher.shutdown()
        live_run.worker_pool.disconnect_active_agents()
        for unit in live_run.task_launcher.units:
            unit.expire()
        live_run.provider.cleanup_resources_from_task_run(live_run.task_run, live_run.task_launcher.launch_url)
        self.db.update_task_run(live_run.task_run.db_id, is_completed=True)
        self.pause()

    def _stop_feed(self, seconds: float | None) -> None:
        if self._feed is not None:
            self._feed.stop(seconds)
            self._feed = None

    def _stop_loop(self) -> None:
        if self._thread is not None:
            with contextlib.suppress(TimeoutError, asyncio.TimeoutError, concurrent.futures.TimeoutError):
                asyncio.run_coroutine_threadsafe(_cancel_tasks(), self._event_loop).result(STOP_SECONDS)
            self._event_loop.call_soon_threadsafe(self._event_loop.stop)
            self._thread.join(STOP_SECONDS)
        self._event_loop.close()


def _is_over(finished: Callable[[], bool]) -> bool:
    """While the store is away nobody knows, and the run goes on."""
    try:
        return finished()
    except StoreError as error:
        log.warning("it is not known whether everything is done: %s", error)
        return False


def _end_leaving(agent: Agent) -> None:
    """Finish the departure of a worker whose unit is not free yet: the last process may have ended in between.

    Earlier submissions are taken up.
    """
    if agent.get_status() not in GONE:
        return
    unit = agent.get_unit()
    if unit.get_db_status() != AssignmentState.ASSIGNED or unit.agent_id != agent.get_agent_id():
        return
    handed_in = agent.state.get_data()["outputs"]
    if handed_in is None:
        unit.clear_assigned_agent()
    else:
        agent.update_status(AgentState.STATUS_IN_TASK)
        listen_for_news(agent)
        agent.handle_submit(handed_in)


async def _cancel_tasks() -> None:
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
