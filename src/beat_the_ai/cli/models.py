"""`adversary serve | list` and `train`: models outside of a campaign."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from beat_the_ai.adversary.protocol import LoadOptions
from beat_the_ai.adversary.registry import BACKENDS
from beat_the_ai.adversary.server import serve as serve_models
from beat_the_ai.cli.doors import doors_options
from beat_the_ai.cli.evaluation import predict
from beat_the_ai.cli.model_options import DEFAULT_MODEL, device_option, precision_option, threads_option
from beat_the_ai.errors import AdversaryError, InvalidInput
from beat_the_ai.listening import Doors

MODELS = Path(__file__).resolve().parents[1] / "adversary" / "models"


@click.group()
def adversary() -> None:
    """The models in the loop."""


adversary.add_command(predict)


@adversary.command("list")
@click.option("--json", "as_json", is_flag=True, help="Machine-readable output.")
def list_models(as_json: bool) -> None:
    """The backends, and the models that ship with the project."""
    shipped = [f"onnx:{folder.name}" for folder in sorted(MODELS.iterdir()) if (folder / "config.json").is_file()]
    if as_json:
        click.echo(json.dumps({"backends": sorted(BACKENDS), "models": shipped}))
        return
    click.echo("backends: " + ", ".join(sorted(BACKENDS)))
    click.echo("models that ship with the project: " + ", ".join(shipped))


@adversary.command("serve")
@click.option("--member", "members", multiple=True, required=True, metavar="NAME=BACKEND:SOURCE")
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", type=click.IntRange(0, 65535), default=0, show_default=True, help="0 takes a free one.")
@click.option("--streams", type=click.IntRange(1), default=1, show_default=True, help="Loaded instances of each model.")
@device_option
@threads_option
@precision_option
@doors_options
def serve_members(
    members: tuple[str, ...],
    host: str,
    port: int,
    streams: int,
    device: str,
    threads: int,
    precision: str | None,
    doors: Doors,
) -> None:
    """Serve models over HTTP until stopped; the address is printed as JSON."""
    specs = dict(_member(text) for text in members)
    serve_models(specs, host, port, streams, LoadOptions(device, threads, precision), doors=doors)


def _member(text: str) -> tuple[str, str]:
    name, equals, spec = text.partition("=")
    if not (name and equals and spec):
        raise InvalidInput("--member", f"{text!r} was given; write NAME=BACKEND:SOURCE, as in bidaf={DEFAULT_MODEL}.")
    return name, spec


FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.option("--data", type=FILE, multiple=True, required=True, help="SQuAD v1.1 JSON; may be given several times.")
@click.option("--extra", type=FILE, multiple=True, help="Single sentences with questions (QAMR) in SQuAD form.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True)
@click.option("--minutes", type=click.FloatRange(min=0, min_open=True), default=60, show_default=True)
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--name", default="bidaf", show_default=True, help="The trained model's name.")
@click.option("--bfloat16", is_flag=True, help="Pays where the processor multiplies in bfloat16 (AMX).")
@device_option
@threads_option
def train(
    data: tuple[Path, ...],
    extra: tuple[Path, ...],
    out: Path,
    minutes: float,
    seed: int,
    name: str,
    bfloat16: bool,
    device: str,
    threads: int,
) -> None:
    """Train the project's own network and export it to OUT/NAME, or go on from the checkpoint in OUT."""
    export, training = _training_modules()
    console = Console(stderr=True)

    def report(progress: Any) -> None:
        console.print(
            f"{progress.done:4.0%}  {progress.questions:>9,} questions  loss {progress.loss:.3f}  held out: "
            f"EM {progress.held_out_exact_match:.1f}  F1 {progress.held_out_f1:.1f}"
        )

    config = training.TrainConfig(
        data=data,
        extra=extra,
        out=out,
        minutes=minutes,
        seed=seed,
        device=device,
        threads=threads,
        bfloat16=bfloat16,
    )
    result = training.train(config, report)
    folder = export.export(export.ExportConfig(checkpoint=result.checkpoint, out=out / name, name=name))
    console.print(f"held-out F1 {result.best.held_out_f1:.1f}; use it as onnx:{folder}", soft_wrap=True)


def _training_modules() -> tuple[Any, Any]:
    try:
        from beat_the_ai.adversary.bidaf import export, train
    except ModuleNotFoundError as error:
        raise AdversaryError(
            f"Training needs {error.name}, which is not installed. Run in the checkout: make train"
        ) from error
    return export, train
