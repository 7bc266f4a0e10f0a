"""`launch`: a campaign on a crowd that is paid, from the question of its cost to the last HIT."""

from __future__ import annotations

import shlex
from contextlib import closing
from pathlib import Path

import click
from rich.console import Console

from beat_the_ai.campaign.acts.act import Estimate, Place
from beat_the_ai.campaign.acts.closing import VALIDATION_ENDS, CloseStage, never_launched
from beat_the_ai.campaign.acts.pausing import paused
from beat_the_ai.campaign.acts.stage_costs import stage_deed, stage_estimate, was_launched
from beat_the_ai.campaign.acts.terms import ChangeTerms, PlannedChange, change
from beat_the_ai.campaign.results.progress import progress_of
from beat_the_ai.campaign.service.running import running, served_folder
from beat_the_ai.campaign.service.serving import serve_to_the_end
from beat_the_ai.campaign.settings.changes import closed_stage
from beat_the_ai.campaign.settings.configuration import Settings
from beat_the_ai.campaign.settings.forms import campaign_forms
from beat_the_ai.campaign.settings.pages import page_folder
from beat_the_ai.campaign.settings.partition import WHOLE, Partition, share_of, shared
from beat_the_ai.campaign.settings.planned_round import PlannedRound
from beat_the_ai.campaign.settings.resume import check_resumption
from beat_the_ai.cli.acts import operator
from beat_the_ai.cli.campaign_arguments import CampaignArguments, campaign_out_option, given_argument
from beat_the_ai.cli.estimates import estimate_table
from beat_the_ai.cli.presets import differences_table
from beat_the_ai.cli.status import progress_table
from beat_the_ai.cli.tasks import stage_option
from beat_the_ai.crowds import CROWDS, crowd_of
from beat_the_ai.errors import InvalidInput, Refused, UnknownName
from beat_the_ai.mephisto.operator import AlreadyServed, check_not_served
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import open_store
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.locate import private_folder
from beat_the_ai.terms.preset import departures


@click.command()
@given_argument
@campaign_out_option
@stage_option
@click.option("--yes", is_flag=True, help="Do not ask whether this may cost what it may cost.")
@click.option("--resume", is_flag=True, help="Go on with the campaign in --out after a crash or a stop.")
@click.option("--or-resume", is_flag=True, help="Go on with a campaign that was launched before, as services do.")
@click.option("--stop", is_flag=True, help="Offer nothing any more; whoever has a HIT may finish it.")
@click.option(
    "--share",
    metavar="N/OF",
    callback=lambda _context, _parameter, value: None if value is None else Partition.read(value),
    help="Serve the N-th of so many parts of the writing; other operators serve the others (store=postgresql).",
)
@click.option(
    "--replace-discarded", is_flag=True, help="With --resume: contexts whose work was all discarded are offered again."
)
def launch(
    given: CampaignArguments,
    out: Path,
    stage: Stage,
    yes: bool,
    resume: bool,
    or_resume: bool,
    stop: bool,
    share: Partition | None,
    replace_discarded: bool,
) -> None:
    """Offer a campaign's HITs on the crowd (crowd=own, link, mturk), and serve it until they are all submitted.

    Submitted HITs are approved on the way; bonuses are paid with `pay`. Ctrl-C stops serving, and --resume goes on.
    TASK_DIR, or a file with `task_dir:` and settings as KEY: VALUE, begins a campaign; later stages, --resume and
    --stop need --out alone, since the campaign knows its settings. KEY=VALUE offers more then
    (docs/how-to/change-terms.md has what may change); its cost is asked first.
    """
    settings = shared(given.settings(out.resolve()), share)
    if not settings.crowd.is_marketplace:
        named, paying = f"crowd={settings.crowd.provider}", ", ".join(f"crowd={name}" for name in CROWDS)
        raise InvalidInput("crowd", f"{named} pays nobody. Launch with one of {paying}, or use `serve` or `rehearse`.")
    if (resume or or_resume) and stop:
        raise InvalidInput("--resume", "--resume goes on with a campaign and --stop ends it. Choose one of them.")
    if stop and stage is Stage.VALIDATION:
        raise InvalidInput("--stop", VALIDATION_ENDS)
    if replace_discarded and not (resume and stage is Stage.WRITING):
        raise InvalidInput("--replace-discarded", "Contexts are offered again where the writing goes on: --resume.")
    page_dir = page_folder(settings.task_dir)
    campaign_forms(settings)  # what is wrong with them is told before anybody agrees to the costs
    mine = share_of(settings, stage, share)
    console = Console()
    private_folder(settings.out)
    click.get_current_context().with_resource(crowd_of(settings.crowd).running(settings.crowd))
    store = open_store(settings.store.url)
    try:
        planned = PlannedRound(store, settings)
        campaign = planned.campaign
        resume = resume or (or_resume and was_launched(planned, stage, mine))
        if (resume or stop) and campaign is None:
            raise UnknownName("campaign", settings.name, store.campaigns.ids())
        if (resume or stop) and not was_launched(planned, stage, WHOLE if stop else mine):
            raise Refused(never_launched(stage, settings.name))
        if campaign is not None:
            check_resumption(campaign, planned, stage, closing=stop)
            if told := paused(campaign.record):
                console.print(f"{told} `beat-the-ai continue {out}` ends that.", soft_wrap=True, markup=False)
        if campaign is not None and not stop and stage in planned.closed_stages():
            closed = closed_stage(stage, settings)
            if replace_discarded or not resume:
                raise Refused(closed)
            console.print(closed, soft_wrap=True)
        if stop:
            CloseStage(stage=stage).do(Place(store, settings.name, settings.out), operator())
        else:
            again = _to_replace(planned, mine) if replace_discarded else []

            def plan() -> PlannedChange:
                """Read everything anew: others may change the campaign, or reinstate workers."""
                mark = store.acts.mark(settings.name, settings.round.number)
                read = PlannedRound(store, shared(given.settings(out.resolve()), share))
                left = [each for each in _to_replace(read, mine) if each in again] if again else []
                return PlannedChange.of(read, mark, left, stage)

            agreed = None if campaign is None else _ask_for_more(plan(), console, yes=yes)
            if not resume:
                estimate = _ask_first(planned, stage, mine, console, yes=yes)
                store.audit.keep(stage_deed(operator(), settings.name, stage, estimate))
            if agreed is not None:
                check_not_served(served_folder(settings, stage, mine))
                done = change(plan, operator(), ChangeTerms.action, agreed.worst_cents)
                settings = settings if done is None else done[0].planned.settings
    finally:
        store.close()
    try:
        _serve(settings, stage, mine, page_dir, console)
    except AlreadyServed:
        if not stop:
            raise
        console.print("The campaign is closed. The process that serves it takes its HITs off the market and ends.")
    except KeyboardInterrupt:
        console.print(_stopped(settings, stage, mine), soft_wrap=True)


def _stopped(settings: Settings, stage: Stage, share: Partition) -> str:
    with closing(open_store(settings.store.url)) as store:
        if not was_launched(PlannedRound(store, settings), stage, share):
            return "Stopped before anything was offered."
    command = ["beat-the-ai", "launch", "--resume", "--out", str(settings.out)]
    command += [] if stage is Stage.WRITING else ["--stage", stage.value]
    command += [] if share.is_whole else ["--share", str(share)]
    return f"Stopped; this goes on: {shlex.join(command)}"


def _serve(settings: Settings, stage: Stage, share: Partition, page_dir: Path, console: Console) -> None:
    with running(settings, page_dir=page_dir, stage=stage, share=share) as served:
        if served.entrance is not None:
            console.print(f"Send people to {served.entrance}", soft_wrap=True, markup=False)
        console.print(f"Serving at {served.url}. Ctrl-C stops; `launch --resume` goes on.", soft_wrap=True)
        ended = serve_to_the_end(served, settings.crowd.check_seconds)
        console.print(progress_table(progress_of(BoundCampaign.open(served.store, settings.name))))
    pay = f"The {stage.value} has ended. Pay what it owes: beat-the-ai pay {shlex.quote(str(settings.out))}"
    console.print(pay if ended else _stopped(settings, stage, share), soft_wrap=True)


def _to_replace(planned: PlannedRound, mine: Partition) -> list[str]:
    """Return the discarded contexts of this operator's share."""
    return [context_id for context_id in planned.discarded_contexts() if mine.has(context_id)]


def _ask_for_more(planned: PlannedChange, console: Console, *, yes: bool) -> Estimate:
    """Show what a campaign may cost more than before. Raises `Refused` beyond the cap and without consent."""
    estimate = planned.estimate()
    if estimate.needs_consent:
        console.print(estimate_table(estimate))
        if not yes and not click.confirm("Go on?"):
            raise Refused("Nothing was changed.")
    return estimate


def _ask_first(planned: PlannedRound, stage: Stage, share: Partition, console: Console, *, yes: bool) -> Estimate:
    """Show what this may cost. Raises `Refused` unless it may be launched."""
    estimate = stage_estimate(planned, stage, share)
    console.print(estimate_table(estimate))
    if (preset := planned.settings.preset) is not None:
        chosen = departures(preset, planned.settings.model_dump(mode="json"))
        console.print(f"preset={preset.name}: {preset.paper}", soft_wrap=True, markup=False)
        console.print(differences_table(preset, chosen))
    for note in estimate.notes:
        console.print(note, soft_wrap=True)
    if estimate.refusal is not None:
        raise Refused(estimate.refusal)
    if not yes and not click.confirm("Launch?"):
        raise Refused("Nothing was launched.")
    return estimate
