"""The records of campaigns that are being started that the console's page is sent, and those that it sends."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from beat_the_ai.campaign.acts.act import Estimate
from beat_the_ai.campaign.starting.drafts import Choices, KeptContexts
from beat_the_ai.console.act_views import Job
from beat_the_ai.console.views import ShownForecast
from beat_the_ai.rules.kind import Words
from beat_the_ai.rules.protocol import Moment, Value, View


class SentStart(Value):
    """A campaign that is begun as a draft. The same `request` once more is the same draft."""

    request: Annotated[str, Field(pattern="^[0-9A-Za-z-]{8,64}$")]
    task: str


class SentChoices(Value):
    """The choices of a draft, whose last `revision` the page has seen."""

    revision: int
    choices: Choices


class SentJob(Value):
    """A job that is to be done for a draft."""

    job: Literal["rehearsal", "check"]


class SentStop(Value):
    """A run of a job that is to be stopped, by the time at which it began."""

    job: Literal["rehearsal", "check"]
    began_at: Annotated[str, Field(max_length=40)]


class SentLook(Value):
    """A look at what a launch may cost. The page has seen the draft's last `revision`."""

    revision: int


class SentLaunch(Value):
    """A launch that a person has agreed to, with the `revision` and worst case shown. A draft is launched once."""

    revision: int
    agreed_cents: int


class DraftLine(View):
    """A draft in the list of all. `campaign` is the key of what it was launched as, if it was."""

    id: str
    name: str
    task: str
    by: str
    changed_at: Moment
    campaign: str | None


class UnreadableDraft(View):
    """A draft whose file cannot be read, with its fault in words."""

    id: str
    fault: str


class Starts(View):
    """The drafts of a console, and the tasks that a campaign may be of."""

    drafts: tuple[DraftLine, ...]
    unreadable: tuple[UnreadableDraft, ...]
    tasks: tuple[str, ...]


class PresetChoice(View):
    """A preset that may be chosen."""

    name: str
    title: str


class ModelChoice(View):
    """A configuration of models that may be chosen, with figures in words; null where there are none."""

    name: str
    members: tuple[str, ...]
    published: str | None
    checked: str | None


class PilotChoice(View):
    """A campaign of the same kind of task that may be forecast from, by its key."""

    key: str
    id: str
    simulated: bool


class FieldFault(View):
    """A fault of a choice, by the name of its field."""

    field: str
    message: str


class Defaults(View):
    """The values of choices that are left empty, in words."""

    reward: str
    hits: str
    cap: str
    model: str


class StartDraft(View):
    """A draft, what may be chosen for it, its faults, and what it would cost.

    `has_keys` says whether the keys of the crowd are there; null where that cannot be told yet. `yaml` is what a file
    has, below the command that does the same. `is_rehearsed` says whether the last rehearsal was of these choices,
    `is_forecast` whether the forecast is of this plan. A job runs: look again in `again_seconds`.
    """

    id: str
    revision: int
    by: str
    changed_at: Moment
    choices: Choices
    contexts: KeptContexts | None
    campaign: str | None
    words: Words | None
    unit: str
    tasks: tuple[str, ...]
    presets: tuple[PresetChoice, ...]
    models: tuple[ModelChoice, ...]
    pilots: tuple[PilotChoice, ...]
    defaults: Defaults | None
    faults: tuple[FieldFault, ...]
    has_keys: bool | None
    estimate: Estimate | None
    yaml: str
    jobs: tuple[Job, ...]
    is_rehearsed: bool
    forecast: ShownForecast | None
    is_forecast: bool
    again_seconds: float | None


class Launched(View):
    """A report of a launch in words, with the campaign's key."""

    campaign: str
    told: str
