from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from beat_the_ai.review import Door, ReviewDesk, build_app, new_account
from beat_the_ai.rules.roles import Role
from beat_the_ai.store import Store, open_store
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.workforce import Workforce
from tests.review.builders import PASSWORD, fill, screen

PAGE = {"index.html": "<!doctype html>", "bundle.js": "0", "style.css": "", "icon.svg": "<svg/>"}


@dataclass
class Clock:
    at: datetime = field(default_factory=lambda: datetime(2026, 1, 1, tzinfo=timezone.utc))

    def __call__(self) -> datetime:
        return self.at

    def advance(self, **duration: float) -> None:
        self.at += timedelta(**duration)


@dataclass
class Reviewer:
    """A browser: keeps the cookie, and sends the form token that the page was given."""

    http: TestClient
    token: str = ""

    def sign_in(self, name: str, password: str = PASSWORD) -> int:
        told = self.http.post("/api/session", json={"name": name, "password": password})
        if told.status_code == 200:
            self.token = self.http.get("/api/session").json()["form_token"]
        return told.status_code

    def get(self, path: str, status: int = 200) -> Any:
        told = self.http.get(path)
        assert told.status_code == status, told.text
        return told.json()

    def post(self, path: str, content: Any, status: int = 200) -> Any:
        told = self.http.post(path, json=content, headers={"X-Form-Token": self.token})
        assert told.status_code == status, told.text
        return told.json()

    def sampled(self, worker: str) -> list[dict[str, Any]]:
        hits = self.get(f"/api/worker?id={worker}")["hits"]
        assert isinstance(hits, list)
        return hits

    def decide(self, worker: str, change: str, reason: str = "a reason", status: int = 200) -> Any:
        """With the worker's id typed, as a revocation asks for."""
        content = {"worker": worker, "change": change, "reason": reason, "confirmation": worker}
        return self.post("/api/standings", content, status)

    def reject_all(self, worker: str) -> None:
        """So that the reviews recommend to revoke."""
        for hit in self.sampled(worker):
            self.judge(hit["assignment"], "reject", "no question")

    def judge(self, assignment: str, verdict: str, reason: str = "", status: int = 200) -> Any:
        content = {"assignment": assignment, "verdict": verdict, "reason": reason}
        return self.post("/api/judgements", content, status)


NewReviewer = Callable[..., Reviewer]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a store that each test gets a copy of."""
    file = tmp_path_factory.mktemp("filled") / "campaign.db"
    opened = open_store(str(file))
    fill(opened)
    screen(opened)
    new_account(opened, "ann", PASSWORD, role=Role.LEAD)
    new_account(opened, "bob", PASSWORD, role=Role.LEAD)
    opened.close()
    return file


@pytest.fixture
def store(filled: Path, tmp_path: Path) -> Iterator[Store]:
    """A campaign that waits for its review, and two leads."""
    opened = open_store(str(shutil.copy(filled, tmp_path)))
    yield opened
    opened.close()


@pytest.fixture
def desk(store: Store, clock: Clock) -> ReviewDesk:
    return ReviewDesk(
        BoundCampaign.open(store, "pilot"), Workforce(BoundCampaign.open(store, "pilot"), clock=clock), clock=clock
    )


@pytest.fixture
def app(desk: ReviewDesk, store: Store, clock: Clock, tmp_path: Path) -> Starlette:
    page = tmp_path / "page"
    page.mkdir()
    for name, text in PAGE.items():
        (page / name).write_text(text)
    return build_app(desk, Door(store, clock), page)


@pytest.fixture
def new_reviewer(app: Starlette) -> Iterator[NewReviewer]:
    clients: list[TestClient] = []

    def open_browser(name: str = "", address: str = "10.0.0.1") -> Reviewer:
        clients.append(TestClient(app, client=(address, 5000)))
        browser = Reviewer(clients[-1])
        if name:
            assert browser.sign_in(name) == 200
            browser.get("/api/overview")
        return browser

    yield open_browser
    for client in clients:
        client.close()


@pytest.fixture
def ann(new_reviewer: NewReviewer) -> Reviewer:
    """Signed in, with the sample drawn."""
    return new_reviewer("ann")


@pytest.fixture
def bob(new_reviewer: NewReviewer) -> Reviewer:
    return new_reviewer("bob")


@pytest.fixture
def cal(store: Store, new_reviewer: NewReviewer) -> Reviewer:
    """A reviewer, no lead."""
    new_account(store, "cal", PASSWORD)
    return new_reviewer("cal")
