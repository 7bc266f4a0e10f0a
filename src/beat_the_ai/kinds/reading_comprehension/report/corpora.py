"""Datasets of questions: a campaign's, and files that anybody has made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from beat_the_ai.analysis.cells import mean
from beat_the_ai.files.folders import parts_of
from beat_the_ai.kinds.reading_comprehension import squad
from beat_the_ai.kinds.reading_comprehension.report.answer_types import answer_type
from beat_the_ai.kinds.reading_comprehension.report.comprehension import SCHEME, requirements_section
from beat_the_ai.kinds.reading_comprehension.report.examples import Example, Part, read_part, read_parts
from beat_the_ai.kinds.reading_comprehension.report.sections import dataset_sections
from beat_the_ai.kinds.reading_comprehension.report.statistics import statistics
from beat_the_ai.kinds.reading_comprehension.report.words import wh_word
from beat_the_ai.kinds.reading_comprehension.writing import Span, Work
from beat_the_ai.rules import dataset
from beat_the_ai.rules.corpora import Item, LabelledWork, Scheme, Statistics
from beat_the_ai.rules.protocol import Context, Json, TaskItem
from beat_the_ai.statistics.bootstrap import bootstrap_mean
from beat_the_ai.statistics.intervals import wilson
from beat_the_ai.statistics.section import Section, Table

PLAIN = "lookup"  # the skill that a question asks for when its answer stands there in its own words


@dataclass(frozen=True)
class QuestionCorpora:
    """SQuAD v1.1 JSON, or JSON Lines in the columns of AdversarialQA; a folder has train, dev and test of either.

    Kinds of question and types of answer are counted where the questions are `english`.
    """

    english: bool = True

    scheme: ClassVar[Scheme] = SCHEME

    def introduction(self, path: Path) -> str:
        questions = sum(len(part.examples) for part in read_parts(path))
        return f"A dataset of {questions:,} questions."

    def sections(self, path: Path) -> Sequence[Section]:
        return dataset_sections(read_parts(path), english=self.english)

    def statistics(self, path: Path) -> Statistics:
        """Tables 3 and 4, and Figure 6. Only a question's first answer counts."""
        found = statistics(read_part(path))
        sizes = [("passages", f"{found.passages:,}", ""), ("questions", f"{found.questions:,}", "")]
        means = {
            "words per question": found.question_words,
            "words per answer": found.answer_words,
            "longest n-gram overlap": found.longest_ngram_overlap,
        }
        rows = [*sizes, *((name, *_mean_cells(values)) for name, values in means.items())]
        kinds = [(word, f"{count:,}", *_share_cells(count, found.questions)) for word, count in found.wh_words.items()]
        return Statistics(
            found.as_json(),
            [
                Section("Sizes and means", "", Table(("", "", "95% interval"), rows), source="Tables 3 and 4"),
                Section(
                    "Kinds of question",
                    "",
                    Table(("begins with", "questions", "share", "95% interval"), kinds),
                    source="Figure 6",
                ),
            ],
        )

    def items(self, path: Path) -> Sequence[Item]:
        return [_item(example) for part in read_parts(path) for example in part.examples]

    def item(self, example: dataset.Example) -> Item:
        return _item(_example(example))

    def works(self, path: Path) -> Sequence[LabelledWork]:
        """Each question with its first answer. Of those with a skill the lookups are plain."""
        parts = parts_of(path).parts
        files = [(file, name if len(parts) > 1 else "") for name, files in parts.items() for file in files]
        return [work for file, part in files for work in _works(file, part)]

    def groups(self, work: Json, _piece: TaskItem) -> Mapping[str, str]:
        if not self.english:
            return {}
        return {"begins with": wh_word(work["question"]), "type of answer": answer_type(work["answer"]["text"])}

    def annotated(self, annotations: Mapping[str, Sequence[str]]) -> Section:
        return requirements_section(annotations)


def _works(path: Path, part: str) -> Iterator[LabelledWork]:
    for passage in squad.load(path):
        task_item = TaskItem(Context(passage.id, passage.text, passage.title))
        for question in passage.questions:
            for answer in question.answers[:1]:
                work = Work(question=question.text, answer=Span(text=answer.text, start=answer.start))
                groups = {**question.marks, **({"part": part} if part else {})}
                is_plain = question.marks.get("skill", PLAIN) == PLAIN
                yield LabelledWork(
                    f"{part}/{question.id}" if part else question.id, task_item, work, groups, None, is_plain
                )


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
    return Example(one.id, one.context.text, one.work["question"], one.work["answer"]["text"])


def _item(example: Example) -> Item:
    answer = "none" if example.answer is None else example.answer
    return Item(example.id, example.question, example.context, "Answer", answer)


def _mean_cells(values: Sequence[int]) -> tuple[str, str]:
    average = mean(values)
    if average is None:
        return "–", ""
    low, high = bootstrap_mean(values)
    return f"{average:.4f}", f"{low:.2f} to {high:.2f}"


def _share_cells(count: int, total: int) -> tuple[str, str]:
    if not total:
        return "–", ""
    low, high = wilson(count, total)
    return f"{count / total:.1%}", f"{low:.1%} to {high:.1%}"
