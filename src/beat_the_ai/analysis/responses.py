"""Right and wrong answers of people and of models to the examples of a dataset, from votes, rescorings and files.

A validator's vote is a response. It is right by the kind's rule: the same answer or label. But votes also decide on an
example, so each is judged by the others:

- Where votes can change the label (NLI), the right one is that of most of the writer's and the other validators'
  labels. In a tie the vote is left out.
- Else the writer's answer is the right one. A right vote is left out if the example would not be in the dataset
  without it (reading comprehension). Where asking has stopped early, only the first vote counts: the last one is there
  because those before it were wrong, and right itself.

A writer is no subject. A model is none on examples on which it was in the loop: they are there because it was wrong.
"""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.folders import table_files
from beat_the_ai.files.records import RowT, read_records, read_rows, row_of
from beat_the_ai.files.values import id_text
from beat_the_ai.rules.adjudication import Label, Validity
from beat_the_ai.rules.checking import Checking
from beat_the_ai.rules.kind import Kind
from beat_the_ai.rules.protocol import Json, read_value

PERSON, MODEL = "person", "model"
TABLE = "attempts"
OPTION, RESCORED, ARGUMENT = "--responses", "--rescored", "CAMPAIGN|EXPORT|RESPONSES"


DECIDED = "votes that decided on their example"
IN_THE_LOOP = "answers of the model in the loop"
SECOND = "second answers to the same example"
NOT_JUDGED = "answers that were not judged"
FIELDS = "subject, kind, item and correct"


@dataclass(frozen=True)
class Response:
    """An answer of a person or of a model to an example."""

    subject: str
    is_person: bool
    item: str
    right: bool


@dataclass(frozen=True)
class CastVote:
    """A vote that counts: its label, and whether that is the writer's by the rule of the example's round."""

    voter: str
    label: Label
    agrees: bool


@dataclass(frozen=True)
class VotedExample:
    """An example of a dataset. `loop` is the hash of the model that it was written against."""

    id: str
    writer: str
    text: str
    author: str
    model_label: Label
    loop: str
    votes: Sequence[CastVote]


@dataclass(frozen=True)
class ModelAnswers:
    """The answers of a model: its prediction for each example, and whether that was wrong by the writer's label."""

    label: str
    hash: str
    answers: Mapping[str, tuple[Json, bool]]


@dataclass
class Collected:
    """Responses, and what is known of the examples. Of equal subjects and items the first response counts.

    `left_out` says why responses are left out, and how many. `released` are the dates of models.
    """

    responses: dict[tuple[str, str], Response] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    writers: dict[str, str] = field(default_factory=dict)
    released: dict[str, datetime.date] = field(default_factory=dict)
    left_out: Counter[str] = field(default_factory=Counter)

    @property
    def is_complete(self) -> bool:
        """Return whether both people and models have answered."""
        return len({response.is_person for response in self.responses.values()}) > 1

    def add(self, response: Response) -> None:
        if self.responses.setdefault((response.subject, response.item), response) is not response:
            self.left_out[SECOND] += 1


def collect_votes(examples: Iterable[VotedExample], models: Sequence[ModelAnswers], kind: Kind) -> Collected:
    """Return the responses of a dataset's validators, and of models that were asked about it later."""
    found, checking = Collected(), kind.checking
    for example in examples:
        found.texts[example.id], found.writers[example.id] = example.text, example.writer
        for vote, right in _judged(example, checking, labels_change=bool(kind.labels)):
            if right is None:
                found.left_out[DECIDED] += 1
            elif vote.voter != example.writer:
                found.add(Response(vote.voter, True, example.id, right))
        final = _final(example, checking) if kind.labels else None
        for model in models:
            if (answer := model.answers.get(example.id)) is None:
                continue
            if model.hash == example.loop:
                found.left_out[IN_THE_LOOP] += 1
                continue
            prediction, fooled = answer
            right = not fooled if final is None or checking is None else checking.model_label(prediction) == final
            found.add(Response(model.label, False, example.id, right))
    return found


def _judged(
    example: VotedExample, checking: Checking | None, *, labels_change: bool
) -> Iterator[tuple[CastVote, bool | None]]:
    """Yield the votes on an example, and whether each is right; None where the others do not tell."""
    stopped = checking is not None and len(example.votes) < checking.most_votes
    for place, vote in enumerate(example.votes):
        others = [*example.votes[:place], *example.votes[place + 1 :]]
        if labels_change:
            counts = Counter([example.author, *(other.label for other in others)]).most_common(2)
            tied = len(counts) > 1 and counts[0][1] == counts[1][1]
            yield vote, None if tied or counts[0][0] is None else vote.label == counts[0][0]
        elif stopped:
            yield vote, vote.agrees if place == 0 else None
        elif vote.agrees and checking is not None and not _kept(example, others, checking):
            yield vote, None
        else:
            yield vote, vote.agrees


def _kept(example: VotedExample, others: Sequence[CastVote], checking: Checking) -> bool:
    """Return whether an example would be in the dataset if one of its validators had not known the answer."""
    labels = [example.author if other.agrees else None for other in others]
    return checking.adjudicate(example.author, example.model_label, [*labels, None]).kept


def _final(example: VotedExample, checking: Checking | None) -> Label:
    if checking is None or not example.votes:
        return example.author
    labels = [vote.label for vote in example.votes]
    return checking.adjudicate(example.author, example.model_label, labels).label or example.author


class ResponseRow(BaseModel):
    """One line of a file of responses. `released` is the day of a model, such as 2024-07-23."""

    model_config = ConfigDict(extra="ignore", str_strip_whitespace=True)

    subject: Annotated[str, BeforeValidator(id_text), Field(min_length=1)]
    kind: Literal["person", "model"]
    item: Annotated[str, BeforeValidator(id_text), Field(min_length=1)]
    correct: bool
    released: datetime.date | None = None


def read_responses(paths: Iterable[Path], found: Collected, kind: Kind, key: str = OPTION) -> None:
    """Add the responses of files: JSON, JSON Lines, CSV, Parquet or Arrow with the fields of `ResponseRow`.

    They may also be as people's answers to works of the kind are published. Raises `InvalidInput` under `key` that
    names the line, also for a subject who is both a person and a model.
    """
    kinds = {response.subject: response.is_person for response in found.responses.values()}
    for path in paths:
        for place, row in _response_rows(path, found, kind, key):
            is_person = row.kind == PERSON
            if kinds.setdefault(row.subject, is_person) is not is_person:
                message = f"{place}: {row.subject[:80]!r} is a person and a model. Name each differently."
                raise InvalidInput(key, message)
            if row.released is not None and not is_person:
                found.released.setdefault(row.subject, row.released)
            found.add(Response(row.subject, is_person, row.item, row.correct))


def _response_rows(path: Path, found: Collected, kind: Kind, key: str) -> Iterator[tuple[str, ResponseRow]]:
    for record in read_records(path, key, FIELDS):
        fields = kind.response(record.fields)
        if fields is None:
            found.left_out[NOT_JUDGED] += 1
        else:
            yield record.place, row_of(replace(record, fields=dict(fields)), ResponseRow, key, FIELDS)


def add_models(found: Collected, models: Sequence[ModelAnswers]) -> None:
    """Add the answers of models to examples that people have answered. Raises `InvalidInput` where none is to one."""
    items = {response.item for response in found.responses.values()}
    given = [(model.label, name, fooled) for model in models for name, (_, fooled) in model.answers.items()]
    known = [each for each in given if each[1] in items]
    if given and items and not known:
        raise InvalidInput(
            RESCORED,
            f"The models have answered none of the examples. They know {given[0][1][:80]!r} and others, and the "
            f"responses are to {min(items)[:80]!r} and others. Give examples the same ids in both.",
        )
    for label, name, fooled in known:
        found.add(Response(label, False, name, not fooled))


class _Vote(BaseModel):
    worker: str
    vote: dict[str, Any]
    agrees: bool
    counts: bool


class _Loop(BaseModel):
    hash: str


class ExportedAttempt(BaseModel):
    """The columns of an export's attempts that tell what people voted on."""

    attempt_id: str
    work: dict[str, Any]
    prediction: dict[str, Any]
    context_part: str | None = None
    dropped: str | None = None
    worker: str
    model: _Loop
    validation: Validity | None = None
    label: str | None = None
    votes: list[_Vote] = []

    def voted(self, place: str, kind: Kind) -> VotedExample:
        """Return it with its votes that count. Raises `InvalidInput` for a work of another kind of task."""
        _check_kind(place, self.work, kind)
        votes = [(vote.worker, vote.vote, vote.agrees) for vote in self.votes if vote.counts]
        return voted_example(self.attempt_id, self.worker, self.work, self.prediction, self.model.hash, votes, kind)


def read_export(folder: Path, kind: Kind) -> Iterator[VotedExample]:
    """Yield the examples of an export, from its table of attempts.

    Raises `InvalidInput` for a folder without one, and for a table of another kind of task.
    """
    for place, row in exported_rows(
        folder, TABLE, ExportedAttempt, ARGUMENT, "an export, a campaign or a file", "attempt_id"
    ):
        if row.dropped is None:
            yield row.voted(place, kind)


def exported_rows(
    folder: Path, table: str, row_type: type[RowT], key: str, allowed: str, id_column: str | None = None
) -> Iterator[tuple[str, RowT]]:
    """Yield the rows of a table of an export, each with its place.

    Raises `InvalidInput` under `key` for a folder without that table (`allowed` says what to name instead), and for a
    row that is there twice by its `id_column`, as where two exports were put one after another.
    """
    paths = table_files(folder, table)
    if not paths:
        raise InvalidInput(key, f"{folder} has no table of {table}, such as {table}.jsonl. Name {allowed}.")
    for path in paths:
        names: set[Any] = set()
        for place, row in read_rows(path, row_type, key, f"the columns of {table}"):
            name = id_column and getattr(row, id_column)
            if name and name in names:
                raise InvalidInput(key, f"{place}: {id_column} {name!r} is there a second time. Leave one row.")
            names.add(name)
            yield place, row


def _check_kind(place: str, work: Json, kind: Kind) -> None:
    """Raise `InvalidInput` for a work of another kind of task."""
    try:
        read_value(kind.writing.work_type, work)
    except InvalidInput as error:
        message = f"{place} is no {kind.words.work} of {kind.name}: {error} Choose the kind with --task."
        raise InvalidInput("--task", message) from None


def voted_example(
    name: str,
    writer: str,
    work: Json,
    prediction: Json,
    loop: str,
    votes: Iterable[tuple[str, Json, bool]],
    kind: Kind,
) -> VotedExample:
    """Return an example in the terms of responses; of each vote that counts the voter, the vote, and if it agrees."""
    checking = kind.checking
    text = " / ".join(_readable(work, kind))
    if checking is None:
        return VotedExample(name, writer, text, "", None, loop, ())
    cast = [CastVote(voter, checking.vote_label(vote), agrees) for voter, vote, agrees in votes]
    return VotedExample(name, writer, text, checking.author_label(work), checking.model_label(prediction), loop, cast)


def _readable(work: Json, kind: Kind) -> Iterator[str]:
    if kind.reading is not None:
        yield from kind.reading.work(work).values()
    elif kind.checking is not None:
        yield from map(str, kind.checking.shown(work).values())
        yield kind.checking.author_label(work)
