"""The floor for what a statement is: text about the premise, that says something and does not ask."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from beat_the_ai.kinds import english
from beat_the_ai.kinds.text_floor import TextFloor, stem, words_of, words_of_context

NEGATED = "n't"


@dataclass(frozen=True)
class StatementFloor(TextFloor):
    """`shape` asks for words that belong together, and for no question."""

    called: ClassVar[str] = "statement"

    min_words: int = 2

    def _flawed_shape(self, text: str, context: str) -> str | None:
        words = words_of(text)
        stems = ["not" if word.endswith(NEGATED) else stem(word) for word in words]
        may_ask = not text.endswith(".") and "," not in text  # "Had he lived, he would have won."
        if text.endswith("?") or (may_ask and english.opens_as_question(list(map(stem, words)))):
            return "This is a question. Please write a statement: a sentence that can be correct or incorrect."
        if not english.states(stems, words_of_context(context)):
            return "This does not read as a statement. Please write a whole sentence."
        return None
