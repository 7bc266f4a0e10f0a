"""The sections of a report on questions about passages: Tables 3 and 4, Figures 4, 6 to 9 and 11 to 14."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

from beat_the_ai.analysis.cells import bin_label, bin_width, binned, mean_cell, share_bar, share_cell
from beat_the_ai.analysis.drawings import bars, histogram, sunburst
from beat_the_ai.kinds.reading_comprehension.report.answer_types import ANSWER_TYPES, answer_type
from beat_the_ai.kinds.reading_comprehension.report.examples import Part
from beat_the_ai.kinds.reading_comprehension.report.statistics import Statistics, statistics
from beat_the_ai.kinds.reading_comprehension.report.words import tokens
from beat_the_ai.statistics.section import Section, Table

MOST_BEGINNINGS = 50


def dataset_sections(parts: Sequence[Part], *, english: bool = True) -> list[Section]:
    """Tables 3 and 4, Figures 4, 6 to 9 and 11 to 14, of a dataset given by its parts.

    The kinds of question and the types of answer (Figures 6 and 8) are counted by rules for English.
    """
    by_name = {part.name: statistics(part) for part in parts}
    whole = Part("all")
    for part in parts:
        whole.passages.update(part.passages)
        whole.examples.extend(part.examples)
    if len(parts) > 1:
        by_name[whole.name] = statistics(whole)
    if not whole.examples:
        return [_sizes(by_name)]
    return [
        _sizes(by_name),
        _means(by_name),
        _distribution(
            "Longest n-gram overlap",
            "Figure 4",
            "How many tokens in a row a question shares with its passage. The more, the easier it is to find the "
            "answer by its words alone.",
            "tokens",
            {name: one.longest_ngram_overlap for name, one in by_name.items()},
        ),
        *([_kinds(by_name)] if english else []),
        _beginnings(whole),
        _distribution(
            "Length of questions",
            "Figure 7",
            "Words between white space.",
            "words",
            {name: one.question_words for name, one in by_name.items()},
        ),
        *([_answer_types(parts if len(parts) == 1 else [*parts, whole])] if english else []),
        _distribution(
            "Length of answers",
            "Figure 9",
            "Words between white space.",
            "words",
            {name: one.answer_words for name, one in by_name.items()},
        ),
    ]


def _sizes(by_name: dict[str, Statistics]) -> Section:
    rows = [(name, f"{one.passages:,}", f"{one.questions:,}") for name, one in by_name.items()]
    text = "Distinct passages, and questions with their answers."
    return Section("Passages and questions", text, Table(("part", "passages", "questions"), rows), source="Table 3")


def _means(by_name: dict[str, Statistics]) -> Section:
    header = ("part", "words per question", "words per answer", "longest n-gram overlap")
    rows = [
        (name, *(mean_cell(one) for one in (part.question_words, part.answer_words, part.longest_ngram_overlap)))
        for name, part in by_name.items()
    ]
    text = "Means with their 95% bootstrap intervals."
    return Section("Mean lengths and overlap", text, Table(header, rows), source="Table 4")


def _distribution(title: str, source: str, text: str, unit: str, by_name: dict[str, Sequence[int]]) -> Section:
    """A histogram of the last of the sequences; the table has all of them."""
    values = list(by_name.values())[-1]
    width = bin_width(values) if values else 1
    counts = {name: binned(of_part, width) for name, of_part in by_name.items()}
    of_all = list(counts.values())[-1]
    rows = [
        (bin_label(start, width), *_shares(start, counts))
        for start in range(min(of_all, default=0), max(of_all, default=-1) + 1, width)
    ]
    plot = histogram(of_all, f"{title}: share of questions by {unit}", unit, width=width)
    return Section(title, text, Table((unit, *counts), rows), plot, source)


def _categories(title: str, source: str, text: str, names: Sequence[str], by_part: dict[str, Counter[str]]) -> Section:
    """Bars of the last of the counts; the table has all of them."""
    of_all = list(by_part.values())[-1]
    rows = [(name, *_shares(name, by_part)) for name in names]
    plot = bars([share_bar(name, of_all[name], of_all.total()) for name in names], f"{title}: share of questions")
    return Section(title, text, Table(("", *by_part), rows), plot, source)


def _kinds(by_name: dict[str, Statistics]) -> Section:
    text = "By the first token of the question; whom and whose count as who. The lines are 95% Wilson intervals."
    counts = {name: Counter(one.wh_words) for name, one in by_name.items()}
    return _categories("Kinds of question", "Figure 6", text, list(next(iter(counts.values()))), counts)


def _answer_types(parts: Sequence[Part]) -> Section:
    text = (
        "By rules on the words of the answer alone: rough, and meant for comparing datasets that are counted in the "
        "same way. The lines are 95% Wilson intervals."
    )
    counts = {
        part.name: Counter(answer_type(example.answer) for example in part.examples if example.answer is not None)
        for part in parts
    }
    return _categories("Types of answer", "Figure 8", text, ANSWER_TYPES, counts)


def _beginnings(whole: Part) -> Section:
    """The first three tokens of the questions; the table has the most frequent beginnings of each length."""
    paths = Counter(tuple(tokens(example.question)[:3]) for example in whole.examples)
    text = (
        "The first three tokens of the questions, from the middle outwards. A ring's piece is as wide as its beginning "
        "is frequent; pieces below 0.4% are left out."
    )
    beginnings: Counter[tuple[str, ...]] = Counter()
    for path, found in paths.items():
        for length in range(1, len(path) + 1):
            beginnings[path[:length]] += found
    rows = [
        (" ".join(beginning), share_cell(found, len(whole.examples)))
        for beginning, found in sorted(beginnings.items(), key=lambda one: (-one[1], one[0]))[:MOST_BEGINNINGS]
    ]
    table = Table(("beginning", "questions"), rows)
    plot = sunburst(paths, "Beginnings of the questions")
    return Section("First three tokens", text, table, plot, "Figures 11 to 14")


_Key = TypeVar("_Key", int, str)


def _shares(key: _Key, by_part: dict[str, Counter[_Key]]) -> list[str]:
    return [share_cell(counts[key], counts.total()) for counts in by_part.values()]
