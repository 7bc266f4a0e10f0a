"""What validation may say of an attempt, for tests of what is done with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from beat_the_ai.rules.adjudication import Adjudication, Outcome, Validity, Vote
from beat_the_ai.store import now


def vote(worker: str, vote: Mapping[str, Any], *, agrees: bool) -> Vote:
    return Vote(worker, "3X", None, vote, now(), agrees)


def outcome(validity: Validity, *votes: Vote) -> Outcome:
    is_settled = validity is not Validity.UNDECIDED
    adjudication = Adjudication(validity.value, None, 0, is_settled, kept=validity is Validity.VALID)
    return Outcome("a", "c", "w", {}, 1, adjudication, votes)
