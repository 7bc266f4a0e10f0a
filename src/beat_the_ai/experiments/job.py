"""The process of one cell: train its model, unless there is one, and have it answer what it has not answered yet.

It lives no longer than who started it. Run again after whatever ended it, it goes on: `train` by its own checkpoint,
and no file is answered twice.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import click

from beat_the_ai.adversary.answers import answers_of
from beat_the_ai.adversary.budget import check_budget, within_budget
from beat_the_ai.adversary.kept import keeping
from beat_the_ai.adversary.protocol import LoadOptions
from beat_the_ai.adversary.registry import open_adversary
from beat_the_ai.errors import BeatTheAIError, InvalidInput
from beat_the_ai.experiments.cells import (
    CELL_FILE,
    LOG_FILE,
    MODEL_FILE,
    TRAINING,
    Job,
    Trained,
    answers_file,
    training_arguments,
    write_value,
)
from beat_the_ai.experiments.matrix import training_command
from beat_the_ai.files.atomic_write import replacing
from beat_the_ai.process.parent_death import Lifeline, end_with_the_starter
from beat_the_ai.rules.registry import bind


def run_job(folder: Path) -> int:
    """Do the job of a cell's folder in a process of its own; its exit status, which is 0 once all is answered."""
    lifeline = Lifeline()
    try:
        with (folder / LOG_FILE).open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "beat_the_ai.experiments.job", str(folder)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**os.environ, **lifeline.variables},
                pass_fds=lifeline.files,
            )
        return process.wait()
    finally:
        lifeline.cut()


def do_job(folder: Path) -> None:
    """In this process. Raises `BeatTheAIError`."""
    job = Job.model_validate_json((folder / CELL_FILE).read_bytes())
    kind, answering = bind(job.task), job.answering
    evaluation = kind.evaluation
    if evaluation is None:
        raise InvalidInput("task", f"{job.task} does not say how models are measured.")
    files = {answers_file(folder, gold, answering.precision): Path(path) for gold, path in job.golds.items()}
    missing = {file: gold for file, gold in files.items() if not file.is_file()}
    if missing:
        options = LoadOptions(answering.device, answering.threads, answering.precision)
        model = job.model or _trained(folder, job)
        check_budget(model, None)
        loaded = within_budget(open_adversary(model, kind.name, options), None)
        with keeping(loaded, kind.writing.prediction_type, folder / "answers") as kept:
            for file, gold in missing.items():
                answers = answers_of(kept, evaluation, gold)
                with replacing(file) as output:
                    output.write(json.dumps(answers, ensure_ascii=False).encode())
    if not job.keep_model:
        shutil.rmtree(folder / TRAINING, ignore_errors=True)


def _trained(folder: Path, job: Job) -> str:
    """The model of the cell, trained now unless it is there."""
    place = f"{folder.resolve()}/"
    record = folder / MODEL_FILE
    if record.is_file() and (folder / TRAINING).is_dir():
        backend, _, source = Trained.model_validate_json(record.read_bytes()).model.rpartition(":")
        return f"{backend}:{place}{source}"
    begun = time.monotonic()
    command = training_command(bind(job.task))
    models = command.main(training_arguments(folder, job), prog_name="beat-the-ai train", standalone_mode=False)
    if not models:
        raise InvalidInput("task", f"The training of {job.task} names no model that it has trained.")
    [model] = models
    write_value(record, Trained(model=model.replace(place, ""), seconds=time.monotonic() - begun))
    return str(model)


def main() -> None:
    end_with_the_starter()
    try:
        do_job(Path(sys.argv[1]))
    except (BeatTheAIError, click.ClickException) as error:
        sys.exit(f"beat-the-ai: {error}")


if __name__ == "__main__":
    main()
