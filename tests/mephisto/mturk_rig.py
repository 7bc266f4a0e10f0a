"""A writing campaign on a real marketplace through real Mephisto. As a program, too:

    python -m tests.mephisto.mturk_rig DIRECTORY --hits 10 [--die before|after --at 4]

serves until it is stopped, prints the router's URL, and kills itself before or after the n-th HIT is created, in any
case before it is written down here. The marketplace and the keys come from the environment.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from omegaconf import OmegaConf

from beat_the_ai.marketplace.assignments import Assignment
from beat_the_ai.mephisto.database import MephistoDatabase
from beat_the_ai.mephisto.hand_ins import NO_HAND_INS
from beat_the_ai.mephisto.mturk import CampaignProvider
from beat_the_ai.mephisto.mturk.datastore import CampaignDatastore
from beat_the_ai.mephisto.operator import CampaignOperator
from beat_the_ai.mephisto.shim import TaskRun, register_mephisto_abstraction
from beat_the_ai.requester import Requester
from beat_the_ai.rules.languages import ENGLISH
from beat_the_ai.rules.stage import Stage
from beat_the_ai.simulation.page import PageClient
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.web.signed_assignment import SignedAssignment
from beat_the_ai.writing import Offers, OpenHits, WritingDesk
from blueprints.writing import writing_state
from blueprints.writing.blueprint import WritingState
from tests.marketplace.rehearsal import Rehearsal
from tests.mephisto.rig import Serving, config, writing
from tests.webapp.shipped_words import shipped_words
from tests.writing.fakes import FakeModel


def settings(**provider: Any) -> Any:
    made = config()
    made.provider = OmegaConf.create({"_provider_type": "mturk", "requester_name": "lab", **provider})
    return made


@contextmanager
def serving(
    directory: Path, *, hits: int = 3, reoffers: int = 0, check_seconds: float = 60, **provider: Any
) -> Iterator[Serving]:
    """Serve until the block ends; then the run is left as it is."""
    directory.mkdir(parents=True, exist_ok=True)
    store, desk, offered = writing(directory, FakeModel(), hits=hits, awaits_crowd=True)
    state = on_the_crowd(desk, offered, reoffers)
    operator = CampaignOperator(MephistoDatabase(directory / "mephisto" / "database.db"), check_seconds)
    try:
        url = operator.launch(settings(**provider), state)
        yield Serving(store, desk, offered, operator, url)
    finally:
        operator.pause()
        store.close()


def on_the_crowd(desk: WritingDesk, offered: dict[str, str], reoffers: int = 0, **told: Any) -> WritingState:
    """What is handed in counts once the crowd has confirmed it."""
    offer = OpenHits(BoundCampaign.open(desk.store, "pilot"), offered, offers=lambda: Offers(reoffers=reoffers))
    state = writing_state(desk, offer, {"wins_wanted": desk.terms.wins_wanted, **told})
    state.words = [shipped_words(ENGLISH)]
    state.hand_ins = replace(
        NO_HAND_INS,
        waiting=partial(desk.store.assignments.waiting, "pilot", Stage.WRITING),
        confirm=desk.confirm,
        set_aside=desk.set_aside,
    )
    return state


def use(monkeypatch: pytest.MonkeyPatch, rehearsal: Rehearsal, dollars: int = 1000) -> Requester:
    """The requester's side. Everything in this process and its children goes to the marketplace as a new requester."""
    key = rehearsal.new_requester(dollars)
    monkeypatch.setenv("AWS_ENDPOINT_URL_MTURK", rehearsal.address)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", key.id)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", key.secret)
    return Requester.connect()


def accept(rehearsal: Rehearsal, worker: str, hit_id: str) -> Assignment:
    with rehearsal.workplace() as workplace:
        return workplace.accept(worker, hit_id)


def page(url: str, http: httpx.AsyncClient, assignment: Assignment, **changes: str) -> PageClient:
    """The worker's page as the crowd's script registers it, at the address that the marketplace has signed."""
    client = PageClient(url, http, assignment.worker_id, assignment.id)
    client._provider_data |= {"hit_id": assignment.hit_id, "provider_type": "mturk", **signed(assignment), **changes}
    return client


def signed(assignment: Assignment, seconds_ago: float = 0) -> dict[str, str]:
    """As the portal signs it, whose clock may be ahead, of a HIT that was accepted so long ago."""
    left = assignment.deadline - assignment.accepted_at
    deadline = int(time.time() - seconds_ago + left.total_seconds())
    holding = SignedAssignment(assignment.worker_id, assignment.id, assignment.hit_id, deadline)
    return holding.parameters([os.environ["AWS_SECRET_ACCESS_KEY"]])


@contextmanager
def launching(directory: Path, *options: str) -> Iterator[subprocess.Popen[str]]:
    """A launch in a process of its own; it is killed at the end, its router lives on."""
    command = [sys.executable, "-m", "tests.mephisto.mturk_rig", str(directory), *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]) as process:
        try:
            yield process
        finally:
            process.kill()


class DyingDatastore(CampaignDatastore):
    def keep_hit(self, *given: Any) -> None:
        if DyingProvider.moment == "after" and DyingProvider.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        super().keep_hit(*given)


class DyingProvider(CampaignProvider):
    """Kills its process before or after the n-th HIT is created."""

    moment = ""
    left = -1

    def initialize_provider_datastore(self, storage_path: str) -> DyingDatastore:
        return DyingDatastore(storage_path, "mturk")

    def offer(self, task_run: TaskRun, unit: str, server_url: str) -> None:
        if unit not in self.datastore.offered[task_run.db_id]:
            DyingProvider.left -= 1
        if self.moment == "before" and self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        super().offer(task_run, unit, server_url)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("directory", type=Path)
    parser.add_argument("--hits", type=int, default=3)
    parser.add_argument("--die", choices=("before", "after"), default="")
    parser.add_argument("--at", type=int, default=1)
    given = parser.parse_args()
    if given.die:
        DyingProvider.moment, DyingProvider.left = given.die, given.at
        register_mephisto_abstraction()(DyingProvider)
    with serving(given.directory, hits=given.hits, check_seconds=2) as run:
        print(run.url, flush=True)
        run.operator.wait(lambda: False)


if __name__ == "__main__":
    main()
