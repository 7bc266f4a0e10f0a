"""`round train`, `round evaluate` and `round compare`: the adversary of the next round out of the rounds so far."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from beat_the_ai.adversary.answers import answers_of
from beat_the_ai.analysis.breakdown import Breakdown
from beat_the_ai.campaign.models.scores import ModelScores, scores_sections
from beat_the_ai.campaign.rounds.next_adversary import RECORD, adversaries, trained_models
from beat_the_ai.campaign.rounds.snapshot import FrozenRound, frozen_rounds, gold_files
from beat_the_ai.cli.asked_models import asked_model, max_cents_option, token_option
from beat_the_ai.cli.campaign_arguments import campaign_out_option
from beat_the_ai.cli.model_options import device_option, precision_option, threads_option
from beat_the_ai.cli.sections import print_sections
from beat_the_ai.dataset.files import sha256, write_text
from beat_the_ai.errors import InvalidInput
from beat_the_ai.process.importing import object_at
from beat_the_ai.rules.kind import Kind
from beat_the_ai.terms.division import DEV, TEST, TRAIN
from beat_the_ai.terms.locate import campaign_store, only_campaign

if TYPE_CHECKING:
    from beat_the_ai.adversary.protocol import Adversary

NEEDED = ("--data", "--dev", "--apart", "--from", "--name", "--out")
TRAINABLE = ("onnx:", "huggingface:")
NOTHING_TO_TRAIN_ON = (
    "The frozen rounds have no training examples, so that `round train` has nothing to train on. Open another round "
    "with more contexts, or with terms of `dataset` that leave some to the training part."
)


@click.command(context_settings={"ignore_unknown_options": True})
@campaign_out_option
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

    Training goes on from the model that the last round was played against where that is one of onnx: or huggingface:,
    the first of several, unless --from names another. The last round's development part decides when to stop, unless
    --dev names another; the development and test parts of all rounds are kept apart. What else may be given is the
    kind's: `beat-the-ai train --task KIND --help`.
    """
    out = out.resolve()
    kind, rounds = _kind(out), frozen_rounds(out)
    command = training_command(kind)
    last = rounds[-1]
    named = _options(command, arguments)
    given = [*_round_arguments(rounds, weight, own_dev="--dev" in named), "--out", str(last.models)]
    if "--name" not in named:
        given += ["--name", f"after-round-{last.number}"]
    played = _played(out, last.number)
    if played is not None and "--from" not in named:
        click.echo(f"Going on from {played}, against which round {last.number} was played; --from names another.")
        given += ["--from", played]
    given += arguments
    models = command.main(given, prog_name="beat-the-ai round train", standalone_mode=False)
    if not models:
        raise InvalidInput("--out", f"The training of {kind.name} names no model that it has trained.")
    record = {
        "arguments": given,
        "files": {name: sha256(Path(name)) for name in _files(_options(command, given).values())},
        "models": [model.replace(f"{out}/", "") for model in models],  # the folder of a campaign may be moved
    }
    write_text(last.models / RECORD, json.dumps(record, indent=2) + "\n")
    click.echo(f"{', '.join(models)}: measure them with beat-the-ai round evaluate --out {out}")


def _round_arguments(rounds: Sequence[FrozenRound], weight: float, *, own_dev: bool) -> list[str]:
    training = [each.path(TRAIN) for each in rounds if each.parts[TRAIN].examples]
    if not training:
        raise InvalidInput("--out", NOTHING_TO_TRAIN_ON)
    arguments = [word for path in training for word in ("--data", f"{path}={weight:g}")]
    dev = [each for each in rounds if each.parts[DEV].examples]
    if dev and not own_dev:
        arguments += ["--dev", str(dev[-1].path(DEV))]
    apart = [each.path(part) for each in rounds for part in (DEV, TEST) if each.parts[part].examples]
    return arguments + [word for path in apart for word in ("--apart", str(path))]


def _options(command: click.Command, arguments: Sequence[str]) -> dict[str, list[str]]:
    """Return the values of the long options among the arguments, however they are written: --dev FILE, --dev=FILE.

    Raises click's `UsageError` for what the command does not take.
    """
    values, _, _ = command.make_parser(click.Context(command)).parse_args(list(arguments))
    return {
        option: [str(each) for each in (value if isinstance(value, list) else [value])]
        for parameter in command.params
        if (value := values.get(str(parameter.name))) is not None
        for option in parameter.opts
    }


def _files(options: Iterable[Sequence[str]]) -> list[str]:
    """Return the files that are named among the values of options, without their weights."""
    words = [word for values in options for word in values]
    named = [word if Path(word).is_file() else word.rpartition("=")[0] for word in words]
    return sorted({name for name in named if name and Path(name).is_file()})


def training_command(kind: Kind) -> click.Command:
    """Return the command that trains models on rounds. Raises `InvalidInput` for a kind of task without one."""
    if kind.training is None:
        raise InvalidInput("task.kind", f"{kind.name} has no training, so that its rounds can train no model.")
    command = cast(click.Command, object_at(kind.training, "--out"))
    options = {option for parameter in command.params for option in parameter.opts}
    missing = [option for option in NEEDED if option not in options]
    if missing:
        raise InvalidInput(
            "task.kind", f"The training of {kind.name} takes no {', '.join(missing)}, which training on rounds needs."
        )
    return command


def _played(out: Path, number: int) -> str | None:
    """The first model against which a round was played that training can go on from."""
    with campaign_store(str(out)) as store:
        adversary = only_campaign(store).rounds[number].terms.adversary
    members = [] if adversary is None else adversary.members
    return first_trainable(members)


def first_trainable(members: Sequence[str]) -> str | None:
    """Return the first of these models that training can go on from."""
    return next((member for member in members if member.startswith(TRAINABLE)), None)


def check_start(command: click.Command, start: str | None) -> None:
    """Raise what the command would of that value of --from, or of its default: before anybody is paid."""
    [option] = [parameter for parameter in command.params if "--from" in parameter.opts]
    context = click.Context(command)
    option.process_value(context, start or option.get_default(context))


@click.command()
@campaign_out_option
@click.option(
    "--model", "models", multiple=True, metavar="BACKEND:SOURCE", help="One more, such as a hypothesis-only baseline."
)
@click.option(
    "--gold",
    "golds",
    type=click.Path(exists=True, path_type=Path),
    multiple=True,
    metavar="DATASET",
    help="One more dataset of gold answers: ordinary data, such as SNLI's, or a stress test.",
)
@device_option
@threads_option
@precision_option
@token_option
@max_cents_option
def evaluate(
    out: Path,
    models: tuple[str, ...],
    golds: tuple[Path, ...],
    device: str,
    threads: int,
    precision: str | None,
    token_variable: str | None,
    max_cents: int | None,
) -> None:
    """Measure every round's models, and those trained since, on the dev and test parts of all frozen rounds.

    --max-cents is for each model that has a price. What language models answer is kept in OUT/answers.
    """
    from beat_the_ai.adversary.protocol import LoadOptions

    out = out.resolve()
    kind, rounds = _kind(out), frozen_rounds(out)
    scores, measured = ModelScores(out), gold_files(rounds, golds)
    trained = [model for each in rounds for model in trained_models(out, each.number)]
    for model in dict.fromkeys([*adversaries(out), *trained, *models]):
        options = LoadOptions(device, threads, precision)
        with asked_model(model, kind, options, token_variable, max_cents, out / "answers") as loaded:
            scores.measure(model, loaded.identity.hash, measured, _measured(kind, loaded))
    print_sections(scores_sections(scores))


def _measured(kind: Kind, loaded: Adversary[Any, Any]) -> Callable[[Path], tuple[Mapping[str, float], Sequence[float]]]:
    """Return what gives the figures of a model on a gold file, and the mark of each example."""
    evaluation = kind.evaluation
    if evaluation is None:
        raise InvalidInput("--out", f"{kind.name} does not say how models are measured.")

    def measured(gold: Path) -> tuple[Mapping[str, float], Sequence[float]]:
        answers = answers_of(loaded, evaluation, gold)
        found = evaluation.measured(gold, answers)
        first = next(iter(found.marks.values()))
        return Breakdown(found).figures, list(first.values())

    return measured


def _kind(out: Path) -> Kind:
    with campaign_store(str(out)) as store:
        return only_campaign(store).kind
