"""The server's process: killed and started again, with faults on purpose, and what it prints and logs."""

from __future__ import annotations

import json
import re
import stat
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import httpx
import pytest

from beat_the_ai.marketplace.market import open_market
from tests.recruiter.running import AUTOMATIC, STUDY, Participant, Running


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    with Running.started(tmp_path / "private" / "recruiter.db") as started:
        yield started


def test_a_killed_server_has_lost_nothing(running: Running) -> None:
    researcher, person = running.researcher(), running.participant()
    study_id = researcher.publish()
    submission_id = person.take(study_id)
    person.open(submission_id)
    running.control("clock", {"advance_seconds": 600})
    running.kill()
    token = running.printed["token"]
    running.start_again()
    assert running.printed["token"] == token
    assert person.come_back(AUTOMATIC) == submission_id
    order = researcher.set_up_bonuses(study_id, f"{submission_id},1")
    researcher.pay_bonuses(order["id"])
    running.kill()
    running.start_again()
    running.control("clock", {"advance_seconds": 5})
    assert researcher.submission(submission_id)["bonus_payments"] == [100]
    books = running.control("books")
    assert books["participants"][person.id]["submissions"][submission_id] == {
        "study_id": study_id,
        "status": "APPROVED",
        "reward_cents": 150,
        "bonuses_cents": [100],
    }
    assert books["paid_twice"] == []
    assert stat.S_IMODE(running.store.stat().st_mode) == 0o600


def test_what_was_answered_before_a_kill_is_there_and_the_books_add_up(running: Running) -> None:
    researcher, people = running.researcher(), [running.participant() for _ in range(6)]
    study_id = researcher.publish(total_available_places=6)
    made = [person.work(study_id) for person in people]
    order = researcher.set_up_bonuses(study_id, "".join(f"{one},0.10\n" for one in made))
    before = running.control("books")["total_balance_cents"]
    answered: list[str] = []

    def approve() -> None:
        for one in made:
            try:
                researcher.move(one, "APPROVE")
            except httpx.HTTPError:
                return
            answered.append(one)
            if len(answered) == 3:
                researcher.pay_bonuses(order["id"])
                killing.set()

    killing = Event()
    with ThreadPoolExecutor(1) as pool:
        done = pool.submit(approve)
        assert killing.wait(30)
        running.kill()
        done.result(30)
    running.start_again()
    running.control("clock", {"advance_seconds": 5})
    books = running.control("books")
    entries = {one: entry for person in books["participants"].values() for one, entry in person["submissions"].items()}
    assert {one for one, entry in entries.items() if entry["status"] == "APPROVED"} >= set(answered)
    assert all(entry["reward_cents"] == 150 * (entry["status"] == "APPROVED") for entry in entries.values())
    assert all(entry["bonuses_cents"] == [10] for entry in entries.values())
    assert before - books["total_balance_cents"] == sum(books["totals"].values())


def test_a_reply_that_is_lost_was_carried_out(running: Running) -> None:
    researcher, person = running.researcher(), running.participant()
    study_id = researcher.publish()
    submission_id = person.work(study_id, AUTOMATIC)
    order = researcher.set_up_bonuses(study_id, f"{submission_id},1")
    rule = {"kind": "lose_reply", "operations": ["pay-bonus-payments", "create-study"], "times": 2}
    running.control("faults", {"seed": 1, "rules": [rule]})
    with pytest.raises(httpx.RemoteProtocolError):
        researcher.pay_bonuses(order["id"])
    with pytest.raises(httpx.RemoteProtocolError):
        researcher.create(internal_name="lost")
    running.control("clock", {"advance_seconds": 5})
    assert researcher.submission(submission_id)["bonus_payments"] == [100]
    names = [one["internal_name"] for one in researcher.ask("GET", "/api/v1/studies/")["results"]]
    assert "lost" in names
    assert running.control("faults")["rules"][0]["struck"] == 2


def test_a_place_is_never_given_twice(running: Running) -> None:
    researcher, people = running.researcher(), [running.participant() for _ in range(8)]
    study_id = researcher.publish()

    def take(person: Participant) -> int:
        page = person.get("/studies").text
        token = re.findall(r'name="form_token" value="(\w+)"', page)[0]
        form = {"form_token": token}
        return int(person.http.post(f"/studies/{study_id}/take", data=form, follow_redirects=False).status_code)

    with ThreadPoolExecutor(len(people)) as pool:
        statuses = sorted(pool.map(take, people))
    assert statuses == [303] * 3 + [409] * 5
    counts = researcher.ask("GET", f"/api/v1/studies/{study_id}/submissions/counts/")
    assert counts["RESERVED"] == counts["TOTAL"] == 3


def test_a_fault_changes_nothing(running: Running) -> None:
    researcher = running.researcher()
    for kind, status in (("throttle", 429), ("fault", 502)):
        running.control("faults", {"rules": [{"kind": kind, "operations": ["create-study"], "times": 1}]})
        answer = researcher.ask("POST", "/api/v1/studies/", STUDY, status=status)
        assert answer["error"]["status"] == status
    assert researcher.ask("GET", "/api/v1/studies/")["results"] == []
    running.control("faults", {"rules": [{"kind": "fault", "operations": ["ParticipantPages"], "times": 1}]})
    assert httpx.get(f"{running.address}/").status_code == 502
    running.participant()


def test_the_control_needs_its_token_and_refuses_nonsense(running: Running) -> None:
    assert httpx.get(f"{running.address}/rehearsal/books").status_code == 401
    headers = {"Authorization": f"Bearer {running.printed['control_token']}"}
    for name, body in (
        ("faults", {"rules": [{"kind": "dance"}]}),
        ("faults", {"rules": [{"kind": "fault", "operations": ["SendBonus"]}]}),
        ("clock", {"advance_seconds": -1}),
        ("participants", {"id": "X"}),
        ("participants", {"id": 7}),
    ):
        answer = httpx.post(f"{running.address}/rehearsal/{name}", json=body, headers=headers)
        assert answer.status_code == 400, answer.text
    wanted = "0123456789abcdef01234567"
    for _ in range(2):
        assert running.control("participants", {"id": wanted}) == {"id": wanted}
    assert len(running.control("participants", {})["id"]) == 24


def test_a_store_of_a_rehearsal_is_served_as_one(running: Running) -> None:
    running.control("clock", {"advance_seconds": 1})
    running.kill()
    done = _serve("--store", str(running.store))
    assert (done.returncode, done.stdout) == (1, "")
    assert "--rehearsal" in done.stderr


def test_without_a_rehearsal_there_is_no_control(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "beat_the_ai.cli", "recruiter", "serve", "--port", "0"]
    command += ["--store", str(tmp_path / "r.db"), "--currency", "USD", "--balance", "12.5"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        printed = json.loads(process.stdout.readline())
        assert printed.keys() == {"address", "token", "workspace", "project"}
        address = f"{printed['address']}/api/v1/workspaces/{printed['workspace']}/balance/"
        answer = httpx.get(address, headers={"Authorization": f"Token {printed['token']}"}).json()
        assert (answer["currency_code"], answer["total_balance"]) == ("USD", 1250)
        assert httpx.get(f"{printed['address']}/rehearsal/books").status_code == 404
        httpx.get(address, headers={"Authorization": "Token wrong"})
        process.terminate()
        assert process.wait(60) == 0
        assert process.stderr.read() == ""


def test_a_balance_that_is_none_is_refused(tmp_path: Path) -> None:
    for balance in ("-1", "NaN", "many"):
        done = _serve("--store", str(tmp_path / "r.db"), "--balance", balance)
        assert done.returncode == 2
        assert "--balance" in done.stderr


def test_another_kind_of_store_is_refused(tmp_path: Path) -> None:
    done = _serve("--store", "postgresql+psycopg://nobody@127.0.0.1/x")
    assert (done.returncode, "SQLite file" in done.stderr) == (2, True)
    open_market(str(tmp_path / "market.db")).close()
    done = _serve("--store", str(tmp_path / "market.db"))
    assert (done.returncode, "another kind of store" in done.stderr) == (1, True)


def _serve(*options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "beat_the_ai.cli", "recruiter", "serve", "--port", "0", *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)
