"""`train`: the project's own network, or any model of transformers."""

from __future__ import annotations

import importlib
import json
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from beat_the_ai.dataset.files import write_text
from beat_the_ai.errors import AdversaryError
from beat_the_ai.kinds.nli.backends.onnx import SHIPPED
from beat_the_ai.kinds.nli.corpora import Corpus
from beat_the_ai.kinds.nli.pairs import read_pairs
from beat_the_ai.kinds.nli.writing import NAME
from beat_the_ai.networks.onnx_folder import find, hash_of

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
MOST_TIMES = 1000
PRETRAINED = "pretrained"
OWN, TRANSFORMERS = "onnx", "huggingface"
ENCODER_SHARE = 0.3  # of the learning rate
FIRST = {"epochs": 3.0, "learning_rate": 1e-3}
FURTHER = {  # from a trained model
    "epochs": 10.0,
    "learning_rate": 5e-4,
    "pairs_per_batch": 16,
    "warmup_steps": 10,
    "by_loss": True,
}
FIRST_OF_TRANSFORMERS = {"epochs": 3.0, "learning_rate": 2e-5}
FURTHER_OF_TRANSFORMERS = {"epochs": 10.0, "learning_rate": 1e-5, "batch_size": 16, "by_loss": True}
TRAINING_FILE = "training.json"
INTERRUPTED = 130  # the exit status of a command that Ctrl-C ended


def _weighted_files(
    context: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> list[tuple[Path, float]]:
    """Each FILE or FILE=WEIGHT."""
    files = []
    for value in values:
        path, equals, weight = value.rpartition("=")
        if not equals or Path(value).is_file():
            path, weight = value, "1"
        files.append((FILE.convert(path, parameter, context), _weight(weight, parameter, context)))
    return files


def _weight(text: str, parameter: click.Parameter, context: click.Context) -> float:
    try:
        weight = float(text)
    except ValueError:
        weight = 0.0
    if not 0 < weight < MOST_TIMES:
        raise click.BadParameter(f"The weight {text!r} is no number between 0 and {MOST_TIMES}.", context, parameter)
    return weight


def _start(context: click.Context, parameter: click.Parameter, value: str) -> tuple[str, str]:
    """The backend of the model to go on from and its source, which is empty for our pretrained encoder."""
    if value == PRETRAINED:
        return OWN, ""
    backend, _, source = value.partition(":")
    if backend == OWN:
        return OWN, str(find(source, SHIPPED, NAME)[0])
    if backend == TRANSFORMERS and source:
        return TRANSFORMERS, source
    raise click.BadParameter(
        f"{value!r} was given; allowed are onnx:NAME, onnx:FOLDER, huggingface:FOLDER, huggingface:HUB_ID, and "
        f"{PRETRAINED}.",
        context,
        parameter,
    )


@click.command()
@click.option(
    "--data",
    callback=_weighted_files,
    metavar="FILE[=WEIGHT]",
    multiple=True,
    required=True,
    help="Pairs with labels, JSONL of SNLI, MultiNLI, ANLI or ours. WEIGHT: how often an epoch has each; 1 if none.",
)
@click.option("--dev", type=FILE, multiple=True, help="Decides when to stop. Without: 4% of the premises of --data.")
@click.option("--apart", type=FILE, multiple=True, help="A part whose pairs must not be in --data, such as a test set.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True)
@click.option("--hypothesis-only", is_flag=True, help="Blind to the premise: what can be told from hypotheses alone.")
@click.option(
    "--from",
    "start",
    callback=_start,
    metavar="BACKEND:SOURCE",
    default=PRETRAINED,
    show_default=True,
    help="Go on from an exported model of this project (onnx:NAME, onnx:FOLDER), or fine-tune one of transformers "
    "(huggingface:FOLDER, huggingface:HUB_ID). Else from the pretrained encoder, of a package of its own.",
)
@click.option(
    "--epochs",
    type=click.FloatRange(min=0, min_open=True),
    help=f"At most. [default: {FIRST['epochs']:g}; from a model for this task {FURTHER['epochs']:g}]",
)
@click.option(
    "--learning-rate",
    "learning_rates",
    type=click.FloatRange(min=0, min_open=True),
    multiple=True,
    help="Of several the one that does best on the dev part is kept. "
    f"[default: {FIRST['learning_rate']:g}; from a model for this task {FURTHER['learning_rate']:g}; of transformers "
    f"{FIRST_OF_TRANSFORMERS['learning_rate']:g} and {FURTHER_OF_TRANSFORMERS['learning_rate']:g}]",
)
@click.option("--minutes", type=click.FloatRange(min=0, min_open=True), help="At most so long, for each run.")
@click.option("--seed", "seeds", type=int, multiple=True, default=(0,), show_default=True, help="Several: an ensemble.")
@click.option("--name", default="cross-encoder", show_default=True, help="The trained model's; of several NAME-SEED.")
@click.option("--bfloat16", is_flag=True, help="Pays where the processor multiplies in bfloat16 (AMX).")
@click.option("--device", type=click.Choice(["cpu", "cuda"]), default="cpu", show_default=True)
@click.option("--threads", type=click.IntRange(1), default=1, show_default=True)
def train(
    data: list[tuple[Path, float]],
    dev: tuple[Path, ...],
    apart: tuple[Path, ...],
    out: Path,
    hypothesis_only: bool,
    start: tuple[str, str],
    epochs: float | None,
    learning_rates: tuple[float, ...],
    minutes: float | None,
    seeds: tuple[int, ...],
    name: str,
    bfloat16: bool,
    device: str,
    threads: int,
) -> list[str]:
    """Train a model and write it to OUT/NAME, or go on from the checkpoint in OUT."""
    trained = []
    method = _method(*start)
    console = Console(stderr=True)
    settings = {**method.defaults, **({} if epochs is None else {"epochs": epochs})}
    rates = learning_rates or (settings["learning_rate"],)
    config = method.config(
        data=tuple(Corpus(path, weight) for path, weight in data),
        out=out,
        dev=dev,
        apart=apart,
        hypothesis_only=hypothesis_only,
        start=method.start,
        minutes=minutes,
        device=device,
        threads=threads,
        bfloat16=bfloat16,
        **settings,
    )

    def report(progress: Any) -> None:
        console.print(
            f"{progress.done:4.0%}  {progress.step:>7,} steps  loss {progress.loss:.3f}  dev: accuracy "
            f"{progress.dev_accuracy:.1f}%  loss {progress.dev_loss:.3f}"
        )

    with _until_interrupted() as interrupted:
        for path, weight in data:
            read = read_pairs(path)
            left_out = f", {read.without_label:,} without a label left out" if read.without_label else ""
            console.print(f"{path}: {len(read.pairs):,} pairs, {weight:g} times an epoch{left_out}", soft_wrap=True)
        for seed in seeds:
            model, results = name if len(seeds) == 1 else f"{name}-{seed}", dict[float, Any]()
            for rate in rates:
                if len(seeds) * len(rates) > 1:
                    console.print(f"{model}, learning rate {rate:g}:")
                run = replace(
                    config,
                    out=out / f"{model}.run" / f"{rate:g}",
                    seed=seed,
                    **method.rates(rate),
                )
                results[rate] = method.train(run, report, interrupted.is_set)
                if results[rate] is None:
                    console.print("Stopped; the same command goes on.")
                    raise SystemExit(INTERRUPTED)
            best = _best(results, by_loss=config.by_loss)
            folder = out / model
            method.export(results[best], folder)
            write_text(folder / TRAINING_FILE, json.dumps(_record(method.origin, seed, results, best), indent=2) + "\n")
            console.print(
                f"dev accuracy {results[best].best.dev_accuracy:.1f}%, calibration error "
                f"{results[best].calibration_error:.3f}; use it as {method.backend}:{folder}",
                soft_wrap=True,
            )
            trained.append(f"{method.backend}:{folder}")
    return trained


def _best(results: Mapping[float, Any], *, by_loss: bool) -> float:
    """The learning rate of the best run; of equals the first."""
    best, *others = results
    for rate in others:
        if results[rate].best.is_better_than(results[best].best, by_loss=by_loss):
            best = rate
    return best


def _record(origin: Mapping[str, str] | None, seed: int, results: Mapping[float, Any], best: float) -> dict[str, Any]:
    """Of a model's training: from where, with what, and how each learning rate did on the dev part."""
    return {
        "from": origin,
        "seed": seed,
        "learning_rate": best,
        "steps": results[best].best.step,
        "dev_accuracy": {f"{rate:g}": result.best.dev_accuracy for rate, result in results.items()},
        "dev_loss": {f"{rate:g}": result.best.dev_loss for rate, result in results.items()},
    }


@contextmanager
def _until_interrupted() -> Iterator[threading.Event]:
    """Ctrl-C sets the event instead of breaking off."""
    interrupted = threading.Event()
    before = signal.signal(signal.SIGINT, lambda *_: interrupted.set())
    try:
        yield interrupted
    finally:
        signal.signal(signal.SIGINT, before)


@dataclass(frozen=True)
class _Method:
    """How models of a backend are trained. `config` makes what `train` takes; `rates` are its learning rates at one."""

    backend: str
    start: Any
    origin: Mapping[str, str] | None
    defaults: Mapping[str, Any]
    config: Callable[..., Any]
    rates: Callable[[float], Mapping[str, float]]
    train: Callable[[Any, Callable[[Any], None], Callable[[], bool]], Any]
    export: Callable[[Any, Path], object]


def _method(backend: str, source: str) -> _Method:
    """Raises `AdversaryError` where packages are missing, or the model cannot be trained."""
    try:
        return _own_network(source) if backend == OWN else _transformer(source)
    except ModuleNotFoundError as error:
        raise AdversaryError(
            f"Training needs {error.name}, which is not installed. Run in the checkout: make train"
        ) from error


def _own_network(source: str) -> _Method:
    from beat_the_ai.kinds.nli.cross_encoder import export, train

    start = Path(source) if source else None
    return _Method(
        OWN,
        start,
        None if start is None else {"model": start.name, "hash": hash_of(start)},
        FIRST if start is None else FURTHER,
        train.TrainConfig,
        lambda rate: {"learning_rate": rate, "encoder_learning_rate": ENCODER_SHARE * rate},
        train.train,
        lambda result, folder: export.export(export.ExportConfig(result.checkpoint, folder, folder.name, like=start)),
    )


def _transformer(source: str) -> _Method:
    importlib.import_module("accelerate")  # the Trainer's, which would say so only when it begins
    from beat_the_ai.kinds.nli import fine_tuning

    knows_labels = fine_tuning.order_of(source) is not None
    return _Method(
        TRANSFORMERS,
        source,
        {"model": Path(source).name if Path(source).is_dir() else source, "hash": fine_tuning.identity_hash(source)},
        FURTHER_OF_TRANSFORMERS if knows_labels else FIRST_OF_TRANSFORMERS,
        fine_tuning.FineTuneConfig,
        lambda rate: {"learning_rate": rate},
        fine_tuning.train,
        fine_tuning.export,
    )
