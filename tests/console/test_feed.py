"""The feed of verdicts, page by page and by its filters, and the HIT of each."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

import pytest

from beat_the_ai.cli.review.command import desk_of
from beat_the_ai.console import Watched
from beat_the_ai.console.feed import Filters, feed
from beat_the_ai.kinds.nli.labels import LABELS
from beat_the_ai.review import Reviewer as Person
from beat_the_ai.rules.protocol import Context
from beat_the_ai.rules.roles import Role
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import Assignment, Store
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.validation import AdjudicatedWorks
from beat_the_ai.workforce import Workforce
from tests.cli.test_payments import PAY, ROUND
from tests.console.conftest import Visitor
from tests.review.builders import GOOD, HOSTILE, SCRIPT, doubt
from tests.review.conftest import Reviewer
from tests.store.builders import NEW_YEAR, attempt, campaign

ANN = Person("ann", Role.LEAD)


def vote(store: Store, attempt_id: str, validator: str, answer: dict[str, Any] | None) -> None:
    """A validator answers a question, or says that it has no answer."""
    campaign = BoundCampaign.open(store, "pilot")
    store.works.ask("pilot", 1, None)
    AdjudicatedWorks(campaign).adjudicate()
    row = store.verdict_feed.attempt("pilot", attempt_id)
    assert row is not None
    name = store.validations.next_id("pilot", validator)
    made = Assignment(name, "pilot", Stage.VALIDATION, f"v-{validator}", validator, f"3-{validator}", NEW_YEAR)
    assert store.validations.accept(made, [(row.hit.context.id, attempt_id, None)], NEW_YEAR) is not None
    _, [item], _ = store.validations.session(made.id)
    store.validations.vote(made.id, item.id, "key", {"answer": answer}, NEW_YEAR)
    store.assignments.submit(made.id, None, NEW_YEAR)


def page(browser: Reviewer, **asked: str) -> dict[str, Any]:
    told = browser.get(f"/api/feed?{urlencode({'campaign': 'pilot', **asked})}")
    assert isinstance(told, dict)
    return told


def everything(browser: Reviewer, **asked: str) -> list[dict[str, Any]]:
    found, before = [], ""
    while True:
        told = page(browser, **asked, before=before)
        found += told["verdicts"]
        if told["before"] is None:
            return found
        before = told["before"]


def test_all_verdicts_come_once_and_the_newest_first(visitor: Visitor, store: Store) -> None:
    ann = visitor("ann")
    verdicts = everything(ann)
    assert {one["attempt"] for one in verdicts} == {row.attempt.id for row in store.attempts.of_campaign("pilot")}
    assert len(verdicts) == 42
    places = [(one["at"], one["attempt"]) for one in verdicts]
    assert places == sorted(places, reverse=True)


def test_filters_are_about_the_verdicts_alone(visitor: Visitor, store: Store) -> None:
    ann = visitor("ann")
    doubted = doubt(store)
    everybody = everything(ann)
    assert everything(ann, outcome="beaten") == [one for one in everybody if one["fooled"]]
    assert everything(ann, outcome="right") == [one for one in everybody if not one["fooled"]]
    assert everything(ann, model="no such") == []
    assert everything(ann, model="bidaf-small") == everybody
    assert [one["attempt"] for one in everything(ann, only="held")] == [doubted]
    assert everything(ann, only="divided") == []
    for wrong in ({"outcome": "x"}, {"only": "x"}, {"before": "x"}, {"before": "2026-01-01 x"}, {"before": "\0"}):
        ann.get(f"/api/feed?{urlencode({'campaign': 'pilot', **wrong})}", 400)


def test_a_verdict_says_how_many_have_voted(visitor: Visitor, store: Store) -> None:
    ann = visitor("ann")
    [name] = [one["attempt"] for one in everything(ann, outcome="beaten") if one["worker"] == HOSTILE]
    vote(store, name, "A8", {"text": "Tam Orrin", "start": 1})
    [row] = [one for one in everything(ann) if one["attempt"] == name]
    assert (row["votes"], row["divided"], row["counts"], row["text"]) == (1, False, True, SCRIPT)
    vote(store, name, "A9", None)
    [row] = everything(ann, only="divided")
    assert (row["attempt"], row["votes"], row["divided"]) == (name, 2, True)


def test_an_attempt_opens_with_its_whole_hit(visitor: Visitor, store: Store) -> None:
    ann, bob = visitor("ann"), visitor("bob")
    [row] = [one for one in everything(ann, outcome="beaten") if one["worker"] == HOSTILE]
    ann.get("/review/pilot/api/overview")  # draws the sample
    told = ann.get(f"/api/attempt?campaign=pilot&id={row['attempt']}")
    assert [one["fooled"] for one in told["attempts"]] == [False, True]
    assert (told["shown"], told["worker"], told["state"], told["sampled"]) == (row["attempt"], HOSTILE, "counts", True)
    assert told["context"]["text"]
    assert "secret" not in str(told)
    judgement = {"assignment": told["assignment"], "verdict": "reject", "reason": "copied"}
    ann.post("/review/pilot/api/judgements", judgement)
    mine = ann.get(f"/api/attempt?campaign=pilot&id={row['attempt']}")["verdicts"]["mine"]
    assert (mine["verdict"], mine["reason"]) == ("reject", "copied")
    blind = bob.get(f"/api/attempt?campaign=pilot&id={row['attempt']}")["verdicts"]
    assert blind == {"mine": None, "others": [], "judged_by_others": True}


@pytest.mark.parametrize("moment", ["", "x", "2020-01-01T00:00:00", "0001-01-01T00:00:00+23:59", "\0"])
def test_a_place_that_nobody_was_given_is_refused(visitor: Visitor, moment: str) -> None:
    told = visitor("ann").http.get("/api/feed", params={"campaign": "pilot", "before": f"{moment} x"})
    assert (told.status_code, told.json()["error"]["field"]) == (400, "before")


@pytest.mark.parametrize("name", ["", "x", "\0", SCRIPT])
def test_an_unknown_attempt_is_told(visitor: Visitor, name: str) -> None:
    told = visitor("ann").http.get("/api/attempt", params={"campaign": "pilot", "id": name})
    assert told.status_code == 404


def test_an_attempt_of_a_sample_hit_is_none_of_the_campaign(visitor: Visitor, store: Store) -> None:
    [name, *_] = [row.attempt.id for row in store.attempts.of_campaign("pilot-screening")]
    visitor("ann").get(f"/api/attempt?campaign=pilot&id={name}", 404)
    assert GOOD in {one["worker"] for one in everything(visitor("ann"))}


def asking(**filters: str) -> Filters:
    return Filters.read(**{**dict.fromkeys(("model", "outcome", "label", "category", "only"), ""), **filters})


def test_a_kind_with_labels_and_categories_is_asked_by_both(store: Store) -> None:
    store.campaigns.create(replace(campaign("labels"), task="nli"), {"round": ROUND, "pay": PAY})
    rain = Context("p1", "It rains in Fenmouth.", "Rain", {"genre": "news"})
    sea = Context("p2", "Fenmouth lies at the sea.", "Sea", {"genre": "travel"})
    hits = [
        *store.campaigns.offer("labels", [rain], round_number=1, slots=2),
        *store.campaigns.offer("labels", [sea], round_number=1, slots=1),
    ]
    for number, (hit, target) in enumerate(zip(hits, LABELS, strict=True)):
        taken = store.attempts.accept(hit, f"w{number}", f"r{number}", NEW_YEAR)[0]
        work = {"hypothesis": f"It is {target}.", "target": target}
        store.attempts.add(attempt(taken.id, 1, work=work))
    bound = BoundCampaign.open(store, "labels")
    watched = Watched("", desk_of(bound, Workforce(bound)))
    for target in LABELS:
        told = feed(watched, asking(label=target), "", ANN)
        assert (told.labels, told.categories) == (LABELS, ("news", "travel"))
        assert [(one.label, one.text) for one in told.verdicts] == [(target, f"It is {target}.")]
    assert len(feed(watched, asking(), "", ANN).verdicts) == 3
    assert [one.category for one in feed(watched, asking(category="travel"), "", ANN).verdicts] == ["travel"]
    assert not feed(watched, asking(category="travel", label=LABELS[0]), "", ANN).verdicts
