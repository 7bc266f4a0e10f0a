"""The workers' pages of a campaign of one's own people: whoever withdraws at the portal leaves the leader board."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from starlette.testclient import TestClient

from beat_the_ai.campaign.service.letters import pages
from beat_the_ai.letters import token_of
from beat_the_ai.marketplace import withdrawals
from beat_the_ai.marketplace.people import person
from beat_the_ai.marketplace.people import store as people
from beat_the_ai.marketplace.people.person import NewPerson
from beat_the_ai.store import open_store
from beat_the_ai.terms.campaign import BoundCampaign
from tests.cli.test_payments import PAY, ROUND
from tests.store.builders import campaign
from tests.workforce.builders import submit


def test_who_withdraws_leaves_the_board(tmp_path: Path) -> None:
    store, place = open_store(str(tmp_path / "campaign.db")), str(tmp_path / "people")
    with people.people_at(place, create=True) as market:
        with market.writing() as moment:
            made = person.add_people(moment, [NewPerson("Ann Able"), NewPerson("Ben Bold")], "active")
        ann, ben = (each.worker_id for each in made)
        config = {"crowd": {"provider": "own", "people": place}, "review": {"shows_board": True}}
        store.campaigns.create(replace(campaign(), config=config), {"round": ROUND, "pay": PAY})
        submit(store, [ann, ben])
        opened = BoundCampaign.open(store, "pilot")
        with TestClient(pages(opened)) as http:
            for worker, name in ((ann, "Owl"), (ben, "Fox")):
                content = {"key": "k", "kind": "join", "text": name}
                assert http.post(f"/{token_of(opened.record, worker)}", data=content).status_code == 200
            assert "Owl" in http.get(f"/{token_of(opened.record, ben)}").text
            with market.writing() as moment:
                withdrawals.withdraw(moment, ann)
            assert "Owl" not in http.get(f"/{token_of(opened.record, ben)}").text
    assert store.board.listed("pilot") == {ben: "Fox"}
    store.close()
