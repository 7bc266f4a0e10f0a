"""The overlap of a question with known questions of the same answer (Wallace et al. 2019, §6.1 and Table 2)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from beat_the_ai.kinds.quizbowl.collection import Question
from beat_the_ai.kinds.quizbowl.wording import sentences

_TOKEN = re.compile(r"\w+")
_NAME = re.compile(r"\b[A-ZÀ-ÖØ-Þ][\w’'-]*(?:\s+(?:of\s+|de\s+|the\s+|von\s+)?[A-ZÀ-ÖØ-Þ][\w’'-]*)*")

Run = tuple[str, ...]


def tokens(text: str) -> Run:
    return tuple(_TOKEN.findall(text.casefold()))


def names(text: str) -> list[str]:
    """Runs of words with a capital, at the beginning of a sentence of two or more: a rule for named entities."""
    found = []
    for place in sentences(text):
        for match in _NAME.finditer(text[place.start : place.end]):
            name = match.group().removeprefix("The ")
            if match.start() > 0 or " " in name:
                found.append(name)
    return found


@dataclass(frozen=True)
class Overlap:
    """Shares of a question's words, pairs of words and names (None without any); its longest common run in words."""

    unigrams: float
    bigrams: float
    longest: int
    names: float | None


class KnownQuestions:
    """The known questions by their answers."""

    def __init__(self, questions: Iterable[Question]) -> None:
        self._texts: dict[str, list[str]] = defaultdict(list)
        for question in questions:
            self._texts[str(question.page)].append(question.text)

    def count(self, page: str) -> int:
        """Return how many known questions have this answer."""
        return len(self._texts.get(page, ()))

    def overlap(self, question: Question) -> Overlap | None:
        """None where no known question has the same answer, or the question has fewer than two words."""
        own, known = tokens(question.text), [tokens(text) for text in self._texts.get(str(question.page), ())]
        if not known or len(own) < 2:
            return None
        own_names = [name.casefold() for name in names(question.text)]
        known_names = {name.casefold() for text in self._texts[str(question.page)] for name in names(text)}
        return Overlap(
            _share(own, known, 1),
            _share(own, known, 2),
            max(_longest(own, other) for other in known),
            sum(name in known_names for name in own_names) / len(own_names) if own_names else None,
        )


def _runs(words: Run, length: int) -> list[Run]:
    return [words[start : start + length] for start in range(len(words) - length + 1)]


def _share(own: Run, known: Sequence[Run], length: int) -> float:
    seen = {run for other in known for run in _runs(other, length)}
    runs = _runs(own, length)
    return sum(run in seen for run in runs) / len(runs)


def _longest(own: Run, other: Run) -> int:
    """Return the length of the longest common run of two texts."""
    best, ending = 0, [0] * (len(other) + 1)
    for word in own:
        before = 0
        for place, known in enumerate(other, start=1):
            before, ending[place] = ending[place], before + 1 if word == known else 0
        best = max(best, *ending)
    return best
