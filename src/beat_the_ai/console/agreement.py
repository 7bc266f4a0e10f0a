"""The agreement of validators, as the report has it, and the record of each of them, page by page."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from beat_the_ai.campaign.results.validators import Validator, Validators, validators_of
from beat_the_ai.console import views
from beat_the_ai.console.campaigns import Watched
from beat_the_ai.console.pages import page_of
from beat_the_ai.dataset.records import pseudonym
from beat_the_ai.store import now
from beat_the_ai.terms.campaign import BoundCampaign


@dataclass(frozen=True)
class KnownAgreement:
    """The agreement as it was `at` a moment; `found` is None where nobody checks what is written."""

    at: datetime
    campaign: BoundCampaign
    found: Validators | None


def known_agreement(watched: Watched) -> KnownAgreement:
    """Return the agreement of the campaign's validators."""
    at, campaign = now(), watched.bound()
    return KnownAgreement(at, campaign, validators_of(campaign))


def agreement_page(
    known: KnownAgreement, again_seconds: float | None, page: int | None, *, has_ids: bool
) -> views.Agreement | views.NoAgreement:
    """Return the agreement with a page of validators, those whose votes do not count first, then by their votes.

    Without `has_ids` there are pseudonyms alone.
    """
    of, campaign = known.found, known.campaign
    if of is None:
        return views.NoAgreement(at=known.at, again_seconds=again_seconds)
    ranked = sorted(of.validators, key=lambda one: (one.record.counts, -one.record.votes, one.record.worker))
    shown, checking = page_of(ranked, page), campaign.kind.checking
    return views.Agreement(
        at=known.at,
        again_seconds=again_seconds,
        words=campaign.kind.words,
        votes=of.totals.votes,
        votes_saved=of.totals.votes_saved,
        kept=views.Rate.clustered(of.kept),
        kept_as="" if checking is None else checking.text.kept,
        waiting=of.totals.waiting,
        unreliable=of.figures.excluded,
        gold=views.Rate.clustered(of.figures.gold),
        coefficients=tuple(
            views.Coefficient(name=each.name, value=each.value, low=low, high=high, unit=each.unit)
            for each in of.figures.agreement
            for low, high in [each.interval or (None, None)]
        ),
        by_votes=tuple(views.VotesPerWork(votes=votes, works=of.by_votes[votes]) for votes in sorted(of.by_votes)),
        validators=tuple(_validator(each, campaign, has_ids=has_ids) for each in shown.rows),
        **shown.place,
    )


def _validator(of: Validator, campaign: BoundCampaign, *, has_ids: bool) -> views.Validator:
    record = of.record
    return views.Validator(
        name=pseudonym(record.worker, campaign.record),
        worker=record.worker if has_ids else None,
        hits=record.hits,
        votes=record.votes,
        with_outcome=views.Rate.counted(of.with_outcome),
        gold=views.Rate.counted((record.gold_right, record.gold)),
        counts=record.counts,
    )
