"""The agreement of a campaign's validators: coefficients, the votes of each, and works without enough votes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from beat_the_ai.analysis.rounds import Counted
from beat_the_ai.campaign.results.outcomes import CampaignOutcomes
from beat_the_ai.rules.adjudication import Outcome, Vote, VoteFigures
from beat_the_ai.rules.checking import Checking
from beat_the_ai.statistics.clustered import Clustered
from beat_the_ai.store import Totals
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.validation import AdjudicatedWorks, CheckingByRound, ValidatorRecord


@dataclass(frozen=True)
class Validator:
    """One validator, and how many of their votes on works with a final status say what became of the work."""

    record: ValidatorRecord
    with_outcome: Counted


@dataclass(frozen=True)
class Validators:
    """`by_votes` counts the works that validators were asked about by their votes that count.

    `kept` has the works with a final status by writer, and the kept ones among them.
    """

    figures: VoteFigures
    totals: Totals
    kept: Clustered
    by_votes: Mapping[int, int]
    validators: list[Validator]


def validators_of(campaign: BoundCampaign) -> Validators | None:
    """Return the agreement of the validators, without revoked people; None where nobody checks what is written."""
    if not campaign.checking:
        return None
    with CampaignOutcomes.at_one_moment(campaign) as outcomes:
        found = outcomes.outcomes.values()
        adjudicated = AdjudicatedWorks(outcomes.campaign)
        agreed = _with_outcome(found, outcomes.campaign.checking)
        return Validators(
            outcomes.figures,
            adjudicated.totals,
            adjudicated.kept,
            Counter(len(each.votes) for each in found),
            [Validator(record, agreed.get(record.worker, (0, 0))) for record in outcomes.validators],
        )


def _with_outcome(outcomes: Iterable[Outcome], checking_by_round: CheckingByRound) -> Mapping[str, Counted]:
    """Return by validator how many votes on works with a final status say what the majority does, of how many.

    A work whose votes differ without end has no majority, and is left out.
    """
    found: defaultdict[str, Counted] = defaultdict(lambda: (0, 0))
    for outcome in outcomes:
        if outcome.adjudication.settled and _has_majority(outcome):
            for vote in outcome.cast:
                agrees, of = found[vote.worker]
                found[vote.worker] = agrees + _agrees(vote, outcome, checking_by_round[outcome.round]), of + 1
    return found


def _has_majority(outcome: Outcome) -> bool:
    return outcome.adjudication.label is not None or any(vote.label is None for vote in outcome.cast)


def _agrees(vote: Vote, outcome: Outcome, checking: Checking) -> bool:
    final = outcome.adjudication.label
    return vote.label is None if final is None else checking.agree(vote.label, final)
