"""`train` for Quizbowl: the project's own guessers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from beat_the_ai.kinds.quizbowl.backends.onnx import SHIPPED
from beat_the_ai.kinds.quizbowl.collection import pages, read_questions
from beat_the_ai.kinds.quizbowl.evaluation import SHARES
from beat_the_ai.kinds.quizbowl.writing import NAME
from beat_the_ai.kinds.training import OWN, Method, Trainable, origin_of, training_command

LOUDNESS_RATE = 2.0  # times the learning rate
FIRST = {"epochs": 40.0, "learning_rate": 5e-3, "batch_size": 16}
FURTHER = {"epochs": 20.0, "learning_rate": 2e-3, "batch_size": 16}


def _contents(path: Path) -> str:
    questions = read_questions(path, "data")
    return f"{len(questions):,} questions about {len(list(pages(questions))):,} pages"


def _in_words(found: Mapping[str, float]) -> str:
    accuracies = " / ".join(f"{found[f'accuracy.{share}']:.1f}" for share in SHARES)
    shares = ", ".join(map(str, SHARES))
    return f"accuracy {accuracies}% after {shares}%  calibration error {found['calibration_error']:.3f}"


def _own_network(source: str) -> Method:
    from beat_the_ai.kinds.quizbowl.neural import export, train

    start = Path(source) if source else None
    return Method(
        start,
        origin_of(start),
        start is not None,
        train.TrainConfig,
        lambda rate: {"learning_rate": rate, "encoder_learning_rate": LOUDNESS_RATE * rate},
        train.train,
        export.export,
    )


train = training_command(
    Trainable(
        name=NAME,
        model="dan",
        shipped=SHIPPED,
        data="Questions with pages, as in QANTA (.json, .json.gz) or JSON Lines.",
        contents=_contents,
        figures=_in_words,
        methods={OWN: _own_network},
        defaults={OWN: (FIRST, FURTHER)},
        options=[
            click.Option(
                ["--architecture"],
                type=click.Choice(["dan", "gru"]),
                default="dan",
                show_default=True,
                help="A deep averaging network, or a bidirectional GRU.",
            )
        ],
    )
)
