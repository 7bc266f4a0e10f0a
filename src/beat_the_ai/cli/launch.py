"""`launch`: a campaign on a crowd that is paid, from the question of its cost to the last HIT."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from beat_the_ai.campaign.models.check import kept_checks
from beat_the_ai.campaign.money.cost import cost_of, worst_case
from beat_the_ai.campaign.money.crowd import check_fees
from beat_the_ai.campaign.money.payables import run_name
from beat_the_ai.campaign.results.progress import progress_of
from beat_the_ai.campaign.service.running import running
from beat_the_ai.campaign.service.serving import serve_to_the_end
from beat_the_ai.campaign.settings.changes import changes, closed_stage
from beat_the_ai.campaign.settings.configuration import Settings
from beat_the_ai.campaign.settings.forms import forms_before
from beat_the_ai.campaign.settings.partition import WHOLE, Partition, share_of, shared
from beat_the_ai.campaign.settings.planned_round import PlannedRound, warnings_of_training_texts
from beat_the_ai.campaign.settings.qualification import requirement_set
from beat_the_ai.campaign.settings.resume import check_resumption, settings_of
from beat_the_ai.cli.campaign_arguments import CampaignArguments, campaign_out_option, given_argument
from beat_the_ai.cli.status import progress_table
from beat_the_ai.cli.tasks import page_folder, stage_option
from beat_the_ai.crowds import CROWDS, crowd_of
from beat_the_ai.errors import InvalidInput, Refused, UnknownName
from beat_the_ai.files.permissions import PRIVATE
from beat_the_ai.mephisto.operator import AlreadyServed
from beat_the_ai.payments import check_launch
from beat_the_ai.process.importing import absolute
from beat_the_ai.rules.amounts import show
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import now, open_store
from beat_the_ai.terms.campaign import BoundCampaign, sample_campaign_id
from beat_the_ai.terms.division import PARTS
from beat_the_ai.terms.locate import private_folder
from beat_the_ai.workforce import Standing


@click.command()
@given_argument
@campaign_out_option
@stage_option
@click.option("--yes", is_flag=True, help="Do not ask whether this may cost what it may cost.")
@click.option("--resume", is_flag=True, help="Go on with the campaign in --out after a crash or a stop.")
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
    stop: bool,
    share: Partition | None,
    replace_discarded: bool,
) -> None:
    """Offer a campaign's HITs on the crowd (crowd=own, link, mturk), and serve it until they are all submitted.

    Submitted HITs are approved on the way; bonuses are paid with `pay`. Ctrl-C stops serving, and --resume goes on.
    TASK_DIR begins a campaign; later stages, --resume and --stop need --out alone, since the campaign knows its
    settings. KEY=VALUE offers more then (docs/how-to/change-terms.md has what may change); its cost is asked first.
    """
    settings = shared(given.settings(out.resolve()), share)
    if not settings.crowd.is_marketplace:
        named, paying = f"crowd={settings.crowd.provider}", ", ".join(f"crowd={name}" for name in CROWDS)
        raise InvalidInput("crowd", f"{named} pays nobody. Launch with one of {paying}, or use `serve` or `rehearse`.")
    if resume and stop:
        raise InvalidInput("--resume", "--resume goes on with a campaign and --stop ends it. Choose one of them.")
    if stop and stage is Stage.VALIDATION:
        raise InvalidInput("--stop", "Validation ends by itself when all votes are in; Ctrl-C stops it.")
    if replace_discarded and not (resume and stage is Stage.WRITING):
        raise InvalidInput("--replace-discarded", "Contexts are offered again where the writing goes on: --resume.")
    page_dir = page_folder(settings.task_dir)
    forms_before(settings)  # what is wrong with them is told before anybody agrees to the costs
    mine = share_of(settings, stage, share)
    console = Console()
    private_folder(settings.out)
    click.get_current_context().with_resource(crowd_of(settings.crowd).running(settings.crowd))
    store = open_store(settings.store.url)
    try:
        planned = PlannedRound(store, settings)
        campaign = planned.campaign
        if (resume or stop) and campaign is None:
            raise UnknownName("campaign", settings.name, store.campaigns.ids())
        if (resume or stop) and not _was_launched(planned, stage, WHOLE if stop else mine):
            raise Refused(
                f"The {stage.value} of campaign {settings.name!r} was never launched: there is nothing to resume or to "
                "stop. Launch it without --resume; `launch` shows what it may cost and asks first."
            )
        if campaign is not None:
            check_resumption(campaign, planned, stage, closing=stop)
        if campaign is not None and not stop and stage in planned.closed_stages():
            closed = closed_stage(stage, settings)
            if replace_discarded or not resume:
                raise Refused(closed)
            console.print(closed, soft_wrap=True)
        if stop:
            store.rounds.close(sample_campaign_id(settings.name) if stage is Stage.SCREENING else settings.name, now())
        else:
            again = _to_replace(planned, mine) if replace_discarded else []
            if campaign is not None:
                _ask_for_more(campaign, planned, again, console, yes=yes)
            if not resume:
                _ask_first(planned, stage, mine, console, yes=yes)
            if again:  # unless somebody was reinstated while it was asked
                again = [each for each in _to_replace(planned, mine) if each in again]
                store.campaigns.offer_again(settings.name, again, brief=planned.prompt)
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
        if not _was_launched(PlannedRound(store, settings), stage, share):
            return "Stopped before anything was offered."
    command = ["beat-the-ai", "launch", "--resume", "--out", str(settings.out)]
    command += [] if stage is Stage.WRITING else ["--stage", stage.value]
    command += [] if share.is_whole else ["--share", str(share)]
    return f"Stopped; this goes on: {shlex.join(command)}"


def _serve(settings: Settings, stage: Stage, share: Partition, page_dir: Path, console: Console) -> None:
    with running(settings, page_dir=page_dir, stage=stage, share=share) as served:
        console.print(f"Serving at {served.url}. Ctrl-C stops; `launch --resume` goes on.", soft_wrap=True)
        if served.entrance is not None:
            console.print(f"Send people to {served.entrance}", soft_wrap=True, markup=False)
        ended = serve_to_the_end(served, settings.crowd.check_seconds)
        console.print(progress_table(progress_of(BoundCampaign.open(served.store, settings.name))))
    pay = f"The {stage.value} has ended. Pay what it owes: beat-the-ai pay {shlex.quote(str(settings.out))}"
    console.print(pay if ended else _stopped(settings, stage, share), soft_wrap=True)


def _to_replace(planned: PlannedRound, mine: Partition) -> list[str]:
    """Return the discarded contexts of this operator's share."""
    return [context_id for context_id in planned.discarded_contexts() if mine.has(context_id)]


def _ask_for_more(
    campaign: BoundCampaign, planned: PlannedRound, again: Sequence[str], console: Console, *, yes: bool
) -> None:
    """Show what a campaign that goes on may cost more than it might before; `again` are contexts with one more HIT.

    Raises `Refused` unless it may, and beyond the cap.
    """
    settings = planned.settings
    before = settings_of(campaign, settings.out, number=planned.number, given=settings)
    known, worst = worst_case(PlannedRound(planned.store, before)), worst_case(planned, again)
    words = settings.kind.words
    check_launch(worst, settings.pay.cap_cents)
    more_cents = worst.worst_cents - known.worst_cents
    raised_cents = settings.pay.cap_cents - before.pay.cap_cents
    if more_cents <= 0 and raised_cents <= 0:
        return
    table = Table(title=f"Campaign {settings.name}, with more than before", show_header=False)
    for change in changes(before, settings):
        table.add_row(change.key, f"{change.given}, {change.before} before")
    if again:
        table.add_row(f"{words.contexts} of discarded work, offered again", str(len(again)))
    table.add_row("this may cost more", show(max(0, more_cents)))
    table.add_row("the campaign at most", f"{show(worst.worst_cents)}, {show(known.worst_cents)} before", style="bold")
    table.add_row("cap", show(settings.pay.cap_cents))
    console.print(table)
    if not yes and not click.confirm("Go on?"):
        raise Refused("Nothing was changed.")


def _ask_first(planned: PlannedRound, stage: Stage, share: Partition, console: Console, *, yes: bool) -> None:
    """Show what this may cost. Raises `Refused` unless it may be launched."""
    settings = planned.settings
    if _was_launched(planned, stage, share):
        raise Refused(
            f"The {stage.value} of campaign {settings.name!r} was launched in {settings.out} before. Go on with "
            "--resume, end it with --stop, or launch another campaign with another --out."
        )
    words = settings.kind.words
    cost = cost_of(stage, planned, share)
    parts = planned.part_sizes()
    unchecked = [part for part in PARTS if parts[part] and part not in settings.validation.parts]
    stays = not settings.dataset.division(settings.seed).may_move
    if stage is Stage.VALIDATION and len(unchecked) == len(parts) and stays:
        raise Refused(
            f"Nobody would be asked anything: all {words.contexts} of this round are in {_in_parts(parts)}, and of "
            f"these validation.parts={list(settings.validation.parts)} names none. Nothing was launched."
        )
    check_launch(cost.worst, settings.pay.cap_cents)
    with closing(crowd_of(settings.crowd).connect(settings.crowd)) as requester:
        check_fees(requester, settings.pay.fees)
        balance_cents = requester.balance_cents()
    part = "" if share.is_whole else f", {share}"
    table = Table(title=f"Campaign {settings.name}: {stage.value}{part}", show_header=False)
    table.add_row("HITs", str(cost.hits) if stage is not Stage.VALIDATION else f"{cost.hits} at most")
    if cost.again:
        table.add_row("offered again, where nothing beat the AI", f"{cost.again} HITs at most")
    table.add_row("rewards", f"{show(cost.hits * cost.reward_cents)} ({show(cost.reward_cents)} a HIT)")
    table.add_row("fees on rewards", show(cost.hits * cost.fee_cents))
    if stage is Stage.WRITING:
        nobody = f"; nobody checks {words.works} of {', '.join(unchecked)} (validation.parts)" if unchecked else ""
        table.add_row(f"{words.contexts} by part", f"{_in_parts(parts)}{nobody}")
    models = _models(settings) if stage is not Stage.VALIDATION else []
    checks = kept_checks(settings.out)
    for model in models:
        beaten = checks[model].free_wins if model in checks else "not known"
        table.add_row(f"ordinary {words.works} that beat {model}", beaten)
    for term in settings.pay.rules().terms() if stage is Stage.WRITING else ():
        table.add_row("bonus, as workers are told", term.words)
    table.add_row("largest bonuses, with fees", show(cost.hits * cost.largest_bonuses_cents))
    if cost.worst.models_cents:
        table.add_row("language models, spent and set aside for tries", show(cost.worst.models_cents))
    table.add_row("the campaign at most", show(cost.worst.worst_cents), style="bold")
    table.add_row("cap", show(settings.pay.cap_cents))
    table.add_row("balance at the crowd", show(balance_cents))
    if stage is Stage.WRITING and (later := cost_of(Stage.VALIDATION, planned).rewards_with_fees_cents):
        table.add_row("validation, launched later", f"{show(later)} more at most")
    console.print(table)
    if stage is Stage.WRITING and not _may_anybody_come(planned):
        console.print(
            "Nobody has the qualification that these HITs ask for, so nobody will see them. Launch the screening first "
            "(--stage screening), or let somebody in: beat-the-ai review grant.",
            soft_wrap=True,
        )
    left_cents = settings.pay.cap_cents - cost.worst.committed_cents
    if left_cents > balance_cents:
        console.print(
            f"The cap leaves {show(left_cents)} to spend, more than the account has. Payments beyond its balance wait "
            "until you deposit money there; or lower the cap (pay.cap_cents).",
            soft_wrap=True,
        )
    for model in models:
        if model not in checks:
            console.print(f"{model} was never checked: {_check_command(settings, model)}", soft_wrap=True)
    for warning in warnings_of_training_texts(settings) if stage is Stage.WRITING else ():
        console.print(warning, soft_wrap=True)
    if balance_cents < cost.rewards_with_fees_cents:
        raise Refused("The balance does not cover rewards and fees. Add money, or offer fewer HITs (round.max_hits).")
    if not yes and not click.confirm("Launch?"):
        raise Refused("Nothing was launched.")


def _may_anybody_come(planned: PlannedRound) -> bool:
    """Return whether somebody has the campaign's own qualification, or it is not asked for."""
    if not requirement_set(planned.settings).asks_for_own:
        return True
    standings = planned.store.standings.current(planned.settings.name).values()
    return any(each.standing == Standing.QUALIFIED for each in standings)


def _was_launched(planned: PlannedRound, stage: Stage, share: Partition) -> bool:
    """Return whether this share was launched. Its folder tells, where others have launched their shares."""
    settings = planned.settings
    if not share.is_whole:
        run = run_name(stage, settings.round.number)
        return (settings.out / PRIVATE / "mephisto" / share.folder(run)).exists()
    return stage in planned.begun_stages()


def _models(settings: Settings) -> list[str]:
    """The pool, as `adversary check` names its members."""
    servers = settings.adversary.servers.items()
    return [*settings.members, *(f"{server.address.rstrip('/')}#{name}" for name, server in servers)]


def _check_command(settings: Settings, model: str) -> str:
    kind = absolute(settings.task.kind, settings.task_dir)
    return f"beat-the-ai adversary check {shlex.join([model, '--task', kind, '--out', str(settings.out)])}"


def _in_parts(parts: Counter[str]) -> str:
    return ", ".join(f"{part} {parts[part]}" for part in PARTS if parts[part])
