"""The progress of a campaign: HITs, works, workers, money, and the crowd's own view of it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass, replace
from typing import Any

from beat_the_ai.campaign.money.on_hold import OnHold, on_hold_by_cause
from beat_the_ai.campaign.money.payables import Payables, crowd_label, payables_of, run_name
from beat_the_ai.campaign.results.operators import GoneOperator, gone_operators
from beat_the_ai.crowds import crowd_of
from beat_the_ai.errors import PaymentError
from beat_the_ai.rules.stage import Stage
from beat_the_ai.statistics.clustered import Bounded, Clustered
from beat_the_ai.store import ArmCounts, Totals, now
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.validation import AdjudicatedWorks
from beat_the_ai.workforce import Workforce, refused_newcomers
from beat_the_ai.workforce.reviewing import ReviewedSample
from beat_the_ai.workforce.verdicts import accepted

COUNTED = ("attempts", "retracted", "fooled")


@dataclass(frozen=True)
class Reviewed:
    """HITs in the review sample, how many were judged and accepted; newcomers who wait for a person."""

    sampled: int
    reviewed: int
    accepted: int
    candidates: int


@dataclass(frozen=True)
class OpenLetters:
    """Messages and appeals of workers that wait for an answer, and how many of them are past their deadline."""

    waiting: int
    overdue: int


@dataclass(frozen=True)
class Arm:
    """The figures of an arm: workers drawn into it, HITs that count, tries in them, and wins.

    `error_rate` is the share of wins, with its interval over writers.
    """

    workers: int
    hits: int
    tries: int
    wins: int
    error_rate: Bounded | None

    @classmethod
    def of(cls, counts: ArmCounts) -> Arm:
        rate = Clustered(counts.by_writer)
        return cls(counts.workers, counts.hits, round(rate.of), round(rate.found), rate.bounded)


@dataclass(frozen=True)
class Progress:
    """`round` is the current one, and `closed_at` tells of it; all figures are of the whole campaign.

    Since `paused_at` no worker gets a HIT of it.

    `screening_of` is the campaign whose screening these sample HITs belong to; None for a campaign of other HITs.

    Amounts are hundredths of `unit` with fees; `error_rate` is the share of the attempts that beat the model, and
    `kept_share` that of the works that are kept among those with a final status, with their intervals over writers.

    They are None before there is one. `checked` are the totals of what other people say, None where nobody checks
    anything: writers who are discarded for it are in them, those who were revoked are not. `works` and `kept_as` are
    what the kind of task calls works, and those that are kept. `writers_discarded` are those whose work is discarded
    for what others say of it: it is in no other figure but `checked`, HITs and money. `newcomers_refused` never were
    let in and have no work that counts. `arms` are those of the current round. `forms` counts the answers to each form
    by outcome. `operators_gone` died while HITs are open. `crowd` counts the HITs at the marketplace by stage and
    state; None where there is none, or it cannot be reached (`away`).
    """

    campaign: str
    screening_of: str | None
    simulated: bool
    closed_at: str | None
    paused_at: str | None
    round: int
    hits: int
    hits_submitted: int
    workers: int
    workers_revoked: int
    writers_discarded: int
    newcomers_refused: int
    attempts: int
    retracted: int
    fooled: int
    error_rate: Bounded | None
    checked: Totals | None
    kept_share: Bounded | None
    works: str
    kept_as: str
    review: Reviewed
    letters: OpenLetters
    models: list[str]
    unit: str
    money: dict[str, int]
    waiting: dict[str, OnHold]
    forms: dict[str, dict[str, int]]
    arms: dict[str, Arm]
    operators_gone: list[GoneOperator]
    crowd: dict[str, dict[str, int]] | None = None
    away: str | None = None

    @property
    def unpaid_cents(self) -> int:
        """Return what is owed or on its way, with fees."""
        return sum(self.money[f"{state}_cents"] for state in ("intent", "sent", "unknown", "owed"))

    def as_json(self) -> dict[str, Any]:
        """Return the progress as plain data."""
        fields = asdict(self)
        words = {name: fields.pop(name) for name in ("kept_share", "works", "kept_as")}
        if self.checked is not None:
            fields["checked"] |= words
        return fields


def progress_of(campaign: BoundCampaign, payables: Payables | None = None) -> Progress:
    """Return the progress of a campaign, from its store alone; from its `payables` where they are read already.

    Work that is discarded is in no figure but HITs and money; what was checked is counted before writers are discarded
    for it.
    """
    store, campaign_id = campaign.store, campaign.id
    adjudicated, checking = AdjudicatedWorks(campaign), campaign.kind.checking
    models, writers = store.attempts.counts(campaign_id, adjudicated.discarded_writers)
    payables = payables or payables_of(campaign)
    attempts, retracted, fooled = (sum(getattr(one, name) for one in models) for name in COUNTED)
    current = campaign.current.record
    refused = refused_newcomers(campaign)
    hits, hits_submitted = store.campaigns.numbers_of_hits(campaign_id)
    return Progress(
        campaign=campaign_id,
        screening_of=campaign.screening_of,
        simulated=campaign.record.simulated,
        closed_at=None if current.closed_at is None else current.closed_at.isoformat(),
        paused_at=None if campaign.record.paused_at is None else campaign.record.paused_at.isoformat(),
        round=current.number,
        hits=hits,
        hits_submitted=hits_submitted,
        workers=len(writers),
        workers_revoked=len(store.standings.discarded(campaign_id) - refused),
        writers_discarded=len(adjudicated.discarded_writers),
        newcomers_refused=len(refused),
        attempts=attempts,
        retracted=retracted,
        fooled=fooled,
        error_rate=Clustered(writers).bounded,
        checked=None if checking is None else adjudicated.totals,
        kept_share=None if checking is None else adjudicated.kept.bounded,
        works=campaign.kind.words.works,
        kept_as="" if checking is None else checking.text.kept,
        review=_reviewed(campaign),
        letters=_letters(campaign),
        models=sorted({f"{one.name} {one.hash[:8]}" for one in models}),
        unit=campaign.crowd.unit,
        money=_money(payables),
        waiting=on_hold_by_cause(campaign, payables.held),
        forms=_answered(campaign),
        arms=_arms(campaign, adjudicated.discarded_writers),
        operators_gone=gone_operators(campaign),
    )


def _arms(campaign: BoundCampaign, without: Collection[str]) -> dict[str, Arm]:
    """Return the figures of each arm of the current round, in the round's order."""
    arms = campaign.current.terms.arms
    counts = campaign.store.arms.counts(campaign.id, campaign.current.record.number, without) if arms else {}
    return {name: Arm.of(counts.get(name, ArmCounts(0))) for name in arms}


def _answered(campaign: BoundCampaign) -> dict[str, dict[str, int]]:
    """Return the counts of answers by the forms' names and versions, in the order in which they came into use."""
    counts = campaign.store.forms.counts(campaign.id)
    answered: dict[str, dict[str, int]] = {}
    for digest, form in campaign.store.forms.contents(campaign.id).items():
        of_form = answered.setdefault(f"{form['name']} {form['version']}", {})
        for outcome, number in counts.get(digest, {}).items():
            of_form[outcome] = of_form.get(outcome, 0) + number
    return answered


def _reviewed(campaign: BoundCampaign) -> Reviewed:
    found = ReviewedSample.read(campaign)
    return Reviewed(
        sampled=len(found.workers),
        reviewed=len(found.standing),
        accepted=sum(accepted(reviews.values()) for reviews in found.standing.values()),
        candidates=len(Workforce(campaign).candidates()),
    )


def _letters(campaign: BoundCampaign) -> OpenLetters:
    waiting, at = campaign.store.letters.waiting(campaign.id), now()
    return OpenLetters(len(waiting), sum(at > one.due_at for one in waiting))


def _money(of: Payables) -> dict[str, int]:
    by_state = {f"{state.value}_cents": cents for state, (_, cents) in of.ledger.totals().items()}
    owed = sum(one.with_fee_cents for one in of.owed)
    return {**by_state, "owed_cents": owed, "models_cents": of.cap.models_cents, "cap_cents": of.cap.cents}


def with_crowd(campaign: BoundCampaign, of: Progress) -> Progress:
    """Return the progress with the HITs at the marketplace, where there is one that can be asked."""
    if not campaign.crowd.is_marketplace or campaign.is_of_samples or campaign.record.simulated:
        return of  # the marketplace of a rehearsal ends with it
    from beat_the_ai.mephisto.mturk import surveys  # Mephisto takes a second to import

    try:
        requester = crowd_of(campaign.crowd).connect(campaign.crowd, sleep=_do_not_insist)
        try:
            label_of = {
                run_name(stage, number): crowd_label(campaign.record, stage, number)
                for number in campaign.rounds
                for stage in Stage
            }
            found = surveys(requester, set(label_of.values()))
        finally:
            requester.close()
    except PaymentError as error:
        return replace(of, away=str(error))
    return replace(of, crowd={run: found[label].counts() for run, label in label_of.items() if found[label].hits})


def _do_not_insist(_seconds: float) -> None:
    """Return at once: somebody waits for the answer."""
