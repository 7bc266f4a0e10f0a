"""Attacks on letters in a stage that is served: the router has each worker's page, whatever becomes of the operator."""

from __future__ import annotations

import asyncio
import json
import stat
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from beat_the_ai.campaign.money.crowd import connected
from beat_the_ai.campaign.service.workforce import workforce_of
from beat_the_ai.files.permissions import PRIVATE
from beat_the_ai.marketplace.assignments import Assignment
from beat_the_ai.marketplace.workplace import Workplace
from beat_the_ai.review import ReviewDesk, Reviewer
from beat_the_ai.rules.roles import Role
from beat_the_ai.store import Letter, now, open_store
from beat_the_ai.terms.campaign import BoundCampaign
from tests.attacks.served import FINAL_DATA, PATIENCE_SECONDS, until
from tests.attacks.test_withdrawal import Lab, in_service, settings_of
from tests.cli.launching import NAME


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("letters")


@pytest.fixture(scope="module")
def lab(folder: Path) -> Iterator[Lab]:
    with in_service(folder, settings_of(folder, "forms=consent")) as served:
        yield served


async def address_in(lab: Lab, http: httpx.AsyncClient, mine: Assignment) -> str:
    """Return where a worker's page says that the letters are."""
    async with lab.page(http, mine) as page:
        assert (await page.task_config())["letters"] is True
        told = await page._call("letters", {"worker": "somebody else"})  # before any form is answered
    return str(httpx.URL(f"{lab.url}/").join(told["address"]))


def write(address: str, text: str, key: str = "k") -> httpx.Response:
    content = {"key": key, "kind": "message", "subject": "", "text": text}
    return httpx.post(address, data=content, follow_redirects=True, trust_env=False, timeout=PATIENCE_SECONDS)


def look(address: str) -> httpx.Response:
    """Open a page; the router makes the application at the first one."""
    return httpx.get(address, trust_env=False, timeout=PATIENCE_SECONDS)


def texts(lab: Lab, worker: str) -> list[str]:
    return [one.text for one in lab.store.letters.of_worker(NAME, worker)]


def test_each_worker_has_a_page_of_their_own(lab: Lab) -> None:
    async def visit() -> dict[str, str]:
        found = {}
        async with httpx.AsyncClient(trust_env=False) as http:
            for _ in range(2):
                worker = await asyncio.to_thread(lab.joins)
                found[worker] = await address_in(lab, http, await asyncio.to_thread(lab.accept, worker))
        return found

    pages = asyncio.run(asyncio.wait_for(visit(), 120))
    (ada, hers), (_, his) = pages.items()
    assert hers != his
    for _ in range(2):
        assert write(hers, "Is anybody there?").status_code == 200
    assert texts(lab, ada) == ["Is anybody there?"]
    assert "Is anybody there?" in look(hers).text
    assert "Is anybody there?" not in look(his).text
    assert look(f"{hers[:-1]}{'0' if hers[-1] != '0' else '1'}").status_code == 404
    assert write(hers, "x" * 1_000_000, "long").status_code == 413
    assert write(hers, "a\u202eb", "bidi").status_code == 400
    assert look(hers).headers["referrer-policy"] == "same-origin"
    assert texts(lab, ada) == ["Is anybody there?"]


def test_results_are_the_workers_own(lab: Lab) -> None:
    async def work() -> str:
        bo = await asyncio.to_thread(lab.joins)
        mine = await asyncio.to_thread(lab.accept, bo)
        async with httpx.AsyncClient(trust_env=False) as http:
            address = await address_in(lab, http, mine)
            async with lab.page(http, mine) as page:
                await lab.ask(page)
                await page.submit(FINAL_DATA)
            await asyncio.to_thread(lab.submit, mine)
            await until(lambda: bo in lab.counted(), "it counts")
        return address

    address = asyncio.run(asyncio.wait_for(work(), 120))
    page = look(address).text
    assert "of 1 try (" in page
    assert "<dd>1</dd>" in page


def test_the_answer_is_a_message_on_the_portal_with_the_address_of_the_page(lab: Lab) -> None:
    cy = lab.joins()
    asyncio.run(asyncio.wait_for(lab.works(cy), 120))
    campaign = BoundCampaign.open(lab.store, NAME)
    [mine] = lab.assignments(cy)
    with connected(campaign) as requester:
        requester.approve(mine.id)  # a crowd has messages only for those whose work was decided on
    lab.store.letters.write(Letter("n", NAME, cy, "message", "", "Hello", now(), now()))
    with workforce_of(campaign) as workforce:
        desk = ReviewDesk(campaign, workforce)
        [answered] = desk.answer(Reviewer("ann", Role.LEAD), "n", "Hello, Cy.", upheld=None).answered
    assert answered.answer is not None
    assert answered.answer.told
    [message] = Workplace(lab.market).messages(cy).items
    assert message.subject == "An answer to your message"
    assert "Hello, Cy." in message.body
    assert "Hello, Cy." in look(message.body.splitlines()[-1]).text


def test_the_place_of_the_store_is_its_owners_secret(lab: Lab, folder: Path) -> None:
    [file] = (folder / "out" / PRIVATE).rglob("beside.json")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert json.loads(file.read_text())["options"]["campaign"] == NAME
    for path in ("beside.json", "letters", "letters/", "letters/../beside.json"):
        assert look(f"{lab.url}/{path}").status_code in (404, 405)


def test_a_letter_outlives_the_service(tmp_path: Path) -> None:
    settings = settings_of(tmp_path)
    with in_service(tmp_path, settings) as lab:
        ada = lab.joins()

        async def visit() -> str:
            async with httpx.AsyncClient(trust_env=False) as http:
                return await address_in(lab, http, await asyncio.to_thread(lab.accept, ada))

        assert write(asyncio.run(asyncio.wait_for(visit(), 120)), "Hello").status_code == 200
        assert lab.store.letters.address(NAME) == lab.url
    store = open_store(settings.store.url)
    assert [one.text for one in store.letters.waiting(NAME)] == ["Hello"]
    store.close()
