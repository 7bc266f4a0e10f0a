"""`replicate`: the papers' tables done again, with our figures beside the published ones."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from beat_the_ai.adversary.registry import check_serves
from beat_the_ai.analysis.pages import report_page
from beat_the_ai.campaign.settings.configuration import suite_root
from beat_the_ai.cli.matrix import Filled, fill
from beat_the_ai.cli.payments import json_option
from beat_the_ai.cli.rehearse import rehearse
from beat_the_ai.cli.sections import print_sections
from beat_the_ai.dataset.files import write_text
from beat_the_ai.errors import InvalidInput
from beat_the_ai.experiments.cost import Estimate, cells_section, cost_section, estimates
from beat_the_ai.experiments.matrix import Matrix, read_matrix
from beat_the_ai.experiments.plan import Plan
from beat_the_ai.experiments.runners import here
from beat_the_ai.experiments.tables import markdown
from beat_the_ai.rehearsal.campaign import REHEARSAL
from beat_the_ai.replication.compare import (
    READING,
    Comparison,
    Key,
    Ours,
    about_sections,
    compared,
    comparison_sections,
    figures_of_matrix,
)
from beat_the_ai.replication.measured import figures_of_evaluation, missing_golds
from beat_the_ai.replication.rehearsed import figures_of_rehearsal
from beat_the_ai.replication.sizes import missing_files, planned_by_sizes
from beat_the_ai.replication.targets import RehearsalRun, Replication, replication, replications
from beat_the_ai.statistics.section import Section
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.locate import campaign_store

FILES, MATRIX, EVALUATION, REHEARSED = "files", "matrix", "evaluation", "rehearsed.json"  # in --out
PAGE, TEXT, JSON_FILE = "replication.html", "replication.md", "replication.json"


@click.command()
@click.argument("target", required=False)
@click.option(
    "--data",
    "source",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The folder with the datasets, named as in the target's matrix.",
)
@click.option("--config", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="A matrix of your own.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Else out/replication/TARGET.")
@click.option("--seed", type=int, default=1, show_default=True, help="Of a rehearsal.")
@click.option("--workers", type=click.IntRange(1, 1000), help="Simulated writers of a rehearsal; else the target's.")
@click.option("--model", metavar="BACKEND:SOURCE", help="In place of the model that the target measures as it is.")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="How many cells at once.")
@click.option("--plan", "only_plan", is_flag=True, help="Say what it needs and costs, and no more.")
@json_option
def replicate(
    target: str | None,
    source: Path | None,
    config: Path | None,
    out: Path | None,
    seed: int,
    workers: int | None,
    model: str | None,
    jobs: int,
    only_plan: bool,
    as_json: bool,
) -> None:
    """Do TARGET again, such as bartolo-2020/table-6, and put our figures beside the published ones; or list targets.

    It names what the target needs, from where and under which licence, and what it costs. Then it runs it, as
    `rehearse` and `matrix` do. The same command resumes what was interrupted, and computes nothing twice.
    """
    if target is None:
        _list(as_json=as_json)
        return
    with _apart(as_json):
        run = _Run.of(_with_model(replication(target), model), source, config, out)
        run.tell(seed, workers)
        if not only_plan:
            run.do(seed, workers, jobs)
    if as_json:
        click.echo(json.dumps(run.content(), ensure_ascii=False))


@contextmanager
def _apart(as_json: bool) -> Iterator[None]:
    """Send what is for people to stderr, where stdout is for a program."""
    if not as_json:
        yield
        return
    with redirect_stdout(sys.stderr):
        yield


def _with_model(wanted: Replication, model: str | None) -> Replication:
    """Return the target with another model. Raises `InvalidInput` for one that measures none as it is."""
    if model is None:
        return wanted
    run = wanted.target.evaluation
    if run is None:
        raise InvalidInput("--model", f"{wanted.name} trains its models, by its matrix. Name one of yours: --config.")
    check_serves(model, run.task)
    other = run.model_copy(update={"models": dict.fromkeys(run.models, model)})
    return wanted.model_copy(update={"target": wanted.target.model_copy(update={"evaluation": other})})


def _list(*, as_json: bool) -> None:
    """Print the targets that there are."""
    known = list(replications())
    if as_json:
        click.echo(json.dumps([_described(each) for each in known], ensure_ascii=False))
        return
    for each in known:
        click.echo(f"{each.name:<24}{each.target.title}")


def _steps(wanted: Replication) -> list[str]:
    target = wanted.target
    steps = {"a rehearsal": target.rehearsal, "a matrix": target.matrix, "an evaluation": target.evaluation}
    return [name for name, step in steps.items() if step is not None]


def _described(wanted: Replication) -> dict[str, Any]:
    """Return a target as JSON."""
    return {
        "target": wanted.name,
        "title": wanted.target.title,
        "paper": wanted.paper,
        "source": wanted.source,
        "published": list(wanted.tables),
        "preset": wanted.target.preset,
        "steps": _steps(wanted),
        "data": {name: each.model_dump(mode="json") for name, each in wanted.data.items()},
        "differences": list(wanted.target.differences),
        "warning": wanted.target.warning,
    }


@dataclass
class _Run:
    """A target on its way in `out`. `source` is the folder of its datasets."""

    wanted: Replication
    out: Path
    source: Path
    matrix: Matrix | None
    own_matrix: Path | None
    planned: Plan | None = None
    comparisons: Sequence[Comparison] = ()

    @classmethod
    def of(cls, wanted: Replication, source: Path | None, config: Path | None, out: Path | None) -> _Run:
        place = (out or Path("out") / "replication" / wanted.name).resolve()
        if wanted.target.rehearsal is not None and source is not None:
            raise InvalidInput("--data", f"{wanted.name} makes its data itself, in --out. Leave out --data.")
        run = wanted.target.matrix
        matrix = None
        if run is not None:
            read = read_matrix(config or suite_root(Path.cwd()) / run.path)
            matrix = read.model_copy(update={"tables": run.tables})
        return cls(wanted, place, (source or place / FILES).resolve(), matrix, config)

    @property
    def missing(self) -> dict[str, list[str]]:
        evaluation = self.wanted.target.evaluation
        golds = {} if evaluation is None else missing_golds(evaluation, self.source)
        return golds | ({} if self.matrix is None else missing_files(self.matrix, self.source))

    def tell(self, seed: int, workers: int | None) -> None:
        """Print what the target is, what it needs and what it costs."""
        console, target = Console(), self.wanted.target
        say = partial(console.print, soft_wrap=True, highlight=False, markup=False)
        say(f"{self.wanted.name}: {target.title}. {self.wanted.paper}, {self.wanted.source}")
        if target.warning:
            say(target.warning)
        if target.preset is not None:
            say(f"The campaign's settings: beat-the-ai presets {target.preset}")
        if target.rehearsal is not None:
            say(f"First: beat-the-ai rehearse {' '.join(_rehearsal_words(target.rehearsal, seed, workers))}")
            say("A rehearsal costs no money; one of six workers takes about a minute of CPU time.")
        for each in target.differences:
            say(f"Not as in the paper: {each}.")
        if self.wanted.data:
            made = target.rehearsal is not None
            say(f"Data {'come into' if made else 'are looked for in'} {self.source}:")
            for line in self._data_lines(made=made):
                say(line)
        if target.evaluation is not None:
            say(f"Models answer on this machine: {', '.join(target.evaluation.models.values())}. No money.")
        if self.matrix is not None:
            self._tell_cost(say)

    def _tell_cost(self, say: Callable[[str], None]) -> None:
        assert self.matrix is not None, "there is a matrix"
        if self.missing:
            self.planned = planned_by_sizes(self.matrix, self.wanted.data, self.out / MATRIX)
            if self.planned is None:
                say("What it costs is known when the files are there.")
                return
            say("Some files are not there yet: this is by the sizes that are expected.")
            print_sections([cost_section(self.planned), cells_section(self.planned)])
        else:
            fill(self.matrix, self.wanted.name, self.source, self.out / MATRIX, None, checked=False)

    def _data_lines(self, *, made: bool) -> Iterator[str]:
        """Yield each source of data with its files; `made`: this command makes those that are missing."""
        missing, sources = self.missing, dict[tuple[str, str, str], list[str]]()
        for name, each in self.wanted.data.items():
            files = sources.setdefault((each.title, each.source, each.licence), [])
            files += [file for file in missing.get(name, ()) if file not in files]
        for (title, source, licence), files in sources.items():
            state = "made by this command" if made else "not there yet"
            yield f"- {title}, {source} (licence: {licence})"
            yield f"  {state}: {', '.join(files)}" if files else "  all files are there"

    def do(self, seed: int, workers: int | None, jobs: int) -> None:
        """Run what is not done yet, and put ours beside the published figures. Raises `InvalidInput`."""
        target, ours = self.wanted.target, dict[str, Mapping[Key, Ours]]()
        found: list[Section] = []
        if target.rehearsal is not None:
            ours |= self._rehearsed(target.rehearsal, seed, workers)
        for name, place in target.shipped.items():
            self.source.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(suite_root(Path.cwd()) / place, self.source / name)
        if self.missing:
            files = "; ".join(f"{name}: {', '.join(files)}" for name, files in self.missing.items())
            raise InvalidInput(
                "--data", f"{self.source} lacks {files}. `--plan` says where to get them; name their folder as --data."
            )
        if target.evaluation is not None:
            ours |= figures_of_evaluation(target.evaluation, self.source, self.out / EVALUATION)
        filled = None
        if target.matrix is not None and self.matrix is not None:
            filled = self._filled(self.matrix, jobs)
            ours |= figures_of_matrix(target.matrix, filled.plan, filled.results)
            found += filled.sections
        self.comparisons = compared(self.wanted, ours)
        beside = list(comparison_sections(self.wanted, self.comparisons))
        self._write([*beside, *about_sections(self.wanted, self.matrix, self.own_matrix), *found])
        print_sections(beside)
        click.echo(READING)
        click.echo(f"{self.out}: {PAGE}, {TEXT}, {JSON_FILE}")
        if filled is not None:
            filled.raise_failures()

    def _rehearsed(self, run: RehearsalRun, seed: int, workers: int | None) -> Mapping[str, Mapping[Key, Ours]]:
        """Rehearse, unless it is done, and return the figures."""
        out, mark = self.source / REHEARSAL, self.out / REHEARSED
        words = _rehearsal_words(run, seed, workers)
        if not (mark.is_file() and json.loads(mark.read_text(encoding="utf-8")) == words and out.is_dir()):
            task, *others = words
            rehearse.main([str(suite_root(Path.cwd()) / task), *others, "--out", str(out)], standalone_mode=False)
            write_text(mark, json.dumps(words))
        with campaign_store(str(out)) as store:
            return figures_of_rehearsal(BoundCampaign.open(store, REHEARSAL), run.dataset)

    def _filled(self, matrix: Matrix, jobs: int) -> Filled:
        filled = fill(matrix, self.wanted.name, self.source, self.out / MATRIX, here(jobs))
        assert filled is not None, "there is a runner"
        self.planned = filled.plan
        return filled

    def _write(self, found: Sequence[Section]) -> None:
        target = self.wanted.target
        introduction = f"{target.title}. {self.wanted.paper}, {self.wanted.source}. {READING}"
        title = f"Replication of {self.wanted.name}"
        write_text(self.out / PAGE, report_page(title, introduction, found, warning=target.warning))
        warned = f"**{target.warning}**\n\n{introduction}" if target.warning else introduction
        write_text(self.out / TEXT, markdown(title, warned, found))
        write_text(self.out / JSON_FILE, json.dumps(self.content(), ensure_ascii=False, indent=1) + "\n")

    def content(self) -> dict[str, Any]:
        """Return the target with what it needs, costs and has come to, as JSON."""
        costs: list[Estimate] = [] if self.planned is None else estimates(self.planned)
        return {
            **_described(self.wanted),
            "missing": self.missing,
            "estimates": [asdict(each) for each in costs],
            "comparisons": [
                {
                    "table": one.table,
                    "row": dict(zip(self.wanted.tables[one.table].rows_by, one.published.row, strict=True)),
                    "figure": one.published.column,
                    "published": one.published.value,
                    "published_deviation": one.published.deviation,
                    "ours": None if one.ours is None else asdict(one.ours),
                    "difference": one.difference,
                    "published_in_our_interval": one.within,
                }
                for one in self.comparisons
            ],
        }


def _rehearsal_words(run: RehearsalRun, seed: int, workers: int | None) -> list[str]:
    """Return a rehearsal as words of a command line, without its folder."""
    people = [] if run.people is None else ["--people", run.people]
    return [run.task, *run.overrides, *people, "--workers", str(workers or run.workers), "--seed", str(seed)]
