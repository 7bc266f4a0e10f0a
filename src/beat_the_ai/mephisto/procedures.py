"""Remote procedures: what pages call, and the runner that serves them without Mephisto's polling.

A procedure takes the worker's agent and the page's arguments and returns a JSON object. Whatever it raises reaches the
page as `{"ok": false, "error": ...}`; the unit goes on. (In Mephisto an exception ends service for the unit for ever,
and its runner looks for calls every 0.3 s.)
"""

from __future__ import annotations

import contextlib
import json
import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, Protocol, TypeVar

from beat_the_ai.errors import AdversaryBusy, BeatTheAIError, DiskFull, InvalidInput, StoreAway, StoreDamaged
from beat_the_ai.mephisto.database import MephistoDatabase
from beat_the_ai.mephisto.hand_ins import NO_HAND_INS, HandInDesk
from beat_the_ai.mephisto.latest_calls import LatestCalls
from beat_the_ai.mephisto.sessions import Attendants, Session
from beat_the_ai.mephisto.shim import (
    DATA_FILE,
    Agent,
    AgentDisconnectedError,
    AgentReturnedError,
    AgentState,
    AgentStateMetadata,
    AgentTimeoutError,
    AssignmentState,
    SharedTaskState,
    StaticAgentState,
    TaskBuilder,
    TaskRunner,
    Unit,
    Worker,
)
from beat_the_ai.messages import message_of, said, told
from beat_the_ai.rules.deadlines import HAND_IN_GRACE
from beat_the_ai.words import Catalogue

SAVE_SECONDS = 10
CLOSE_AGAIN_SECONDS = 5
LEAVING_SECONDS = 5
ANSWERS_KEPT = 8  # as many as a page may wait for at once
OVERTAKEN = "overtaken"
NOBODYS = "nobody handed it in, and the crowd does not tell whose it was"
TRIES = 3  # of a call during which the store went away

T = TypeVar("T")

log = logging.getLogger(__name__)
Procedure = Callable[[Agent, Mapping[str, Any]], Mapping[str, Any]]


class UnitsAtHand(Protocol):
    """The units of a run that nobody has finished."""

    @property
    def waiting(self) -> int:
        """Return how many nobody has taken."""

    @property
    def unfinished(self) -> int:
        """With those that somebody works on."""

    def hits(self) -> set[str]:
        """Return the HITs of the unfinished units: `hit` in the shared data of each."""


@dataclass(frozen=True)
class ServedBeside:
    """An application that the router serves under a path, besides the pages of HITs.

    `place` is `module:NAME` of a function that makes the application from `options`, in the router's process. They lie
    in a file that only its owner reads.
    """

    path: str
    place: str
    options: Mapping[str, str]


@dataclass
class ProcedureState(SharedTaskState):  # type: ignore[misc]  # Mephisto is untyped
    """The state that a blueprint of remote procedures shares with its runner.

    `open_unit(agent, registration)` gives the page its initial data when a worker takes a unit. `close_unit(agent,
    final_data)` makes the submission durable. Both must be idempotent.

    `choose_units(worker_id, units)` says which of the free units a worker may have; the worker gets the first. It looks
    at no more of them than it has to. It raises `Refused`, with a message for the worker, when there is no such unit.

    `abandon_unit(agent)` is called when the worker has left for good without a submission. While `is_closed()`, no unit
    is offered. `check_lease()` is called before a unit is offered. It raises `LeaseLost` where another process
    serves the run by then.

    `accepted_at(agent)` is when the worker got the HIT, in seconds since 1970. Every time limit is counted from it.

    `hand_ins` settles what a crowd has to confirm; `on_hand_in()` is called after each submission. Unless workers are
    `identity_verified`, work that is never submitted belongs to nobody and is set aside.

    Only the newest answer of the `latest` procedures matters to a page. They are served beside the others, and a
    waiting call gives way to a newer one. Those of `afterwards` (`packets.AFTERWARDS`) are served once the HIT is
    submitted, and only then. They must be idempotent.

    The router serves the application `beside`, too, and the `words` of its pages, the campaign's own language first.

    For a run whose units come gradually, `work_wanted(units)` yields the shared data of each further assignment that is
    wanted now.
    """

    procedures: Mapping[str, Procedure] = field(default_factory=dict)
    latest: Mapping[str, Procedure] = field(default_factory=dict)
    afterwards: Mapping[str, Procedure] = field(default_factory=dict)
    open_unit: Callable[[Agent, str], Mapping[str, Any]] = lambda _agent, _registration: {}
    close_unit: Callable[[Agent, Mapping[str, Any]], None] = lambda _agent, _data: None
    choose_units: Callable[[str, Iterable[Unit]], Iterable[Unit]] = lambda _worker_id, units: units
    is_closed: Callable[[], bool] = lambda: False
    check_lease: Callable[[], None] = lambda: None
    abandon_unit: Callable[[Agent], None] = lambda _agent: None
    accepted_at: Callable[[Agent], float] = lambda _agent: time.time()
    work_wanted: Callable[[UnitsAtHand], Sequence[Mapping[str, Any]]] | None = None
    hand_ins: HandInDesk = NO_HAND_INS
    beside: ServedBeside | None = None
    words: Sequence[Catalogue] = ()
    on_hand_in: Callable[[], None] = lambda: None
    identity_verified: bool = True


class ProcedureAgentState(StaticAgentState):  # type: ignore[misc]
    """Keeps the final submission: the engine's store holds everything that was called before, and `work` is a copy.

    `saved` is set once the submission is on disk; Mephisto announces it (`did_submit`) before that. The page, the
    comparison with the marketplace and an operator that takes the run up may all write it at once: whoever saves last
    saves what all have changed. `opening` is held by whoever finds out what the page starts with.
    """

    def __init__(self, agent: Agent) -> None:
        self.saved = threading.Event()
        self.opening = threading.Lock()
        self._changing = threading.RLock()
        super().__init__(agent)

    @property
    def registration(self) -> str | None:
        """Return the name by which this and the next operator recognise the page."""
        name: str | None = (self.get_init_state() or {}).get("registration")
        return name

    @property
    def accepted_at(self) -> datetime:
        """Return when the worker got the HIT."""
        return datetime.fromtimestamp(self.metadata.task_start, timezone.utc)

    @property
    def page_key(self) -> str:
        """The digest of the key by which the page proves that this is its session."""
        return str((self.get_init_state() or {}).get("page_key", ""))

    @property
    def page(self) -> Mapping[str, Any] | None:
        """Return the data with which the page started."""
        page: Mapping[str, Any] | None = (self.get_init_state() or {}).get("page")
        return page

    def load_data(self) -> None:
        database = self.agent.db
        if isinstance(database, MephistoDatabase) and database.is_at_work(self.agent.db_id):
            self.metadata = AgentStateMetadata()
            self.state = self._get_empty_state()
            return
        super().load_data()
        if self.metadata.task_start is None:
            self.metadata.task_start = (self.get_init_state() or {}).get("started")

    def save_data(self) -> None:
        """Both of Mephisto's files in one step, where the database can do that; Mephisto's own commands have theirs."""
        database = self.agent.db
        if not isinstance(database, MephistoDatabase):
            super().save_data()
            return
        data, metadata = str(Path(self.agent.get_data_dir(), DATA_FILE)), self._get_metadata_path()
        database.write_dicts({data: self.state, metadata: vars(self.metadata)})

    def keep_registration(self, registration: str, page_key: str, started: float) -> None:
        """In one file; Mephisto's second one, which has the time, comes with the submission."""
        with self._changing:
            self.metadata.task_start = started
            self.state["inputs"] = {"registration": registration, "page_key": page_key, "started": started}
            self._save_data()

    def keep_page(self, page: Mapping[str, Any]) -> None:
        """It is on disk with the submission. Until then whoever takes the agent up opens its unit, and has it again."""
        with self._changing:
            self.state["inputs"] = {**self.state["inputs"], "page": dict(page)}
            if self.state["outputs"] is not None:
                self._save_data()

    def keep_work(self, work: Mapping[str, Any]) -> None:
        """Keep the result of the assignment, for people who use Mephisto's tools."""
        if self.state.get("work") != work:
            self.state["work"] = dict(work)
            self.save_data()

    def update_submit(self, submit_data: dict[str, Any]) -> None:
        """The first submission stands: the router repeats what was not confirmed."""
        with self._changing:
            if self.get_data()["outputs"] is None:
                super().update_submit(submit_data)
        self.saved.set()

    def update_metadata(self, property_name: str, property_value: Any) -> None:
        with self._changing:
            super().update_metadata(property_name, property_value)

    def update_data(self, live_update: dict[str, Any]) -> None:
        """Calls and answers are not kept a second time."""


class ProcedureTaskBuilder(TaskBuilder):  # type: ignore[misc]
    """Nothing to build per run: the page is built once, and the architect serves it."""

    def build_in_dir(self, build_dir: str) -> None:
        """Required by Mephisto."""


def assignment_of(agent: Agent) -> str:
    """The engine's assignment of a page whose initial data names it as its `hit`."""
    return str(agent.state.page["hit"])


def patiently(call: Callable[[], T]) -> T:
    """Call again where the store went away meanwhile; each call waits until it is back. What is called is idempotent.

    Raises `StoreAway` where it stays away.
    """
    for _ in range(TRIES - 1):
        with contextlib.suppress(StoreAway):
            return call()
    return call()


def text_of(arguments: Mapping[str, Any], name: str) -> str:
    """A page's argument. Raises `InvalidInput` unless it is text."""
    value = arguments.get(name)
    if not isinstance(value, str):
        raise InvalidInput(name, f"{name} is missing; text is needed.")
    return value


def worker_id(worker: Worker) -> str:
    """The crowd's id of a worker. Mephisto adds a suffix to it for providers that it takes for sandboxes."""
    return str(worker.worker_name).removesuffix("_sandbox")


class ProcedureRunner(TaskRunner):  # type: ignore[misc]
    """Serves each unit whenever its page calls, submits or leaves. A unit that waits has no thread.

    `running_units` are the sessions of the units that are worked on.
    """

    def __init__(self, task_run: Any, args: Any, shared_state: ProcedureState) -> None:
        super().__init__(task_run, args, shared_state)
        self.is_concurrent = False
        self._seconds = task_run.get_task_args().assignment_duration_in_seconds
        self._paused = threading.Event()
        self._latest = LatestCalls(self._serve_latest, self._give_way)
        self._promised: set[str] = set()
        self._promising = threading.Lock()
        self._attendants = Attendants(self._attend)

    def get_init_data_for_agent(self, agent: Agent) -> Mapping[str, Any]:
        """Return the initial data of the page. The registration is on disk before anything is opened for it."""
        state: ProcedureAgentState = agent.state
        with state.opening:
            if state.registration is None:
                live_run = agent.get_live_run()
                name = live_run.client_io.registrations[agent.get_agent_id()]
                started = self.shared_state.accepted_at(agent)
                state.keep_registration(name, live_run.worker_pool.page_keys.digest(name), started)
            if state.page is None:
                registration = str(state.registration)
                state.keep_page(patiently(lambda: self.shared_state.open_unit(agent, registration)))
        page = state.page
        assert page is not None, "it was kept above"
        return page

    @contextlib.contextmanager
    def choosing(self, worker: Worker, free: Iterable[Unit]) -> Iterator[Unit | None]:
        """The unit that a worker gets of those that are free, kept from all others until the block ends."""
        unit = None if patiently(self.shared_state.is_closed) else self._choose(worker, free)
        try:
            yield unit
        finally:
            if unit is not None:
                with self._promising:
                    self._promised.remove(unit.db_id)

    def _choose(self, worker: Worker, free: Iterable[Unit]) -> Unit | None:
        for unit in patiently(lambda: self.shared_state.choose_units(worker_id(worker), free)):
            if self._is_worked_on(unit):
                continue
            with self._promising:
                if unit.db_id in self._promised:
                    continue
                self._promised.add(unit.db_id)
            if unit.get_db_status() == AssignmentState.LAUNCHED and not self._is_worked_on(unit):
                return unit
            with self._promising:  # it was read a moment before somebody else got it
                self._promised.remove(unit.db_id)
        return None

    def _is_worked_on(self, unit: Unit) -> bool:
        """Whatever its status says. A worker who is gone has left it as soon as the session has ended."""
        running = self.running_units.get(unit.db_id)
        if running is not None and running.agent.db_status in AgentState.complete():
            running.ended.wait(LEAVING_SECONDS)
        return unit.db_id in self.running_units

    def execute_unit(self, unit: Unit, agent: Agent) -> None:
        """Serve a unit from now on."""
        if unit.db_id in self.running_units:
            return
        agent.update_status(AgentState.STATUS_IN_TASK)
        session = Session(unit, agent, self._seconds_left(agent))
        self.running_units[unit.db_id] = session
        self._attendants.admit(session)

    def _attend(self, session: Session) -> bool:
        """Do what there is to do for a unit, and return whether it is over. What fails is tried again in a while."""
        try:
            return self._serve_unit(session)
        except Exception:  # anything else would be a lost submission, or a unit that nobody serves
            log.exception("%s cannot be served further yet", session.unit)
            session.look_again(CLOSE_AGAIN_SECONDS)
            return False

    def _serve_unit(self, session: Session) -> bool:
        try:
            self._serve_calls(session)
            if not self._advance(session):
                return False
        except (AgentDisconnectedError, AgentTimeoutError, AgentReturnedError):
            self._let_go(session)
        self._end(session)
        return True

    def _serve_calls(self, session: Session) -> None:
        agent = session.agent
        while not agent.did_submit.is_set() and not self._paused.is_set() and (call := session.next_call()) is not None:
            if str(call.get("target")) in self.shared_state.latest:
                self._latest.put(agent, call)
            else:
                self._serve(agent, call, session.answered)

    def _advance(self, session: Session) -> bool:
        """Return whether the submission is durable. Raises Mephisto's agent errors when the worker is gone."""
        agent = session.agent
        if self._paused.is_set():
            return False
        if not agent.did_submit.is_set():
            if not session.is_over_time:
                return False
            agent.update_status(AgentState.STATUS_TIMEOUT)
            raise AgentTimeoutError(self._seconds, agent.db_id)
        # A worker who is dropped counts as having submitted, for Mephisto: only what was saved is a submission.
        dropped = agent.get_status() in AgentState.complete()
        if not agent.state.saved.wait(0 if dropped else SAVE_SECONDS):
            raise AgentDisconnectedError(agent.db_id)
        if not self._close_unit(session):
            return False
        agent.update_status(AgentState.STATUS_COMPLETED)  # whatever was found out about the worker meanwhile
        session.unit.db_status = AssignmentState.COMPLETED  # in the database by the same step
        return True

    def _let_go(self, session: Session) -> None:
        """The worker is gone: Mephisto offers the unit to others."""
        unit, agent = session.unit, session.agent
        if unit.get_status() != AssignmentState.EXPIRED:
            holder = unit.get_assigned_agent()
            if holder is not None and holder.db_id == agent.db_id:
                unit.clear_assigned_agent()
            if agent.get_status() not in AgentState.complete():
                agent.update_status(AgentState.STATUS_DISCONNECT)
        self.cleanup_unit(unit)
        unit.sync_status()

    def _end(self, session: Session) -> None:
        self.running_units.pop(session.unit.db_id, None)
        session.agent.hide_state()
        session.agent.get_live_run().worker_pool.put_away(session.agent)

    def _seconds_left(self, agent: Agent) -> float:
        """The time of the HIT, whichever operator serves it. A hand-in that waits at the router comes first."""
        ends: datetime = agent.state.accepted_at + timedelta(seconds=self._seconds)
        return max(ends - datetime.now(timezone.utc), timedelta()).total_seconds() + HAND_IN_GRACE.total_seconds()

    def _close_unit(self, session: Session) -> bool:
        """Return whether it is durable; it is tried again in a while.

        A pause leaves it to the next operator, for whom the router keeps the submission.
        """
        agent = session.agent
        try:
            self.shared_state.close_unit(agent, agent.state.get_data()["outputs"])
            self.shared_state.on_hand_in()
            return True
        except DiskFull:
            log.error("The submission of %s cannot be stored yet: the disk is full. Free some space.", agent)
        except StoreAway:
            log.warning("The submission of %s cannot be stored yet: the store does not answer.", agent)
        except Exception:  # anything else would be a lost submission
            log.exception("the submission of %s cannot be stored yet", agent)
        session.look_again(CLOSE_AGAIN_SECONDS)
        return False

    def pause(self) -> None:
        """Serve no unit any more and leave the units as they are, to be taken up by the next operator."""
        self._paused.set()
        self._latest.close()
        self._attendants.stop(SAVE_SECONDS)

    def _serve(self, agent: Agent, call: Mapping[str, Any], answered: OrderedDict[str, str]) -> None:
        """Answer a call. One that the router repeats, because it lost the answer, gets the same answer again."""
        request_id = str(call.get("request_id"))
        if request_id not in answered:
            answered[request_id] = self._answer(agent, call, self._while_open)
            while len(answered) > ANSWERS_KEPT:
                answered.popitem(last=False)
        self._send(agent, call, answered[request_id])

    def serve_afterwards(self, agent: Agent, call: Mapping[str, Any]) -> None:
        """Answer a call of a page whose HIT is submitted."""
        self._send(agent, call, self._answer(agent, call, self.shared_state.afterwards))

    def _serve_latest(self, agent: Agent, call: Mapping[str, Any]) -> None:
        self._send(agent, call, self._answer(agent, call, self._while_open))

    def _give_way(self, agent: Agent, call: Mapping[str, Any]) -> None:
        error = {"code": OVERTAKEN, "field": None, "message": "A newer call of this page took its place."}
        self._send(agent, call, json.dumps({"ok": False, "error": error}))

    def _send(self, agent: Agent, call: Mapping[str, Any], response: str) -> None:
        # Not through agent.observe(): the mock provider keeps whatever its agents observe.
        packet = {"handles": str(call.get("request_id")), "response": response, "update_id": call.get("update_id")}
        agent.get_live_run().client_io.send_live_update(agent.get_agent_id(), packet)

    @property
    def _while_open(self) -> Mapping[str, Procedure]:
        return {**self.shared_state.procedures, **self.shared_state.latest}

    def _answer(self, agent: Agent, call: Mapping[str, Any], procedures: Mapping[str, Procedure]) -> str:
        try:
            procedure, arguments = _procedure(call, procedures), _arguments(call)
            return json.dumps({"ok": True, **patiently(lambda: procedure(agent, arguments))}, allow_nan=False)
        except BeatTheAIError as error:
            if isinstance(error, DiskFull):
                log.error("Work cannot be saved: the disk is full. Free some space; workers try again.")
            if isinstance(error, StoreDamaged):
                log.error("Work cannot be saved: the store is damaged. Restore the latest backup.")
            return json.dumps({"ok": False, "error": describe(error)})
        except Exception:  # the boundary to the page: the unit must go on
            log.exception("the procedure %r failed", str(call.get("target"))[:40])
            failure = {"code": "internal", "field": None, **told(said("refusals.went_wrong"))}
            return json.dumps({"ok": False, "error": failure})

    def cleanup_unit(self, unit: Unit) -> None:
        """The worker is gone, and Mephisto offers the unit to others."""
        try:
            agent = self.running_units[unit.db_id].agent
            self.shared_state.abandon_unit(agent)
            if not self.shared_state.identity_verified and agent.state.page is not None:
                self.shared_state.hand_ins.set_aside(assignment_of(agent), NOBODYS)
        except Exception:  # the unit must become free whatever happens
            log.exception("what was held for %s is not given back", unit)


def _procedure(call: Mapping[str, Any], procedures: Mapping[str, Procedure]) -> Procedure:
    target = str(call.get("target"))
    if target not in procedures:
        raise InvalidInput("target", f"{target[:40]!r} cannot be called. Available: {', '.join(procedures)}.")
    return procedures[target]


def _arguments(call: Mapping[str, Any]) -> Mapping[str, Any]:
    try:
        arguments = json.loads(call["args"])
    except (KeyError, TypeError, ValueError, RecursionError):
        raise InvalidInput("args", "The arguments are not JSON.") from None
    if not isinstance(arguments, dict):
        raise InvalidInput("args", "The arguments must be a JSON object.")
    return arguments


def describe(error: BeatTheAIError) -> dict[str, Any]:
    """An error as the page gets it."""
    description = {"code": error.code, "field": getattr(error, "field", None), **told(message_of(error))}
    if isinstance(error, AdversaryBusy):
        description["retry_after_seconds"] = error.retry_after_seconds
    return description
