"""Training our network: files of pairs in, a checkpoint out."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from beat_the_ai.kinds.corpora import Sources, settings_of
from beat_the_ai.kinds.nli.corpora import check_same_sight, read_parts
from beat_the_ai.kinds.nli.cross_encoder import corpora, features
from beat_the_ai.kinds.nli.cross_encoder.corpora import Example
from beat_the_ai.kinds.nli.cross_encoder.network import Network, TrainedClassifier
from beat_the_ai.kinds.nli.figures import deciding, figures
from beat_the_ai.kinds.nli.pairs import LabelledPair
from beat_the_ai.networks import pretrained as minilm
from beat_the_ai.networks import pretrained_package, progress, training
from beat_the_ai.networks.calibration import fit_temperature
from beat_the_ai.networks.checkpoint import outputs_of
from beat_the_ai.networks.encoder import EncoderConfig, NetworkConfig
from beat_the_ai.networks.export import read_folder
from beat_the_ai.networks.onnx_folder import hash_of
from beat_the_ai.networks.optimisation import Optimisation
from beat_the_ai.networks.progress import Deciding, Observer
from beat_the_ai.networks.sampling import Weighted, batched


@dataclass(frozen=True, kw_only=True)
class TrainConfig(Sources, Optimisation):
    """The settings of training; the dev part also calibrates the model's confidence."""

    epochs: float = 3.0
    learning_rate: float = 1e-3
    batch_size: int = 64  # pairs
    check_steps: int = 200
    constant_share: float = 0.3
    start: Path | None = None  # the folder of an exported network to go on from; None: from the pretrained encoder
    pretrained: Path | None = None  # a folder; None for the installed package
    hypothesis_only: bool = False
    layers: int = 2
    table_width: int = 96
    width: int = 128
    dropout: float = 0.2
    word_dropout: float = 0.1  # the share of pieces that the network does not see in training
    by_loss: bool = False  # and not by accuracy

    @property
    def deciding(self) -> Deciding:
        return deciding(by_loss=self.by_loss)


def train(config: TrainConfig, observer: Observer | None = None) -> progress.Trained | None:
    """Train, or go on from the last checkpoint in `config.out`; None where `observer` stopped it.

    Gives a file for `export`, calibrated on the dev part. Raises `InvalidInput` for data that cannot be read, has
    nothing, or has pairs of the dev part or those `apart`, and where `config.out` has another run.
    """
    torch.set_num_threads(config.threads)
    torch.manual_seed(config.seed)
    observer = observer or Observer()
    settings = settings_of(config, None if config.start is None else hash_of(config.start))
    learner = _Learner(config, observer)
    trained = training.fit(config.out, settings, config, learner, observer)
    return None if trained is None else learner.calibrated(trained)


class _Learner:
    def __init__(self, config: TrainConfig, observer: Observer) -> None:
        self.config, self.deciding = config, config.deciding
        if config.start is None:
            source = config.pretrained or pretrained_package.find()
            self.vocabulary, rows = minilm.vocabulary(source)
        else:
            start = read_folder(TrainedClassifier, config.start)
            check_same_sight(str(config.start), start.hypothesis_only, hypothesis_only=config.hypothesis_only)
            self.vocabulary = start.vocabulary
        parts = read_parts(config, config.seed)

        def encoded(pairs: Sequence[LabelledPair]) -> list[Example]:
            return corpora.encoded(pairs, self.vocabulary, observer, hypothesis_only=config.hypothesis_only)

        self.corpora = [Weighted(encoded(part.examples), part.weight) for part in parts.training]
        self.dev = sorted(encoded(parts.dev), key=lambda example: example.length)
        if config.start is None:
            self.network = _new_network(config, len(self.vocabulary))
            minilm.initialise(self.network.encoder, source, rows, _pieces(self.corpora))
        else:
            self.network = start.network
        self.encoder = self.network.encoder

    @property
    def dev_batches(self) -> int:
        return len(batched(self.dev, self.config.batch_size))

    def epoch(self, number: int, done: float) -> list[list[Example]]:
        rng = random.Random(f"{self.config.seed}/{number}")  # noqa: S311 - draws, not secrets
        return corpora.epoch(self.corpora, self.config.batch_size, rng)

    def loss(self, batch: Sequence[Example], step: int) -> Tensor:
        config, arrays = self.config, self._inputs(batch)
        rng = random.Random(f"{config.seed}/words/{step}")  # noqa: S311 - draws, not secrets
        arrays["pieces"] = corpora.words_dropped(arrays["pieces"], self.vocabulary, config.word_dropout, rng)
        logits = self.network(**{name: torch.from_numpy(array).to(config.device) for name, array in arrays.items()})
        return functional.cross_entropy(logits.float(), torch.from_numpy(corpora.labels(batch)).to(config.device))

    def figures(self, network: Network) -> Mapping[str, float]:
        return figures(self._dev_logits(network), corpora.labels(self.dev))

    def save(self, path: Path, network: Network) -> None:
        TrainedClassifier(network, self.vocabulary, hypothesis_only=self.config.hypothesis_only).save(path)

    def calibrated(self, trained: progress.Trained) -> progress.Trained:
        """The weights with the temperature that fits the dev part."""
        best = TrainedClassifier.load(trained.weights)
        logits, labels = self._dev_logits(best.network), corpora.labels(self.dev)
        temperature = fit_temperature(logits, labels)
        replace(best, temperature=temperature).save(trained.weights)
        error = figures(logits, labels, temperature)["calibration_error"]
        look = replace(trained.best, figures={**trained.best.figures, "calibration_error": error})
        return replace(trained, best=look)

    def _inputs(self, examples: Sequence[Example]) -> dict[str, features.Array]:
        premises, hypotheses = ([getattr(one, side) for one in examples] for side in ("premise", "hypothesis"))
        return features.batch(premises, hypotheses, self.vocabulary)

    def _dev_logits(self, network: Network) -> NDArray[np.float32]:
        """(N, 3), in the order of the dev part, which is that of length."""
        run = outputs_of(network, self.config.device, bfloat16=self.config.bfloat16)
        return np.concatenate([run(self._inputs(batch))[0] for batch in batched(self.dev, self.config.batch_size)])


def _new_network(config: TrainConfig, vocabulary: int) -> Network:
    encoder = EncoderConfig(vocabulary, config.table_width, layers=config.layers, positions=features.MAX_PIECES)
    return Network(NetworkConfig(encoder=encoder, width=config.width, dropout=config.dropout))


def _pieces(weighted: Sequence[Weighted[Example]]) -> Iterator[int]:
    for corpus in weighted:
        for example in corpus.examples:
            yield from example.premise.pieces.tolist()
            yield from example.hypothesis.pieces.tolist()
