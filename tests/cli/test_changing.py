"""`change` and `add-contexts` of a campaign while a process serves it on a real marketplace."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from beat_the_ai.mephisto.mturk.survey import as_offered
from beat_the_ai.requester import Label, Requester
from tests.cli.launching import HITS, launching, needs_pages, run
from tests.mephisto.rig import kill_router
from tests.mephisto.wire import wait_until

pytestmark = needs_pages


@pytest.fixture
def out(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "campaign"
    kill_router(tmp_path / "campaign")


def test_a_process_that_serves_offers_more_hits_and_contexts_without_a_restart(
    requester_alone: Requester, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def are_open(number: int) -> bool:
        found = [as_offered(label, hit) for hit in requester_alone.hits() if (label := Label.of(hit))]
        return [each.state for each in found] == ["open"] * number

    file = out.with_name("more.jsonl")
    file.write_text(json.dumps({"id": "new", "title": "", "context": "A new passage about rivers.", "questions": []}))
    with launching(out, "--yes") as launch:
        refused = run("change", str(out), "round.max_hits=6", answer="n\n")
        assert (refused.exit_code, "Nothing was changed." in refused.stderr) == (1, True)
        assert "round.max_hits" in refused.stdout
        more = run("change", str(out), "round.max_hits=6", "--yes")
        assert (more.exit_code, "in effect at once" in more.stdout) == (0, True)
        wait_until(lambda: are_open(6), "6 HITs are open")
        added = run("add-contexts", str(out), str(file), answer="y\n")
        assert (added.exit_code, "1 new, 0 in the campaign already" in added.stdout) == (0, True)
        wait_until(lambda: are_open(7), "7 HITs are open")
        file.write_text("{}\n")
        wrong = run("add-contexts", str(out), str(file))
        assert (wrong.exit_code, "line 1: " in wrong.stderr) == (2, True)
        assert launch.stop(signal.SIGTERM) == 0
    monkeypatch.setenv("COLUMNS", "200")
    listed = run("change", str(out))
    assert (listed.exit_code, "It may grow, and never shrink." in " ".join(listed.stdout.split())) == (0, True)
    with launching(out, "--resume", known=True) as launch:  # nothing is asked: it is agreed to already
        assert are_open(HITS + 3)
        assert launch.stop(signal.SIGTERM) == 0
