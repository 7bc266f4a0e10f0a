"""The HTTP messages between `client` and `server`: request, reply, their limits, and errors with their status.

Queries and predictions are the pydantic types of the kind of task. A body is parsed with the types of the model that it
asks.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Generic, TypeVar

from pydantic import BaseModel, Field, ValidationError
from pydantic_core import to_json

from beat_the_ai.adversary.protocol import Explanation, ModelIdentity
from beat_the_ai.errors import InvalidInput, first_fault
from beat_the_ai.rules.protocol import PredictionT, Value

QueryT = TypeVar("QueryT", bound=Value)

MAX_BODY_BYTES = 1024 * 1024
MAX_QUERIES = 64
# The shipped model takes up to 13 s for so many characters (of a text without a space) on one busy core: less than the
# deadline of a request.
MAX_CHARACTERS = {"context": 20_000}
MAX_CHARACTERS_OTHERWISE = 10_000
MAX_CHARACTERS_OF_ALL = 30_000
SHOWN_CHARACTERS = 60


class TooLarge(InvalidInput):
    """The body is longer than is read."""

    code = "too_large"


STATUS_OF_CODE = {
    "invalid": 400,
    "unauthorized": 401,
    "unknown": 404,
    "too_large": 413,
    "busy": 429,
    "error": 500,
    "adversary": 500,
    "no_answer": 500,
    "not_ready": 503,
    "deadline": 504,
}


class Address(BaseModel):
    """As much of a request as is needed to know which model, and so which types, it is about."""

    model: str | None = None


class PredictRequest(Value, Generic[QueryT]):
    """The body of `POST /v1/predict`. `requester` is whose turn it counts as when many wait.

    `patient` queries are answered when no others wait. With `explain` each prediction comes with the words that it
    rests on; a model that cannot tell refuses.
    """

    queries: list[QueryT] = Field(min_length=1, max_length=MAX_QUERIES)
    model: str | None = None
    requester: str | None = Field(default=None, max_length=200)
    explain: bool = False
    patient: bool = False


class PredictReply(Value, Generic[PredictionT]):
    """The answer to it as JSON."""

    model: ModelIdentity
    predictions: list[PredictionT]
    model_seconds: float
    microcents: int = Field(default=0, ge=0)
    explanations: list[Explanation] | None = None


@dataclass(frozen=True)
class Reply(Generic[PredictionT]):
    """One prediction per query, in order, who gave them, and what they cost (nothing if remembered).

    That is the model's time, and money in millionths of a US cent. With one explanation each, if they were asked for.
    """

    identity: ModelIdentity
    predictions: list[PredictionT]
    model_seconds: float
    microcents: int = 0
    explanations: list[Explanation] | None = None

    @property
    def is_new(self) -> bool:
        """Return whether a model was asked for any of them. A remembered answer takes no time and costs nothing."""
        return self.model_seconds != 0


@dataclass(frozen=True)
class Failure:
    """Why a request was not answered. `field` is the dotted path of what is wrong with it.

    `microcents` is what it cost all the same; None if nobody knows.
    """

    code: str
    message: str
    field: str | None = None
    microcents: Annotated[int, Field(ge=0)] | None = None


class FailureReply(BaseModel):
    """The body of every answer that is not a 200."""

    error: Failure


def read_address(body: bytes) -> str | None:
    """The model that a body names, if any. Raises `InvalidInput` when the body is no JSON object."""
    try:
        return Address.model_validate_json(body).model
    except ValidationError as error:
        raise _invalid(error) from error


def read_request(body: bytes, request_type: type[PredictRequest[QueryT]]) -> PredictRequest[QueryT]:
    """The request, checked against types and limits. Raises `InvalidInput` naming the first value that breaks one."""
    try:
        request = request_type.model_validate_json(body)
    except ValidationError as error:
        raise _invalid(error) from error
    for position, query in enumerate(request.queries):
        for name, value in query:
            _check_length(f"queries.{position}.{name}", value, MAX_CHARACTERS.get(name, MAX_CHARACTERS_OTHERWISE))
    total = sum(len(value) for query in request.queries for _, value in query if isinstance(value, str))
    if total > MAX_CHARACTERS_OF_ALL:
        at_most = f"at most {MAX_CHARACTERS_OF_ALL:,} are answered in time. Send fewer at once."
        raise InvalidInput("queries", f"The queries have {total:,} characters together; {at_most}")
    return request


def write_reply(reply: Reply[Any]) -> bytes:
    own = {"model": reply.identity, "predictions": reply.predictions}
    costs = {"model_seconds": reply.model_seconds, "microcents": reply.microcents}
    why = {} if reply.explanations is None else {"explanations": reply.explanations}
    return to_json({**own, **costs, **why})


def read_reply(body: bytes, prediction_type: type[PredictionT]) -> Reply[PredictionT]:
    """The reply, checked. Raises pydantic's `ValidationError`."""
    reply = _reply_type(prediction_type).model_validate_json(body)
    return Reply(reply.model, reply.predictions, reply.model_seconds, reply.microcents, reply.explanations)


@cache
def _reply_type(prediction_type: type[PredictionT]) -> type[PredictReply[PredictionT]]:
    """Kept: pydantic drops types with parameters that nobody holds, and takes milliseconds to make one."""
    return PredictReply[prediction_type]  # type: ignore[valid-type]


def _check_length(field: str, value: Any, limit: int) -> None:
    if isinstance(value, str) and len(value) > limit:
        raise InvalidInput(field, f"{field} has {len(value):,} characters; at most {limit:,} are allowed.")


def _invalid(error: ValidationError) -> InvalidInput:
    place, reason, given = first_fault(error, "body")
    shown = repr(given[:SHOWN_CHARACTERS]) if isinstance(given, str) else type(given).__name__
    return InvalidInput(place, f"{place}: {reason}. Given: {shown}.")
