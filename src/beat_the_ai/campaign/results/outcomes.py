"""The results of validation, in the words of datasets and reports, which know nothing of votes in a store."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property

from beat_the_ai.dataset import validation as dataset
from beat_the_ai.dataset.placement import Placement
from beat_the_ai.dataset.transcript.contents import is_recorded, record
from beat_the_ai.rules.adjudication import Outcome, VoteFigures
from beat_the_ai.rules.checking import Ballot
from beat_the_ai.statistics.figure import Figure
from beat_the_ai.statistics.section import Section
from beat_the_ai.store import Snapshot
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.validation import (
    AdjudicatedWorks,
    CheckingByRound,
    ValidatorRecord,
    at_one_moment,
    results,
    validators,
    vote_figures,
)


@dataclass(frozen=True)
class Votes:
    """The votes of a campaign, for a report: what they come to, and how they were given. `seed` is the intervals'."""

    outcomes: Mapping[str, Outcome]
    figures: VoteFigures
    checking_by_round: CheckingByRound
    seed: int
    adaptive: bool = False
    of_kind: Sequence[Section] = ()

    @property
    def asked(self) -> VoteFigures | None:
        return self.figures if self.figures.votes else None

    def performance(self, dataset: Mapping[str, Collection[str]]) -> dict[str, Sequence[Figure]]:
        """Return how well people do it, by part, on the works in the dataset that others have confirmed.

        `dataset` has the attempts of each part. A part without such works is left out.
        """
        checking = self.checking_by_round[max(self.checking_by_round)]
        found = {
            part: [each for name in names if (each := self.outcomes.get(name)) is not None and each.adjudication.kept]
            for part, names in dataset.items()
        }
        return {
            part: checking.performance(of_part, self.seed, adaptive=self.adaptive)
            for part, of_part in found.items()
            if of_part
        }


class CampaignOutcomes:
    """The outcomes of a campaign's works, by its rounds' own rules.

    The `campaign` is read at one moment (`at_one_moment`). What a dataset needs is read with its attempts; what a
    report needs of all votes together, once. Without `every_work`, works that no validator was asked about are in no
    outcome.
    """

    def __init__(self, campaign: BoundCampaign, *, every_work: bool = False) -> None:
        self.campaign = campaign
        self._store = campaign.store
        self._checking = campaign.checking
        self._every_work = every_work

    @classmethod
    @contextmanager
    def at_one_moment(cls, campaign: BoundCampaign, *, every_work: bool = False) -> Iterator[CampaignOutcomes]:
        """Yield the outcomes at a moment at which all votes are counted; their `campaign` is the one at that moment."""
        with at_one_moment(campaign) as then:
            yield cls(then, every_work=every_work)

    @classmethod
    @contextmanager
    def recorded(cls, campaign: BoundCampaign) -> Iterator[CampaignOutcomes]:
        """Yield the outcomes as `at_one_moment`, at which all that counts is in the transcript, too."""
        while True:
            record(BoundCampaign.open(campaign.store, campaign.id))
            with cls.at_one_moment(campaign) as outcomes:
                if is_recorded(outcomes.campaign):
                    yield outcomes
                    return

    @cached_property
    def placement(self) -> Placement:
        """Return the place of each attempt in the dataset."""
        return Placement(self.campaign, self.validation)

    @cached_property
    def validation(self) -> dataset.Validation:
        """Return the validation for a dataset. It checks no round whose validation has not begun."""
        campaign, validations = self.campaign, self._store.validations
        begun = validations.rounds_begun(campaign.id)
        return dataset.Validation(
            self._among,
            {number: each.terms.validation.parts for number, each in campaign.rounds.items() if number in begun},
            self._revoked | AdjudicatedWorks(campaign).discarded_writers,
            self._checking,
            validations.unreliable(campaign.id),
        )

    def _among(self, attempts: Collection[str]) -> Mapping[str, Outcome]:
        if not self._checking:
            return {}
        some = self._store.validations.snapshot(self.campaign.id, only_asked=True, among=attempts)
        return {name: each for name, each in results(some, self._checking, self._revoked).items() if each.cast}

    @cached_property
    def figures(self) -> VoteFigures:
        """Return figures of the votes, without those of revoked people, for a kind of task that is checked."""
        return vote_figures(self.outcomes.values(), self.validators, self._checking, adaptive=self.campaign.is_adaptive)

    @cached_property
    def validators(self) -> list[ValidatorRecord]:
        """Return the record of each validator whom nobody has revoked."""
        placed = [each for each in self._snapshot.placed if each.worker not in self._revoked]
        return validators(placed, self._checking)

    @cached_property
    def votes(self) -> Votes | None:
        """Return the votes, for a report; None where nobody checks what is written."""
        if not self._checking:
            return None
        report = self.campaign.kind.ballot_report
        return Votes(
            self.outcomes,
            self.figures,
            self._checking,
            self.campaign.seed,
            self.campaign.is_adaptive,
            [] if report is None else report(self.ballots),
        )

    @property
    def ballots(self) -> list[Ballot]:
        """Return votes on works, of people whose work is not discarded, in the order in which their HITs were taken."""
        works = {each.attempt_id: each.work for each in self._snapshot.outcomes if each.writer not in self._revoked}
        ballots = []
        for each in self._snapshot.placed:
            gold, name = each.item.gold, each.item.attempt_id
            work = gold if name is None else works.get(name)
            if work is not None and each.vote is not None and each.counts and each.worker not in self._revoked:
                ballots.append(Ballot(each.worker, work, each.vote.vote, is_gold=gold is not None))
        return ballots

    @cached_property
    def _snapshot(self) -> Snapshot:
        return self._store.validations.snapshot(self.campaign.id, only_asked=not self._every_work)

    @cached_property
    def _revoked(self) -> AbstractSet[str]:
        return self._store.standings.discarded(self.campaign.id)

    @cached_property
    def outcomes(self) -> dict[str, Outcome]:
        return results(self._snapshot, self._checking, self._revoked)
