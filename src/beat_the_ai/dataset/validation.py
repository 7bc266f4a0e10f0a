"""What an export takes from validation and review: an outcome per attempt, and whose work is discarded."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any


class Status(str, Enum):
    """What other people's votes say of an attempt."""

    VALID = "valid"
    INVALID = "invalid"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Vote:
    """One validator's vote, as its kind of task has it. `validator` is the raw worker id.

    One that does not count is kept all the same: the validator does badly where the answer is known.
    """

    validator: str
    vote: Mapping[str, Any]
    agrees: bool
    counts: bool = True


@dataclass(frozen=True)
class Outcome:
    """The votes on one attempt, in the order in which they came, and what they come to: `label` is the final one."""

    status: Status
    label: str | None = None
    votes: tuple[Vote, ...] = ()


@dataclass(frozen=True)
class Validation:
    """The outcomes of a campaign, by attempt id.

    Of the parts that `parts` has for a round only what is valid is kept (Bartolo et al. 2020, §4.1: development and
    test); of others all but what is invalid. Work of `discarded_workers` (raw ids) is in no export.
    """

    outcomes: Mapping[str, Outcome] = field(default_factory=dict)
    parts: Mapping[int, Collection[str]] = field(default_factory=dict)
    discarded_workers: Collection[str] = frozenset()

    def without(self, workers: Collection[str]) -> Validation:
        """The same without the work of these workers either, whom reviewers have revoked."""
        return replace(self, discarded_workers=frozenset((*self.discarded_workers, *workers)))

    def status(self, attempt_id: str) -> Status | None:
        outcome = self.outcomes.get(attempt_id)
        return outcome.status if outcome else None

    def keeps(self, attempt_id: str, number: int, part: str) -> bool:
        """Whether an attempt of that round, which beat the model, goes into that part of the dataset."""
        status = self.status(attempt_id)
        return status is Status.VALID if part in self.parts.get(number, ()) else status is not Status.INVALID


NOT_VALIDATED = Validation()
