"""Training a guesser: files of questions in, a checkpoint out."""

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
from beat_the_ai.kinds.quizbowl.collection import Question, pages
from beat_the_ai.kinds.quizbowl.evaluation import SHARES
from beat_the_ai.kinds.quizbowl.neural import corpora
from beat_the_ai.kinds.quizbowl.neural.corpora import Example
from beat_the_ai.kinds.quizbowl.neural.features import batch
from beat_the_ai.kinds.quizbowl.neural.network import WIDTH, Architecture, Network, NetworkConfig, TrainedGuesser
from beat_the_ai.networks import pretrained as minilm
from beat_the_ai.networks import pretrained_package, progress, training
from beat_the_ai.networks.calibration import expected_calibration_error, fit_temperature
from beat_the_ai.networks.checkpoint import outputs_of
from beat_the_ai.networks.export import read_folder
from beat_the_ai.networks.onnx_folder import hash_of
from beat_the_ai.networks.optimisation import Optimisation
from beat_the_ai.networks.progress import Deciding, Observer
from beat_the_ai.networks.sampling import Weighted, batched
from beat_the_ai.networks.text import Vocabulary


@dataclass(frozen=True, kw_only=True)
class TrainConfig(Sources, Optimisation):
    """The settings of training; the dev part also calibrates the model's confidence."""

    epochs: float = 40.0
    learning_rate: float = 5e-3
    encoder_learning_rate: float = 1e-2  # of how loud pieces are
    batch_size: int = 16  # questions
    check_steps: int = 50
    patience: int = 20
    warmup_steps: int = 20
    constant_share: float = 0.3
    average_decay: float = 0.98
    start: Path | None = None  # the folder of an exported network to go on from; None: from the pretrained vectors
    pretrained: Path | None = None  # a folder; None for the installed package
    architecture: Architecture = "dan"
    table_width: int = 128
    dropout: float = 0.4
    word_dropout: float = 0.5  # the share of pieces that the network does not see in training

    @property
    def deciding(self) -> Deciding:
        return Deciding("accuracy", more_is_better=True)


def train(config: TrainConfig, observer: Observer | None = None) -> progress.Trained | None:
    """Train, or go on from the last checkpoint in `config.out`; None where `observer` stopped it.

    Gives a file for `export`, calibrated on the dev part. Raises `InvalidInput` for data that cannot be read, has
    nothing, or has questions of the dev part or those `apart`, and where `config.out` has another run.
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
        parts = corpora.read_parts(config, config.seed)
        every = [question for part in parts.training for question in part.examples]
        if config.start is None:
            source = config.pretrained or pretrained_package.find()
            self.vocabulary, rows = minilm.vocabulary(source)
            self.pages = list(pages(every))
        else:
            start = read_folder(TrainedGuesser, config.start)
            self.vocabulary = start.vocabulary
            self.pages = list(dict.fromkeys([*start.pages, *pages(every)]))
        self.corpora = [
            Weighted(corpora.encoded(part.examples, self.vocabulary, self.pages, observer), part.weight)
            for part in parts.training
        ]
        self.dev = _dev_examples(parts.dev, self.vocabulary, self.pages)
        if config.start is None:
            self.network = self._new_network(source, rows)
        else:
            self.network = _with_pages(start.network, len(self.pages))
        self.encoder = self.network.words

    @property
    def dev_batches(self) -> int:
        return len(batched(self.dev, self.config.batch_size))

    def epoch(self, number: int, done: float) -> list[list[Example]]:
        rng = random.Random(f"{self.config.seed}/{number}")  # noqa: S311 - draws, not secrets
        return corpora.epoch(self.corpora, self.config.batch_size, rng)

    def loss(self, examples: Sequence[Example], step: int) -> Tensor:
        config = self.config
        rng = random.Random(f"{config.seed}/words/{step}")  # noqa: S311 - draws, not secrets
        pieces = corpora.words_dropped(examples, config.word_dropout, rng)
        logits = self.network(torch.from_numpy(pieces).to(config.device)).logits
        right = torch.tensor([each.page for each in examples], device=config.device)
        return functional.cross_entropy(logits.float(), right)

    def figures(self, network: Network) -> Mapping[str, float]:
        return _figures(self._dev_logits(network), self._dev_pages())

    def save(self, path: Path, network: Network) -> None:
        TrainedGuesser(network, self.vocabulary, pages=self.pages).save(path)

    def calibrated(self, trained: progress.Trained) -> progress.Trained:
        """The weights with the temperature that fits the dev part, as far as its pages are known."""
        best = TrainedGuesser.load(trained.weights)
        logits, right = self._dev_logits(best.network), self._dev_pages()
        known = right >= 0
        temperature = fit_temperature(logits[known], right[known])
        replace(best, temperature=temperature).save(trained.weights)
        figures = {**trained.best.figures, **_figures(logits, right, temperature)}
        return replace(trained, best=replace(trained.best, figures=figures))

    def _new_network(self, source: Path, rows: list[int]) -> Network:
        """With pretrained vectors; a piece is as loud as it is rare."""
        config = self.config
        sizes = NetworkConfig(
            config.architecture,
            len(rows),
            len(self.pages),
            WIDTH[config.architecture],
            config.table_width,
            config.dropout,
        )
        network = Network(sizes)
        table = minilm.reduced_table(source, rows, _pieces(self.corpora), config.table_width)
        with torch.no_grad():
            network.words.table.weight.copy_(table.vectors)
            network.words.loudness.copy_(torch.from_numpy(np.log(corpora.rarity(self.corpora, len(rows)))))
        return network

    def _dev_pages(self) -> NDArray[np.int64]:
        """(N,); -1 for a page that the network does not know."""
        return np.array([example.page for example in self.dev], np.int64)

    def _dev_logits(self, network: Network) -> NDArray[np.float32]:
        """(N, P)."""
        run = outputs_of(network, self.config.device)
        batches = batched(self.dev, self.config.batch_size)
        return np.concatenate([run({"pieces": batch([each.pieces for each in examples])})[0] for examples in batches])


def _dev_examples(questions: Sequence[Question], vocabulary: Vocabulary, known: Sequence[str]) -> list[Example]:
    """Beginnings by share, all of one share behind one another."""
    found = corpora.beginnings(questions, vocabulary, known)
    return [example for share in SHARES for example in found[share]]


def _figures(logits: NDArray[np.float32], right: NDArray[np.int64], temperature: float = 1.0) -> dict[str, float]:
    """Return the figures of logits (4N, P) of beginnings by share, and of their pages.

    The figures are the accuracy in percent at each share and on the mean of all, and the expected calibration error.
    """
    correct = (logits.argmax(axis=1) == right).reshape(len(SHARES), -1).mean(axis=1)
    return {
        "accuracy": 100 * float(correct.mean()),
        **{f"accuracy.{share}": 100 * float(each) for share, each in zip(SHARES, correct, strict=True)},
        "calibration_error": expected_calibration_error(logits, right, temperature),
    }


def _with_pages(network: Network, pages: int) -> Network:
    """The network with logits for more pages, of which it knows nothing yet."""
    grown = Network(network.config.with_pages(pages))
    weights = network.state_dict()
    for name, own in grown.guess.state_dict(prefix="guess.").items():
        weights[name] = torch.cat([weights[name], torch.zeros_like(own[len(weights[name]) :])])
    grown.load_state_dict(weights)
    return grown


def _pieces(weighted: Sequence[Weighted[Example]]) -> Iterator[int]:
    for corpus in weighted:
        for example in corpus.examples:
            yield from example.pieces.tolist()
