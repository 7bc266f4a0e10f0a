"""A campaign that goes on after somebody was erased from it: nobody else loses anything, and nothing comes back."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner, Result

from beat_the_ai.cli import main
from beat_the_ai.marketplace.people import payouts, store
from beat_the_ai.payments import Ledger
from tests.attacks.served import FINAL_DATA, until
from tests.attacks.test_withdrawal import Lab, in_service, settings_of
from tests.cli.forgettable import traces
from tests.cli.launching import NAME


def run(*arguments: str) -> Result:
    done = CliRunner().invoke(main, list(arguments))
    assert done.exit_code == 0, done.output
    return done


async def begins(lab: Lab, worker: str) -> None:
    """Take a HIT, ask something, and leave the page."""
    mine = await asyncio.to_thread(lab.accept, worker)
    async with httpx.AsyncClient(trust_env=False) as http, lab.page(http, mine) as page:
        await lab.ask(page)


async def goes_on(lab: Lab, worker: str) -> None:
    """Open the page again, ask something else, and submit."""
    [mine] = [each for each in lab.assignments(worker) if each.status == "Accepted"]
    async with httpx.AsyncClient(trust_env=False) as http, lab.page(http, mine) as page:
        assert await asyncio.to_thread(lab.tries, worker) == 1
        await lab.ask(page, 1)
        await page.submit(FINAL_DATA)
    await asyncio.to_thread(lab.submit, mine)
    await until(lambda: worker in lab.counted(), "it counts")


@pytest.mark.timeout(600)
def test_a_campaign_is_resumed_after_somebody_was_erased(tmp_path: Path) -> None:
    settings, out = settings_of(tmp_path, "forms=none"), str(tmp_path / "out")
    with in_service(tmp_path, settings) as lab:
        ada, bo, cy = (lab.joins() for _ in range(3))
        asyncio.run(asyncio.wait_for(lab.works(ada), 120))
        for worker in (bo, cy):
            asyncio.run(asyncio.wait_for(begins(lab, worker), 120))
    assert "Pay, and note it" in refusal(tmp_path, ada)
    run("pay", out, "--confirm")
    with store.people_at(str(tmp_path / "people")) as market, market.writing() as moment:
        owed = {one.person.worker_id: one.cents for one in payouts.owed(moment)}
        payouts.note(moment, "November", {ada: owed[ada]})
    told = run("people", "forget", ada, cy, "--people", str(tmp_path / "people"), "--yes")
    assert told.output.count("is erased") == 2
    assert traces(tmp_path, ada, cy) == set()
    with in_service(tmp_path, settings) as lab:
        asyncio.run(asyncio.wait_for(goes_on(lab, bo), 120))
        dee = lab.joins()
        asyncio.run(asyncio.wait_for(lab.works(dee), 120))
        assert lab.counted() == {bo, dee}
        assert (lab.tries(bo), lab.tries(dee)) == (2, 1)
        assert {each.worker for each in lab.store.assignments.uncounted(NAME)} == set()
        assert {one.key.worker for one in Ledger(lab.store.database, NAME).payments()} & {ada, cy} == set()
    assert traces(tmp_path, ada, cy) == set()


def refusal(folder: Path, worker: str) -> str:
    done = CliRunner().invoke(main, ["people", "forget", worker, "--people", str(folder / "people"), "--yes"])
    assert done.exit_code == 1, done.output
    return done.output
