"""The adjudications of a campaign's works, as the store keeps them by each round's own rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property

from beat_the_ai.statistics.clustered import Clustered
from beat_the_ai.store import CountingRules, Totals
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.validation.counting import counting_rules


@contextmanager
def at_one_moment(campaign: BoundCampaign) -> Iterator[BoundCampaign]:
    """Yield the campaign as it is at a moment at which all votes are counted. Nothing is written to its store.

    Its rounds and terms are those of that moment, too, whatever has changed since `campaign` was opened.
    """
    while True:
        current = BoundCampaign.open(campaign.store, campaign.id)
        AdjudicatedWorks(current).adjudicate()
        with campaign.store.at_one_moment() as store:
            then = replace(current, store=store)  # with the same rules, which may have no other name than their place
            if _has_all_rounds(then) and AdjudicatedWorks(then).are_up_to_date:
                yield then
                return


def _has_all_rounds(campaign: BoundCampaign) -> bool:
    """Return whether its rounds and their terms are those in its store."""
    return campaign.store.rounds.of_campaign(campaign.id) == [each.record for each in campaign.rounds.values()]


class AdjudicatedWorks:
    """The adjudicated works of a campaign. Each question first counts the votes that came since the last one."""

    def __init__(self, campaign: BoundCampaign) -> None:
        self._campaign = campaign
        self._works = campaign.store.works

    def adjudicate(self) -> Mapping[int, int]:
        """Count the votes that were not counted yet. Return the version of each round's adjudications then."""
        campaign_id = self._campaign.id
        return {number: self._works.adjudicate(campaign_id, number, rules) for number, rules in self._rules.items()}

    def verified_wins(self) -> set[str]:
        """Return the attempts that other people have confirmed, by id. Revoked writers keep what they have earned."""
        self.adjudicate()
        return self._works.confirmed(self._campaign.id) if self._rules else set()

    def verified_wins_of(self, worker: str) -> set[str]:
        """Return the verified wins of one writer."""
        self.adjudicate()
        return self._works.confirmed(self._campaign.id, worker) if self._rules else set()

    def verified_wins_among(self, attempts: Iterable[str]) -> set[str]:
        """Return the verified wins among these attempts."""
        self.adjudicate()
        return self._works.confirmed_among(attempts) if self._rules else set()

    def results(self, workers: Iterable[str]) -> Mapping[str, list[bool | None]]:
        """Return by writer the results of works that beat the model, in the order of submission (`rules.wins`)."""
        self.adjudicate()
        return self._campaign.store.board.results(self._campaign.id, workers) if self._rules else {}

    @property
    def are_up_to_date(self) -> bool:
        """Return whether all votes are counted."""
        return all(
            self._works.is_adjudicated(self._campaign.id, number, rules) for number, rules in self._rules.items()
        )

    @cached_property
    def totals(self) -> Totals:
        """The totals of all works, without reading every vote."""
        totals = sum(self._totals_by_writer.values(), Totals())
        return totals if self._campaign.is_adaptive else replace(totals, votes_saved=0)

    @property
    def kept(self) -> Clustered:
        """The works with a final status by writer, and the kept ones among them."""
        return Clustered({writer: (of.kept, of.settled) for writer, of in self._totals_by_writer.items()})

    @cached_property
    def discarded_writers(self) -> set[str]:
        """The writers all of whose work is discarded for what others say of it, without reading every vote."""
        checking = self._campaign.checking
        if not checking:
            return set()
        discards = checking[max(checking)].discards
        return {
            writer
            for writer, of in self._totals_by_writer.items()
            if of.settled and discards([True] * of.kept + [False] * (of.settled - of.kept))
        }

    @cached_property
    def _totals_by_writer(self) -> Mapping[str, Totals]:
        """Read again where votes begin to count meanwhile."""
        campaign = self._campaign
        while True:
            versions = self.adjudicate()
            totals = self._works.totals(campaign.id, campaign.store.standings.discarded(campaign.id))
            if self._are_current(versions):
                return totals

    def _are_current(self, versions: Mapping[int, int]) -> bool:
        return all(self._works.version(self._campaign.id, number) == version for number, version in versions.items())

    @cached_property
    def _rules(self) -> Mapping[int, CountingRules]:
        campaign = self._campaign
        adaptive = {number: each.terms.validation.terms.adaptive for number, each in campaign.rounds.items()}
        return {
            number: counting_rules(checking, campaign.seed, adaptive=adaptive[number])
            for number, checking in campaign.checking.items()
        }
