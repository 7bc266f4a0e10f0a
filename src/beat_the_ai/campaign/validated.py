"""What validation found, in the words of datasets and reports, which know nothing of votes in a store."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import cached_property
from types import MappingProxyType

from beat_the_ai.analysis.campaign import Checked, VoteFigures
from beat_the_ai.campaign.sections import RoundTerms
from beat_the_ai.dataset import validation as dataset
from beat_the_ai.dataset.parts import EXCLUSIVE, PARTS
from beat_the_ai.dataset.placement import Divisions, parts_of
from beat_the_ai.rules.adjudication import Ballot
from beat_the_ai.rules.kind import Kind
from beat_the_ai.store import Campaign, Rules, Snapshot, Store, Totals
from beat_the_ai.validation import (
    Outcome,
    Rulings,
    Summary,
    discarded_writers,
    judged,
    results,
    rules_of,
    summary,
    unreliable,
)


def dataset_validation(
    found: Mapping[str, Outcome],
    rulings: Rulings,
    *,
    parts: Mapping[int, Collection[str]] = MappingProxyType({}),
    revoked: AbstractSet[str] = frozenset(),
) -> dataset.Validation:
    """What an export keeps. Of the parts in `parts` (by round) that is what was found valid; `revoked` workers' work
    goes, too.
    """
    outcomes = {name: each for name, each in found.items() if each.cast}
    return dataset.Validation(outcomes, parts, frozenset(discarded_writers(found.values(), rulings)) | revoked)


def checked(
    found: Mapping[str, Outcome],
    figures: Summary,
    part_of: Mapping[str, str],
    rulings: Rulings,
    *,
    seed: int,
    divisions: Divisions = MappingProxyType({}),
    adaptive: bool = False,
) -> Checked:
    """What is kept by part, and human performance on it. `part_of` maps contexts to parts; `seed` is the intervals'.

    `divisions` say whose test work is a part of its own beside test.
    """
    by_part: dict[str, list[Outcome]] = defaultdict(list)
    for each in found.values():
        if each.settled and each.context_id in part_of:
            by_part[part_of[each.context_id]].append(each)
            if each.round in divisions and divisions[each.round].is_exclusive(each.writer):
                by_part[EXCLUSIVE].append(each)
    kept = {part: [each for each in settled if each.kept] for part, settled in by_part.items()}
    checking = rulings[max(rulings)]
    human = {
        part: checking.performance(judged(kept[part]), seed, adaptive=adaptive)
        for part in (*PARTS, EXCLUSIVE)
        if kept.get(part)
    }
    answerable = {part: (len(kept[part]), len(by_part[part])) for part in (*PARTS, EXCLUSIVE) if part in by_part}
    return Checked(checking.text, answerable, human, _asked(figures) if figures.votes else None)


def _asked(figures: Summary) -> VoteFigures:
    gold, right = (sum(getattr(one, name) for one in figures.validators) for name in ("gold", "gold_right"))
    return VoteFigures(
        validators=len(figures.validators),
        excluded=sum(not one.counts for one in figures.validators),
        votes=figures.votes,
        votes_saved=figures.votes_saved,
        gold=(right, gold),
        agreement=figures.agreement,
    )


def terms_by_round(store: Store, campaign: Campaign) -> dict[int, RoundTerms]:
    return {each.number: RoundTerms.of(each) for each in store.rounds.of_campaign(campaign.id)}


def kind_of(store: Store, campaign: Campaign) -> Kind:
    """With the options of the last round."""
    terms_by = terms_by_round(store, campaign)
    return terms_by[max(terms_by)].kind(campaign.kind_place)


def rulings_of(store: Store, campaign: Campaign) -> Rulings:
    """By the rounds' own terms; none where nobody checks what is written."""
    bound = {number: terms.kind(campaign.kind_place) for number, terms in terms_by_round(store, campaign).items()}
    return {number: kind.checking for number, kind in bound.items() if kind.checking is not None}


def divisions_of(store: Store, campaign: Campaign) -> Divisions:
    """By the rounds' own terms."""
    terms_by = terms_by_round(store, campaign)
    return {number: terms.dataset.division(campaign.seed) for number, terms in terms_by.items()}


class Findings:
    """What other people's votes say of a campaign at one moment, by its rounds' own rules: they are read once.

    Unless it is of `every_work`, those that nobody was ever asked about are in no outcome.
    """

    def __init__(self, store: Store, campaign: Campaign, *, every_work: bool = False) -> None:
        self._store = store
        self._campaign = campaign
        self._every_work = every_work

    @cached_property
    def validation(self) -> dataset.Validation:
        """What goes into a dataset; nothing is asked of a round that nobody has begun to validate."""
        round_of = {candidate.attempt_id: candidate.round for candidate in self._snapshot.candidates}
        begun = {round_of[name] for each in self._snapshot.placed if (name := each.item.attempt_id) in round_of}
        parts = {number: terms.validation.parts for number, terms in self._terms.items() if number in begun}
        found = dataset_validation(self.outcomes, self._rulings, parts=parts, revoked=self._revoked)
        placed = self._snapshot.placed
        unsound = {number: unreliable(placed, checking) for number, checking in self._rulings.items()}
        return replace(found, rulings=self._rulings, unsound=unsound)

    @cached_property
    def verified_wins(self) -> set[str]:
        """The attempts that other people have confirmed, by id. Revoked writers keep what they have earned."""
        self.settle()
        return self._store.works.confirmed(self._campaign.id) if self._rulings else set()

    def verified_wins_of(self, worker: str) -> set[str]:
        """Those of one writer."""
        self.settle()
        return self._store.works.confirmed(self._campaign.id, worker) if self._rulings else set()

    def verified_wins_among(self, attempts: Iterable[str]) -> set[str]:
        """Those of these attempts."""
        self.settle()
        return self._store.works.confirmed_among(attempts) if self._rulings else set()

    def settle(self) -> dict[int, int]:
        """Find out what the votes on each work come to, where that is not known yet. The edition of each round then."""
        return {
            number: self._store.works.settle(self._campaign.id, number, rules) for number, rules in self._rules.items()
        }

    @cached_property
    def totals(self) -> Totals:
        """What the outcomes come to, without reading every vote; read again where votes begin to count meanwhile."""
        works = self._store.works
        while True:
            editions, totals = self.settle(), self._totals()
            if all(works.edition(self._campaign.id, number) == edition for number, edition in editions.items()):
                return totals

    def _totals(self) -> Totals:
        totals = self._store.works.totals(self._campaign.id, self._store.standings.discarded(self._campaign.id))
        return totals if self._is_adaptive else replace(totals, votes_saved=0)

    @cached_property
    def summary(self) -> Summary:
        """For a kind of task that is checked."""
        outcomes, placed = self.outcomes.values(), self._snapshot.placed
        return summary(outcomes, placed, self._rulings, adaptive=self._is_adaptive)

    @cached_property
    def checked(self) -> Checked | None:
        """None where nobody checks what is written."""
        if not self._rulings:
            return None
        divisions = divisions_of(self._store, self._campaign)
        part_of = parts_of(self._store, self._campaign, divisions, self.validation)
        report = kind_of(self._store, self._campaign).ballot_report
        found = checked(
            self.outcomes,
            self.summary,
            part_of,
            self._rulings,
            seed=self._campaign.seed,
            divisions=divisions,
            adaptive=self._is_adaptive,
        )
        return found if report is None else replace(found, of_kind=report(self.ballots))

    @property
    def ballots(self) -> list[Ballot]:
        """Votes on works, of people whose work is not discarded, in the order in which the voters' HITs were taken."""
        candidates = [each for each in self._snapshot.candidates if each.writer not in self._revoked]
        works = {candidate.attempt_id: candidate.work for candidate in candidates}
        ballots = []
        for each in self._snapshot.placed:
            gold, name = each.item.gold, each.item.attempt_id
            work = gold if name is None else works.get(name)
            if work is not None and each.vote is not None and each.counts and each.worker not in self._revoked:
                ballots.append(Ballot(each.worker, work, each.vote.vote, is_gold=gold is not None))
        return ballots

    @cached_property
    def _terms(self) -> dict[int, RoundTerms]:
        return terms_by_round(self._store, self._campaign)

    @cached_property
    def _rulings(self) -> Rulings:
        return rulings_of(self._store, self._campaign)

    @cached_property
    def _rules(self) -> dict[int, Rules]:
        return {
            number: rules_of(checking, self._campaign.seed, adaptive=self._terms[number].validation.terms.adaptive)
            for number, checking in self._rulings.items()
        }

    @cached_property
    def _snapshot(self) -> Snapshot:
        return self._store.validations.snapshot(self._campaign.id, only_asked=not self._every_work)

    @cached_property
    def _revoked(self) -> AbstractSet[str]:
        return self._store.standings.discarded(self._campaign.id)

    @cached_property
    def outcomes(self) -> dict[str, Outcome]:
        return results(self._snapshot, self._rulings, self._revoked)

    @property
    def _is_adaptive(self) -> bool:
        return any(terms.validation.terms.adaptive for terms in self._terms.values())
