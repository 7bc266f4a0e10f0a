"""Reading comprehension with its defaults, where a test needs a kind of task and it does not matter which."""

from __future__ import annotations

from beat_the_ai.kinds.reading_comprehension.answerability import Answerability
from beat_the_ai.rules.registry import bind

KIND = bind("reading_comprehension")
WORDS = KIND.words
RULINGS = {1: Answerability()}
