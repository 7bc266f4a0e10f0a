"""The key of a payment: the four words under which it happens at most once."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from urllib.parse import quote


@dataclass(frozen=True, order=True)
class PaymentKey:
    """`worker` and `assignment` are the crowd's own ids; `purpose` is one of `terms.purposes`, as in "verified:3"."""

    campaign: str
    purpose: str
    worker: str
    assignment: str

    def __str__(self) -> str:
        parts = (self.campaign, self.purpose, self.worker, self.assignment)
        return "/".join(quote(part, safe=":") for part in parts)

    @property
    def token(self) -> str:
        """The UniqueRequestToken: always the same for this key, 64 characters, which is MTurk's limit."""
        return hashlib.sha256(str(self).encode()).hexdigest()

    @property
    def mark(self) -> str:
        """Return the mark in the reason of a bonus, by which a list of bonuses tells which ones were paid.

        Brackets and slashes within the parts are percent-encoded: no mark is a part of another.
        """
        return f"[{self}]"
