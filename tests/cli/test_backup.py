"""`backup` and `restore`: a campaign that is served is packed, lost, restored elsewhere, and goes on."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from beat_the_ai.campaign.backup.archive import opened
from beat_the_ai.crowds.own.portal import answers
from beat_the_ai.requester import Requester
from beat_the_ai.terms.campaign import BoundCampaign
from tests.cli.launching import (
    HITS,
    NAME,
    PATIENCE_SECONDS,
    Outcome,
    call,
    campaign_store,
    check_marketplace,
    command,
    launching,
    needs_pages,
    run,
    write_all,
)
from tests.marketplace.rehearsal import Rehearsal
from tests.mephisto.rig import kill_router
from tests.ports import free_port

pytestmark = [needs_pages, pytest.mark.usefixtures("impatient_workers")]


@pytest.fixture
def out(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "campaign"
    for name in ("campaign", "elsewhere"):
        kill_router(tmp_path / name)


def attempts(out: Path) -> set[str]:
    with campaign_store(out) as store:
        return {row.attempt.id for row in store.attempts.of_campaign(NAME)}


def begun(out: Path) -> int:
    """Return the number of HITs with an attempt."""
    with campaign_store(out) as store:
        return len({row.hit.id for row in store.attempts.of_campaign(NAME)})


def bonuses(requester: Requester) -> Counter[tuple[str, str]]:
    """How often each bonus was paid, by the worker and its reason."""
    assignments = [one for hit in requester.hits() for one in requester.assignments(hit["HITId"])]
    paid = [bonus for one in assignments for bonus in requester.bonuses_paid(one["AssignmentId"])]
    return Counter((bonus.worker, bonus.reason) for bonus in paid)


def test_a_campaign_goes_on_elsewhere_from_a_backup_made_while_it_was_served(
    market: Rehearsal, requester: Requester, out: Path, tmp_path: Path
) -> None:
    made: list[str] = []
    before: list[str] = []
    backup: list[subprocess.Popen[str]] = []

    def on_attempt(attempt: Any) -> None:
        """The backup begins once every HIT is begun, as others would be offered anew. The next attempt comes meanwhile.

        The crowd calls a HIT taken before the operator knows who has it.
        """
        made.append(attempt["attempt_id"])
        if not backup and begun(out) == HITS:
            assert call("pay", str(out), "--confirm").returncode in (0, 1)  # what is confirmed by now
            before.extend(made)
            given = command("backup", str(out), "--to", str(tmp_path / "backups"))
            backup.append(subprocess.Popen(given, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))
        elif backup:
            backup[0].wait(PATIENCE_SECONDS)

    with launching(out, "--yes") as launch:
        assert write_all(market, out, on_attempt=on_attempt) == HITS
        assert launch.end() == 0
    told, failure = backup[0].communicate(timeout=PATIENCE_SECONDS)
    assert backup[0].returncode == 0, told + failure
    assert run("pay", str(out), "--confirm").exit_code == 0
    paid, balance = bonuses(requester), requester.balance_cents()
    assert paid.total() > 0

    everything = attempts(out)
    out.rename(tmp_path / "lost")
    [archive] = (tmp_path / "backups").glob("*.zip")
    with opened(archive) as packed:
        assert packed.manifest.apart_ms < 500
    elsewhere = tmp_path / "elsewhere"
    restored = call("restore", str(archive), "--to", str(elsewhere))
    assert restored.returncode == 0, restored.stderr
    assert set(before) <= attempts(elsewhere) < everything
    known = attempts(elsewhere)

    resumed = call("launch", "--resume", "--out", str(elsewhere))
    assert resumed.returncode == 0, resumed.stdout + resumed.stderr
    for _ in range(2):
        done = run("pay", str(elsewhere), "--confirm")
        assert (done.exit_code, done.stderr) == (0, "Everything is paid.\n")
    assert attempts(elsewhere) == known
    assert bonuses(requester) == paid
    assert set(paid.values()) == {1}
    assert requester.balance_cents() == balance
    assert run("statement", str(elsewhere)).exit_code == 0
    assert run("review", "list", str(elsewhere)).exit_code == 0
    assert run("export", str(elsewhere), "--out", str(tmp_path / "export")).exit_code == 0
    [told] = json.loads(run("status", str(elsewhere), "--json").stdout)
    assert (told["attempts"], told["served"]) == (len(known), [])


def test_a_copy_is_not_served_beside_the_original_and_afterwards_in_its_place(
    market: Rehearsal, requester: Requester, out: Path, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    with launching(out, "--yes") as launch:
        assert run("backup", str(out), "--to", str(tmp_path / "backups")).exit_code == 0
        [archive] = (tmp_path / "backups").glob("*.zip")
        assert run("restore", str(archive), "--to", str(elsewhere)).exit_code == 0
        second = call("launch", "--resume", "--out", str(elsewhere))
        assert second.returncode == 1
        assert "in the folder of which this one is a copy" in second.stderr
        launch.kill()
    kill_router(out)
    router = json.loads(next(out.rglob("router/address.json")).read_text())
    with launching(elsewhere, "--resume", known=True) as launch:
        assert f"Serving at http://127.0.0.1:{router['port']}" in launch.printed  # where the HITs lead
        assert write_all(market, elsewhere) == HITS
        assert launch.end() == 0
    assert run("pay", str(elsewhere), "--confirm").exit_code == 0
    check_marketplace(Outcome.of(elsewhere))


def test_people_of_ones_own_come_along(out: Path, tmp_path: Path) -> None:
    people, elsewhere, port = tmp_path / "people", tmp_path / "elsewhere", free_port()
    assert run("people", "open-link", "--people", str(people)).exit_code == 0
    own = ["crowd=own", f"crowd.people={people}", f"crowd.endpoint_url=http://127.0.0.1:{port}"]
    with launching(out, "--yes", *own) as launch:
        assert run("backup", str(out), "--to", str(tmp_path / "backups")).exit_code == 0
        assert launch.stop(signal.SIGTERM) == 0
    while answers(f"http://127.0.0.1:{port}"):  # the portal ends with the process that started it
        time.sleep(0.05)
    people.rename(tmp_path / "lost people")
    [archive] = (tmp_path / "backups").glob("*.zip")
    restored = run("restore", str(archive), "--to", str(elsewhere))
    assert restored.exit_code == 0, restored.output
    with launching(elsewhere, "--resume", known=True) as launch:
        assert launch.stop(signal.SIGTERM) == 0
    assert run("people", "links", "--people", str(elsewhere / "people")).exit_code == 0
    with campaign_store(elsewhere) as store:
        assert BoundCampaign.open(store, NAME).crowd.people == str(elsewhere / "people")
    assert not people.exists()
