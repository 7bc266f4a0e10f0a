"""What every kind of task has in common: contexts, work, the query put to a model, its prediction, the verdict, votes.

A kind of task is one object that follows `TaskKind`. Reading comprehension, NLI and Quizbowl differ in the fields of
their work and in when the model counts as beaten; everything else (sessions, store, serving, exports) sees only this.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from beat_the_ai.errors import InvalidInput
from beat_the_ai.rules.adjudication import Label


class Value(BaseModel):
    """A frozen record that crosses a boundary as JSON; unknown fields are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


ValueT = TypeVar("ValueT", bound=Value)
WorkT = TypeVar("WorkT", bound=Value)
QueryT_co = TypeVar("QueryT_co", bound=Value, covariant=True)
PredictionT = TypeVar("PredictionT", bound=Value)


def read_value(value_type: type[ValueT], payload: object) -> ValueT:
    """What a page sent, as a value of that type. Raises `InvalidInput` that names the first wrong field."""
    try:
        return value_type.model_validate(payload)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        field_name = ".".join(str(part) for part in first["loc"])[:80] or "payload"
        raise InvalidInput(field_name, f"The {field_name} is not as it should be: {first['msg']}.") from None


@dataclass(frozen=True)
class Context:
    """What a writer writes about: a passage, a premise, a Quizbowl answer.

    `private` never leaves the server: reference questions, target answers, whatever the kind needs to judge.
    """

    id: str
    text: str
    title: str = ""
    private: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Piece:
    """What a HIT is about: a context, and what it asks for in particular, such as a label to aim at (`brief`)."""

    context: Context
    brief: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Verdict:
    """Was the model beaten, and the figures that say why (shown to the writer, stored with the attempt)."""

    fooled: bool
    scores: Mapping[str, float] = field(default_factory=dict)


class TaskKind(Protocol[WorkT, QueryT_co, PredictionT]):
    """One kind of task. Its three types are pydantic models, so that each boundary checks what crosses it."""

    @property
    def name(self) -> str: ...

    @property
    def work_type(self) -> type[WorkT]: ...

    @property
    def query_type(self) -> type[QueryT_co]: ...

    @property
    def prediction_type(self) -> type[PredictionT]: ...

    def load_contexts(self, path: Path) -> list[Context]:
        """Read contexts from a file. Raises `InvalidInput` naming the file, the record and the rule it breaks."""

    def brief(self, context: Context, slot: int, seed: int) -> Mapping[str, Any]:
        """What a HIT asks for in particular; the same for the same slot of a context, in every run."""

    def shown_to_writers(self, piece: Piece) -> Mapping[str, Any]:
        """What a writer is told beside the context's title and text."""

    def check(self, work: WorkT, piece: Piece) -> WorkT:
        """The work, cleaned (stripped, NFC where offsets allow) and completed with what the server knows.

        Raises `InvalidInput` when it breaks a rule.
        """

    def fingerprint(self, work: WorkT) -> str:
        """At most 64 characters: works on one context that have the same ask the same, and only the first counts."""

    def query(self, work: WorkT, piece: Piece) -> QueryT_co:
        """What the adversary is asked about this work."""

    def judge(self, work: WorkT, prediction: PredictionT, piece: Piece) -> Verdict:
        """Whether the model was beaten, from what the server knows alone."""

    def shown_to_validators(self, work: Mapping[str, Any]) -> Mapping[str, Any]:
        """What of a stored work a validator may see: never what decides, as the writer's answer or label does."""

    def read_vote(self, payload: object, context: Context) -> Value:
        """A validator's vote, checked. Raises `InvalidInput` when it breaks a rule."""

    def work_label(self, work: Mapping[str, Any]) -> str:
        """What the author of a stored work says, as votes on it say it."""

    def vote_label(self, vote: Mapping[str, Any]) -> Label:
        """What a stored vote says."""

    def references(self, context: Context) -> list[Mapping[str, Any]]:
        """Works on a context whose answers are known beforehand, gold for watching validators; perhaps none."""
