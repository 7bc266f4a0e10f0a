"""The records of acts that the console's page is sent, and those that it sends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from beat_the_ai.campaign.acts.act import Estimate
from beat_the_ai.review.views import LogEntry
from beat_the_ai.rules.kind import Words
from beat_the_ai.rules.protocol import Moment, Value, View


class SentAct(Value):
    """An act with its values, by their names."""

    action: str
    values: Mapping[str, Any] = {}


class SentDeed(SentAct):
    """An act that a person has agreed to. The same `request` once more is answered with the same report.

    `agreed_cents` is the worst case that was shown; null if nothing was. `sha256` is of the file that was previewed.
    """

    request: Annotated[str, Field(pattern="^[0-9A-Za-z-]{8,64}$")]
    agreed_cents: int | None = None
    sha256: str | None = None


class Possible(View):
    """An act, on a stage or a round if it needs one, and the values that a page may give it.

    `refusal` says why it cannot be done now.
    """

    action: str
    stage: str | None
    number: int | None
    fields: tuple[str, ...]
    refusal: str | None


class Job(View):
    """The last run of a process that was started. One that stands `killed` may be started again.

    `stopped_by` is who wanted it stopped.
    """

    name: str
    stands: Literal["running", "done", "failed", "killed", "stopped"]
    by: str
    began_at: str
    ended_at: str | None
    exit_status: int | None
    log_tail: tuple[str, ...]
    stopped_by: str | None


class ExportFile(View):
    """The newest export: when it was written, and its size."""

    at: Moment
    bytes: int


class BackupFile(View):
    """The newest backup: when it was made, and the name of its file on the server."""

    at: Moment
    name: str


class DataFiles(View):
    """The files of a campaign's data; null before there is one. `jobs` write them.

    `again_seconds`: one runs, so look again then.
    """

    export: ExportFile | None
    backup: BackupFile | None
    jobs: tuple[Job, ...]
    again_seconds: float | None


class Acts(View):
    """The acts of a campaign, its jobs, and the newest entries of the log about both.

    `members` are the models that a round can be played against. `again_seconds`: a job runs, so look again then.
    """

    acts: tuple[Possible, ...]
    jobs: tuple[Job, ...]
    members: tuple[str, ...]
    log: tuple[LogEntry, ...]
    unit: str
    words: Words
    again_seconds: float | None


class BestModels(View):
    """The trained models that are measured best, and those that no test tells apart from the first.

    `refusal` says why there are none, such as a model that was not measured.
    """

    models: tuple[str, ...]
    refusal: str | None


class Setting(View):
    """A setting as KEY=VALUE has it. `may_change` here; `reason` says why, or why not."""

    key: str
    value: str
    may_change: bool
    reason: str
    takes_effect: str


class SettingsList(View):
    """All settings of a campaign."""

    settings: tuple[Setting, ...]


class Estimated(View):
    """The cost of an act; null for nothing."""

    estimate: Estimate | None


class Fault(View):
    """A fault of a file, and its place in it."""

    place: str
    message: str


class FilePreview(View):
    """A file of contexts: so many are `new`, `there` already, or `repeated`. With `faults` none is offered."""

    sha256: str
    new: int
    there: int
    repeated: int
    faults: tuple[Fault, ...]
    estimate: Estimate | None


class Done(View):
    """A report of an act in words. `has_changed` is false if it was so already."""

    has_changed: bool
    told: str
