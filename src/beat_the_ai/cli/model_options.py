"""Of which kind of task, and how models are loaded: options of commands that work outside of a campaign."""

from __future__ import annotations

import click

DEFAULT_MODEL = "onnx:bidaf-small"

model_option = click.option("--model", default=DEFAULT_MODEL, show_default=True, metavar="BACKEND:SOURCE")
device_option = click.option("--device", type=click.Choice(["cpu", "cuda"]), default="cpu", show_default=True)
threads_option = click.option("--threads", type=click.IntRange(1), default=1, show_default=True)
precision_option = click.option("--precision", help="As the backend offers: fp32, fp16, bf16, int8.")
task_option = click.option(
    "--task", default="reading_comprehension", show_default=True, help="The kind of task, named as task.kind is."
)
