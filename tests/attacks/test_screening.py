"""Attacks on the screening of newcomers: no place is lost, no name is used up, and honest newcomers are screened."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import httpx
import pytest

from beat_the_ai.errors import Refused
from beat_the_ai.marketplace.assignments import Assignment
from beat_the_ai.mephisto.mturk.identity import NOT_SIGNED
from beat_the_ai.messages import said
from beat_the_ai.payments.held_back import EMPTY
from beat_the_ai.rules.stage import Stage
from beat_the_ai.simulation.page import PageClient
from beat_the_ai.store import ANOTHER_WORKERS
from tests.attacks.served import (
    FINAL_DATA,
    Market,
    Served,
    as_another,
    invented,
    marketplace,
    serving,
    under_attack,
    until,
    waits_for_a_person,
)
from tests.cli.launching import NAME
from tests.mephisto.wire import wait_until

PLACES = 16
OPTIONS = ("qualification=open", f"qualification.places={PLACES}")


@pytest.fixture(scope="module")
def market(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Market]:
    with marketplace(tmp_path_factory.mktemp("market")) as running:
        yield running


@pytest.fixture(scope="module")
def signing(market: Market, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(Stage.SCREENING, tmp_path_factory.mktemp("signing"), market, *OPTIONS, signs=True) as served:
        yield served


@pytest.fixture(scope="module")
def not_signing(market: Market, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(Stage.SCREENING, tmp_path_factory.mktemp("not-signing"), market, *OPTIONS, signs=False) as served:
        yield served


@pytest.fixture(params=("signing", "not_signing"))
def served(request: pytest.FixtureRequest) -> Served:
    campaign: Served = request.getfixturevalue(request.param)
    return campaign


def every_place_is_there(served: Served) -> None:
    """The crowd offers all that nobody has taken whose screening counts."""

    def is_there() -> bool:
        counts = served.survey().counts()
        return counts["open"] + counts["accepted"] == PLACES - len(served.counted())

    wait_until(is_there, "every place is on offer")


async def nobodies_want_every_place(served: Served, http: httpx.AsyncClient) -> None:
    for hit_id in served.open_hits():
        assert await served.refusal(http, invented(hit_id))


def test_nobodies_get_no_place_without_an_accepted_hit(served: Served) -> None:
    under_attack(served, nobodies_want_every_place)
    every_place_is_there(served)


async def one_accepted_hit_is_used_by_many_nobodies(served: Served, http: httpx.AsyncClient) -> int:
    """One after the other. Returns how many of them got a place."""
    mine, places = served.accept(), 0
    for _ in range(4):
        try:
            await served.hand_in(http, invented(mine.hit_id))
        except Refused:
            continue
        places += 1
    served.post_form(mine)
    return places


def test_a_nobody_with_an_accepted_hit_is_set_aside_and_the_place_offered_again(not_signing: Served) -> None:
    assert under_attack(not_signing, one_accepted_hit_is_used_by_many_nobodies) == 1
    wait_until(lambda: not not_signing.waiting(), "it is set aside")
    every_place_is_there(not_signing)


async def a_newcomer_takes_the_screening_as_a_victim(served: Served, http: httpx.AsyncClient) -> str:
    """And hands it in on the page and to the crowd. Returns the victim."""
    mine, victim = served.accept(), served.new_worker()
    await served.hand_in(http, as_another(mine, victim))
    served.post_form(mine)
    await until(lambda: victim in served.set_aside(), "it is set aside")
    return victim


def test_a_screening_in_a_victims_name_is_set_aside_and_the_victim_takes_it(not_signing: Served) -> None:
    victim = under_attack(not_signing, a_newcomer_takes_the_screening_as_a_victim)
    assert not_signing.set_aside()[victim] == ANOTHER_WORKERS
    the_victim_passes(not_signing, victim)


async def a_newcomer_uses_up_a_victims_tries(served: Served, http: httpx.AsyncClient) -> str:
    """And returns the HIT."""
    mine, victim = served.accept(), served.new_worker()
    async with served.page(http, as_another(mine, victim)) as page:
        await fail(page)
    served.give_back(mine)
    return victim


def test_tries_that_were_used_up_in_a_victims_name_are_the_victims_again(not_signing: Served) -> None:
    the_victim_passes(not_signing, under_attack(not_signing, a_newcomer_uses_up_a_victims_tries))


async def a_newcomer_holds_a_hit_in_a_victims_name(served: Served, http: httpx.AsyncClient) -> str:
    """All tries are used up on the page, which stays open. Returns the victim, who has passed meanwhile."""
    mine, victim = served.accept(), served.new_worker()
    async with served.page(http, as_another(mine, victim)) as page:
        await fail(page)
        await served.serve(served.honest(victim))
        await page.submit(FINAL_DATA)
    served.post_form(mine)
    return victim


def test_whoever_holds_a_hit_in_a_victims_name_does_not_hold_up_the_victim(not_signing: Served) -> None:
    victim = under_attack(not_signing, a_newcomer_holds_a_hit_in_a_victims_name, paid=1)
    assert outcomes(not_signing, victim) == ["passed"]
    assert not_signing.standing_of(victim) == "candidate"


async def a_newcomer_hands_in_as_a_victim_and_keeps_the_crowd_waiting(served: Served, http: httpx.AsyncClient) -> str:
    """Returns the victim, who has passed meanwhile."""
    mine, victim = served.accept(), served.new_worker()
    await served.hand_in(http, as_another(mine, victim))
    await served.serve(served.honest(victim))
    served.give_back(mine)
    return victim


def test_a_hand_in_that_waits_for_the_crowd_does_not_hold_up_the_victim(not_signing: Served) -> None:
    victim = under_attack(not_signing, a_newcomer_hands_in_as_a_victim_and_keeps_the_crowd_waiting, paid=1)
    assert outcomes(not_signing, victim) == ["passed"]


async def fail(page: PageClient) -> None:
    """A step, with all its tries."""
    screening, number = (await page.call("state", {}))["screening"], 0
    while screening["phase"] == "steps":
        wrong = {"response_key": f"wrong-{number}", "step": screening["step"]["id"], "work": {"question": "question 1"}}
        screening = (await page.call("respond", wrong))["screening"]
        number += 1
    assert screening["phase"] == "failed"


def the_victim_passes(served: Served, victim: str) -> None:
    asyncio.run(served.serve(served.honest(victim)))
    assert outcomes(served, victim) == ["passed"]
    assert served.standing_of(victim) == "candidate"


def outcomes(served: Served, worker: str) -> list[str | None]:
    return [each.outcome for each in served.store.screenings.of_campaign(NAME) if each.worker == worker]


async def a_newcomer_signs_on_as_a_victim(served: Served, http: httpx.AsyncClient) -> None:
    mine, victim = served.accept(), served.new_worker()
    assert await served.refusal(http, as_another(mine, victim)) == said(NOT_SIGNED)
    served.give_back(mine)


def test_nobody_takes_the_screening_in_a_victims_name_where_it_is_signed(signing: Served) -> None:
    under_attack(signing, a_newcomer_signs_on_as_a_victim)


async def forms_are_posted_whose_pages_were_never_opened(served: Served, http: httpx.AsyncClient) -> list[Assignment]:
    posted = [served.accept() for _ in range(2)]
    for mine, final in zip(posted, ("", "{}"), strict=True):
        served.post_form(mine, final)
    return posted


def test_a_form_without_a_page_takes_no_place(served: Served) -> None:
    posted = under_attack(served, forms_are_posted_whose_pages_were_never_opened)
    every_place_is_there(served)
    waits_for_a_person(served, posted)


async def screenings_are_handed_in_empty(served: Served, http: httpx.AsyncClient) -> list[str]:
    """Returns the workers."""
    taken = [served.accept() for _ in range(3)]
    for mine in taken:
        async with served.page(http, mine) as page:
            await page.submit(FINAL_DATA)
        served.post_form(mine)
    await until(lambda: {each.worker_id for each in taken} <= served.counted(), "the crowd has confirmed them")
    return [each.worker_id for each in taken]


def test_empty_screenings_are_not_paid_and_make_no_candidates(signing: Served) -> None:
    empty = under_attack(signing, screenings_are_handed_in_empty, all_paid=False)
    assert [signing.standing_of(worker) for worker in empty] == [None] * 3
    held = {each.assignment.worker: each.reason for each in signing.held_back()}
    assert [held[worker] for worker in empty] == [EMPTY] * 3
