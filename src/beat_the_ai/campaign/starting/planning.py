"""A draft as a campaign: its settings, all faults by field, what it may cost, and the YAML that a file would have."""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Hashable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from beat_the_ai.campaign.acts.act import Actor, Estimate
from beat_the_ai.campaign.acts.jobs import check_not_shared
from beat_the_ai.campaign.acts.stage_costs import planned_estimate, stage_estimate
from beat_the_ai.campaign.forecasts.plans import plan_of
from beat_the_ai.campaign.models.check import KEPT as KEPT_CHECKS
from beat_the_ai.campaign.settings.campaign_file import as_yaml
from beat_the_ai.campaign.settings.configuration import Settings, read_settings
from beat_the_ai.campaign.settings.forms import campaign_forms
from beat_the_ai.campaign.settings.pages import page_folder
from beat_the_ai.campaign.settings.partition import WHOLE
from beat_the_ai.campaign.settings.planned_round import PlannedRound
from beat_the_ai.campaign.starting.drafts import Draft
from beat_the_ai.campaign.starting.ground import Ground
from beat_the_ai.campaign.starting.values import FIELD_OF, OTHERS, Values, field_of
from beat_the_ai.crowds import crowd_of
from beat_the_ai.errors import BeatTheAIError, InvalidInput, Refused
from beat_the_ai.files.permissions import PRIVATE
from beat_the_ai.forecast.keeping import KEPT_FORECAST
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import open_store
from beat_the_ai.terms.locate import STORE_FILE

CONTEXTS = "contexts"  # the folder of files in a campaign's private folder, and in that of a draft
FAULTY = "The draft has faults. Correct them first."
ELSEWHERE = "This task keeps its campaigns in a database. Launch it on the command line."


@dataclass(frozen=True)
class Plan:
    """A draft as a campaign. Without faults it can be launched.

    `settings` are those that could be composed, perhaps without faulty fields; None if none could. `estimate` is of
    the first stage, without the crowd's balance. By the `figures` a forecast is known to be of this plan.
    `has_keys` says whether the keys of the crowd are there; None where no crowd could be chosen.
    """

    overrides: tuple[str, ...]
    faults: dict[str, str] = field(default_factory=dict)
    settings: Settings | None = None
    estimate: Estimate | None = None
    figures: Mapping[str, int | str] | None = None
    has_keys: bool | None = None

    def checked(self) -> Settings:
        """Return the settings. Raises `Refused` unless there is no fault."""
        if self.faults or self.settings is None:
            raise Refused(FAULTY)
        return self.settings


def first_stage(settings: Settings | None) -> Stage:
    """Return the stage that is opened first: the screening, where the campaign has one."""
    return Stage.SCREENING if settings is not None and settings.qualification.places > 0 else Stage.WRITING


def plan_of_draft(ground: Ground, draft: Draft, actor: Actor) -> Plan:
    """Return a draft as a campaign, with all of its faults."""
    values = Values(ground, draft.choices, actor, contexts_of(ground, draft))
    faults = dict(values.faults)
    settings = _composed(ground, draft, values, faults)
    shown = tuple(_final_values(ground, draft, actor).overrides())
    if settings is None:
        return Plan(shown, faults)
    settings = settings.model_copy(update={"out": ground.drafts.place(draft.id)})  # where its forecast and checks lie
    estimate, figures = _cost(settings, faults)
    has_keys = None if "crowd" in faults else crowd_of(settings.crowd).has_keys(settings.crowd)
    return Plan(shown, faults, settings, estimate, figures, has_keys)


def plan_mark(ground: Ground, draft: Draft) -> Hashable:
    """Return what differs whenever a draft comes to another plan: its revision, and the files that its cost reads."""
    place = ground.drafts.place(draft.id)
    names = (KEPT_FORECAST.name, KEPT_CHECKS.name)
    found = [path.stat().st_mtime_ns if (path := place / name).is_file() else 0 for name in names]
    return draft.id, draft.revision, ground.is_taken(draft.name), *found


def out_of(ground: Ground, draft: Draft) -> Path:
    """Return the folder of a draft's campaign; `NAME` in the place of what is no name."""
    try:
        return ground.out(draft.name)
    except InvalidInput:
        return ground.folder / "NAME"


def contexts_of(ground: Ground, draft: Draft) -> Path | None:
    """Return the file of contexts that lies with a draft; None if it has none, or uses the task's."""
    kept = draft.contexts
    return (
        None
        if kept is None or not draft.choices.has_file
        else ground.drafts.place(draft.id) / CONTEXTS / kept_name(kept.sha256, kept.name)
    )


def kept_name(sha256: str, name: str) -> str:
    """Return the name under which a file of contexts is kept."""
    return f"{sha256[:12]}-{name}"


def yaml_of(ground: Ground, draft: Draft, plan: Plan) -> str:
    """Return the choices as the file of a campaign, below the command that takes it."""
    out = out_of(ground, draft)
    command = ["beat-the-ai", "launch", f"{out.name}.yaml", "--out", str(out)]
    stage = first_stage(plan.settings)
    command += [] if stage is Stage.WRITING else ["--stage", stage.value]
    task = ground.tasks.get(draft.choices.task)
    return f"# {shlex.join(command)}\n{as_yaml(None if task is None else task.resolve(), plan.overrides)}"


def asked_estimate(plan: Plan) -> Estimate:
    """Return what the first stage may cost, with the balance at the crowd, which is asked. Raises `Refused`."""
    settings = plan.checked()
    with _beside(settings) as planned, crowd_of(settings.crowd).running(settings.crowd):
        return stage_estimate(planned, first_stage(settings), WHOLE)


def _final_values(ground: Ground, draft: Draft, actor: Actor) -> Values:
    """Return the values with which the campaign is launched, whose contexts lie with it."""
    kept = draft.contexts
    folder = out_of(ground, draft).resolve() / PRIVATE / CONTEXTS
    return Values(ground, draft.choices, actor, None if kept is None else folder / kept_name(kept.sha256, kept.name))


def _composed(ground: Ground, draft: Draft, values: Values, faults: dict[str, str]) -> Settings | None:
    """Return the settings without faulty fields, whose faults are added; None where those are needed."""
    out = out_of(ground, draft).resolve()
    for _ in range(len(FIELD_OF) + 1):
        try:
            task = ground.task(draft.choices.task)
            settings = read_settings(task, values.overrides(without=list(faults)), out=out)
        except InvalidInput as error:
            place = "task" if error.field == "task" else field_of(error.field)
            is_given = place in values.by_field and place not in faults
            faults.setdefault(place, str(error))
            if not is_given:
                return None
        else:
            _check(settings, out, faults)
            return settings
    return None


def _check(settings: Settings, out: Path, faults: dict[str, str]) -> None:
    """Add the faults of settings that keep a campaign from being launched from a page."""
    if out.exists():
        faults.setdefault("name", f"{out.name} is there already. Choose another name.")
    if settings.store.url != f"sqlite:///{out}/{PRIVATE}/{STORE_FILE}":
        faults.setdefault("task", ELSEWHERE)
    for place, check in (
        ("has_consent", lambda: campaign_forms(settings)),
        ("task", lambda: page_folder(settings.task_dir)),
        (OTHERS, lambda: check_not_shared(settings)),
    ):
        try:
            check()
        except BeatTheAIError as error:
            faults.setdefault(place, str(error))


def _cost(settings: Settings, faults: dict[str, str]) -> tuple[Estimate | None, Mapping[str, int | str] | None]:
    """Return what the first stage may cost, and the figures of the plan; neither where there is a fault more."""
    try:
        with _beside(settings) as planned:
            return planned_estimate(planned, first_stage(settings)), plan_of(planned).figures()
    except InvalidInput as error:
        told = str(error).replace(str(settings.contexts), settings.contexts.name)
        faults.setdefault(field_of(error.field), told)
    except Refused as error:
        faults.setdefault("cap", str(error))
    return None, None


@contextmanager
def _beside(settings: Settings) -> Iterator[PlannedRound]:
    """Yield the round in an empty store, where the campaign has not begun."""
    with tempfile.TemporaryDirectory() as folder, closing(open_store(f"sqlite:///{folder}/plan.db")) as store:
        yield PlannedRound(store, settings)
