"""Datasets of a kind of task in files, whoever made them: their reports, and samples that people annotate."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from beat_the_ai.files.records import Record
from beat_the_ai.rules.dataset import Example
from beat_the_ai.rules.protocol import Json, TaskItem, Value
from beat_the_ai.statistics.section import Section


@dataclass(frozen=True)
class Item:
    """Something to annotate: a heading, a text, and another one with its name. `round` may be empty."""

    id: str
    heading: str
    text: str
    name: str
    value: str
    round: str = ""


@dataclass(frozen=True)
class Scheme:
    """The scheme of annotating an item: one to `most` of `labels`, `{name: meaning}`.

    `subject` is what annotators look for, `task` tells them what to do, `prompt` stands over the labels. `within` has
    finer labels of a label, as many as one likes; `finer` is how they are written. `published` reads the labels of
    each id from a table of other annotators.
    """

    subject: str
    task: str
    prompt: str
    labels: Mapping[str, str]
    most: int
    within: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    published: Callable[[Sequence[Record]], Mapping[str, list[str]]] | None = None

    @staticmethod
    def finer(label: str, name: str) -> str:
        return f"{label}: {name}"

    @property
    def parents(self) -> Mapping[str, str]:
        """Return the label of each finer one, as they are written."""
        return {self.finer(label, name): label for label, names in self.within.items() for name in names}


@dataclass(frozen=True)
class Statistics:
    """The figures that papers print of a dataset: `figures` for programs, `sections` for people.

    `notes` are sentences that belong beside both, such as the count of what is left out.
    """

    figures: Json
    sections: Sequence[Section]
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class LabelledWork:
    """A work of a file, whose right answer or label is known, and which a model can be asked. `id` is unique there.

    `groups` are what the file says of it: `{"round": "R1"}`. `fooled`: whether it beat the model that it was written
    against, where the file tells. `is_plain` is false of what the file calls anything but ordinary. Works of the same
    `cluster`, such as questions about one passage, are not independent; a work without one is.
    """

    id: str
    task_item: TaskItem
    work: Value
    groups: Mapping[str, str] = field(default_factory=dict)
    fooled: bool | None = None
    is_plain: bool = True
    cluster: str = ""


@dataclass(frozen=True)
class PublishedFigure:
    """A figure as a paper's text has it, and the place there."""

    value: str
    place: str


@dataclass(frozen=True)
class PublishedDataset:
    """A dataset of the kind's paper: its figures by the titles of sections and the names of their measures."""

    name: str
    figures: Mapping[tuple[str, str], PublishedFigure]


class Corpora(Protocol):
    """All raise `InvalidInput` that names the file, the line or place, and what is wrong with it."""

    @property
    def scheme(self) -> Scheme: ...

    @property
    def published(self) -> Sequence[PublishedDataset]:
        """Return the datasets of the kind's paper, as far as the text of the paper has figures of them."""

    def introduction(self, path: Path) -> str:
        """Return a description of a dataset in a sentence."""

    def sections(self, path: Path) -> Sequence[Section]:
        """A report of the file, or of the folder of parts."""

    def statistics(self, path: Path) -> Statistics:
        """Return the statistics of one file, or of all parts of a folder."""

    def items(self, path: Path) -> Mapping[str, Sequence[Item]]:
        """All that can be annotated there, by part."""

    def item(self, example: Example) -> Item:
        """The same of a campaign's example."""

    def works(self, path: Path) -> Sequence[LabelledWork]:
        """All of the file, or of the folder of parts, that have an answer or a label."""

    def notes(self, path: Path) -> Sequence[str]:
        """Return what belongs beside figures of those works: how many others the dataset has."""

    def groups(self, work: Json, task_item: TaskItem) -> Mapping[str, str]:
        """Return the group of a work in each of the kind's own divisions: `{"begins with": "who"}`."""

    def annotated(self, annotations: Mapping[str, Sequence[str]], items: Sequence[Item]) -> Sequence[Section]:
        """Return a report's sections on annotations, `{id: labels}`, of some of the items."""
