"""Requesters' acts as the page names them: which there are, what each would cost, and doing it. Loads Mephisto."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from beat_the_ai.campaign.acts.act import Actor, Place
from beat_the_ai.campaign.acts.adding_contexts import SHOWN, AddContexts, check_previewed
from beat_the_ai.campaign.acts.closing import CloseStage
from beat_the_ai.campaign.acts.contexts_file import read_contexts
from beat_the_ai.campaign.acts.data_files import BackUp, Export
from beat_the_ai.campaign.acts.jobs import MeasureModels, OpenStage, TrainModels, jobs_of
from beat_the_ai.campaign.acts.pausing import Continue, Pause
from beat_the_ai.campaign.acts.possible import PossibleAct, possible_acts
from beat_the_ai.campaign.acts.round_acts import FreezeRound, OpenRound, models_of
from beat_the_ai.campaign.acts.terms import ChangeTerms, changeable, check_values, is_from_a_page, present
from beat_the_ai.campaign.rounds.next_adversary import next_adversary
from beat_the_ai.console import act_views as views
from beat_the_ai.errors import InvalidInput, Refused, UnknownName, first_fault
from beat_the_ai.files.permissions import make_private, make_private_folder
from beat_the_ai.review.views import LogEntry
from beat_the_ai.terms.locate import private_folder

RENEWED_SECONDS = 2.0
LOG_ENTRIES = 30
CONTEXTS = "contexts"  # the folder of files that rounds were opened with

ActT = TypeVar("ActT", bound=BaseModel)
WITHOUT_FILE: Mapping[str, tuple[type[BaseModel], tuple[str, ...]]] = {
    Pause.action: (Pause, ()),
    Continue.action: (Continue, ()),
    OpenStage.action: (OpenStage, ("stage",)),
    CloseStage.action: (CloseStage, ("stage",)),
    ChangeTerms.action: (ChangeTerms, ("values",)),
    OpenRound.action: (OpenRound, ("number", "values", "members")),
    FreezeRound.action: (FreezeRound, ("number",)),
    TrainModels.action: (TrainModels, ("weight",)),
    MeasureModels.action: (MeasureModels, ("max_cents",)),
    Export.action: (Export, ()),
    BackUp.action: (BackUp, ()),
}
WITH_FILE = (AddContexts.action, OpenRound.action)
ACTIONS = (*WITHOUT_FILE, AddContexts.action)


def acts_of(place: Place) -> views.Acts:
    """Return all acts of a campaign, its jobs, and the newest entries of the log."""
    _, settings = present(place)
    jobs = [] if place.folder is None else jobs_of(place)
    runs = any(each.stands == "running" for each in jobs)
    return views.Acts(
        acts=tuple(map(_possible, possible_acts(place))),
        jobs=tuple(map(views.Job.model_validate, jobs)),
        members=() if place.folder is None else tuple(models_of(place)),
        log=tuple(map(LogEntry.model_validate, place.store.audit.entries(limit=LOG_ENTRIES, actions=ACTIONS))),
        unit=settings.crowd.unit,
        words=settings.kind.words,
        again_seconds=RENEWED_SECONDS if runs else None,
    )


def settings_of(place: Place) -> views.SettingsList:
    """Return the settings without files, programs and addresses of the machine: those stay with its user."""
    found = [each for each in changeable(place) if is_from_a_page(each.key)]
    return views.SettingsList(
        settings=tuple(views.Setting(**{**vars(each), "value": _spelled(each.value)}) for each in found)
    )


def best_models(place: Place) -> views.BestModels:
    """Return the models that a comparison recommends for the next round, as `round compare` does."""
    try:
        return views.BestModels(models=tuple(next_adversary(place.out).models), refusal=None)
    except (InvalidInput, Refused) as error:
        return views.BestModels(models=(), refusal=str(error))


def estimated(place: Place, actor: Actor, sent: views.SentAct) -> views.Estimated:
    """Return the cost of an act. Raises `InvalidInput` and `Refused` unless it can be done."""
    return views.Estimated(estimate=_act(sent, actor).estimate(place))


def done(place: Place, actor: Actor, sent: views.SentDeed) -> views.Done:
    """Do an act. Raises `InvalidInput` and `Refused` unless it can be done."""
    return views.Done.model_validate(_act(sent, actor).do(place, actor, sent.agreed_cents))


def previewed(place: Place, sent: views.SentAct, file: Path) -> views.FilePreview:
    """Return what a file would add to the round that goes on, or bring to the next one."""
    if sent.action == AddContexts.action:
        return views.FilePreview.model_validate(AddContexts(file=file).preview(place))
    _, settings = present(place)
    read = read_contexts(settings.kind.writing, file)
    faults = tuple(map(views.Fault.model_validate, read.faults))
    new = len(read.contexts)
    return views.FilePreview(sha256=read.sha256, new=new, there=0, repeated=0, faults=faults, estimate=None)


def done_with_file(place: Place, actor: Actor, sent: views.SentDeed, file: Path) -> views.Done:
    """Do an act with a file. Raises `InvalidInput` and `Refused` unless it can be done."""
    if sent.action not in WITH_FILE:
        raise UnknownName("act with a file", sent.action[:80], WITH_FILE)
    if sent.action == AddContexts.action:
        act: Any = AddContexts(file=file, sha256=sent.sha256)
    else:
        opens = _act(sent, actor)
        opens.estimate(place)
        act = opens.model_copy(update={"contexts": _kept(place, file, opens.number, sent.sha256)})
    return views.Done.model_validate(act.do(place, actor, sent.agreed_cents))


def _act(sent: views.SentAct, actor: Actor) -> Any:
    """Return the act that a page names. Raises `InvalidInput` for values that it may not give."""
    if sent.action not in WITHOUT_FILE:
        raise UnknownName("act", sent.action[:80], WITHOUT_FILE)
    kind, fields = WITHOUT_FILE[sent.action]
    for name in sent.values:
        if name not in fields:
            raise InvalidInput(name[:80], f"{sent.action} takes {', '.join(fields) or 'no values'}.")
    act = _valid(kind, sent.values)
    check_values(actor, getattr(act, "values", ()))
    return act


def _valid(kind: type[ActT], values: Mapping[str, Any]) -> ActT:
    try:
        return kind.model_validate(values)
    except ValidationError as error:
        fault = first_fault(error, "values")
        raise InvalidInput(fault.place, f"{fault.place}: {fault.reason}") from None


def _kept(place: Place, file: Path, number: int, sha256: str | None) -> Path:
    """Keep the file that a round is opened with, which reads it again later.

    Raises `InvalidInput` for its faults, and `Refused` for another content than the one that was previewed.
    """
    _, settings = present(place)
    read = read_contexts(settings.kind.writing, file)
    check_previewed(file, read, sha256)
    if read.faults:
        raise InvalidInput("contexts", f"{file.name} has faults: {'; '.join(map(str, read.faults[:SHOWN]))}")
    folder = private_folder(place.out) / CONTEXTS
    make_private_folder(folder)
    kept = folder / f"{number}-{read.sha256[:12]}-{file.name}"
    shutil.copyfile(file, kept)
    make_private(kept)
    return kept


def _possible(of: PossibleAct) -> views.Possible:
    fields = WITHOUT_FILE[of.action][1] if of.action in WITHOUT_FILE else ()
    return views.Possible(**vars(of), fields=(*fields, "file") if of.action in WITH_FILE else fields)


def _spelled(value: object) -> str:
    """Return a setting's value as KEY=VALUE has it."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (list, tuple)):
        return f"[{','.join(map(_spelled, value))}]"
    return str(value)
