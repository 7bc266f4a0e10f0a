"""The checkpoints of transformers' Trainer in a run's folder: which one is whole, and its state of the run."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from transformers.trainer_callback import TrainerState

from beat_the_ai.networks.progress import Look

FIGURE = "figure_"  # begins the names of figures, and of nothing that the Trainer measures of its own accord
STATE = "trainer_state.json"  # what the Trainer writes last into a checkpoint
OF_THE_RUN = ("optimizer.pt", "scheduler.pt", "rng_state.pth", "scaler.pt", "training_args.bin", STATE)


def last_checkpoint(folder: Path) -> Path | None:
    """The last that is whole: one whose writing was cut off lacks what is written last."""
    whole = [checkpoint for checkpoint in folder.glob("checkpoint-*") if _is_whole(checkpoint / STATE)]
    return max(whole, key=lambda checkpoint: int(checkpoint.name.rpartition("-")[2]), default=None)


def state_of(checkpoint: Path) -> TrainerState:
    return TrainerState.load_from_json(str(checkpoint / STATE))


def copy_model(checkpoint: Path, folder: Path) -> None:
    """Copy the files that load the model, without those that only the run needs."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(checkpoint, folder, ignore=shutil.ignore_patterns(*OF_THE_RUN))


def look_of(state: TrainerState, step: int) -> Look:
    """As the Trainer's log has it."""
    logged = {name: value for entry in state.log_history if entry["step"] == step for name, value in entry.items()}
    ours = f"eval_{FIGURE}"
    figures = {name.removeprefix(ours): value for name, value in logged.items() if name.startswith(ours)}
    return Look(step / state.max_steps, step, logged["loss"], figures)


def _is_whole(state: Path) -> bool:
    try:
        json.loads(state.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return True
