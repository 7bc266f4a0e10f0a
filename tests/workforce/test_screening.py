"""A newcomer's way through the desk: steps, tries, hints, the sample HIT, the end; and what a page never hears."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from beat_the_ai.errors import AdversaryError, InvalidInput, Refused
from beat_the_ai.kinds.reading_comprehension.screening.content import QuizContent
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import Store, now, open_store
from beat_the_ai.store.tables import assignments
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.workforce import Standing, Workforce
from beat_the_ai.workforce.screening import (
    FAILED,
    INCOMPLETE,
    PASSED,
    ScreeningDesk,
    page_config,
    page_response,
    page_screening,
)
from tests.kinds.reading_comprehension.screening.quizzes import GOOD, WELL, content_at, new_screening_desk, small_quiz
from tests.store.builders import at_once
from tests.writing.fakes import FakeModel

BAD_QUESTION = {"question": "Who were the nuns?"}
ELSEWHERE = {"answer": {"text": "donkey", "start": WELL.index("donkey")}}


@pytest.fixture
def quiz(tmp_path: Path) -> QuizContent:
    return small_quiz(tmp_path)


@pytest.fixture
def model() -> FakeModel:
    return FakeModel()


@pytest.fixture
def desk(store: Store, quiz: QuizContent, model: FakeModel) -> ScreeningDesk:
    return new_screening_desk(store, quiz, model)


def begun(desk: ScreeningDesk, worker: str = "w1", registration: str = "r1") -> str:
    return desk.open(worker, registration).assignment_id


def do_steps(desk: ScreeningDesk, assignment: str) -> None:
    for step, payload in GOOD.items():
        response, _ = desk.respond(assignment, f"key of {step}", step, payload)
        assert response.right


def ask(desk: ScreeningDesk, assignment: str, number: int) -> str:
    quiz = content_at(desk)
    work = quiz.work(quiz.sample.passage, quiz.sample.questions[number]).model_dump()
    return desk.submit_attempt(assignment, f"k{number}", desk.sample_hit.context.id, work)[0].id


def page(desk: ScreeningDesk, assignment: str) -> dict[str, Any]:
    return page_screening(desk, desk.state(assignment))


def test_who_does_everything_right_passes(desk: ScreeningDesk, store: Store) -> None:
    assignment = begun(desk)
    assert page(desk, assignment)["phase"] == "steps"
    do_steps(desk, assignment)
    assert page(desk, assignment)["phase"] == "sample"
    for number in range(2):
        ask(desk, assignment, number)
    done = desk.finish(assignment, "nice")
    assert done is not None
    assert (done.outcome, done.worker, done.quiz) == (PASSED, "w1", desk.quiz.digest)
    assert store.assignments.get(assignment).feedback == "nice"
    assert page(desk, assignment)["phase"] == "submitted"


def test_nobody_has_to_beat_the_model_in_order_to_pass(desk: ScreeningDesk, model: FakeModel) -> None:
    assignment = begun(desk)
    do_steps(desk, assignment)
    model.answers.extend(["476", "Romulus Augustulus"])
    for number in range(2):
        ask(desk, assignment, number)
    assert desk.state(assignment).sample.wins == 0
    done = desk.finish(assignment)
    assert done is not None
    assert done.outcome == PASSED


def test_questions_that_were_taken_back_do_not_count(desk: ScreeningDesk) -> None:
    assignment = begun(desk)
    do_steps(desk, assignment)
    desk.retract(assignment, ask(desk, assignment, 0))
    desk.flag(assignment, ask(desk, assignment, 1), "other", "odd")
    done = desk.finish(assignment)
    assert done is not None
    assert done.outcome == INCOMPLETE


def test_a_mistake_uses_up_a_try_and_brings_its_hint(desk: ScreeningDesk) -> None:
    assignment = begun(desk)
    response, state = desk.respond(assignment, "k1", "q1", BAD_QUESTION)
    assert not response.right
    step = page_screening(desk, state)["step"]
    assert step["tries_left"] == 2
    assert [mistake["hint"] for mistake in step["mistakes"]] == ["first hint"]
    assert "already contains its answer" in step["mistakes"][0]["message"]
    desk.respond(assignment, "k2", "q1", BAD_QUESTION)
    assert [mistake["hint"] for mistake in page(desk, assignment)["step"]["mistakes"]] == ["first hint", "second hint"]
    response, state = desk.respond(assignment, "k3", "q1", GOOD["q1"])
    assert response.right
    assert page_screening(desk, state)["step"]["id"] == "a1"


def test_used_up_tries_end_the_screening(desk: ScreeningDesk) -> None:
    assignment = begun(desk)
    for number in range(3):
        desk.respond(assignment, f"k{number}", "q1", BAD_QUESTION)
    told = page(desk, assignment)
    assert (told["phase"], told["step"]["id"], told["step"]["tries_left"]) == ("failed", "q1", 0)
    with pytest.raises(Refused, match="used all tries"):
        desk.respond(assignment, "k3", "q1", GOOD["q1"])
    with pytest.raises(Refused, match="sample task begins when"):
        ask(desk, assignment, 0)
    done = desk.finish(assignment)
    assert done is not None
    assert done.outcome == FAILED


def test_what_breaks_a_rule_uses_up_no_try(desk: ScreeningDesk) -> None:
    assignment = begun(desk)
    for payload in ({"question": ""}, {"question": "<b>"}, {"right": True}, 7):
        with pytest.raises(InvalidInput):
            desk.respond(assignment, "k1", "q1", payload)
    with pytest.raises(InvalidInput, match="The response_key must be"):
        desk.respond(assignment, "", "q1", GOOD["q1"])
    assert page(desk, assignment)["step"]["tries_left"] == 3


def test_a_page_cannot_leave_a_step_out(desk: ScreeningDesk) -> None:
    assignment = begun(desk)
    with pytest.raises(InvalidInput, match="not the step"):
        desk.respond(assignment, "k1", "p1", GOOD["p1"])
    with pytest.raises(Refused, match="sample task"):
        ask(desk, assignment, 0)


def test_the_same_key_again_gives_the_same_response(desk: ScreeningDesk, model: FakeModel) -> None:
    assignment = begun(desk)
    first, _ = desk.respond(assignment, "k1", "q1", GOOD["q1"])
    again, _ = desk.respond(assignment, "k1", "q1", BAD_QUESTION)
    assert again == first
    assert len(model.asked) == 1


def test_the_same_response_many_times_at_once_is_one(desk: ScreeningDesk) -> None:
    assignment = begun(desk)
    made = at_once(8, lambda _: desk.respond(assignment, "k1", "q1", BAD_QUESTION)[0])
    assert len({response.id for response in made}) == 1
    assert len(desk.state(assignment).responses) == 1


def test_the_model_is_a_witness_and_no_judge(desk: ScreeningDesk, model: FakeModel) -> None:
    model.answers.extend(["nuns", "donkey"])
    assignment = begun(desk)
    agreed, _ = desk.respond(assignment, "k1", "q1", GOOD["q1"])
    assert (agreed.evidence["model_answer"], agreed.evidence["f1"]) == ("nuns", 1.0)
    desk.respond(assignment, "k2", "a1", GOOD["a1"])
    misled, _ = desk.respond(assignment, "k3", "p1", GOOD["p1"])
    assert (misled.right, misled.evidence["f1"]) == (True, 0.0)
    assert len(model.asked) == 2


def test_a_model_that_is_away_keeps_nobody_from_going_on(desk: ScreeningDesk, model: FakeModel) -> None:
    model.answers.append(AdversaryError("no answer"))
    response, state = desk.respond(begun(desk), "k1", "q1", GOOD["q1"])
    assert (response.right, response.evidence) == (True, {})
    assert page_response(desk, response)["model_answer"] is None
    assert state.step is not None
    assert state.step.id == "a1"


def test_a_screening_goes_on_after_a_restart(
    desk: ScreeningDesk, store: Store, quiz: QuizContent, tmp_path: Path
) -> None:
    assignment = begun(desk)
    desk.respond(assignment, "k1", "q1", BAD_QUESTION)
    store.close()
    again = open_store(str(tmp_path / "store.db"))
    taken_up = new_screening_desk(again, quiz)
    assert begun(taken_up) == assignment
    assert page(taken_up, assignment)["step"]["tries_left"] == 2
    again.close()


def test_another_hit_goes_on_with_the_same_tries(desk: ScreeningDesk) -> None:
    first = begun(desk)
    desk.respond(first, "k1", "q1", BAD_QUESTION)
    second = begun(desk, registration="r2")
    assert second != first
    assert page(desk, second)["step"]["tries_left"] == 2
    with pytest.raises(Refused, match="goes on in another task"):
        desk.state(first)
    assert desk.finish(first) is None
    assert page(desk, second)["phase"] == "steps"


def test_a_screening_is_taken_once_whatever_the_hit(desk: ScreeningDesk) -> None:
    assignment = begun(desk)
    desk.check_admission("w1")
    desk.finish(assignment)
    assert begun(desk) == assignment  # the page of that HIT may still be reloaded
    with pytest.raises(Refused, match="taken this screening before"):
        desk.check_admission("w1")
    with pytest.raises(Refused, match="taken this screening before"):
        begun(desk, registration="r2")
    desk.check_admission("w2")


def test_blocked_and_revoked_workers_are_refused_whatever_the_hit(desk: ScreeningDesk, store: Store) -> None:
    workforce = Workforce(BoundCampaign.open(store, "pilot"))
    workforce.block("spammer", "rita", "spam elsewhere")
    workforce.revoke("copier", "rita", "copied from others")
    for worker in ("spammer", "copier"):
        with pytest.raises(Refused, match="not open to you"):
            desk.check_admission(worker)
    desk.check_admission("w1")


def test_who_passes_becomes_a_candidate_and_nobody_else(desk: ScreeningDesk, store: Store) -> None:
    workforce = Workforce(BoundCampaign.open(store, "pilot"))
    desk.finish(begun(desk, "gives up", "r0"))
    assignment = begun(desk)
    do_steps(desk, assignment)
    for number in range(2):
        ask(desk, assignment, number)
    assert workforce.candidates() == []
    for _ in range(2):  # a kill between the two makes the operator finish again
        desk.finish(assignment)
    [candidate] = workforce.candidates()
    assert (candidate.worker, candidate.registration) == ("w1", "r1")
    assert len(workforce.history("w1")) == 1
    assert desk.taken() == 2


def test_where_people_judge_everybody_who_hands_in_waits_for_one(store: Store, tmp_path: Path) -> None:
    desk = new_screening_desk(store, small_quiz(tmp_path), judged_by_people=True)
    workforce = Workforce(BoundCampaign.open(store, "pilot"), needs_qualification=True)
    desk.finish(begun(desk, "gives up", "r0"))
    failing = begun(desk, "fails", "r1")
    for number in range(desk.quiz.tries_per_step):
        desk.respond(failing, f"k{number}", "q1", {**GOOD["q1"], "question": f"No {number}"})
    assert desk.state(failing).failed
    assert workforce.standing("fails") is None
    desk.finish(failing)
    assert [event.worker for event in workforce.candidates()] == ["gives up", "fails"]
    assert not workforce.may_work("fails", Stage.WRITING)
    workforce.qualify("fails", "rita")
    assert workforce.may_work("fails", Stage.WRITING)


def test_a_standing_that_changed_meanwhile_does_not_keep_the_screening_open(desk: ScreeningDesk, store: Store) -> None:
    assignment = begun(desk)
    do_steps(desk, assignment)
    for number in range(2):
        ask(desk, assignment, number)
    Workforce(BoundCampaign.open(store, "pilot")).block("w1", "rita", "two accounts")
    done = desk.finish(assignment)
    assert done is not None
    assert done.outcome == PASSED
    assert Workforce(BoundCampaign.open(store, "pilot")).standing("w1") == Standing.BLOCKED


def test_nothing_can_be_added_after_the_end(desk: ScreeningDesk) -> None:
    assignment = begun(desk)
    desk.finish(assignment)
    with pytest.raises(Refused, match="submitted already"):
        desk.respond(assignment, "k1", "q1", GOOD["q1"])


def test_the_time_of_the_hit_is_the_time_of_the_screening(desk: ScreeningDesk, store: Store) -> None:
    assignment = begun(desk)
    assert page(desk, assignment)["seconds_left"] == pytest.approx(3600, abs=5)
    with store.database.writing() as connection:
        connection.execute(sa.update(assignments).values(accepted_at=now() - timedelta(hours=2)))
    with pytest.raises(Refused, match="time for this task is over"):
        desk.respond(assignment, "k1", "q1", GOOD["q1"])


def test_samples_stay_apart_from_the_campaign(desk: ScreeningDesk, store: Store) -> None:
    assignment = begun(desk)
    do_steps(desk, assignment)
    ask(desk, assignment, 0)
    assert list(store.attempts.of_campaign("pilot")) == []
    assert store.campaigns.hits("pilot") == {}


def test_an_edited_sample_passage_is_another_one(store: Store, quiz: QuizContent) -> None:
    first = new_screening_desk(store, quiz)
    passages = {**quiz.passages, "rome": quiz.passages["rome"].model_copy(update={"title": "Roma"})}
    second = new_screening_desk(store, quiz.model_copy(update={"passages": passages}))
    assert first.sample_hit.context.id != second.sample_hit.context.id
    assert (first.sample_hit.context.title, second.sample_hit.context.title) == ("Rome", "Roma")


def test_no_page_ever_hears_a_key(desk: ScreeningDesk) -> None:
    """Whatever a page gets on its way, without the passages and without what it said itself."""
    assignment = begun(desk)
    heard: list[Any] = [page_config(desk), page(desk, assignment)]
    for number in range(2):
        response, state = desk.respond(assignment, f"k{number}", "q1", BAD_QUESTION)
        heard += [page_response(desk, response), page_screening(desk, state)]
    desk.respond(assignment, "k2", "q1", GOOD["q1"])
    for number in range(2):
        response, state = desk.respond(assignment, f"a{number}", "a1", ELSEWHERE)
        heard += [page_response(desk, response), page_screening(desk, state)]
    said = json.dumps(heard).replace(json.dumps(WELL)[1:-1], "")
    for secret in ("six centuries", "Who dug it?", "What did bad weather do away with?", "accepted", "reference"):
        assert secret not in said
    assert "It is a time." in said  # the hint of the mistakes that were made
    assert set(page(desk, assignment)["step"]) == {
        *(
            "id",
            "kind",
            "passage",
            "question",
            "answer",
            "example_passage",
            "examples",
            "mistakes",
            "tries_left",
        )
    }


def test_a_quiz_that_changed_meanwhile_goes_on_by_its_steps(
    desk: ScreeningDesk, store: Store, quiz: QuizContent
) -> None:
    assignment = begun(desk)
    desk.respond(assignment, "k1", "q1", GOOD["q1"])
    fewer = new_screening_desk(store, quiz.model_copy(update={"steps": quiz.steps[:2]}))
    assert page(fewer, assignment)["step"]["id"] == "a1"
    assert replace(fewer.state(assignment).screening, outcome=None).quiz == quiz.digest
