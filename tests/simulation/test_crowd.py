"""Simulated crowds: the one with the rates of Bartolo et al. 2020 comes near them, and its file is checked."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from beat_the_ai.errors import InvalidInput, UnknownName
from beat_the_ai.kinds.reading_comprehension import squad
from beat_the_ai.kinds.reading_comprehension.people import Readers
from beat_the_ai.kinds.reading_comprehension.screening.grading import Grader
from beat_the_ai.kinds.reading_comprehension.screening.loading import load_content
from beat_the_ai.kinds.reading_comprehension.screening.newcomers import ReadingNewcomers
from beat_the_ai.kinds.reading_comprehension.writing import ReadingComprehension
from beat_the_ai.published.figures import published
from beat_the_ai.rules.options import configured
from beat_the_ai.rules.protocol import Context, Json, TaskItem
from beat_the_ai.simulation.crowd import SimulatedCrowd, read_crowd
from beat_the_ai.simulation.personas import COPYING, GOOD, MALICIOUS, SLOPPY, mix
from beat_the_ai.simulation.reviewers import SimulatedReviewer, revokes
from beat_the_ai.store import Store
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.workforce import Reviewing, assess
from tests.kinds.reading_comprehension.screening.quizzes import SHIPPED
from tests.simulation.test_reviewers import CONTEXTS, work
from tests.store.builders import campaign

CROWD = read_crowd("bartolo-2020")
WRITERS = 400
VALIDATORS = 12
ROUNDS = 5  # of votes on each of 310 questions
QUIZ = load_content(SHIPPED, ReadingComprehension())


def people() -> Readers:
    return configured(Readers, "--people", CROWD.people)


def votes(of: Readers, question: Json, context: Context, drawn: random.Random) -> list[str | None]:
    """Return the answers of three validators of twelve, every fourth of whom is careless."""
    chosen = drawn.sample(range(VALIDATORS), 3)
    name = drawn.random()
    given = [of.vote(question, context, f"{name}/{number}", careful=number % 4 != 3)["answer"] for number in chosen]
    return [None if one is None else one["text"] for one in given]


def answers(of: Readers, rounds: int = ROUNDS) -> tuple[float, float, float]:
    """Return the share of answerable questions, then EM and F1 of one validator on these, in percent."""
    drawn, asked, exact, overlap = random.Random(1), 0, [], []
    for context in CONTEXTS:
        for question in of.works(GOOD, TaskItem(context), random.Random(1)):
            reference = question["answer"]["text"]
            for _ in range(rounds):
                asked += 1
                given = votes(of, question, context, drawn)
                if any(one is not None and squad.exact_match(one, reference) for one in given):
                    one = drawn.choice(given)
                    exact.append(one is not None and squad.exact_match(one, reference))
                    overlap.append(0.0 if one is None else squad.f1(one, reference))
    return 100 * len(exact) / asked, 100 * sum(exact) / len(exact), 100 * sum(overlap) / len(overlap)


def passes(persona: str, seed: int) -> bool:
    """Return whether a newcomer gets through the shipped quiz."""
    quiz = QUIZ
    newcomers, grader = ReadingNewcomers(quiz), Grader(quiz, ReadingComprehension())
    drawn = random.Random(f"{persona}/{seed}")
    for step in quiz.steps:
        for _ in range(quiz.tries_per_step):
            try:
                mistake = grader.grade(step, newcomers.response(persona, step.id, drawn)).mistake
            except InvalidInput:
                continue
            if mistake is None:
                break
        else:
            return False
    return True


def test_questions_are_as_answerable_and_validators_as_exact_as_the_papers() -> None:
    paper = published("bartolo-2020")
    answerable, exact, overlap = answers(people())
    shares = [one.value for one in paper.table("answerability").figures()]
    assert min(shares) <= answerable <= max(shares) + 1
    for found, column in ((exact, "EM"), (overlap, "F1")):
        figure = paper.table("table-2").figure(column, "D_BiDAF")
        assert figure is not None
        assert found == pytest.approx(figure.value, abs=2), column


def test_the_usual_people_are_better_than_the_papers() -> None:
    answerable, exact, _ = answers(Readers(), rounds=1)
    assert answerable > 95
    assert exact > 68


def test_as_many_are_qualified_and_revoked_as_in_the_paper(store: Store) -> None:
    """§3.3 and appendix B: 752 of 1,386 newcomers were qualified, and 99 of them revoked."""
    figures = {one.row[0]: one.value for one in published("bartolo-2020").table("workers").figures()}
    writers = mix(WRITERS, CROWD.shares, 1)
    screened = WRITERS * (1 + CROWD.careless_newcomers)
    qualified = [one for number, one in enumerate(writers) if one != SLOPPY or passes(SLOPPY, number)]
    assert not any(passes(MALICIOUS, number) for number in range(20))
    assert len(qualified) / screened == pytest.approx(figures["qualified"] / figures["screened"], abs=0.03)

    caught = share_revoked(store)
    assert caught[GOOD] == 0
    revoked = sum(caught[persona] for persona in qualified)
    assert revoked / len(qualified) == pytest.approx(figures["revoked"] / figures["qualified"], abs=0.03)


def share_revoked(store: Store) -> dict[str, float]:
    """Return the share of a few writers of each persona whom a review of their samples revokes."""
    store.campaigns.create(campaign())
    of = {GOOD: 2, SLOPPY: 4, COPYING: 2, MALICIOUS: 2}  # as many as have passages of their own
    for persona, number in of.items():
        for name in range(number):
            work(store, persona, f"{persona}/{name}")
    bound = BoundCampaign.open(store, "pilot")
    reviewing = Reviewing(bound)
    reviewing.draw()
    for assignment, fault in SimulatedReviewer(people(), "robot", bound).verdicts(reviewing).items():
        if fault is None:
            reviewing.accept(assignment, "robot")
        else:
            reviewing.reject(assignment, "robot", fault)
    bad = [one.worker.split("/")[0] for one in assess(bound) if revokes(one)]
    return {persona: bad.count(persona) / number for persona, number in of.items()}


def test_an_unclear_question_is_unclear_to_every_validator() -> None:
    context = CONTEXTS[0]
    [question, *_] = people().works(GOOD, TaskItem(context), random.Random(1))
    given = [
        Readers(unclear_share=1).vote(question, context, f"1/{number}", careful=True)["answer"] for number in range(40)
    ]
    reference = question["answer"]["text"]
    assert not any(one is not None and one["text"] == reference for one in given)
    overlap = [one for one in given if one is not None and squad.f1(one["text"], reference) > 0]
    assert len(overlap) > 20


def test_a_crowd_is_found_by_name_or_file_and_checked(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="bartolo-2020"):
        read_crowd("bartolo-2021")
    path = tmp_path / "mine.yaml"
    path.write_text("shares: {sloppy: 2}\n", encoding="utf-8")
    with pytest.raises(InvalidInput, match="shares"):
        read_crowd(str(path))
    path.write_text("hits_per_writer: 7\n", encoding="utf-8")
    assert read_crowd(str(path)) == SimulatedCrowd(hits_per_writer=7)
    with pytest.raises(InvalidInput, match="for reading_comprehension, and the task is nli"):
        CROWD.check_task("nli")


def test_shares_of_answers_are_together_no_more_than_all() -> None:
    careful = {**CROWD.people["careful"], "cannot": 0.5}
    with pytest.raises(InvalidInput, match="parts of 1"):
        configured(Readers, "--people", {**CROWD.people, "careful": careful})
