"""A campaign whose writing has begun, without anybody who serves it. As a program, too:

    python -m tests.campaign.acts.begun FOLDER FILE

adds the contexts of a file, and kills itself before the transaction of that is over.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path

from beat_the_ai.campaign.acts.act import Actor, Place
from beat_the_ai.campaign.acts.adding_contexts import AddContexts
from beat_the_ai.campaign.service.hits import create_hits
from beat_the_ai.campaign.settings.configuration import read_settings
from beat_the_ai.campaign.settings.planned_round import PlannedRound
from beat_the_ai.campaign.settings.resume import begin_or_resume
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import Store, acts, now, open_store
from beat_the_ai.terms.locate import private_folder
from beat_the_ai.writing import OpenHits
from tests.cli.launching import NAME, TASK

ANN = Actor("ann")  # on a page
ROOT = Actor("root", "root")  # on the command line
HITS = 4
OPTIONS = (f"round.max_hits={HITS}", "round.reoffers=0", "pay.bonus_cents_per_win=0", "dataset.train=0")


def begin(folder: Path, *overrides: str) -> tuple[Place, OpenHits]:
    """Return a campaign in an open store, and the HITs as an operator has them."""
    private_folder(folder)
    store = open_store(str(folder / "private" / "campaign.db"))
    settings = read_settings(TASK, [*OPTIONS, *overrides], out=folder)
    begin_or_resume(PlannedRound(store, settings))
    offer = create_hits(PlannedRound(store, settings))
    store.rounds.freeze(NAME, 1, Stage.WRITING.value, now())
    return Place(store, NAME, folder), offer


def opened(folder: Path) -> Store:
    return open_store(str(folder / "private" / "campaign.db"))


def passage(number: int) -> dict[str, object]:
    return {"id": f"new/{number}", "title": "New", "context": f"A passage about the number {number}.", "questions": []}


def write(path: Path, *passages: object) -> Path:
    path.write_text("".join(f"{each if isinstance(each, str) else json.dumps(each)}\n" for each in passages))
    return path


def main() -> None:
    folder, file = map(Path, sys.argv[1:])
    vars(acts)["append"] = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
    AddContexts(file=file).do(Place(opened(folder), NAME, folder), ANN)


if __name__ == "__main__":
    main()
