"""Training our network: files of questions in, a checkpoint out.

A batch holds whole passages of similar length with the questions asked about them, since a passage is encoded once.
Files of single sentences with many questions (QAMR) help as `extra`: several sentences are put together to one
passage, others each epoch, and they are left out of the last phase.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from torch import Tensor
from torch.nn import functional

from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.corpora import Sources, settings_of
from beat_the_ai.kinds.reading_comprehension.bidaf.dev_part import DevPart
from beat_the_ai.kinds.reading_comprehension.bidaf.examples import Example, batch, bucketed, example, put_together
from beat_the_ai.kinds.reading_comprehension.bidaf.network import Network, TrainedReader
from beat_the_ai.kinds.reading_comprehension.corpora import F1, deciding, read_parts, read_passages
from beat_the_ai.kinds.reading_comprehension.squad import Passage
from beat_the_ai.networks import pretrained as minilm
from beat_the_ai.networks import pretrained_package, progress, training
from beat_the_ai.networks.checkpoint import outputs_of
from beat_the_ai.networks.encoder import EncoderConfig, NetworkConfig
from beat_the_ai.networks.export import read_folder
from beat_the_ai.networks.onnx_folder import hash_of
from beat_the_ai.networks.optimisation import Optimisation
from beat_the_ai.networks.outputs import Run
from beat_the_ai.networks.progress import Deciding, Observer, prepare
from beat_the_ai.networks.sampling import Weighted, draw


@dataclass(frozen=True, kw_only=True)
class TrainConfig(Sources, Optimisation):
    """The settings of training; the dev part also calibrates the model's confidence."""

    epochs: float = 10.0
    learning_rate: float = 2e-3
    batch_size: int = 40  # questions, at least
    check_steps: int = 200
    patience: int = 10
    extra: tuple[Path, ...] = ()
    extra_until: float = 0.7  # share of the run after which `extra` is left out
    start: Path | None = None  # the folder of an exported network to go on from; None: from the pretrained encoder
    pretrained: Path | None = None  # a folder; None for the installed package
    layers: int = 3
    width: int = 128
    dropout: float = 0.2
    word_dropout: float = 0.05
    tuned_for: str = F1

    @property
    def deciding(self) -> Deciding:
        return deciding(self.tuned_for)


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
    if trained is not None:
        learner.calibrate(trained.weights)
    return trained


class _Learner:
    def __init__(self, config: TrainConfig, observer: Observer) -> None:
        self.config, self.deciding = config, config.deciding
        if config.start is None:
            source = config.pretrained or pretrained_package.find()
            self.vocabulary, rows = minilm.vocabulary(source)
        else:
            start = read_folder(TrainedReader, config.start)
            self.vocabulary = start.vocabulary
        parts = read_parts(config, config.seed)
        self.sentences = [passage for path in config.extra for passage in read_passages(path)]
        self.corpora = [Weighted(self._examples(part.examples, observer), part.weight) for part in parts.training]
        examples = [item for corpus in self.corpora for item in corpus.examples]
        if not any(item.asked for item in examples):
            raise InvalidInput("data", "No answer of the training files lies in the first 320 words of its passage.")
        self.dev = DevPart(parts.dev, self.vocabulary, config.batch_size, observer)
        if config.start is None:
            encoder = EncoderConfig(vocabulary=len(self.vocabulary), layers=config.layers)
            self.network = Network(NetworkConfig(encoder=encoder, width=config.width, dropout=config.dropout))
            used = (piece for item in examples for piece in item.passage.pieces.tolist())
            minilm.initialise(self.network.encoder, source, rows, used)
        else:
            self.network = start.network
        self.encoder = self.network.encoder

    def _examples(self, passages: Sequence[Passage], observer: Observer) -> list[Example]:
        return list(prepare(passages, lambda passage: example(passage, self.vocabulary), observer))

    @property
    def dev_batches(self) -> int:
        return self.dev.batches

    def epoch(self, number: int, done: float) -> list[list[Example]]:
        rng = random.Random(f"{self.config.seed}/{number}")  # noqa: S311 - draws, not secrets
        examples = draw(self.corpora, lambda item: len(item.passage.pieces), rng)
        if done < self.config.extra_until:
            examples += [example(passage, self.vocabulary) for passage in put_together(self.sentences, rng)]
        return bucketed(examples, self.config.batch_size, rng)

    def loss(self, examples: Sequence[Example], step: int) -> Tensor:
        config = self.config
        rng = random.Random(f"{config.seed}/words/{step}")  # noqa: S311 - draws, not secrets
        content = batch(examples, self.vocabulary.unknown, config.word_dropout, rng)
        inputs = {name: torch.from_numpy(array).to(config.device) for name, array in content.inputs.items()}
        first, last = (torch.from_numpy(words).to(config.device) for words in (content.first, content.last))
        start, end = self.network(**inputs)
        return functional.cross_entropy(start.float(), first) + functional.cross_entropy(end.float(), last)

    def figures(self, network: Network) -> Mapping[str, float]:
        return self.dev.figures(self._outputs(network))

    def save(self, path: Path, network: Network) -> None:
        TrainedReader(network, self.vocabulary).save(path)

    def calibrate(self, weights: Path) -> None:
        best = TrainedReader.load(weights)
        replace(best, temperature=self.dev.temperature(self._outputs(best.network))).save(weights)

    def _outputs(self, network: Network) -> Run:
        return outputs_of(network, self.config.device, bfloat16=self.config.bfloat16)
