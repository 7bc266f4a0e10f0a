"""What validation found, in the words of datasets and reports, which know nothing of votes in a store."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from collections.abc import Set as AbstractSet
from types import MappingProxyType

from beat_the_ai.analysis.campaign import Asked, Checked
from beat_the_ai.campaign.sections import RoundTerms
from beat_the_ai.dataset import validation as dataset
from beat_the_ai.dataset.export import Divisions, parts_of
from beat_the_ai.dataset.parts import PARTS
from beat_the_ai.rules.adjudication import Checking
from beat_the_ai.rules.kind import Kind
from beat_the_ai.store import Campaign, Store
from beat_the_ai.validation import (
    Rulings,
    Summary,
    Validated,
    Vote,
    discarded_writers,
    judged,
    results,
    summary,
)


def dataset_validation(
    store: Store,
    campaign: Campaign,
    rulings: Rulings,
    *,
    parts: Mapping[int, Collection[str]] = MappingProxyType({}),
    revoked: AbstractSet[str] = frozenset(),
) -> dataset.Validation:
    """What an export keeps. Of the parts in `parts` (by round) that is what was found valid; `revoked` workers' work
    goes, too.
    """
    found = results(store, campaign, rulings, revoked)
    outcomes = {
        name: _outcome(each, rulings[each.round]) for name, each in found.items() if each.votes or each.excluded
    }
    return dataset.Validation(outcomes, parts, frozenset(discarded_writers(found.values(), rulings)) | revoked)


def checked(
    store: Store,
    campaign: Campaign,
    part_of: Mapping[str, str],
    rulings: Rulings,
    *,
    adaptive: bool = False,
    revoked: AbstractSet[str] = frozenset(),
) -> Checked:
    """Answerable questions by part, and human performance on those that are. `part_of` maps contexts to parts."""
    by_part: dict[str, list[Validated]] = defaultdict(list)
    for each in results(store, campaign, rulings, revoked).values():
        if each.settled and each.context_id in part_of:
            by_part[part_of[each.context_id]].append(each)
    kept = {part: [each for each in settled if each.kept] for part, settled in by_part.items()}
    checking = rulings[max(rulings)]
    human = {
        part: checking.performance(judged(kept[part]), campaign.seed, adaptive=adaptive)
        for part in PARTS
        if kept.get(part)
    }
    answerable = {part: (len(kept[part]), len(by_part[part])) for part in PARTS if part in by_part}
    figures = summary(store, campaign, rulings, adaptive=adaptive, without=revoked)
    return Checked(checking.text, answerable, human, _asked(figures) if figures.votes else None)


def _asked(figures: Summary) -> Asked:
    gold, right = (sum(getattr(one, name) for one in figures.validators) for name in ("gold", "gold_right"))
    return Asked(
        validators=len(figures.validators),
        excluded=sum(not one.counts for one in figures.validators),
        votes=figures.votes,
        votes_saved=figures.votes_saved,
        gold=(right, gold),
        agreement=figures.agreement,
    )


def _outcome(validated: Validated, checking: Checking) -> dataset.Outcome:
    if validated.kept:
        status = dataset.Status.VALID
    else:
        status = dataset.Status.INVALID if validated.settled else dataset.Status.UNDECIDED
    cast = sorted((*validated.votes, *validated.excluded), key=lambda vote: (vote.at, vote.assignment_id))
    return dataset.Outcome(status, validated.label, tuple(_vote(vote, validated, checking) for vote in cast))


def _vote(vote: Vote, of: Validated, checking: Checking) -> dataset.Vote:
    agrees = checking.agree(vote.label, of.author_label)
    return dataset.Vote(vote.worker, vote.vote, agrees, vote not in of.excluded)


def terms_by_round(store: Store, campaign: Campaign) -> dict[int, RoundTerms]:
    return {each.number: RoundTerms.of(each) for each in store.rounds.of_campaign(campaign.id)}


def kind_of(store: Store, campaign: Campaign) -> Kind:
    """With the options of the last round."""
    terms_by = terms_by_round(store, campaign)
    return terms_by[max(terms_by)].kind(campaign.task)


def rulings_of(store: Store, campaign: Campaign) -> Rulings:
    """By the rounds' own terms; none where nobody checks what is written."""
    bound = {number: terms.kind(campaign.task) for number, terms in terms_by_round(store, campaign).items()}
    return {number: kind.checking for number, kind in bound.items() if kind.checking is not None}


def divisions_of(store: Store, campaign: Campaign) -> Divisions:
    """By the rounds' own terms."""
    terms_by = terms_by_round(store, campaign)
    return {number: terms.dataset.division(campaign.seed) for number, terms in terms_by.items()}


def validation_for(store: Store, campaign: Campaign) -> dataset.Validation:
    """By the rounds' own rules; nothing is asked of a round that nobody has begun to validate."""
    snapshot = store.validations.snapshot(campaign.id)
    round_of = {question.attempt_id: question.round for question in snapshot.questions}
    begun = {round_of[name] for each in snapshot.placed if (name := each.item.attempt_id) in round_of}
    return dataset_validation(
        store,
        campaign,
        rulings_of(store, campaign),
        parts={
            number: terms.validation.parts
            for number, terms in terms_by_round(store, campaign).items()
            if number in begun
        },
        revoked=store.standings.discarded(campaign.id),
    )


def verified_wins(store: Store, campaign: Campaign) -> set[str]:
    """The attempts that other people have confirmed, by id. Revoked writers keep what they have earned."""
    found = results(store, campaign, rulings_of(store, campaign))
    return {name for name, each in found.items() if each.kept}


def summary_of(store: Store, campaign: Campaign) -> Summary:
    """By the rounds' own rules."""
    return summary(
        store,
        campaign,
        rulings_of(store, campaign),
        adaptive=_is_adaptive(store, campaign),
        without=store.standings.discarded(campaign.id),
    )


def checked_of(store: Store, campaign: Campaign) -> Checked | None:
    """As `checked`, by the rounds' own rules and parts; None where nobody checks what is written."""
    rulings = rulings_of(store, campaign)
    if not rulings:
        return None
    return checked(
        store,
        campaign,
        parts_of(store, campaign, divisions_of(store, campaign), validation_for(store, campaign)),
        rulings,
        adaptive=_is_adaptive(store, campaign),
        revoked=store.standings.discarded(campaign.id),
    )


def _is_adaptive(store: Store, campaign: Campaign) -> bool:
    return any(terms.validation.terms.adaptive for terms in terms_by_round(store, campaign).values())
