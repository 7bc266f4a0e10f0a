"""A folder of campaigns whose stores are in files and in databases, some of which do not answer."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from beat_the_ai.campaign.settings.configuration import read_settings
from beat_the_ai.campaign.settings.planned_round import PlannedRound
from beat_the_ai.campaign.settings.resume import begin_or_resume
from beat_the_ai.campaign.starting.ground import Ground
from beat_the_ai.cli import opened_campaigns
from beat_the_ai.cli.opened_campaigns import Opened
from beat_the_ai.console import Pages, Site, by_key, doors
from beat_the_ai.review import new_account
from beat_the_ai.rules.roles import Role
from beat_the_ai.store import CAMPAIGN_MIGRATIONS, open_store
from beat_the_ai.terms.locate import DATABASE_VARIABLE, keep_store_record, private_folder
from tests.cli.launching import TASK
from tests.postgres import PostgresServer
from tests.review.builders import PASSWORD
from tests.review.conftest import Reviewer


def begin(folder: Path, url: str | None = None) -> Path:
    """A campaign of the folder's name, of which ann is a requester and bob an observer."""
    private_folder(folder)
    options = [f"name={folder.name}", *([] if url is None else [f"store.url='{url}'"])]
    settings = read_settings(TASK, options, out=folder)
    with closing(open_store(settings.store.url)) as store:
        begin_or_resume(PlannedRound(store, settings))
        if store.accounts.get("ann") is None:
            new_account(store, "ann", PASSWORD, role=Role.REQUESTER)
            new_account(store, "bob", PASSWORD, role=Role.OBSERVER)
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "campaigns").mkdir()
    return tmp_path / "campaigns"


@pytest.fixture
def stack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ExitStack]:
    monkeypatch.delenv(DATABASE_VARIABLE, raising=False)
    with ExitStack() as opened:
        yield opened


def console(stack: ExitStack, folder: Path, name: str = "ann") -> Reviewer:
    opened = stack.enter_context(Opened((str(folder),)))
    executor, ground = ThreadPoolExecutor(1), Ground(folder, {})
    site = Site(by_key(opened.all()), Pages(folder, folder), executor, sources=opened, ground=ground)
    stack.callback(site.close)
    stack.callback(executor.shutdown, cancel_futures=True)
    browser = Reviewer(TestClient(site.app(), client=("10.0.0.1", 5000)))
    stack.callback(browser.http.close)
    assert browser.sign_in(name) == 200
    return browser


def shown(browser: Reviewer) -> dict[str, str]:
    return {each["id"]: each["place"] for each in browser.get("/api/session")["campaigns"]}


def test_each_campaign_is_shown_wherever_its_store_is(
    folder: Path, stack: ExitStack, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared, alone = (stack.enter_context(postgres.database(CAMPAIGN_MIGRATIONS)) for _ in range(2))
    begin(folder / "in-a-file")
    for name in ("first", "second"):
        keep_store_record(begin(folder / name, shared), shared, name)
    begin(folder / "of-the-environment", alone)
    monkeypatch.setenv(DATABASE_VARIABLE, alone)
    ann = console(stack, folder)
    names = ("in-a-file", "first", "second", "of-the-environment")
    assert shown(ann) == {name: name for name in names}
    for name in names:
        assert ann.get(f"/api/figures?campaign={name}")["progress"]["hits_submitted"] == 0
    later = begin(folder / "later", shared)
    keep_store_record(later, shared, "later")
    assert shown(ann)["later"] == "later"
    assert ann.get("/api/session")["away"] == []


def test_one_database_that_cannot_be_reached_keeps_nobody_from_the_others(
    folder: Path, stack: ExitStack, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opened_campaigns, "START_SECONDS", 0.1)
    monkeypatch.setattr(opened_campaigns, "AWAY_SECONDS", 0.1)
    silent = stack.enter_context(socket.create_server(("127.0.0.1", 0)))  # whoever connects waits for its answer
    port = silent.getsockname()[1]
    begin(folder / "in-a-file")
    for name, url in (
        ("silent", f"postgresql+psycopg://u:s3cret@127.0.0.1:{port}/d?connect_timeout=0"),
        ("nowhere", f"postgresql+psycopg://u:s3cret@/d?host={folder}"),
        ("nameless", "postgresql+psycopg://"),
    ):
        private_folder(folder / name)
        keep_store_record(folder / name, url, name)
    private_folder(folder / "cut-off")
    (folder / "cut-off" / "private" / "store-place.json").write_text("{")
    private_folder(folder / "damaged")
    (folder / "damaged" / "private" / "campaign.db").write_text("no database")
    with postgres.database() as url:
        keep_store_record(begin(folder / "goes-away", url), url, "goes-away")
        ann, bob = console(stack, folder), console(stack, folder, "bob")
        assert shown(ann) == {"in-a-file": "in-a-file", "goes-away": "goes-away"}
    away = {"silent", "nowhere", "nameless", "cut-off", "damaged"}
    assert shown(ann) == {"in-a-file": "in-a-file"}
    session = ann.get("/api/session")
    assert set(session["away"]) == {*away, "goes-away"}
    assert "s3cret" not in str(session)
    ann.get("/api/figures?campaign=in-a-file")
    ann.get("/api/figures?campaign=goes-away", 404)
    assert [each["key"] for each in ann.get("/api/lines")["lines"]] == ["in-a-file"]
    assert bob.get("/api/session")["away"] == []
    assert bob.post("/api/sign-out", {}) is not None
    assert bob.sign_in("bob") == 200
    silent.close()


def test_who_is_known_where_nobody_answers_alone_is_told_so(
    folder: Path, stack: ExitStack, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opened_campaigns, "AWAY_SECONDS", 0.1)
    begin(folder / "in-a-file")
    with postgres.database() as url:
        keep_store_record(begin(folder / "goes-away", url), url, "goes-away")
        with closing(open_store(url)) as store:
            new_account(store, "carl", PASSWORD, role=Role.LEAD)
        carl = console(stack, folder, "carl")
    assert carl.get("/api/session")["reviewer"] is None
    told = carl.http.post("/api/session", json={"name": "carl", "password": PASSWORD})
    assert (told.status_code, doors.SOME_AWAY in told.json()["error"]["message"]) == (401, True)
