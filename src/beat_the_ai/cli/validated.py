"""What validation found, in the words of datasets and reports, which know nothing of votes in a store."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from collections.abc import Set as AbstractSet

from beat_the_ai.analysis.campaign import Asked, Checked, Interval
from beat_the_ai.analysis.campaign import HumanPerformance as Performance
from beat_the_ai.cli.sections import division_of, validation_of
from beat_the_ai.dataset import validation as dataset
from beat_the_ai.dataset.export import parts_of
from beat_the_ai.dataset.parts import PARTS
from beat_the_ai.rules import adjudicator
from beat_the_ai.rules.adjudication import Adjudicator
from beat_the_ai.store import Campaign, Store
from beat_the_ai.validation import (
    Summary,
    Validated,
    Vote,
    discarded_writers,
    human_performance,
    results,
    summary,
)


def dataset_validation(
    store: Store,
    campaign: Campaign,
    rules: Adjudicator | None = None,
    *,
    parts: Collection[str] = (),
    revoked: AbstractSet[str] = frozenset(),
) -> dataset.Validation:
    """What an export keeps. Of the parts in `parts` that is what was found valid; `revoked` workers' work goes, too."""
    rules = rules or adjudicator(campaign.task)
    found = results(store, campaign, rules, revoked)
    outcomes = {name: _outcome(each, rules) for name, each in found.items() if each.votes or each.excluded}
    return dataset.Validation(outcomes, parts, frozenset(discarded_writers(found.values(), rules.kept)) | revoked)


def checked(
    store: Store,
    campaign: Campaign,
    part_of: Mapping[str, str],
    rules: Adjudicator | None = None,
    *,
    adaptive: bool = False,
    revoked: AbstractSet[str] = frozenset(),
) -> Checked:
    """Answerable questions by part, and human performance on those that are. `part_of` maps contexts to parts."""
    rules = rules or adjudicator(campaign.task)
    by_part: dict[str, list[Validated]] = defaultdict(list)
    for each in results(store, campaign, rules, revoked).values():
        if each.settled and each.context_id in part_of:
            by_part[part_of[each.context_id]].append(each)
    kept = {part: [each for each in settled if each.status in rules.kept] for part, settled in by_part.items()}
    human = {part: _performance(kept[part], campaign.seed, adaptive) for part in PARTS if kept.get(part)}
    answerable = {part: (len(kept[part]), len(by_part[part])) for part in PARTS if part in by_part}
    figures = summary(store, campaign, rules, adaptive=adaptive, without=revoked)
    return Checked(answerable, human, _asked(figures) if figures.votes else None)


def _asked(figures: Summary) -> Asked:
    gold, right = (sum(getattr(one, name) for one in figures.validators) for name in ("gold", "gold_right"))
    return Asked(
        validators=len(figures.validators),
        excluded=sum(not one.counts for one in figures.validators),
        votes=figures.votes,
        votes_saved=figures.votes_saved,
        gold=(right, gold),
        answerability_alpha=figures.answerability_alpha,
        span_alpha=figures.span_alpha,
    )


def _outcome(validated: Validated, rules: Adjudicator) -> dataset.Outcome:
    if validated.status in rules.kept:
        status = dataset.Status.VALID
    else:
        status = dataset.Status.INVALID if validated.settled else dataset.Status.UNDECIDED
    cast = sorted((*validated.votes, *validated.excluded), key=lambda vote: (vote.at, vote.assignment_id))
    return dataset.Outcome(status, tuple(_vote(vote, validated, rules) for vote in cast))


def _vote(vote: Vote, of: Validated, rules: Adjudicator) -> dataset.Vote:
    answer = vote.vote["answer"] or {"text": None, "start": None}
    agrees = rules.agree(vote.label, of.author_label)
    return dataset.Vote(vote.worker, answer["text"], answer["start"], agrees, vote not in of.excluded)


def _performance(validated: Collection[Validated], seed: int, adaptive: bool) -> Performance:
    """In percent, as Table 2 has it."""
    measured = human_performance(validated, seed, adaptive=adaptive)
    return Performance(
        measured.questions,
        _percent(measured.exact_match, measured.exact_match_interval),
        _percent(measured.f1, measured.f1_interval),
    )


def _percent(share: float | None, interval: tuple[float, float] | None) -> Interval:
    assert share is not None, "there are questions with votes"
    assert interval is not None
    return Interval(100 * share, 100 * interval[0], 100 * interval[1])


def validation_for(store: Store, campaign: Campaign) -> dataset.Validation:
    """By the campaign's own rules; nothing is asked of a campaign that nobody has begun to validate."""
    section = validation_of(campaign)
    begun = bool(store.validations.snapshot(campaign.id).placed)
    return dataset_validation(
        store,
        campaign,
        section.adjudicator(campaign.task),
        parts=section.parts if begun else (),
        revoked=store.standings.discarded(campaign.id),
    )


def verified_wins(store: Store, campaign: Campaign) -> set[str]:
    """The attempts that other people have confirmed, by id. Revoked writers keep what they have earned."""
    rules = validation_of(campaign).adjudicator(campaign.task)
    return {name for name, each in results(store, campaign, rules).items() if each.status in rules.kept}


def summary_of(store: Store, campaign: Campaign) -> Summary:
    """By the campaign's own rules."""
    section = validation_of(campaign)
    return summary(
        store,
        campaign,
        section.adjudicator(campaign.task),
        adaptive=section.terms.adaptive,
        without=store.standings.discarded(campaign.id),
    )


def checked_of(store: Store, campaign: Campaign) -> Checked:
    """As `checked`, by the campaign's own rules and parts."""
    section = validation_of(campaign)
    return checked(
        store,
        campaign,
        parts_of(store, campaign, division_of(campaign), validation_for(store, campaign)),
        section.adjudicator(campaign.task),
        adaptive=section.terms.adaptive,
        revoked=store.standings.discarded(campaign.id),
    )
