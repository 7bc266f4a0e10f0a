"""The notes that a launch leaves in the store of people."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from beat_the_ai.campaign.money.payables import annotations_prefix
from beat_the_ai.campaign.service.withdrawals import withdrawn_from
from beat_the_ai.forms import Form
from beat_the_ai.marketplace.people.store import people_at
from beat_the_ai.marketplace.tables import debriefings
from beat_the_ai.store import open_store
from beat_the_ai.terms.campaign import BoundCampaign
from tests.store.builders import campaign

NOTICE = Form(name="end", kind="notice", title="What it was about", text="All.")


def test_each_launch_leaves_the_notices_of_its_debriefing(tmp_path: Path) -> None:
    people = str(tmp_path / "people")
    config = {"crowd": {"provider": "own", "people": people, "endpoint_url": "http://127.0.0.1:9"}}
    with closing(open_store(str(tmp_path / "campaign.db"))) as store:
        store.campaigns.create(campaign(config=config))
        pilot = BoundCampaign.open(store, "pilot")
        for notices, kept in (([NOTICE], ["What it was about"]), ([], [])):
            with withdrawn_from(pilot, tmp_path, notices) as has_withdrawn:
                assert has_withdrawn is not None
                assert not has_withdrawn("w1")
            with people_at(people) as market, market.reading() as moment:
                rows = moment.connection.execute(debriefings.select()).all()
            assert [notice["title"] for row in rows for notice in row.notices] == kept
            assert all(row.prefix == annotations_prefix(pilot.record) for row in rows)
