"""`round train`, `round evaluate` and `round compare`: the adversary of the next round out of the rounds so far."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click
from rich.console import Console
from rich.table import Table

from beat_the_ai.campaign.frozen_rounds import FrozenRound, frozen_rounds
from beat_the_ai.campaign.model_scores import ModelScores, Score, deciding_part, gold_files
from beat_the_ai.campaign.sections import RoundTerms
from beat_the_ai.campaign.stores import campaign_store, only_campaign
from beat_the_ai.campaign.validated import kind_of
from beat_the_ai.cli.evaluation import answers_of
from beat_the_ai.cli.model_options import device_option, precision_option, threads_option
from beat_the_ai.cli.payments import json_option
from beat_the_ai.dataset.files import sha256, write_text
from beat_the_ai.dataset.parts import DEV, TEST, TRAIN
from beat_the_ai.errors import InvalidInput
from beat_the_ai.places import absolute, object_at
from beat_the_ai.rules.kind import Kind

if TYPE_CHECKING:
    from beat_the_ai.adversary.protocol import Adversary

NEEDED = {"data", "dev", "apart", "out"}
RECORD = "trained.json"

out_option = click.option("--out", type=click.Path(path_type=Path), default=Path("out/campaign"), show_default=True)


@click.command(context_settings={"ignore_unknown_options": True})
@out_option
@click.option(
    "--weight",
    type=click.FloatRange(min=0, min_open=True),
    default=1.0,
    show_default=True,
    help="How often an epoch has each example of the rounds.",
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def train(out: Path, weight: float, arguments: tuple[str, ...]) -> None:
    """Train models on all frozen rounds of the campaign in --out, and whatever else is given.

    The last round's development part decides when to stop, unless --dev names another; the development and test parts
    of all rounds are kept apart. What else may be given is the kind's: `beat-the-ai train --task KIND --help`.
    """
    out = out.resolve()
    kind, rounds = _kind(out), frozen_rounds(out)
    command = _command(kind)
    last = rounds[-1]
    given = [*_round_arguments(rounds, weight, own_dev="--dev" in arguments), "--out", str(last.models), *arguments]
    command.main(given, prog_name="beat-the-ai round train", standalone_mode=False)
    models = sorted(path.parent for path in last.models.glob("*/config.json"))
    record = {
        "arguments": given,
        "files": {name: sha256(Path(name)) for name in _files(given)},
        "models": [str(path.relative_to(out)) for path in models],
    }
    write_text(last.models / RECORD, json.dumps(record, indent=2) + "\n")
    click.echo(f"{', '.join(path.name for path in models)}: measure them with beat-the-ai round evaluate --out {out}")


def _round_arguments(rounds: Sequence[FrozenRound], weight: float, *, own_dev: bool) -> list[str]:
    training = [each.path(TRAIN) for each in rounds if each.parts[TRAIN].examples]
    if not training:
        raise InvalidInput("--out", "The frozen rounds have no training examples.")
    arguments = [word for path in training for word in ("--data", f"{path}={weight:g}")]
    dev = [each for each in rounds if each.parts[DEV].examples]
    if dev and not own_dev:
        arguments += ["--dev", str(dev[-1].path(DEV))]
    apart = [each.path(part) for each in rounds for part in (DEV, TEST) if each.parts[part].examples]
    return arguments + [word for path in apart for word in ("--apart", str(path))]


def _files(arguments: Sequence[str]) -> list[str]:
    """Those that are named among the arguments, without their weights."""
    named = [word if Path(word).is_file() else word.rpartition("=")[0] for word in arguments]
    return sorted({name for name in named if name and Path(name).is_file()})


def _command(kind: Kind) -> click.Command:
    if kind.training is None:
        raise InvalidInput("--out", f"{kind.name} has no training.")
    command = cast(click.Command, object_at(kind.training, "--out"))
    missing = NEEDED - {parameter.name for parameter in command.params}
    if missing:
        told = ", ".join(f"--{name}" for name in sorted(missing))
        raise InvalidInput("--out", f"The training of {kind.name} takes no {told}, which rounds need.")
    return command


@click.command()
@out_option
@click.option(
    "--model", "models", multiple=True, metavar="BACKEND:SOURCE", help="One more, such as a hypothesis-only baseline."
)
@click.option(
    "--gold",
    "golds",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    multiple=True,
    help="One more file of gold answers, such as a stress test.",
)
@device_option
@threads_option
@precision_option
def evaluate(
    out: Path, models: tuple[str, ...], golds: tuple[Path, ...], device: str, threads: int, precision: str | None
) -> None:
    """Measure every round's models, and those trained since, on the dev and test parts of all frozen rounds."""
    from beat_the_ai.adversary.protocol import LoadOptions
    from beat_the_ai.adversary.registry import open_adversary

    out = out.resolve()
    kind, rounds = _kind(out), frozen_rounds(out)
    scores, measured = ModelScores(out), gold_files(rounds, golds)
    for model in dict.fromkeys([*_members(out), *_trained(rounds), *models]):
        loaded = open_adversary(model, kind.name, LoadOptions(device, threads, precision))
        scores.measure(model, loaded.identity.hash, measured, _figures(kind, loaded))
    _print(scores)


def _figures(kind: Kind, loaded: Adversary[Any, Any]) -> Callable[[Path], Mapping[str, float]]:
    evaluation = kind.evaluation
    if evaluation is None:
        raise InvalidInput("--out", f"{kind.name} does not say how models are measured.")
    return lambda gold: evaluation.scores(gold, answers_of(loaded, evaluation, gold)).figures


def _members(out: Path) -> list[str]:
    """The adversaries of all rounds, in their order."""
    with campaign_store(str(out)) as store:
        campaign = only_campaign(store)
        pools = [RoundTerms.of(each).adversary for each in store.rounds.of_campaign(campaign.id)]
        return [absolute(member, campaign.task_dir) for pool in pools if pool is not None for member in pool.members]


def _trained(rounds: Sequence[FrozenRound]) -> list[str]:
    return [f"onnx:{path.parent}" for each in rounds for path in sorted(each.models.glob("*/config.json"))]


@click.command()
@out_option
@click.option("--by", metavar="ROUND/PART", help="What to choose by; else the last round's development part.")
@json_option
def compare(out: Path, by: str | None, as_json: bool) -> None:
    """Models by rounds, and which model is to be beaten in the next one."""
    out = out.resolve()
    scores = ModelScores(out)
    best = scores.best(by or deciding_part(frozen_rounds(out)))
    if as_json:
        table = {name: {gold: each.figures for gold, each in row.items()} for name, row in scores.table().items()}
        click.echo(json.dumps({"scores": table, "best": best.model, "by": best.gold}))
        return
    _print(scores)
    click.echo(f"Best on {best.gold}: {best.model} ({best.headline[1]:.1f}). Open the next round with it:")
    click.echo(f"  beat-the-ai round open --out {out} \"adversary.members=['{best.model}']\" contexts=MORE.jsonl")


def _print(scores: ModelScores) -> None:
    rows = scores.table()
    golds = list(dict.fromkeys(gold for row in rows.values() for gold in row))
    figure = next((each.headline[0] for row in rows.values() for each in row.values()), "figure")
    table = Table(title=f"{figure} by model and part, %, with 95% intervals")
    for name in ("model", *golds):
        table.add_column(name, overflow="fold")
    for model, row in rows.items():
        table.add_row(model, *(_cell(row[gold]) if gold in row else "–" for gold in golds))
    Console().print(table)


def _cell(score: Score) -> str:
    _, value = score.headline
    within = score.interval
    return f"{value:.1f}" if within is None else f"{value:.1f} ({within[0]:.1f} to {within[1]:.1f})"


def _kind(out: Path) -> Kind:
    with campaign_store(str(out)) as store:
        return kind_of(store, only_campaign(store))
