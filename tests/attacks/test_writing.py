"""Attacks on the writing of a campaign: nothing counts, is paid or blocked, and honest writers are served."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

from beat_the_ai.campaign.results.outcomes import CampaignOutcomes
from beat_the_ai.campaign.service.hits import create_hits
from beat_the_ai.campaign.service.stages.validation import validation_desk
from beat_the_ai.campaign.settings.planned_round import PlannedRound
from beat_the_ai.cli import main
from beat_the_ai.dataset.export import export_campaign
from beat_the_ai.errors import Refused
from beat_the_ai.kinds.reading_comprehension import squad
from beat_the_ai.marketplace.assignments import Assignment
from beat_the_ai.mephisto.mturk.confirmation import NEVER_ARRIVED
from beat_the_ai.mephisto.mturk.identity import HELD, NOT_SIGNED, OVER
from beat_the_ai.messages import said
from beat_the_ai.payments import Ledger
from beat_the_ai.payments.held_back import EMPTY
from beat_the_ai.rules.stage import Stage
from beat_the_ai.simulation.page import CallFailed
from beat_the_ai.store import ANOTHER_HITS, ANOTHER_WORKERS, WITHOUT_PAGE
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.web.signed_assignment import SIGNED
from beat_the_ai.workforce import Reviewing
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
from tests.mephisto.mturk_rig import signed
from tests.mephisto.wire import wait_until


@pytest.fixture(scope="module")
def market(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Market]:
    with marketplace(tmp_path_factory.mktemp("market")) as running:
        yield running


@pytest.fixture(scope="module")
def signing(market: Market, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("signing")
    with serving(Stage.WRITING, folder, market, "round.max_hits=30", signs=True) as served:
        yield served


@pytest.fixture(scope="module")
def not_signing(market: Market, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("not-signing")
    with serving(Stage.WRITING, folder, market, "round.max_hits=28", signs=False) as served:
        yield served


@pytest.fixture(params=("signing", "not_signing"))
def served(request: pytest.FixtureRequest) -> Served:
    campaign: Served = request.getfixturevalue(request.param)
    return campaign


async def eight_invented_identities_use_the_hit_of_a_preview(served: Served, http: httpx.AsyncClient) -> None:
    hit_id = served.open_hits()[-1]
    for _ in range(8):
        assert await served.refusal(http, invented(hit_id))


def test_invented_identities_get_no_unit_by_the_hit_of_a_preview(served: Served) -> None:
    before = len(served.assignments())
    under_attack(served, eight_invented_identities_use_the_hit_of_a_preview)
    assert len(served.assignments()) == before + 1


async def a_worker_writes_as_a_victim(served: Served, http: httpx.AsyncClient) -> str:
    """And hands it in on the page and to the crowd. Returns the victim."""
    mine, victim = served.accept(), served.new_worker()
    await served.hand_in(http, as_another(mine, victim))
    served.post_form(mine)
    await until(lambda: victim in served.set_aside(), "it is set aside")
    return victim


def test_what_is_written_in_a_victims_name_is_set_aside_and_the_victim_writes_on(not_signing: Served) -> None:
    victim = under_attack(not_signing, a_worker_writes_as_a_victim)
    assert not_signing.set_aside()[victim] == ANOTHER_WORKERS
    nothing_stands_against(not_signing, victim)


async def a_worker_opens_pages_as_a_victim_and_returns_the_hits(served: Served, http: httpx.AsyncClient) -> str:
    """Passage after passage would be closed to the victim."""
    victim = served.new_worker()
    for hit_id in served.open_hits()[-3:]:
        mine = served.accept(hit_id)
        async with served.page(http, as_another(mine, victim)) as page:
            await served.ask(page)
        served.give_back(mine)
    return victim


def test_pages_that_were_opened_in_a_victims_name_close_no_passage_to_the_victim(not_signing: Served) -> None:
    victim = under_attack(not_signing, a_worker_opens_pages_as_a_victim_and_returns_the_hits)
    nothing_stands_against(not_signing, victim)


def nothing_stands_against(served: Served, victim: str) -> None:
    wait_until(lambda: not served.store.attempts.contexts_had_by(victim), "no passage is closed to the victim")
    assert served.standing_of(victim) is None
    assert asyncio.run(served.serve(served.honest(victim))) in served.counted()


async def a_worker_signs_on_as_a_victim(served: Served, http: httpx.AsyncClient) -> None:
    mine, victim = served.accept(), served.new_worker()
    assert await served.refusal(http, as_another(mine, victim)) == said(NOT_SIGNED)
    served.give_back(mine)


def test_nobody_gets_a_page_in_a_victims_name_where_it_is_signed(signing: Served) -> None:
    under_attack(signing, a_worker_signs_on_as_a_victim)


async def one_accepted_hit_serves_several_victims_at_once(served: Served, http: httpx.AsyncClient) -> None:
    """Under the assignment's own id, and under that of another HIT."""
    mine, other = served.accept(), served.accept()
    async with served.page(http, as_another(mine, served.new_worker())):
        for _ in range(3):
            assert await served.refusal(http, as_another(mine, served.new_worker())) == said(HELD)
            swapped = replace(as_another(mine, served.new_worker()), hit_id=other.hit_id)
            assert await served.refusal(http, swapped) == said(HELD)
    served.give_back(mine)
    served.give_back(other)


def test_an_accepted_hit_has_one_page_whatever_it_says(not_signing: Served) -> None:
    under_attack(not_signing, one_accepted_hit_serves_several_victims_at_once)


async def one_accepted_hit_serves_one_nobody_after_the_other(served: Served, http: httpx.AsyncClient) -> int:
    """Returns how many of them got a page."""
    mine, pages = served.accept(), 0
    for _ in range(5):
        try:
            await served.hand_in(http, invented(mine.hit_id))
        except Refused:
            continue
        pages += 1
    served.post_form(mine)
    return pages


def test_an_accepted_hit_gives_one_page_to_nobodies_and_it_is_set_aside(not_signing: Served) -> None:
    assert under_attack(not_signing, one_accepted_hit_serves_one_nobody_after_the_other) == 1
    wait_until(lambda: not not_signing.waiting(), "it is set aside")
    assert NEVER_ARRIVED in not_signing.set_aside().values()


async def questions_are_asked_and_their_hit_is_never_handed_in(served: Served, http: httpx.AsyncClient) -> str:
    """Returns a question that beat the model."""
    mine = served.accept()
    async with served.page(http, mine) as page:
        attempt = await served.ask(page)
        await served.ask(page, 1)
    assert attempt["fooled"]
    return str(attempt["attempt_id"])


def test_questions_that_nobody_handed_in_are_exported_with_the_reason_and_count_nowhere(
    signing: Served, tmp_path: Path
) -> None:
    question = under_attack(signing, questions_are_asked_and_their_hit_is_never_handed_in)
    store, campaign = signing.store, signing.campaign
    with CampaignOutcomes.at_one_moment(BoundCampaign.open(store, campaign.id)) as outcomes:
        export_campaign(outcomes.placement, tmp_path, ["jsonl", "squad"])
    attempts = {
        each["attempt_id"]: each for each in map(json.loads, (tmp_path / "attempts.jsonl").read_text().splitlines())
    }
    assert (attempts[question]["dropped"], attempts[question]["part"]) == ("not_handed_in", None)
    dataset = squad.load(tmp_path / "squad.json")
    assert question not in {each.id for passage in dataset for each in passage.questions}
    assert question not in {
        need.attempt_id for need in validation_desk(signing.settings, BoundCampaign.open(store, campaign.id)).needs()
    }
    [assignment] = {row.assignment.id for row in store.attempts.of_campaign(NAME) if row.attempt.id == question}
    Reviewing(BoundCampaign.open(store, NAME)).draw()
    assert assignment not in store.reviews.draws(NAME)


async def forms_are_posted_whose_pages_were_never_opened(served: Served, http: httpx.AsyncClient) -> list[Assignment]:
    posted = [served.accept() for _ in range(3)]
    for mine, final in zip(posted, ("", "{}", json.dumps(FINAL_DATA)), strict=True):
        served.post_form(mine, final)
    return posted


def test_a_form_without_a_page_counts_nothing_and_its_unit_is_offered_again(served: Served) -> None:
    posted = under_attack(served, forms_are_posted_whose_pages_were_never_opened)
    on_offer = create_hits(PlannedRound(served.store, served.settings))

    def is_offered_again() -> bool:
        counts = served.survey().counts()
        return counts["open"] + counts["accepted"] == len(on_offer.hits().keys() - on_offer.handed_in())

    wait_until(is_offered_again, "what was used up is offered again")
    assert [served.status(each) for each in posted] == ["Submitted"] * 3
    waits_for_a_person(served, posted)
    rejected = [each.assignment.id for each in served.held_back() if each.assignment.worker == posted[0].worker_id]
    command = ["review", "release", str(served.settings.out), *rejected, "--reason", "nothing there", "--withhold"]
    assert "The crowd has rejected it." in CliRunner().invoke(main, command).stdout
    nothing_stands_against(served, posted[1].worker_id)


async def forms_of_their_own_are_posted_while_the_pages_are_open(
    served: Served, http: httpx.AsyncClient
) -> tuple[Assignment, Assignment]:
    """One after nothing was tried."""
    empty, tried = served.accept(), served.accept()
    async with served.page(http, empty), served.page(http, tried) as page:
        await served.ask(page)
        for mine in (empty, tried):
            served.post_form(mine, "nothing that a page would send")
        await until(lambda: {empty.worker_id, tried.worker_id} <= served.counted(), "both are handed in")
    return empty, tried


def test_whatever_form_the_crowd_has_what_was_done_on_its_page_is_handed_in(signing: Served) -> None:
    empty, tried = under_attack(signing, forms_of_their_own_are_posted_while_the_pages_are_open, paid=1, all_paid=False)
    held = {each.assignment.worker: each.reason for each in signing.held_back()}
    assert held[empty.worker_id] == EMPTY
    assert tried.worker_id not in held
    wait_until(lambda: tried.worker_id in signing.rewarded(), "who has tried is paid")
    assert signing.status(empty) == "Submitted"


async def two_tabs_race_to_hand_in(served: Served, http: httpx.AsyncClient) -> str:
    """Returns the worker."""
    mine = served.accept()
    async with served.page(http, mine) as page, served.page(http, mine) as tab:
        await asyncio.gather(served.ask(page), served.ask(tab, 1), return_exceptions=True)
        await asyncio.gather(*(each.submit(FINAL_DATA) for each in (page, tab) * 3))
        await asyncio.gather(*(asyncio.to_thread(served.post_form, mine) for _ in range(3)), return_exceptions=True)
    await until(lambda: mine.worker_id in served.rewarded(), "it is paid")
    return mine.worker_id


def test_whoever_hands_in_from_two_tabs_at_once_is_paid_once(served: Served) -> None:
    worker = under_attack(served, two_tabs_race_to_hand_in, paid=1)
    assert [each.worker for each in served.assignments()].count(worker) == 1
    assert len([each for each in Ledger(served.store.database, NAME).payments() if each.key.worker == worker]) == 1


async def a_worker_swaps_the_assignments_of_two_hits(served: Served, http: httpx.AsyncClient) -> Assignment:
    worker = served.new_worker()
    one, other = (served.accept(hit_id, worker) for hit_id in served.open_hits()[-2:])
    for mine, hit_id in ((one, other.hit_id), (other, one.hit_id)):
        swapped = replace(mine, hit_id=hit_id)
        if served.signs:
            assert await served.refusal(http, swapped) == said(NOT_SIGNED)
        else:
            await served.hand_in(http, swapped)
    for mine in (one, other):
        served.post_form(mine)
    return one


def test_the_assignments_of_two_hits_cannot_be_swapped(served: Served) -> None:
    mine = under_attack(served, a_worker_swaps_the_assignments_of_two_hits)
    wait_until(lambda: not served.waiting(), "nothing waits for the crowd any more")
    wait_until(lambda: mine.worker_id in served.set_aside(), "it is set aside")
    assert served.set_aside().get(mine.worker_id) == (WITHOUT_PAGE if served.signs else ANOTHER_HITS)


async def a_page_hands_in_for_another_agent(served: Served, http: httpx.AsyncClient) -> None:
    mine, other = served.accept(), served.accept()
    async with served.page(http, mine) as page, served.page(http, other) as target:
        await served.ask(target)
        page._agent_id = target._agent_id
        with pytest.raises(Refused, match="not this page's"):
            await page.submit(FINAL_DATA)
        with pytest.raises(asyncio.TimeoutError):  # the socket is closed on whoever shows another's secret
            await asyncio.wait_for(page.call("retract", {"attempt_id": "1"}), 1)
    for each in (mine, other):
        served.give_back(each)


def test_a_page_cannot_hand_in_for_another_agent(signing: Served) -> None:
    under_attack(signing, a_page_hands_in_for_another_agent)


async def a_returned_hits_address_is_used_after_somebody_else_has_accepted(
    served: Served, http: httpx.AsyncClient
) -> str:
    """Returns what whoever had returned it is told."""
    first = served.accept()
    address = signed(replace(first, deadline=first.deadline - timedelta(seconds=2)))  # a moment before
    served.give_back(first)
    second = served.accept(first.hit_id)
    async with served.page(http, second) as page:
        refusal = await served.refusal(http, first, **address)
        await served.ask(page)  # it is not disturbed
    served.give_back(second)
    return refusal


def test_the_address_of_a_returned_hit_opens_nothing_once_somebody_else_has_it(signing: Served) -> None:
    assert under_attack(signing, a_returned_hits_address_is_used_after_somebody_else_has_accepted) == said(OVER)


async def a_returned_page_goes_on(served: Served, http: httpx.AsyncClient) -> None:
    """It was open when somebody else accepted and opened the HIT."""
    first = served.accept()
    async with served.page(http, first) as returned:
        await served.ask(returned)
        served.give_back(first)
        second = served.accept(first.hit_id)
        async with served.page(http, second) as page, served.page(http, first) as reloaded:
            for each in (returned, reloaded):
                with pytest.raises(CallFailed, match="closed"):
                    await each.call("state", {})
                with pytest.raises(Refused, match="given up"):
                    await each.submit(FINAL_DATA)
            await served.ask(page)
    served.give_back(second)


def test_a_page_whose_hit_was_returned_is_closed(signing: Served) -> None:
    under_attack(signing, a_returned_page_goes_on)


async def deadlines_and_signatures_are_tampered_with(served: Served, http: httpx.AsyncClient) -> None:
    mine = served.accept()
    deadline, signature = SIGNED
    address = served.address(mine)
    later = {**address, deadline: str(int(address[deadline]) + 3600)}
    forged = {**address, signature: "0" * 64}
    bare = dict.fromkeys(SIGNED, "")
    for changes in (later, forged, bare, {**address, signature: "." * 1000}):
        assert await served.refusal(http, mine, **changes) == said(NOT_SIGNED)
    stale = signed(replace(mine, deadline=mine.accepted_at - timedelta(seconds=1)))
    assert await served.refusal(http, mine, **stale) == said(OVER)
    async with served.page(http, mine):
        for changes in (later, forged, bare):  # the session is there, and is for whoever has the signature
            assert await served.refusal(http, mine, **changes) == said(NOT_SIGNED)
        async with served.page(http, mine) as reloaded:
            assert (await reloaded.call("state", {}))["ok"]
    served.give_back(mine)


def test_tampered_and_stale_addresses_open_no_page_and_no_live_session(signing: Served) -> None:
    under_attack(signing, deadlines_and_signatures_are_tampered_with)


async def pages_register_while_the_operator_starts_again(served: Served, http: httpx.AsyncClient) -> None:
    mine = served.accept()
    async with served.page(http, mine) as page:
        await served.ask(page)
        forging = [served.refusal(http, invented(mine.hit_id)) for _ in range(4)]
        forging += [served.refusal(http, as_another(mine, served.new_worker()))]
        restart = asyncio.to_thread(served.operator.kill_and_start)
        *refusals, _ = await asyncio.gather(*forging, restart)
        assert set(refusals) <= {said(NOT_SIGNED), said(HELD)}
        assert (await page.insist("state", {}))["hit"]["attempts"]
    served.give_back(mine)


def test_nobody_slips_in_while_the_operator_starts_again(not_signing: Served) -> None:
    under_attack(not_signing, pages_register_while_the_operator_starts_again)


async def the_marketplace_is_away_when_work_is_handed_in(served: Served, http: httpx.AsyncClient) -> str:
    """Of a writer who posts the form later, and one who never does. Returns the second."""
    mine, other = served.accept(), served.accept()
    served.market.kill()
    await asyncio.gather(*(served.hand_in(http, each) for each in (mine, other)))
    assert not {mine.worker_id, other.worker_id} & served.counted()
    served.market.start_again()
    served.post_form(mine)
    served.give_back(other)
    await until(lambda: mine.worker_id in served.rewarded(), "the work has its reward")
    await until(lambda: other.worker_id in served.set_aside(), "what never came is set aside")
    return other.worker_id


def test_what_is_handed_in_while_the_marketplace_is_away_counts_once_it_is_confirmed(signing: Served) -> None:
    worker = under_attack(signing, the_marketplace_is_away_when_work_is_handed_in, paid=1)
    assert signing.set_aside()[worker] == NEVER_ARRIVED


async def every_open_hit_but_one_is_handed_in_empty(served: Served, http: httpx.AsyncClient) -> list[Assignment]:
    """In a second, by as many workers."""

    async def hand_in_nothing(hit_id: str) -> Assignment:
        mine = served.accept(hit_id)
        async with served.page(http, mine) as page:
            await page.submit(FINAL_DATA)
        served.post_form(mine)
        return mine

    return await asyncio.gather(*(hand_in_nothing(hit_id) for hit_id in served.open_hits()[1:]))


def test_empty_hits_are_not_paid_before_a_person_decides_and_their_passages_are_offered_again(signing: Served) -> None:
    empty = under_attack(signing, every_open_hit_but_one_is_handed_in_empty, all_paid=False)
    assert len(empty) >= 10
    wait_until(lambda: not signing.waiting(), "the crowd has confirmed them")
    held = {each.assignment.worker: each for each in signing.held_back()}
    assert {(held[each.worker_id].reason, held[each.worker_id].decision) for each in empty} == {(EMPTY, None)}
    assert {signing.status(each) for each in empty} == {"Submitted"}
    handed_in = {each.worker: each.hit for each in signing.store.assignments.confirmed(NAME, Stage.WRITING)}
    passages = {signing.store.campaigns.hit(handed_in[each.worker_id]).context.id for each in empty}

    def written_again() -> bool:
        """Other HITs were left open, too."""
        honest = asyncio.run(signing.serve(signing.honest()))
        rows = signing.store.attempts.of_campaign(NAME)
        return not passages.isdisjoint(row.hit.context.id for row in rows if row.assignment.worker == honest)

    wait_until(written_again, "a passage is written on after all")
