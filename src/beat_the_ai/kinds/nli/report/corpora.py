"""Datasets of pairs: a campaign's, and files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from beat_the_ai.analysis.cells import mean, mean_cell, share_cell
from beat_the_ai.files.folders import parts_of
from beat_the_ai.kinds.nli.labels import LABELS
from beat_the_ai.kinds.nli.pairs import LabelledPair, read_any_pairs
from beat_the_ai.kinds.nli.report.errors import error_sections
from beat_the_ai.kinds.nli.report.inference import SCHEME, inference_section
from beat_the_ai.kinds.nli.report.pairs import Part, labelled_pair, read_part, read_parts
from beat_the_ai.kinds.nli.writing import Work
from beat_the_ai.rules import dataset
from beat_the_ai.rules.corpora import Item, LabelledWork, Scheme, Statistics
from beat_the_ai.rules.protocol import Context, Json, TaskItem
from beat_the_ai.statistics.section import Section, Table
from beat_the_ai.terms.division import EXCLUSIVE, TEST


class PairCorpora:
    """JSON Lines in any shape that `read_pairs` knows; a folder has train, dev and test."""

    scheme: ClassVar[Scheme] = SCHEME

    def introduction(self, path: Path) -> str:
        return f"A dataset of {sum(len(part.pairs) for part in read_parts(path)):,} pairs of premise and hypothesis."

    def sections(self, path: Path) -> Sequence[Section]:
        return part_sections(read_parts(path))

    def statistics(self, path: Path) -> Statistics:
        part = read_part(path)
        words = _words(part)
        figures = {
            "premises": len({each.pair.premise for each in part.pairs}),
            "pairs": len(part.pairs),
            "labels": dict(_labels(part)),
            "genres": dict(sorted(Counter(pair.genre for pair in part.pairs).items())),
            "hypothesis_words_mean": mean(words),
        }
        return Statistics(figures, part_sections([part]))

    def items(self, path: Path) -> Sequence[Item]:
        return [_item(pair) for part in read_parts(path) for pair in part.pairs]

    def item(self, example: dataset.Example) -> Item:
        return _item(labelled_pair(example))

    def works(self, path: Path) -> Sequence[LabelledWork]:
        parts = parts_of(path).parts
        files = [(file, name if len(parts) > 1 else "") for name, files in parts.items() for file in files]
        return [work for file, part in files for work in _works(file, part)]

    def groups(self, work: Json, task_item: TaskItem) -> Mapping[str, str]:
        genre = str(task_item.context.private.get("genre", ""))
        return {"label": work["target"], **({"genre": genre.replace("_", " ")} if genre else {})}

    def annotated(self, annotations: Mapping[str, Sequence[str]]) -> Section:
        return inference_section(annotations)


def _works(path: Path, part: str) -> Iterator[LabelledWork]:
    for labelled in read_any_pairs(path).pairs:
        context = Context(labelled.id, labelled.pair.premise, private={"genre": labelled.genre})
        marks = {"round": labelled.round, "skill": labelled.skill, "part": part}
        yield LabelledWork(
            f"{part}/{labelled.id}" if part else labelled.id,
            TaskItem(context, {"target": labelled.label}),
            Work(hypothesis=labelled.pair.hypothesis, target=labelled.label),
            {name: mark for name, mark in marks.items() if mark},
            None if labelled.model_label is None else labelled.model_label != labelled.label,
            labelled.is_plain,
        )


def pair_sections(parts: dataset.Parts, trials: Iterable[dataset.Trial]) -> list[Section]:
    """Return the sections on a campaign's dataset."""
    exclusive = [example for example in parts[TEST] if example.exclusive]
    named = {**parts, **({EXCLUSIVE: exclusive} if exclusive else {})}
    campaign = [Part.of_campaign(name, examples) for name, examples in named.items()]
    return [*part_sections(campaign), *error_sections(trials)]


def part_sections(parts: Sequence[Part]) -> list[Section]:
    """Sizes and labels, and genres."""
    header = ("part", "premises", "pairs", *LABELS, "words per hypothesis")
    rows = [
        (
            part.name,
            f"{len({each.pair.premise for each in part.pairs}):,}",
            f"{len(part.pairs):,}",
            *(share_cell(count, len(part.pairs)) for count in _labels(part).values()),
            mean_cell(_words(part)),
        )
        for part in parts
    ]
    text = "Distinct premises, pairs and their labels, with 95% Wilson intervals; means with 95% bootstrap intervals."
    genres = sorted({pair.genre for part in parts for pair in part.pairs})
    counts = {part.name: Counter(pair.genre for pair in part.pairs) for part in parts}
    by_genre = [(genre.replace("_", " "), *(f"{counts[part.name][genre]:,}" for part in parts)) for genre in genres]
    return [
        Section("Pairs and labels", text, Table(header, rows), source="Dataset statistics"),
        Section(
            "Pairs by genre",
            "By the genre of the premise.",
            Table(("genre", *(part.name for part in parts)), by_genre),
            source="Dataset statistics",
        ),
    ]


def _labels(part: Part) -> dict[str, int]:
    counts = Counter(pair.label for pair in part.pairs)
    return {label: counts[label] for label in LABELS}


def _words(part: Part) -> list[int]:
    return [len(each.pair.hypothesis.split()) for each in part.pairs]


def _item(labelled: LabelledPair) -> Item:
    return Item(labelled.id, labelled.pair.hypothesis, labelled.pair.premise, "Label", labelled.label)
