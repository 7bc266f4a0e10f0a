"""The unit of people's amounts: one for a place, fixed once there are HITs, and the one that pages show."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from beat_the_ai.errors import Refused
from beat_the_ai.marketplace import credentials, requesters
from beat_the_ai.marketplace.api.faults import market_faults
from beat_the_ai.marketplace.market import Market
from beat_the_ai.marketplace.people import payouts, store
from beat_the_ai.marketplace.people.person import MAY_WORK, NewPerson, add_people
from beat_the_ai.marketplace.portal.app import Portal
from tests.marketplace.desk import Desk
from tests.marketplace.test_portal import Person


@pytest.fixture
def market(tmp_path: Path) -> Iterator[Market]:
    with store.people_at(str(tmp_path), create=True) as opened:
        yield opened


def test_a_unit_is_fixed_once_there_are_hits_and_people_read_it(market: Market) -> None:
    with market.writing() as moment:
        assert store.unit_of(moment) == "USD"
        store.agree_on_unit(moment, "hours")
        store.agree_on_unit(moment, "points")
    with market.reading() as moment:
        desk = Desk(market, requesters.requester_named(moment, store.REQUESTER).id)
    desk.new_hit(Reward="1.50")
    with market.writing() as moment:
        store.agree_on_unit(moment, "points")
        with pytest.raises(Refused, match=r"are in points, and crowd\.unit is USD"):
            store.agree_on_unit(moment, "USD")
        [ada] = add_people(moment, [NewPerson("Ada Byron")], MAY_WORK)
        code = credentials.issue(moment, ada.worker_id)
    http: Any
    with TestClient(Starlette(routes=Portal(market, market_faults()).routes())) as http:
        person = Person(ada.worker_id, code, http)
        person.sign_in()
        assert "1.5 points" in person.see("/worker/hits")
        assert "0 points" in person.see("/worker/earnings")
        assert "$" not in person.page
    with market.reading() as moment:
        assert payouts.read_amounts(moment, f"worker,amount\n{ada.worker_id},1.5\n".encode(), "list") == {
            ada.worker_id: 150
        }
