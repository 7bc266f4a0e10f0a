"""The refusals of the recruiter, in the form of Prolific's document.

RecruiterError       `status`, `error_code`, `title` and `detail` are the members of the answer
├── Invalid          a value that is not allowed; `detail` names each field where there is one
├── WrongState       the resource is not in a state that allows this
├── NotEnoughMoney   the available balance does not cover it
├── NotAuthentic     no token, or another one
├── NotThere         nothing has this id or this path
├── Throttled        too many requests
└── Fault            the recruiter failed, whether by itself or because it was told to

The document gives no error codes and no status but 400. The codes are our own; 401, 404, 429 and 502 are those of HTTP.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from beat_the_ai.errors import BeatTheAIError

Detail = str | Mapping[str, Sequence[str]]


class RecruiterError(BeatTheAIError):
    """An answer other than success."""

    code = "recruiter"
    status = 400
    error_code = 140000
    title = "Error"

    def __init__(self, detail: Detail, status: int | None = None) -> None:
        super().__init__(detail if isinstance(detail, str) else "; ".join(_lines(detail)))
        self.detail = detail
        self.status = status or self.status

    def answer(self) -> dict[str, Any]:
        """Return the body of the answer."""
        content = {"status": self.status, "error_code": self.error_code, "title": self.title, "detail": self.detail}
        more = "This is a local recruiter, not Prolific."
        return {"error": {**content, "additional_information": more, "interactive": False}}


class Invalid(RecruiterError):
    """A value that is not allowed."""

    error_code = 140001
    title = "Validation error"


class WrongState(RecruiterError):
    """The resource is in a state that does not allow this."""

    error_code = 140002
    title = "Invalid transition"


class NotEnoughMoney(RecruiterError):
    """The available balance is too small."""

    error_code = 140003
    title = "Not enough balance"


class NotAuthentic(RecruiterError):
    """No token that is valid here."""

    status = 401
    error_code = 140100
    title = "Authentication failed"


class NotThere(RecruiterError):
    """Nothing has this id or this path."""

    status = 404
    error_code = 140400
    title = "Not found"

    def __init__(self, what: str, identifier: str) -> None:
        super().__init__(f"There is no {what} {identifier[:80]!r}.")


class Throttled(RecruiterError):
    """Too many requests."""

    status = 429
    error_code = 140429
    title = "Too many requests"

    def __init__(self) -> None:
        super().__init__("Too many requests; wait before the next one.")


class Fault(RecruiterError):
    """The recruiter's own failure."""

    status = 502
    error_code = 150200
    title = "Bad gateway"

    def __init__(self, detail: str = "The recruiter failed; nothing was changed.", status: int = 502) -> None:
        super().__init__(detail, status)


def _lines(detail: Mapping[str, Sequence[str]]) -> list[str]:
    return [f"{field}: {' '.join(reasons)}" for field, reasons in detail.items()]
