"""Simulated writers: what they ask passes the page, and is good or bad as their persona is."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from beat_the_ai.kinds.reading_comprehension.answerability import Answerability
from beat_the_ai.kinds.reading_comprehension.people import Readers
from beat_the_ai.kinds.reading_comprehension.writing import ReadingComprehension, Work
from beat_the_ai.rules.protocol import Context, Json, TaskItem
from beat_the_ai.simulation.personas import GOOD, PERSONAS
from beat_the_ai.workforce.evidence import Entry, copied_context, gibberish, unfinished
from beat_the_ai.workforce.spelling import Spelling
from tests.reading_comprehension import WORDS
from tests.workforce.copies import copies_among

SAMPLE = Path(__file__).parents[3] / "tasks" / "reading_comprehension" / "contexts" / "sample.jsonl"
RULES = ReadingComprehension()
CONTEXTS = RULES.load_contexts(SAMPLE)
each_persona = pytest.mark.parametrize("persona", PERSONAS)


def works(persona: str, context: Context, seed: int) -> list[Json]:
    return Readers().works(persona, TaskItem(context), random.Random(seed))


def asked(persona: str, context: Context, worker: str = "A1", seed: int = 1) -> list[Entry]:
    return [
        Entry(f"{worker}/{context.id}/{number}", worker, context.id, one["question"], one["answer"]["text"])
        for number, one in enumerate(works(persona, context, seed))
    ]


@each_persona
@pytest.mark.parametrize("seed", range(3))
def test_every_question_is_one_that_the_page_lets_through(persona: str, seed: int) -> None:
    for context in CONTEXTS:
        made = works(persona, context, seed)
        assert made
        assert made == works(persona, context, seed)
        for one in made:
            RULES.check(Work.model_validate(one), TaskItem(context))


@each_persona
def test_a_passage_without_references_is_no_trouble(persona: str) -> None:
    context = Context("c1", "In 1871 two brothers built the tower; in 1900 - it fell.", "", {})
    for seed in range(50):
        for one in works(persona, context, seed):
            RULES.check(Work.model_validate(one), TaskItem(context))


def all_gold(context: Context) -> Context:
    """Return a passage as files of questions have it, which mark none of them."""
    questions = [{name: one[name] for name in ("question", "answer")} for one in context.private["questions"]]
    return replace(context, private={"questions": questions})


def agreeing(asked: Iterable[tuple[Context, Json]]) -> float:
    """Return the share of careful validators whose answer is the given one."""
    votes: list[bool] = [
        Readers().vote({"question": one["question"]}, context, str(seed), careful=True)["answer"] == one["answer"]
        for context, one in asked
        for seed in range(3)
    ]
    return float(sum(votes) / len(votes))


@each_persona
def test_no_writer_asks_a_gold_question(persona: str) -> None:
    for context in (*CONTEXTS, *map(all_gold, CONTEXTS)):
        gold = {RULES.fingerprint(work) for work in RULES.gold(context)}
        assert gold
        for one in works(persona, context, 1):
            assert RULES.fingerprint(Work.model_validate(one)) not in gold, one


@each_persona
def test_gold_in_other_words_passes_the_page(persona: str) -> None:
    for context in map(all_gold, CONTEXTS):
        made = works(persona, context, 1)
        assert made == works(persona, context, 1)
        for one in made:
            RULES.check(Work.model_validate(one), TaskItem(context))


def test_validators_and_reviewers_know_gold_in_other_words() -> None:
    asked = [(context, one) for context in map(all_gold, CONTEXTS) for one in works(GOOD, context, 1)]
    assert len(asked) == 484
    assert agreeing(asked) == pytest.approx(0.8, abs=0.05)
    for context, one in asked:
        assert not Readers().is_wrong(one, context)
        assert Readers().is_wrong({**one, "answer": {"text": "the", "start": 0}}, context)


@pytest.mark.parametrize("gold", [True, False])
def test_validators_know_gold_and_other_questions_alike(gold: bool) -> None:
    known = [(context, one) for context in CONTEXTS for one in context.private["questions"] if one["gold"] is gold]
    assert agreeing(known) == pytest.approx(0.8, abs=0.05)


def test_gold_and_other_questions_of_the_sample_ask_for_the_same_skills() -> None:
    questions = [one for context in CONTEXTS for one in context.private["questions"]]
    asked = Counter(one["skill"] for one in questions if not one["gold"])
    for skill, number in Counter(one["skill"] for one in questions).items():
        assert asked[skill] / number == pytest.approx(310 / 484, abs=0.01), skill
    assert {sum(not one["gold"] for one in context.private["questions"]) for context in CONTEXTS} == {5}


def test_the_reviewers_evidence_tells_the_personas_apart() -> None:
    spelling = Spelling.of(context.text for context in CONTEXTS)

    def signs(persona: str) -> Counter[str]:
        found: Counter[str] = Counter()
        for context in CONTEXTS[:20]:
            earlier = asked("copying", context, "A0")
            mine = asked(persona, context, "A1", seed=7)
            copies = copies_among([*earlier, *mine], WORDS)
            for one in mine:
                found.update(item.kind for item in copies.get(one.attempt_id, ()))
                found.update(item.kind for item in copied_context(one, context.text, WORDS))
                found.update(item.kind for item in gibberish(one, context.text, spelling))
                found.update(item.kind for item in unfinished(one))
        return found

    assert signs("malicious")["repeats_own"] == 80  # all but the first of each HIT
    assert signs("copying")["copies_context"] >= 50
    assert signs("copying")["copies_account"] >= 35
    assert signs("sloppy")["unfinished"] >= 40  # of about 80
    good = signs("good")
    assert sum(good[sign] for sign in ("gibberish", "copies_context", "repeats_own", "unfinished")) <= 5  # of about 160


@pytest.mark.parametrize("careful", [True, False])
def test_a_guess_is_an_answer_that_may_be_handed_in(careful: bool) -> None:
    """A validator whose answer is refused would come back with it for ever."""
    rules = Answerability()
    for text in ("The the a. An owl the.", "Owls are the", "The fox. The owl."):
        context = Context("owls", text)
        for number in range(60):
            shown = {"question": f"What is question {number} about?"}
            vote = Readers().vote(shown, context, f"1/{number}", careful=careful)
            rules.read_vote(vote, context)
