"""The statistics of Bartolo et al. 2020 about a set of questions: Tables 3 and 4, Figures 4 to 9 and 11 to 14."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from beat_the_ai.analysis.cells import mean
from beat_the_ai.kinds.reading_comprehension.report.examples import Example, Part
from beat_the_ai.kinds.reading_comprehension.report.words import OTHER, WH_WORDS, PassageOverlap, count_words, wh_word


@dataclass(frozen=True)
class Statistics:
    """The papers' statistics of one set of questions; the sequences have one figure per question or answer."""

    passages: int
    question_words: Sequence[int]
    answer_words: Sequence[int]
    longest_ngram_overlap: Sequence[int]
    wh_counts: Counter[str]

    @property
    def questions(self) -> int:
        return len(self.question_words)

    @cached_property
    def wh_words(self) -> dict[str, int]:
        """Return the number of questions of each kind, in a fixed order, those that do not occur included."""
        return {word: self.wh_counts[word] for word in (*WH_WORDS, OTHER)}

    def as_json(self) -> dict[str, Any]:
        """Return the keys that `beat-the-ai stats --json` prints; a mean over nothing is None."""
        return {
            "passages": self.passages,
            "questions": self.questions,
            "question_words_mean": mean(self.question_words),
            "answer_words_mean": mean(self.answer_words),
            "longest_ngram_overlap_mean": mean(self.longest_ngram_overlap),
            "wh_words": self.wh_words,
        }


def statistics(part: Part) -> Statistics:
    """Return the statistics of one part. Questions without an answer count in all but the length of answers."""
    return Statistics(
        passages=len(part.passages),
        question_words=[count_words(example.question) for example in part.examples],
        answer_words=[count_words(example.answer) for example in part.examples if example.answer is not None],
        longest_ngram_overlap=_overlaps(part.examples),
        wh_counts=Counter(wh_word(example.question) for example in part.examples),
    )


def _overlaps(examples: Sequence[Example]) -> list[int]:
    """Return one per question, in order. A passage is read once for all its questions that follow each other."""
    found: list[int] = []
    context, passage = None, PassageOverlap("")
    for example in examples:
        if example.context != context:
            context, passage = example.context, PassageOverlap(example.context)
        found.append(passage.longest(example.question))
    return found
