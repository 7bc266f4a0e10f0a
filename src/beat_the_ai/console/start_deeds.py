"""Drafts of campaigns as the page sees them, and what is done with them. Loads Mephisto."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Lock

from beat_the_ai.campaign.acts.act import Actor
from beat_the_ai.campaign.acts.contexts_file import read_contexts
from beat_the_ai.campaign.settings.configuration import Settings, configs_of, read_settings
from beat_the_ai.campaign.starting.drafts import Choices, Draft, KeptContexts
from beat_the_ai.campaign.starting.ground import Ground
from beat_the_ai.campaign.starting.launching import Launch
from beat_the_ai.campaign.starting.offers import models_of, presets_of
from beat_the_ai.campaign.starting.planning import (
    CONTEXTS,
    Plan,
    asked_estimate,
    contexts_of,
    kept_name,
    plan_mark,
    plan_of_draft,
    yaml_of,
)
from beat_the_ai.campaign.starting.rehearsing import (
    REHEARSAL,
    commands,
    forecast_draft,
    jobs_of_draft,
    start_job,
    stop_job,
)
from beat_the_ai.console import act_views
from beat_the_ai.console import start_views as views
from beat_the_ai.console.deeds import RENEWED_SECONDS
from beat_the_ai.console.forecasts import shown_forecast
from beat_the_ai.errors import BeatTheAIError, InvalidInput, Refused, UnknownName
from beat_the_ai.files.atomic_write import copy_file
from beat_the_ai.files.permissions import make_private_folder
from beat_the_ai.forecast.keeping import KEPT_FORECAST
from beat_the_ai.forecast.records import Forecast
from beat_the_ai.rules.kind import Kind
from beat_the_ai.store import Account, AccountSession, Store, now
from beat_the_ai.terms.campaign import BoundCampaign

MOST_PLANS = 50


@dataclass(frozen=True)
class Pilot:
    """A campaign of the console, which may be forecast from."""

    key: str
    campaign: BoundCampaign


def begun(ground: Ground, actor: Actor, sent: views.SentStart) -> Draft:
    """Begin a draft of a campaign of a task. Raises `UnknownName` for a task that is not allowed."""
    ground.task(sent.task)
    return ground.drafts.begin(f"{actor.name} {sent.request}", Choices(task=sent.task), actor.name)


def changed(ground: Ground, actor: Actor, draft_id: str, sent: views.SentChoices) -> Draft:
    """Keep the choices of a draft, whatever their faults."""
    return ground.drafts.change(
        draft_id, actor.name, sent.revision, lambda draft: draft.model_copy(update={"choices": sent.choices})
    )


def with_contexts(ground: Ground, actor: Actor, draft: Draft, revision: int, file: Path) -> act_views.FilePreview:
    """Return what a file of contexts brings. Without faults it is kept with the draft, in the place of any other."""
    kind = _kind(ground, draft)
    read = read_contexts(kind.writing, file)
    number = len(read.contexts)
    if number and not read.faults:
        folder = ground.drafts.place(draft.id) / CONTEXTS
        kept = KeptContexts(name=file.name, sha256=read.sha256, number=number)

        def keep(draft: Draft) -> Draft:
            make_private_folder(folder)
            copied = folder / kept_name(kept.sha256, kept.name)
            copy_file(file, copied)
            for old in folder.iterdir():
                if old not in (copied, contexts_of(ground, draft)):  # a rehearsal may still read the last one
                    old.unlink()
            choices = draft.choices.model_copy(update={"has_file": True})
            return draft.model_copy(update={"contexts": kept, "choices": choices})

        ground.drafts.change(draft.id, actor.name, revision, keep)
    faults = [act_views.Fault.model_validate(each) for each in read.faults]
    if not number and not faults:
        faults = [act_views.Fault(place="the file", message=f"There are no {kind.words.contexts} in it.")]
    return act_views.FilePreview(
        sha256=read.sha256, new=number, there=0, repeated=0, faults=tuple(faults), estimate=None
    )


class Plans:
    """The last plans of drafts, each of which takes a second to make. Safe to use from threads."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._kept: OrderedDict[Hashable, Plan] = OrderedDict()
        self._lock = Lock()

    def of(self, draft: Draft, actor: Actor) -> Plan:
        """Return a draft as a campaign, planned anew after each change."""
        mark = plan_mark(self._ground, draft)
        with self._lock:
            known = self._kept.get(mark)
        if known is None:
            known = plan_of_draft(self._ground, draft, actor)
            with self._lock:
                self._kept[mark] = known
                if len(self._kept) > MOST_PLANS:
                    self._kept.popitem(last=False)
        return known


def shown(
    ground: Ground,
    actor: Actor,
    draft: Draft,
    plan: Plan,
    pilots: Sequence[Pilot],
    folders: Sequence[Path],
    campaign: str | None,
) -> views.StartDraft:
    """Return a draft as the page shows it. `folders` are those of campaigns, in which checks of models are."""
    settings, choices = plan.settings, draft.choices
    kind = _kind_or_none(ground, draft)
    place = ground.drafts.place(draft.id)
    found, jobs = _kept(place), jobs_of_draft(ground, draft)
    configs = configs_of(ground.tasks.get(choices.task, Path()))
    return views.StartDraft(
        id=draft.id,
        revision=draft.revision,
        by=draft.by,
        changed_at=draft.changed_at,
        choices=choices,
        contexts=draft.contexts,
        campaign=campaign,
        words=None if kind is None else kind.words,
        unit="USD" if settings is None else settings.crowd.unit,
        tasks=tuple(ground.tasks),
        presets=() if kind is None else tuple(map(views.PresetChoice.model_validate, presets_of(configs, kind.name))),
        models=()
        if kind is None
        else tuple(map(views.ModelChoice.model_validate, models_of(configs, kind.name, [*folders, place]))),
        pilots=() if kind is None else tuple(_pilot(each) for each in pilots if each.campaign.kind.name == kind.name),
        defaults=None if settings is None else _defaults(settings),
        faults=() if draft.campaign is not None else tuple(map(_fault, plan.faults.items())),
        has_keys=plan.has_keys,
        estimate=plan.estimate,
        yaml=yaml_of(ground, draft, plan),
        jobs=tuple(map(act_views.Job.model_validate, jobs)),
        is_rehearsed=_is_rehearsed(ground, actor, draft, plan),
        forecast=None if found is None else shown_forecast(found, {}),
        is_forecast=found is not None and found.plan == plan.figures,
        again_seconds=RENEWED_SECONDS if any(each.stands == "running" for each in jobs) else None,
    )


def with_job(ground: Ground, actor: Actor, draft: Draft, plan: Plan, sent: views.SentJob) -> None:
    """Start a job of a draft, unless it runs. Raises `Refused` while the draft has faults."""
    start_job(ground, draft, plan, actor, sent.job)


def without_job(ground: Ground, actor: Actor, draft: Draft, sent: views.SentStop, store: Store) -> None:
    """Stop the run of a job that somebody has seen, unless it has ended. The store's log has it."""
    stop_job(ground, draft.id, sent.job, sent.began_at, actor, store.audit)


def with_forecast(ground: Ground, draft: Draft, plan: Plan, pilots: Sequence[Pilot]) -> None:
    """Forecast a draft from the pilot that it names, or from its rehearsal. Raises `InvalidInput` and `Refused`."""
    key = draft.choices.pilot
    pilot = next((each.campaign for each in pilots if each.key == key), None)
    if key and pilot is None:
        raise UnknownName("pilot", key, [each.key for each in pilots])
    forecast_draft(ground, draft, plan, pilot)


def estimated(plan: Plan) -> act_views.Estimated:
    """Return what the first stage may cost, with the balance at the crowd."""
    return act_views.Estimated(estimate=asked_estimate(plan))


def launched(
    ground: Ground, actor: Actor, draft_id: str, sent: views.SentLaunch, account: Account, session: AccountSession
) -> tuple[str, str]:
    """Launch a draft for the holder of an account and a session. Return the campaign's name, and a report in words."""

    def admit(store: Store) -> None:
        store.accounts.add(account)
        store.accounts.begin(session, account, now())
        store.audit.add(now(), account.name, "account_added", account.name, account.role.value)

    return Launch(ground, actor, admit).launch(draft_id, sent.revision, sent.agreed_cents)


@lru_cache
def _kind_of(task: Path) -> Kind:
    """Return the kind of a task folder. A process reads it once."""
    return read_settings(task, [], out=Path("nowhere")).kind


def _kind(ground: Ground, draft: Draft) -> Kind:
    return _kind_of(ground.task(draft.choices.task))


def _kind_or_none(ground: Ground, draft: Draft) -> Kind | None:
    try:
        return _kind(ground, draft)
    except (InvalidInput, Refused):  # a task folder that is gone, or broken: the plan has its fault
        return None


def _fault(of: tuple[str, str]) -> views.FieldFault:
    field, message = of
    return views.FieldFault(field=field, message=message)


def _pilot(of: Pilot) -> views.PilotChoice:
    return views.PilotChoice(key=of.key, id=of.campaign.id, simulated=of.campaign.record.simulated)


def _defaults(settings: Settings) -> views.Defaults:
    most = settings.round.max_hits
    return views.Defaults(
        reward=settings.crowd.amount(settings.pay.reward_cents),
        hits="all of the contexts" if most is None else f"{most:,}",
        cap=settings.crowd.amount(settings.pay.cap_cents),
        model=", ".join(settings.adversary.members),
    )


def _kept(place: Path) -> Forecast | None:
    try:
        return KEPT_FORECAST.read(place)
    except InvalidInput:  # of another version; it can be made anew
        return None


def _is_rehearsed(ground: Ground, actor: Actor, draft: Draft, plan: Plan) -> bool:
    """Return whether the last rehearsal was of these choices, and has come to its end."""
    done: Mapping[str, Sequence[str]] = {
        each.name: each.command for each in jobs_of_draft(ground, draft) if each.stands == "done"
    }
    try:
        return done.get(REHEARSAL) == commands(ground, draft, plan, actor)[REHEARSAL]
    except BeatTheAIError:
        return False
