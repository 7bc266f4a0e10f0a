"""A kind of task: what people write, how others check it, and what becomes of it in a dataset.

Reading comprehension, NLI and Quizbowl differ in their `Kind` alone. Everything else (sessions, store, serving, votes,
exports) is the engine's, speaks of work, predictions and votes, and imports no kind.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Protocol, TypeVar

from beat_the_ai.rules.adjudication import Checking
from beat_the_ai.rules.evaluation import Evaluation
from beat_the_ai.rules.protocol import Context, Piece, PredictionT, Value, Verdict
from beat_the_ai.rules.screening import Screening
from beat_the_ai.statistics.section import Section

WorkT = TypeVar("WorkT", bound=Value)
QueryT_co = TypeVar("QueryT_co", bound=Value, covariant=True)

Json = Mapping[str, Any]


class Writing(Protocol[WorkT, QueryT_co, PredictionT]):
    """What writers make, and when it beats the model. Its types are pydantic models: each boundary checks by them."""

    @property
    def work_type(self) -> type[WorkT]: ...

    @property
    def query_type(self) -> type[QueryT_co]: ...

    @property
    def prediction_type(self) -> type[PredictionT]: ...

    @property
    def scores_type(self) -> type[Value]: ...

    def load_contexts(self, path: Path) -> list[Context]:
        """Read contexts from a file. Raises `InvalidInput` naming the file, the record and the rule it breaks."""

    def brief(self, context: Context, slot: int, seed: int) -> Json:
        """What a HIT asks for in particular; the same for the same slot of a context, in every run."""

    def shown(self, piece: Piece) -> Json:
        """What a writer is told beside the context's title and text."""

    def check(self, work: WorkT, piece: Piece) -> WorkT:
        """The work, cleaned (stripped, NFC where offsets allow) and completed with what the server knows.

        Raises `InvalidInput` when it breaks a rule.
        """

    def fingerprint(self, work: WorkT) -> str:
        """At most 64 characters: works on one context that have the same ask the same, and only the first counts."""

    def typed(self, work: Json) -> str:
        """What of a stored work its writer has typed: reviewers see how much it is like what others typed."""

    def chosen(self, work: Json) -> str:
        """What else makes a stored work the same as another one, as a marked answer does; perhaps nothing."""

    def query(self, work: WorkT, piece: Piece) -> QueryT_co:
        """What the adversary is asked about this work."""

    def judge(self, work: WorkT, prediction: PredictionT, piece: Piece) -> Verdict:
        """Whether the model was beaten, from what the server knows alone."""


@dataclass(frozen=True)
class Example:
    """An attempt that is in the dataset, in `part` (train, dev, test). `label` is the final one, if it was checked."""

    id: str
    part: str
    context: Context
    work: Json
    label: str | None
    model: str


Parts = Mapping[str, Sequence[Example]]


@dataclass(frozen=True)
class CardText:
    """What the data card says of a kind of task. Markdown, in sentences.

    `task_categories` and `task_ids` are the Hugging Face hub's. `unchecked` is said of work that nobody has checked.
    """

    introduction: str
    limits: str
    task_categories: Sequence[str] = ()
    task_ids: Sequence[str] = ()
    unchecked: str = ""


class Dataset(Protocol):
    """Which columns an example has, in which formats beside the common ones it is written, and what is said of it.

    `example_type` declares the columns, each with its meaning.
    """

    @property
    def example_type(self) -> type[Value]: ...

    @property
    def formats(self) -> Mapping[str, Callable[[Path, Parts], list[Path]]]:
        """Each writes the parts into a folder and says which files it wrote."""

    @property
    def card(self) -> CardText: ...

    def row(self, example: Example) -> Value:
        """In the columns of `example_type`."""

    def beaten_means(self, options: Json) -> str:
        """When the model is beaten, in a few words, with these options of a round; empty where they do not say."""


class People(Protocol):
    """Simulated people, for rehearsals. What they do depends on what they are given alone."""

    def works(self, manner: str, piece: Piece, chance: Random) -> Sequence[Json]:
        """What a writer of that manner (`simulation.manners`) makes of a HIT, one after the other."""

    def vote(self, shown: Json, context: Context, seed: str, *, careful: bool) -> Json:
        """What a validator says of what is shown of a work."""

    def is_wrong(self, work: Json, context: Context) -> bool:
        """Whether a reviewer sees that what is written is not right."""


@dataclass(frozen=True)
class Words:
    """What people call a work and a context of this kind of task, one and many of them."""

    work: str
    works: str
    context: str
    contexts: str


@dataclass(frozen=True)
class Kind:
    """One kind of task, with the options of a round.

    `checking` is None where nobody checks what is written. `report` says more of a dataset than every report does.
    Without `people` it cannot be rehearsed, without `screening` newcomers cannot be screened, and without `evaluation`
    models are measured in campaigns alone.
    """

    name: str
    words: Words
    writing: Writing[Any, Any, Any]
    dataset: Dataset
    checking: Checking | None = None
    report: Callable[[Parts], Sequence[Section]] | None = None
    people: People | None = None
    screening: Screening | None = None
    evaluation: Evaluation | None = None
