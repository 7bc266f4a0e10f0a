"""Lengths and kinds of questions as figures of items, which `analysis.breakdown` gives intervals and groups."""

from __future__ import annotations

from collections.abc import Iterator

from beat_the_ai.kinds.reading_comprehension.report.examples import Part
from beat_the_ai.kinds.reading_comprehension.report.groups import question_groups
from beat_the_ai.kinds.reading_comprehension.report.statistics import Statistics
from beat_the_ai.kinds.reading_comprehension.report.words import OTHER, WH_WORDS, count_words, wh_word
from beat_the_ai.rules.evaluation import Measure, Measured, MeasuredItem

MEANS = (
    Measure("question_words_mean", "words per question", unit=""),
    Measure("answer_words_mean", "words per answer", unit=""),
    Measure("longest_ngram_overlap_mean", "longest n-gram overlap", unit=""),
)
KINDS = {word: Measure(f"wh_words.{word}", word, is_right=True, by_group=False) for word in (*WH_WORDS, OTHER)}


def measured_questions(part: Part, found: Statistics, *, english: bool) -> Measured:
    """Return the questions of a part, of which `found` are the statistics, each with its numbers."""
    items = list(_items(part, found, english=english))
    return Measured(items, (*MEANS, *KINDS.values()), "questions", "passages", 0, 0)


def _items(part: Part, found: Statistics, *, english: bool) -> Iterator[MeasuredItem]:
    rows = zip(part.examples, found.question_words, found.longest_ngram_overlap, strict=True)
    for example, question_words, overlap in rows:
        kind = wh_word(example.question)
        marks = {"question_words_mean": float(question_words), "longest_ngram_overlap_mean": float(overlap)}
        marks |= {measure.name: float(word == kind) for word, measure in KINDS.items()}
        if example.answer is not None:
            marks["answer_words_mean"] = float(count_words(example.answer))
        by_rules = question_groups(example.question, example.answer) if english and example.answer is not None else {}
        yield MeasuredItem(example.id, example.context, None, None, marks, {**example.marks, **by_rules})
