"""`rescore`: what people once wrote, answered by another model."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.progress import track

from beat_the_ai.adversary.kept import answers_path
from beat_the_ai.analysis.rescoring import Share, beside_section
from beat_the_ai.campaign.models.rescoring import FOLDER, Past, Rescored, rescore
from beat_the_ai.campaign.models.rescoring_report import (
    RescoringReport,
    campaign_rescoring_report,
    dataset_rescoring_report,
    past_of_campaign,
    past_of_dataset,
)
from beat_the_ai.campaign.results.files import write_report
from beat_the_ai.campaign.results.outcomes import CampaignOutcomes
from beat_the_ai.campaign.results.report import Subject
from beat_the_ai.cli.asked_models import asked_model, max_cents_option, token_option
from beat_the_ai.cli.datasets import works_of
from beat_the_ai.cli.model_options import device_option, precision_option, task_option, threads_option
from beat_the_ai.cli.payments import json_option
from beat_the_ai.cli.sections import print_sections
from beat_the_ai.cli.targets import chosen_campaign, corpora_of, existing, is_campaign, name_option, target_argument
from beat_the_ai.dataset.files import write_text
from beat_the_ai.errors import InvalidInput
from beat_the_ai.rules.kind import Kind
from beat_the_ai.rules.registry import bind
from beat_the_ai.terms.locate import campaign_store

if TYPE_CHECKING:
    from beat_the_ai.adversary.protocol import LoadOptions


@dataclass(frozen=True)
class Opponent:
    """The model that is asked now, and where its answers go."""

    spec: str
    options: LoadOptions
    token_variable: str | None
    max_cents: int | None
    folder: Path

    def answers(self, of: str, works: Sequence[Past], kind: Kind) -> tuple[Path, Rescored]:
        """Return the model's answers to these works and their file, with progress on stderr."""
        if not works:
            raise InvalidInput("CAMPAIGN|DATASET", f"There are no {kind.words.works} that a model could be asked.")
        with asked_model(self.spec, kind, self.options, self.token_variable, self.max_cents) as model:
            path = answers_path(self.folder, model.identity)
            rescored = rescore(path, of, works, model, _with_progress)
        if unanswered := sum(each.id not in rescored.verdicts for each in works):
            Console(stderr=True).print(
                f"{unanswered:,} of {len(works):,} got no answer that can be read, or none in time, and are left out: "
                "the same command asks for them again",
                soft_wrap=True,
            )
        return path, rescored


@click.command("rescore")
@target_argument
@click.option(
    "--model",
    "models",
    required=True,
    multiple=True,
    metavar="BACKEND:SOURCE|http://HOST:PORT#NAME",
    help="Who answers now; several are asked one after the other, and then compared.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help=f"Gets answers and figures. Else CAMPAIGN/{FOLDER}, where the campaign's report finds them.",
)
@name_option
@task_option
@device_option
@threads_option
@precision_option
@token_option
@max_cents_option
@json_option
def rescore_with(
    target: str,
    models: tuple[str, ...],
    out: Path | None,
    name: str | None,
    task: str,
    device: str,
    threads: int,
    precision: str | None,
    token_variable: str | None,
    max_cents: int | None,
    as_json: bool,
) -> None:
    """Have other models answer every attempt of a CAMPAIGN that counts, or every work of a DATASET in files.

    Tells which would still beat each: in all, by round, writer, the model then, and type. The regular works of a
    CAMPAIGN, if its kind of task has such, are answered too, for its report. Answers are kept as they come: the same
    command goes on where it was cut off, or where a language model's answers had cost --max-cents, which each model may
    cost. With --json each model has a line.
    """
    from beat_the_ai.adversary.protocol import LoadOptions

    options, folder = LoadOptions(device, threads, precision), _folder(target, out)
    found = []
    for opponent in [Opponent(model, options, token_variable, max_cents, folder) for model in dict.fromkeys(models)]:
        if is_campaign(target):
            path, report = _of_campaign(target, name, opponent)
        else:
            path, report = _of_dataset(existing(target), bind(task), opponent)
        write_text(path.with_suffix(".csv"), _csv(report.shares))
        if as_json:
            shares = [{**share.figures, "interval": share.interval} for share in report.shares]
            click.echo(json.dumps({"model": asdict(report.rescored.model), "same": report.same, "shares": shares}))
        else:
            print_sections(report.sections)
            Console(stderr=True).print(f"{path}, and its figures beside it", soft_wrap=True)
        found.append(report)
    if len(found) > 1 and not as_json:
        of_each = {each.rescored.label: each.shares for each in found}
        print_sections([beside_section(of_each, found[0].words, found[0].clusters)])


def _folder(target: str, out: Path | None) -> Path:
    if out is None and is_campaign(target) and Path(target).is_dir():
        return Path(target) / FOLDER
    if out is None:
        raise InvalidInput("--out", "Name a folder for the answers with --out: only that of a campaign has its own.")
    return out


def _of_campaign(target: str, name: str | None, opponent: Opponent) -> tuple[Path, RescoringReport]:
    with campaign_store(target) as store:
        campaign = chosen_campaign(store, name)
        works = past_of_campaign(campaign)
        path, rescored = opponent.answers(campaign.id, works, campaign.kind)
        with CampaignOutcomes.at_one_moment(campaign) as outcomes:
            return path, campaign_rescoring_report(outcomes.placement, rescored)


def _of_dataset(source: Path, kind: Kind, opponent: Opponent) -> tuple[Path, RescoringReport]:
    """With a report of its own, since there is no campaign's."""
    works = works_of(corpora_of(kind), source)
    past = past_of_dataset(kind, works)
    path, rescored = opponent.answers(_digest(past), past, kind)
    found = dataset_rescoring_report(kind, works, rescored)
    introduction = f"{len(works):,} {kind.words.works}, answered by {rescored.label}."
    write_report(Subject(source.name, introduction, found.sections, kind.paper), path.with_suffix(".html"))
    return path, found


def _with_progress(batches: Iterable[Sequence[Past]], works: int) -> Iterable[Sequence[Past]]:
    chunks = list(batches)
    return track(chunks, f"answering {works:,}", console=Console(stderr=True)) if chunks else ()


def _digest(works: Sequence[Past]) -> str:
    """Return the digest of a dataset: over its queries and right answers, whatever file has them."""
    total = hashlib.sha256()
    for past in works:
        asked: tuple[Any, ...] = (past.id, past.task_item.context.text, past.work.model_dump(mode="json"))
        total.update(json.dumps(asked, ensure_ascii=False, sort_keys=True).encode() + b"\n")
    return total.hexdigest()


def _csv(shares: Sequence[Share]) -> str:
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow([*shares[0].figures, "low", "high"])
    ends = ["", ""]
    rows.writerows(
        [*share.figures.values(), *(ends if share.interval is None else (f"{end:.4f}" for end in share.interval))]
        for share in shares
    )
    return text.getvalue()
