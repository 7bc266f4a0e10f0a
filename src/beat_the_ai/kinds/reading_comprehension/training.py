"""`train`: the project's own network."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from rich.console import Console

from beat_the_ai.errors import AdversaryError

device_option = click.option("--device", type=click.Choice(["cpu", "cuda"]), default="cpu", show_default=True)
threads_option = click.option("--threads", type=click.IntRange(1), default=1, show_default=True)
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
) -> list[str]:
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
    return [f"onnx:{folder}"]


def _training_modules() -> tuple[Any, Any]:
    try:
        from beat_the_ai.kinds.reading_comprehension.bidaf import export, train
    except ModuleNotFoundError as error:
        raise AdversaryError(
            f"Training needs {error.name}, which is not installed. Run in the checkout: make train"
        ) from error
    return export, train
