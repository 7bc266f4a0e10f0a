"""What validation may say of an attempt, for tests of what is done with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from beat_the_ai.store import now
from beat_the_ai.validation import Outcome, Validity, Vote


def vote(worker: str, vote: Mapping[str, Any], *, agrees: bool) -> Vote:
    return Vote(worker, "3X", None, vote, now(), agrees)


def outcome(validity: Validity, *votes: Vote) -> Outcome:
    kept = validity is Validity.VALID
    return Outcome(
        attempt_id="a",
        context_id="c",
        writer="w",
        author_label="",
        status=validity.value,
        label=None,
        kept=kept,
        settled=validity is not Validity.UNDECIDED,
        votes_needed=0,
        cast=votes,
    )
