"""`rehearse` and `serve`: a campaign with simulated workers, and the same for people."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from beat_the_ai.analysis.intervals import wilson
from beat_the_ai.cli.campaign import Running, running
from beat_the_ai.cli.configuration import Settings, read_settings, suite_root
from beat_the_ai.dataset.export import ATTEMPTS_FILE, SQUAD_FILE, export_campaign
from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.simulation.workplaces import mock_workplaces
from beat_the_ai.simulation.writers import Crowd, work
from beat_the_ai.store import Campaign, Store

REHEARSAL = "rehearsal"
HITS_PER_WRITER = 4

task_dir = click.argument("task_dir", type=click.Path(exists=True, file_okay=False, path_type=Path))
overrides = click.argument("overrides", nargs=-1, metavar="[KEY=VALUE]...")


@click.command()
@task_dir
@overrides
@click.option("--workers", type=click.IntRange(1, 1000), default=12, show_default=True, help="Simulated writers.")
@click.option("--seed", type=int, default=1, show_default=True, help="Decides draws of contexts, models, questions.")
@click.option("--out", type=click.Path(path_type=Path), default=Path("out/rehearsal"), show_default=True)
def rehearse(task_dir: Path, overrides: tuple[str, ...], workers: int, seed: int, out: Path) -> None:
    """Run a whole campaign with simulated workers and export it to --out.

    They speak the page's own protocol and ask the questions that stand with the contexts. Unless round.max_hits says
    otherwise, there are four HITs for each worker. An earlier rehearsal in --out is replaced.
    """
    given = {"seed": seed, "out": out.resolve(), "name": REHEARSAL}
    settings = read_settings(task_dir, _with_hits(overrides, workers), **given)
    _make_room(out)
    console = Console()
    with running(settings, page_dir=None, pseudonym_key=f"{REHEARSAL}-{seed}") as campaign:
        asyncio.run(_work(campaign, Crowd.of(campaign.contexts, writers=workers, seed=seed), console))
        campaign.operator.wait(campaign.all_submitted)
        campaign.operator.finish()
        written = export_campaign(campaign.store, campaign.campaign, out, ("squad", "jsonl"))
        console.print(summary(campaign.store, campaign.campaign))
    for path in written.values():
        console.print(f"[bold]{path}[/bold]", soft_wrap=True)


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


async def _work(campaign: Running, crowd: Crowd, console: Console) -> int:
    columns = (
        TextColumn("writing"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("HITs, {task.fields[attempts]} questions, {task.fields[wins]} beat the AI"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console) as progress:
        bar = progress.add_task("writing", total=len(campaign.hits), attempts=0, wins=0)
        counts = {"attempts": 0, "wins": 0}

        def on_attempt(attempt: Mapping[str, Any]) -> None:
            counts["attempts"] += 1
            counts["wins"] += bool(attempt.get("fooled"))
            progress.update(bar, attempts=counts["attempts"], wins=counts["wins"])

        return await work(crowd, mock_workplaces(campaign.url), on_attempt, lambda: progress.advance(bar))


@click.command()
@task_dir
@overrides
@click.option("--out", type=click.Path(path_type=Path), default=Path("out/play"), show_default=True)
def serve(task_dir: Path, overrides: tuple[str, ...], out: Path) -> None:
    """Serve a campaign to people until stopped; started again with the same --out, it goes on where it was."""
    settings = read_settings(task_dir, list(overrides), out=out.resolve())
    page_dir = suite_root(task_dir) / "webapp" / "dist"
    if not (page_dir / "bundle.js").is_file():
        raise Refused("The workers' page is not built yet. Run: make webapp")
    console = Console()
    with running(settings, page_dir=page_dir) as campaign:
        console.print(_invitation(settings, campaign))
        campaign.operator.wait(campaign.all_submitted)
        export_campaign(campaign.store, campaign.campaign, out, ("squad", "jsonl"))
        console.print(summary(campaign.store, campaign.campaign))
        if campaign.all_submitted():
            campaign.operator.finish()
        console.print(f"Exported to {out / SQUAD_FILE} and {out / ATTEMPTS_FILE}.", soft_wrap=True)


def _invitation(settings: Settings, campaign: Running) -> str:
    page = f"{campaign.url}/?worker_id=me&assignment_id=1"
    return (
        f"\n[bold]{settings.task.title}[/bold]\n{len(campaign.hits)} HITs are open. Write one here:\n\n"
        f"    [link={page}]{page}[/link]\n\n"
        "Another worker_id is another worker, another assignment_id the next HIT. Ctrl-C stops and exports; the same\n"
        "command goes on where it was.\n"
    )


def summary(store: Store, campaign: Campaign) -> Table:
    """Attempts and model error rate with its 95% Wilson interval."""
    rows = list(store.attempts.of_campaign(campaign.id))
    kept = [row for row in rows if not row.attempt.retracted]
    wins = sum(row.attempt.fooled for row in kept)
    low, high = wilson(wins, len(kept))
    table = Table(title=f"Campaign {campaign.id}", show_header=False)
    table.add_row("HITs submitted", str(len(store.attempts.submitted_hits(campaign.id))))
    table.add_row("workers", str(len({row.assignment.worker for row in rows})))
    table.add_row("attempts", f"{len(rows)} ({len(rows) - len(kept)} taken back)")
    table.add_row("beat the AI", str(wins))
    rate = wins / len(kept) if kept else 0.0
    table.add_row("model error rate", f"{rate:.1%} (95% interval {low:.1%} to {high:.1%}), not yet validated")
    models = {f"{row.attempt.model_name} {row.attempt.model_hash[:8]}" for row in rows}
    table.add_row("models", ", ".join(sorted(models)))
    return table
