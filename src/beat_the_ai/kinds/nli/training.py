"""`train` for natural language inference: the project's own network, or any model of transformers."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from beat_the_ai.kinds.nli.backends.onnx import SHIPPED
from beat_the_ai.kinds.nli.figures import in_words
from beat_the_ai.kinds.nli.pairs import read_pairs
from beat_the_ai.kinds.nli.writing import NAME
from beat_the_ai.kinds.training import OWN, TRANSFORMERS, Method, Trainable, origin_of, training_command

ENCODER_SHARE = 0.3  # of the learning rate
FIRST = {"epochs": 3.0, "learning_rate": 1e-3, "batch_size": 64}
FURTHER = {"epochs": 10.0, "learning_rate": 5e-4, "batch_size": 16, "warmup_steps": 10, "by_loss": True}
FIRST_OF_TRANSFORMERS = {"epochs": 3.0, "learning_rate": 2e-5, "batch_size": 32}
FURTHER_OF_TRANSFORMERS = {"epochs": 10.0, "learning_rate": 1e-5, "batch_size": 16, "by_loss": True}


def _contents(path: Path) -> str:
    read = read_pairs(path)
    left_out = f" ({read.without_label:,} without a label left out)" if read.without_label else ""
    return f"{len(read.pairs):,} pairs{left_out}"


def _own_network(source: str) -> Method:
    from beat_the_ai.kinds.nli.cross_encoder import export, train

    start = Path(source) if source else None
    return Method(
        start,
        origin_of(start),
        start is not None,
        train.TrainConfig,
        lambda rate: {"learning_rate": rate, "encoder_learning_rate": ENCODER_SHARE * rate},
        train.train,
        partial(export.export, like=start),
    )


def _transformer(source: str) -> Method:
    from beat_the_ai.kinds.nli import fine_tuning
    from beat_the_ai.networks import huggingface

    return Method(
        source,
        huggingface.origin_of(source),
        fine_tuning.order_of(source) is not None,
        fine_tuning.FineTuneConfig,
        lambda rate: {"learning_rate": rate},
        fine_tuning.train,
        huggingface.export,
    )


train = training_command(
    Trainable(
        name=NAME,
        model="cross-encoder",
        shipped=SHIPPED,
        data="Pairs with labels, JSONL of SNLI, MultiNLI, ANLI or ours.",
        contents=_contents,
        figures=in_words,
        methods={OWN: _own_network, TRANSFORMERS: _transformer},
        defaults={OWN: (FIRST, FURTHER), TRANSFORMERS: (FIRST_OF_TRANSFORMERS, FURTHER_OF_TRANSFORMERS)},
        options=[
            click.Option(
                ["--hypothesis-only"],
                is_flag=True,
                help="Blind to the premise: what can be told from hypotheses alone.",
            )
        ],
    )
)
