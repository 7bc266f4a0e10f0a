from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, timezone
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from beat_the_ai.letters import Letterbox, build_app, token_of
from beat_the_ai.payments import Earnings
from beat_the_ai.store import Letter, Store, open_store
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.workforce import Reviewing
from tests.review.builders import fill, screen

NOON = datetime(2026, 3, 1, 12, tzinfo=timezone.utc)
WHY = "Not a question: 1 < 2 & so on."


@dataclass
class Clock:
    at: datetime = NOON

    def __call__(self) -> datetime:
        return self.at

    def advance(self, **duration: float) -> None:
        self.at += timedelta(**duration)


@dataclass
class Campaign:
    """A campaign with a review, and its workers' pages."""

    store: Store
    clock: Clock
    terms: dict[str, Any]

    def bound(self) -> BoundCampaign:
        opened = BoundCampaign.open(self.store, "pilot")
        record = replace(opened.record, config={**opened.record.config, "review": self.terms})
        return replace(opened, record=record)

    def box(self) -> Letterbox:
        return Letterbox(self.bound(), lambda _worker: Earnings(1_234, 200), self.clock)

    def path(self, worker: str) -> str:
        return f"/{token_of(self.bound().record, worker)}"

    def letters(self, worker: str) -> list[Letter]:
        return self.store.letters.of_worker("pilot", worker)

    def reject(self, worker: str, by: str = "ann", reason: str = WHY) -> str:
        """Reject the first sampled HIT of a worker."""
        reviewing = Reviewing(self.bound(), self.clock)
        reviewing.draw()
        assignment = reviewing.queue(by, worker)[0].assignment.id
        reviewing.reject(assignment, by, reason)
        return assignment


@dataclass
class Browser:
    """A worker's browser at the worker's own page."""

    http: TestClient
    campaign: Campaign
    worker: str

    @property
    def path(self) -> str:
        return self.campaign.path(self.worker)

    def look(self, status: int = 200) -> str:
        shown = self.http.get(self.path)
        assert shown.status_code == status, shown.text
        return unescape(shown.text)

    def send(self, text: str, kind: str = "message", subject: str = "", *, key: str = "k1", status: int = 200) -> str:
        content = {"key": key, "kind": kind, "subject": subject, "text": text}
        answered = self.http.post(self.path, data=content)
        assert answered.status_code == status, answered.text
        return answered.text

    def fields(self) -> list[dict[str, str]]:
        """Return the hidden fields of each form."""
        forms = re.findall(r"<form.*?</form>", self.http.get(self.path).text, re.DOTALL)
        return [dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form)) for form in forms]


@pytest.fixture
def campaign(tmp_path: Path) -> Iterator[Campaign]:
    store = open_store(str(tmp_path / "campaign.db"))
    fill(store)
    screen(store)
    yield Campaign(store, Clock(), {"shows_reasons": True})
    store.close()


@pytest.fixture
def http(campaign: Campaign) -> Iterator[TestClient]:
    with TestClient(build_app(campaign.bound().record, campaign.box)) as client:
        yield client
