"""What validation may say of an attempt, for tests of what is done with it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from beat_the_ai.dataset.validation import OutcomesAmong, Validation
from beat_the_ai.rules.adjudication import Adjudication, Outcome, Validity, Vote
from beat_the_ai.store import now
from beat_the_ai.validation import CheckingByRound
from tests.validation.recount import discarded_writers


def vote(worker: str, vote: Mapping[str, Any], *, agrees: bool) -> Vote:
    return Vote(worker, "3X", None, vote, now(), agrees)


def outcome(validity: Validity, *votes: Vote) -> Outcome:
    is_settled = validity is not Validity.UNDECIDED
    adjudication = Adjudication(validity.value, None, 0, is_settled, kept=validity is Validity.VALID)
    return Outcome("a", "c", "w", {}, 1, adjudication, votes)


def among(outcomes: Mapping[str, Outcome]) -> OutcomesAmong:
    return lambda attempts: {name: outcomes[name] for name in attempts if name in outcomes}


def validation_of(
    found: Mapping[str, Outcome],
    checking_by_round: CheckingByRound,
    *,
    parts: Mapping[int, Collection[str]] | None = None,
    **others: Any,
) -> Validation:
    """With the works that have votes, and the writers whose work is discarded for what these say."""
    voted = {name: each for name, each in found.items() if each.cast}
    return Validation(among(voted), parts or {}, discarded_writers(found.values(), checking_by_round), **others)
