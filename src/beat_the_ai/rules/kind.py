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

from beat_the_ai.rules.answers import Beside, KeptAnswers
from beat_the_ai.rules.artefacts import Artefacts
from beat_the_ai.rules.checking import Ballot, Checking
from beat_the_ai.rules.corpora import Corpora, LabelledWork
from beat_the_ai.rules.dataset import Dataset, Parts, Trial
from beat_the_ai.rules.drafts import AnsweredDraft
from beat_the_ai.rules.evaluation import Evaluation
from beat_the_ai.rules.languages import ENGLISH, english_only
from beat_the_ai.rules.protocol import Context, Json, PredictionT, TaskItem, Value, Verdict
from beat_the_ai.rules.samples import Samples
from beat_the_ai.rules.screening import Screening
from beat_the_ai.statistics.section import Section

WorkT = TypeVar("WorkT", bound=Value)
QueryT_co = TypeVar("QueryT_co", bound=Value, covariant=True)


class Writing(Protocol[WorkT, QueryT_co, PredictionT]):
    """The works of writers, and the rule of beating the model. Each boundary checks by its types, pydantic models."""

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
        """Return the text fields in which writers explain each work that beat the model; None where none are asked."""

    def load_contexts(self, path: Path) -> list[Context]:
        """Read contexts from a file, or a folder of a dataset's parts.

        Raises `InvalidInput` naming the file, the record and the rule it breaks.
        """

    def brief(self, context: Context, slot: int, seed: int) -> Json:
        """Return the particular demand of a HIT; the same for the same slot of a context, in every run."""

    def shown(self, task_item: TaskItem) -> Json:
        """Return what a writer is told beside the context's title and text."""

    def check(self, work: WorkT, task_item: TaskItem) -> WorkT:
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
        """Return the part of a stored work that its writer typed: reviewers see its likeness to other such texts."""

    def chosen(self, work: Json) -> str:
        """Return what else makes a stored work the same as another one, such as a marked answer; perhaps nothing."""

    def query(self, work: WorkT, task_item: TaskItem) -> QueryT_co:
        """Return the adversary's query about this work."""

    def judge(self, work: WorkT, prediction: PredictionT, task_item: TaskItem) -> Verdict:
        """Judge whether the model was beaten, from what the server knows alone."""


@runtime_checkable
class NamesStrays(Protocol):
    """Writing of which a model may say something that is no possible answer; that is judged like any other."""

    @property
    def stray(self) -> str:
        """Return the words of reports for such an answer, as in "not in the passage"."""

    def is_stray(self, prediction: Json) -> bool:
        """Return whether a stored prediction is a stray one."""


def strays_among(writing: Writing[Any, Any, Any], predictions: Iterable[Json]) -> tuple[str, int] | None:
    """Return the name and the number of stray answers; None where there are none."""
    if not isinstance(writing, NamesStrays):
        return None
    number = sum(map(writing.is_stray, predictions))
    return (writing.stray, number) if number else None


class Hints(Protocol):
    """The model's hints on a draft while its writer types: no attempt, and no try ("Trick Me If You Can", §3.4)."""

    @property
    def draft_type(self) -> type[Value]: ...

    def check(self, draft: Any, task_item: TaskItem) -> Value:
        """The draft, cleaned. Raises `InvalidInput` for what no model is asked about; it may be far from finished."""

    def query(self, draft: Any, task_item: TaskItem) -> Value:
        """Return the adversary's query about a draft, of the type of `Writing.query`."""

    def shown(self, draft: Any, prediction: Any, task_item: TaskItem) -> Json:
        """Return what the writer sees of the prediction."""


class Suggestions(Protocol):
    """Suggestions of a model to writers: works, or parts of them, that a writer may take into the form and change."""

    @property
    def suggestion_type(self) -> type[Value]:
        """Return the type of a suggestion. Its fields are those of a work; what is None the writer adds."""

    def check(self, suggestion: Any, context: Context) -> Value:
        """The suggestion, cleaned. Raises `InvalidInput` for what no writer could hand in, as far as it is there."""

    def suits(self, suggestion: Any, task_item: TaskItem) -> bool:
        """Return whether it is for what a HIT on its context asks for."""


class Doubts(Protocol):
    """The doubts that a person should look at before a work counts. The writer reads them, and may change it or appeal.

    It is used by many threads at once.
    """

    def about(self, work: Any, task_item: TaskItem) -> Sequence[str]:
        """Why, in sentences for the writer; of most works nothing."""

    def remember(self, work: Json) -> None:
        """A work that was judged: later ones may be too much like it."""


@dataclass(frozen=True)
class Judgement:
    """The verdict on a work, as the page told its writer."""

    task_item: TaskItem
    work: Json
    fooled: bool


class People(Protocol):
    """Simulated people, for rehearsals. What they do depends on what they are given alone."""

    def works(self, persona: str, task_item: TaskItem, rng: Random, memory: Sequence[Judgement]) -> Iterable[Json]:
        """Yield the works that a writer of that persona (`simulation.personas`) makes of a HIT, one after the other.

        `memory` has the writer's works so far in this round. Each work is judged and remembered before the next.
        """

    def explanation(self, work: Json, task_item: TaskItem) -> Json:
        """Return a writer's explanation of a work that beat the model, where the kind asks for it."""

    def vote(self, shown: Json, context: Context, seed: str, *, careful: bool) -> Json:
        """Return a validator's vote on what is shown of a work."""

    def is_wrong(self, work: Json, context: Context) -> bool:
        """Return whether a reviewer sees that the work is wrong."""


@runtime_checkable
class Revises(Protocol):
    """Simulated people of a kind of task with hints: they look at the model's before they submit."""

    def revised(self, work: Json, hint: Json, task_item: TaskItem, rng: Random) -> Json | None:
        """The work with a change because of what `Hints.shown` gave; None when it is to be submitted."""


@runtime_checkable
class Plays(Protocol):
    """Simulated people of a kind of task whose works are shown step by step (`adjudication.Gradual`)."""

    def voted(self, revealed: Json, contexts: Sequence[Context], seed: str, *, careful: bool) -> Json | None:
        """Return a validator's vote on a work as far as it is shown; None to see more of it, but not after its end.

        The work is about one of `contexts`, all of that title: a page is not told which.
        """


@dataclass(frozen=True)
class Words:
    """The names of a work and of a context of this kind of task, one and many of them.

    `faults` are sentences about faults that reviewers may find in a work; reviewers may write others.
    """

    work: str
    works: str
    context: str
    contexts: str
    faults: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reading:
    """The readable texts of a stored work and a stored prediction, by their names, in that order."""

    work: Callable[[Json], Mapping[str, str]]
    prediction: Callable[[Json], Mapping[str, str]]


class Topic(Enum):
    """A topic on which every campaign has figures."""

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
    """The place of a figure in the paper of a kind of task, and a sentence that compares the two."""

    place: str = "Not in the paper"
    comparison: str = ""


@dataclass(frozen=True)
class Paper:
    """The paper of a kind of task, and its figures of its own campaign."""

    authors: str
    title: str
    published: Mapping[Topic, Published]


@dataclass(frozen=True)
class Kind:
    """One kind of task, with the options of a round.

    What is None it does not have: without `hints` the model is silent until something is submitted, without `look_up`
    a page has nothing to search in a context for a text, without `suggestions` no model suggests anything to writers,
    without `doubts` (made of the campaign's works so far) nothing
    waits for a reviewer before it counts, without `checking` nobody checks what is written, without `people` it cannot
    be rehearsed, without `screening` newcomers cannot be screened, without `evaluation` models are measured in
    campaigns alone, without `corpora` no report tells of a dataset that is no campaign's, and without `beside` none
    sets other files beside it, without `artefacts` nobody looks for what gives its answers away, without `samples`
    there are no experiments on its datasets, and without `reading` reviewers see the fields as they are. `report`
    says more of a dataset, and of all attempts that count, than every report does, `ballot_report` of the votes,
    `model_report` of the models in the loop and of others that were asked again, which answer `compared` works, too,
    `edit_report` of the drafts on the way to attempts that count, in their order;
    `training` is the place of a click command, which returns what it has trained as campaigns name it; `events` is
    that of one for people's events on what was written, `previews` that of samples
    for a preview of its pages (`PageSamples`); `paper` is what it comes from; by `genre` the contexts of a
    round are drawn in balance; `labels` are all that a work can have (`Checking.author_label`), if it has one of a few;
    `response` turns a row of people's answers, as they are published, into one of AdvScore's; None for one that is no
    answer; `page_words` is the folder with the words of its pages, by language, `event_words` that of its events'
    pages, and `words_without_model` that of writers who are shown nothing of the model, without which there are no such
    writers. `language` is that of the data, and `english_rules` names the rules that apply to English data alone.
    """

    name: str
    words: Words
    writing: Writing[Any, Any, Any]
    dataset: Dataset
    checking: Checking | None = None
    doubts: Callable[[Iterable[Json]], Doubts] | None = None
    hints: Hints | None = None
    look_up: Callable[[str, TaskItem], Json] | None = None
    suggestions: Suggestions | None = None
    report: Callable[[Parts, Iterable[Trial]], Sequence[Section]] | None = None
    ballot_report: Callable[[Sequence[Ballot]], Sequence[Section]] | None = None
    model_report: Callable[[Parts, Sequence[KeptAnswers]], Sequence[Section]] | None = None
    edit_report: Callable[[Iterable[AnsweredDraft]], Sequence[Section]] | None = None
    compared: Callable[[], Sequence[LabelledWork]] | None = None
    people: People | None = None
    screening: Screening | None = None
    evaluation: Evaluation | None = None
    corpora: Corpora | None = None
    beside: Callable[[Path, Beside], Sequence[Section]] | None = None
    artefacts: Artefacts | None = None
    training: str | None = None
    samples: Samples | None = None
    events: str | None = None
    previews: str | None = None
    paper: Paper | None = None
    reading: Reading | None = None
    genre: Callable[[Context], str] = lambda _: ""
    labels: tuple[str, ...] = ()
    response: Callable[[Json], Json | None] = lambda row: row
    page_words: Path | None = None
    event_words: Path | None = None
    words_without_model: Path | None = None
    language: str = ENGLISH
    english_rules: str = ""

    @property
    def left_out(self) -> str:
        """Say which rules do not apply to the language of the data; nothing for English."""
        return english_only(self.english_rules, self.language)
