"""A folder without any campaign: its first account comes from the command line, and lets nobody else in."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from starlette.testclient import TestClient

from beat_the_ai.campaign.starting.accounts import FILE
from beat_the_ai.campaign.starting.ground import DRAFTS, Ground, task_folders
from beat_the_ai.cli import main
from beat_the_ai.cli.opened_campaigns import Opened
from beat_the_ai.console import Pages, Site, by_key
from beat_the_ai.review import new_account
from beat_the_ai.rules.roles import Role
from tests.campaign.acts.begun import begin
from tests.cli.launching import ROOT
from tests.review.builders import PASSWORD
from tests.review.conftest import Reviewer

OTHER_PASSWORD = f"another {PASSWORD}"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "campaigns").mkdir()
    return tmp_path / "campaigns"


@pytest.fixture
def site(folder: Path, tmp_path: Path) -> Iterator[Site]:
    with ExitStack() as stack:
        opened, executor = stack.enter_context(Opened((str(folder),))), ThreadPoolExecutor(1)
        ground = Ground(folder, task_folders([ROOT / "tasks"]))
        opened_site = Site(by_key(opened.all()), Pages(tmp_path, tmp_path), executor, sources=opened, ground=ground)
        stack.callback(opened_site.close)
        stack.callback(executor.shutdown, cancel_futures=True)
        yield opened_site


def browser(site: Site, address: str = "10.0.0.1") -> Reviewer:
    return Reviewer(TestClient(site.app(), client=(address, 5000)))


def reviewer(*arguments: str, password: str = PASSWORD) -> Result:
    return CliRunner().invoke(main, ["review", "reviewer", *arguments], input=f"{password}\n")


def add(folder: Path, name: str, role: Role, password: str = PASSWORD) -> None:
    told = reviewer("add", str(folder), name, "--role", role.value, password=password)
    assert told.exit_code == 0, told.output


def test_the_command_line_alone_makes_the_first_account(
    site: Site, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ann = browser(site)
    for name, password in (("", ""), ("ann", PASSWORD), ("ann", ""), (FILE, PASSWORD)):
        assert ann.sign_in(name, password) in (400, 401)
    for path in ("/api/starts", "/api/lines", f"/{DRAFTS}/{FILE}", f"/../{DRAFTS}/{FILE}"):
        assert ann.http.get(path).status_code in (401, 404)
    assert not list(folder.iterdir())
    assert "has no account itself" in reviewer("list", str(folder)).output
    add(folder, "ann", Role.REQUESTER)
    assert ann.sign_in("ann") == 200  # the console need not be started anew
    session = ann.get("/api/session")
    assert (session["may_start"], session["campaigns"], session["away"]) == (True, [], [])
    draft = ann.post("/api/starts", {"request": "request-1", "task": "nli"})
    assert (draft["by"], draft["campaign"]) == ("ann", None)
    for name in (FILE, f"../{DRAFTS}/{FILE}"):
        ann.post(f"/api/starts/discarded?draft={name}", {}, 404)
    for private in (folder / DRAFTS, folder / DRAFTS / FILE):
        assert private.stat().st_mode & 0o077 == 0
    assert reviewer("remove", str(folder), "ann").exit_code == 0
    ann.get("/api/starts", 401)
    assert ann.sign_in("ann") == 401


def test_no_other_account_starts_a_campaign(site: Site, folder: Path) -> None:
    add(folder, "ann", Role.REQUESTER)
    place, _ = begin(folder / "known")
    new_account(place.store, "ann", OTHER_PASSWORD, role=Role.LEAD)  # somebody else of this name
    place.store.close()
    for role in (Role.LEAD, Role.REVIEWER, Role.OBSERVER):
        add(folder, role.value, role)
        other = browser(site)
        assert other.sign_in(role.value) == 200
        session = other.get("/api/session")
        assert (session["may_start"], session["campaigns"]) == (False, [])
        other.get("/api/starts", 403)
        other.post("/api/starts", {"request": "request-1", "task": "nli"}, 403)
    namesake = browser(site)
    assert namesake.sign_in("ann", OTHER_PASSWORD) == 200
    assert [each["role"] for each in namesake.get("/api/session")["campaigns"]] == ["lead"]
    namesake.get("/api/starts", 403)
    ann = browser(site)
    assert ann.sign_in("ann") == 200
    assert ann.get("/api/session")["campaigns"] == []
    assert namesake.http.get("/review/reading-comprehension/api/session").json()["reviewer"] == "ann"
    assert ann.http.get("/review/reading-comprehension/api/session").json()["reviewer"] is None
    guesses = [browser(site, "10.0.0.9").sign_in("ann", "guessed") for _ in range(11)]
    assert guesses == [*[401] * 10, 429]


def test_accounts_that_somebody_else_may_have_written_let_nobody_in(site: Site, folder: Path) -> None:
    add(folder, "mallory", Role.REQUESTER)
    file = folder / DRAFTS / FILE
    (folder / DRAFTS).chmod(0o777)
    assert browser(site).sign_in("mallory") == 401
    (folder / DRAFTS).chmod(0o700)
    file.chmod(0o606)
    assert browser(site).sign_in("mallory") == 401
    assert "nobody else's" in reviewer("list", str(folder)).output
    file.chmod(0o600)
    if os.getuid() == 0:
        os.chown(file, 65534, 65534)
        assert browser(site).sign_in("mallory") == 401
        os.chown(file, 0, 0)
    assert browser(site).sign_in("mallory") == 200
    elsewhere = folder.parent / "mallorys.db"
    file.rename(elsewhere)
    file.symlink_to(elsewhere)
    told = reviewer("list", str(folder))
    assert (told.exit_code, "nobody else's" in told.output) == (1, True)
