"""The sections of a report on questions about passages: Tables 1, 3 and 4, Figures 4, 6 to 9 and 11 to 14."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby

from beat_the_ai.analysis.cells import (
    bin_label,
    bin_width,
    binned,
    clustered_bar,
    clustered_cell,
    clustered_spread_cell,
    clustered_words,
)
from beat_the_ai.analysis.drawings import bars, histogram, sunburst
from beat_the_ai.kinds.reading_comprehension.report.answer_types import ANSWER_TYPES, answer_type
from beat_the_ai.kinds.reading_comprehension.report.examples import Part
from beat_the_ai.kinds.reading_comprehension.report.shown import examples_section
from beat_the_ai.kinds.reading_comprehension.report.statistics import Statistics, statistics
from beat_the_ai.kinds.reading_comprehension.report.words import OTHER, WH_WORDS, tokens, wh_word
from beat_the_ai.statistics.clustered import Clustered
from beat_the_ai.statistics.measures import Count, Distribution, Mean, Ranking, Rows, Share
from beat_the_ai.statistics.section import Section, Table
from beat_the_ai.terms.division import PARTS

MOST_BEGINNINGS = 50
_Contexts = Mapping[str, Sequence[str]]
"""The passage of each question, or of each one with an answer, by part."""


def dataset_sections(parts: Sequence[Part], *, english: bool = True) -> list[Section]:
    """Return Tables 1, 3 and 4, Figures 4, 6 to 9 and 11 to 14, of a dataset given by its parts.

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
    every = {part.name: part for part in (*parts, whole) if part.name in by_name}
    contexts = {name: [example.context for example in part.examples] for name, part in every.items()}
    answered = {
        name: [example.context for example in part.examples if example.answer is not None]
        for name, part in every.items()
    }
    return [
        _sizes(by_name),
        _means(by_name, contexts, answered),
        examples_section(parts),
        _distribution(
            "Longest n-gram overlap",
            "Figure 4, §3.4",
            "How many tokens in a row a question shares with its passage. The more, the easier it is to find the "
            "answer by its words alone.",
            "tokens",
            {name: one.longest_ngram_overlap for name, one in by_name.items()},
            contexts,
        ),
        *([_kinds(every, contexts)] if english else []),
        _beginnings(whole),
        _distribution(
            "Length of questions",
            "Figure 7, Appendix A",
            "Words between white space.",
            "words",
            {name: one.question_words for name, one in by_name.items()},
            contexts,
        ),
        *([_answer_types(every, answered)] if english else []),
        _distribution(
            "Length of answers",
            "Figure 9, Appendix A",
            "Words between white space.",
            "words",
            {name: one.answer_words for name, one in by_name.items()},
            answered,
        ),
    ]


def _sizes(by_name: dict[str, Statistics]) -> Section:
    rows = [(name, f"{one.passages:,}", f"{one.questions:,}") for name, one in by_name.items()]
    text = "Distinct passages, and questions with their answers."
    parts = {**{f", {name}": by_name[name] for name in PARTS if name in by_name}, "": list(by_name.values())[-1]}

    def measures() -> Rows:
        passages = [Count(f"passages{part}", one.passages) for part, one in parts.items()]
        return Rows([*passages, *(Count(f"questions{part}", one.questions) for part, one in parts.items())])

    table = Table(("part", "passages", "questions"), rows)
    whole = parts[""]
    headline = f"{whole.questions:,} questions on {whole.passages:,} passages"
    return Section("Passages and questions", text, table, None, "Table 3, §3.4", measures, headline)


def _means(by_name: dict[str, Statistics], contexts: _Contexts, answered: _Contexts) -> Section:
    header = ("part", "words per question", "words per answer", "longest n-gram overlap")
    rows: list[tuple[str, ...]] = []
    means: list[Mean] = []
    for name, one in by_name.items():
        columns = (
            (one.question_words, contexts[name]),
            (one.answer_words, answered[name]),
            (one.longest_ngram_overlap, contexts[name]),
        )
        cells, means = [name], []
        for column, (values, passages) in zip(header[1:], columns, strict=True):
            sums = Clustered.of_values(values, passages)
            cells.append(clustered_spread_cell(values, sums))
            means.append(Mean(column, values, sums))
        rows.append(tuple(cells))
    text = f"Means with standard deviations. {_intervals(contexts)}"
    return Section(
        "Mean lengths and overlap", text, Table(header, rows), source="Table 4, §3.4", measures=lambda: Rows(means)
    )


def _intervals(contexts: _Contexts) -> str:
    """Say where the intervals of figures of questions come from."""
    *_, of_all = contexts.values()
    return clustered_words((Clustered.of_values((0 for _ in of_all), of_all), "passages"))


def _distribution(
    title: str, source: str, text: str, unit: str, by_name: dict[str, Sequence[int]], contexts: _Contexts
) -> Section:
    """Return a table of all sequences, and a histogram of the last. `contexts` has the passages of each."""
    values, passages = list(by_name.values())[-1], list(contexts.values())[-1]
    width = bin_width(values) if values else 1
    of_all = binned(values, width)
    starts = range(min(of_all, default=0), max(of_all, default=-1) + 1, width)
    shares = {
        name: Clustered.of_things((value // width * width for value in of_part), contexts[name], starts)
        for name, of_part in by_name.items()
    }
    rows = [(bin_label(start, width), *(clustered_cell(of[start]) for of in shares.values())) for start in starts]
    plot = histogram(of_all, f"{title}: share of questions by {unit}", unit, width=width)

    def measures() -> Distribution:
        return Distribution(unit, values, passages)

    return Section(title, f"{text} {_intervals(contexts)}", Table((unit, *shares), rows), plot, source, measures)


def _categories(
    title: str, source: str, text: str, names: Sequence[str], by_part: Mapping[str, Sequence[str]], contexts: _Contexts
) -> Section:
    """Return a table of all parts, whose questions are of these categories, and bars of the last."""
    shares = {part: Clustered.of_things(found, contexts[part], names) for part, found in by_part.items()}
    of_all = list(shares.values())[-1]
    rows = [(name, *(clustered_cell(of[name]) for of in shares.values())) for name in names]
    plot = bars([clustered_bar(name, share) for name, share in of_all.items()], f"{title}: share of questions")

    def measures() -> Rows:
        return Rows([Share(name, round(of.found), round(of.of), of) for name, of in of_all.items()])

    return Section(title, f"{text} {_intervals(contexts)}", Table(("", *shares), rows), plot, source, measures)


def _kinds(parts: Mapping[str, Part], contexts: _Contexts) -> Section:
    text = "By the first token of the question; whom and whose count as who."
    kinds = {name: [wh_word(example.question) for example in part.examples] for name, part in parts.items()}
    return _categories("Kinds of question", "Figure 6, §3.4", text, (*WH_WORDS, OTHER), kinds, contexts)


def _answer_types(parts: Mapping[str, Part], answered: _Contexts) -> Section:
    text = (
        "By rules on the words of the answer alone: rough, and meant for comparing datasets that are counted in the "
        "same way."
    )
    types = {
        name: [answer_type(example.answer) for example in part.examples if example.answer is not None]
        for name, part in parts.items()
    }
    return _categories("Types of answer", "Figure 8, §3.4", text, ANSWER_TYPES, types, answered)


def _beginnings(whole: Part) -> Section:
    """Return the first three tokens of the questions; the table has the most frequent beginnings of each length."""
    paths = Counter(tuple(tokens(example.question)[:3]) for example in whole.examples)
    contexts = [example.context for example in whole.examples]
    text = (
        "The first three tokens of the questions, from the middle outwards. A ring's piece is as wide as its beginning "
        f"is frequent; pieces below 0.4% are left out. {_intervals({whole.name: contexts})}"
    )
    beginnings: Counter[tuple[str, ...]] = Counter()
    for path, found in paths.items():
        for length in range(1, len(path) + 1):
            beginnings[path[:length]] += found
    most = sorted(beginnings.items(), key=lambda one: (-one[1], one[0]))[:MOST_BEGINNINGS]
    shares = _begun([tokens(example.question)[:3] for example in whole.examples], contexts, [each for each, _ in most])
    rows = [(" ".join(beginning), clustered_cell(share)) for beginning, share in shares.items()]
    table = Table(("beginning", "questions"), rows)
    plot = sunburst(paths, "Beginnings of the questions")

    def measures() -> Ranking:
        first = [tokens(example.question)[:3] for example in whole.examples]
        begun = [[" ".join(each[:length]) for length in range(1, len(each) + 1)] for each in first]
        return Ranking(begun, [example.context for example in whole.examples], MOST_BEGINNINGS)

    return Section("First three tokens", text, table, plot, "Figures 11 to 14, Appendix A", measures)


def _begun(
    first: Sequence[Sequence[str]], contexts: Sequence[str], shown: Sequence[tuple[str, ...]]
) -> dict[tuple[str, ...], Clustered]:
    """Return the share of questions with each beginning."""
    by_length = {
        length: Clustered.of_things((tuple(each[:length]) for each in first), contexts, list(of_length))
        for length, of_length in groupby(sorted(shown, key=len), key=len)
    }
    return {beginning: by_length[len(beginning)][beginning] for beginning in shown}
