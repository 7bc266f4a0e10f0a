"""What the simulated reviewer makes of questions."""

from __future__ import annotations

import random
from pathlib import Path

from beat_the_ai.kinds.quizbowl.answers import Answer
from beat_the_ai.kinds.quizbowl.categories import load_categories
from beat_the_ai.kinds.quizbowl.collection import read_questions
from beat_the_ai.kinds.quizbowl.filters import QuestionFilters
from beat_the_ai.kinds.quizbowl.people import NONSENSE, SENTENCES_OF_NONSENSE, Authors
from beat_the_ai.kinds.quizbowl.writing import QuestionWriting, Work, answers_of
from beat_the_ai.rules.protocol import Context, TaskItem
from beat_the_ai.simulation import personas

TASK = Path(__file__).parents[3] / "tasks" / "quizbowl"
SAMPLE = TASK / "contexts" / "sample.jsonl"
HELD_OUT = TASK / "held_out.jsonl"
WRITING = QuestionWriting(known_questions=("sample",), regular_questions=(str(HELD_OUT),))
CONTEXTS = WRITING.load_contexts(SAMPLE)


def task_item(context: Context, answer: Answer) -> TaskItem:
    """The HIT in which a simulated author writes about that answer."""
    return TaskItem(context, {"number": answers_of(context).index(answer) + 1})


def test_nonsense_and_questions_about_another_answer_are_wrong_and_known_ones_are_not() -> None:
    authors = Authors()
    for context in load_categories(SAMPLE):
        answers = answers_of(context)
        for number, answer in enumerate(answers):
            other = answers[number - 1]
            texts = (answer.questions[0], other.questions[0], NONSENSE * SENTENCES_OF_NONSENSE)
            wrong = [authors.is_wrong({"text": text, "answer": answer.page}, context) for text in texts]
            assert wrong == [False, True, True], answer.name


def test_authors_begin_with_questions_that_no_model_knows_and_nobody_plays() -> None:
    filters = QuestionFilters.of(WRITING, [])
    begun = []
    for context in CONTEXTS:
        for answer in answers_of(context):
            work = {"text": answer.questions[0], "answer": answer.page}
            checked = WRITING.check(Work.model_validate(work), task_item(context, answer))
            assert filters.about(checked, task_item(context, answer)) == []
            filters.remember(work)
            begun.append(work["text"])
    assert len(begun) == 96
    assert not {*begun} & {question.text for question in read_questions(HELD_OUT)}


def test_what_the_copying_and_the_malicious_hand_in_is_doubtful() -> None:
    filters = QuestionFilters.of(WRITING, [])
    for context in CONTEXTS:
        for answer in answers_of(context):
            asked = task_item(context, answer)
            for persona in (personas.COPYING, personas.MALICIOUS):
                works = list(Authors().works(persona, asked, random.Random(0)))
                assert works
                assert all(filters.about(Work.model_validate(work), asked) for work in works), (persona, answer.name)
