"""What a validator gets, what counts, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.kinds.reading_comprehension.answerability import Answerability
from beat_the_ai.rules.protocol import Context
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import Store, now, open_store
from beat_the_ai.store.works import Works
from beat_the_ai.terms.validation import ValidationTerms
from beat_the_ai.validation import ValidationDesk, page_material, page_validation, results
from tests.reading_comprehension import RULINGS
from tests.validation.recount import adjudicated
from tests.validation.written import (
    ANSWERS,
    MODEL_ANSWER,
    TEXT,
    YESTERDAY,
    answer_all,
    items,
    new_campaign,
    new_desk,
    span,
    write,
)


def asked(desk: ValidationDesk, worker: str, hit: str = "h", registration: str = "r") -> list[str | None]:
    return [item.attempt_id for item in items(desk, desk.accept(hit, worker, registration).id)]


def test_only_what_beat_the_model_was_kept_and_submitted_needs_validation(store: Store) -> None:
    campaign = new_campaign(store)
    [wanted] = write(store, writer="w1")
    write(store, writer="w2", slot=1, fooled=False)
    write(store, writer="w3", slot=2, retracted_at=YESTERDAY)
    write(store, writer="w4", slot=3, submitted=False)
    assert asked(new_desk(store, campaign), "v") == [wanted]


def test_the_writer_never_gets_their_own_and_nobody_gets_one_twice(store: Store) -> None:
    campaign = new_campaign(store)
    [first] = write(store, writer="ann")
    [second] = write(store, "mill/1", writer="ben")
    desk = new_desk(store, campaign)
    assert asked(desk, "ann") == [second]
    assert asked(desk, "ben", "h2") == [first]
    assert set(asked(desk, "cleo", "h3")) == {first, second}
    for worker in ("ann", "ben", "cleo"):
        assert not desk.has_work(worker)
        with pytest.raises(Refused, match="nothing for you"):
            desk.accept(f"again {worker}", worker, "r")


def test_each_question_gets_three_validators_and_no_more(store: Store) -> None:
    campaign = new_campaign(store)
    write(store)
    desk = new_desk(store, campaign)
    for worker in ("v1", "v2", "v3"):
        assert not desk.complete()
        answer_all(desk, worker, {})
    assert desk.complete()
    assert not desk.has_work("v4")


@pytest.mark.parametrize(
    "look",
    [
        lambda desk: not desk.complete(),
        lambda desk: desk.hits_wanted() == 1,
        lambda desk: desk.has_work("v2"),
        lambda desk: desk.may_get_work("v2"),
        lambda desk: bool(desk.accept("h2", "v2", "r2")),
        lambda desk: [need.wanted for need in desk.needs()] == [2],
    ],
)
def test_votes_that_begin_to_count_meanwhile_make_nothing_look_done(
    store: Store, monkeypatch: pytest.MonkeyPatch, look: Callable[[ValidationDesk], bool]
) -> None:
    campaign = new_campaign(store)
    write(store)
    desk = new_desk(store, campaign, desk={"awaits_crowd": True})
    handed_in = desk.accept("h1", "v1", "r")
    [item] = items(desk, handed_in.id)
    desk.vote(handed_in.id, item.id, "k", {"answer": None})
    desk.finish(handed_in.id)
    held = Works.held

    def held_after_the_confirmation(*place: Any, **more: Any) -> dict[str, set[str]]:
        desk.confirm(handed_in.id)
        return held(*place, **more)

    monkeypatch.setattr(Works, "held", held_after_the_confirmation)
    assert look(desk)


def test_the_least_validated_come_first(store: Store) -> None:
    campaign = new_campaign(store)
    made = write(store, answers=ANSWERS[:4])
    desk = new_desk(store, campaign, works_per_hit=2)
    first = asked(desk, "v1")
    assert set(first) | set(asked(desk, "v2", "h2")) == set(made)


def test_questions_on_a_passage_come_together_unless_told_otherwise(store: Store) -> None:
    campaign = new_campaign(store)
    on = {
        name: context
        for context in ("mill/0", "mill/1", "mill/2")
        for name in write(store, context, answers=ANSWERS[:3])
    }
    together = [on[name or ""] for name in asked(new_desk(store, campaign, works_per_hit=3), "v1")]
    assert len(set(together)) == 1
    mixed = new_desk(store, replace(campaign, seed=8), works_per_hit=7, same_context=False)
    drawn = [on[name or ""] for name in asked(mixed, "v2", "h2")]
    assert len(set(drawn)) > 1
    assert len(list(dict.fromkeys(drawn))) == sum(a != b for a, b in pairwise(drawn)) + 1


def test_gold_is_mixed_in_never_twice_and_the_same_in_every_run(store: Store, tmp_path: Path) -> None:
    def hits(opened: Store) -> list[list[Any]]:
        campaign = new_campaign(opened)
        write(opened, answers=ANSWERS)
        desk = new_desk(opened, campaign, works_per_hit=4, gold_per_hit=2)
        return [
            [(item.attempt_id, item.gold) for item in items(desk, desk.accept(f"h{number}", "v", "r").id)]
            for number in range(2)
        ]

    drawn = hits(store)
    again = open_store(str(tmp_path / "again.db"))
    assert hits(again) == drawn
    again.close()
    gold = [json.dumps(item[1]) for hit in drawn for item in hit if item[1]]
    assert len(gold) == len(set(gold)) == 4
    assert [[bool(item[1]) for item in hit] for hit in drawn] != [[False] * 4 + [True] * 2] * 2


def test_a_gold_question_that_is_in_the_hit_anyway_is_left_out(store: Store) -> None:
    only = {"question": "Question 1 of writer-secret on mill/0?", "answer": span("1807")}
    campaign = new_campaign(store, [Context("mill/0", TEXT, "", {"questions": [only]})])
    write(store)
    desk = new_desk(store, campaign, gold_per_hit=1)
    assert len(asked(desk, "v")) == 1


def test_until_writing_is_over_only_full_hits_are_given(store: Store) -> None:
    campaign = new_campaign(store)
    over = False
    desk = new_desk(store, campaign, works_per_hit=2, desk={"final": lambda: over})
    assert desk.hits_wanted() == 0
    assert desk.may_get_work("v1")
    write(store)
    assert (desk.hits_wanted(), desk.has_work("v1")) == (0, False)
    write(store, "mill/1")
    assert (desk.hits_wanted(), desk.has_work("v1")) == (3, True)
    write(store, "mill/2")
    assert desk.hits_wanted() == 4
    over = True
    assert desk.hits_wanted() == 5
    assert not desk.complete()
    assert not desk.may_get_work("writer-secret")


def test_no_more_hits_wait_than_allowed(store: Store) -> None:
    campaign = new_campaign(store)
    write(store, answers=ANSWERS)
    assert new_desk(store, campaign, works_per_hit=1, open_hits=5).hits_wanted() == 5


def test_passages_and_discarded_writers_limit_what_is_asked(store: Store) -> None:
    campaign = new_campaign(store)
    write(store, "mill/0")
    [wanted] = write(store, "mill/1", writer="w1")
    write(store, "mill/1", writer="gone", slot=1)
    desk = new_desk(store, campaign, desk={"contexts": lambda: {"mill/1"}, "without": lambda: {"gone"}})
    assert asked(desk, "v") == [wanted]


def test_an_answer_counts_once_handed_in_the_last_one_stands_and_a_repeated_key_changes_nothing(store: Store) -> None:
    campaign = new_campaign(store)
    [question] = write(store)
    desk = new_desk(store, campaign)
    assignment = desk.accept("h", "v", "r")
    [item] = items(desk, assignment.id)
    for key, text in (("a", "1807"), ("b", "Oxbow"), ("a", "1807")):
        desk.vote(assignment.id, item.id, key, {"answer": span(text)})
    desk.vote(assignment.id, item.id, "c", {"answer": None})
    assert results(adjudicated(store, campaign.id, RULINGS), RULINGS)[question].votes == ()
    desk.finish(assignment.id)
    [vote] = results(adjudicated(store, campaign.id, RULINGS), RULINGS)[question].votes
    assert (vote.worker, vote.label) == ("v", None)
    assert page_validation(desk.state(assignment.id))["votes"] == {item.id: {"answer": None}}


@pytest.mark.parametrize(
    "payload",
    [
        {},
        None,
        {"answer": "1807"},
        {"answer": {"text": "1807", "start": 0}},
        {"answer": {"text": "1807", "start": -5}},
        {"answer": {"text": "", "start": 0}},
        {"answer": {"text": "1807", "start": 10**9}},
        {"answer": span("1807"), "status": "answerable"},
    ],
)
def test_an_answer_that_is_none_is_refused_and_nothing_is_kept(store: Store, payload: Any) -> None:
    desk = new_desk(store, new_campaign(store))
    write(store)
    assignment = desk.accept("h", "v", "r")
    [item] = items(desk, assignment.id)
    with pytest.raises(InvalidInput):
        desk.vote(assignment.id, item.id, "k", payload)
    assert desk.state(assignment.id).answered == 0


@pytest.mark.parametrize("key", ["", "x" * 65, "é", "\n"])
def test_an_answer_key_is_checked(store: Store, key: str) -> None:
    desk = new_desk(store, new_campaign(store))
    write(store)
    assignment = desk.accept("h", "v", "r")
    with pytest.raises(InvalidInput, match="printable ASCII"):
        desk.vote(assignment.id, items(desk, assignment.id)[0].id, key, {"answer": None})


def test_nobody_answers_in_the_hit_of_another(store: Store) -> None:
    desk = new_desk(store, new_campaign(store))
    write(store)
    mine, theirs = desk.accept("h1", "v1", "r"), desk.accept("h2", "v2", "r")
    with pytest.raises(InvalidInput, match="no such item"):
        desk.vote(mine.id, items(desk, theirs.id)[0].id, "k", {"answer": None})


def test_all_that_a_validator_gives_back_goes_to_others_answered_or_not(store: Store) -> None:
    campaign = new_campaign(store)
    answered, left = write(store, answers=ANSWERS[:2])
    desk = new_desk(store, campaign, Answerability(votes_wanted=1), works_per_hit=2)
    assignment = desk.accept("h", "v1", "r")
    first = next(item for item in items(desk, assignment.id) if item.attempt_id == answered)
    desk.vote(assignment.id, first.id, "k", {"answer": None})
    assert not desk.has_work("v2")
    desk.release(assignment.id)
    with pytest.raises(Refused, match="given back"):
        desk.vote(assignment.id, first.id, "k2", {"answer": None})
    assert set(asked(desk, "v2", "h2")) == {answered, left}
    assert results(adjudicated(store, campaign.id, RULINGS), RULINGS)[answered].votes == ()


def test_votes_count_when_the_crowd_has_confirmed_them_and_keep_their_questions_until_then(store: Store) -> None:
    campaign = new_campaign(store)
    [question] = write(store)
    desk = new_desk(store, campaign, Answerability(votes_wanted=2), desk={"awaits_crowd": True})
    taken = {}
    for worker in ("honest", "forged"):
        assignment = desk.accept(f"h {worker}", worker, f"r {worker}")
        [item] = items(desk, assignment.id)
        desk.vote(assignment.id, item.id, "k", {"answer": None})
        desk.finish(assignment.id)
        taken[worker] = assignment.id
    assert results(adjudicated(store, campaign.id, RULINGS), RULINGS)[question].votes == ()
    assert not desk.has_work("third")
    assert not desk.complete()
    desk.confirm(taken["honest"])
    desk.set_aside(taken["forged"], "the crowd never received it")
    assert [vote.worker for vote in results(adjudicated(store, campaign.id, RULINGS), RULINGS)[question].votes] == [
        "honest"
    ]
    assert desk.has_work("third")
    assert desk.has_work("forged")  # who that is has given no vote
    assert not desk.has_work("honest")


def test_a_hit_that_somebody_else_takes_is_lost_to_the_first(store: Store) -> None:
    desk = new_desk(store, new_campaign(store), Answerability(votes_wanted=1))
    [question] = write(store)
    desk.accept("h", "v1", "r1")
    assert asked(desk, "v2", "h", "r2") == [question]


def test_a_hit_that_was_never_handed_in_keeps_nothing_from_others_for_ever(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = new_desk(store, new_campaign(store), Answerability(votes_wanted=1), time_limit_seconds=60)
    write(store)
    assignment = desk.accept("h", "v1", "r1")
    assert (desk.has_work("v2"), desk.complete()) == (False, False)
    for minutes, is_offered in ((10, False), (12, True)):  # as long as it may still be handed in, and no longer
        later = now() + timedelta(minutes=minutes)
        monkeypatch.setattr("beat_the_ai.validation.desk.now", lambda later=later: later)
        assert desk.has_work("v2") == is_offered
    with pytest.raises(Refused, match="time for this task is over"):
        desk.vote(assignment.id, items(desk, assignment.id)[0].id, "k", {"answer": None})


def test_a_submitted_hit_cannot_be_changed_and_its_open_questions_are_free(store: Store) -> None:
    desk = new_desk(store, new_campaign(store), Answerability(votes_wanted=1))
    write(store)
    assignment = desk.accept("h", "v1", "r1")
    for _ in range(2):
        desk.finish(assignment.id, "fine \x1b")
    assert desk.state(assignment.id).complete
    with pytest.raises(Refused, match="submitted already"):
        desk.vote(assignment.id, items(desk, assignment.id)[0].id, "k", {"answer": None})
    assert store.assignments.confirmed("pilot", Stage.VALIDATION)[0].feedback == "fine"
    assert desk.has_work("v2")


def test_the_page_gets_passages_and_questions_and_nothing_that_decides(store: Store) -> None:
    campaign = new_campaign(store)
    made = write(store, answers=ANSWERS[:2])
    desk = new_desk(store, campaign, gold_per_hit=1)
    assignment = desk.accept("h", "v", "r")
    sent = page_material(desk, assignment.id)
    assert set(sent) == {"hit", "contexts", "items"}
    assert all(set(item) == {"id", "context_id", "work"} for item in sent["items"])
    assert all(set(item["work"]) == {"question"} for item in sent["items"])
    assert all(set(context) == {"id", "title", "text"} for context in sent["contexts"])
    assert len(sent["items"]) == 3
    text = json.dumps([sent, page_validation(desk.state(assignment.id))])
    for secret in (*made, MODEL_ANSWER, '"writer', "gold", "answer", "start"):
        assert secret not in text


@pytest.mark.parametrize("change", [{"works_per_hit": 0}, {"open_hits": 0}, {"gold_per_hit": -1}])
def test_terms_that_make_no_sense_are_refused(change: dict[str, int]) -> None:
    with pytest.raises(InvalidInput, match=next(iter(change))):
        ValidationTerms(**change)  # type: ignore[arg-type]
