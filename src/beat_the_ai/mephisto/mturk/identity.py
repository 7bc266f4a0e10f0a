"""The identity for which a page speaks.

A page names worker, assignment and HIT itself. A marketplace that signs them settles the identity. Without signatures,
only an accepted HIT gets a page, and only one at a time. The submission is compared with the crowd's list.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.messages import said
from beat_the_ai.web.signed_assignment import SIGNED, SignedAssignment

DEADLINE, SIGNATURE = SIGNED
MAX_ID_CHARS = 64
MAX_SIGNATURE_CHARS = 1024

NOT_SIGNED = "refusals.not_signed"
OVER = "refusals.over"
HELD = "refusals.held"
NOT_ACCEPTED = "refusals.not_accepted"


@dataclass(frozen=True)
class Claim:
    """The claim of a page. `deadline` (seconds since 1970) and `signatures` come from marketplaces that sign."""

    worker_id: str
    assignment_id: str
    hit_id: str
    deadline: int
    signatures: str

    @property
    def registration(self) -> str:
        return f"{self.assignment_id}-{self.worker_id}"

    def check_signature(self, secret: str, *, may_be_over: bool) -> None:
        """Raises `Refused` unless the marketplace has signed it with this secret access key and time is left."""
        holding = SignedAssignment(self.worker_id, self.assignment_id, self.hit_id, self.deadline)
        if not holding.is_signed(self.signatures, secret):
            raise Refused(said(NOT_SIGNED))
        if self.deadline <= time.time() and not may_be_over:
            raise Refused(said(OVER))


def read_claim(page: Mapping[str, Any]) -> Claim:
    """Raises `InvalidInput` for what no marketplace's page would say."""
    for name in ("worker_name", "assignment_id", "hit_id"):
        value = page.get(name)
        if not isinstance(value, str) or not value.isascii() or not value.isalnum() or len(value) > MAX_ID_CHARS:
            raise InvalidInput(name, f"{name} is missing or no id of this marketplace.")
    deadline, signatures = str(page.get(DEADLINE) or "0"), str(page.get(SIGNATURE) or "")
    if not (deadline.isascii() and deadline.isdecimal() and len(deadline) <= 12):
        raise InvalidInput(DEADLINE, "The deadline is not a whole number of seconds.")
    claim = Claim(
        page["worker_name"], page["assignment_id"], page["hit_id"], int(deadline), signatures[:MAX_SIGNATURE_CHARS]
    )
    if page.get("agent_registration_id") != claim.registration:
        raise InvalidInput("agent_registration_id", "The registration is not that of this assignment and worker.")
    return claim
