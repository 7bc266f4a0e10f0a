"""Datasets of questions: a campaign's, and files that anybody has made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from beat_the_ai.analysis.breakdown import Breakdown, figures_of
from beat_the_ai.dataset.exported_tables import groups_beside
from beat_the_ai.files.folders import parts_of
from beat_the_ai.kinds.reading_comprehension import squad
from beat_the_ai.kinds.reading_comprehension.question_files import read_answerable
from beat_the_ai.kinds.reading_comprehension.report.comprehension import SCHEME, requirements_section
from beat_the_ai.kinds.reading_comprehension.report.examples import Example, Part, read_part, read_parts
from beat_the_ai.kinds.reading_comprehension.report.groups import question_groups
from beat_the_ai.kinds.reading_comprehension.report.measured import KINDS, MEANS, measured_questions
from beat_the_ai.kinds.reading_comprehension.report.published import published_datasets
from beat_the_ai.kinds.reading_comprehension.report.sections import dataset_sections
from beat_the_ai.kinds.reading_comprehension.report.statistics import statistics
from beat_the_ai.kinds.reading_comprehension.writing import Span, Work
from beat_the_ai.rules import dataset
from beat_the_ai.rules.corpora import Item, LabelledWork, PublishedDataset, Scheme, Statistics
from beat_the_ai.rules.protocol import Context, Json, TaskItem
from beat_the_ai.statistics.figure import Estimate
from beat_the_ai.statistics.section import Section, Table

PLAIN = "lookup"  # the skill that a question asks for when its answer stands there in its own words


@dataclass(frozen=True)
class QuestionCorpora:
    """SQuAD v1.1 JSON, or JSON Lines in the columns of AdversarialQA; a folder has train, dev and test of either.

    Kinds of question and types of answer are counted where the questions are `english`.
    """

    english: bool = True

    scheme: ClassVar[Scheme] = SCHEME

    @property
    def published(self) -> Sequence[PublishedDataset]:
        return published_datasets()

    def introduction(self, path: Path) -> str:
        questions = sum(len(part.examples) for part in read_parts(path))
        return f"A dataset of {questions:,} questions."

    def sections(self, path: Path) -> Sequence[Section]:
        return dataset_sections(read_parts(path), english=self.english)

    def statistics(self, path: Path) -> Statistics:
        """Return Tables 3 and 4, and Figure 6. Only a question's first answer counts."""
        part = read_part(path)
        found = statistics(part)
        measured = measured_questions(part, found, english=self.english)
        figures = Breakdown(measured.with_groups(groups_beside(path, "DATASET")))
        of_all = figures.total.figures
        rows = [
            ("passages", f"{found.passages:,}", ""),
            ("questions", f"{found.questions:,}", ""),
            *((each.label, *_cells(of_all.get(each.name), "{:.4f}", "{:.2f} to {:.2f}")) for each in MEANS),
        ]
        kinds = [
            (word, f"{count:,}", *_cells(of_all.get(KINDS[word].name), "{:.1f}%", "{:.1f}% to {:.1f}%"))
            for word, count in found.wh_words.items()
        ]
        header = ("begins with", "questions", "share", "95% interval")
        return Statistics(
            {**found.as_json(), **figures_of(figures.total), "groups": figures.group_rows},
            [
                Section(
                    "Sizes and means", figures.intervals, Table(("", "", "95% interval"), rows), source="Tables 3 and 4"
                ),
                Section("Kinds of question", figures.intervals, Table(header, kinds), source="Figure 6"),
                figures.section,
            ],
        )

    def items(self, path: Path) -> Mapping[str, Sequence[Item]]:
        return {part.name: [_item(example) for example in part.examples] for part in read_parts(path)}

    def item(self, example: dataset.Example) -> Item:
        return _item(_example(example))

    def works(self, path: Path) -> Sequence[LabelledWork]:
        """Return each question with its first answer. Of those with a skill the lookups are plain."""
        passages, is_divided = squad.load(path), len(parts_of(path).parts) > 1
        return [work for passage in passages for work in _works(passage, passage.part if is_divided else "")]

    def notes(self, path: Path) -> Sequence[str]:
        return read_answerable(path).notes

    def groups(self, work: Json, _piece: TaskItem) -> Mapping[str, str]:
        return question_groups(work["question"], work["answer"]["text"]) if self.english else {}

    def annotated(self, annotations: Mapping[str, Sequence[str]], items: Sequence[Item]) -> Sequence[Section]:
        return [requirements_section(annotations, {item.id: item.text for item in items})]


def _works(passage: squad.Passage, part: str) -> Iterator[LabelledWork]:
    task_item = TaskItem(Context(passage.id, passage.text, passage.title))
    for question in passage.questions:
        for answer in question.answers[:1]:
            work = Work(question=question.text, answer=Span(text=answer.text, start=answer.start))
            groups = {**question.marks, **({"part": part} if part else {})}
            is_plain = question.marks.get("skill", PLAIN) == PLAIN
            name = f"{part}/{question.id}" if part else question.id
            yield LabelledWork(name, task_item, work, groups, None, is_plain, cluster=passage.text)


def question_sections(english: bool, parts: dataset.Parts, _trials: Iterable[dataset.Trial]) -> list[Section]:
    """Return the sections on a campaign's dataset, whose questions are English or not."""
    read = []
    for name, examples in parts.items():
        part = Part(name)
        for one in examples:
            part.add(_example(one))
        read.append(part)
    return dataset_sections(read, english=english)


def _example(one: dataset.Example) -> Example:
    answer = one.work["answer"]
    return Example(one.id, one.context.text, one.work["question"], answer["text"], answer["start"])


def _item(example: Example) -> Item:
    answer = "none" if example.answer is None else example.answer
    return Item(example.id, example.question, example.context, "Answer", answer)


def _cells(estimate: Estimate | None, value: str, interval: str) -> tuple[str, str]:
    if estimate is None:
        return "–", ""
    return value.format(estimate.value), "" if estimate.interval is None else interval.format(*estimate.interval)
