"""Decisions on the page reach a marketplace with MTurk's protocol, and its requests reach the page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from beat_the_ai.requester import Requester
from beat_the_ai.review import Door, ReviewDesk, build_app
from beat_the_ai.store import Store
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.workforce import MTurkGate, Workforce
from tests.marketplace.rehearsal import Rehearsal, store_in
from tests.review.builders import FAILED, NEWCOMER, fail
from tests.review.conftest import Reviewer
from tests.review.test_desk import actions
from tests.store.builders import campaign


@pytest.fixture(scope="module")
def market(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rehearsal]:
    with Rehearsal.started(store_in(tmp_path_factory.mktemp("market"))) as running:
        yield running


@dataclass
class Site:
    """A campaign that is reviewed, at its marketplace."""

    store: Store
    market: Rehearsal
    gate: MTurkGate
    workforce: Workforce
    ann: Reviewer
    bob: Reviewer

    def ask(self, gate: MTurkGate | None = None) -> str:
        """A worker asks for the qualification in the portal."""
        worker = self.market.new_worker()
        with self.market.workplace() as workplace:
            workplace.request_qualification(worker, (gate or self.gate).type_id)
        return worker

    def asking(self) -> list[tuple[str, bool]]:
        return [(one["worker"], one["screened"]) for one in self.ann.get("/api/requests")["requests"]]


@pytest.fixture
def site(store: Store, market: Rehearsal, tmp_path: Path) -> Iterator[Site]:
    key = market.new_requester()
    crowd = Requester.connect(market.address, aws_access_key_id=key.id, aws_secret_access_key=key.secret)
    gate = MTurkGate(crowd, campaign("pilot"))
    workforce = Workforce(BoundCampaign.open(store, "pilot"), gate)
    app = build_app(ReviewDesk(BoundCampaign.open(store, "pilot"), workforce), Door(store), tmp_path)
    ann, bob = Reviewer(TestClient(app)), Reviewer(TestClient(app))
    ann.sign_in("ann")
    bob.sign_in("bob")
    yield Site(store, market, gate, workforce, ann, bob)
    ann.http.close()
    bob.http.close()
    crowd.close()


def test_the_qualification_comes_and_goes_with_the_decision(site: Site) -> None:
    newcomer = site.market.new_worker()
    site.workforce.enter_screening(newcomer, "3XNEW")
    granted = site.ann.decide(newcomer, "grant", "good questions")
    assert (granted["standing"], granted["answer"], site.gate.holds(newcomer)) == ("qualified", "confirmed", True)
    assert site.ann.decide(newcomer, "revoke", "gibberish")["standing"] is None
    assert site.gate.holds(newcomer)
    revoked = site.bob.decide(newcomer, "confirm")
    assert (revoked["standing"], revoked["answer"], site.gate.holds(newcomer)) == ("revoked", "confirmed", False)


def test_a_request_without_a_screening_is_granted_by_a_lead_with_a_reason(site: Site) -> None:
    worker = site.ask()
    assert site.asking() == [(worker, False)]
    assert "never handed in a screening" in site.ann.decide(worker, "grant", "", 400)["error"]["message"]
    assert not site.gate.holds(worker)
    told = site.ann.decide(worker, "grant", "wrote for the pilot study")
    assert (told["standing"], told["by"], told["answer"]) == ("qualified", "ann", "confirmed")
    assert (site.gate.holds(worker), site.asking()) == (True, [])
    [event] = site.workforce.history(worker)
    assert (event.standing, event.by, event.reason) == ("qualified", "ann", "wrote for the pilot study")
    assert actions(site.store)[-1] == ("ann", "grant", worker)


def test_a_request_is_turned_down_and_the_worker_may_still_take_the_screening(site: Site) -> None:
    worker = site.ask()
    site.ann.decide(worker, "refuse", "", 400)
    told = site.ann.decide(worker, "refuse", "unknown to us")
    assert (told["standing"], told["proposal"], site.asking()) == (None, None, [])
    assert site.workforce.history(worker) == []
    assert actions(site.store)[-1] == ("ann", "refuse", worker)
    assert site.ann.decide(worker, "refuse", "again", 404)["error"]["code"] == "unknown"


def test_requests_for_other_qualifications_are_neither_shown_nor_answered(site: Site) -> None:
    assert site.gate.type_id
    other = MTurkGate(site.gate._client, campaign("pilot-2"))
    stranger = site.ask(other)
    assert site.asking() == []
    site.ann.decide(stranger, "grant", "hello", 404)
    site.ann.decide(stranger, "refuse", "hello", 404)
    assert [request.worker for request in other.requests()] == [stranger]


@pytest.mark.parametrize("change", ["grant", "refuse"])
@pytest.mark.parametrize("screened", [NEWCOMER, FAILED])
def test_a_decision_about_a_newcomer_answers_their_request_as_well(site: Site, screened: str, change: str) -> None:
    from beat_the_ai.marketplace.workers import Worker, add_worker

    fail(site.store)
    worker = f"{screened}X{change.upper()}"
    with site.market.market() as market, market.writing() as moment:
        add_worker(moment, Worker(worker, country="US"))
    if screened == NEWCOMER:
        site.workforce.enter_screening(worker, "3XASKS")
    else:
        fail(site.store, worker)
    with site.market.workplace() as workplace:
        workplace.request_qualification(worker, site.gate.type_id)
    told = site.ann.decide(worker, change, "seen")
    assert told["standing"] == {"grant": "qualified", "refuse": "revoked"}[change]
    assert (site.gate.holds(worker), site.asking()) == (change == "grant", [])


def test_a_revoked_worker_is_not_let_in_by_asking(site: Site) -> None:
    worker = site.ask()
    site.workforce.revoke(worker, "ann", "copies")
    assert [one["standing"] for one in site.ann.get("/api/requests")["requests"]] == ["revoked"]
    assert "Reinstate" in site.ann.decide(worker, "grant", "please", 409)["error"]["message"]
    assert not site.gate.holds(worker)
    site.ann.decide(worker, "refuse", "copies")
    assert (site.asking(), site.workforce.standing(worker)) == ([], "revoked")
