"""`launch`: a campaign on a crowd that is paid, from the question of its cost to the last HIT."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from beat_the_ai.cli.campaign import MTURK, running
from beat_the_ai.cli.configuration import Settings, read_settings
from beat_the_ai.cli.offers import cost_of
from beat_the_ai.cli.serving import serve_to_the_end
from beat_the_ai.cli.status import progress_table, standing
from beat_the_ai.cli.stores import PRIVATE, private_folder
from beat_the_ai.cli.tasks import overrides, page_folder, stage_option, task_dir
from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.mephisto.operator import BeingServed
from beat_the_ai.payments import MTurkCrowd, check_launch
from beat_the_ai.payments.cap import show
from beat_the_ai.payments.crowd import ENDPOINTS
from beat_the_ai.store import Campaign, Store, now, open_store
from beat_the_ai.workforce import Stage
from beat_the_ai.workforce.screening import sample_campaign_id

STOPPED = "Stopped; `launch --resume` goes on."
MAY_CHANGE = {  # of what a campaign was launched with, in its other stages and when it goes on
    "round": {"max_hits"},
    "pay": {"cap_cents"},
    "qualification": {"quiz", "places", "reward_cents", "time_limit_seconds"},
}


@click.command()
@task_dir
@overrides
@click.option("--out", type=click.Path(path_type=Path), default=Path("out/campaign"), show_default=True)
@stage_option
@click.option("--yes", is_flag=True, help="Do not ask whether this may cost what it may cost.")
@click.option("--resume", is_flag=True, help="Go on with the campaign in --out after a crash or a stop.")
@click.option("--stop", is_flag=True, help="Offer nothing any more; whoever has a HIT may finish it.")
def launch(
    task_dir: Path, overrides: tuple[str, ...], out: Path, stage: Stage, yes: bool, resume: bool, stop: bool
) -> None:
    """Offer a campaign's HITs on the configured crowd (crowd=mturk), and serve it until they are all submitted.

    Submitted HITs are approved on the way; bonuses are paid with `pay`. Ctrl-C stops serving, and --resume goes on.
    """
    settings = read_settings(task_dir, list(overrides), out=out.resolve())
    if settings.crowd.provider != MTURK:
        given = f"crowd={settings.crowd.provider}"
        raise InvalidInput("crowd", f"{given} pays nobody. Launch with crowd=mturk, or use `serve` or `rehearse`.")
    if resume and stop:
        raise InvalidInput("--resume", "--resume goes on with a campaign and --stop ends it. Choose one of them.")
    if stop and stage is Stage.VALIDATION:
        raise InvalidInput("--stop", "Validation ends by itself when every question has its votes; Ctrl-C stops it.")
    page_dir = page_folder(task_dir)
    console = Console()
    private_folder(settings.out)
    store = open_store(settings.store.url)
    try:
        if stop:
            closed = sample_campaign_id(settings.name) if stage is Stage.SCREENING else settings.name
            store.campaigns.close(closed, now())
        elif resume:
            _check_terms(store.campaigns.get(settings.name), settings)
        else:
            if settings.name in store.campaigns.ids():  # another stage of it was launched before
                _check_terms(store.campaigns.get(settings.name), settings)
            _ask_first(store, settings, stage, console, yes=yes)
    finally:
        store.close()
    try:
        _serve(settings, stage, page_dir, console)
    except BeingServed:
        if not stop:
            raise
        console.print("The campaign is closed. The process that serves it takes its HITs off the market and ends.")
    except KeyboardInterrupt:  # before it was served
        console.print(STOPPED)


def _serve(settings: Settings, stage: Stage, page_dir: Path, console: Console) -> None:
    with running(settings, page_dir=page_dir, stage=stage) as campaign:
        console.print(f"Serving at {campaign.url}. Ctrl-C stops; `launch --resume` goes on.", soft_wrap=True)
        ended = serve_to_the_end(campaign, settings.crowd.check_seconds)
        console.print(progress_table(standing(campaign.store, settings.name)))
    console.print(
        f"The campaign has ended. Pay what it owes: beat-the-ai pay {settings.out}" if ended else STOPPED,
        soft_wrap=True,
    )


def _check_terms(launched: Campaign, settings: Settings) -> None:
    """Raises `InvalidInput` for other rules, pay or requirements than those that people and marketplace were told."""
    terms = settings.model_dump(mode="json", include={"round", "pay", "qualification"})
    for name, may_change in MAY_CHANGE.items():
        for key, value in terms[name].items():
            if key in may_change:
                continue
            before = launched.config.get(name, {}).get(key, value)
            if before != value:
                raise InvalidInput(
                    f"{name}.{key}",
                    f"This campaign was launched with {name}.{key}={before}; {value} was given. Leave it as it was, or "
                    "launch another campaign.",
                )


def _ask_first(store: Store, settings: Settings, stage: Stage, console: Console, *, yes: bool) -> None:
    """Show what this may cost. Raises `Refused` unless it may be launched."""
    if (settings.out / PRIVATE / "mephisto" / stage.value).exists():
        raise Refused(
            f"The {stage.value} of campaign {settings.name!r} was launched in {settings.out} before. Go on with "
            "--resume, end it with --stop, or launch another campaign with another --out or name."
        )
    cost = cost_of(stage, store, settings)
    check_launch(cost.worst, settings.pay.cap_cents)
    crowd = MTurkCrowd.connect(settings.crowd.endpoint_url or ENDPOINTS[settings.crowd.provider])
    try:
        balance_cents = crowd.balance_cents()
    finally:
        crowd.close()
    table = Table(title=f"Campaign {settings.name}: {stage.value}", show_header=False)
    table.add_row("HITs", str(cost.hits) if stage is not Stage.VALIDATION else f"{cost.hits} at most")
    if cost.again:
        table.add_row("offered again, where nothing beat the AI", f"{cost.again} HITs at most")
    table.add_row("rewards", f"{show(cost.hits * cost.reward_cents)} ({show(cost.reward_cents)} a HIT)")
    table.add_row("fees on rewards", show(cost.hits * cost.fee_cents))
    for term in settings.pay.rules().terms() if stage is Stage.WRITING else ():
        table.add_row("bonus, as workers are told", term.words)
    table.add_row("largest bonuses, with fees", show(cost.hits * cost.largest_bonuses_cents))
    table.add_row("the campaign at most", show(cost.worst.worst_cents), style="bold")
    table.add_row("cap", show(settings.pay.cap_cents))
    table.add_row("balance at the crowd", show(balance_cents))
    console.print(table)
    if balance_cents < cost.rewards_with_fees_cents:
        raise Refused("The balance does not cover rewards and fees. Add money, or offer fewer HITs (round.max_hits).")
    if not yes and not click.confirm("Launch?"):
        raise Refused("Nothing was launched.")
