"""Artefacts of Quizbowl questions."""

from __future__ import annotations

from beat_the_ai.kinds.quizbowl.artefacts import FIRST, LAST, PRIOR, QuestionArtefacts
from beat_the_ai.rules.artefacts import Naming
from beat_the_ai.rules.dataset import Example
from beat_the_ai.rules.protocol import Context

TEXT = "He led a revolt. For 10 points, name this general."


def test_a_question_is_seen_by_its_category_and_by_a_sentence() -> None:
    context = Context("History", "History", private={"category": "History", "answers": []})
    work = {"text": TEXT, "answer": "Spartacus"}
    example = Example("a1", "train", context, work, None, "m", {}, True, 1, False, None)
    artefacts = QuestionArtefacts()
    [found] = artefacts.traces([artefacts.work(example)])
    assert (found.part, found.label, found.context, found.cluster) == ("train", "History", "", "a1")
    assert found.guesses == {
        PRIOR.name: Naming(("History",), "Spartacus"),
        FIRST.name: Naming(("he", "led", "a", "revolt"), "Spartacus"),
        LAST.name: Naming(("for", "10", "points", "name", "this", "general"), "Spartacus"),
    }
