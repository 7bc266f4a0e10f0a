"""A screening through real Mephisto: store, desk, operator, router. As a program, too:

    python -m tests.workforce.rig DIRECTORY [--page-dir webapp/dist] [--real-model] [--die-at 2]

serves until it is stopped, prints the router's URL, and kills itself right after the n-th response became durable.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from omegaconf import OmegaConf

from beat_the_ai.adversary.in_the_loop import ModelInTheLoop
from beat_the_ai.adversary.pool import Member, Pool
from beat_the_ai.campaign.service.model_server import ModelServer
from beat_the_ai.kinds.reading_comprehension.screening.content import QuizContent
from beat_the_ai.kinds.reading_comprehension.writing import Prediction
from beat_the_ai.mephisto.database import MephistoDatabase
from beat_the_ai.mephisto.operator import CampaignOperator
from beat_the_ai.rules.adversary import Adversary
from beat_the_ai.rules.languages import ENGLISH
from beat_the_ai.store import Screening, Store, open_store
from beat_the_ai.terms.round import AdversarySettings
from beat_the_ai.workforce.screening import ScreeningDesk
from blueprints.qualification import BLUEPRINT_TYPE, qualification_state
from tests.kinds.reading_comprehension.screening.quizzes import SHIPPED, load_quiz, new_screening_desk
from tests.mephisto.rig import config
from tests.webapp.shipped_words import shipped_words
from tests.writing.fakes import FakeModel

ROOT = Path(__file__).parents[2]
TITLES = {"task_title": "Learn to beat the AI", "task_description": "Five short steps and a sample task."}


@dataclass
class Serving:
    """A screening that is being served in this process."""

    store: Store
    desk: ScreeningDesk
    operator: CampaignOperator
    url: str

    def outcomes(self) -> dict[str, str | None]:
        return {screening.worker: screening.outcome for screening in self.store.screenings.of_campaign("pilot")}


@contextmanager
def serving(
    directory: Path,
    quiz: QuizContent | None = None,
    model: Adversary | None = None,
    *,
    places: int = 3,
    page_dir: str = "",
    die_at: int = 0,
    provider: Mapping[str, Any] | None = None,
    **desk_options: Any,
) -> Iterator[Serving]:
    """Serve until the block ends; then the run is left as it is. `provider` is the crowd, when that is not the mock."""
    directory.mkdir(parents=True, exist_ok=True)
    store = open_store(f"sqlite:///{directory}/store.db")
    desk = new_screening_desk(store, quiz or load_quiz(SHIPPED), model or FakeModel(), **desk_options)  # type: ignore[arg-type]
    if die_at:
        _die_after(desk, die_at)
    settings = config(page_dir=page_dir)
    settings.blueprint._blueprint_type = BLUEPRINT_TYPE
    settings.task.task_name = "pilot-screening"
    if provider is not None:
        settings.provider = OmegaConf.create(dict(provider))
    operator = CampaignOperator(MephistoDatabase(directory / "mephisto" / "database.db"))
    try:
        state = qualification_state(desk, lambda: places, TITLES)
        state.words = [shipped_words(ENGLISH)]
        url = operator.launch(settings, state)
        yield Serving(store, desk, operator, url)
    finally:
        operator.pause()
        store.close()


def _die_after(desk: ScreeningDesk, responses: int) -> None:
    add, left = desk.store.screenings.add, iter(range(responses, 0, -1))

    def add_and_die(response: Any) -> Any:
        made = add(response)
        if next(left) == 1:
            os.kill(os.getpid(), signal.SIGKILL)
        return made

    desk.store.screenings.add = add_and_die  # type: ignore[method-assign]


@contextmanager
def real_model(seed: int = 1) -> Iterator[ModelInTheLoop]:
    """The model that ships with the project, in a server of its own."""
    section = AdversarySettings(
        members=["onnx:bidaf-small"], device="cpu", streams=1, threads=1, precision=None, timeout_seconds=20
    )
    with ModelServer(section.members, section, "reading_comprehension") as server:
        pool = Pool([Member("bidaf-small", server.address, server.token)], seed)
        model = ModelInTheLoop(pool, Prediction, 20)
        try:
            yield model
        finally:
            model.close()


@contextmanager
def operator_process(directory: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """An operator in a process of its own, and its router's URL. What is left of it is killed at the end."""
    command = [sys.executable, "-m", "tests.workforce.rig", str(directory), *options]
    log_path = directory.parent / f"{directory.name}.log"
    with (
        log_path.open("a") as log,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, cwd=ROOT) as process,
    ):
        try:
            assert process.stdout is not None
            url = process.stdout.readline().strip()
            assert url, log_path.read_text()
            yield process, url
        finally:
            process.kill()


def screenings(directory: Path) -> list[Screening]:
    """What the store of a run holds, whoever serves it."""
    store = open_store(f"sqlite:///{directory}/store.db")
    try:
        return store.screenings.of_campaign("pilot")
    finally:
        store.close()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("directory", type=Path)
    parser.add_argument("--page-dir", default="")
    parser.add_argument("--real-model", action="store_true")
    parser.add_argument("--die-at", type=int, default=0)
    parser.add_argument("--places", type=int, default=3)
    given = parser.parse_args()
    with ExitStack() as stack:
        model = stack.enter_context(real_model()) if given.real_model else None
        options: dict[str, Any] = {"page_dir": given.page_dir, "die_at": given.die_at, "places": given.places}
        run = stack.enter_context(serving(given.directory, model=model, **options))
        print(run.url, flush=True)
        run.operator.wait(lambda: False)


if __name__ == "__main__":
    main()
