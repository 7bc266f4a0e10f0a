"""How models are loaded outside of a campaign, as options of commands."""

from __future__ import annotations

import click

DEFAULT_MODEL = "onnx:bidaf-small"

model_option = click.option("--model", default=DEFAULT_MODEL, show_default=True, metavar="BACKEND:SOURCE")
device_option = click.option("--device", type=click.Choice(["cpu", "cuda"]), default="cpu", show_default=True)
threads_option = click.option("--threads", type=click.IntRange(1), default=1, show_default=True)
precision_option = click.option("--precision", help="As the backend offers: fp32, fp16, bf16, int8.")
