"""The part of each attempt of a campaign, and the reason why it is not in the dataset."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import cached_property

from beat_the_ai.dataset.balance import Balance, Stratum, balance, stratum
from beat_the_ai.dataset.records import Placed, example
from beat_the_ai.dataset.validation import NOT_VALIDATED, Validation
from beat_the_ai.rules.adjudication import Outcome, Validity
from beat_the_ai.rules.dataset import Example, Trial
from beat_the_ai.store import Assignment, AttemptInCampaign
from beat_the_ai.store.batches import batched
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.division import divide

DISCARDED = "discarded"
UNBALANCED = "unbalanced"
DOUBTFUL = "doubtful"  # a reviewer has to look at it
REJECTED = "rejected"  # and did not admit it
NOT_LOOKED_AT = "not_validated"
BATCH_ATTEMPTS = 500  # whose votes are read together
_CONFIRMED = {Validity.VALID: True, Validity.INVALID: False, Validity.UNDECIDED: None, None: None}


def uncounted(assignment: Assignment) -> str | None:
    """Why nothing in it counts; None when it does."""
    if assignment.set_aside_at is not None:
        return "set_aside"
    if not assignment.counts:
        return "not_handed_in" if assignment.submitted_at is None else "not_confirmed"
    return None


def trial(placed: Placed, checked_parts: Collection[str]) -> Trial:
    """Return the trial of an attempt that was not taken back and whose writer nobody has revoked.

    In `checked_parts` people are asked about all works of its round.
    """
    row, attempt = placed.row, placed.row.attempt
    return Trial(
        row.hit.context,
        row.hit.round,
        row.assignment.id,
        attempt.ordinal,
        (attempt.created_at - row.assignment.accepted_at).total_seconds(),
        attempt.fooled,
        is_confirmed(placed.validity, attempt.admitted),
        placed.context_part in checked_parts,
        placed.exclusive,
        placed.dropped == DISCARDED,
    )


def is_confirmed(validity: Validity | None, admitted: bool | None) -> bool | None:
    """Return whether other people keep a work (`Trial.confirmed`), by the votes and by a reviewer's word on doubts."""
    if admitted is False:
        return False
    return _CONFIRMED[validity]


def parts_of(campaign: BoundCampaign) -> dict[str, str]:
    """Return `{context id: part}` of every context that the campaign offered."""
    store, divisions = campaign.store, campaign.divisions
    texts, kept = store.campaigns.texts(campaign.id), store.campaigns.parts(campaign.id)
    may_move = any(each.may_move for each in divisions.values())
    return divide(texts, kept, store.attempts.writers(campaign.id) if may_move else (), divisions)


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

    def attempts(self) -> Iterator[Placed]:
        """Yield every attempt with its place, in the store's order."""
        for row, outcome in self._with_outcomes(self._store.attempts.of_campaign(self.campaign.id)):
            found, dropped = self._before_balance(row, outcome)
            if dropped is None and row.attempt.id in self._left_out:
                dropped = UNBALANCED
            exclusive = self._divisions[row.hit.round].is_exclusive(row.assignment.worker)
            yield Placed(row, found, dropped, self._part_of[row.hit.context.id], exclusive, outcome)

    def _with_outcomes(self, rows: Iterable[AttemptInCampaign]) -> Iterator[tuple[AttemptInCampaign, Outcome | None]]:
        for some in batched(rows, BATCH_ATTEMPTS):
            outcomes = self.validation.outcomes([row.attempt.id for row in some])
            for row in some:
                yield row, outcomes.get(row.attempt.id)

    @cached_property
    def balances(self) -> dict[tuple[int, str], Balance]:
        """The balance of each part of a round that is to be balanced."""
        strata: dict[tuple[int, str], dict[str, Stratum]] = {
            (number, part): {} for number, division in self._divisions.items() for part in sorted(division.balanced)
        }
        if not strata:
            return {}
        for row, outcome in self._with_outcomes(self._store.attempts.kept(self.campaign.id)):
            found, dropped = self._before_balance(row, outcome)
            if found is not None and dropped is None and (found.round, found.part) in strata:
                strata[found.round, found.part][found.id] = stratum(found, self._dataset)
        return {
            place: balance(of_part, self._dataset, self._divisions[place[0]].seed) for place, of_part in strata.items()
        }

    @cached_property
    def _left_out(self) -> frozenset[str]:
        return frozenset(name for each in self.balances.values() for name in each.left_out)

    def _before_balance(self, row: AttemptInCampaign, outcome: Outcome | None) -> tuple[Example | None, str | None]:
        excluded = self._excluded(row)
        if excluded is not None:
            return None, excluded
        part = self._part_of[row.hit.context.id]
        return example(row, part, outcome, self._divisions[row.hit.round]), self._dropped(row, part, outcome)

    def _excluded(self, row: AttemptInCampaign) -> str | None:
        """Why an attempt belongs to no part of the dataset, whatever it says; None when it is in its context's."""
        discarded = row.assignment.worker in self.validation.discarded_workers
        return uncounted(row.assignment) or (DISCARDED if discarded else None)

    def _dropped(self, row: AttemptInCampaign, part: str, outcome: Outcome | None) -> str | None:
        if row.attempt.retracted:
            return "retracted"
        if row.attempt.doubted and not row.attempt.admitted:
            return DOUBTFUL if row.attempt.admitted is None else REJECTED
        if not row.attempt.fooled or (outcome is not None and outcome.adjudication.model_right):
            return None if part in self._dataset.parts_with_model_right else "model_right"
        validity = None if outcome is None else outcome.validity
        if self.validation.keeps(validity, row.hit.round, part):
            return None
        return validity.value if validity else NOT_LOOKED_AT
