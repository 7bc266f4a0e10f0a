"""Units that come in the course of a run: as many are kept waiting for workers as the blueprint wants at the moment.

Mephisto's own generators hand out everything that they give, and sleep for half a second or for ten in between.
Here the blueprint says how much is wanted; what a unit is about is decided when a worker takes it.
"""

from __future__ import annotations

import logging
import threading
import time
import uuid
from collections.abc import Callable
from typing import Any

from beat_the_ai.mephisto.procedures import ProcedureState
from beat_the_ai.mephisto.shim import AssignmentState, InitializationData

FEED_SECONDS = 0.5
SHARE_OF_TIME = 0.1  # at most so much of the time goes into looking
STOP_SECONDS = 30

log = logging.getLogger(__name__)


class UnitFeed:
    """A thread that looks every half second, and less often where looking takes long.

    `state` says how many units should wait; `launch()` offers those that were created.
    """

    def __init__(self, launcher: Any, state: ProcedureState, launch: Callable[[], None]) -> None:
        self._launcher = launcher
        self._state = state
        self._launch = launch
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="unit-feed", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()
        self._thread.join(STOP_SECONDS)

    def _run(self) -> None:
        pause = 0.0
        while not self._stopped.wait(pause):
            started = time.monotonic()
            try:
                self._top_up()
            except Exception:  # the store or the crowd is away: the next look may find them back
                log.exception("no units could be added")
            pause = max(FEED_SECONDS, (time.monotonic() - started) / SHARE_OF_TIME)

    def _top_up(self) -> None:
        units_wanted = self._state.units_wanted
        wanted = 0 if units_wanted is None or self._state.is_closed() else units_wanted()
        missing = wanted - self._waiting() if wanted else 0
        for _ in range(missing):
            # `hit` names the unit to the engine, whose store outlives Mephisto's.
            self._launcher._create_single_assignment(InitializationData({"hit": uuid.uuid4().hex}, [{}]))
        if missing > 0:
            self._launch()

    def _waiting(self) -> int:
        run = self._launcher.task_run.db_id
        states = (AssignmentState.CREATED, AssignmentState.LAUNCHED)
        return sum(len(self._launcher.db.find_units(task_run_id=run, status=state)) for state in states)
