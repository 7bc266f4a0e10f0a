"""`train` for reading comprehension: the project's own network, or any extractive reader of transformers."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from beat_the_ai.kinds.reading_comprehension.backends.onnx import SHIPPED
from beat_the_ai.kinds.reading_comprehension.corpora import EXACT_MATCH, F1, in_words
from beat_the_ai.kinds.reading_comprehension.question_files import read_answerable
from beat_the_ai.kinds.reading_comprehension.writing import NAME
from beat_the_ai.kinds.training import FILE, OWN, TRANSFORMERS, Method, Trainable, origin_of, training_command

ENCODER_SHARE = 0.15  # of the learning rate
FIRST = {"epochs": 10.0, "learning_rate": 2e-3, "batch_size": 40}
FURTHER = {"epochs": 5.0, "learning_rate": 5e-4, "batch_size": 40, "warmup_steps": 10}
FIRST_OF_TRANSFORMERS = {"epochs": 2.0, "learning_rate": 3e-5, "batch_size": 32}
FURTHER_OF_TRANSFORMERS = {"epochs": 2.0, "learning_rate": 1e-5, "batch_size": 32}


def _own_network(source: str) -> Method:
    from beat_the_ai.kinds.reading_comprehension.bidaf import export, train

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
    from beat_the_ai.kinds.reading_comprehension import fine_tuning
    from beat_the_ai.networks import huggingface

    return Method(
        source,
        huggingface.origin_of(source),
        fine_tuning.is_reader(source),
        fine_tuning.FineTuneConfig,
        lambda rate: {"learning_rate": rate},
        fine_tuning.train,
        huggingface.export,
    )


train = training_command(
    Trainable(
        name=NAME,
        model="bidaf",
        shipped=SHIPPED,
        data="Questions with answers, SQuAD's JSON or JSONL of ours.",
        contents=lambda path: read_answerable(path).contents,
        figures=in_words,
        methods={OWN: _own_network, TRANSFORMERS: _transformer},
        defaults={OWN: (FIRST, FURTHER), TRANSFORMERS: (FIRST_OF_TRANSFORMERS, FURTHER_OF_TRANSFORMERS)},
        options=[
            click.Option(
                ["--extra"],
                type=FILE,
                multiple=True,
                help="Single sentences with questions (QAMR) in SQuAD's form, for our own network.",
            ),
            click.Option(
                ["--tuned-for"],
                type=click.Choice([F1, EXACT_MATCH]),
                default=F1,
                show_default=True,
                help="The figure on the dev part by which the best weights and learning rate are chosen.",
            ),
        ],
    )
)
