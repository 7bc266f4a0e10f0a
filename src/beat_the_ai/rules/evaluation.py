"""The interface of measuring models of a kind of task, outside of any campaign.

A kind says which items a gold file has and how well each is answered. `analysis.breakdown` and `analysis.comparison`
make figures of that, for all kinds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

from beat_the_ai.rules.protocol import Value

if TYPE_CHECKING:
    from beat_the_ai.statistics.jackknife import FigureOf

NO_REFERENCES: Mapping[str, Sequence[str]] = MappingProxyType({})


@dataclass(frozen=True)
class MeasuredItem:
    """One item of a file. Items with the same `context` share a passage, premise or Quizbowl answer.

    `groups` are what the file says of it, such as `{"genre": "news"}`. `marks` are numbers by the names of measures, 0
    to 1 where these are in percent; an item that says nothing of a measure has none. `answer` is None where there is
    none.
    """

    id: str
    context: str
    gold: Any
    answer: Any
    marks: Mapping[str, float]
    groups: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Measure:
    """A figure of items: the mean of their marks of that name, or else what `of` makes of the sums of their `parts`.

    `label` is its name for people, `column` that in a paper's tables, if it is there. `is_right`: each mark is 1 or 0,
    right or wrong. What is `by_group` is also given for groups of items. Models are compared by what is `compared`.
    """

    name: str
    label: str
    column: str = ""
    unit: str = "%"
    is_right: bool = False
    by_group: bool = True
    compared: bool = True
    parts: Callable[[MeasuredItem], Sequence[float]] | None = None
    of: FigureOf | None = None


@dataclass(frozen=True)
class Measured:
    """All items of a gold file in its order, with answers. `items_called` and `contexts_called` are their names.

    `missing` items have no answer; `foreign` answers have no item. `counts` are further numbers by name; `notes` are
    sentences that belong beside the figures.
    """

    items: Sequence[MeasuredItem]
    measures: Sequence[Measure]
    items_called: str
    contexts_called: str
    missing: int
    foreign: int
    notes: Sequence[str] = ()
    counts: Mapping[str, int] = field(default_factory=dict)

    def with_groups(self, groups: Mapping[str, Mapping[str, str]]) -> Measured:
        """Return the same with further groups by id; what the file itself says of an item comes first."""
        items = [replace(each, groups={**groups.get(each.id, {}), **each.groups}) for each in self.items]
        return replace(self, items=items)

    @property
    def marks(self) -> Mapping[str, Mapping[str, float]]:
        """Return the marks of a paper's table by their names there, 0 to 1, by id, in the file's order."""
        return {
            measure.column: {item.id: item.marks[measure.name] for item in self.items}
            for measure in self.measures
            if measure.column
        }


class Evaluation(Protocol):
    """A file of gold answers is in the kind's usual format; predictions are `{id: answer}`."""

    @property
    def reference(self) -> Callable[[Any], str | None] | None:
        """Return what gives the further gold answer in an exported vote, or None; None where votes are no answers.

        It raises `ValueError` for what is no vote.
        """

    def queries(self, gold: Path) -> Sequence[tuple[str, Value]]:
        """Return the queries to a model, by id, in the order of the file. Raises `InvalidInput`."""

    def answer(self, prediction: Any) -> Any:
        """Return the JSON that stands for a prediction in a file."""

    def measured(
        self, gold: Path, answers: Mapping[str, Any], references: Mapping[str, Sequence[str]] = NO_REFERENCES
    ) -> Measured:
        """Return the items with answers as `answer` gives them; a missing answer is wrong. Raises `InvalidInput`.

        `references` are further gold answers by id, where votes have them.
        """
