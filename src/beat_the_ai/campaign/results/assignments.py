"""The table of assignments in an export: who had which HIT, for how long, what became of it, and what it earned."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from beat_the_ai.campaign.results.earned import earned_by_assignment
from beat_the_ai.campaign.results.outcomes import CampaignOutcomes
from beat_the_ai.dataset.further import FurtherTable
from beat_the_ai.dataset.names import DISCARDED
from beat_the_ai.dataset.placement import Placement, uncounted
from beat_the_ai.dataset.records import pseudonym
from beat_the_ai.dataset.votes import assignment_pseudonym
from beat_the_ai.payments import HeldBack, held_back
from beat_the_ai.rules.protocol import Value
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import Assignment
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.validation import AdjudicatedWorks
from beat_the_ai.workforce import refused_newcomers
from beat_the_ai.workforce.verdicts import accepted, standing_reviews

REFUSED = "refused"
ABOUT = "The table of assignments has every HIT that somebody took, of all stages, whether it counts or not."


class AssignmentRow(Value):
    """One worker's acceptance of a HIT."""

    assignment: str = Field(description="the assignment's id as in the table of attempts or, in validation, of votes")
    stage: Literal["screening", "writing", "validation"] = Field(description="screening, writing or validation")
    round: int = Field(description="the round's number, from 1")
    worker: str = Field(description="the worker's pseudonym, as in the table of attempts")
    standing: str | None = Field(
        description="the worker's present standing: candidate, qualified, revoked, blocked or refused (never let in)"
    )
    arm: str | None = Field(description="the writer's arm; empty in a round without arms")
    accepted_at: str = Field(description="the time of acceptance (ISO 8601, UTC)")
    submitted_at: str | None = Field(
        description="the time of submission (ISO 8601, UTC); empty if it was never submitted"
    )
    seconds: float | None = Field(description="seconds from acceptance to submission, pauses included")
    dropped: str | None = Field(
        description="the reason why it does not count: not_handed_in, not_confirmed, set_aside or discarded; else empty"
    )
    discarded_by: str | None = Field(description="as in the table of attempts")
    review: Literal["accepted", "rejected"] | None = Field(
        description="the reviewers' decision; empty if none was made"
    )
    gold_unanswered: int = Field(description="works with known labels that the validator skipped")
    held: str | None = Field(
        description="the reason why a person decides about its payment; empty if it is paid automatically"
    )
    is_paid: bool | None = Field(description="that person's decision; empty if there is none")
    earned_cents: int | None = Field(
        description="reward, bonuses and fees, paid or not, in hundredths of the crowd's unit; empty without pay"
    )


def assignments_table(outcomes: CampaignOutcomes) -> FurtherTable:
    """Return the assignments by stage, in the order in which they were taken."""
    return FurtherTable("assignments", AssignmentRow, _rows(outcomes.placement), ABOUT)


def _rows(placement: Placement) -> Iterator[Value]:
    campaign = placement.campaign
    standings = {name: event.standing for name, event in campaign.store.standings.current(campaign.id).items()}
    standings |= dict.fromkeys(refused_newcomers(campaign), REFUSED)
    verified = AdjudicatedWorks(campaign).verified_wins()
    for stage, place in ((Stage.SCREENING, campaign.samples), (Stage.WRITING, campaign), (Stage.VALIDATION, campaign)):
        if place is not None:
            known = _Known.read(place, placement, standings, verified)
            taken = [
                *place.store.assignments.confirmed(place.id, stage),
                *place.store.assignments.uncounted(place.id, stage),
            ]
            for one in sorted(taken, key=lambda each: (each.accepted_at, each.id)):
                yield known.row(one)


@dataclass(frozen=True)
class _Known:
    """Facts about a campaign's assignments, by their ids. `cents` is None where the terms state no pay."""

    campaign: BoundCampaign
    placement: Placement
    standings: Mapping[str, str]
    reviews: Mapping[str, bool]
    gold_unanswered: Mapping[str, int]
    held: Mapping[str, HeldBack]
    cents: Mapping[str, int] | None

    @classmethod
    def read(
        cls, campaign: BoundCampaign, placement: Placement, standings: Mapping[str, str], verified: set[str]
    ) -> _Known:
        store, pays = campaign.store, campaign.states_its_pay
        judged = standing_reviews(store.reviews.of_campaign(campaign.id))
        return cls(
            campaign,
            placement,
            standings,
            {name: accepted(said.values()) for name, said in judged.items()},
            store.validations.gold_unanswered(campaign.id),
            {each.assignment.id: each for each in held_back(campaign)} if pays else {},
            earned_by_assignment(campaign, verified) if pays else None,
        )

    def row(self, one: Assignment) -> AssignmentRow:
        discarded_by = self.placement.discarded_by(one.worker)
        held, review = self.held.get(one.id), self.reviews.get(one.id)
        return AssignmentRow(
            assignment=assignment_pseudonym(one.id, self.campaign) if one.is_validation else one.id,
            stage=one.stage.value,
            round=one.round,
            worker=pseudonym(one.worker, self.campaign.record),
            standing=self.standings.get(one.worker),
            arm=one.arm,
            accepted_at=one.accepted_at.isoformat(),
            submitted_at=None if one.submitted_at is None else one.submitted_at.isoformat(),
            seconds=None if one.submitted_at is None else (one.submitted_at - one.accepted_at).total_seconds(),
            dropped=uncounted(one) or (DISCARDED if discarded_by else None),
            discarded_by=discarded_by,
            review=None if review is None else "accepted" if review else "rejected",
            gold_unanswered=self.gold_unanswered.get(one.id, 0),
            held=None if held is None else held.cause.value,
            is_paid=None if held is None or held.decision is None else held.decision.pays,
            earned_cents=None if self.cents is None else self.cents.get(one.id, 0),
        )
