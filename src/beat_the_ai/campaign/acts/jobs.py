"""Acts that take long: a stage is served, models are trained and measured, by processes that outlive their caller.

Their logs and states lie in the campaign's private folder, in `jobs`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from pydantic import BaseModel, ConfigDict, Field

from beat_the_ai.campaign.acts.act import Actor, Estimate, Place, Report
from beat_the_ai.campaign.acts.stage_costs import stage_deed, stage_estimate, was_launched
from beat_the_ai.campaign.acts.terms import check_consent, present
from beat_the_ai.campaign.money.payables import run_name
from beat_the_ai.campaign.rounds.snapshot import frozen_rounds
from beat_the_ai.campaign.settings.changes import closed_stage
from beat_the_ai.campaign.settings.configuration import Settings
from beat_the_ai.campaign.settings.partition import WHOLE
from beat_the_ai.campaign.settings.planned_round import PlannedRound
from beat_the_ai.crowds import crowd_of
from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.files.permissions import PRIVATE, make_private_folder
from beat_the_ai.process.job import Job, JobState, jobs_in
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import AlreadyDone, Deed
from beat_the_ai.terms.locate import private_folder, served_stages

JOBS = "jobs"


class OpenStage(BaseModel):
    """Serve a stage of the current round in a process of its own. One that was launched before is resumed."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    action: ClassVar[str] = "open_stage"

    stage: Stage = Stage.WRITING

    def estimate(self, place: Place) -> Estimate | None:
        """Return what the stage may cost; None if it is resumed, or pays nobody. The crowd is asked.

        Raises `Refused` unless it can be served.
        """
        self.check(place)
        _, settings = present(place)
        planned = PlannedRound(place.store, settings)
        if was_launched(planned, self.stage, WHOLE) or not settings.crowd.is_marketplace:
            return None
        with crowd_of(settings.crowd).running(settings.crowd):
            return stage_estimate(planned, self.stage, WHOLE)

    def check(self, place: Place) -> None:
        """Raise `Refused` for a stage that is closed or shared. The crowd is not asked."""
        _, settings = present(place)
        if self.stage in PlannedRound(place.store, settings).closed_stages():
            raise Refused(closed_stage(self.stage, settings))
        check_not_shared(settings)

    def do(self, place: Place, actor: Actor, agreed_cents: int | None = None) -> Report:
        job = self.job(place)
        if job.name in (served_stages(place.out) or ()):
            return Report(has_changed=False, told=f"The {self.stage.value} is being served.")
        estimate = self.estimate(place)
        if estimate is not None:
            check_consent(estimate, agreed_cents)
            if estimate.refusal is not None:
                raise Refused(estimate.refusal)
        deed = stage_deed(actor, place.campaign_id, self.stage, estimate)
        return start_job(job, self._arguments(place), place, deed, f"The {self.stage.value}")

    def job(self, place: Place) -> Job:
        """Return the job that serves the stage."""
        number = place.store.rounds.current(place.campaign_id).number
        return job_of(place.out, run_name(self.stage, number))

    def _arguments(self, place: Place) -> list[str]:
        _, settings = present(place)
        options = ["--out", str(place.out), "--stage", self.stage.value]
        if not settings.crowd.is_marketplace:
            return ["serve", *options]
        is_known = was_launched(PlannedRound(place.store, settings), self.stage, WHOLE)
        return ["launch", *options, "--resume" if is_known else "--yes"]


class TrainModels(BaseModel):
    """Train models on all frozen rounds, as `round train` does."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    action: ClassVar[str] = "train_models"

    weight: float = Field(default=1.0, gt=0)

    def estimate(self, place: Place) -> None:
        """Return None: it costs time alone. Raises `InvalidInput` without a frozen round."""
        frozen_rounds(place.out)

    def do(self, place: Place, actor: Actor, agreed_cents: int | None = None) -> Report:
        self.estimate(place)
        arguments = ["round", "train", "--out", str(place.out), "--weight", f"{self.weight:g}"]
        deed = actor.deed(self.action, place.campaign_id, f"weight {self.weight:g}")
        return start_job(job_of(place.out, "train"), arguments, place, deed, "The training")


class MeasureModels(BaseModel):
    """Measure all models of the campaign on its frozen rounds, as `round evaluate` does; `round compare` reads that.

    `max_cents` is for each model that has a price.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    action: ClassVar[str] = "measure_models"

    max_cents: int | None = Field(default=None, ge=0)

    def estimate(self, place: Place) -> None:
        """Return None: it pays nobody. Raises `InvalidInput` without a frozen round."""
        frozen_rounds(place.out)

    def do(self, place: Place, actor: Actor, agreed_cents: int | None = None) -> Report:
        self.estimate(place)
        arguments = ["round", "evaluate", "--out", str(place.out)]
        arguments += [] if self.max_cents is None else ["--max-cents", str(self.max_cents)]
        deed = actor.deed(self.action, place.campaign_id)
        return start_job(job_of(place.out, "evaluate"), arguments, place, deed, "The measuring")


def check_not_shared(settings: Settings) -> None:
    """Raise `Refused` for a campaign whose writing is divided among operators."""
    if settings.round.shares > 1:
        raise Refused("Several operators share the writing. Start each on its machine: launch --share N/OF.")


def job_of(out: Path, name: str) -> Job:
    """Return a job of the campaign in a folder."""
    if not name.replace("-", "").isalnum():
        raise InvalidInput("job", f"{name[:40]!r} is no name of a job.")
    folder = private_folder(out) / JOBS
    make_private_folder(folder)
    return Job(folder, name)


def jobs_of(place: Place) -> list[JobState]:
    """Return how all jobs of a campaign stand: those that run, and the last run of each other one."""
    return jobs_in(place.out / PRIVATE / JOBS)


def start_job(job: Job, arguments: Sequence[str], place: Place, deed: Deed, what: str) -> Report:
    """Log the act, and start its process unless it runs. That of a request which is in the log is started once, too."""
    state, request = job.state(), "" if deed.request is None else deed.request.id
    if state is None or state.stands != "running":
        try:
            place.store.audit.keep(deed)
        except AlreadyDone:
            if state is not None and state.request == request:
                raise
        if job.start([sys.executable, "-m", "beat_the_ai.cli", *arguments], deed.who, request):
            return Report(has_changed=True, told=f"{what} has been started. Its log: {job.log.name}.")
    return Report(has_changed=False, told=f"{what} is running already.")
