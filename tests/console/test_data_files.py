"""Export and backup from the console: by requesters alone, into places that the page cannot choose."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from beat_the_ai.campaign.acts.act import Actor, Place
from beat_the_ai.campaign.acts.data_files import Export, export_file
from beat_the_ai.campaign.acts.jobs import job_of
from beat_the_ai.campaign.backup.archive import opened as opened_archive
from beat_the_ai.campaign.backup.making import FOLDER_VARIABLE
from beat_the_ai.console import Pages, Site, by_key
from beat_the_ai.process import job
from beat_the_ai.process.user import machine_user
from beat_the_ai.review import new_account
from beat_the_ai.rules.roles import Role
from beat_the_ai.store import now
from tests.campaign.acts.begun import begin, opened
from tests.cli.launching import NAME, run
from tests.console.conftest import watched_at
from tests.mephisto.wire import wait_until
from tests.review.builders import PASSWORD
from tests.review.conftest import Reviewer
from tests.store.builders import attempt

QUERY = f"campaign={NAME}"
SignIn = Callable[[str], Reviewer]


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """A campaign with an attempt. Ann is a requester, and bob a lead."""
    begun, _ = begin(tmp_path / "campaign")
    store = begun.store
    hit = min(store.campaigns.offered(NAME, 1))
    made = store.attempts.accept(hit, "w1", "r1", now())[0]
    store.attempts.add(attempt(made.id, 1))
    store.assignments.submit(made.id, None, now())
    new_account(store, "ann", PASSWORD, role=Role.REQUESTER)
    new_account(store, "bob", PASSWORD, role=Role.LEAD)
    yield begun
    store.close()


@pytest.fixture
def sign_in(place: Place, tmp_path: Path) -> Iterator[SignIn]:
    with ExitStack() as stack:

        def open_console(name: str) -> Reviewer:
            store = opened(place.out)
            stack.callback(store.close)
            executor = stack.enter_context(ThreadPoolExecutor(1))
            site = Site(by_key([watched_at(store, place.out)]), Pages(tmp_path, tmp_path), executor)
            stack.callback(site.close)
            browser = Reviewer(TestClient(site.app(), client=("10.0.0.1", 5000)))
            stack.callback(browser.http.close)
            assert browser.sign_in(name) == 200
            return browser

        yield open_console


def do(browser: Reviewer, action: str, request: str, status: int = 200, **values: Any) -> Any:
    sent = {"action": action, "values": values, "request": request}
    return browser.post(f"/api/acts/deeds?{QUERY}", sent, status)


def files(browser: Reviewer) -> dict[str, Any]:
    return dict(browser.get(f"/api/acts/data-files?{QUERY}"))


def wait(browser: Reviewer) -> list[tuple[str, str]]:
    wait_until(lambda: files(browser)["again_seconds"] is None, "no job runs")
    return [(each["name"], each["stands"]) for each in files(browser)["jobs"]]


def unpacked(archive: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(archive)) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def logged(place: Place) -> list[tuple[str, str, str]]:
    entries = place.store.audit.entries()[::-1]
    return [(each.who, each.action, each.note) for each in entries if each.action != "sign_in"]


def test_a_requester_downloads_what_the_command_exports(sign_in: SignIn, place: Place, tmp_path: Path) -> None:
    ann, bob = sign_in("ann"), sign_in("bob")
    assert (files(ann)["export"], ann.http.get(f"/api/acts/export?{QUERY}").status_code) == (None, 404)
    assert "has been started" in do(ann, "export", "request-1")["told"]
    assert wait(ann) == [("export", "done")]
    told = ann.http.get(f"/api/acts/export?{QUERY}")
    assert told.headers["content-disposition"] == f'attachment; filename="{NAME}.zip"'
    assert files(ann)["export"]["bytes"] == len(told.content) == int(told.headers["content-length"])
    assert run("export", str(place.out), "--out", str(tmp_path / "folder")).exit_code == 0
    assert run("export", str(place.out), "--out", str(tmp_path / "file.zip")).exit_code == 0
    assert (tmp_path / "file.zip").read_bytes() == told.content
    written = {
        str(path.relative_to(tmp_path / "folder")): path.read_bytes()
        for path in (tmp_path / "folder").rglob("*")
        if path.is_file()
    }
    assert unpacked(told.content) == {name: text for name, text in written.items() if not name.startswith("private/")}
    assert b'"w1"' not in b"".join(unpacked(told.content).values())  # a pseudonym is in it
    for path in ("acts/export", "acts/data-files"):
        bob.get(f"/api/{path}?{QUERY}", 403)
    do(bob, "export", "request-1", 403)
    by_command = [(machine_user(), "export", note) for note in ("export.zip", "folder", "file.zip")]
    assert logged(place) == [("ann", "export", "export.zip"), *by_command]


def test_an_export_is_replaced_as_a_whole_and_nothing_stays_of_one_that_was_killed(
    sign_in: SignIn, place: Place
) -> None:
    ann, file = sign_in("ann"), export_file(place.out)
    rest = file.parent / f".{file.name}.abc"
    rest.mkdir(parents=True)
    (rest / "attempts.jsonl").write_text("half")
    do(ann, "export", "request-1")
    wait(ann)
    before = file.read_bytes()
    assert [each.name for each in file.parent.iterdir()] == [file.name]
    assert file.parent.stat().st_mode & 0o77 == 0
    with ann.http.stream("GET", f"/api/acts/export?{QUERY}") as answer:
        file.unlink()
        assert answer.read() == before


def test_an_export_that_runs_keeps_its_draft(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job, "LOCK_SECONDS", 0.0)
    draft = export_file(place.out).parent / f".{export_file(place.out).name}.abc"
    draft.mkdir(parents=True)
    with job_of(place.out, Export.job).kept_idle():  # as the running process does
        told = Export().do(place, Actor("ann"))
    assert (told.has_changed, draft.is_dir()) == (False, True)


def test_a_backup_goes_to_the_folder_of_the_server_alone(
    sign_in: SignIn, place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, folder = sign_in("ann"), tmp_path / "backups"
    monkeypatch.delenv(FOLDER_VARIABLE, raising=False)
    acts = {each["action"]: each["refusal"] for each in ann.get(f"/api/acts?{QUERY}")["acts"]}
    assert (acts["export"], FOLDER_VARIABLE in acts["back_up"]) == (None, True)
    do(ann, "back_up", "request-1", 409)
    monkeypatch.setenv(FOLDER_VARIABLE, str(folder))
    do(ann, "back_up", "request-1", 400, to="/tmp/elsewhere")
    do(ann, "export", "request-2")
    wait(ann)
    do(ann, "back_up", "request-1")
    assert wait(ann) == [("backup", "done"), ("export", "done")]
    [archive] = folder.glob("*.zip")
    assert files(ann)["backup"]["name"] == archive.name
    assert str(folder) not in str({**files(ann), "jobs": ()})
    with opened_archive(archive) as packed:
        names = [each.name for each in packed.manifest.files]
    assert "campaign/private/campaign.db" in names
    assert not any("exports" in name for name in names)  # which are made anew
    assert run("restore", str(archive), "--check").exit_code == 0
    assert run("backup", str(place.out)).exit_code == 0
    assert len(list(folder.glob("*.zip"))) == 2
    backups = [(who, note) for who, action, note in logged(place) if action == "back_up"]
    assert backups == [("ann", "backups"), *[(machine_user(), "backups")] * 2]


def test_without_the_campaigns_folder_there_are_no_files(place: Place, tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as executor:
        database = watched_at(place.store, place.out / "private" / "campaign.db")
        site = Site(by_key([database]), Pages(tmp_path, tmp_path), executor)
        with TestClient(site.app(), client=("10.0.0.1", 5000)) as http:
            ann = Reviewer(http)
            assert ann.sign_in("ann") == 200
            assert files(ann) == {"export": None, "backup": None, "jobs": [], "again_seconds": None}
            assert "needs the campaign's folder" in do(ann, "export", "request-1", 409)["error"]["message"]
            assert http.get(f"/api/acts/export?{QUERY}").status_code == 404
        site.close()
