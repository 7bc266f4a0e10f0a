"""A watch over the servers of a pool while a stage is served: what goes wrong there is in the store for all to see."""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from types import TracebackType

from beat_the_ai.adversary.in_the_loop import ModelInTheLoop
from beat_the_ai.campaign.settings.planned_round import PlannedRound
from beat_the_ai.errors import BeatTheAIError
from beat_the_ai.store import Trouble, now

LOOK_SECONDS = 5.0
ANSWER_SECONDS = 3.0
PATIENT_LOOKS = 2  # a server that dies is started again between two

log = logging.getLogger(__name__)


class ModelWatch:
    """`with ModelWatch(...)`: looks again and again until the block ends. `asked_by` is a stage or a share of it."""

    def __init__(self, model: ModelInTheLoop, planned: PlannedRound, asked_by: str) -> None:
        self._model = model
        self._servers = planned.store.model_servers
        self._place = (planned.settings.name, asked_by)
        self._silent: Mapping[str, tuple[datetime, int]] = {}  # since when, and at how many looks
        self._failures = Counter[str]()  # that are not in the store yet
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="model-watch", daemon=True)

    def __enter__(self) -> ModelWatch:
        self._servers.forget_absences(*self._place)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ending.set()
        self._thread.join()
        try:
            self._keep({})
            self._servers.forget_absences(*self._place)
        except BeatTheAIError as failure:  # the stage ends as it would
            log.warning("what went wrong with the models is not kept: %s", failure)

    def look(self) -> None:
        """Ask all servers once, and keep what has changed."""
        silent, at = self._model.silent_members(ANSWER_SECONDS), now()
        known = self._silent
        self._silent = {
            member: (since, looks + 1) for member in silent for since, looks in [known.get(member, (at, 0))]
        }
        away = {member: since for member, (since, looks) in self._silent.items() if looks == PATIENT_LOOKS}
        back = {member: None for member, (_, looks) in known.items() if member not in silent and looks >= PATIENT_LOOKS}
        try:
            self._keep({**away, **back})
        except BeatTheAIError:  # the next look finds the same changes
            self._silent = known
            raise

    def _keep(self, changed: Mapping[str, datetime | None]) -> None:
        self._failures.update(self._model.taken_failures())
        for member in self._failures.keys() | changed.keys():
            since = changed.get(member, self._away_since(member))
            self._servers.keep(*self._place, member, Trouble(self._failures[member], since))
            del self._failures[member]

    def _away_since(self, member: str) -> datetime | None:
        since, looks = self._silent.get(member, (None, 0))
        return since if looks >= PATIENT_LOOKS else None

    def _watch(self) -> None:
        while not self._ending.wait(LOOK_SECONDS):
            try:
                self.look()
            except BeatTheAIError as error:
                log.warning("what goes wrong with the models is not kept: %s", error)
            except Exception:  # the boundary of a thread: workers are served meanwhile
                log.exception("the servers of the models cannot be watched")
