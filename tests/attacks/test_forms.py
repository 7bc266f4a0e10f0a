"""Attacks on forms: what is handed in without consent counts nothing; what comes after a HIT is its worker's alone."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from typing import Any

import httpx
import pytest

from beat_the_ai.errors import Refused
from beat_the_ai.marketplace.assignments import Assignment
from beat_the_ai.rules.stage import Stage
from beat_the_ai.simulation.page import CallFailed, PageClient
from beat_the_ai.store import WITHOUT_FORMS
from tests.attacks.served import FINAL_DATA, Market, Served, marketplace, serving, under_attack
from tests.cli.launching import NAME
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


SURVEY = """
kind: survey
title: How was it?
questions:
  - {id: more, type: text, text: Anything else}
"""


@pytest.fixture(scope="module")
def following(market: Market, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("following")
    (folder / "survey.yaml").write_text(SURVEY, encoding="utf-8")
    options = ("round.max_hits=12", f"forms.after=[{folder / 'survey.yaml'}]")
    with serving(Stage.WRITING, folder / "out", market, *options, signs=True) as served:
        yield served


def answered(served: Served) -> dict[str, dict[str, object]]:
    return {one.worker: dict(one.answers) for one in served.store.forms.all_answers(NAME)}


def form_of(served: Served) -> str:
    [digest] = served.store.forms.contents(NAME)
    return digest


async def refused(page: PageClient, target: str, arguments: Mapping[str, Any]) -> str:
    with pytest.raises(CallFailed) as caught:
        await asyncio.wait_for(page._call(target, arguments), 20)
    return str(caught.value)


async def submit_alone(page: PageClient) -> None:
    """Submit as a page does whose worker answers nothing after it."""
    body = {"USED_AGENT_ID": page._agent_id, "agent_secret": page._secret, "final_data": FINAL_DATA}
    await page._post("submit_task", body)


async def answers_come_too_early_twice_too_long_and_for_somebody_else(
    served: Served, http: httpx.AsyncClient
) -> tuple[Assignment, Assignment]:
    mine, theirs = served.accept(), served.accept()
    form = {"form": form_of(served)}
    async with served.page(http, mine) as page, served.page(http, theirs) as other:
        early = {**form, "answers": {"more": "early"}}
        assert "not submitted yet" in await refused(page, "answer_after", early)
        assert "cannot be called" in await refused(page, "answer_form", {**early, "declined": False})
        await submit_alone(page)
        assert [one["id"] for one in (await page._call("forms_after", {}))["forms"]] == [form["form"]]
        assert "too long" in await refused(page, "answer_after", {**form, "answers": {"more": "x" * 1_000_000}})
        assert "at most" in await refused(page, "answer_after", {**form, "answers": {"more": "x" * 50_000}})
        assert "no question" in await refused(page, "answer_after", {**form, "answers": {"else": "x"}})
        assert "closed" in await refused(page, "state", {})
        given = {**form, "answers": {"more": "mine"}, "worker": theirs.worker_id, "worker_id": theirs.worker_id}
        for answers in ({"more": "mine"}, {"more": "again"}):
            assert (await page._call("answer_after", {**given, "answers": answers}))["forms"] == []
        page._agent_id, own = other._agent_id, page._agent_id
        body = {"USED_AGENT_ID": page._agent_id, "agent_secret": page._secret, "final_data": {}}
        with pytest.raises(Refused, match="is not this page's"):
            await page._post("submit_task", body)
        page._agent_id = own
    return mine, theirs


def test_answers_after_a_hit_are_its_workers_own_and_stand(following: Served) -> None:
    mine, theirs = under_attack(following, answers_come_too_early_twice_too_long_and_for_somebody_else, all_paid=False)
    kept = answered(following)
    assert kept[mine.worker_id] == {"more": "mine"}
    assert theirs.worker_id not in kept
    assert {"more": "Nothing to add."} in kept.values()  # the honest worker's


async def two_submit_and_leave(served: Served, http: httpx.AsyncClient) -> list[Assignment]:
    left = []
    for posts in (True, False):
        mine = served.accept()
        async with served.page(http, mine) as page:
            await served.work(page, mine.worker_id)
            await submit_alone(page)
        if posts:
            served.post_form(mine)
        left.append(mine)
    return left


def test_nobody_has_to_answer_to_be_paid(following: Served) -> None:
    paid, unposted = under_attack(following, two_submit_and_leave, paid=1, all_paid=False)
    wait_until(lambda: paid.worker_id in following.rewarded(), "the reward is released")
    assert not {paid.worker_id, unposted.worker_id} & answered(following).keys()


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
