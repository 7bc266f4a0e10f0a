"""Datasets of a kind of task in files, whoever made them: their reports, and samples that people annotate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from beat_the_ai.rules.dataset import Example
from beat_the_ai.rules.protocol import Json, TaskItem, Value
from beat_the_ai.statistics.section import Section


@dataclass(frozen=True)
class Item:
    """Something to annotate: a heading, a text, and another one with its name."""

    id: str
    heading: str
    text: str
    name: str
    value: str


@dataclass(frozen=True)
class Scheme:
    """The scheme of annotating an item: one to `most` of `labels`, `{name: meaning}`.

    `subject` is what annotators look for, `task` tells them what to do, `prompt` stands over the labels.
    """

    subject: str
    task: str
    prompt: str
    labels: Mapping[str, str]
    most: int


@dataclass(frozen=True)
class Statistics:
    """The figures that papers print of a dataset: `figures` for programs, `sections` for people."""

    figures: Json
    sections: Sequence[Section]


@dataclass(frozen=True)
class LabelledWork:
    """A work of a file, whose right answer or label is known, and which a model can be asked. `id` is unique there.

    `groups` are what the file says of it: `{"round": "R1"}`. `fooled`: whether it beat the model that it was written
    against, where the file tells. `is_plain` is false of what the file calls anything but ordinary.
    """

    id: str
    task_item: TaskItem
    work: Value
    groups: Mapping[str, str] = field(default_factory=dict)
    fooled: bool | None = None
    is_plain: bool = True


class Corpora(Protocol):
    """All raise `InvalidInput` that names the file, the line or place, and what is wrong with it."""

    @property
    def scheme(self) -> Scheme: ...

    def introduction(self, path: Path) -> str:
        """Return a description of a dataset in a sentence."""

    def sections(self, path: Path) -> Sequence[Section]:
        """A report of the file, or of the folder of parts."""

    def statistics(self, path: Path) -> Statistics:
        """Return the statistics of one file."""

    def items(self, path: Path) -> Sequence[Item]:
        """All that can be annotated there."""

    def item(self, example: Example) -> Item:
        """The same of a campaign's example."""

    def works(self, path: Path) -> Sequence[LabelledWork]:
        """All of the file, or of the folder of parts, that have an answer or a label."""

    def groups(self, work: Json, task_item: TaskItem) -> Mapping[str, str]:
        """Return the group of a work in each of the kind's own divisions: `{"begins with": "who"}`."""

    def annotated(self, annotations: Mapping[str, Sequence[str]]) -> Section:
        """Return a report's section on annotations, `{id: labels}`."""
