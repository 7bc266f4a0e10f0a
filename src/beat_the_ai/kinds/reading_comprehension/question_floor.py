"""The floor for what a question is. Of SQuAD's questions one in 300 falls through."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from beat_the_ai.kinds import english
from beat_the_ai.kinds.reading_comprehension.saying import said
from beat_the_ai.kinds.text_floor import TextFloor, stem, words_of, words_of_context

_BLANK, _GAP = re.compile(r"_{2,}|\.{4,}"), "0gap0"


@dataclass(frozen=True)
class QuestionFloor(TextFloor):
    """`shape` asks for a question word, an auxiliary or a demand ("Name the river that …") and for words that belong
    together.
    """

    called: ClassVar[str] = "question"

    def _said(self, flaw: str, **arguments: str | int) -> str:
        return said(f"reading_refusals.floor.{flaw}", **arguments)

    def _flawed_shape(self, text: str, context: str) -> str | None:
        if english.asks(_clauses(text), words_of_context(context)):
            return None
        return self._said("shape")


def _clauses(question: str) -> list[list[str]]:
    clauses = _BLANK.sub(f" {_GAP} ", question).split(",")
    return [[english.BLANK if word == _GAP else stem(word) for word in words_of(clause)] for clause in clauses]
