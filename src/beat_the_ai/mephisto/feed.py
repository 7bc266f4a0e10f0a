"""Units that come in the course of a run: as many as the blueprint wants at the moment.

Mephisto's own generators hand out everything that they give, and sleep for half a second or for ten in between.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Collection
from typing import Any

from beat_the_ai.mephisto.database import MephistoDatabase
from beat_the_ai.mephisto.procedures import ProcedureState
from beat_the_ai.mephisto.shim import Assignment, AssignmentState, InitializationData

FEED_SECONDS = 0.5
SHARE_OF_TIME = 0.03  # of a core, at most, goes into looking

log = logging.getLogger(__name__)


class UnitFeed:
    """A thread that looks every half second, and less often where looking takes long.

    `state` says what is wanted; `launch()` offers the units that were created. Both happen while `offering` is held.
    """

    def __init__(
        self, launcher: Any, state: ProcedureState, launch: Callable[[], object], offering: threading.Lock
    ) -> None:
        self._launcher = launcher
        self._units = _Units(launcher)
        self._state = state
        self._launch = launch
        self._offering = offering
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="unit-feed", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self, seconds: float | None) -> None:
        """Returns when it has ended, or after so long; None waits for what is being offered."""
        self._stopped.set()
        self._thread.join(seconds)

    def _run(self) -> None:
        pause = 0.0
        while not self._stopped.wait(pause):
            started = time.thread_time()
            try:
                self._top_up()
            except Exception:  # the store or the crowd is away: the next look may find them back
                log.exception("no units could be added")
            pause = max(FEED_SECONDS, (time.thread_time() - started) / SHARE_OF_TIME)

    def _top_up(self) -> None:
        work_wanted = self._state.work_wanted
        if work_wanted is None or self._state.is_closed():
            return
        with self._offering:
            work = work_wanted(self._units)
            for shared in work:
                self._launcher._create_single_assignment(InitializationData(dict(shared), [{}]))
            if work or self._launcher.unlaunched_units:  # the crowd may have refused one, and the rest was left
                self._launch()


class _Units:
    """`UnitsAtHand`, counted in Mephisto's database; Mephisto itself would make an object of every unit."""

    def __init__(self, launcher: Any) -> None:
        self._database: MephistoDatabase = launcher.db
        self._run_id = launcher.task_run.db_id
        self._hits: dict[str, str] = {}

    @property
    def waiting(self) -> int:
        return self._number((AssignmentState.CREATED, AssignmentState.LAUNCHED))

    @property
    def unfinished(self) -> int:
        return self._number(AssignmentState.incomplete())

    def hits(self) -> set[str]:
        found = self._database.assignments_of_units(self._run_id, AssignmentState.incomplete())
        return {self._hit(assignment_id) for assignment_id in found}

    def _number(self, states: Collection[str]) -> int:
        return self._database.number_of_units(self._run_id, states)

    def _hit(self, assignment_id: str) -> str:
        if assignment_id not in self._hits:
            shared = Assignment.get(self._database, assignment_id).get_assignment_data().shared
            self._hits[assignment_id] = str(shared["hit"])
        return self._hits[assignment_id]
