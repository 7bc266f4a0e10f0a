"""Requests for the qualification: workers make them in the portal of a real marketplace, and are answered."""

from __future__ import annotations

import pytest

from beat_the_ai.errors import Declined, Unanswered
from beat_the_ai.requester import Requester
from beat_the_ai.store import Store
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.workforce import GateRequest, MTurkGate, Standing, Workforce
from tests.marketplace.rehearsal import Rehearsal
from tests.store.builders import campaign
from tests.workforce.test_standing import LossyRequester


@pytest.fixture
def pilot(store: Store) -> Store:
    store.campaigns.create(campaign())
    return store


def asks(rehearsal: Rehearsal, type_id: str) -> str:
    worker = rehearsal.new_worker()
    with rehearsal.workplace() as workplace:
        workplace.request_qualification(worker, type_id)
    return worker


def status(rehearsal: Rehearsal, request: GateRequest) -> tuple[str, str | None]:
    from beat_the_ai.marketplace.qualification_requests import get_request

    with rehearsal.market() as market, market.reading() as moment:
        found = get_request(moment, request.id)
        return found.status, found.reason


def test_requests_are_listed_oldest_first_for_the_campaigns_own_type_alone(
    crowd: Requester, rehearsal: Rehearsal
) -> None:
    gate, other = MTurkGate(crowd, campaign("pilot")), MTurkGate(crowd, campaign("second"))
    assert gate.requests() == []
    assert crowd.call("list_qualification_types", MustBeOwnedByCaller=True, MustBeRequestable=False)["NumResults"] == 0
    asked = [asks(rehearsal, gate.type_id) for _ in range(2)]
    stranger = asks(rehearsal, other.type_id)
    assert [request.worker for request in gate.requests()] == asked
    assert [request.worker for request in other.requests()] == [stranger]
    assert gate.requests()[0].at.tzinfo is not None


def test_a_grant_accepts_the_request_and_no_other(crowd: Requester, rehearsal: Rehearsal, pilot: Store) -> None:
    gate, other = MTurkGate(crowd, campaign("pilot")), MTurkGate(crowd, campaign("second"))
    worker, stranger = (asks(rehearsal, gate.type_id) for _ in range(2))
    with rehearsal.workplace() as workplace:
        workplace.request_qualification(worker, other.type_id)
    workforce = Workforce(BoundCampaign.open(pilot, "pilot"), gate)
    request, left = workforce.requests()
    event = workforce.qualify(worker, "ann", "known from the pilot study")
    assert (event.standing, event.answer, gate.holds(worker)) == ("qualified", "confirmed", True)
    assert status(rehearsal, request) == ("Granted", None)
    assert [one.worker for one in workforce.requests()] == [left.worker] == [stranger]
    assert not gate.holds(stranger)
    assert [one.worker for one in other.requests()] == [worker]
    assert not other.holds(worker)


def test_a_request_is_turned_down_without_a_word_about_the_standing(
    crowd: Requester, rehearsal: Rehearsal, pilot: Store
) -> None:
    gate = MTurkGate(crowd, campaign("pilot"))
    worker = asks(rehearsal, gate.type_id)
    workforce = Workforce(BoundCampaign.open(pilot, "pilot"), gate)
    [request] = workforce.requests()
    workforce.turn_down(request)
    told, reason = status(rehearsal, request)
    assert told == "Rejected"
    assert reason is not None
    assert "turned it down" in reason
    assert (workforce.standing(worker), workforce.history(worker), workforce.requests()) == (None, [], [])
    with pytest.raises(Declined):
        workforce.turn_down(request)


@pytest.mark.parametrize("carried_out", [True, False])
@pytest.mark.parametrize("operation", ["accept_qualification_request", "list_qualification_requests"])
def test_a_lost_reply_is_made_up_for(
    pilot: Store, crowd: Requester, rehearsal: Rehearsal, operation: str, carried_out: bool
) -> None:
    lossy = LossyRequester(crowd.client, crowd._sleep)
    gate = MTurkGate(lossy, campaign("pilot"))
    worker = asks(rehearsal, gate.type_id)
    workforce = Workforce(BoundCampaign.open(pilot, "pilot"), gate)
    lossy.lose = operation, carried_out
    assert workforce.qualify(worker, "ann").answer == "unanswered"
    assert workforce.standing(worker) is Standing.QUALIFIED
    assert [one.mended for one in workforce.reconcile()] == [True]
    assert gate.holds(worker)
    assert workforce.requests() == []


def test_a_list_that_cannot_be_read_is_told(pilot: Store, crowd: Requester) -> None:
    lossy = LossyRequester(crowd.client, crowd._sleep)
    lossy.lose = "list_qualification_types", False
    with pytest.raises(Unanswered):
        Workforce(BoundCampaign.open(pilot, "pilot"), MTurkGate(lossy, campaign("pilot"))).requests()
    assert Workforce(BoundCampaign.open(pilot, "pilot")).requests() == []
