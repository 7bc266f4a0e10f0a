"""`rehearse` and `serve`: a campaign with simulated workers, and the same for people."""

from __future__ import annotations

import asyncio
import random
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from beat_the_ai.cli.accounts import account
from beat_the_ai.cli.campaign import Running, running
from beat_the_ai.cli.configuration import Settings, read_settings, suite_root
from beat_the_ai.cli.rehearsal import Child, MarketplaceProcess, OperatorProcess, RehearsalFailed, heavy_faults
from beat_the_ai.cli.report import campaign_subject, write_report
from beat_the_ai.cli.sections import division_of
from beat_the_ai.cli.status import progress_table, standing
from beat_the_ai.dataset.card import CARD_FILE
from beat_the_ai.dataset.export import export_campaign
from beat_the_ai.dataset.format import FORMATS
from beat_the_ai.dataset.squad_files import SQUAD_FILE
from beat_the_ai.errors import InvalidInput, PaymentError, Refused
from beat_the_ai.rules import task_kind
from beat_the_ai.simulation.marketplace import enrol, portal_workplaces
from beat_the_ai.simulation.writers import Crowd, work
from beat_the_ai.store import Campaign, Store, open_store

REHEARSAL = "rehearsal"
REPORT_FILE = "report.html"
HITS_PER_WRITER = 4
CHECK_SECONDS = 2
WATCH_SECONDS = 0.5

task_dir = click.argument("task_dir", type=click.Path(exists=True, file_okay=False, path_type=Path))
overrides = click.argument("overrides", nargs=-1, metavar="[KEY=VALUE]...")


@click.command()
@task_dir
@overrides
@click.option("--workers", type=click.IntRange(1, 1000), default=12, show_default=True, help="Simulated writers.")
@click.option("--seed", type=int, default=1, show_default=True, help="Decides draws of contexts, models, questions.")
@click.option("--out", type=click.Path(path_type=Path), default=Path("out/rehearsal"), show_default=True)
@click.option(
    "--faults",
    type=click.Choice(("none", "heavy")),
    default="none",
    show_default=True,
    help="heavy: throttling, lost replies, failing services, and one kill of each process.",
)
def rehearse(task_dir: Path, overrides: tuple[str, ...], workers: int, seed: int, out: Path, faults: str) -> None:
    """Run a whole campaign with simulated workers on a marketplace of its own, and export it to --out.

    The workers use the marketplace's portal and the page's own protocol, and ask the questions that stand with the
    contexts. Unless round.max_hits says otherwise, there are four HITs for each worker. An earlier rehearsal in --out
    is replaced.
    """
    given = {"seed": seed, "out": out.resolve(), "name": REHEARSAL}
    chosen = ["crowd=mturk", f"crowd.check_seconds={CHECK_SECONDS}", *_with_hits(overrides, workers)]
    settings = read_settings(task_dir, chosen, **given)
    _make_room(out)
    console = Console()
    with MarketplaceProcess(out / "marketplace.db", settings.pay.cap_cents) as market:
        settings = settings.at_marketplace(market.address)
        with OperatorProcess(settings, f"{REHEARSAL}-{seed}", market.keys) as operator, _opened(settings) as store:
            if faults == "heavy":
                market.switch_faults(heavy_faults(seed))
            plot = asyncio.run(_work(Rehearsal(settings, market, operator, store), workers, faults, console))
            _end(operator)
            market.switch_faults({"rules": []})
            _pay(store, market.keys)
        with _opened(settings) as store:
            campaign = store.campaigns.get(REHEARSAL)
            _export(store, campaign, out)
            console.print(progress_table(standing(store, REHEARSAL)))
    for kill in plot:
        console.print(kill)
    if plot:
        console.print(f"What the processes complained about: {operator.log}", soft_wrap=True)
    for name in (SQUAD_FILE, CARD_FILE, REPORT_FILE):
        console.print(f"[bold]{out / name}[/bold]", soft_wrap=True)


def _export(store: Store, campaign: Campaign, out: Path) -> None:
    """The dataset in every format, and the report."""
    export_campaign(store, campaign, out, FORMATS, division_of(campaign))
    write_report(campaign_subject(store, campaign), out / REPORT_FILE)


@dataclass(frozen=True)
class Rehearsal:
    """What takes part in a rehearsal, beside the workers."""

    settings: Settings
    market: MarketplaceProcess
    operator: OperatorProcess
    store: Store

    def submitted(self) -> int:
        return len(self.store.attempts.submitted_hits(REHEARSAL))

    @property
    def hits(self) -> int:
        return self.settings.round.max_hits or len(self.store.campaigns.hit_ids(REHEARSAL))


@contextmanager
def _opened(settings: Settings) -> Iterator[Store]:
    store = open_store(settings.store.url)
    try:
        yield store
    finally:
        store.close()


def _end(operator: OperatorProcess) -> None:
    if operator.wait() != 0:
        raise RehearsalFailed(f"The operator ended with an error; see {operator.log}.")


def _pay(store: Store, keys: Mapping[str, str]) -> None:
    """Everything that is owed, bonuses included."""
    cashier = account(store, REHEARSAL)
    stopped = cashier.pay(cashier.owed, **keys)
    if stopped is not None:
        raise PaymentError(f"Not everything could be paid: {stopped}")


def _with_hits(overrides: tuple[str, ...], workers: int) -> list[str]:
    chosen = any(override.lstrip("+").startswith("round.max_hits=") for override in overrides)
    return [*overrides] if chosen else [f"round.max_hits={workers * HITS_PER_WRITER}", *overrides]


def _make_room(out: Path) -> None:
    """Remove an earlier rehearsal; anything else in the folder is left alone and refused."""
    mark = out / f".{REHEARSAL}"
    if mark.exists():
        shutil.rmtree(out)
    elif out.exists() and any(out.iterdir()):
        raise InvalidInput("--out", f"{out} holds something that is no rehearsal. Choose another folder.")
    out.mkdir(parents=True, exist_ok=True)
    mark.touch()


async def _work(rehearsal: Rehearsal, workers: int, faults: str, console: Console) -> list[str]:
    """Returns what was killed on the way, and when."""
    market, settings = rehearsal.market, rehearsal.settings
    accounts = enrol(market.address, market.control_token, [f"AWRITER{number:03}" for number in range(workers)])
    contexts = task_kind(settings.task.kind, **settings.task.options).load_contexts(settings.contexts)
    crowd = Crowd.of(contexts, writers=workers, seed=settings.seed)
    columns = (
        TextColumn("writing"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("HITs, {task.fields[attempts]} questions, {task.fields[wins]} beat the AI"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console) as progress:
        bar = progress.add_task("writing", total=rehearsal.hits, attempts=0, wins=0)
        judged: dict[str, bool] = {}

        def on_attempt(attempt: Mapping[str, Any]) -> None:
            if "attempt_id" in attempt:  # one that is made again after a failure is the same
                judged[attempt["attempt_id"]] = attempt["fooled"]
            progress.update(bar, attempts=len(judged), wins=sum(judged.values()))

        def on_hit() -> None:
            progress.update(bar, completed=rehearsal.submitted())

        workplaces = portal_workplaces(market.address, accounts)
        writing = work(crowd, workplaces, on_attempt, on_hit, lambda: rehearsal.submitted() >= rehearsal.hits)
        everything = asyncio.gather(writing, _kill_each(rehearsal) if faults == "heavy" else _kill_nobody())
        watching = asyncio.create_task(_watch(market, rehearsal.operator))
        either: set[asyncio.Future[Any]] = {everything, watching}
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if not everything.done():
            everything.cancel()
            await watching
        watching.cancel()
        return (await everything)[1]


async def _watch(*children: Child) -> None:
    """Raises `RehearsalFailed` when one of them fails: the workers would wait for it for ever."""
    while True:
        for child in children:
            if child.has_failed():
                raise RehearsalFailed(f"The {child.name} ended with an error; see {child.log}.")
        await asyncio.sleep(WATCH_SECONDS)


async def _kill_nobody() -> list[str]:
    return []


async def _kill_each(rehearsal: Rehearsal) -> list[str]:
    """Kill every process once, in the order and at the moments (in HITs submitted) that the seed draws."""
    chance = random.Random(f"{rehearsal.settings.seed}/kills")  # noqa: S311  # a simulation, not a secret
    kills: list[tuple[str, Callable[[], None]]] = [
        ("operator", rehearsal.operator.kill_and_start),
        ("router", rehearsal.operator.kill_router),
        ("model server", rehearsal.operator.kill_model_server),
        ("marketplace", rehearsal.market.kill_and_start),
    ]
    chance.shuffle(kills)
    moments = sorted(chance.sample(range(rehearsal.hits), min(len(kills), rehearsal.hits)))
    plot = []
    for moment, (name, kill) in zip(moments, kills, strict=False):
        while rehearsal.submitted() < moment:
            await asyncio.sleep(0.05)
        await asyncio.to_thread(kill)
        plot.append(f"killed after {moment} HITs: the {name}")
    return plot


@click.command()
@task_dir
@overrides
@click.option("--out", type=click.Path(path_type=Path), default=Path("out/play"), show_default=True)
def serve(task_dir: Path, overrides: tuple[str, ...], out: Path) -> None:
    """Serve a campaign to people until stopped; started again with the same --out, it goes on where it was."""
    settings = read_settings(task_dir, list(overrides), out=out.resolve())
    page_dir = page_folder(task_dir)
    console = Console()
    with running(settings, page_dir=page_dir) as campaign:
        console.print(_invitation(settings, campaign))
        campaign.operator.wait(campaign.all_submitted)
        _export(campaign.store, campaign.campaign, out)
        console.print(progress_table(standing(campaign.store, settings.name)))
        if campaign.all_submitted():
            campaign.operator.finish()
        console.print(f"Exported to {out}; {out / REPORT_FILE} shows what is in it.", soft_wrap=True)


def page_folder(task_dir: Path) -> Path:
    """The built page. Raises `Refused` when it is not there."""
    folder = suite_root(task_dir) / "webapp" / "dist"
    if not (folder / "bundle.js").is_file():
        raise Refused("The workers' page is not built yet. Run: make webapp")
    return folder


def _invitation(settings: Settings, campaign: Running) -> str:
    page = f"{campaign.url}/?worker_id=me&assignment_id=1"
    return (
        f"\n[bold]{settings.task.title}[/bold]\n{len(campaign.hits)} HITs are open. Write one here:\n\n"
        f"    [link={page}]{page}[/link]\n\n"
        "Another worker_id is another worker, another assignment_id the next HIT. Ctrl-C stops and exports; the same\n"
        "command goes on where it was.\n"
    )
