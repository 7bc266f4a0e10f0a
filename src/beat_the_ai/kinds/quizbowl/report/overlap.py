"""The overlap of questions with known questions of the same answer (Wallace et al. 2019, §6.1 and Table 2)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from beat_the_ai.analysis.cells import spread_cell
from beat_the_ai.kinds.quizbowl.collection import Question
from beat_the_ai.kinds.quizbowl.report.sets import QuestionSet
from beat_the_ai.kinds.quizbowl.wording import sentences, words
from beat_the_ai.rules.text import folded
from beat_the_ai.statistics.section import Section, Table

_TOKEN = re.compile(r"\w+")
_NAME = re.compile(r"\b[A-ZÀ-ÖØ-Þ][\w’'-]*(?:\s+(?:of\s+|de\s+|the\s+|von\s+)?[A-ZÀ-ÖØ-Þ][\w’'-]*)*")

Run = tuple[str, ...]

TITLE = "Overlap with known questions"
HEADER = (
    *("questions", "number", "words known", "pairs known", "longest run", "names known"),
    *("words", "names", "known questions per answer"),
)
PUBLISHED = (  # Table 2, and the examples per answer of §6.1
    ("regular, in the paper", "–", "0.37", "0.05", "6.87", "0.46", "133.5", "12.5", "16.9"),
    ("adversarial, in the paper", "1,213", "0.40", "0.08", "6.73", "0.38", "107.1", "9.1", "14.9"),
    ("against the IR system, in the paper", "807", "–", "–", "–", "0.35", "–", "–", "–"),
    ("against the RNN, in the paper", "406", "–", "–", "–", "0.44", "–", "–", "–"),
)
NAME_RULE = (
    "Names are runs of words with a capital, where a sentence begins of two or more: a rule, where the paper has a "
    "model of named entities that it does not name."
)


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
        self._texts: dict[str, dict[str, str]] = defaultdict(dict)
        for question in questions:
            self._texts[str(question.page)].setdefault(folded(question.text), question.text)

    def count(self, question: Question) -> int:
        """Return how many known questions, other than this one, have its answer."""
        return len(self._others(question))

    def overlap(self, question: Question) -> Overlap | None:
        """Return the overlap; None of fewer than two words, or where no other known question has the answer."""
        others = self._others(question)
        own, known = tokens(question.text), [tokens(text) for text in others]
        if not known or len(own) < 2:
            return None
        own_names = [name.casefold() for name in names(question.text)]
        known_names = {name.casefold() for text in others for name in names(text)}
        return Overlap(
            _share(own, known, 1),
            _share(own, known, 2),
            _longest(own, known),
            sum(name in known_names for name in own_names) / len(own_names) if own_names else None,
        )

    def _others(self, question: Question) -> list[str]:
        """Return the known questions with its answer. A question that is known itself is not compared with itself."""
        own = folded(question.text)
        return [text for folded_text, text in self._texts.get(str(question.page), {}).items() if folded_text != own]


def overlap_section(sets: Sequence[QuestionSet], known: KnownQuestions) -> Section:
    """Return the paper's Table 2 of these sets, with the paper's own figures below."""
    text = (
        "The share of a question's words, pairs of neighbouring words and names that stand in another known question "
        "with the same answer, and the longest run of words in common; questions whose answer no other known one has "
        f"are left out of these four. Words and names of a question, and how many known ones have its answer, follow. "
        f"{NAME_RULE} Means with 95% bootstrap intervals and standard deviations (sd); questions are taken for "
        "independent."
    )
    rows = [_row(one, known) for one in sets]
    return Section(TITLE, text, Table(HEADER, [*rows, *PUBLISHED]), source="Table 2, §6.1")


def _row(one: QuestionSet, known: KnownQuestions) -> tuple[str, ...]:
    questions = one.questions
    found = [overlap for question in questions if (overlap := known.overlap(question)) is not None]
    return (
        one.name,
        f"{len(questions):,}",
        spread_cell([each.unigrams for each in found]),
        spread_cell([each.bigrams for each in found]),
        spread_cell([each.longest for each in found]),
        spread_cell([each.names for each in found if each.names is not None]),
        spread_cell([len(words(question.text)) for question in questions], 1),
        spread_cell([len(names(question.text)) for question in questions], 1),
        spread_cell([known.count(question) for question in questions], 1),
    )


def _runs(read: Run, length: int) -> list[Run]:
    return [read[start : start + length] for start in range(len(read) - length + 1)]


def _seen(known: Sequence[Run], length: int) -> set[Run]:
    return {run for other in known for run in _runs(other, length)}


def _share(own: Run, known: Sequence[Run], length: int) -> float:
    seen, runs = _seen(known, length), _runs(own, length)
    return sum(run in seen for run in runs) / len(runs)


def _longest(own: Run, known: Sequence[Run]) -> int:
    """Return the length of the longest run in common. Where a run is, shorter ones are: it is found by halving."""
    low, high = 0, len(own)
    while low < high:
        length = (low + high + 1) // 2
        if _seen(known, length).isdisjoint(_runs(own, length)):
            high = length - 1
        else:
            low = length
    return low
