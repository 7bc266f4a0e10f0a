"""Natural language inference with models that are trained within a second: naive Bayes over the hypothesis's words.

The kind is nli's in all else. Under each seed a model learns from another draw of its examples, as a network's order of
batches would have it.
"""

from __future__ import annotations

import json
import math
import os
import random
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import click
import numpy as np

from beat_the_ai.adversary.protocol import LoadOptions, ModelIdentity
from beat_the_ai.adversary.registry import Backend
from beat_the_ai.kinds.nli.kind import kind as nli
from beat_the_ai.kinds.nli.labels import LABELS, Pair, Prediction
from beat_the_ai.kinds.nli.pairs import read_pairs
from beat_the_ai.kinds.nli.predictions import prediction
from beat_the_ai.rules.kind import Kind

HERE = Path(__file__)


def kind(options: Mapping[str, Any], rules: Mapping[str, Any], language: str) -> Kind:
    return replace(nli(options, rules, language), training=f"{HERE}:train")


@click.command()
@click.option("--data", type=click.Path(path_type=Path), multiple=True)
@click.option("--dev", type=click.Path(path_type=Path), multiple=True)
@click.option("--out", type=click.Path(path_type=Path))
@click.option("--name")
@click.option("--seed", type=int)
@click.option("--share", type=float, default=0.8, help="Of the examples, that a model learns from.")
@click.option("--epochs", type=int, help="No matter: all examples are counted once.")
@click.option("--dies-with", type=int, help="The seed whose training fails.")
@click.option(
    "--waits-for",
    type=click.Path(path_type=Path),
    envvar="BAYES_WAITS_FOR",
    help="A file for which seed 1 waits; its process is in FILE.waiting meanwhile.",
)
@click.option("--verbose", is_flag=True)
@click.option("--hypothesis-only", is_flag=True, help="No matter: no premise is ever looked at.")
def train(
    data: tuple[Path, ...],
    dev: tuple[Path, ...],
    out: Path,
    name: str,
    seed: int,
    share: float,
    epochs: int | None,
    dies_with: int | None,
    waits_for: Path | None,
    verbose: bool,
    hypothesis_only: bool,
) -> list[str]:
    click.echo(f"training seed {seed}")
    if seed == dies_with:
        raise click.UsageError("This seed is not for training.")
    while waits_for is not None and seed == 1 and not waits_for.exists():
        waits_for.with_suffix(".waiting").write_text(str(os.getpid()))
        time.sleep(0.01)
    pairs = [labelled for path in data for labelled in read_pairs(path).pairs]
    chosen = random.Random(seed).sample(pairs, round(share * len(pairs)))
    counts: dict[str, Counter[str]] = {label: Counter() for label in LABELS}
    for labelled in chosen:
        counts[labelled.label].update(set(labelled.pair.hypothesis.lower().split()))
    out.mkdir(parents=True, exist_ok=True)
    path = out / f"{name}.json"
    path.write_text(json.dumps(counts))
    return [f"{HERE}:BACKEND:{path}"]


class NaiveBayes:
    query_type: ClassVar[type[Pair]] = Pair

    def __init__(self, source: str, _options: LoadOptions) -> None:
        self._counts: dict[str, dict[str, int]] = json.loads(Path(source).read_text())
        self.identity = ModelIdentity("bayes", "nli", "0" * 64, "fp32")

    def predict(self, queries: Sequence[Pair]) -> list[Prediction]:
        return [self._prediction(set(query.hypothesis.lower().split())) for query in queries]

    def _prediction(self, words: set[str]) -> Prediction:
        logs = [
            sum(math.log((counts.get(word, 0) + 0.5) / (sum(counts.values()) + 1)) for word in words)
            for counts in (self._counts[label] for label in LABELS)
        ]
        return prediction(np.array(logs))


BACKEND = Backend(NaiveBayes, frozenset({"nli"}))
