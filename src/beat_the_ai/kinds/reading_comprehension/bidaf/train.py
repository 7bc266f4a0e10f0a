"""Training: SQuAD-like files in, checkpoints out; resumable, and repeatable under a seed when `max_steps` is given.

A batch holds whole passages of similar length with the questions asked about them, since a passage is encoded once.
Files of single sentences with many questions (QAMR) help as `extra`: several sentences are put together to one
passage, others each epoch, and they are left out of the last phase. Weights are averaged over time (EMA); the average
that does best on held-out articles is what a run gives.
"""

from __future__ import annotations

import copy
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.reading_comprehension import squad
from beat_the_ai.kinds.reading_comprehension.bidaf import checkpoint, features
from beat_the_ai.kinds.reading_comprehension.bidaf.calibration import fit_temperature
from beat_the_ai.kinds.reading_comprehension.bidaf.checkpoint import Trained
from beat_the_ai.kinds.reading_comprehension.bidaf.examples import (
    Example,
    batch,
    bucketed,
    example,
    hold_out,
    put_together,
)
from beat_the_ai.kinds.reading_comprehension.bidaf.network import Network, NetworkConfig
from beat_the_ai.kinds.reading_comprehension.bidaf.reader import Reader
from beat_the_ai.kinds.reading_comprehension.writing import Query
from beat_the_ai.networks import pretrained
from beat_the_ai.networks.encoder import EncoderConfig
from beat_the_ai.networks.optimisation import learning_rate_share, optimiser_of


@dataclass(frozen=True)
class TrainConfig:
    """How to train. `minutes` is wall-clock time; `max_steps` replaces it for a run that can be repeated exactly."""

    data: tuple[Path, ...]
    out: Path
    extra: tuple[Path, ...] = ()
    minutes: float = 60.0
    max_steps: int | None = None
    seed: int = 0
    device: str = "cpu"
    threads: int = 1
    bfloat16: bool = False  # pays where the processor multiplies matrices in bfloat16 (AMX)
    pretrained: Path | None = None  # a folder; None for the installed package
    layers: int = 3
    width: int = 128
    dropout: float = 0.2
    word_dropout: float = 0.05
    questions_per_batch: int = 40
    learning_rate: float = 2e-3
    encoder_learning_rate: float = 3e-4
    warmup_steps: int = 100
    constant_share: float = 0.4  # of the run, before the learning rate falls linearly ...
    final_share: float = 0.02  # ... to this share of itself
    extra_until: float = 0.7  # share of the run after which `extra` is left out
    held_out_share: float = 0.05  # of the questions of `data`, in whole articles
    average_decay: float = 0.998
    clip_norm: float = 5.0
    weight_decay: float = 0.01
    save_every_minutes: float = 5.0


@dataclass(frozen=True)
class Progress:
    """Where a run stands: the share that is done, mean loss since the last report, percentages on held-out articles."""

    done: float
    step: int
    questions: int
    loss: float
    held_out_exact_match: float
    held_out_f1: float


@dataclass(frozen=True)
class TrainResult:
    """The file with the best averaged weights (for `export`), and how they did."""

    checkpoint: Path
    best: Progress


def train(config: TrainConfig, progress: Callable[[Progress], None] = lambda _: None) -> TrainResult:
    """Train, or go on from the last checkpoint in `config.out`; calls `progress` at every checkpoint."""
    return _Run(config, progress).finish()


@dataclass
class _State:
    """What a resumed run needs beside weights."""

    step: int = 0
    questions: int = 0
    seconds: float = 0.0
    best: Progress | None = None


class _Run:
    def __init__(self, config: TrainConfig, progress: Callable[[Progress], None]) -> None:
        torch.set_num_threads(config.threads)
        torch.manual_seed(config.seed)
        self.config, self.report = config, progress
        self.random = random.Random(config.seed)  # noqa: S311 - draws, not secrets
        self.state = _State()
        source = config.pretrained or pretrained.find()
        self.vocabulary, rows = pretrained.vocabulary(source)
        passages = [passage for path in config.data for passage in squad.load(path)]
        inside, self.held_out = hold_out(passages, config.held_out_share, config.seed)
        self.sentences = [passage for path in config.extra for passage in squad.load(path)]
        self.examples = [example(passage, self.vocabulary) for passage in inside]
        if not any(item.asked for item in self.examples):
            raise InvalidInput("data", "The training files hold no question with an answer in its passage.")
        encoder = EncoderConfig(vocabulary=len(self.vocabulary), layers=config.layers)
        self.network = Network(NetworkConfig(encoder=encoder, width=config.width, dropout=config.dropout))
        used = (piece for item in self.examples for piece in item.passage.pieces.tolist())
        pretrained.initialise(self.network.encoder, source, rows, used)
        self.network.to(config.device)
        self.average = copy.deepcopy(self.network).requires_grad_(False)
        self.optimiser = optimiser_of(self.network, self.network.encoder, config)
        self._resume()

    def finish(self) -> TrainResult:
        losses: list[float] = []
        started, saved = time.monotonic() - self.state.seconds, self.state.seconds
        while True:
            for examples in self._epoch():
                losses.append(self._step(examples))
                self.state.seconds = time.monotonic() - started
                if self.done >= 1:
                    return self._result(self._checkpoint(losses))
                if self.state.seconds - saved > self.config.save_every_minutes * 60:
                    self._checkpoint(losses)
                    saved, losses = self.state.seconds, []

    @property
    def done(self) -> float:
        """The share of the run that lies behind."""
        if self.config.max_steps is not None:
            return self.state.step / self.config.max_steps
        return self.state.seconds / (self.config.minutes * 60)

    def _epoch(self) -> Iterator[list[Example]]:
        examples = list(self.examples)
        if self.done < self.config.extra_until:
            examples += [example(passage, self.vocabulary) for passage in put_together(self.sentences, self.random)]
        return bucketed(examples, self.config.questions_per_batch, self.random)

    def _step(self, examples: Sequence[Example]) -> float:
        config = self.config
        share = learning_rate_share(config, self.state.step, self.done)
        for group in self.optimiser.param_groups:
            group["lr"] = group["peak"] * share
        content = batch(examples, self.vocabulary.unknown, config.word_dropout, self.random)
        inputs = {name: torch.from_numpy(array).to(config.device) for name, array in content.inputs.items()}
        first, last = (torch.from_numpy(words).to(config.device) for words in (content.first, content.last))
        self.network.train()
        with torch.autocast(config.device, dtype=torch.bfloat16, enabled=config.bfloat16):
            start, end = self.network(**inputs)
        loss = functional.cross_entropy(start, first) + functional.cross_entropy(end, last)
        self.optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), config.clip_norm)
        self.optimiser.step()
        self.state.step += 1
        self.state.questions += len(first)
        self._update_average()
        return float(loss.detach())

    def _update_average(self) -> None:
        decay = min(self.config.average_decay, (1 + self.state.step) / (10 + self.state.step))
        pairs = zip(self.average.parameters(), self.network.parameters(), strict=True)
        for averaged, current in pairs:
            if current.requires_grad:
                averaged.lerp_(current.detach(), 1 - decay)

    def _checkpoint(self, losses: Sequence[float]) -> Progress:
        """Write `last.pt`, and `best.pt` if the average is the best so far; gives the best."""
        exact_match, f1 = self._evaluate()
        now = Progress(
            done=min(1.0, self.done),
            step=self.state.step,
            questions=self.state.questions,
            loss=float(np.mean(losses)),
            held_out_exact_match=exact_match,
            held_out_f1=f1,
        )
        best = self.state.best
        if best is None or f1 >= best.held_out_f1:
            self.state.best = best = now
            checkpoint.save(self.config.out / "best.pt", Trained(self.average, self.vocabulary))
        self._save()
        self.report(now)
        return best

    def _evaluate(self) -> tuple[float, float]:
        """Exact match and F1 of the average on the held-out articles; zero if there are none."""
        asked = [(passage, question) for passage in self.held_out for question in passage.questions]
        if not asked:
            return 0.0, 0.0
        reader = Reader(self.vocabulary, checkpoint.logits(self.average, self.config.device, self.config.bfloat16))
        answers = reader.predict([Query(context=passage.text, question=question.text) for passage, question in asked])
        given = {question.id: answer.text for (_, question), answer in zip(asked, answers, strict=True)}
        scores = squad.evaluate([question for _, question in asked], given)
        return scores.exact_match, scores.f1

    def _result(self, best: Progress) -> TrainResult:
        """Calibrate the best weights on the held-out articles."""
        path = self.config.out / "best.pt"
        trained = checkpoint.load(path)
        temperature = held_out_temperature(trained, [example(passage, self.vocabulary) for passage in self.held_out])
        checkpoint.save(path, Trained(trained.network, trained.vocabulary, temperature))
        return TrainResult(path, best)

    def _save(self) -> None:
        run = {
            "network": self.network.state_dict(),
            "average": self.average.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "state": asdict(self.state),
            "random": self.random.getstate(),
            "torch_random": torch.get_rng_state(),
        }
        checkpoint.write(self.config.out / "last.pt", run)

    def _resume(self) -> None:
        path = self.config.out / "last.pt"
        if not path.exists():
            return
        run: dict[str, Any] = torch.load(path, weights_only=True)
        self.network.load_state_dict(run["network"])
        self.average.load_state_dict(run["average"])
        self.optimiser.load_state_dict(run["optimiser"])
        best = run["state"].pop("best")
        self.state = _State(**run["state"], best=Progress(**best) if best else None)
        version, internal, gauss = run["random"]
        self.random.setstate((version, tuple(internal), gauss))
        torch.set_rng_state(run["torch_random"])


def held_out_temperature(trained: Trained, examples: Sequence[Example]) -> float:
    """The temperature that makes the network's scores on these passages honest."""
    logits = checkpoint.logits(trained.network)
    judged = []
    for item in examples:
        for asked in item.asked:
            start, end = logits(features.batch([item.passage], [asked.question], [0]))
            judged.append((start[0], end[0], asked.first, asked.last))
    return fit_temperature(judged)
