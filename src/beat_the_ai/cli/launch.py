"""`launch`: a campaign on a crowd that is paid, from the question of its cost to the last HIT."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from beat_the_ai.cli.campaign import MTURK, load_contexts, number_of_hits, running, tariff, worst_case
from beat_the_ai.cli.collect import overrides, page_folder, task_dir
from beat_the_ai.cli.configuration import Settings, read_settings
from beat_the_ai.cli.serving import serve_to_the_end
from beat_the_ai.cli.status import progress_table, standing
from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.mephisto.operator import BeingServed
from beat_the_ai.payments import MTurkCrowd, check_launch
from beat_the_ai.payments.cap import show
from beat_the_ai.payments.crowd import ENDPOINTS
from beat_the_ai.store import Store, now, open_store

STOPPED = "Stopped; `launch --resume` goes on."


@click.command()
@task_dir
@overrides
@click.option("--out", type=click.Path(path_type=Path), default=Path("out/campaign"), show_default=True)
@click.option("--yes", is_flag=True, help="Do not ask whether this may cost what it may cost.")
@click.option("--resume", is_flag=True, help="Go on with the campaign in --out after a crash or a stop.")
@click.option("--stop", is_flag=True, help="Offer nothing any more; whoever has a HIT may finish it.")
def launch(task_dir: Path, overrides: tuple[str, ...], out: Path, yes: bool, resume: bool, stop: bool) -> None:
    """Offer a campaign's HITs on the configured crowd (crowd=mturk), and serve it until they are all submitted.

    Submitted HITs are approved on the way; bonuses are paid with `pay`. Ctrl-C stops serving, and --resume goes on.
    """
    settings = read_settings(task_dir, list(overrides), out=out.resolve())
    if settings.crowd.provider != MTURK:
        given = f"crowd={settings.crowd.provider}"
        raise InvalidInput("crowd", f"{given} pays nobody. Launch with crowd=mturk, or use `serve` or `rehearse`.")
    if resume and stop:
        raise InvalidInput("--resume", "--resume goes on with a campaign and --stop ends it. Choose one of them.")
    page_dir = page_folder(task_dir)
    console = Console()
    store = open_store(settings.store.url)
    try:
        if stop:
            store.campaigns.close(settings.name, now())
        elif resume:
            store.campaigns.get(settings.name)
        else:
            _ask_first(store, settings, console, yes=yes)
    finally:
        store.close()
    try:
        _serve(settings, page_dir, console)
    except BeingServed:
        if not stop:
            raise
        console.print("The campaign is closed. The process that serves it takes its HITs off the market and ends.")
    except KeyboardInterrupt:  # before it was served
        console.print(STOPPED)


def _serve(settings: Settings, page_dir: Path, console: Console) -> None:
    with running(settings, page_dir=page_dir) as campaign:
        console.print(f"Serving at {campaign.url}. Ctrl-C stops; `launch --resume` goes on.", soft_wrap=True)
        ended = serve_to_the_end(campaign, settings.crowd.check_seconds)
        console.print(progress_table(standing(campaign.store, settings.name)))
    console.print(
        f"The campaign has ended. Pay what it owes: beat-the-ai pay {settings.out}" if ended else STOPPED,
        soft_wrap=True,
    )


def _ask_first(store: Store, settings: Settings, console: Console, *, yes: bool) -> None:
    """Show what this may cost. Raises `Refused` unless it may be launched."""
    if settings.name in store.campaigns.ids():
        raise Refused(
            f"{settings.out} holds campaign {settings.name!r} already. Go on with --resume, end it with --stop, or "
            "launch another one with another --out or name."
        )
    contexts = load_contexts(settings)
    worst = worst_case(store, settings, contexts)
    check_launch(worst, settings.pay.cap_cents)
    crowd = MTurkCrowd.connect(settings.crowd.endpoint_url or ENDPOINTS[settings.crowd.provider])
    try:
        balance_cents = crowd.balance_cents()
    finally:
        crowd.close()
    hits, pay = number_of_hits(settings, contexts), tariff(settings)
    table = Table(title=f"Campaign {settings.name}", show_header=False)
    fee_cents = pay.reward_with_fee_cents - pay.terms.reward_cents
    table.add_row("HITs", str(hits))
    table.add_row("rewards", f"{show(hits * pay.terms.reward_cents)} ({show(pay.terms.reward_cents)} a HIT)")
    table.add_row("fees on rewards", show(hits * fee_cents))
    table.add_row("largest bonuses, with fees", show(hits * pay.largest_bonuses_with_fees_cents))
    table.add_row("at most", show(worst.worst_cents), style="bold")
    table.add_row("cap", show(settings.pay.cap_cents))
    table.add_row("balance at the crowd", show(balance_cents))
    console.print(table)
    if balance_cents < hits * pay.reward_with_fee_cents:
        raise Refused("The balance does not cover rewards and fees. Add money, or offer fewer HITs (round.max_hits).")
    if not yes and not click.confirm("Launch?"):
        raise Refused("Nothing was launched.")
