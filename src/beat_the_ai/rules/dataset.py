"""The form of a kind's work in a dataset: columns, formats, the data card's words."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from beat_the_ai.rules.protocol import Context, Json, TaskItem, Value


@dataclass(frozen=True)
class Example:
    """An attempt that is in the dataset, in `part` (train, dev, test). `label` is the final one, if it was checked.

    `fooled`: it beat the model, by its final label. `exclusive`: its writer writes for the test part alone. `arm` is
    the writer's, in a round with arms. `votes` are those that count.
    """

    id: str
    part: str
    context: Context
    work: Json
    label: str | None
    model: str
    prediction: Json
    fooled: bool
    round: int
    exclusive: bool
    explanation: Json | None
    arm: str | None = None
    votes: Sequence[Json] = ()


@dataclass(frozen=True)
class Trial:
    """An attempt that was not taken back, in the dataset or not. `assignment` is the HIT as one writer had it.

    `seconds` went by from the acceptance of the HIT to the attempt, the `ordinal`-th of the HIT. `confirmed`: whether
    other people keep it (a reviewer who decides on a doubt, then votes), None as long as they leave that open.
    `is_checked`: they are asked about all attempts of its part and round that beat the model. `exclusive`: its writer
    writes for the test part alone. `discarded`: all work of its writer is discarded for what other people say of it. It
    counts in shares of checked work alone, which are taken before that discard. `tries_left`: that its HIT has after
    it, None where nobody says.
    """

    context: Context
    round: int
    assignment: str
    ordinal: int
    seconds: float
    fooled: bool
    confirmed: bool | None
    is_checked: bool
    exclusive: bool
    discarded: bool = False
    tries_left: int | None = None
    writer: str = ""


Parts = Mapping[str, Sequence[Example]]


class ExampleFiles(Protocol):
    """The files of a format, open for examples. `paths` are where they lie once they are closed."""

    @property
    def paths(self) -> Sequence[Path]: ...

    def write(self, part: str, examples: Sequence[Example]) -> None:
        """Take some examples of a part (train, dev, test), which come in the order of their contexts."""


OwnFormat = Callable[[Path], AbstractContextManager[ExampleFiles]]
"""Opens the files of a format in a folder."""


@dataclass(frozen=True)
class CardText:
    """The data card's text on a kind of task. Markdown, in sentences.

    `task_categories` and `task_ids` are the Hugging Face hub's. `unchecked` describes work that nobody has checked.
    `separation` says whose rule it is that no context is in two parts, behind that sentence.
    """

    introduction: str
    limits: str
    task_categories: Sequence[str] = ()
    task_ids: Sequence[str] = ()
    unchecked: str = ""
    separation: str = ""


class Dataset(Protocol):
    """The columns of an example, its formats beside the common ones, and its description.

    `example_type` declares the columns, each with its meaning.
    """

    @property
    def example_type(self) -> type[Value]: ...

    @property
    def formats(self) -> Mapping[str, OwnFormat]:
        """Return the formats by name."""

    @property
    def card(self) -> CardText: ...

    @property
    def parts_with_model_right(self) -> Collection[str]:
        """The parts that also hold what did not beat the model. Nobody checks it."""

    @property
    def balanced_by(self) -> Sequence[str]:
        """The columns by whose values a part can be balanced, the most important first; none where it cannot."""

    def aims(self, item: TaskItem) -> Sequence[str]:
        """Return the values in the columns of `balanced_by` that an example of such a HIT is to have."""

    def row(self, example: Example) -> Value:
        """In the columns of `example_type`."""

    def told(self, row: Json) -> tuple[str, Context]:
        """Return the id of the example of such a row, and its context as far as the row tells of it."""

    def beaten_means(self, options: Json) -> str:
        """Return in a few words when the model is beaten, by these options of a round; empty where they do not say."""
