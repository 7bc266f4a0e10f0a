"""The floor for what a question is. Of SQuAD's questions one in 300 falls through."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from beat_the_ai.kinds import english
from beat_the_ai.kinds.text_floor import TextFloor, stem, words_of, words_of_context

_BLANK, _GAP = re.compile(r"_{2,}|\.{4,}"), "0gap0"


@dataclass(frozen=True)
class QuestionFloor(TextFloor):
    """`shape` asks for a question word, an auxiliary or a demand ("Name the river that …") and for words that belong
    together.
    """

    called: ClassVar[str] = "question"
    about: ClassVar[str] = "passage"

    def _flawed_shape(self, text: str, context: str) -> str | None:
        if english.asks(_clauses(text), words_of_context(context)):
            return None
        return "This does not read as a question. Please ask in a sentence, with who, what, when, where, why or how."


def _clauses(question: str) -> list[list[str]]:
    clauses = _BLANK.sub(f" {_GAP} ", question).split(",")
    return [[english.BLANK if word == _GAP else stem(word) for word in words_of(clause)] for clause in clauses]
