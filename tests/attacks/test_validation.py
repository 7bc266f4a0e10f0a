"""Attacks on the validation of questions: no vote counts, no writer's work is discarded, and honest votes do count."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import partial

import httpx
import pytest

from beat_the_ai.campaign.results.outcomes import CampaignOutcomes
from beat_the_ai.campaign.service.hits import create_hits
from beat_the_ai.campaign.settings.configuration import Settings
from beat_the_ai.campaign.settings.planned_round import PlannedRound
from beat_the_ai.campaign.settings.resume import begin_or_resume
from beat_the_ai.marketplace.assignments import Assignment
from beat_the_ai.mephisto.mturk.identity import NOT_SIGNED
from beat_the_ai.messages import said
from beat_the_ai.payments.held_back import EMPTY, OPEN
from beat_the_ai.rules.stage import Stage
from beat_the_ai.simulation.page import PageClient
from beat_the_ai.store import ANOTHER_WORKERS, Store
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.validation import results
from beat_the_ai.writing import WritingDesk
from tests.attacks.served import (
    FINAL_DATA,
    Market,
    Served,
    as_another,
    invented,
    marketplace,
    pseudonym_key,
    questions_to_ask,
    serving,
    under_attack,
    until,
    waits_for_a_person,
)
from tests.mephisto.wire import wait_until
from tests.reading_comprehension import RULINGS
from tests.validation.recount import adjudicated
from tests.writing.fakes import FakeModel

PASSAGES, QUESTIONS = 10, 5
WRITER = "AWRITER"
OPTIONS = (f"round.max_hits={PASSAGES}", "dataset.train=0")


@pytest.fixture(scope="module")
def market(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Market]:
    with marketplace(tmp_path_factory.mktemp("market")) as running:
        yield running


@pytest.fixture(scope="module")
def signing(market: Market, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("signing")
    with serving(Stage.VALIDATION, folder, market, *OPTIONS, signs=True, prepare=write) as served:
        yield served


@pytest.fixture(scope="module")
def not_signing(market: Market, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("not-signing")
    with serving(Stage.VALIDATION, folder, market, *OPTIONS, signs=False, prepare=write) as served:
        yield served


@pytest.fixture(params=("signing", "not_signing"))
def served(request: pytest.FixtureRequest) -> Served:
    campaign: Served = request.getfixturevalue(request.param)
    return campaign


def write(settings: Settings, store: Store) -> None:
    """A writer's questions on every passage, which count and wait for validators."""
    begin_or_resume(PlannedRound(store, settings), pseudonym_key(settings.out))
    kind = settings.kind
    desk = WritingDesk(store, kind.writing, FakeModel(), settings.terms.writing(kind))
    for hit in create_hits(PlannedRound(store, settings)).hits():
        assignment, taken = desk.accept(hit, WRITER, f"r-{WRITER}")
        for number, question in enumerate(questions_to_ask(taken.context)[:QUESTIONS]):
            desk.submit(assignment.id, f"k{number}", taken.context.id, question)
        desk.finish(assignment.id)


def votes(served: Served) -> dict[str, list[str]]:
    """Who has voted on each question, as far as it counts."""
    found = results(adjudicated(served.store, served.campaign.id, RULINGS), RULINGS)
    return {name: [vote.worker for vote in each.votes] for name, each in found.items()}


async def say_that_nothing_can_be_answered(page: PageClient) -> int:
    """Returns the number of votes."""
    for item in page.init_data["items"]:
        await page.insist("vote", {"item_id": item["id"], "vote_key": "k", "vote": {"answer": None}})
    return len(page.init_data["items"])


async def three_invented_identities_want_to_vote(served: Served, http: httpx.AsyncClient) -> None:
    for hit_id in served.open_hits()[-3:]:
        assert await served.refusal(http, invented(hit_id))


def test_invented_identities_cast_no_vote(served: Served) -> None:
    under_attack(served, three_invented_identities_want_to_vote)
    only_those_vote_who_are_counted(served)


async def a_worker_votes_as_three_victims(served: Served, http: httpx.AsyncClient) -> list[str]:
    """That no question can be answered, on the page and with the crowd's forms. Returns the victims."""
    held = [served.accept() for _ in range(3)]
    victims = [served.new_worker() for _ in held]
    cast = 0
    for mine, victim in zip(held, victims, strict=True):
        async with served.page(http, as_another(mine, victim)) as page:
            cast += await say_that_nothing_can_be_answered(page)
            await page.submit(FINAL_DATA)
    assert cast >= 18
    for mine in held:
        served.post_form(mine)
    await until(lambda: served.set_aside().keys() >= set(victims), "they are set aside")
    return victims


def test_votes_in_victims_names_do_not_count_and_no_writers_work_is_discarded(not_signing: Served) -> None:
    victims = under_attack(not_signing, a_worker_votes_as_three_victims)
    assert {not_signing.set_aside()[victim] for victim in victims} == {ANOTHER_WORKERS}
    only_those_vote_who_are_counted(not_signing)
    with CampaignOutcomes.at_one_moment(BoundCampaign.open(not_signing.store, not_signing.campaign.id)) as outcomes:
        assert outcomes.validation.discarded_workers == frozenset()
    assert asyncio.run(not_signing.serve(not_signing.honest(victims[0]))) in not_signing.counted()


def only_those_vote_who_are_counted(served: Served) -> None:
    assert {worker for workers in votes(served).values() for worker in workers} == served.counted()


async def a_validator_signs_on_as_a_victim(served: Served, http: httpx.AsyncClient) -> None:
    mine, victim = served.accept(), served.new_worker()
    assert await served.refusal(http, as_another(mine, victim)) == said(NOT_SIGNED)
    served.give_back(mine)


def test_nobody_votes_in_a_victims_name_where_it_is_signed(signing: Served) -> None:
    under_attack(signing, a_validator_signs_on_as_a_victim)


async def votes_are_cast_and_never_handed_in(served: Served, http: httpx.AsyncClient) -> list[str]:
    """One goes away, one returns the HIT, one hands in on the page alone and returns it. Returns the workers."""
    gone, given_back, half = served.accept(), served.accept(), served.accept()
    for mine in (gone, given_back, half):
        async with served.page(http, mine) as page:
            await say_that_nothing_can_be_answered(page)
            if mine is half:
                await page.submit(FINAL_DATA)
                await until(partial(served.has_been_handed_in, page), "it is handed in")
    served.give_back(given_back)
    served.give_back(half)
    await until(lambda: half.worker_id in served.set_aside(), "it is set aside")
    return [each.worker_id for each in (gone, given_back)]


def test_votes_that_were_never_handed_in_settle_nothing(served: Served) -> None:
    workers = under_attack(served, votes_are_cast_and_never_handed_in)
    only_those_vote_who_are_counted(served)
    held = {each.assignment.worker: each.reason for each in served.held_back()}
    assert held[workers[0]] == OPEN


async def forms_are_posted_whose_pages_were_never_opened(served: Served, http: httpx.AsyncClient) -> list[Assignment]:
    posted = [served.accept() for _ in range(2)]
    for mine, final in zip(posted, ("", "{}"), strict=True):
        served.post_form(mine, final)
    return posted


def test_a_form_without_a_page_votes_for_nothing(served: Served) -> None:
    posted = under_attack(served, forms_are_posted_whose_pages_were_never_opened)
    only_those_vote_who_are_counted(served)
    wait_until(served.open_hits, "HITs are offered")
    waits_for_a_person(served, posted)


async def nothing_is_answered(served: Served, http: httpx.AsyncClient) -> list[str]:
    """Returns the workers."""
    taken = [served.accept() for _ in range(3)]
    for mine in taken:
        async with served.page(http, mine) as page:
            await page.submit(FINAL_DATA)
        served.post_form(mine)
    await until(lambda: {each.worker_id for each in taken} <= served.counted(), "the crowd has confirmed them")
    return [each.worker_id for each in taken]


def test_empty_validations_are_not_paid_before_a_person_decides(signing: Served) -> None:
    empty = under_attack(signing, nothing_is_answered, all_paid=False)
    held = {each.assignment.worker: each for each in signing.held_back()}
    assert [(held[worker].reason, held[worker].decision) for worker in empty] == [(EMPTY, None)] * 3
