"""The costs of a stage before it is launched, and whether it can be."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator
from contextlib import closing

from beat_the_ai.campaign.acts.act import Actor, Estimate, Line
from beat_the_ai.campaign.forecasts.plans import plan_of
from beat_the_ai.campaign.models.check import kept_checks
from beat_the_ai.campaign.money.cost import Cost, cost_of
from beat_the_ai.campaign.money.crowd import check_fees
from beat_the_ai.campaign.service.running import served_folder
from beat_the_ai.campaign.settings.configuration import Settings
from beat_the_ai.campaign.settings.partition import WHOLE, Partition
from beat_the_ai.campaign.settings.planned_round import PlannedRound, warnings_of_training_texts
from beat_the_ai.campaign.settings.qualification import requirement_set
from beat_the_ai.campaign.settings.suggestions import suggestions_told
from beat_the_ai.crowds import crowd_of
from beat_the_ai.errors import Refused
from beat_the_ai.forecast.keeping import KEPT_FORECAST
from beat_the_ai.forecast.records import Forecast
from beat_the_ai.payments import Ledger, check_launch, exposure
from beat_the_ai.process.importing import absolute
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import Deed
from beat_the_ai.terms.division import PARTS
from beat_the_ai.workforce import Standing

NOT_COVERED = "The balance does not cover rewards and fees. Add money, or offer fewer HITs (round.max_hits)."
OLD_FORECAST = "The forecast in --out was made for other settings. Make it anew: beat-the-ai forecast --keep."
NOBODY_QUALIFIED = (
    "Nobody has the qualification that these HITs ask for, so nobody will see them. Launch the screening first "
    "(--stage screening), or let somebody in: beat-the-ai review grant."
)


def stage_estimate(planned: PlannedRound, stage: Stage, share: Partition) -> Estimate:
    """Return what a stage may cost. The crowd is asked for its balance and fees, so it has to be reachable.

    Raises `Refused` unless the stage can be launched; the `refusal` of a balance that is too low is in the estimate.
    """
    settings = planned.settings
    if was_launched(planned, stage, share):
        raise Refused(
            f"The {stage.value} of campaign {settings.name!r} was launched in {settings.out} before. Go on with "
            "--resume, end it with --stop, or launch another campaign with another --out."
        )
    cost = _checked_cost(planned, stage, share)
    with closing(crowd_of(settings.crowd).connect(settings.crowd)) as requester:
        check_fees(requester, settings.pay.fees)
        return _estimate(planned, stage, share, cost, requester.balance_cents())


def planned_estimate(planned: PlannedRound, stage: Stage) -> Estimate:
    """Return what a stage may cost, without asking the crowd.

    Raises `Refused` beyond the cap, and for a stage in which nobody would be asked anything.
    """
    return _estimate(planned, stage, WHOLE, _checked_cost(planned, stage, WHOLE), None)


def _checked_cost(planned: PlannedRound, stage: Stage, share: Partition) -> Cost:
    settings = planned.settings
    _check_asks_somebody(planned, stage)
    cost = cost_of(stage, planned, share)
    check_launch(cost.worst, settings.pay.cap_cents, settings.crowd.unit)
    return cost


def _estimate(planned: PlannedRound, stage: Stage, share: Partition, cost: Cost, balance_cents: int | None) -> Estimate:
    settings = planned.settings
    part = "" if share.is_whole else f", {share}"
    balance = [] if balance_cents is None else [_balance(settings, balance_cents)]
    is_short = balance_cents is not None and balance_cents < cost.rewards_with_fees_cents
    return Estimate(
        title=f"Campaign {settings.name}: {stage.value}{part}",
        unit=settings.crowd.unit,
        lines=(*_lines(planned, stage, cost), *balance, *_later(planned, stage)),
        notes=tuple(_notes(planned, stage, cost, balance_cents)),
        before_cents=_before_cents(planned),
        worst_cents=cost.worst.worst_cents,
        cap_cents=settings.pay.cap_cents,
        balance_cents=balance_cents,
        needs_consent=True,
        refusal=NOT_COVERED if is_short else None,
    )


def _balance(settings: Settings, balance_cents: int) -> Line:
    return Line(name="balance at the crowd", value=settings.crowd.amount(balance_cents))


def stage_deed(actor: Actor, campaign_id: str, stage: Stage, estimate: Estimate | None) -> Deed:
    """Return the entry in the log of a stage that is opened; without an estimate it costs nothing more."""
    note = stage.value if estimate is None else f"{stage.value}; {estimate.note}"
    return actor.deed("open_stage", campaign_id, note)


def was_launched(planned: PlannedRound, stage: Stage, share: Partition) -> bool:
    """Return whether this share was launched. Its folder tells, where others have launched their shares."""
    settings = planned.settings
    if not share.is_whole:
        return served_folder(settings, stage, share).exists()
    return stage in planned.begun_stages()


def _check_asks_somebody(planned: PlannedRound, stage: Stage) -> None:
    settings, parts = planned.settings, planned.part_sizes()
    stays = not settings.dataset.division(settings.seed).may_move
    if stage is Stage.VALIDATION and len(_unchecked(settings, parts)) == len(parts) and stays:
        raise Refused(
            f"Nobody would be asked anything: all {settings.kind.words.contexts} of this round are in "
            f"{_in_parts(parts)}, and of these validation.parts={list(settings.validation.parts)} names none. Nothing "
            "was launched."
        )


def _unchecked(settings: Settings, parts: Counter[str]) -> list[str]:
    return [part for part in PARTS if parts[part] and part not in settings.validation.parts]


def _lines(planned: PlannedRound, stage: Stage, cost: Cost) -> Iterator[Line]:
    settings = planned.settings
    words, amount = settings.kind.words, settings.crowd.amount
    yield Line(name="HITs", value=str(cost.hits) if stage is not Stage.VALIDATION else f"{cost.hits} at most")
    if cost.again:
        yield Line(name="offered again, where nothing beat the AI", value=f"{cost.again} HITs at most")
    rewards = f"{amount(cost.hits * cost.reward_cents)} ({amount(cost.reward_cents)} a HIT)"
    yield Line(name="rewards", value=rewards)
    yield Line(name="fees on rewards", value=amount(cost.hits * cost.fee_cents))
    if stage is Stage.WRITING:
        parts = planned.part_sizes()
        unchecked = ", ".join(_unchecked(settings, parts))
        nobody = f"; nobody checks {words.works} of {unchecked} (validation.parts)" if unchecked else ""
        yield Line(name=f"{words.contexts} by part", value=f"{_in_parts(parts)}{nobody}")
    checks = kept_checks(settings.out)
    for model in _models(settings, stage):
        beaten = checks[model].free_wins if model in checks else "not known"
        yield Line(name=f"ordinary {words.works} that beat {model}", value=beaten)
    if stage is Stage.WRITING:
        yield from _bonuses(settings)
        for arm, told in suggestions_told(planned).items():
            yield Line(name=f"suggestions in arm {arm}", value=told)
    yield Line(name="largest bonuses, with fees", value=amount(cost.hits * cost.largest_bonuses_cents))
    if cost.worst.models_cents:
        spent = amount(cost.worst.models_cents)
        yield Line(name="language models, spent and set aside for tries", value=spent)
    yield Line(name="the campaign at most", value=amount(cost.worst.worst_cents), is_total=True)
    yield Line(name="cap", value=amount(settings.pay.cap_cents))


def _bonuses(settings: Settings) -> Iterator[Line]:
    tariff = settings.terms.tariff(settings.kind)
    for arm, of_arm in tariff.arms.items() or [("", tariff)]:
        name = f"bonus in arm {arm}" if arm else "bonus, as workers are told"
        yield from (Line(name=name, value=term.words(settings.crowd.unit)) for term in of_arm.rules.terms())


def _later(planned: PlannedRound, stage: Stage) -> Iterator[Line]:
    if stage is Stage.WRITING and (later := cost_of(Stage.VALIDATION, planned).rewards_with_fees_cents):
        value = f"{planned.settings.crowd.amount(later)} more at most"
        yield Line(name="validation, launched later", value=value)
    if (forecast := _forecast(planned, stage)) is not None:
        total = forecast.estimates["total_cents"].cell(planned.settings.crowd.unit)
        yield Line(name="forecast of everything", value=total)
        for part in PARTS:
            if (examples := forecast.estimates.get(f"examples_{part}")) is not None:
                yield Line(name=f"forecast of {examples.title}", value=examples.cell(planned.settings.crowd.unit))


def _notes(planned: PlannedRound, stage: Stage, cost: Cost, balance_cents: int | None) -> Iterator[str]:
    settings = planned.settings
    if (forecast := _forecast(planned, stage)) is not None and forecast.plan != plan_of(planned).figures():
        yield OLD_FORECAST
    if stage is Stage.WRITING and not _may_anybody_come(planned):
        yield NOBODY_QUALIFIED
    if left_out := settings.kind.left_out:
        yield left_out
    left_cents = settings.pay.cap_cents - cost.worst.committed_cents
    if balance_cents is not None and left_cents > balance_cents:
        yield (
            f"The cap leaves {settings.crowd.amount(left_cents)} to spend, more than the account has. Payments beyond "
            "its balance wait until you deposit money there; or lower the cap (pay.cap_cents)."
        )
    checks = kept_checks(settings.out)
    for model in _models(settings, stage):
        if balance_cents is not None and model not in checks:  # a draft has a button for it
            yield f"{model} was never checked: {_check_command(settings, model)}"
    if stage is Stage.WRITING:
        yield from warnings_of_training_texts(settings)


def _forecast(planned: PlannedRound, stage: Stage) -> Forecast | None:
    """Return the forecast that was kept for the campaign; it is shown before the writing."""
    return KEPT_FORECAST.read(planned.settings.out) if stage is Stage.WRITING else None


def _before_cents(planned: PlannedRound) -> int:
    campaign = planned.campaign
    if campaign is None:
        return 0
    return exposure(campaign, Ledger(planned.store.database, campaign.id).payments()).worst_cents


def _may_anybody_come(planned: PlannedRound) -> bool:
    """Return whether somebody has the campaign's own qualification, or it is not asked for."""
    if not requirement_set(planned.settings).asks_for_own:
        return True
    standings = planned.store.standings.current(planned.settings.name).values()
    return any(each.standing == Standing.QUALIFIED for each in standings)


def _models(settings: Settings, stage: Stage) -> list[str]:
    """Return the pool, as `adversary check` names its members. Validation asks no model."""
    if stage is Stage.VALIDATION:
        return []
    servers = settings.adversary.servers.items()
    return [*settings.members, *(f"{server.address.rstrip('/')}#{name}" for name, server in servers)]


def _check_command(settings: Settings, model: str) -> str:
    kind = absolute(settings.task.kind, settings.task_dir)
    return f"beat-the-ai adversary check {shlex.join([model, '--task', kind, '--out', str(settings.out)])}"


def _in_parts(parts: Counter[str]) -> str:
    return ", ".join(f"{part} {parts[part]}" for part in PARTS if parts[part])
