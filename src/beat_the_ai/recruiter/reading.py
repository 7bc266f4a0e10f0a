"""Reading what researchers send: pydantic's faults become the answer's `detail`, field by field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from beat_the_ai.recruiter.errors import Invalid

MAX_NUMBER = 10**9

Record = TypeVar("Record", bound="Given")


class Given(BaseModel):
    """A JSON object from outside. Fields that the document does not have are ignored: clients send older ones, too."""

    model_config = ConfigDict(strict=True, extra="ignore", frozen=True)


def _whole(value: Any) -> Any:
    """Take 150.0 for 150: the document has numbers where it means whole ones."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


Whole = Annotated[int, BeforeValidator(_whole), Field(ge=-MAX_NUMBER, le=MAX_NUMBER)]
Positive = Annotated[int, BeforeValidator(_whole), Field(gt=0, le=MAX_NUMBER)]
Id = Annotated[str, Field(max_length=80)]
Line = Annotated[str, Field(min_length=1, max_length=1000)]
Text = Annotated[str, Field(min_length=1, max_length=20_000)]


def read(record: type[Record], given: Mapping[str, Any]) -> Record:
    """Return the record that was sent. Raises `Invalid`."""
    try:
        return record.model_validate(dict(given))
    except ValidationError as error:
        detail: dict[str, list[str]] = {}
        for fault in error.errors(include_url=False, include_context=False, include_input=False):
            place = ".".join(map(str, fault["loc"])) or "body"
            detail.setdefault(place, []).append(fault["msg"].removeprefix("Value error, ") + ".")
        raise Invalid(detail) from None


def invalid(field: str, reason: str) -> Invalid:
    """Return the refusal of one field's value."""
    return Invalid({field: [reason]})


def read_flag(text: str, field: str) -> bool:
    """Return a flag as the document's parameters have it: 1/0, true/false, yes/no, t/f. Raises `Invalid`."""
    lowered = text.lower()
    if lowered in ("1", "true", "yes", "t"):
        return True
    if lowered in ("0", "false", "no", "f"):
        return False
    raise invalid(field, f"{text[:40]!r} is not a flag; use one of 1, true, yes, t, 0, false, no, f.")
