"""An operator that is killed while its HITs are open: `status`, the console and its alerts say so."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from beat_the_ai.console import views
from beat_the_ai.console.alerts import AlertWatch
from beat_the_ai.console.channels import SECRET_VARIABLE
from beat_the_ai.console.figures import figures_of
from beat_the_ai.console.kept import Kept
from beat_the_ai.requester import Requester
from tests.cli.launching import campaign_store, launching, needs_pages, run
from tests.console.conftest import watched_at
from tests.console.test_alerts import SECRET, Receiver
from tests.mephisto.rig import kill_router
from tests.mephisto.wire import wait_until

pytestmark = needs_pages
STAGE = "writing of round 1"


@pytest.fixture
def out(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "campaign"
    kill_router(tmp_path / "campaign")


def status(out: Path) -> list[dict[str, Any]]:
    [told] = json.loads(run("status", str(out), "--json").stdout)
    return list(told["operators_gone"])


def test_a_killed_operator_needs_a_person_until_it_is_resumed_or_its_stage_is_paused_or_closed(
    requester_alone: Requester, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SECRET_VARIABLE, SECRET)
    with (
        Receiver().open() as receiver,
        launching(out, "--yes", f"alerts.webhook={receiver.address}") as launch,
        campaign_store(out) as store,
        ThreadPoolExecutor(1) as executor,
    ):
        watched = watched_at(store, out)
        figures = Kept(watched, figures_of, executor)
        watch = AlertWatch({watched.id: watched}, {watched.id: figures})

        def needs() -> tuple[views.Gone, ...]:
            shown, _ = figures.now()
            assert shown.needs is not None
            assert shown.needs.all >= len(shown.needs.operators_gone)
            return shown.needs.operators_gone

        assert (needs(), status(out)) == ((), [])
        watch.look(watched.id)
        launch.kill()
        wait_until(lambda: needs() != (), "nothing was written, and the figures are made anew")
        [gone] = needs()
        assert (gone.stage, gone.operator.startswith(f"process {launch.process.pid} on ")) == (STAGE, True)
        [told] = status(out)
        assert told == {"stage": "writing", "round": 1, "share": None, "operator": gone.operator}
        assert f"operator of {STAGE}" in " ".join(run("status", str(out)).stdout.split())
        for _ in range(2):
            watch.look(watched.id)
        assert receiver.told == [("operator_gone", "began")]
        assert gone.operator in json.loads(receiver.taken[0][1])["text"]
        with launching(out, "--resume") as resumed:
            assert status(out) == []
            wait_until(lambda: needs() == (), "it is served again")
            resumed.kill()
        assert len(status(out)) == 1
        run("pause", str(out))
        assert status(out) == []
        run("continue", str(out))
        assert len(status(out)) == 1
        with launching(out, "--resume") as resumed:
            assert resumed.stop(signal.SIGTERM) == 0
        assert status(out) == []  # it was stopped on purpose
        with launching(out, "--resume") as resumed:
            resumed.kill()
        assert len(status(out)) == 1
        assert run("launch", "--stop", "--out", str(out)).exit_code == 0
        assert status(out) == []
        figures.close()
