"""Validation through real Mephisto: an operator and a router of their own. As a program, too:

    python -m tests.validation.rig DIRECTORY [--die answered|closing|closed] [--at 2]

serves what is in the store of the directory until it is stopped, and kills itself at the n-th such moment.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from beat_the_ai.mephisto.database import MephistoDatabase
from beat_the_ai.mephisto.operator import CampaignOperator
from beat_the_ai.rules.languages import ENGLISH
from beat_the_ai.store import open_store
from beat_the_ai.terms.validation import ValidationTerms
from beat_the_ai.validation import ValidationDesk, ValidationState
from blueprints.validation import BLUEPRINT_TYPE, validation_state
from tests.mephisto.rig import config
from tests.validation.written import new_desk
from tests.webapp.shipped_words import shipped_words

CONFIG = {"page": "validation", "task_title": "Check"}


@dataclass
class Validating:
    desk: ValidationDesk
    operator: CampaignOperator
    url: str


@contextmanager
def validating(
    directory: Path, desk: ValidationDesk, settings: Any = None, *, page: str = "validation", **architect: Any
) -> Iterator[Validating]:
    """Serve validation until the block ends; then the run is left as it is. `settings` are those of another crowd."""
    settings = settings or config(**architect)
    settings.blueprint._blueprint_type = BLUEPRINT_TYPE
    settings.task.task_name = "pilot-validation"
    operator = CampaignOperator(MephistoDatabase(directory / "validation" / "database.db"))
    try:
        state = validation_state(desk, {**CONFIG, "page": page})
        state.words = [shipped_words(ENGLISH)]
        url = operator.launch(settings, state)
        yield Validating(desk, operator, url)
    finally:
        operator.pause()


class DyingDesk(ValidationDesk):
    """Kills its process at a moment of its n-th occurrence."""

    moment = ""
    left = 1

    def _maybe_die(self, moment: str) -> None:
        if moment == type(self).moment:
            type(self).left -= 1
            if type(self).left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    def vote(self, assignment_id: str, item_id: str, key: str, payload: object) -> ValidationState:
        answered = super().vote(assignment_id, item_id, key, payload)
        self._maybe_die("answered")
        return answered

    def finish(self, assignment_id: str, feedback: str = "") -> Any:
        self._maybe_die("closing")
        assignment = super().finish(assignment_id, feedback)
        self._maybe_die("closed")
        return assignment


@contextmanager
def operator_process(directory: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """An operator in a process of its own, and its router's URL. It is killed at the end."""
    command = [sys.executable, "-m", "tests.validation.rig", str(directory), *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]) as process:
        try:
            assert process.stdout is not None
            url = process.stdout.readline().strip()
            assert url, "the operator did not start"
            yield process, url
        finally:
            process.kill()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("directory", type=Path)
    parser.add_argument("--die", choices=("answered", "closing", "closed"))
    parser.add_argument("--at", type=int, default=1)
    given = parser.parse_args()
    DyingDesk.moment, DyingDesk.left = given.die or "", given.at
    store = open_store(str(given.directory / "store.db"))
    usual = new_desk(store, store.campaigns.get("pilot"))
    terms = ValidationTerms(works_per_hit=2, gold_per_hit=1)
    with validating(given.directory, DyingDesk(usual.campaign, usual.checking, terms)) as run:
        print(run.url, flush=True)
        run.operator.wait(lambda: False)


if __name__ == "__main__":
    main()
