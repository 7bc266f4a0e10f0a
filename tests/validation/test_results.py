"""Statuses, discards, human performance and the record of validators, on real stores."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beat_the_ai.kinds.reading_comprehension.answerability import Answerability
from beat_the_ai.rules.adjudication import Adjudication, Outcome, Vote
from beat_the_ai.store import Store
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.validation import ValidationDesk, counting_rules, results, validators, vote_figures
from beat_the_ai.workforce import Workforce
from tests.reading_comprehension import RULINGS
from tests.validation.recount import adjudicated, discarded_writers
from tests.validation.written import YESTERDAY, answer_all, items, new_campaign, new_desk, passages, span, write


def validated(name: str, status: str, *labels: str | None, writer: str = "w", author: str = "the mill") -> Outcome:
    votes = tuple(Vote(f"v{place}", "a", label, {}, YESTERDAY, label == author) for place, label in enumerate(labels))
    is_kept = status == "answerable"
    adjudication = Adjudication(status, author if is_kept else None, 0, status != "open", is_kept)
    return Outcome(name, "c", writer, {"answer": {"text": author}}, 1, adjudication, votes)


def test_statuses_come_from_the_stored_votes(store: Store) -> None:
    campaign = new_campaign(store)
    good, bad, open_one = write(store, answers=("1807", "Oxbow", "Dray"))
    desk = new_desk(store, campaign, works_per_hit=3)
    for worker in ("v1", "v2"):
        answer_all(desk, worker, {good: "Oxbow", bad: "Dray", open_one: "1807"})
    assignment = desk.accept("h3", "v3", "r")
    for item in items(desk, assignment.id):
        if item.attempt_id != open_one:
            desk.vote(assignment.id, item.id, "k", {"answer": span("1807")})
    desk.finish(assignment.id)
    found = results(adjudicated(store, campaign.id, RULINGS), RULINGS)
    assert {
        name: (each.adjudication.status, each.adjudication.label, len(each.votes)) for name, each in found.items()
    } == {
        good: ("answerable", "1807", 3),
        bad: ("unanswerable", None, 3),
        open_one: ("open", None, 2),
    }
    assert {vote.worker for vote in found[good].votes} == {"v1", "v2", "v3"}
    Workforce(BoundCampaign.open(store, campaign.id)).revoke("v3", "ann", "copied")
    without = results(adjudicated(store, campaign.id, RULINGS), RULINGS, without=frozenset({"v3"}))
    assert without[good].adjudication.status == "open"
    assert results(adjudicated(store, campaign.id, RULINGS), RULINGS, without=frozenset({"writer-secret"})) == {}


def test_writers_with_less_than_half_answerable_lose_everything_and_open_questions_do_not_count() -> None:
    every = [
        validated("a", "answerable", writer="half"),
        validated("b", "unanswerable", writer="half"),
        validated("c", "answerable", writer="below"),
        validated("d", "unanswerable", writer="below"),
        validated("e", "unanswerable", writer="below"),
        validated("f", "unanswerable", writer="open"),
        validated("g", "open", writer="open"),
        validated("h", "open", writer="nobody knows"),
    ]
    assert discarded_writers(every, RULINGS) == {"below", "open"}


@given(st.lists(st.tuples(st.sampled_from("wxyz"), st.sampled_from(["answerable", "unanswerable", "open"]))))
def test_whoever_is_not_discarded_has_half_of_what_is_settled_answerable(drawn: list[tuple[str, str]]) -> None:
    every = [validated(str(place), status, writer=writer) for place, (writer, status) in enumerate(drawn)]
    gone = discarded_writers(every, RULINGS)
    for writer in {each.writer for each in every}:
        settled = [each.adjudication.kept for each in every if each.writer == writer and each.adjudication.settled]
        assert (writer in gone) == (sum(settled) * 2 < len(settled))


def test_validators_are_measured_on_gold(store: Store) -> None:
    campaign = new_campaign(store)
    write(store)
    desk = new_desk(store, campaign, works_per_hit=1, gold_per_hit=2)
    for worker, right in (("good", True), ("bad", False)):
        assignment = desk.accept(f"h {worker}", worker, "r")
        for item in items(desk, assignment.id):
            known = item.gold["answer"] if item.gold and right else None
            desk.vote(assignment.id, item.id, "k", {"answer": known})
        desk.finish(assignment.id)
    bad, good = validators(store.validations.snapshot(campaign.id).placed, RULINGS)
    assert (bad.worker, bad.gold, bad.gold_right, bad.votes, bad.cannot_be_answered) == ("bad", 2, 0, 1, 1)
    assert (good.gold, good.gold_right) == (2, 2)
    assert good.gold_interval[0] == pytest.approx(0.342, abs=1e-3)
    assert good.gold_interval[1] == 1.0


def test_the_summary_reports_what_an_adaptive_stop_saved(store: Store) -> None:
    campaign = new_campaign(store)
    [easy, hard] = write(store, answers=("1807", "Oxbow"))
    desk = new_desk(store, campaign, works_per_hit=2, adaptive=True)
    for worker in ("v1", "v2", "v3"):
        asked = answer_all(desk, worker, {easy: "1807", hard: "Dray"})
        assert asked == ([easy, hard] if worker == "v1" else [hard]) or set(asked) == {easy, hard}
    assert desk.complete()
    assert not desk.has_work("v4")
    snapshot = adjudicated(store, campaign.id, RULINGS)
    found = results(snapshot, RULINGS).values()
    assert sorted(each.adjudication.status for each in found) == ["answerable", "unanswerable"]
    figures = vote_figures(found, validators(snapshot.placed, RULINGS), RULINGS, adaptive=True)
    assert (figures.votes, figures.votes_saved) == (4, 2)
    assert vote_figures(found, validators(snapshot.placed, RULINGS), RULINGS).votes_saved == 0
    assert discarded_writers(found, RULINGS) == set()


def test_a_campaign_that_nobody_has_validated_yet_has_a_summary(store: Store) -> None:
    campaign = new_campaign(store)
    figures = vote_figures([], validators(store.validations.snapshot(campaign.id).placed, RULINGS), RULINGS)
    assert (figures.votes, figures.validators, [figure.value for figure in figures.agreement]) == (0, 0, [None, None])
    write(store)
    [only] = results(adjudicated(store, campaign.id, RULINGS), RULINGS).values()
    assert only.adjudication.status == "open"


STRICT = Answerability(min_gold_accuracy=0.5)


def guess(desk: ValidationDesk, worker: str, *, right: bool, answers: Mapping[str, str]) -> None:
    """A HIT in which all gold is answered right, or all of it wrong."""
    assignment = desk.accept(f"hit of {worker}", worker, "r")
    for item in items(desk, assignment.id):
        known = item.gold["answer"] if item.gold else span(answers[item.attempt_id or ""])
        desk.vote(assignment.id, item.id, "k", {"answer": known if right or not item.gold else None})
    desk.finish(assignment.id)


@pytest.mark.parametrize(("gold", "counts"), [(3, True), (4, False)])
def test_votes_of_whoever_fails_on_gold_are_kept_and_do_not_count(store: Store, gold: int, counts: bool) -> None:
    """0 of 3 leaves a share of 56% possible, 0 of 4 one of 49%."""
    campaign = new_campaign(store, passages(3, gold=4))
    [question] = write(store, answers=["Oxbow"])
    desk = new_desk(store, campaign, STRICT, works_per_hit=1, gold_per_hit=gold)
    for worker in ("v1", "v2"):
        guess(desk, worker, right=True, answers={question: "Dray"})
    guess(desk, "bad", right=False, answers={question: "Oxbow"})
    found = results(adjudicated(store, campaign.id, {1: STRICT}), {1: STRICT})[question]
    assert found.adjudication.status == ("answerable" if counts else "open")
    assert [vote.worker for vote in found.cast if not vote.counts] == ([] if counts else ["bad"])
    assert len(found.cast) == 3
    assert [
        (one.worker, one.counts) for one in validators(store.validations.snapshot(campaign.id).placed, {1: STRICT})
    ] == [
        ("bad", counts),
        ("v1", True),
        ("v2", True),
    ]
    assert (
        results(adjudicated(store, campaign.id, {1: Answerability()}), {1: Answerability()})[
            question
        ].adjudication.status
        == "answerable"
    )


def skip_gold(desk: ValidationDesk, worker: str) -> None:
    """A HIT in which everything but the gold is answered."""
    assignment = desk.accept(f"hit of {worker}", worker, "r")
    for item in items(desk, assignment.id):
        if item.gold is None:
            desk.vote(assignment.id, item.id, "k", {"answer": None})
    desk.finish(assignment.id)


@pytest.mark.parametrize(("gold", "counts"), [(3, True), (4, False)])
def test_gold_that_is_left_out_is_wrong(store: Store, gold: int, counts: bool) -> None:
    """Whoever knows it by sight answers nothing but works."""
    campaign = new_campaign(store, passages(3, gold=4))
    [question] = write(store, answers=["Oxbow"])
    desk = new_desk(store, campaign, STRICT, works_per_hit=1, gold_per_hit=gold)
    skip_gold(desk, "bad")
    snapshot = adjudicated(store, campaign.id, {1: STRICT})
    [record] = validators(snapshot.placed, {1: STRICT})
    assert (record.gold, record.gold_right, record.counts) == (gold, 0, counts)
    assert [vote.counts for vote in results(snapshot, {1: STRICT})[question].cast] == [counts]
    store.works.adjudicate(campaign.id, 1, counting_rules(STRICT, campaign.seed, adaptive=False))
    assert ("bad" in store.works.uncounted_validators(campaign.id, 1)) != counts


def test_whoever_hands_in_nothing_has_no_gold_wrong(store: Store) -> None:
    campaign = new_campaign(store, passages(3, gold=4))
    write(store, answers=["Oxbow"])
    desk = new_desk(store, campaign, STRICT, works_per_hit=1, gold_per_hit=4)
    desk.finish(desk.accept("hit", "idle", "r").id)
    assert validators(store.validations.snapshot(campaign.id).placed, {1: STRICT}) == []
    assert desk.may_get_work("idle")


def test_a_question_whose_vote_does_not_count_goes_to_somebody_else(store: Store) -> None:
    campaign = new_campaign(store, passages(3, gold=4))
    first, second = write(store, answers=["Oxbow", "Dray"])
    desk = new_desk(store, campaign, STRICT, works_per_hit=1, gold_per_hit=4)
    answers = {first: "1807", second: "1807"}
    for worker in ("v1", "v2", "v3"):
        guess(desk, worker, right=True, answers=answers)
    guess(desk, "bad", right=False, answers=answers)
    assert not desk.has_work("bad")
    assert not desk.may_get_work("bad")
    assert sum(need.votes + need.wanted for need in desk.needs()) == 6
    found = results(adjudicated(store, campaign.id, {1: STRICT}), {1: STRICT}).values()
    assert not any("bad" in {vote.worker for vote in each.votes} for each in found)
    for worker in ("v4", "v5", "v6"):
        guess(desk, worker, right=True, answers=answers)
    assert desk.complete()
