"""The report on several datasets side by side: campaigns, and files of anybody."""

from __future__ import annotations

from collections.abc import Mapping

from beat_the_ai.analysis.side_by_side import ComparedDataset, explanation, side_by_side
from beat_the_ai.campaign.results.report import Subject
from beat_the_ai.errors import InvalidInput
from beat_the_ai.statistics.section import Section, Table


def compared_subject(subjects: Mapping[str, Subject]) -> Subject:
    """Return one page of several, by the names of their datasets. Raises `InvalidInput` for several kinds of task."""
    kinds = {subject.kind.name: subject.kind for subject in subjects.values() if subject.kind is not None}
    if len(kinds) != 1:
        told = ", ".join(f"{name}: {subject.kind.name}" for name, subject in subjects.items() if subject.kind)
        raise InvalidInput("--task", f"Only datasets of one kind of task are compared ({told}); name it with --task.")
    [kind] = kinds.values()
    published = [] if kind.corpora is None else kind.corpora.published
    datasets = [ComparedDataset(name, subject.sections) for name, subject in subjects.items()]
    contents = Table(("dataset", "contents"), [(name, subject.introduction) for name, subject in subjects.items()])
    listed = Section("Datasets", explanation(next(iter(subjects))), contents)
    return Subject(
        ", ".join(subjects),
        f"{len(subjects)} datasets side by side.",
        [listed, *side_by_side(datasets, published)],
        kind.paper,
        " ".join(f"{name}: {subject.warning}" for name, subject in subjects.items() if subject.warning),
        kind,
    )
