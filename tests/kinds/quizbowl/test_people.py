"""What the simulated reviewer makes of questions."""

from __future__ import annotations

from pathlib import Path

from beat_the_ai.kinds.quizbowl.categories import load_categories
from beat_the_ai.kinds.quizbowl.people import NONSENSE, SENTENCES_OF_NONSENSE, Authors
from beat_the_ai.kinds.quizbowl.writing import answers_of

SAMPLE = Path(__file__).parents[3] / "tasks" / "quizbowl" / "contexts" / "sample.jsonl"


def test_nonsense_and_questions_about_another_answer_are_wrong_and_known_ones_are_not() -> None:
    authors = Authors()
    for context in load_categories(SAMPLE):
        answers = answers_of(context)
        for number, answer in enumerate(answers):
            other = answers[number - 1]
            texts = (answer.questions[0], other.questions[0], NONSENSE * SENTENCES_OF_NONSENSE)
            wrong = [authors.is_wrong({"text": text, "answer": answer.page}, context) for text in texts]
            assert wrong == [False, True, True], answer.name
