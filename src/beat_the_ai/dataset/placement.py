"""The part of each attempt of a campaign, and the reason why it is not in the dataset."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from beat_the_ai.dataset.balance import Balance, Stratum, balance, stratum
from beat_the_ai.dataset.records import Placed, example
from beat_the_ai.dataset.validation import NOT_VALIDATED, Validation
from beat_the_ai.rules.dataset import Example
from beat_the_ai.store import Assignment, AttemptInCampaign
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.division import divide

DISCARDED = "discarded"
UNBALANCED = "unbalanced"
DOUBTFUL = "doubtful"  # a reviewer has to look at it
REJECTED = "rejected"  # and did not admit it


def uncounted(assignment: Assignment) -> str | None:
    """Why nothing in it counts; None when it does."""
    if assignment.set_aside_at is not None:
        return "set_aside"
    if not assignment.counts:
        return "not_handed_in" if assignment.submitted_at is None else "not_confirmed"
    return None


def parts_of(campaign: BoundCampaign) -> dict[str, str]:
    """Return `{context id: part}` of every context that the campaign offered."""
    store = campaign.store
    contexts, kept = store.campaigns.contexts(campaign.id), store.campaigns.parts(campaign.id)
    return divide(contexts, kept, store.attempts.writers(campaign.id), campaign.divisions)


class Placement:
    """The places of a campaign's attempts, with what other people say of them; without the work of the revoked.

    An export and a report that are made of the same placement say the same.
    """

    def __init__(self, campaign: BoundCampaign, validation: Validation = NOT_VALIDATED) -> None:
        self.campaign = campaign
        self.validation = validation.without(campaign.store.standings.discarded(campaign.id))
        self._store = campaign.store
        self._dataset = campaign.kind.dataset
        self._divisions = campaign.divisions
        self._part_of = parts_of(campaign)

    def of(self, row: AttemptInCampaign) -> Placed:
        """Return the place of an attempt."""
        found, dropped = self._before_balance(row)
        if dropped is None and row.attempt.id in self._left_out:
            dropped = UNBALANCED
        exclusive = self._divisions[row.hit.round].is_exclusive(row.assignment.worker)
        return Placed(row, found, dropped, self._part_of[row.hit.context.id], exclusive)

    def attempts(self) -> Iterator[Placed]:
        """Yield every attempt with its place, in the store's order."""
        return map(self.of, self._store.attempts.of_campaign(self.campaign.id))

    @cached_property
    def balances(self) -> dict[tuple[int, str], Balance]:
        """The balance of each part of a round that is to be balanced."""
        strata: dict[tuple[int, str], dict[str, Stratum]] = {
            (number, part): {} for number, division in self._divisions.items() for part in sorted(division.balanced)
        }
        if not strata:
            return {}
        for row in self._store.attempts.kept(self.campaign.id):
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
        return example(row, part, self.validation, self._divisions[row.hit.round]), self._dropped(row, part)

    def _excluded(self, row: AttemptInCampaign) -> str | None:
        """Why an attempt belongs to no part of the dataset, whatever it says; None when it is in its context's."""
        discarded = row.assignment.worker in self.validation.discarded_workers
        return uncounted(row.assignment) or (DISCARDED if discarded else None)

    def _dropped(self, row: AttemptInCampaign, part: str) -> str | None:
        if row.attempt.retracted:
            return "retracted"
        if row.attempt.doubted and not row.attempt.admitted:
            return DOUBTFUL if row.attempt.admitted is None else REJECTED
        if not row.attempt.fooled or self.validation.model_right(row.attempt.id):
            return None if part in self._dataset.parts_with_model_right else "model_right"
        if self.validation.keeps(row.attempt.id, row.hit.round, part):
            return None
        validity = self.validation.validity(row.attempt.id)
        return validity.value if validity else "not_validated"
