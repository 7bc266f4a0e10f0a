"""The results of validation and review for an export: an outcome per attempt, and the discarded workers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace

from beat_the_ai.rules.adjudication import Outcome, Validity
from beat_the_ai.validation import CheckingByRound

OutcomesAmong = Callable[[Collection[str]], Mapping[str, Outcome]]


def _of_none(_attempts: Collection[str]) -> Mapping[str, Outcome]:
    return {}


@dataclass(frozen=True)
class Validation:
    """The votes of other people on a campaign's attempts, and whose work is in no dataset.

    `outcomes(attempts)` has those of these attempts, by id, that anybody has voted on.

    Of the parts that `parts` has for a round only what is valid is kept (Bartolo et al. 2020, §3.3: development and
    test); of others all but what is invalid. Work of `discarded_workers` (raw ids) is in no dataset. By the rules
    of a round (`checking_by_round`) no vote of those in `unreliable` counts.
    """

    outcomes: OutcomesAmong = _of_none
    parts: Mapping[int, Collection[str]] = field(default_factory=dict)
    discarded_workers: Collection[str] = frozenset()
    checking_by_round: CheckingByRound = field(default_factory=dict)
    unreliable: Mapping[int, Collection[str]] = field(default_factory=dict)

    def without(self, workers: Collection[str]) -> Validation:
        """Return the same without the work of these workers either, whom reviewers have revoked."""
        return replace(self, discarded_workers=frozenset((*self.discarded_workers, *workers)))

    def keeps(self, validity: Validity | None, number: int, part: str) -> bool:
        """Return whether an attempt of that round, which beat the model, goes into that part of the dataset."""
        return validity is Validity.VALID if part in self.parts.get(number, ()) else validity is not Validity.INVALID


NOT_VALIDATED = Validation()
