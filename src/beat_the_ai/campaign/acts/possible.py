"""The acts that a campaign has now, each with the reason why it cannot be done, in words for a page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from beat_the_ai.campaign.acts.act import Place
from beat_the_ai.campaign.acts.adding_contexts import AddContexts, check_offers
from beat_the_ai.campaign.acts.closing import CloseStage
from beat_the_ai.campaign.acts.data_files import BackUp, Export
from beat_the_ai.campaign.acts.jobs import MeasureModels, OpenStage, TrainModels, job_of
from beat_the_ai.campaign.acts.pausing import Continue, Pause
from beat_the_ai.campaign.acts.round_acts import FreezeRound, OpenRound
from beat_the_ai.campaign.acts.stage_costs import was_launched
from beat_the_ai.campaign.acts.terms import ChangeTerms, present
from beat_the_ai.campaign.rounds.snapshot import frozen_round
from beat_the_ai.campaign.settings.partition import WHOLE
from beat_the_ai.campaign.settings.planned_round import PlannedRound
from beat_the_ai.errors import BeatTheAIError, Refused
from beat_the_ai.process.job import Job
from beat_the_ai.rules.stage import Stage
from beat_the_ai.terms.locate import served_stages

CLOSED = "The {} is closed."
NOT_OPENED = "The {} was never opened."
NOT_FROZEN = "No round is frozen yet."


@dataclass(frozen=True)
class PossibleAct:
    """An act of this name, on a stage or a round if it needs one. `refusal` says why it cannot be done now."""

    action: str
    stage: str | None = None
    number: int | None = None
    refusal: str | None = None


def possible_acts(place: Place) -> list[PossibleAct]:
    """Return all acts that the campaign has now. The crowd is not asked."""
    return [*_of_the_campaign(place), *_of_stages(place), *_of_rounds(place)]


def _of_the_campaign(place: Place) -> Iterator[PossibleAct]:
    is_paused = place.store.campaigns.get(place.campaign_id).paused_at is not None
    yield PossibleAct(Continue.action if is_paused else Pause.action)
    yield PossibleAct(ChangeTerms.action)
    planned = _planned(place)
    words = CLOSED.format("writing") if planned.is_closed else NOT_OPENED.format("writing")
    yield PossibleAct(AddContexts.action, refusal=_refusal(partial(check_offers, planned), words))
    for act in (Export(), BackUp()):
        refusal = _refusal(partial(act.estimate, place)) or _refusal(partial(_check_job, place, act.job))
        yield PossibleAct(act.action, refusal=refusal)


def _of_stages(place: Place) -> Iterator[PossibleAct]:
    for stage in Stage:
        opens = OpenStage(stage=stage)
        is_closed = stage in _planned(place).closed_stages()
        refusal = CLOSED.format(stage.value) if is_closed else _refusal(partial(_check_opens, opens, place))
        yield PossibleAct(OpenStage.action, stage.value, refusal=refusal)
    for stage in (Stage.SCREENING, Stage.WRITING):
        closes = CloseStage(stage=stage)
        refusal = _refusal(partial(_check_closes, closes, place))
        yield PossibleAct(CloseStage.action, stage.value, refusal=refusal)


def _of_rounds(place: Place) -> Iterator[PossibleAct]:
    rounds = place.bound().rounds
    opens = OpenRound(number=max(rounds) + 1)
    goes_on = f"Round {max(rounds)} goes on. Close its writing first."
    yield PossibleAct(OpenRound.action, number=opens.number, refusal=_refusal(partial(opens.check, place), goes_on))
    for number in rounds:
        if place.folder is None or frozen_round(place.folder, number) is None:
            freezes = FreezeRound(number=number)
            refusal = _refusal(partial(freezes.check, place), None if rounds[number].record.is_closed else goes_on)
            yield PossibleAct(FreezeRound.action, number=number, refusal=refusal)
    for job, act in (("train", TrainModels()), ("evaluate", MeasureModels())):
        refusal = _refusal(partial(act.estimate, place), NOT_FROZEN) or _refusal(partial(_check_job, place, job))
        yield PossibleAct(act.action, refusal=refusal)


def _refusal(check: Callable[[], object], words: str | None = None) -> str | None:
    """Return what a check says, or other words for it; None if it says nothing."""
    try:
        check()
    except BeatTheAIError as error:
        return words or str(error)
    return None


def _check_opens(act: OpenStage, place: Place) -> None:
    job = act.job(place)
    if job.name in (served_stages(place.out) or ()) or _is_running(job):
        raise Refused(f"The {act.stage.value} is being served.")
    act.check(place)


def _check_closes(act: CloseStage, place: Place) -> None:
    planned = _planned(place)
    if not was_launched(planned, act.stage, WHOLE):
        raise Refused(NOT_OPENED.format(act.stage.value))
    if act.stage in planned.closed_stages():
        raise Refused(CLOSED.format(act.stage.value))


def _check_job(place: Place, name: str) -> None:
    if _is_running(job_of(place.out, name)):
        raise Refused("It is running.")


def _is_running(job: Job) -> bool:
    state = job.state()
    return state is not None and state.stands == "running"


def _planned(place: Place) -> PlannedRound:
    _, settings = present(place)
    return PlannedRound(place.store, settings)
