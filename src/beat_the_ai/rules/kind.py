"""A kind of task: what people write, how others check it, and what becomes of it in a dataset.

Reading comprehension, NLI and Quizbowl differ in their `Kind` alone. Everything else (sessions, store, serving, votes,
exports) is the engine's, speaks of work, predictions and votes, and imports no kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from random import Random
from typing import Any, Protocol, TypeVar, runtime_checkable

from beat_the_ai.rules.adjudication import Ballot, Checking
from beat_the_ai.rules.corpora import Corpora
from beat_the_ai.rules.dataset import Dataset, Parts, Trial
from beat_the_ai.rules.evaluation import Evaluation
from beat_the_ai.rules.protocol import Context, Json, Piece, PredictionT, Value, Verdict
from beat_the_ai.rules.samples import Samples
from beat_the_ai.rules.screening import Screening
from beat_the_ai.statistics.section import Section

WorkT = TypeVar("WorkT", bound=Value)
QueryT_co = TypeVar("QueryT_co", bound=Value, covariant=True)


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

    @property
    def explanation_type(self) -> type[Value] | None:
        """What writers explain of each work that beat the model, in fields of text; None where nobody asks them."""

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

    def gold(self, context: Context) -> Sequence[WorkT]:
        """Return the works on a context on which people or models are measured: no writer may hand one in."""

    @property
    def repeated(self) -> tuple[str, str]:
        """The field that is wrong, and what its writer is told, when the same was asked before, or is gold."""

    def typed(self, work: Json) -> str:
        """What of a stored work its writer has typed: reviewers see how much it is like what others typed."""

    def chosen(self, work: Json) -> str:
        """What else makes a stored work the same as another one, as a marked answer does; perhaps nothing."""

    def query(self, work: WorkT, piece: Piece) -> QueryT_co:
        """What the adversary is asked about this work."""

    def judge(self, work: WorkT, prediction: PredictionT, piece: Piece) -> Verdict:
        """Whether the model was beaten, from what the server knows alone."""


@runtime_checkable
class NamesStrays(Protocol):
    """Writing of which a model may say something that is no possible answer; that is judged like any other."""

    @property
    def stray(self) -> str:
        """What reports say of such an answer, as in "not in the passage"."""

    def is_stray(self, prediction: Json) -> bool:
        """Whether a stored prediction is one."""


def strays_among(writing: Writing[Any, Any, Any], predictions: Iterable[Json]) -> tuple[str, int] | None:
    """What they are called and how many there are; None where there are none."""
    if not isinstance(writing, NamesStrays):
        return None
    number = sum(map(writing.is_stray, predictions))
    return (writing.stray, number) if number else None


class Hints(Protocol):
    """What the model says of a draft while its writer types: no attempt, and no try ("Trick Me If You Can", §3.4)."""

    @property
    def draft_type(self) -> type[Value]: ...

    def check(self, draft: Any, piece: Piece) -> Value:
        """The draft, cleaned. Raises `InvalidInput` for what no model is asked about; it may be far from finished."""

    def query(self, draft: Any, piece: Piece) -> Value:
        """What the adversary is asked: of the type of `Writing.query`."""

    def shown(self, draft: Any, prediction: Any, piece: Piece) -> Json:
        """What the writer sees of the prediction."""


class Doubts(Protocol):
    """What a person should look at before it counts. Its writer is told why, and may change it, or appeal.

    It is used by many threads at once.
    """

    def about(self, work: Any, piece: Piece) -> Sequence[str]:
        """Why, in sentences for the writer; of most works nothing."""

    def remember(self, work: Json) -> None:
        """A work that was judged: later ones may be too much like it."""


@dataclass(frozen=True)
class Judgement:
    """What the page told a writer of a work."""

    piece: Piece
    work: Json
    fooled: bool


class People(Protocol):
    """Simulated people, for rehearsals. What they do depends on what they are given alone."""

    def works(self, manner: str, piece: Piece, chance: Random, memory: Sequence[Judgement]) -> Iterable[Json]:
        """What a writer of that manner (`simulation.manners`) makes of a HIT, one after the other.

        `memory` is of the writer's works so far in this round; each work is judged, and remembered, before the next.
        """

    def explanation(self, work: Json, piece: Piece) -> Json:
        """What a writer explains of a work that beat the model, where the kind asks for it."""

    def vote(self, shown: Json, context: Context, seed: str, *, careful: bool) -> Json:
        """What a validator says of what is shown of a work."""

    def is_wrong(self, work: Json, context: Context) -> bool:
        """Whether a reviewer sees that what is written is not right."""


@runtime_checkable
class Revises(Protocol):
    """Simulated people of a kind of task with hints: they look at the model's before they submit."""

    def revised(self, work: Json, hint: Json, piece: Piece, chance: Random) -> Json | None:
        """The work with a change because of what `Hints.shown` gave; None when it is to be submitted."""


@runtime_checkable
class Plays(Protocol):
    """Simulated people of a kind of task whose works are shown step by step (`adjudication.Gradual`)."""

    def voted(self, revealed: Json, contexts: Sequence[Context], seed: str, *, careful: bool) -> Json | None:
        """What a validator says of a work as far as it is shown; None to see more of it, but not after its end.

        It is about one of `contexts`, all of that title: a page is not told which.
        """


@dataclass(frozen=True)
class Words:
    """What people call a work and a context of this kind of task, one and many of them.

    `faults` are what reviewers may find wrong with a work, as sentences: they can say something else as well.
    """

    work: str
    works: str
    context: str
    contexts: str
    faults: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reading:
    """What people read of a stored work and a stored prediction in place of their fields: texts by their names, in that
    order."""

    work: Callable[[Json], Mapping[str, str]]
    prediction: Callable[[Json], Mapping[str, str]]


class Topic(Enum):
    """What every campaign has figures of."""

    BEATEN = "how often the model was beaten"
    CHECKED = "what other people kept"
    HUMAN = "human performance"
    VALIDATORS = "validators"
    WRITERS = "writers"
    DISCARDS = "discarded work"
    WAITING = "work that waits for a person"
    TIME = "time for a HIT"
    COST = "cost"


@dataclass(frozen=True)
class Published:
    """Where the paper that a kind of task comes from has a figure of its own campaign, and a sentence on what it is."""

    place: str = "Not in the paper"
    comparison: str = ""


@dataclass(frozen=True)
class Paper:
    """What a kind of task comes from, and what that says of a campaign of its own."""

    authors: str
    title: str
    published: Mapping[Topic, Published]


@dataclass(frozen=True)
class Kind:
    """One kind of task, with the options of a round.

    What is None it does not have: without `hints` the model is silent until something is submitted, without `look_up`
    a page has nothing to search in a context for a text, without `doubts` (made of the campaign's works so far) nothing
    waits for a reviewer before it counts, without `checking` nobody checks what is written, without `people` it cannot
    be rehearsed, without `screening` newcomers cannot be screened, without `evaluation` models are measured in
    campaigns alone, without `corpora` no report tells of a dataset that is no campaign's, and without `samples`
    there are no experiments on its datasets, and without `reading` reviewers see the fields as they are. `report`
    says more of a dataset, and of all attempts that count, than every report does, `ballot_report` of the votes;
    `training` is the place of a click command, which returns what it has trained as campaigns name it; `events` is
    that of one for people's events on what was written; `paper` is what it comes from; by `genre` the contexts of a
    round are drawn in balance.
    """

    name: str
    words: Words
    writing: Writing[Any, Any, Any]
    dataset: Dataset
    checking: Checking | None = None
    doubts: Callable[[Iterable[Json]], Doubts] | None = None
    hints: Hints | None = None
    look_up: Callable[[str, Piece], Json] | None = None
    report: Callable[[Parts, Iterable[Trial]], Sequence[Section]] | None = None
    ballot_report: Callable[[Sequence[Ballot]], Sequence[Section]] | None = None
    people: People | None = None
    screening: Screening | None = None
    evaluation: Evaluation | None = None
    corpora: Corpora | None = None
    training: str | None = None
    samples: Samples | None = None
    events: str | None = None
    paper: Paper | None = None
    reading: Reading | None = None
    genre: Callable[[Context], str] = lambda _: ""
