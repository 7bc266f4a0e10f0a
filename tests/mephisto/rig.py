"""A writing campaign through real Mephisto: store, desk with a fake model, operator, router. As a program, too:

    python -m tests.mephisto.rig DIRECTORY --hits 3 [--die asked|answered|opening|closing|closed] [--at 2]

serves until it is stopped, prints the router's URL, and kills itself at the given moment of the n-th time.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from omegaconf import OmegaConf

from beat_the_ai.kinds.reading_comprehension.writing import ReadingComprehension
from beat_the_ai.mephisto.architect import ARCHITECT_TYPE
from beat_the_ai.mephisto.database import MephistoDatabase
from beat_the_ai.mephisto.operator import CampaignOperator
from beat_the_ai.rules.adversary import Adversary, Asker, Reply
from beat_the_ai.rules.languages import ENGLISH
from beat_the_ai.rules.protocol import Context
from beat_the_ai.store import Attempt, Campaign, Store, now, open_store
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.writing import Terms
from beat_the_ai.writing import HitState, Offers, OpenHits, WritingDesk
from blueprints.writing import BLUEPRINT_TYPE, writing_state
from blueprints.writing.blueprint import WritingState
from tests.webapp.shipped_words import shipped_words
from tests.writing.fakes import FakeModel

T = TypeVar("T")

PASSAGE = "Rome fell in 476. The last emperor was Romulus Augustulus 𝄞 of old."
QUESTIONS = [
    {"question": "When did Rome fall?", "answer": {"text": "476", "start": 13}},
    {"question": "Who was the last emperor?", "answer": {"text": "Romulus Augustulus", "start": 39}},
    {"question": "Which town fell?", "answer": {"text": "Rome", "start": 0}},
]
GOLD = {"question": "In which year did the city fall?", "answer": {"text": "476", "start": 13}}
MOMENTS = ("opening", "asked", "answered", "closing", "closed")


def contexts(number: int) -> list[Context]:
    questions = [*({**question, "gold": False} for question in QUESTIONS), GOLD]
    return [Context(f"rome/{index}", PASSAGE, "Rome", {"questions": questions}) for index in range(number)]


def config(**architect: Any) -> Any:
    return OmegaConf.create(
        {
            "blueprint": {"_blueprint_type": BLUEPRINT_TYPE},
            "provider": {"_provider_type": "mock", "requester_name": "MOCK_REQUESTER"},
            "architect": {
                "_architect_type": ARCHITECT_TYPE,
                "host": "127.0.0.1",
                "port": 0,
                "page_dir": "",
                "absence_seconds": 900,
                **architect,
            },
            "task": {
                "task_name": "pilot",
                "task_title": "Write",
                "task_description": "Write questions",
                "task_tags": "test",
                "task_reward": 2.0,
                "assignment_duration_in_seconds": 3600,
                "submission_timeout": 3600,
                "allowed_concurrent": 0,
                "maximum_units_per_worker": 0,
                "max_num_concurrent_units": 0,
                "no_submission_patience": 10**9,
            },
        }
    )


@dataclass
class Serving:
    """A campaign that is being served in this process."""

    store: Store
    desk: WritingDesk
    hits: dict[str, str]
    operator: CampaignOperator
    url: str

    def attempts(self) -> list[tuple[str, str, str]]:
        """Worker, context and key of every attempt."""
        rows = self.store.attempts.of_campaign("pilot")
        return [(row.assignment.worker, row.hit.context.id, row.attempt.key) for row in rows]

    def submitted(self) -> set[str]:
        return self.store.attempts.done_hits("pilot")


def writing(
    directory: Path, model: Adversary, *, hits: int = 3, slots: int = 1, awaits_crowd: bool = False, **terms: Any
) -> tuple[Store, WritingDesk, dict[str, str]]:
    store = open_store(f"sqlite:///{directory}/store.db")
    store.campaigns.create(Campaign("pilot", "reading_comprehension", 7, "k" * 64, {}, now()))
    offered = store.campaigns.offer("pilot", contexts(hits), round_number=1, slots=slots)
    desk = WritingDesk(store, ReadingComprehension(), model, Terms(**terms), awaits_crowd=awaits_crowd)
    return store, desk, offered


@contextmanager
def serving(
    directory: Path,
    model: Adversary | None = None,
    *,
    hits: int = 3,
    slots: int = 1,
    architect: Mapping[str, Any] | None = None,
    seconds: int = 3600,
    reoffers: int = 0,
    desk_type: type[WritingDesk] = WritingDesk,
    **state: Any,
) -> Iterator[Serving]:
    """Serve until the block ends; then the run is left as it is. `state` replaces fields of the shared state."""
    directory.mkdir(parents=True, exist_ok=True)
    store = open_store(f"sqlite:///{directory}/store.db")
    store.campaigns.create(Campaign("pilot", "reading_comprehension", 7, "k" * 64, {}, now()))
    offered = store.campaigns.offer("pilot", contexts(hits), round_number=1, slots=slots)
    desk = desk_type(store, ReadingComprehension(), model or FakeModel(), Terms())
    settings = config(**(architect or {}))
    settings.task.assignment_duration_in_seconds = seconds
    open_hits = OpenHits(BoundCampaign.open(store, "pilot"), offered, offers=lambda: Offers(reoffers=reoffers))
    shared: WritingState = writing_state(desk, open_hits, {"wins_wanted": desk.terms.wins_wanted})
    shared.words = [shipped_words(ENGLISH)]
    operator = CampaignOperator(MephistoDatabase(directory / "mephisto" / "database.db"))
    try:
        url = operator.launch(settings, replace(shared, **state))
        yield Serving(store, desk, offered, operator, url)
    finally:
        operator.pause()
        store.close()


class DyingDesk(WritingDesk):
    """Kills its process at a moment of its n-th occurrence."""

    moment = ""
    left = 1

    def _maybe_die(self, moment: str) -> None:
        if moment == type(self).moment:
            type(self).left -= 1
            if type(self).left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    def accept(self, hit_id: str, worker: str, registration: str, at: datetime | None = None) -> Any:
        accepted = super().accept(hit_id, worker, registration, at)
        self._maybe_die("opening")
        return accepted

    def submit(
        self,
        assignment_id: str,
        key: str,
        context_id: str,
        payload: object,
        telemetry: object = None,
        appeal: str | None = None,
    ) -> tuple[Attempt, HitState]:
        answered = super().submit(assignment_id, key, context_id, payload, telemetry, appeal)
        self._maybe_die("answered")
        return answered

    def finish(self, assignment_id: str, feedback: str = "") -> Any:
        self._maybe_die("closing")
        assignment = super().finish(assignment_id, feedback)
        self._maybe_die("closed")
        return assignment


class DyingModel(FakeModel):
    def ask(self, query: Any, *, key: str, asker: Asker, patient: bool = False) -> Reply:
        if DyingDesk.moment == "asked":
            DyingDesk.left -= 1
            if DyingDesk.left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
        return super().ask(query, key=key, asker=asker, patient=patient)


@contextmanager
def operator_process(directory: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """An operator in a process of its own, and its router's URL. What is left of them is killed at the end."""
    command = [sys.executable, "-m", "tests.mephisto.rig", str(directory), *options]
    root = Path(__file__).parents[2]
    with (
        (directory.parent / f"{directory.name}.log").open("a") as log,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, cwd=root) as process,
    ):
        try:
            assert process.stdout is not None
            url = process.stdout.readline().strip()
            assert url, (directory.parent / f"{directory.name}.log").read_text()
            yield process, url
        finally:
            process.kill()


@asynccontextmanager
async def in_thread(manager: AbstractContextManager[T]) -> AsyncIterator[T]:
    """A context manager that blocks, without holding up the pages meanwhile."""
    entered = await asyncio.to_thread(manager.__enter__)
    try:
        yield entered
    finally:
        await asyncio.to_thread(manager.__exit__, None, None, None)


def kill_router(folder: Path) -> None:
    for path in folder.glob("**/mephisto/**/router/address.json"):
        with contextlib.suppress(ProcessLookupError, KeyError):  # it has none where it was restored
            os.kill(json.loads(path.read_text())["pid"], signal.SIGKILL)


def submitted(folder: Path) -> int:
    """The number of HITs that the store of a campaign has as submitted, whoever serves it."""
    store = open_store(f"sqlite:///{folder}/store.db")
    try:
        return len(store.attempts.done_hits("pilot"))
    finally:
        store.close()


def rows(folder: Path) -> list[tuple[str, str, str]]:
    """Worker, context and key of every attempt in the store of a campaign."""
    store = open_store(f"sqlite:///{folder}/store.db")
    try:
        every = store.attempts.of_campaign("pilot")
        return [(row.assignment.worker, row.hit.context.id, row.attempt.key) for row in every]
    finally:
        store.close()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("directory", type=Path)
    parser.add_argument("--hits", type=int, default=3)
    parser.add_argument("--die", choices=MOMENTS)
    parser.add_argument("--at", type=int, default=1)
    given = parser.parse_args()
    DyingDesk.moment, DyingDesk.left = given.die or "", given.at
    with serving(given.directory, DyingModel(), hits=given.hits, desk_type=DyingDesk) as run:
        print(run.url, flush=True)
        run.operator.wait(lambda: False)
    print("stopped", flush=True)


if __name__ == "__main__":
    main()
