"""Fine-tuning any classifier or encoder of transformers on pairs."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from transformers import AutoConfig, AutoModelForSequenceClassification

from beat_the_ai.errors import AdversaryError
from beat_the_ai.kinds.nli.backends.huggingface import PairEncoder, clear_order, is_blind
from beat_the_ai.kinds.nli.corpora import Corpus, check_same_sight, digests, read_parts
from beat_the_ai.kinds.nli.cross_encoder.calibration import expected_calibration_error, log_probabilities
from beat_the_ai.kinds.nli.labels import LABELS, Label
from beat_the_ai.kinds.nli.pairs import LabelledPair
from beat_the_ai.kinds.nli.progress import Progress
from beat_the_ai.networks import fine_tuning
from beat_the_ai.networks.fine_tuning import Encoded, Look, Material, Schedule
from beat_the_ai.networks.huggingface import folder_of, hash_of, initial_model, initial_tokenizer
from beat_the_ai.networks.sampling import Weighted

NO_MATTER = ("out", "minutes", "device", "threads", "bfloat16")  # of a run that goes on


@dataclass(frozen=True, kw_only=True)
class FineTuneConfig(Schedule):
    """`start` is a folder or a hub id. `data`, `dev` and `apart` as in `corpora.Sources`."""

    start: str
    data: tuple[Corpus, ...]
    out: Path
    dev: tuple[Path, ...] = ()
    apart: tuple[Path, ...] = ()
    hypothesis_only: bool = False
    held_out_share: float = 0.04  # of the premises, where there is no `dev`
    by_loss: bool = False  # and not by accuracy


@dataclass(frozen=True)
class FineTuneResult:
    """The folder of the best model, how it did on the development part, and its expected_calibration_error there."""

    folder: Path
    best: Progress
    calibration_error: float


def order_of(source: str) -> tuple[Label, ...] | None:
    """The labels of a model's outputs; None where it is no model of inference, and needs a new head."""
    return clear_order(_config_of(source).id2label)


def train(
    config: FineTuneConfig,
    progress: Callable[[Progress], None] = lambda _: None,
    stopped: Callable[[], bool] = lambda: False,
) -> FineTuneResult | None:
    """Train, or go on from the last checkpoint in `config.out`; as `cross_encoder.train.train`."""
    start = _config_of(config.start)
    order = clear_order(start.id2label)
    if order is not None:
        check_same_sight(config.start, is_blind(start), hypothesis_only=config.hypothesis_only)
    labels = order or LABELS
    tokenizer = initial_tokenizer(config.start)
    encode = PairEncoder(tokenizer, start, hypothesis_only=config.hypothesis_only)
    parts = read_parts(config)

    def encoded(pairs: Sequence[LabelledPair]) -> list[Encoded]:
        return [{**encode(labelled.pair), "labels": labels.index(labelled.label)} for labelled in pairs]

    def model() -> Any:
        initial = initial_model(
            config.start,
            AutoModelForSequenceClassification,
            new_head=order is None,
            id2label=dict(enumerate(labels)),
            label2id={label: number for number, label in enumerate(labels)},
            problem_type="single_label_classification",
        )
        initial.config.hypothesis_only = config.hypothesis_only
        return initial

    tuned = fine_tuning.fine_tune(
        config.out,
        _settings(config),
        config,
        Material(
            model,
            tokenizer,
            [Weighted(encoded(part.examples), part.weight) for part in parts.training],
            sorted(encoded(parts.dev), key=lambda example: len(example["input_ids"])),
            _figures,
            deciding="dev_loss" if config.by_loss else "dev_accuracy",
            more_is_better=not config.by_loss,
        ),
        lambda look: progress(_progress(look)),
        stopped,
    )
    if tuned is None:
        return None
    return FineTuneResult(tuned.folder, _progress(tuned.best), tuned.best.figures["calibration_error"])


def export(result: FineTuneResult, folder: Path) -> None:
    """The folder that `huggingface:FOLDER` names."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(result.folder, folder)


def identity_hash(source: str) -> str:
    """By which the backend knows a model."""
    return hash_of(folder_of(source))


def _config_of(source: str) -> Any:
    try:
        return AutoConfig.from_pretrained(source, local_files_only=Path(source).is_dir())
    except (OSError, ValueError) as error:
        raise AdversaryError(f"{source!r} is no model that transformers can load: {error}") from error


def _figures(logits: NDArray[np.floating], labels: NDArray[np.int64]) -> Mapping[str, float]:
    likely = log_probabilities(logits, 1.0)[np.arange(len(labels)), labels]
    return {
        "dev_accuracy": 100 * float(np.mean(logits.argmax(axis=1) == labels)),
        "dev_loss": -float(likely.mean()),
        "calibration_error": expected_calibration_error(logits, labels, 1.0),
    }


def _progress(look: Look) -> Progress:
    return Progress(look.done, look.step, look.loss, look.figures["dev_accuracy"], look.figures["dev_loss"])


def _settings(config: FineTuneConfig) -> dict[str, Any]:
    """All that decides the weights, files by their contents."""
    settings: dict[str, Any] = {name: value for name, value in asdict(config).items() if name not in NO_MATTER}
    return {**settings, **digests(config), "start": identity_hash(config.start)}
