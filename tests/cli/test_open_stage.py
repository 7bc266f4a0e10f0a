"""Stages that are served by processes of their own, which another process has started."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from beat_the_ai.campaign.acts.act import Actor, Place
from beat_the_ai.campaign.acts.jobs import OpenStage, TrainModels, jobs_of
from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.process.user import machine_user
from beat_the_ai.requester import Requester
from beat_the_ai.rules.stage import Stage
from beat_the_ai.terms.locate import served_stages
from tests.cli.launching import NAME, campaign_store, launching, needs_pages
from tests.mephisto.rig import kill_router
from tests.mephisto.wire import wait_until

pytestmark = needs_pages
ANN = Actor("ann")


@pytest.fixture
def out(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "campaign"
    kill_router(tmp_path / "campaign")


def test_a_stage_is_served_by_one_process_and_again_after_that_was_killed(
    requester_alone: Requester, out: Path
) -> None:
    def is_served() -> bool:
        return served_stages(out) == ["writing"]

    with launching(out, "--yes", "dataset.train=0") as launch:
        with campaign_store(out) as store:
            served = OpenStage().do(Place(store, NAME, out), ANN)
        assert (served.has_changed, "is being served" in served.told) == (False, True)
        assert launch.stop(signal.SIGTERM) == 0
    with campaign_store(out) as store:
        place = Place(store, NAME, out)
        with pytest.raises(Refused, match="needs the campaign's folder"):
            OpenStage().do(Place(store, NAME, None), ANN)
        assert OpenStage().estimate(place) is None  # it was launched
        for _ in range(2):
            started = [OpenStage().do(place, ANN).has_changed for _ in range(2)]
            assert started == [True, False]
            wait_until(is_served, "the stage is served")
            wait_until(lambda: "Serving at" in "".join(jobs_of(place)[0].log_tail), "and its pages are")
            os.killpg(runner_of(out), signal.SIGKILL)
            wait_until(lambda: jobs_of(place)[0].stands == "killed", "the job is told to be killed")
            wait_until(lambda: served_stages(out) == [], "its operator, which dies after it, is gone")
        entries = [each for each in store.audit.entries() if each.action == "open_stage"]
        assert [each.who for each in entries] == ["ann", "ann", machine_user()]
        checking = OpenStage(stage=Stage.VALIDATION)
        estimate = checking.estimate(place)
        assert estimate is not None
        assert (estimate.needs_consent, estimate.refusal, estimate.balance_cents) == (True, None, 99_040)
        with pytest.raises(Refused, match="than was agreed to"):
            checking.do(place, ANN, estimate.worst_cents - 1)
        assert checking.do(place, ANN, estimate.worst_cents).has_changed
        wait_until(lambda: "Serving at" in "".join(jobs_of(place)[0].log_tail), "the validation is served")
        assert served_stages(out) == ["validation"]
        os.kill(runner_of(out, "validation"), signal.SIGTERM)
        wait_until(lambda: jobs_of(place)[0].stands == "done", "it has stopped in order")
        with pytest.raises(InvalidInput, match="No round"):
            TrainModels().do(place, ANN)


def runner_of(out: Path, stage: str = "writing") -> int:
    """Return the process that runs the job, and leads the group of all that belongs to it."""
    state = str(out / "private" / "jobs" / f"{stage}.json").encode()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if state in (process / "cmdline").read_bytes().split(b"\0"):
                return int(process.name)
        except OSError:
            continue
    raise AssertionError("nobody runs it")
