"""The figures of a campaign's console, as `status`, the report and the statements count them."""

from __future__ import annotations

import logging
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import mean, median

from beat_the_ai.analysis.cells import bin_width, binned
from beat_the_ai.analysis.rounds import Errors
from beat_the_ai.campaign.money.on_hold import WORDS
from beat_the_ai.campaign.money.payables import Payables, payables_of
from beat_the_ai.campaign.results import course as courses
from beat_the_ai.campaign.results.models import ModelFigures, models_of
from beat_the_ai.campaign.results.progress import Arm, Progress, progress_of
from beat_the_ai.campaign.results.reached import reached_by_status
from beat_the_ai.campaign.results.splits import RoundSplits, Split, splits_by_round
from beat_the_ai.campaign.results.totals import totals_of
from beat_the_ai.campaign.results.tried_hits import tried_hits
from beat_the_ai.console import views
from beat_the_ai.console.campaigns import Watched
from beat_the_ai.console.forecasts import shown_forecast
from beat_the_ai.dataset.placement import parts_of
from beat_the_ai.errors import InvalidInput
from beat_the_ai.forecast.keeping import KEPT_FORECAST
from beat_the_ai.payments import Cause, State, hourly, hourly_rates
from beat_the_ai.rules.adversary import MICROCENTS
from beat_the_ai.store import now
from beat_the_ai.terms.campaign import BoundCampaign

log = logging.getLogger(__name__)

FAR_OUT = 3  # upper quartiles: assignments with more pay by the hour share the last bin


def figures_of(watched: Watched) -> views.Figures:
    """Return the figures of a campaign as it is now."""
    at, campaign = now(), watched.bound()
    payables = payables_of(campaign)
    progress, part_of, served = progress_of(campaign, payables), parts_of(campaign), watched.served()
    hits = tried_hits(campaign, part_of)
    course, models = courses.course_of(hits), _models(models_of(campaign, hits), is_served=served != [])
    rounds = splits_by_round(campaign, part_of, hits, payables.held)
    return views.Figures(
        campaign=campaign.id,
        at=at,
        again_seconds=None,
        words=campaign.kind.words,
        unit=progress.unit,
        progress=_progress(campaign, progress, served),
        rounds=tuple(map(_round, rounds)),
        models=models,
        needs=_needs(campaign, progress, payables, models),
        course=_course(course),
        effort=_effort(course.errors),
        money=_money(progress, payables),
        pay=_pay(hourly_rates(campaign, payables.owed, payables.held)),
        forecast=_forecast(campaign, watched.folder, progress),
    )


def _forecast(campaign: BoundCampaign, folder: Path | None, progress: Progress) -> views.ShownForecast | None:
    """Return the forecast that was kept for the campaign, beside its outcome."""
    try:
        found = None if folder is None else KEPT_FORECAST.read(folder)
    except InvalidInput as error:  # of another version: all other figures can be read
        log.warning("%s", error)
        found = None
    if found is None:
        return None
    samples = [] if campaign.samples is None else [progress_of(campaign.samples)]
    reached = reached_by_status(progress, totals_of(campaign, [progress, *samples]))
    return shown_forecast(found, reached if progress.attempts else {})


def _progress(campaign: BoundCampaign, of: Progress, served: list[str] | None) -> views.Progress:
    same = (
        *("simulated", "round", "closed_at", "paused_at", "hits", "hits_submitted", "workers", "workers_revoked"),
        *("writers_discarded", "attempts", "retracted", "fooled"),
    )
    checked = None
    if of.checked is not None:
        checked = views.Checked(
            works=of.works,
            kept_as=of.kept_as,
            kept=views.Rate.bounded(of.checked.kept, of.checked.settled, of.kept_share),
            votes=of.checked.votes,
            votes_saved=of.checked.votes_saved,
            waiting=of.checked.waiting,
        )
    return views.Progress(
        **{name: getattr(of, name) for name in same},
        served=None if served is None else tuple(served),
        models=tuple(of.models),
        screened=_screened(campaign),
        arms=tuple(_arm(name, each) for name, each in of.arms.items()),
        checked=checked,
        review=views.Review.model_validate(of.review),
    )


def _arm(name: str, of: Arm) -> views.Arm:
    unverified = views.Rate.bounded(of.wins, of.tries, of.error_rate)
    return views.Arm(name=name, workers=of.workers, hits=of.hits, unverified=unverified)


def _screened(campaign: BoundCampaign) -> views.Screened:
    screenings = campaign.store.screenings.of_campaign(campaign.id)
    return views.Screened(
        begun=len(screenings),
        submitted=sum(each.submitted_at is not None for each in screenings),
        passed=sum(each.outcome == "passed" for each in screenings),
    )


def _round(of: RoundSplits) -> views.Round:
    record = of.record
    return views.Round(
        number=record.number,
        opened_at=record.opened_at,
        closed_at=record.closed_at,
        stages=tuple(
            views.Stage(name=stage, since=since)
            for stage, since in sorted(record.frozen.items(), key=lambda one: one[1])
        ),
        models=tuple(model["member"] for model in record.models),
        validation_at_work=of.validation_at_work,
        splits=tuple(_split(part, each) for part, each in of.splits.items()),
    )


def _split(part: str, of: Split) -> views.Split:
    return views.Split(
        part=part,
        contexts=of.contexts,
        hits=of.hits,
        hits_at_work=of.hits_at_work,
        hits_submitted=of.hits_submitted,
        attempts=of.errors.attempts,
        fooled=of.errors.errors,
        verified=of.checked.kept,
        decided=of.checked.settled,
        waiting=of.checked.waiting,
    )


def _models(models: Sequence[ModelFigures], *, is_served: bool) -> tuple[views.Model, ...]:
    """Return the models. Where nobody serves the campaign, no server is asked, and none is away."""
    attempts = sum(each.errors.attempts for each in models)
    return tuple(_model(each, attempts, is_served=is_served) for each in models)


def _model(of: ModelFigures, attempts: int, *, is_served: bool) -> views.Model:
    times = of.answer_times
    return views.Model(
        member=of.key.member,
        name=of.key.name,
        hash=of.key.hash[:8],
        attempts=of.errors.attempts,
        share=of.errors.attempts / attempts if attempts else None,
        unverified=views.Rate.clustered(of.errors.shares["unverified"]),
        verified=views.Rate.clustered(of.errors.shares["verified"]),
        answer_ms=None if times is None else _answer_times(of.answer_ms, *times),
        failures=of.failures,
        cents=of.microcents / MICROCENTS,
        away_since=of.away_since if is_served else None,
    )


def _answer_times(answers: Sequence[int], median: float, p95: float) -> views.AnswerTimes:
    ordered = sorted(answers)
    within = tuple(bisect_right(ordered, most) for most in views.ANSWER_MS)
    return views.AnswerTimes(median=median, p95=p95, answers=len(ordered), sum=sum(ordered), within=within)


def _needs(campaign: BoundCampaign, of: Progress, payables: Payables, models: Sequence[views.Model]) -> views.Needs:
    store = campaign.store
    return views.Needs(
        to_review=of.review.sampled - of.review.reviewed,
        candidates=of.review.candidates,
        doubtful=store.review_queue.doubted(campaign.id).waiting,
        proposals=len(store.proposals.waiting(campaign.id)),
        letters=of.letters.waiting,
        letters_overdue=of.letters.overdue,
        payments_unknown=payables.ledger.totals()[State.UNKNOWN][0],
        models_away=tuple(
            views.Away(member=each.member, since=each.away_since) for each in models if each.away_since is not None
        ),
        operators_gone=tuple(views.Gone(stage=each.name, operator=each.operator) for each in of.operators_gone),
        held=tuple(
            views.Held(what=WORDS[Cause(cause)], hits=each.assignments, cents=each.cents)
            for cause, each in of.waiting.items()
        ),
    )


def _course(of: courses.Course) -> views.Course:
    return views.Course(
        seconds=of.width.total_seconds(),
        steps=tuple(map(_step, of.steps)),
        unverified=views.Rate.clustered(of.errors.shares["unverified"]),
        verified=views.Rate.clustered(of.errors.shares["verified"]),
    )


def _step(of: courses.Step) -> views.Step:
    return views.Step(
        at=of.began_at,
        unverified=_rate(of.rates["unverified"]),
        verified=_rate(of.rates["verified"]),
        unverified_until_then=_rate(of.until_then["unverified"]),
        verified_until_then=_rate(of.until_then["verified"]),
    )


def _rate(of: courses.Rate) -> views.Rate:
    return views.Rate.bounded(of.beaten, of.attempts, of.share)


def _effort(of: Errors) -> views.Effort | None:
    if not of.tries:
        return None
    return views.Effort(
        wins=len(of.tries),
        tries_mean=mean(of.tries),
        tries_median=median(of.tries),
        minutes_mean=mean(of.seconds) / 60,
        minutes_median=median(of.seconds) / 60,
    )


def _money(of: Progress, payables: Payables) -> views.Money:
    return views.Money(
        paid_cents=of.money[f"{State.CONFIRMED.value}_cents"],
        owed_cents=of.unpaid_cents,
        models_cents=of.money["models_cents"],
        reserved_cents=payables.cap.reserved_cents,
        beside_cents=payables.cap.beside_cents,
        cap_cents=of.money["cap_cents"],
    )


def _pay(rates: Sequence[float]) -> views.Pay | None:
    quartiles = hourly(rates)
    if quartiles is None:
        return None
    most = int(FAR_OUT * quartiles.upper_cents)
    cents = [min(int(rate), most) for rate in rates]
    width = bin_width(cents)
    counts: Counter[int] = binned(cents, width)
    return views.Pay(
        **vars(quartiles),
        width_cents=width,
        bins=tuple(
            views.Bin(from_cents=start, assignments=counts[start])
            for start in range(min(counts), max(counts) + 1, width)
        ),
    )
