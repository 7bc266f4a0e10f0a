"""Granting and revoking on the page reach a marketplace with MTurk's protocol."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from beat_the_ai.payments import MTurkCrowd
from beat_the_ai.review import Door, ReviewDesk, build_app
from beat_the_ai.store import Store
from beat_the_ai.workforce import MTurkGate, Workforce
from tests.marketplace.rehearsal import Rehearsal, store_in
from tests.review.conftest import Reviewer


@pytest.fixture
def market(tmp_path: Path) -> Iterator[Rehearsal]:
    with Rehearsal.started(store_in(tmp_path)) as running:
        yield running


def test_the_qualification_comes_and_goes_with_the_decision(store: Store, market: Rehearsal, tmp_path: Path) -> None:
    key, newcomer = market.new_requester(), market.new_worker()
    crowd = MTurkCrowd.connect(market.address, aws_access_key_id=key.id, aws_secret_access_key=key.secret)
    gate = MTurkGate.of_campaign(crowd, "pilot")
    workforce = Workforce(store, "pilot", gate)
    workforce.enter_screening(newcomer, "3XNEW")
    ann = Reviewer(TestClient(build_app(ReviewDesk(store, "pilot", workforce), Door(store), tmp_path)))
    ann.sign_in("ann")

    granted = ann.post("/api/standings", {"worker": newcomer, "change": "grant", "reason": "good questions"})
    assert (granted["standing"], granted["answer"], gate.holds(newcomer)) == ("qualified", "confirmed", True)
    change = {"worker": newcomer, "change": "revoke", "reason": "gibberish", "confirmation": newcomer}
    revoked = ann.post("/api/standings", change)
    assert (revoked["standing"], revoked["answer"], gate.holds(newcomer)) == ("revoked", "confirmed", False)
    ann.http.close()
    crowd.close()
