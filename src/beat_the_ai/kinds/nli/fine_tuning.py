"""Fine-tuning any classifier or encoder of transformers on pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from transformers import AutoModelForSequenceClassification

from beat_the_ai.kinds.corpora import Sources, settings_of
from beat_the_ai.kinds.nli.backends.huggingface import OUTPUTS, PairEncoder, clear_order, is_blind
from beat_the_ai.kinds.nli.corpora import check_same_sight, read_parts
from beat_the_ai.kinds.nli.figures import deciding, figures
from beat_the_ai.kinds.nli.labels import LABELS, Label
from beat_the_ai.kinds.nli.pairs import LabelledPair
from beat_the_ai.networks.fine_tuning import Material, TrainerSchedule, fine_tune
from beat_the_ai.networks.huggingface import hash_of, initial_model
from beat_the_ai.networks.loading import config_of, folder_of, tokenizer_of
from beat_the_ai.networks.progress import Deciding, Observer, Trained, prepare
from beat_the_ai.networks.sampling import Weighted
from beat_the_ai.networks.trainer import Encoded


@dataclass(frozen=True, kw_only=True)
class FineTuneConfig(Sources, TrainerSchedule):
    """`start` is a folder or a hub id."""

    start: str
    hypothesis_only: bool = False
    by_loss: bool = False  # and not by accuracy

    @property
    def deciding(self) -> Deciding:
        return deciding(by_loss=self.by_loss)


def order_of(source: str) -> tuple[Label, ...] | None:
    """The labels of a model's outputs; None where it is no model of inference, and needs a new head."""
    return clear_order(config_of(source).id2label)


def train(config: FineTuneConfig, observer: Observer | None = None) -> Trained | None:
    """Train, or go on from the last checkpoint in `config.out`; as `cross_encoder.train.train`."""
    observer = observer or Observer()
    start = config_of(config.start)
    order = clear_order(start.id2label)
    if order is not None:
        check_same_sight(config.start, is_blind(start), hypothesis_only=config.hypothesis_only)
    labels = order or LABELS
    tokenizer = tokenizer_of(config.start, start)
    encode = PairEncoder(tokenizer, start, hypothesis_only=config.hypothesis_only)
    parts = read_parts(config, config.seed)

    def encoded(pairs: Sequence[LabelledPair]) -> list[Encoded]:
        def example(labelled: LabelledPair) -> Encoded:
            return {**encode(labelled.pair), "labels": labels.index(labelled.target)}

        return list(prepare(pairs, example, observer))

    def model() -> Any:
        initial = initial_model(
            config.start,
            tokenizer,
            AutoModelForSequenceClassification,
            OUTPUTS,
            new_head=order is None,
            id2label=dict(enumerate(labels)),
            label2id={label: number for number, label in enumerate(labels)},
            problem_type="single_label_classification",
        )
        initial.config.hypothesis_only = config.hypothesis_only
        return initial

    material = Material(
        model,
        tokenizer,
        [Weighted(encoded(part.examples), part.weight) for part in parts.training],
        sorted(encoded(parts.dev), key=lambda example: len(example["input_ids"])),
        ("labels",),
        figures,
        config.deciding,
    )
    settings = settings_of(config, hash_of(folder_of(config.start)))
    return fine_tune(config.out, settings, config, material, observer)
