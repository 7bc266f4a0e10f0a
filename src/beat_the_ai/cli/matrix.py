"""`matrix`: the papers' experiments on any datasets."""

from __future__ import annotations

import csv
import fcntl
import io
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from beat_the_ai.analysis.pages import report_page
from beat_the_ai.cli.sections import print_sections
from beat_the_ai.dataset.files import write_text
from beat_the_ai.errors import InvalidInput
from beat_the_ai.experiments.cells import LOG_FILE, Cell
from beat_the_ai.experiments.cost import cells_section, cost_section
from beat_the_ai.experiments.datasets import prepare
from beat_the_ai.experiments.matrix import Matrix, kind_of, read_matrix
from beat_the_ai.experiments.plan import Plan, check_trainings, plan
from beat_the_ai.experiments.results import Results
from beat_the_ai.experiments.runners import LOCAL, Runner, here, on_ray
from beat_the_ai.experiments.tables import introduction, markdown, sections
from beat_the_ai.statistics.section import Section

DATA = "data"
LOCK = "lock"
LOG_LINES = 5


@click.command()
@click.argument("config", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), default=Path("out/matrix"), show_default=True)
@click.option(
    "--data",
    "source",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The folder from which CONFIG names its files; else its own.",
)
@click.option("--plan", "only_plan", is_flag=True, help="Say what there is to do and what it will take, and no more.")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="How many cells at once.")
@click.option(
    "--ray", metavar="ADDRESS", help="On a Ray cluster, as many at once as fit; local: one that is started here."
)
def matrix(config: Path, out: Path, source: Path | None, only_plan: bool, jobs: int, ray: str | None) -> None:
    """Train models on each dataset of CONFIG and on several, measure them on each, and print the paper's tables.

    What is in --out is not computed again: the same command goes on after whatever ended it, and CONFIG may grow.
    """
    read = read_matrix(config)
    runner = here(jobs) if ray is None else on_ray(ray, read.models)
    place, is_local = source or config.parent, ray in (None, LOCAL)
    filled = fill(read, config.stem, place, out.resolve(), None if only_plan else runner, checked=is_local)
    if filled is not None:
        print_sections(filled.sections)
        click.echo(f"{filled.plan.folder.parent}: matrix.md, report.html, results.csv, results.json")
        filled.raise_failures()


@dataclass(frozen=True)
class Filled:
    """A matrix whose cells were done, but for those that `failed`."""

    plan: Plan
    results: Results
    sections: Sequence[Section]
    failed: Sequence[Cell]

    def raise_failures(self) -> None:
        """Raise `ClickException` that names the cells that failed, if any."""
        if self.failed:
            names = ", ".join(cell.folder.name for cell in self.failed)
            raise click.ClickException(f"{len(self.failed)} cells failed: {names}. The same command tries them again.")


def fill(
    matrix: Matrix, title: str, source: Path, out: Path, runner: Runner | None, *, checked: bool = True
) -> Filled | None:
    """Say what there is to do and do it, in `out`; None without a runner. `source` is from where files are named.

    `checked`: the models are trained on this machine, so what that needs is looked at first.
    """
    kind = kind_of(matrix)
    assert kind.samples is not None, "kind_of has seen to it"
    assert kind.evaluation is not None, "kind_of has seen to it"
    with _alone(out):
        datasets = prepare(matrix, kind.samples, source.resolve(), out / DATA)
        for name, number in datasets.left_out.items():
            left_out = f"{number:,} training examples left out, since models are measured on their contexts."
            if number:
                click.echo(f"{matrix.label(name)}: {left_out}")
        planned = plan(matrix, datasets, out)
        print_sections([cost_section(planned), cells_section(planned)])
        if checked:
            check_trainings(planned)
        if runner is None:
            return None
        failed = _run(planned, runner)
        results = Results(kind.evaluation)
        found = sections(planned, results)
        _write(out, title, planned, results, found)
    return Filled(planned, results, found, failed)


@contextmanager
def _alone(out: Path) -> Iterator[None]:
    """Raises `InvalidInput` where another one is at work in the folder."""
    out.mkdir(parents=True, exist_ok=True)
    with (out / LOCK).open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InvalidInput("--out", f"Another matrix is at work in {out}. Wait for it, or name another.") from None
        yield


def _run(planned: Plan, runner: Runner) -> list[Cell]:
    """The cells that failed."""
    waiting = [cell for cell in planned.cells.values() if cell.missing]
    for cell in waiting:
        cell.write_job()
    console = Console(stderr=True)
    console.print(f"What a cell prints is in {planned.folder}/CELL/{LOG_FILE}", soft_wrap=True, highlight=False)
    columns = (TextColumn("cells"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    failed, endings = [], dict[str, str]()
    with Progress(*columns, console=console) as progress:
        bar = progress.add_task("cells", total=len(waiting))
        for cell, status in runner(waiting):
            progress.advance(bar)
            console.print(_line(cell, status, endings), soft_wrap=True, highlight=False, markup=False)
            if status:
                failed.append(cell)
    return failed


def _line(cell: Cell, status: int, endings: dict[str, str]) -> str:
    """`endings` are the cells that have failed, by what they printed last: it is said once."""
    trained = cell.trained
    what = f"{cell.model}, seed {cell.seed}, {sum(file.examples for file in cell.data):,} examples"
    if cell.seed is None:
        what = f"{cell.model}, {cell.job.model}"
    if not status:
        return f"{cell.folder.name}: {what}" + (f", trained in {trained.seconds:.0f} s" if trained else "")
    log = cell.folder / LOG_FILE
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines() if log.is_file() else []
    last, failed = "\n".join(lines[-LOG_LINES:]), f"{cell.folder.name}: {what}: failed with exit status {status}"
    if (like := endings.setdefault(last, cell.folder.name)) != cell.folder.name:
        return f"{failed}, as {like} did"
    return f"{failed}; {log} ends:\n{last}"


def _write(out: Path, title: str, planned: Plan, results: Results, found: Sequence[Section]) -> None:
    rows = list(results.rows(planned))
    told = introduction(planned.matrix)
    write_text(out / "matrix.md", markdown(title, told, found))
    write_text(out / "report.html", report_page(title, told, found))
    text = io.StringIO()
    if rows:
        table = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
    write_text(out / "results.csv", text.getvalue())
    write_text(out / "results.json", json.dumps(rows, ensure_ascii=False, indent=1) + "\n")
