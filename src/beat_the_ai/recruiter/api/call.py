"""A call of an operation: the moment, and what was sent with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timezone
from types import MappingProxyType
from typing import Any

from pydantic import TypeAdapter, ValidationError

from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.recruiter.errors import Invalid
from beat_the_ai.recruiter.reading import invalid
from beat_the_ai.recruiter.workspace import Workspace

DATE_TIME = TypeAdapter(datetime)

Json = Any


@dataclass(frozen=True)
class Call:
    """The moment and the request of an operation. `body` is a JSON object, empty where none was sent."""

    moment: Moment
    workspace: Workspace
    path: Mapping[str, str]
    query: Mapping[str, str]
    body: Mapping[str, Any]

    def number(self, name: str, otherwise: int, least: int = 1) -> int:
        """Return a whole number from the query. Raises `Invalid`."""
        text = self.query.get(name, str(otherwise))
        if not (text.isascii() and text.isdigit() and len(text) <= 9 and int(text) >= least):
            raise invalid(name, f"{text[:40]!r} is no number from {least} on")
        return int(text)

    def required(self, name: str) -> str:
        """Return a parameter of the query. Raises `Invalid`."""
        if not self.query.get(name):
            raise invalid(name, "This parameter is required")
        return self.query[name]


@dataclass(frozen=True)
class Reply:
    """The content of an answer; None for one without."""

    content: Json
    headers: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


Act = Callable[[Call], Reply]


@dataclass(frozen=True)
class Operation:
    """An operation of the document."""

    name: str
    method: str
    path: str
    act: Act
    status: int = 200

    @property
    def writes(self) -> bool:
        return self.method != "GET"


def show_time(at: datetime | None) -> str | None:
    """Return a time as the document has it: 2026-01-31T09:00:00.000000Z."""
    return None if at is None else at.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def read_time(text: str, name: str) -> datetime:
    """Return a time that was sent. Raises `Invalid`."""
    try:
        at = DATE_TIME.validate_python(text.replace(" ", "+"))
        return at if at.tzinfo else at.replace(tzinfo=timezone.utc)
    except (ValidationError, OverflowError):
        raise Invalid({name: [f"{text[:40]!r} is no time; write it like 2026-01-31T09:00:00Z"]}) from None
