"""The floor for what a statement is: text about the premise, that says something and does not ask."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from beat_the_ai.kinds import english
from beat_the_ai.kinds.nli.saying import said
from beat_the_ai.kinds.text_floor import TextFloor, stem, words_of, words_of_context

NEGATED = "n't"


@dataclass(frozen=True)
class StatementFloor(TextFloor):
    """`shape` asks for words that belong together, and for no question."""

    called: ClassVar[str] = "statement"

    min_words: int = 2

    def _said(self, flaw: str, **arguments: str | int) -> str:
        return said(f"nli_refusals.floor.{flaw}", **arguments)

    def _flawed_shape(self, text: str, context: str) -> str | None:
        words = words_of(text)
        stems = ["not" if word.endswith(NEGATED) else stem(word) for word in words]
        may_ask = not text.endswith(".") and "," not in text  # "Had he lived, he would have won."
        if text.endswith("?") or (may_ask and english.opens_as_question(list(map(stem, words)))):
            return self._said("question")
        if not english.states(stems, words_of_context(context)):
            return self._said("shape")
        return None
