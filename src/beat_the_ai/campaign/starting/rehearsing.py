"""Everything before a campaign begins: a check of its model, its rehearsal, and its forecast from that."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import ExitStack

from beat_the_ai.campaign.acts.act import Actor
from beat_the_ai.campaign.forecasts.pilots import joined
from beat_the_ai.campaign.forecasts.plans import plan_of_settings
from beat_the_ai.campaign.starting.drafts import JOBS, Draft
from beat_the_ai.campaign.starting.ground import Ground
from beat_the_ai.campaign.starting.planning import Plan, contexts_of
from beat_the_ai.campaign.starting.values import Values, amount_cents, minutes_of
from beat_the_ai.errors import InvalidInput, Refused, UnknownName
from beat_the_ai.files.permissions import make_private_folder
from beat_the_ai.forecast.forecasting import Wishes, forecast
from beat_the_ai.forecast.keeping import KEPT_FORECAST
from beat_the_ai.process.importing import absolute
from beat_the_ai.process.job import Job, JobState, jobs_in
from beat_the_ai.store import AuditLog, now
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.locate import campaign_store, main_campaigns, store_file
from beat_the_ai.terms.model_prices import prices_of

WRITERS = 6
REHEARSAL, CHECK = "rehearsal", "check"
STOPPED = "stop_job"  # in the log
# A rehearsal has a marketplace, a size and a name of its own, and simulated people do the same for any reward.
NOT_REHEARSED = ("name", "crowd", "hits", "reward", "cap", "workspace", "minutes", "person", "finish_url", "done")
NO_TIMES = "Simulated people take no real time: say how long a HIT takes, or forecast from a pilot."
CHARGES = "A model of this campaign charges for its answers, in a rehearsal too. Rehearse it on the command line."
GOES_ON = "The rehearsal goes on. Wait until it has ended."
CUT_OFF = "The last rehearsal did not come to its end. Rehearse the campaign again, or choose a pilot to forecast from."
NO_SOURCE = "Rehearse the campaign first, or choose a pilot to forecast from."


def start_job(ground: Ground, draft: Draft, plan: Plan, actor: Actor, name: str) -> bool:
    """Rehearse a draft, or check its model, in a process that outlives this one. Return False where that runs already.

    Raises `Refused` while the draft has faults, and for a rehearsal that costs money, to which nobody has agreed.
    """
    if name == REHEARSAL and prices_of(plan.checked().members):
        raise Refused(CHARGES)
    command = commands(ground, draft, plan, actor)
    if name not in command:
        raise UnknownName("job", name, command)
    folder = ground.drafts.place(draft.id) / JOBS
    make_private_folder(folder)
    return Job(folder, name).start(command[name], actor.name)


def stop_job(ground: Ground, draft_id: str, name: str, began_at: str, actor: Actor, log: AuditLog) -> None:
    """End the run of a job that began then, with all of its processes, unless it has ended. The log has it once.

    Raises `Refused` if a process does not end.
    """
    with ground.drafts.locked(draft_id) as draft:  # one at a time, whichever console is asked
        job = Job(ground.drafts.place(draft_id) / JOBS, name)
        if not job.runs_since(began_at):
            return
        deed = actor.deed(STOPPED, draft_id, f"the {name} of the draft {draft.name!r}, begun at {began_at}")
        known = log.entries(actions=[STOPPED])  # a console was killed after it had kept it
        if not any((each.subject, each.note) == (deed.subject, deed.note) for each in known):
            log.keep(deed)
        job.stop(began_at, actor.name)


def commands(ground: Ground, draft: Draft, plan: Plan, actor: Actor) -> dict[str, list[str]]:
    """Return the commands of all jobs by name. Raises `Refused` for a draft with faults."""
    settings, place = plan.checked(), ground.drafts.place(draft.id)
    values = Values(ground, draft.choices, actor, contexts_of(ground, draft))
    overrides = values.overrides(without=NOT_REHEARSED)
    if settings.crowd.provider == "prolific":
        overrides.append("crowd=prolific")
    task = str(ground.task(draft.choices.task).resolve())
    rehearse = ["rehearse", task, *overrides, "--workers", str(WRITERS), "--out", str(place / REHEARSAL)]
    kind = absolute(settings.task.kind, settings.task_dir)
    of_jobs = {REHEARSAL: rehearse}
    if len(settings.members) == 1:
        of_jobs[CHECK] = ["adversary", "check", settings.members[0], "--task", kind, "--out", str(place)]
    return {name: [sys.executable, "-m", "beat_the_ai.cli", *arguments] for name, arguments in of_jobs.items()}


def jobs_of_draft(ground: Ground, draft: Draft) -> list[JobState]:
    """Return the last run of each job."""
    return jobs_in(ground.drafts.place(draft.id) / JOBS)


def forecast_draft(ground: Ground, draft: Draft, plan: Plan, pilot: BoundCampaign | None) -> None:
    """Forecast a draft from a pilot, or from its rehearsal, and keep that with the draft.

    With an hourly pay it says which reward comes to that. Raises `InvalidInput` and `Refused` where it cannot be made.
    """
    settings, choices = plan.checked(), draft.choices
    minutes = minutes_of(choices.minutes) if choices.minutes.strip() else None
    hourly_cents = amount_cents("hourly", choices.hourly) if choices.hourly.strip() else None
    with ExitStack() as opened:
        campaigns = [pilot] if pilot is not None else _rehearsed(ground, draft, opened)
        found, sources = joined(campaigns, settings)
    if settings.crowd.prolific is not None and not found.simulated:
        minutes = None  # what participants are told is not what they took
    if hourly_cents is not None and found.simulated and minutes is None:
        raise InvalidInput("minutes", NO_TIMES)
    wishes = Wishes(minutes=minutes, hourly_cents=hourly_cents)
    made = forecast(found, plan_of_settings(settings), now(), sources, wishes)
    KEPT_FORECAST.write(ground.drafts.place(draft.id), made)


def _rehearsed(ground: Ground, draft: Draft, opened: ExitStack) -> Sequence[BoundCampaign]:
    """Return the campaign of the last rehearsal. Raises `Refused` unless it has come to its end."""
    stands = {each.name: each.stands for each in jobs_of_draft(ground, draft)}.get(REHEARSAL, "done")
    if stands != "done":
        raise Refused(GOES_ON if stands == "running" else CUT_OFF)
    folder = ground.drafts.place(draft.id) / REHEARSAL
    if store_file(folder) is None:
        raise Refused(NO_SOURCE)
    return main_campaigns(opened.enter_context(campaign_store(str(folder))))
