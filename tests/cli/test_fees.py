"""A marketplace of one's own that charges no fees, and campaigns that count none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from beat_the_ai.requester import Requester
from beat_the_ai.store import open_store
from tests.cli.launching import launch_arguments, needs_pages, run
from tests.cli.test_held import HITS, Held
from tests.cli.test_payments import PAY, ROUND
from tests.marketplace.rehearsal import Rehearsal, store_in
from tests.mephisto.mturk_rig import use
from tests.store.builders import campaign, context

pytestmark = needs_pages
DOLLARS = 100


@pytest.fixture
def market(tmp_path: Path) -> Iterator[Rehearsal]:
    with Rehearsal.started(store_in(tmp_path), options=["--no-fees"]) as running:
        yield running


@pytest.fixture
def requester(market: Rehearsal, monkeypatch: pytest.MonkeyPatch) -> Iterator[Requester]:
    side = use(monkeypatch, market, DOLLARS)
    yield side
    side.close()


def test_what_is_paid_is_what_the_ledger_says(market: Rehearsal, requester: Requester, tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "campaign.db"))
    crowd = {"provider": "mturk", "requester": "lab", "endpoint_url": market.address}
    store.campaigns.create(
        campaign(config={"crowd": crowd}), {"round": ROUND, "pay": {**PAY, "bonus_cents_per_win": 25, "fees": False}}
    )
    hits = list(store.campaigns.offer("pilot", [context()], round_number=1, slots=HITS))
    held = Held(tmp_path, store, market, requester.client, hits)
    held.done("WL")
    assert requester.balance_cents() == DOLLARS * 100 - 200, "the reward is on hold, and nothing else"
    held.run("pay", str(tmp_path), "--confirm")
    [told] = held.told("pay", str(tmp_path))
    assert told["ledger"]["confirmed"]["cents"] == 200 + 25
    assert requester.balance_cents() == DOLLARS * 100 - told["ledger"]["confirmed"]["cents"]
    store.close()


def test_a_campaign_and_its_marketplace_have_to_agree(
    market: Rehearsal, requester: Requester, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "campaign"
    counted = run("launch", *launch_arguments(out, "--yes"))
    assert (counted.exit_code, "Set pay.fees=false" in counted.stderr) == (1, True)
    shown = run("launch", *launch_arguments(out, "pay.fees=false"), answer="n\n").stdout
    assert "fees on rewards $0.00" in " ".join(shown.replace("│", " ").split())
    market.kill()
    with Rehearsal.started(market.store, options=["--fees"]) as charging:
        monkeypatch.setenv("AWS_ENDPOINT_URL_MTURK", charging.address)
        refused = run("launch", *launch_arguments(out, "--yes", "pay.fees=false"))
    assert (refused.exit_code, "Set pay.fees=true" in refused.stderr) == (1, True)
