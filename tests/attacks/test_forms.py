"""Attacks on consent: what is handed in before the forms are answered counts nothing, and waits for a person."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from beat_the_ai.marketplace.assignments import Assignment
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import WITHOUT_FORMS
from tests.attacks.served import FINAL_DATA, Market, Served, marketplace, serving, under_attack
from tests.mephisto.wire import wait_until


@pytest.fixture(scope="module")
def market(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Market]:
    with marketplace(tmp_path_factory.mktemp("market")) as running:
        yield running


@pytest.fixture(scope="module")
def asking(market: Market, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    options = ("round.max_hits=12", "forms=consent")
    with serving(Stage.WRITING, tmp_path_factory.mktemp("asking"), market, *options, signs=True) as served:
        yield served


async def one_declines_and_one_never_answers(served: Served, http: httpx.AsyncClient) -> list[Assignment]:
    handed_in = []
    for declines in (True, False):
        mine = served.accept()
        async with served.page(http, mine) as page:
            if declines:
                [consent, *_] = (await page._call("forms", {}))["forms"]
                await page._call("answer_form", {"form": consent["id"], "declined": True, "answers": {}})
            await page.submit(FINAL_DATA)
        served.post_form(mine)
        handed_in.append(mine)
    return handed_in


def test_nothing_counts_of_what_is_handed_in_before_the_forms_are_answered(asking: Served) -> None:
    handed_in = under_attack(asking, one_declines_and_one_never_answers)
    workers = {each.worker_id for each in handed_in}
    wait_until(lambda: workers <= asking.set_aside().keys(), "they are set aside")
    assert {asking.set_aside()[worker] for worker in workers} == {WITHOUT_FORMS}
    assert {asking.status(each) for each in handed_in} == {"Submitted"}
    assert workers <= {each.assignment.worker for each in asking.held_back() if each.decision is None}
