"""The errors that go from one package to another; those of one package alone are declared there, below these.

BeatTheAIError
├── InvalidInput          what a worker or a client sent breaks a rule; costs no try
│   ├── UnknownName       a name that is not in a registry; lists what exists
│   └── Doubtful          a person would have to look at it; the writer may change it, or ask for that
├── Refused               well-formed, but not now or not by this worker (HIT full, attempt of somebody else)
├── AdversaryError        the model in the loop gave no prediction
│   └── AdversaryBusy     its queue is full; try again after `retry_after_seconds`
├── PaymentError          money did not move, or nobody knows whether it did
│   ├── Declined          the crowd answered that it did nothing; asking again later is safe
│   │   └── OutOfFunds    because the requester's account is empty
│   └── Unanswered        no answer, or one that leaves it open: look before anything is sent again
│       └── TokenSpent    the crowd says that it carried this request out before
└── StoreError            the database cannot be used as it is
    ├── DiskFull          nothing can be saved until somebody frees space
    ├── StoreDamaged      nothing can be saved until somebody restores a backup
    ├── StoreAway         the database does not answer; the same call again is safe
    └── LeaseLost         another process serves the campaign by now; this one may write nothing

A message says what was given, what is allowed and what to do. It is shown to workers as it stands, so it never holds
a path, a secret or another worker's text.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from beat_the_ai.messages import said

if TYPE_CHECKING:
    from pydantic import ValidationError


class BeatTheAIError(Exception):
    """The root of the hierarchy; `code` is its stable, machine-readable name."""

    code = "error"


class InvalidInput(BeatTheAIError):
    """An input that breaks a rule. `field` is the dotted path of the offending value."""

    code = "invalid"

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


class UnknownName(InvalidInput):
    """A name that does not exist: the message lists those that do and the nearest of them."""

    code = "unknown"

    def __init__(self, what: str, given: str, available: Iterable[str]) -> None:
        names = sorted(available)
        near = difflib.get_close_matches(given, names, n=1)
        shown = ", ".join(names[:12]) + (" …" if len(names) > 12 else "")
        hint = f" Did you mean {near[0]!r}?" if near else ""
        super().__init__(what, f"Unknown {what} {given[:80]!r}. Available: {shown or 'none'}.{hint}")


class Doubtful(InvalidInput):
    """A work that may be handed in all the same, with an appeal: then a reviewer says whether it counts."""

    code = "doubtful"


class Fault(NamedTuple):
    """A fault: its place (dotted), the reason, and the value there, which may be anything that was sent."""

    place: str
    reason: str
    given: object


def first_fault(error: ValidationError, whole: str) -> Fault:
    """The first that pydantic has found; `whole` is the place of one that is in no field."""
    first = error.errors(include_url=False, include_context=False)[0]
    is_object_wanted = first["type"] in ("model_type", "model_attributes_type", "dataclass_type")
    reason = "an object with fields is needed" if is_object_wanted else first["msg"].removeprefix("Value error, ")
    return Fault(".".join(map(str, first["loc"])) or whole, reason, first["input"])


class Refused(BeatTheAIError):
    """Well-formed, but not allowed in this state or to this worker."""

    code = "refused"


class AdversaryError(BeatTheAIError):
    """The model in the loop gave no prediction; the attempt was not counted.

    `microcents` is what this cost, in millionths of a US cent; None if nobody knows.
    """

    code = "adversary"
    microcents: int | None = None


class AdversaryBusy(AdversaryError):
    """The model's queue is full."""

    code = "busy"

    def __init__(self, message: str, retry_after_seconds: float = 1.0) -> None:
        super().__init__(message)
        self.retry_after_seconds = retry_after_seconds


class PaymentError(BeatTheAIError):
    """Money did not move, or nobody knows whether it did."""

    code = "payment"


class Declined(PaymentError):
    """The crowd answered, and did nothing. `crowd_code` is its own name for why, where it gave one."""

    code = "declined"

    def __init__(self, message: str, crowd_code: str = "") -> None:
        super().__init__(message)
        self.crowd_code = crowd_code


class OutOfFunds(Declined):
    """The requester's account does not hold the amount and its fee."""

    code = "out_of_funds"


class Unanswered(PaymentError):
    """The request may have been carried out: its reply was lost, or says neither yes nor no."""

    code = "unanswered"


class TokenSpent(Unanswered):
    """The crowd has seen the request's token before, so it was carried out once; its list must show it."""

    code = "token_spent"


class StoreError(BeatTheAIError):
    """The database cannot be used as it is: wrong version, wrong URL, missing driver."""

    code = "store"


class DiskFull(StoreError):
    """Nothing can be saved until somebody frees space."""

    code = "disk_full"

    def __init__(self) -> None:
        super().__init__(said("refusals.disk_full"))


class StoreDamaged(StoreError):
    """The file of the database is damaged."""

    code = "store_damaged"

    def __init__(self) -> None:
        super().__init__(said("refusals.store_damaged"))


class StoreAway(StoreError):
    """The database does not answer: it restarts, is locked, or cannot be reached."""

    code = "store_away"

    def __init__(self) -> None:
        super().__init__(said("refusals.store_away"))


class LeaseLost(StoreError):
    """Another process serves what this one served. Whatever this one has not saved by then, it cannot save."""

    code = "lease_lost"

    def __init__(self) -> None:
        super().__init__(said("refusals.lease_lost"))


class ProcessFailed(BeatTheAIError):
    """A process that should have gone on has ended, or did not do what it was waited for."""

    code = "process"
