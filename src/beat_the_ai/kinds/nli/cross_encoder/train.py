"""Training: files of pairs in, a checkpoint out.

Weights are averaged over time (EMA); what a run gives is the average that does best on the dev part, and it ends early
when that no longer gets better. Under a seed, on one machine's CPU, a run gives the same weights each time, also when
it was stopped and went on; unless its time runs out.
"""

from __future__ import annotations

import copy
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.nli.corpora import Corpus, check_same_sight, digests, read_parts
from beat_the_ai.kinds.nli.cross_encoder import checkpoint, corpora, export, features
from beat_the_ai.kinds.nli.cross_encoder.calibration import (
    expected_calibration_error,
    fit_temperature,
    log_probabilities,
)
from beat_the_ai.kinds.nli.cross_encoder.checkpoint import Trained
from beat_the_ai.kinds.nli.cross_encoder.corpora import Example
from beat_the_ai.kinds.nli.cross_encoder.network import Network, NetworkConfig
from beat_the_ai.kinds.nli.progress import Progress
from beat_the_ai.networks import pretrained
from beat_the_ai.networks.encoder import EncoderConfig
from beat_the_ai.networks.onnx_folder import hash_of
from beat_the_ai.networks.optimisation import learning_rate_share, optimiser_of
from beat_the_ai.networks.sampling import Weighted, batched
from beat_the_ai.networks.text import Vocabulary


@dataclass(frozen=True)
class TrainConfig:
    """How to train. `dev` decides when to stop and how sure to be; without it a share of the premises of `data` does.

    Nothing of `dev` and `apart` may be in `data`. `minutes` is wall-clock time after which a run ends as it is.
    """

    data: tuple[Corpus, ...]
    out: Path
    dev: tuple[Path, ...] = ()
    apart: tuple[Path, ...] = ()
    hypothesis_only: bool = False
    epochs: float = 3.0
    minutes: float | None = None
    seed: int = 0
    device: str = "cpu"
    threads: int = 1
    bfloat16: bool = False  # pays where the processor multiplies matrices in bfloat16 (AMX)
    start: Path | None = None  # the folder of an exported network to go on from; None: from the pretrained encoder
    pretrained: Path | None = None  # a folder; None for the installed package
    layers: int = 2
    table_width: int = 96
    width: int = 128
    dropout: float = 0.2
    word_dropout: float = 0.1  # the share of pieces that the network does not see in training
    pairs_per_batch: int = 64
    learning_rate: float = 1e-3
    encoder_learning_rate: float = 3e-4
    warmup_steps: int = 100
    constant_share: float = 0.3  # of the run, before the learning rate falls linearly ...
    final_share: float = 0.02  # ... to this share of itself
    held_out_share: float = 0.04  # of the premises, where there is no `dev`
    average_decay: float = 0.998
    clip_norm: float = 5.0
    weight_decay: float = 0.01
    by_loss: bool = False  # and not by accuracy, which tells little where dev holds what the start got wrong
    check_steps: int = 200  # between two looks at the dev part; an epoch, where that is less
    patience: int = 5  # looks without a better one, after which a run ends


NO_MATTER = ("out", "minutes", "device", "threads", "bfloat16", "pretrained")  # of a run that goes on


@dataclass(frozen=True)
class TrainResult:
    """The file with the best averaged weights (for `export`), and how they did on the dev part.

    `calibration_error` is expected_calibration_error at the temperature that was fitted there.
    """

    checkpoint: Path
    best: Progress
    temperature: float
    calibration_error: float


def train(
    config: TrainConfig,
    progress: Callable[[Progress], None] = lambda _: None,
    stopped: Callable[[], bool] = lambda: False,
) -> TrainResult | None:
    """Train, or go on from the last checkpoint in `config.out`; calls `progress` at every look at the dev part.

    Once `stopped` says so the run is kept, and None is given: the same call goes on. Raises `InvalidInput` for data
    that cannot be read, has nothing, or has pairs of the dev part or those `apart`.
    """
    return _Run(config, progress, stopped).finish()


@dataclass
class _State:
    """What a resumed run needs beside weights."""

    step: int = 0
    seconds: float = 0.0
    unimproved: int = 0
    best: Progress | None = None


class _Run:
    def __init__(self, config: TrainConfig, progress: Callable[[Progress], None], stopped: Callable[[], bool]) -> None:
        torch.set_num_threads(config.threads)
        torch.manual_seed(config.seed)
        self.config, self.report, self.stopped = config, progress, stopped
        self.state = _State()
        if config.start is None:
            source = config.pretrained or pretrained.find()
            self.vocabulary, rows = pretrained.vocabulary(source)
            self.corpora, self.dev = _examples(config, self.vocabulary)
            self.network = _new_network(config, len(self.vocabulary))
            pretrained.initialise(self.network.encoder, source, rows, _pieces(self.corpora))
        else:
            start = export.read(config.start)
            check_same_sight(str(config.start), start.hypothesis_only, hypothesis_only=config.hypothesis_only)
            self.network, self.vocabulary = start.network, start.vocabulary
            self.corpora, self.dev = _examples(config, self.vocabulary)
        self.network.to(config.device)
        self.average = copy.deepcopy(self.network).requires_grad_(False)
        self.optimiser = optimiser_of(self.network, self.network.encoder, config)
        self.epoch_steps = sum(1 for _ in self._epoch(0))
        self.steps = max(1, round(config.epochs * self.epoch_steps))
        self.losses: list[float] = []
        self._resume()

    def finish(self) -> TrainResult | None:
        started = time.monotonic() - self.state.seconds
        for batch in self._batches():
            if self.stopped():
                self._save()
                return None
            self._step(batch)
            self.state.seconds = time.monotonic() - started
            if self.state.step % min(self.config.check_steps, self.epoch_steps) == 0 or self._ended():
                self._look()
        return self._result()

    def _ended(self) -> bool:
        minutes = self.config.minutes
        return (
            self.state.step >= self.steps
            or self.state.unimproved >= self.config.patience
            or (minutes is not None and self.state.seconds >= 60 * minutes)
        )

    def _epoch(self, number: int) -> Iterator[list[Example]]:
        chance = random.Random(f"{self.config.seed}/{number}")  # noqa: S311 - draws, not secrets
        return corpora.epoch(self.corpora, self.config.pairs_per_batch, chance)

    def _batches(self) -> Iterator[list[Example]]:
        """Those that are left of the run; each must be a step."""
        while not self._ended():
            number, gone = divmod(self.state.step, self.epoch_steps)
            for batch in islice(self._epoch(number), gone, None):
                if self._ended():
                    return
                yield batch

    def _step(self, examples: Sequence[Example]) -> None:
        config = self.config
        share = learning_rate_share(config, self.state.step, self.state.step / self.steps)
        for group in self.optimiser.param_groups:
            group["lr"] = group["peak"] * share
        arrays = self._inputs(examples)
        chance = random.Random(f"{config.seed}/words/{self.state.step}")  # noqa: S311 - draws, not secrets
        arrays["pieces"] = corpora.words_dropped(arrays["pieces"], self.vocabulary, config.word_dropout, chance)
        inputs = {name: torch.from_numpy(array).to(config.device) for name, array in arrays.items()}
        self.network.train()
        with torch.autocast(config.device, dtype=torch.bfloat16, enabled=config.bfloat16):
            logits = self.network(**inputs)
        loss = functional.cross_entropy(logits.float(), torch.from_numpy(corpora.labels(examples)).to(config.device))
        self.optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), config.clip_norm)
        self.optimiser.step()
        self.state.step += 1
        self.losses.append(float(loss.detach()))
        self._update_average()

    def _inputs(self, examples: Sequence[Example]) -> dict[str, features.Array]:
        premises, hypotheses = ([getattr(one, side) for one in examples] for side in ("premise", "hypothesis"))
        return features.batch(premises, hypotheses, self.vocabulary)

    def _update_average(self) -> None:
        decay = min(self.config.average_decay, (1 + self.state.step) / (10 + self.state.step))
        pairs = zip(self.average.parameters(), self.network.parameters(), strict=True)
        for averaged, current in pairs:
            if current.requires_grad:
                averaged.lerp_(current.detach(), 1 - decay)

    def _look(self) -> None:
        """At the dev part; keeps the average as `best.pt` if it is the best so far, and the run as `last.pt`."""
        logits, labels = self._dev_logits(self.average), corpora.labels(self.dev)
        likely = log_probabilities(logits, 1.0)[np.arange(len(labels)), labels]
        now = Progress(
            done=self.state.step / self.steps,
            step=self.state.step,
            loss=float(np.mean(self.losses)),
            dev_accuracy=100 * float(np.mean(logits.argmax(axis=1) == labels)),
            dev_loss=-float(likely.mean()),
        )
        self.losses = []
        if self.state.best is None or now.is_better_than(self.state.best, by_loss=self.config.by_loss):
            self.state.best, self.state.unimproved = now, 0
            self._keep(Trained(self.average, self.vocabulary, self.config.hypothesis_only))
        else:
            self.state.unimproved += 1
        self._save()
        self.report(now)

    def _dev_logits(self, network: Network) -> NDArray[np.float32]:
        """(N, 3), in the order of the dev part, which is that of length."""
        run = checkpoint.logits(network, self.config.device, bfloat16=self.config.bfloat16)
        batches = batched(self.dev, self.config.pairs_per_batch)
        return np.concatenate([run(self._inputs(batch)) for batch in batches])

    def _keep(self, trained: Trained) -> None:
        checkpoint.save(self.config.out / "best.pt", trained)

    def _result(self) -> TrainResult:
        """Calibrate the best weights on the dev part."""
        assert self.state.best is not None, "a run looks at the dev part before it ends"
        path = self.config.out / "best.pt"
        trained = checkpoint.load(path)
        logits, labels = self._dev_logits(trained.network), corpora.labels(self.dev)
        temperature = fit_temperature(logits, labels)
        self._keep(Trained(trained.network, trained.vocabulary, trained.hypothesis_only, temperature))
        error = expected_calibration_error(logits, labels, temperature)
        return TrainResult(path, self.state.best, temperature, error)

    def _save(self) -> None:
        run = {
            "settings": _settings(self.config),
            "network": self.network.state_dict(),
            "average": self.average.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "state": asdict(self.state),
            "losses": self.losses,
            "torch_random": torch.get_rng_state(),
        }
        checkpoint.write(self.config.out / "last.pt", run)

    def _resume(self) -> None:
        path = self.config.out / "last.pt"
        if not path.exists():
            return
        run: dict[str, Any] = torch.load(path, weights_only=True)
        settings = _settings(self.config)
        if other := [name for name in settings if run["settings"].get(name) != settings[name]]:
            raise InvalidInput(
                "out",
                f"{path} is the checkpoint of another run, which differs in {', '.join(other)}. Name another folder, "
                "or remove it.",
            )
        self.network.load_state_dict(run["network"])
        self.average.load_state_dict(run["average"])
        self.optimiser.load_state_dict(run["optimiser"])
        best = run["state"].pop("best")
        self.state = _State(**run["state"], best=Progress(**best) if best else None)
        self.losses = run["losses"]
        torch.set_rng_state(run["torch_random"])


def _new_network(config: TrainConfig, vocabulary: int) -> Network:
    encoder = EncoderConfig(vocabulary, config.table_width, layers=config.layers, positions=features.MAX_PIECES)
    return Network(NetworkConfig(encoder=encoder, width=config.width, dropout=config.dropout))


def _examples(config: TrainConfig, vocabulary: Vocabulary) -> tuple[list[Weighted[Example]], list[Example]]:
    """What is trained on, and the dev part in the order of length."""
    parts = read_parts(config)
    weighted = [
        Weighted(corpora.encoded(part.examples, vocabulary, hypothesis_only=config.hypothesis_only), part.weight)
        for part in parts.training
    ]
    encoded = corpora.encoded(parts.dev, vocabulary, hypothesis_only=config.hypothesis_only)
    return weighted, sorted(encoded, key=lambda example: example.length)


def _settings(config: TrainConfig) -> dict[str, Any]:
    """What a run must not differ in to go on: all that decides its weights, files by their contents."""
    settings: dict[str, Any] = {name: value for name, value in asdict(config).items() if name not in NO_MATTER}
    return {**settings, **digests(config), "start": None if config.start is None else hash_of(config.start)}


def _pieces(weighted: Sequence[Weighted[Example]]) -> Iterator[int]:
    for corpus in weighted:
        for example in corpus.examples:
            yield from example.premise.pieces.tolist()
            yield from example.hypothesis.pieces.tolist()
