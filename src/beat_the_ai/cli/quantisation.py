"""`adversary quantise`: a model of transformers in int8, for CPUs, behind a gate."""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from beat_the_ai.adversary.answers import answers_of
from beat_the_ai.cli.datasets import dataset_option
from beat_the_ai.cli.evaluation import evaluation_of
from beat_the_ai.cli.model_options import task_option, threads_option
from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.datasets import sha256_of
from beat_the_ai.rules.evaluation import Evaluation
from beat_the_ai.rules.protocol import Value
from beat_the_ai.rules.registry import bind

CALIBRATION_EXAMPLES = 300  # as NNCF's own default


@click.command()
@click.argument("source", metavar="FOLDER_OR_HUB_ID")
@click.argument("out", type=click.Path(path_type=Path))
@task_option
@dataset_option("--calibrate", help="Examples for the scales, such as SQuAD's; not those of --check.")
@dataset_option("--check", help="Gold answers, by which int8 is compared to fp32.")
@click.option(
    "--max-drop",
    type=click.FloatRange(0),
    default=1.0,
    show_default=True,
    help="Percentage points that a figure may lose, at the upper end of its 95% interval.",
)
@threads_option
def quantise(source: str, out: Path, task: str, calibrate: Path, check: Path, max_drop: float, threads: int) -> None:
    """Write the model SOURCE of transformers in int8 to the folder OUT, if it answers as it did in fp32.

    It is then served as `openvino:OUT`. What was measured is written beside it.
    """
    from beat_the_ai.adversary.protocol import LoadOptions
    from beat_the_ai.adversary.registry import open_adversary

    evaluation = evaluation_of(task)
    check_sha256 = sha256_of(check, "--check")
    if check_sha256 == sha256_of(calibrate, "--calibrate"):
        raise InvalidInput("--check", "--check and --calibrate are the same data. Check with examples of their own.")
    fp32: Any = open_adversary(f"openvino:{source}", bind(task).name, LoadOptions(threads=threads))
    if fp32.identity.precision != "fp32":
        raise InvalidInput(
            "SOURCE", f"{source!r} is in {fp32.identity.precision} already. Name the model it came from."
        )
    from beat_the_ai.networks import int8_gate, quantisation

    quantisation.check_is_new(out)
    queries = _queries(evaluation, calibrate, "--calibrate")
    _queries(evaluation, check, "--check")
    chosen = random.Random(0).sample(queries, min(CALIBRATION_EXAMPLES, len(queries)))  # noqa: S311
    int8 = quantisation.quantised(fp32, chosen)
    measured = []
    for model in (fp32, int8):
        answers = answers_of(model, evaluation, check)
        measured.append((answers, evaluation.measured(check, answers).marks))
    comparison = int8_gate.compare(*measured)
    comparison.check(max_drop)
    draft = out.with_name(f"{out.name}.draft")
    shutil.rmtree(draft, ignore_errors=True)
    identity = quantisation.write(int8, source, draft, out.resolve().name)
    int8_gate.Passed(identity, fp32.identity, check_sha256, max_drop, comparison).write(draft)
    draft.replace(out)
    Console(stderr=True).print("\n".join([*comparison.words, f"openvino:{out}"]), soft_wrap=True)


def _queries(evaluation: Evaluation, path: Path, option: str) -> list[Value]:
    """Raises `InvalidInput` where there are none."""
    queries = [query for _, query in evaluation.queries(path)]
    if not queries:
        raise InvalidInput(option, f"{path} has nothing to ask. Name a file with some hundred examples.")
    return queries
