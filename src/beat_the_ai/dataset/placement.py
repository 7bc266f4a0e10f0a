"""Which part each attempt of a campaign belongs to, and why it is not in the dataset."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from beat_the_ai.dataset.balance import Balance, Stratum, balance, stratum
from beat_the_ai.dataset.records import Placed, example
from beat_the_ai.dataset.validation import Validation
from beat_the_ai.rules.dataset import Example
from beat_the_ai.rules.kind import Kind
from beat_the_ai.store import Assignment, AttemptInCampaign, Campaign, Store, ValidationAssignment
from beat_the_ai.terms.division import Division, divide

DISCARDED = "discarded"
UNBALANCED = "unbalanced"
DOUBTFUL = "doubtful"  # a reviewer has to look at it
REJECTED = "rejected"  # and did not admit it

Divisions = Mapping[int, Division]  # by round


def uncounted(assignment: Assignment | ValidationAssignment) -> str | None:
    """Why nothing in it counts; None when it does."""
    if assignment.set_aside_at is not None:
        return "set_aside"
    if not assignment.counts:
        return "not_handed_in" if assignment.submitted_at is None else "not_confirmed"
    return None


def parts_of(store: Store, campaign: Campaign, divisions: Divisions) -> dict[str, str]:
    """Return `{context id: part}` of every context that the campaign offered."""
    contexts, kept = store.campaigns.contexts(campaign.id), store.campaigns.parts(campaign.id)
    return divide(contexts, kept, store.attempts.writers(campaign.id), divisions)


class Placement:
    """Of one campaign, with what other people say of it."""

    def __init__(
        self, store: Store, campaign: Campaign, kind: Kind, divisions: Divisions, validation: Validation
    ) -> None:
        self._validation = validation
        self._store = store
        self._campaign = campaign
        self._dataset = kind.dataset
        self._divisions = divisions
        self._part_of = parts_of(store, campaign, divisions)

    def of(self, row: AttemptInCampaign) -> Placed:
        """Return the place of an attempt."""
        found, dropped = self._before_balance(row)
        if dropped is None and row.attempt.id in self._left_out:
            dropped = UNBALANCED
        exclusive = self._divisions[row.hit.round].is_exclusive(row.assignment.worker)
        return Placed(row, found, dropped, self._part_of[row.hit.context.id], exclusive)

    def attempts(self) -> Iterator[Placed]:
        """Yield every attempt with its place, in the store's order."""
        return map(self.of, self._store.attempts.of_campaign(self._campaign.id))

    @cached_property
    def balances(self) -> dict[tuple[int, str], Balance]:
        """Of each part of a round that is to be balanced."""
        strata: dict[tuple[int, str], dict[str, Stratum]] = {
            (number, part): {} for number, division in self._divisions.items() for part in sorted(division.balanced)
        }
        if not strata:
            return {}
        for row in self._store.attempts.kept(self._campaign.id):
            found, dropped = self._before_balance(row)
            if found is not None and dropped is None and (found.round, found.part) in strata:
                strata[found.round, found.part][found.id] = stratum(found, self._dataset)
        return {
            place: balance(of_part, self._dataset, self._divisions[place[0]].seed) for place, of_part in strata.items()
        }

    @cached_property
    def _left_out(self) -> frozenset[str]:
        return frozenset(name for each in self.balances.values() for name in each.left_out)

    def _before_balance(self, row: AttemptInCampaign) -> tuple[Example | None, str | None]:
        excluded = self._excluded(row)
        if excluded is not None:
            return None, excluded
        part = self._part_of[row.hit.context.id]
        return example(row, part, self._validation, self._divisions[row.hit.round]), self._dropped(row, part)

    def _excluded(self, row: AttemptInCampaign) -> str | None:
        """Why an attempt belongs to no part of the dataset, whatever it says; None when it is in its context's."""
        discarded = row.assignment.worker in self._validation.discarded_workers
        return uncounted(row.assignment) or (DISCARDED if discarded else None)

    def _dropped(self, row: AttemptInCampaign, part: str) -> str | None:
        if row.attempt.retracted:
            return "retracted"
        if row.attempt.doubts is not None and not row.attempt.admitted:
            return DOUBTFUL if row.attempt.admitted is None else REJECTED
        if not row.attempt.fooled or self._validation.model_right(row.attempt.id):
            return None if part in self._dataset.parts_with_model_right else "model_right"
        if self._validation.keeps(row.attempt.id, row.hit.round, part):
            return None
        validity = self._validation.validity(row.attempt.id)
        return validity.value if validity else "not_validated"
