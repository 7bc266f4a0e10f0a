"""Datasets of pairs: a campaign's, and files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from beat_the_ai.analysis.cells import clustered_cell, clustered_mean_cell, clustered_words, mean, mean_cell
from beat_the_ai.files.folders import parts_of
from beat_the_ai.kinds.nli.label_names import NON_ENTAILMENT, GoldLabel
from beat_the_ai.kinds.nli.labels import LABELS
from beat_the_ai.kinds.nli.pairs import LabelledPair, read_any_pairs
from beat_the_ai.kinds.nli.report.attempts import Attempt, is_table, read_attempts
from beat_the_ai.kinds.nli.report.errors import error_figures, error_sections
from beat_the_ai.kinds.nli.report.examples import example_sections, of_campaign, of_files
from beat_the_ai.kinds.nli.report.groups import Group, Marks, grouped
from beat_the_ai.kinds.nli.report.inference import SCHEME, inference_sections
from beat_the_ai.kinds.nli.report.pairs import Part, labelled_pair, parts_with_notes, read_parts
from beat_the_ai.kinds.nli.writing import Work
from beat_the_ai.rules import dataset
from beat_the_ai.rules.corpora import Item, LabelledWork, PublishedDataset, PublishedFigure, Scheme, Statistics
from beat_the_ai.rules.protocol import Context, Json, TaskItem
from beat_the_ai.statistics.clustered import Clustered
from beat_the_ai.statistics.measures import Count, Mean, Rows, Share
from beat_the_ai.statistics.section import Section, Table
from beat_the_ai.terms.division import EXCLUSIVE, PARTS, TEST

SIZES = "Pairs and labels"
PairOfPart = tuple[str, LabelledPair]


class PairCorpora:
    """Files in any shape that `read_pairs` knows; a folder has train, dev and test, or rounds with these.

    Of an export's folder the attempts are read too, and they can be read alone.
    """

    scheme: ClassVar[Scheme] = SCHEME
    published: ClassVar[Sequence[PublishedDataset]] = tuple(
        PublishedDataset(name, {(SIZES, "pairs"): PublishedFigure(pairs, "Dataset statistics")})
        for name, pairs in (("A1", "about 19,000"), ("A2", "about 47,000"), ("A3", "over 103,000"))
    )

    def introduction(self, path: Path) -> str:
        if is_table(path):
            return f"A table of {len(read_attempts(path)):,} attempts of a campaign."
        parts, notes = parts_with_notes(path)
        pairs = sum(len(part.pairs) for part in parts)
        return " ".join((f"A dataset of {pairs:,} pairs of premise and hypothesis.", *notes))

    def sections(self, path: Path) -> Sequence[Section]:
        return _sections([] if is_table(path) else read_parts(path), read_attempts(path))

    def statistics(self, path: Path) -> Statistics:
        parts, notes = ([], []) if is_table(path) else parts_with_notes(path)
        attempts = read_attempts(path)
        figures = {
            **(_figures(parts) if parts else {}),
            **({"attempts": error_figures(_trials(attempts))} if attempts else {}),
        }
        return Statistics(figures, _sections(parts, attempts), notes)

    def items(self, path: Path) -> Mapping[str, Sequence[Item]]:
        return {part.name: [_item(pair) for pair in part.pairs] for part in read_parts(path)}

    def item(self, example: dataset.Example) -> Item:
        return _item(labelled_pair(example))

    def works(self, path: Path) -> Sequence[LabelledWork]:
        pairs, is_divided = read_any_pairs(path).pairs, len(parts_of(path).parts) > 1
        return [_labelled_work(labelled, labelled.part if is_divided else "") for labelled in pairs]

    def notes(self, path: Path) -> Sequence[str]:
        return read_any_pairs(path).notes

    def groups(self, work: Json, task_item: TaskItem) -> Mapping[str, str]:
        genre = str(task_item.context.private.get("genre", ""))
        return {"label": work["target"], **({"genre": genre.replace("_", " ")} if genre else {})}

    def annotated(self, annotations: Mapping[str, Sequence[str]], items: Sequence[Item]) -> Sequence[Section]:
        return inference_sections(annotations, items)


def _labelled_work(labelled: LabelledPair, part: str) -> LabelledWork:
    context = Context(labelled.id, labelled.pair.premise, private={"genre": labelled.genre})
    marks = {"round": labelled.round, "skill": labelled.skill, "part": part}
    return LabelledWork(
        f"{part}/{labelled.id}" if part else labelled.id,
        TaskItem(context, {"target": labelled.target}),
        Work(hypothesis=labelled.pair.hypothesis, target=labelled.target),
        {name: mark for name, mark in marks.items() if mark},
        None if labelled.model_label is None else labelled.model_label != labelled.label,
        labelled.is_plain,
        cluster=labelled.pair.premise,
    )


def _sections(parts: Sequence[Part], attempts: Sequence[Attempt]) -> list[Section]:
    return [
        *part_sections(parts),
        *error_sections(_trials(attempts)),
        *example_sections(of_files(parts, attempts)),
    ]


def _trials(attempts: Iterable[Attempt]) -> list[dataset.Trial]:
    return [attempt.trial for attempt in attempts if attempt.is_trial]


def _figures(parts: Sequence[Part]) -> dict[str, Any]:
    whole = [pair for part in parts for pair in part.pairs]
    return {
        "premises": len(_premises(whole)),
        "pairs": len(whole),
        "labels": _labels(whole),
        "genres": dict(sorted(Counter(pair.genre for pair in whole).items())),
        "hypothesis_words_mean": mean(_words(whole)),
        "groups": [_group_figures(group, pairs) for group, pairs in _groups(parts).items()],
    }


def pair_sections(parts: dataset.Parts, trials: Iterable[dataset.Trial]) -> list[Section]:
    """Return the sections on a campaign's dataset."""
    campaign = [Part.of_campaign(name, examples) for name, examples in parts.items()]
    return [*part_sections(campaign), *error_sections(trials), *example_sections(of_campaign(parts))]


def part_sections(parts: Sequence[Part]) -> list[Section]:
    """Return sizes and labels; and both by round, genre and writers, as far as that is known."""
    groups = _groups(parts)
    sections = [] if not parts else [_by_part([*parts, *_of_exclusive_writers(parts)])]
    return [*sections, *_by_group(parts, groups)] if groups else sections


def _of_exclusive_writers(parts: Iterable[Part]) -> list[Part]:
    """Return their part of test, if there is one."""
    pairs = [pair for part in parts if part.name == TEST for pair in part.pairs if pair.exclusive]
    return [Part(EXCLUSIVE, pairs)] if pairs else []


def _by_part(parts: Sequence[Part]) -> Section:
    labels = _names_of({pair.label for part in parts for pair in part.pairs})
    header = ("part", "premises", "pairs", *labels, "words per hypothesis")
    rows = [
        (
            part.name,
            f"{len(_premises(part.pairs)):,}",
            f"{len(part.pairs):,}",
            *_label_cells(part.pairs, labels),
            clustered_mean_cell(Clustered.of_values(_words(part.pairs), _premise_of_each(part.pairs))),
        )
        for part in parts
    ]
    text = f"Distinct premises, pairs and their labels. {_intervals(parts)}"

    def measures() -> Rows:
        return _measures([part for part in parts if part.name != EXCLUSIVE])

    pairs = [pair for part in parts if part.name != EXCLUSIVE for pair in part.pairs]
    headline = f"{len(pairs):,} pairs on {len(_premises(pairs)):,} premises"
    return Section(SIZES, text, Table(header, rows), None, "Dataset statistics", measures, headline)


def _measures(parts: Sequence[Part]) -> Rows:
    """Return the sizes of each part, and labels and lengths of all, by premise."""
    pairs = [pair for part in parts for pair in part.pairs]
    premises = _premise_of_each(pairs)
    named = {**{f", {part.name}": part.pairs for part in parts if part.name in PARTS}, "": pairs}
    words = [len(each.pair.hypothesis.split()) for each in pairs]
    counts = _label_counts(pairs, _names_of({pair.label for pair in pairs}))
    return Rows(
        [
            *(Count(f"premises{part}", len(_premises(of))) for part, of in named.items()),
            *(Count(f"pairs{part}", len(of)) for part, of in named.items()),
            *(Share(name, round(of.found), len(pairs), of) for name, of in counts.items()),
            Mean("words per hypothesis", words, Clustered.of_values(words, premises)),
        ]
    )


def _groups(parts: Iterable[Part]) -> dict[Group, list[PairOfPart]]:
    """Return the pairs with their parts by round, genre and writers; nothing where files tell none of these."""
    pairs = [(part.name, pair) for part in parts for pair in part.pairs]
    if not any(pair.groups.keys() & {"round", "genre", "exclusive"} for _, pair in pairs):
        return {}
    return grouped((Marks(pair.round, pair.genre, pair.exclusive or False), (part, pair)) for part, pair in pairs)


def _by_group(parts: Sequence[Part], groups: Mapping[Group, Sequence[PairOfPart]]) -> list[Section]:
    """Return sizes, and labels."""
    sizes, labels = [], []
    named = _names_of({pair.label for part in parts for pair in part.pairs})
    for group, members in groups.items():
        pairs, counts = [pair for _, pair in members], Counter(part for part, _ in members)
        characters = _characters(pairs)
        sizes.append(
            (
                *group.cells,
                f"{len(characters):,}",
                *(f"{counts[part.name]:,}" for part in parts),
                mean_cell(characters, 0),
                f"{min(characters):,} to {max(characters):,}",
            )
        )
        cells = _label_cells(pairs, named)
        labels.append((*group.cells, f"{len(pairs):,}", *cells, clustered_cell(_model_wrong(pairs))))
    grouping = (
        "By the round, the genre of the premise, and writers whose work is in the test part alone, as far as known."
    )
    of_sizes = (
        f"{grouping} Distinct premises, their mean length with its 95% bootstrap interval (each premise stands alone), "
        "and pairs of each part."
    )
    of_labels = (
        f"{grouping} The model in the loop is wrong of pairs to which it gave another label, of those whose answer is "
        f"known. {_intervals(parts)}"
    )
    names = [part.name for part in parts]
    header = ("round", "genre", "premises", *names, "characters per premise", "shortest to longest")
    of_label = ("round", "genre", "pairs", *named, "model in the loop wrong")
    return [
        Section("Pairs by round and genre", of_sizes, Table(header, sizes), source="Dataset statistics"),
        Section("Labels by round and genre", of_labels, Table(of_label, labels), source="Dataset statistics"),
    ]


def _group_figures(group: Group, members: Sequence[PairOfPart]) -> dict[str, Any]:
    pairs = [pair for _, pair in members]
    wrong = _model_wrong(pairs)
    return {
        "round": group.round,
        "genre": group.name,
        "premises": len(_premises(pairs)),
        "pairs": len(pairs),
        "labels": _labels(pairs),
        "model_wrong": round(wrong.found),
        "model_answers": round(wrong.of),
        "premise_characters_mean": mean(characters := _characters(pairs)),
        "premise_characters": [min(characters), max(characters)],
    }


def _premises(pairs: Iterable[LabelledPair]) -> set[str]:
    return {each.pair.premise for each in pairs}


def _characters(pairs: Iterable[LabelledPair]) -> list[int]:
    """Return the lengths of the distinct premises."""
    return list(map(len, _premises(pairs)))


def _model_wrong(pairs: Iterable[LabelledPair]) -> Clustered:
    """Return by premise to how many pairs the model in the loop gave another label, of those with a known answer."""
    answered = [each for each in pairs if each.model_label is not None]
    return Clustered.of_values((each.model_label != each.label for each in answered), _premise_of_each(answered))


def _label_cells(pairs: Sequence[LabelledPair], labels: Sequence[GoldLabel]) -> list[str]:
    return list(map(clustered_cell, _label_counts(pairs, labels).values()))


def _label_counts(pairs: Sequence[LabelledPair], labels: Sequence[GoldLabel]) -> dict[GoldLabel, Clustered]:
    return Clustered.of_things((pair.label for pair in pairs), _premise_of_each(pairs), labels)


def _premise_of_each(pairs: Iterable[LabelledPair]) -> list[str]:
    return [each.pair.premise for each in pairs]


def _intervals(parts: Iterable[Part]) -> str:
    """Say where the intervals of pairs come from."""
    premises = (premise for part in parts for premise in _premises(part.pairs))
    return clustered_words((Clustered(dict.fromkeys(premises, (0, 1))), "premises"))


def _labels(pairs: Iterable[LabelledPair]) -> dict[str, int]:
    counts = Counter(pair.label for pair in pairs)
    return {label: counts[label] for label in _names_of(counts)}


def _names_of(labels: Iterable[GoldLabel]) -> Sequence[GoldLabel]:
    """Return the labels that a dataset has: three, or two as HANS."""
    return (LABELS[0], NON_ENTAILMENT) if NON_ENTAILMENT in labels else LABELS


def _words(pairs: Iterable[LabelledPair]) -> list[int]:
    return [len(each.pair.hypothesis.split()) for each in pairs]


def _item(labelled: LabelledPair) -> Item:
    return Item(labelled.id, labelled.pair.hypothesis, labelled.pair.premise, "Label", labelled.label, labelled.round)
