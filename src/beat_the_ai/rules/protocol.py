"""What kinds of task and the engine hand to each other: contexts, pieces of work on offer, verdicts, records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from beat_the_ai.errors import InvalidInput


class Value(BaseModel):
    """A frozen record that crosses a boundary as JSON; unknown fields are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


ValueT = TypeVar("ValueT", bound=Value)
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
    scores: Value
