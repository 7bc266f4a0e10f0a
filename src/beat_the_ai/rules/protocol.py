"""The values that kinds of task and the engine exchange: contexts, pieces of work on offer, verdicts, records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, PlainSerializer, ValidationError

from beat_the_ai.errors import InvalidInput, first_fault


class Value(BaseModel):
    """A frozen record that crosses a boundary as JSON; unknown fields are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class View(Value):
    """A record that a page is sent, made from records of the server. The pages' TypeScript types follow from it."""

    model_config = ConfigDict(from_attributes=True, strict=False)

    def sent(self) -> dict[str, Any]:
        """Return the view as JSON, its fields in their order."""
        return self.model_dump(mode="json")


Moment = Annotated[datetime, PlainSerializer(datetime.isoformat, return_type=str)]
Json = Mapping[str, Any]
ValueT = TypeVar("ValueT", bound=Value)
PredictionT = TypeVar("PredictionT", bound=Value)


def read_value(value_type: type[ValueT], payload: object) -> ValueT:
    """Read a page's data as a value of that type. Raises `InvalidInput` that names the first wrong field."""
    try:
        return value_type.model_validate(payload)
    except ValidationError as error:
        fault = first_fault(error, "payload")
        place = fault.place[:80]
        raise InvalidInput(place, f"The {place} is not as it should be: {fault.reason}.") from None


@dataclass(frozen=True)
class Context:
    """The subject of a writer's work: a passage, a premise, a Quizbowl answer.

    `private` never leaves the server: reference questions, target answers, and all else that the kind needs to judge.
    """

    id: str
    text: str
    title: str = ""
    private: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class TaskItem:
    """The content of a HIT: a context and its particular demand, such as a label to aim at (`brief`)."""

    context: Context
    brief: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Verdict:
    """Was the model beaten, and the figures that say why (shown to the writer, stored with the attempt)."""

    fooled: bool
    scores: Value
